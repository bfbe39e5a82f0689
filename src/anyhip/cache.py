"""The folder of everything AnyHIP builds: content-addressed, safe between processes, and dispensable.

In: a kind, a key that is a digest of all that decides the content, and bytes or a way to make a file.
Out: a path. Entries appear whole or not at all (written beside their name, then renamed), so a reader never
waits for a lock and a crash leaves nothing half done; an entry that a crash of the whole system cut short is
noticed by its size and made again. Whatever cannot be cached can still be had: callers of
:func:`build` get a file in a private temporary folder, with one warning.
"""

from __future__ import annotations

import atexit
import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from anyhip import where
from anyhip.errors import AnyHipError, CacheError

__all__ = [
    "build",
    "cache_dir",
    "clear",
    "digest",
    "discard",
    "is_private",
    "path",
    "private_dir",
    "size",
    "warn_once",
    "write",
]

# Tells backup programs (and `clear`) that the folder can be thrown away: bford.info/cachedir
_TAG = "CACHEDIR.TAG"
_NEARLY_FULL = 16 << 20  # bytes free: a compiler or linker that failed may have failed for want of them
_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by AnyHIP; safe to delete.\n"


def cache_dir() -> Path:
    """The cache's root: ``ANYHIP_CACHE_DIR``, else the platform's place for a user's caches. Not created."""
    return Path(where.cache_folder())


def digest(*parts: bytes | str | Path) -> str:
    """SHA-256 of the parts, each preceded by its length so that ("ab", "c") differs from ("a", "bc").

    A Path stands for its file's content.

    Raises:
        OSError: a Path that cannot be read.
    """
    state = hashlib.sha256()
    for part in parts:
        data = (
            part.read_bytes()
            if isinstance(part, Path)
            else part.encode("utf-8", "surrogateescape")
            if isinstance(part, str)
            else part
        )
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


def path(kind: str, key: str, suffix: str = "") -> Path:
    """Where the entry is or would be. Two letters of the key make a subfolder, so that none grows too big."""
    return cache_dir() / kind / key[:2] / (key[2:] + suffix)


def write(target: Path, data: bytes, mode: int = 0o644) -> None:
    """Make ``data`` the content of ``target``, whole or not at all.

    No fsync: after a power failure an entry may be lost, never half seen by a running system.

    Raises:
        CacheError: the disk is full, or the folder cannot be written; nothing partial is left.
    """
    with _publish(target) as temporary:
        temporary.write_bytes(data)
        temporary.chmod(mode)


def build(target: Path, make: Callable[[Path], None]) -> Path:
    """The entry ``target``, made by ``make(temporary path)`` if it is not there yet.

    Processes that want the same entry at once wait for the first one. Where the cache cannot be written the
    file is made in :func:`private_dir` instead: slower next time, but never in the way.

    Args:
        make: writes the complete file (or folder) to the path that it is given; its own errors pass through.
    """
    if _is_whole(target):
        return target
    try:
        with _lock(target) as lock:
            if not _is_whole(target):
                os.ftruncate(lock, 0)
                _remove(target)
                with _publish(target) as temporary:
                    make(temporary)
                _record_size(lock, target)
        return target
    except CacheError as error:
        return _build_privately(target, make, error)
    except AnyHipError as error:
        if not _is_nearly_full(target.parent):
            raise
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # a linker killed by SIGBUS cannot say so
        return _build_privately(target, make, _explained(full, target), error)


def discard(target: Path) -> None:
    """Forget an entry that turned out to be unfit for use; :func:`build` makes it again."""
    with suppress(OSError):
        _remove(target)


def _lock_file(target: Path) -> Path:
    return target.with_name(f".{target.name}.lock")


def _is_whole(target: Path) -> bool:
    """Whether the entry is there, and as long as it was when it was made (its lock file remembers)."""
    if not target.exists():
        return False
    try:
        recorded = _lock_file(target).read_text()
    except OSError:
        return True
    return recorded in ("", f"{_bytes(target)}")


def _record_size(lock: int, target: Path) -> None:
    with suppress(OSError):  # a full disk: then its size is not known, and not compared
        os.write(lock, b"%d" % _bytes(target))


def _build_privately(
    target: Path, make: Callable[[Path], None], why: CacheError, cause: AnyHipError | None = None
) -> Path:
    private = private_dir() / f"{target.parent.parent.name}-{target.parent.name}-{target.name}"
    if private.exists():
        return private
    if _is_nearly_full(private.parent) and cause is not None:
        raise why from cause
    warn_once(why)
    make(private)
    return private


def _is_nearly_full(folder: Path) -> bool:
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free < _NEARLY_FULL


def _make_folder(folder: Path) -> None:
    """Make an entry's folder; a new cache gets its tag at the same time."""
    folder.mkdir(parents=True, exist_ok=True)
    tag = cache_dir() / _TAG
    if not tag.exists() and tag.parent.exists():
        tag.write_text(_TAG_TEXT)


@contextmanager
def _publish(target: Path) -> Iterator[Path]:
    """A temporary path beside ``target``: it replaces it when the block ends well, and vanishes otherwise."""
    try:
        _make_folder(target.parent)
        handle, name = tempfile.mkstemp(prefix=".", suffix="~" + target.name[-16:], dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise _explained(error, target) from error
    temporary = Path(name)
    temporary.unlink()
    try:
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        if not _is_ours(error, temporary):
            raise
        raise _explained(error, target) from error
    finally:
        _remove(temporary)


def _is_ours(error: OSError, temporary: Path) -> bool:
    """Whether an OSError is about the cache (and not, say, about a source that ``make`` reads)."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS):
        return True
    return error.filename is not None and Path(os.fsdecode(error.filename)).parent == temporary.parent


def _explained(error: OSError, target: Path) -> CacheError:
    return CacheError(
        f"cannot write {target}: {error.strerror or error}",
        f"free some space, run `anyhip cache --clear`, or set ANYHIP_CACHE_DIR to another folder "
        f"(now {cache_dir()})",
    )


@contextmanager
def _lock(target: Path) -> Iterator[int]:
    """Held by one process at a time for this entry; the system drops it when its owner dies."""
    import fcntl  # the filelock package does the same and takes 40 ms to import

    try:
        _make_folder(target.parent)
        handle = os.open(_lock_file(target), os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:
        raise _explained(error, target) from error
    try:
        yield handle
    finally:
        os.close(handle)


_private: list[Path] = []
_warned: list[str] = []


def private_dir() -> Path:
    """A temporary folder of this process, removed when it ends: the place of last resort."""
    if not _private:
        folder = Path(tempfile.mkdtemp(prefix="anyhip-"))
        _private.append(folder)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return _private[0]


def is_private(entry: Path) -> bool:
    """Whether a path that :func:`build` returned ends with this process."""
    return bool(_private) and entry.is_relative_to(_private[0])


def warn_once(error: CacheError) -> None:
    """Say once a process, on stderr, that nothing is being cached and why."""
    if not _warned:
        _warned.append(str(error))
        print(f"anyhip: warning: nothing is being cached: {error}", file=sys.stderr)


def clear() -> int:
    """Remove every entry; programs that run keep the files they have open. Returns the bytes freed.

    Raises:
        CacheError: the folder holds things but not our tag: ANYHIP_CACHE_DIR may point at something precious.
    """
    root = cache_dir()
    if not root.exists() or not any(root.iterdir()):
        return 0
    if not (root / _TAG).exists():
        raise CacheError(
            f"{root} is not a cache of AnyHIP's (it has no {_TAG}); nothing was removed",
            "correct ANYHIP_CACHE_DIR, or remove the folder yourself",
        )
    freed = size()
    for child in root.iterdir():
        if child.name != _TAG:
            _remove(child)
    return freed


def size() -> int:
    """Bytes of all entries."""
    return _bytes(cache_dir())


def _bytes(entry: Path) -> int:
    """Bytes of a file, or of all files of a folder but Python's own, which come with the first import."""
    if not entry.is_dir():
        return entry.stat().st_size if entry.exists() else 0
    total = 0
    for folder, inner, names in os.walk(entry):
        inner[:] = [name for name in inner if name != "__pycache__"]
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            except FileNotFoundError:  # another process replaced it meanwhile
                continue
    return total


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)
