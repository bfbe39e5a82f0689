import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from anyhip import cache
from anyhip.errors import CacheError, ToolchainError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_warned", [])
    return tmp_path / "cache"


def leftovers(folder: Path) -> list[str]:
    """Files that are neither entries nor locks nor the tag."""
    return [path.name for path in folder.rglob(".*") if path.is_file() and not path.name.endswith(".lock")]


def test_a_digest_depends_on_where_its_parts_end(tmp_path):
    assert cache.digest("ab", "c") != cache.digest("a", "bc")
    assert cache.digest("ab") == cache.digest(b"ab")
    (tmp_path / "file").write_bytes(b"ab")
    assert cache.digest(tmp_path / "file") == cache.digest(b"ab")
    # sha256 of the length 2 as eight bytes, little-endian, then "ab"
    assert cache.digest("ab") == "5dff2b3fa79721a8181b9beb1db6bcce93b482f9aa3a5c9b864fc4429e31d5f2"


def test_an_entry_lies_below_its_kind(folder):
    assert cache.path("kernels", "abcdef", ".o") == folder / "kernels" / "ab" / "cdef.o"


def test_write_replaces_and_leaves_nothing_beside(folder):
    target = cache.path("kernels", "abcd")
    cache.write(target, b"one")
    cache.write(target, b"two")
    assert target.read_bytes() == b"two"
    assert leftovers(folder) == []
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_build_makes_an_entry_once(folder):
    calls = []

    def make(path: Path) -> None:
        calls.append(path)
        path.write_bytes(b"made")

    target = cache.path("engine", "abcd", ".so")
    assert cache.build(target, make) == target
    assert cache.build(target, make) == target
    assert target.read_bytes() == b"made"
    assert len(calls) == 1


def test_build_makes_folders_as_well(folder):
    def make(path: Path) -> None:
        path.mkdir()
        (path / "lib").write_bytes(b"x")

    assert (cache.build(cache.path("sdk", "abcd"), make) / "lib").read_bytes() == b"x"


def test_two_builders_at_once_make_it_once(folder):
    calls = []
    gate = threading.Barrier(2)

    def make(path: Path) -> None:
        calls.append(1)
        path.write_bytes(b"made")

    def worker() -> None:
        gate.wait()
        cache.build(cache.path("engine", "abcd"), make)

    threads = [threading.Thread(target=worker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [1]


def test_an_error_of_the_maker_passes_and_leaves_nothing(folder):
    def make(path: Path) -> None:
        path.write_bytes(b"half")
        raise ValueError("no")

    target = cache.path("engine", "abcd")
    with pytest.raises(ValueError, match="no"):
        cache.build(target, make)
    assert not target.exists()
    assert leftovers(folder) == []


def test_an_unreadable_input_of_the_maker_is_not_blamed_on_the_cache(folder, tmp_path):
    with pytest.raises(FileNotFoundError):
        cache.build(
            cache.path("engine", "abcd"), lambda path: path.write_bytes((tmp_path / "no").read_bytes())
        )


def test_a_folder_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(CacheError, match="Not a directory") as raised:
        cache.write(cache.path("kernels", "abcd"), b"x")
    assert "ANYHIP_CACHE_DIR" in raised.value.hint


def test_what_cannot_be_cached_is_still_built_with_one_warning(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(cache, "_warned", [])
    made = cache.build(cache.path("engine", "ab12", ".so"), lambda path: path.write_bytes(b"made"))
    again = cache.build(cache.path("engine", "ab34", ".so"), lambda path: path.write_bytes(b"more"))
    assert made.read_bytes() == b"made"
    assert again.read_bytes() == b"more"
    assert not str(made).startswith(str(tmp_path))
    assert capsys.readouterr().err.count("nothing is being cached") == 1


def _with_small_files(limit: int):
    """Files may not grow beyond ``limit`` bytes: a write fails as on a full disk (with EFBIG)."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, old[1]))
    return old


def test_a_full_disk_leaves_nothing_partial(folder):
    target = cache.path("kernels", "abcd")
    old = _with_small_files(4096)
    try:
        with pytest.raises(CacheError, match="cannot write .*/ab/cd: File too large"):
            cache.write(target, bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert not target.exists()
    assert leftovers(folder) == []
    cache.write(target, b"now it fits")
    assert target.read_bytes() == b"now it fits"


def test_clear_removes_entries_and_says_how_much(folder):
    cache.write(cache.path("kernels", "abcd"), bytes(1000))
    assert cache.size() >= 1000
    assert cache.clear() >= 1000
    assert not cache.path("kernels", "abcd").exists()


def test_clear_does_not_touch_a_folder_that_is_not_a_cache(tmp_path, monkeypatch):
    (tmp_path / "thesis.tex").write_text("years of work")
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path))
    with pytest.raises(CacheError, match="nothing was removed"):
        cache.clear()
    assert (tmp_path / "thesis.tex").exists()


def test_the_private_folder_goes_with_the_process(tmp_path):
    code = "from anyhip import cache; p = cache.private_dir(); (p / 'x').write_text('x'); print(p)"
    env = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert printed.stdout.startswith(str(tmp_path))
    assert not Path(printed.stdout.strip()).exists()


def test_a_tool_that_failed_on_a_full_disk_is_run_again_elsewhere(folder, monkeypatch, capsys):
    """A linker that maps its output dies of SIGBUS there, and cannot say why."""
    monkeypatch.setattr(cache, "_is_nearly_full", lambda place: place.is_relative_to(folder))

    def make(path: Path) -> None:
        if path.is_relative_to(folder):
            raise ToolchainError("linker command failed due to signal")
        path.write_bytes(b"made")

    made = cache.build(cache.path("engine", "abcd", ".so"), make)
    assert made.read_bytes() == b"made"
    assert cache.is_private(made)
    assert "No space left on device" in capsys.readouterr().err


def test_a_tool_that_failed_with_the_disk_far_from_full_is_believed(folder, monkeypatch):
    monkeypatch.setattr(cache, "_is_nearly_full", lambda place: False)

    def make(path: Path) -> None:
        raise ToolchainError("it does not compile")

    with pytest.raises(ToolchainError, match="it does not compile"):
        cache.build(cache.path("engine", "abce", ".so"), make)
    assert leftovers(folder) == []


def test_an_entry_that_was_cut_short_is_made_again(folder):
    def make(path: Path) -> None:
        path.write_bytes(b"made")

    target = cache.build(cache.path("engine", "abcd", ".so"), make)
    for damaged in (b"", b"ma"):
        target.write_bytes(damaged)
        assert cache.build(target, make).read_bytes() == b"made"


def test_a_folder_that_lost_bytes_is_made_again(folder):
    def make(path: Path) -> None:
        path.mkdir()
        (path / "one").write_bytes(b"1")
        (path / "two").write_bytes(b"2")

    target = cache.build(cache.path("sdk", "abcd"), make)
    (target / "two").unlink()
    assert (cache.build(target, make) / "two").read_bytes() == b"2"


def test_a_discarded_entry_is_made_again(folder):
    target = cache.build(cache.path("engine", "abcd"), lambda path: path.write_bytes(b"bad"))
    cache.discard(target)
    assert cache.build(target, lambda path: path.write_bytes(b"good")).read_bytes() == b"good"


def test_a_folder_stays_whole_when_python_compiles_a_module_in_it(folder):
    made = []

    def make(path):
        made.append(path)
        path.mkdir()
        (path / "module.py").write_text("x = 1")

    entry = cache.build(cache.path("sdk", "ab" * 32), make)
    (entry / "__pycache__").mkdir()
    (entry / "__pycache__" / "module.pyc").write_bytes(b"compiled")
    assert cache.build(entry, make) == entry
    assert len(made) == 1
