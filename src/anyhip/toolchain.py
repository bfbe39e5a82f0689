"""Everything that knows the compiler: where clang and lld are, and how they are called on this machine.

In: the ``ziglang`` wheel (or the folder ``HIP_CLANG_PATH``) and what the machine has installed.
Out: argument lists that can be run without a shell, and a few ready-made jobs (shared libraries).

Host code is compiled against an installed g++'s libstdc++ where there is one: other C++ libraries on the
machine use it too, and nothing has to be built. Elsewhere the wheel brings glibc's headers and libc++, which
zig builds from source at the first link: minutes, once, with a line of progress.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from anyhip import cache, config
from anyhip.errors import ToolchainError, UsageError

__all__ = [
    "Toolchain", "check", "find", "host_triple", "link_shared", "prepare", "run", "said", "shared_library",
]  # fmt: skip

_MINIMUM_CLANG = 19  # the oldest whose HIP options are the ones that hipcc passes


@dataclass(frozen=True)
class Toolchain:
    """One compiler, and how it makes host code on this machine.

    ``clang`` is the plain driver (any ``--target=``); ``cc`` and ``cxx`` compile *and link* C and C++ for the
    host; ``cxx_flags`` make ``clang`` see the headers that ``cxx`` uses; ``lld`` is the ELF linker alone.
    """

    kind: str  # "zig" | "clang"
    clang: tuple[str, ...]
    cc: tuple[str, ...]
    cxx: tuple[str, ...]
    cxx_flags: tuple[str, ...]
    lld: tuple[str, ...]
    host_triple: str
    stdlib: str  # "libstdc++" | "libc++"
    root: Path  # folder of the compiler
    built_by_zig: bool  # the C++ library is built from source at the first link

    @property
    def identity(self) -> str:
        """Changes whenever the compiler does: a part of every cache key."""
        status = os.stat(self.clang[0])
        return f"{self.clang[0]}:{status.st_size}:{status.st_mtime_ns}:{self.stdlib}:{self.host_triple}"

    @property
    def archiver(self) -> tuple[str, ...]:
        """LLVM's ar."""
        return (self.clang[0], "ar") if self.kind == "zig" else (str(self.root / "llvm-ar"),)

    @cached_property
    def version(self) -> str:
        """clang's version, e.g. ``22.1.8``."""
        return _version(check([*self.clang, "--version"]).stdout)


def find(stdlib: str = "") -> Toolchain:
    """The compiler to use.

    Args:
        stdlib: ``libstdc++``, ``libc++`` or ``auto``; empty: as ``ANYHIP_CXX_STDLIB`` says.

    Raises:
        ToolchainError: no compiler, or one that is too old; or no such C++ library on this machine.
    """
    chosen = stdlib or config.get("ANYHIP_CXX_STDLIB")
    return _find(chosen, config.get_path("HIP_CLANG_PATH"), cache.cache_dir())


@lru_cache(maxsize=8)
def _find(stdlib: str, clang_path: Path | None, _cache: Path) -> Toolchain:
    if stdlib not in ("auto", "libstdc++", "libc++"):
        raise UsageError(f"unknown C++ library {stdlib}", "use libstdc++ or libc++")
    return _zig(stdlib) if clang_path is None else _foreign(stdlib, clang_path)


def host_triple() -> str:
    """The triple of this machine's programs, e.g. ``x86_64-linux-gnu``."""
    system = os.uname()
    if system.sysname != "Linux":
        raise ToolchainError(
            f"host code for {system.sysname} is not supported yet", "use Linux, or a container of it"
        )
    return f"{system.machine}-linux-{'gnu' if _glibc_version() else 'musl'}"


def _glibc_version() -> str:
    """``2.36`` on a machine with glibc, empty on others (musl has no such confstr)."""
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):
        return ""
    return text.removeprefix("glibc ").strip()


# ---- an installed g++ ------------------------------------------------------------------------------------


def _gcc_install_dir(machine: str) -> Path | None:
    """The newest installed GCC that has libstdc++ and its headers, on a machine that has libc's as well.

    clang takes the newest GCC even where only its C half is installed, so it is told which one to use.
    """
    if not Path("/usr/include/stdio.h").exists():
        return None
    found = [
        (_numbers(folder.name), folder)
        for folder in Path("/usr/lib/gcc").glob(f"{machine}-*/*")
        if (folder / "crtbegin.o").exists() and (folder / "libstdc++.so").exists() and _has_headers(folder)
    ]
    return max(found)[1] if found else None


def _has_headers(gcc: Path) -> bool:
    places = (Path("/usr/include/c++") / gcc.name, gcc / "include" / f"g++-v{gcc.name.split('.')[0]}")
    return any((place / "cstdio").exists() for place in places)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _require_gcc(stdlib: str, machine: str) -> Path | None:
    """The GCC whose libstdc++ is to be used; None when libc++ is."""
    gcc = None if stdlib == "libc++" else _gcc_install_dir(machine)
    if gcc is None and stdlib == "libstdc++":
        raise ToolchainError(
            "no g++ with its C++ headers is installed here (looked in /usr/lib/gcc and /usr/include/c++)",
            "install g++, or use -stdlib=libc++ (ANYHIP_CXX_STDLIB=libc++)",
        )
    return gcc


# ---- the ziglang wheel -----------------------------------------------------------------------------------


def _zig(stdlib: str) -> Toolchain:
    root = _zig_root()
    program = str(root / "zig")
    triple = host_triple()
    clang = (program, "clang", f"--target={triple}", f"-resource-dir={root / 'lib'}")
    gcc = _require_gcc(stdlib, triple.split("-")[0])
    cc: tuple[str, ...]
    cxx: tuple[str, ...]
    flags: tuple[str, ...]
    if gcc is not None:
        flags = (f"--gcc-install-dir={gcc}",)
        cc = (*clang, *flags, f"--ld-path={_lld_program(program)}")
        cxx = (*cc, "--driver-mode=g++")
    else:
        zig_target = triple + (f".{_glibc_version()}" if _glibc_version() else "")
        # zig turns UBSan on unless told not to; user code is compiled as clang would.
        options = ("-target", zig_target, "-fno-sanitize=undefined")
        cc, cxx = (program, "cc", *options), (program, "c++", *options)
        flags = _zig_cxx_flags(cxx)
    return Toolchain(
        kind="zig", clang=clang, cc=cc, cxx=cxx, cxx_flags=flags, lld=(program, "ld.lld"), host_triple=triple,
        stdlib="libc++" if gcc is None else "libstdc++", root=root, built_by_zig=gcc is None,
    )  # fmt: skip


def _zig_root() -> Path:
    from importlib.util import find_spec

    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise ToolchainError(
            "the compiler is missing: the Python package ziglang is not installed in " + sys.prefix,
            "run `python -m pip install ziglang~=0.17.1`, or set HIP_CLANG_PATH to the folder of a clang",
        )
    return Path(spec.origin).parent


def _lld_program(zig: str) -> Path:
    """A program that is lld, for clang to start: zig's own is a subcommand, and clang wants a path.

    Kept in the cache as a two-line script, named by what it starts.
    """
    script = f"#!/bin/sh\nexec '{zig}' ld.lld \"$@\"\n".encode()

    def make(path: Path) -> None:
        path.write_bytes(script)
        path.chmod(0o755)

    return cache.build(cache.path("toolchain", cache.digest(script), "-ld.lld"), make)


def _zig_cxx_flags(cxx: tuple[str, ...]) -> tuple[str, ...]:
    """The include folders and macros that ``zig c++`` gives to clang, for a clang started without zig c++.

    They are asked of zig itself (``-###`` prints the command that it would run), so they stay right when
    the wheel changes its folders; the answer is kept in the cache.
    """
    status = Path(cxx[0]).stat()
    key = cache.digest("absolute", "\0".join(cxx), f"{status.st_size} {status.st_mtime_ns}")
    kept = cache.build(cache.path("toolchain", key, ".flags"), lambda path: _ask_zig(cxx, path))
    return tuple(kept.read_text().split("\n"))


def _ask_zig(cxx: tuple[str, ...], output: Path) -> None:
    import itertools
    import shlex

    here = Path(cxx[0]).parent
    printed = check([*cxx, "-###", "-c", "-x", "c++", os.devnull], cwd=here).stderr
    line = next((text for text in printed.splitlines() if '"-cc1"' in text), "")
    flags = ["-nostdinc", "-nostdinc++"]
    for option, value in itertools.pairwise(shlex.split(line)):
        if option == "-isystem":
            flags += [option, str(here / value)]  # zig names folders below the current one relative to it
        elif option == "-D":
            flags += [option, value]
    if len(flags) == 2:
        raise ToolchainError(
            f"`zig c++ -###` printed no include folders:\n{printed}", "install ziglang~=0.17.1"
        )
    output.write_text("\n".join(flags))


# ---- another clang ---------------------------------------------------------------------------------------


def _foreign(stdlib: str, folder: Path) -> Toolchain:
    program = folder / "clang"
    if not os.access(program, os.X_OK):
        raise ToolchainError(
            f"HIP_CLANG_PATH={folder} has no program clang",
            "point it at the folder that has clang, or unset it to use the ziglang wheel",
        )
    version = _version(check([program, "--version"]).stdout)
    if _numbers(version)[0] < _MINIMUM_CLANG:
        raise ToolchainError(
            f"{program} is clang {version}; {_MINIMUM_CLANG} is the oldest that works",
            "unset HIP_CLANG_PATH to use the ziglang wheel",
        )
    # Distributions package lld apart from clang; the wheel's does as well.
    lld = folder / "ld.lld"
    if not os.access(lld, os.X_OK):
        lld = _lld_program(str(_zig_root() / "zig"))
    triple = host_triple()
    gcc = _require_gcc(stdlib, triple.split("-")[0])
    flags = ("-stdlib=libc++",) if gcc is None else (f"--gcc-install-dir={gcc}",)
    clang = (str(program), f"--target={triple}")
    cc = (*clang, *(() if gcc is None else flags), f"--ld-path={lld}")
    return Toolchain(
        kind="clang", clang=clang, cc=cc, cxx=(*cc, "--driver-mode=g++", *(flags if gcc is None else ())),
        cxx_flags=flags, lld=(str(lld),), host_triple=triple,
        stdlib="libc++" if gcc is None else "libstdc++", root=folder, built_by_zig=False,
    )  # fmt: skip


def _version(printed: str) -> str:
    words = printed.split()
    if "version" not in words[:-1]:
        raise ToolchainError(f"this is no clang: its --version prints {printed[:80]!r}")
    return words[words.index("version") + 1].split("-")[0]


# ---- running ---------------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    """The environment for the compiler: zig keeps what it builds inside our cache."""
    return os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(_zig_cache()), "ZIG_LOCAL_CACHE_DIR": str(_zig_cache())}


def _zig_cache() -> Path:
    """Where zig keeps what it builds; a private folder when the cache cannot be written."""
    folder = cache.cache_dir() / "zig"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return cache.private_dir() / "zig"
    return folder if os.access(folder, os.W_OK) else cache.private_dir() / "zig"


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command without a shell and capture its text. A failure is in ``returncode``, not raised.

    Raises:
        ToolchainError: the program cannot be started at all.
    """
    command = [str(word) for word in argv]
    settings = environment() if env is None else dict(env)
    try:
        return subprocess.run(
            command, cwd=cwd, env=settings, input=input, stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
    except OSError as error:
        raise ToolchainError(
            f"cannot start {command[0]}: {error.strerror}", "reinstall ziglang~=0.17.1"
        ) from error


def check(
    argv: Sequence[str | Path], *, cwd: Path | None = None, input: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Like :func:`run`, for commands that have no reason to fail.

    Raises:
        ToolchainError: with the command and all that it said.
    """
    result = run(argv, cwd=cwd, input=input)
    if result.returncode != 0:
        raise ToolchainError(
            f"this command failed ({result.returncode}): {' '.join(result.args)}\n{said(result)}"
        )
    return result


def said(result: subprocess.CompletedProcess[str]) -> str:
    """What a command that failed said, or what ended it when it could say nothing."""
    text = (result.stderr or result.stdout).strip()
    if text or result.returncode >= 0:
        return text
    return f"it was ended by {signal.Signals(-result.returncode).name}: is there memory and disk space left?"


# ---- ready-made jobs -------------------------------------------------------------------------------------


def shared_library(
    output: Path,
    sources: Sequence[Path],
    *,
    include_dirs: Iterable[Path] = (),
    defines: Iterable[str] = (),
    flags: Iterable[str] = (),
    libs: Iterable[str | Path] = (),
) -> Path:
    """Compile C or C++ sources into one shared library of the host (``-O3 -fPIC``).

    Args:
        libs: paths of libraries, or ``-lNAME``/``-LFOLDER``.

    Raises:
        ToolchainError: with the compiler's own text.
    """
    toolchain = find()
    is_cxx = any(source.suffix in (".cpp", ".cc", ".cxx") for source in sources)
    if is_cxx:
        prepare(toolchain)
    # Compiled and linked apart: zig's own linking driver would build its libraries once more for -O3.
    compiler = [*toolchain.clang, *toolchain.cxx_flags, "-O3", "-fPIC", "-c", *flags]
    compiler += [f"-I{folder}" for folder in include_dirs]
    compiler += [f"-D{macro}" for macro in defines]
    linker = [*(toolchain.cxx if is_cxx else toolchain.cc), "-shared", *flags]
    linker += [] if toolchain.built_by_zig else ["-Qunused-arguments"]
    with tempfile.TemporaryDirectory(prefix="anyhip-") as folder:
        objects = [Path(folder) / f"{number}.o" for number in range(len(sources))]
        for source, made in zip(sources, objects, strict=True):
            check([*compiler, source, "-o", made])
        check([*linker, *objects, "-o", output, *libs])
    return output


def link_shared(output: Path, objects: Sequence[Path], flags: Iterable[str] = ()) -> Path:
    """Link objects of one kind (AMD code, or host code that needs no library) with lld alone."""
    check([*find().lld, "-shared", *flags, *objects, "-o", output])
    return output


def prepare(toolchain: Toolchain) -> None:
    """Have zig build its C++ library ahead of the first link, saying so on stderr: it takes minutes, once."""
    if not toolchain.built_by_zig:
        return
    stamp = _zig_cache() / f"libc++-{cache.digest(toolchain.identity, *toolchain.cxx)[:16]}"
    if stamp.exists():
        return
    from anyhip.progress import Progress

    # Linked to a real file: zig skips the link when the output is /dev/null. Without -O, as hipcc links:
    # zig keeps a build of its libraries for each optimisation mode.
    program = "#include <iostream>\nint main() {}\n"
    with (
        Progress("building the C++ library from source (once; minutes)"),
        tempfile.TemporaryDirectory(prefix="anyhip-") as folder,
    ):
        check([*toolchain.cxx, "-x", "c++", "-", "-o", f"{folder}/program"], input=program)
    stamp.touch()
