"""The command ``hipconfig``: where HIP is and what it is, one fact an option, spelled as ROCm spells them.

CMake and other build systems ask ``--platform``, ``--hipclangpath``, ``--rocmpath`` and ``--version``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from anyhip import config, toolchain
from anyhip.errors import UsageError, outcome
from anyhip.hipcc.driver import HIP_VERSION

__all__ = ["main"]

_HELP = """\
usage: hipconfig [OPTION]

  --path, -p              HIP's root
  --rocmpath, -R          ROCm's root
  --cpp_config, -C        what a compiler needs to find the headers
  --compiler, -c          clang
  --platform, -P          amd
  --runtime, -r           rocclr
  --hipclangpath, -l      folder of clang
  --full, -f              all of it (the default)
  --version, -v           HIP's version
  --check                 is everything there?
  --newline, -n           end the line after a single fact
  --help, -h              this text
"""


def _root() -> Path:
    """ROCm's root as the user set it, else the SDK folder that AnyHIP builds."""
    from anyhip.sdk import root

    return config.get_path("ROCM_PATH") or root.ensure()


def _hip_path() -> Path:
    return config.get_path("HIP_PATH") or _root()


def _clang_folder() -> Path:
    """The folder of the compiler: the user's, else the SDK's programs named clang, else the wheel."""
    chosen, shaped = config.get_path("HIP_CLANG_PATH"), _root() / "llvm" / "bin"
    return chosen or (shaped if shaped.exists() else toolchain.find().root)


def _cpp_config() -> str:
    return f" -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I{_hip_path() / 'include'}"


_FACTS: dict[str, Callable[[], str]] = {
    "path": lambda: str(_hip_path()),
    "rocmpath": lambda: str(_root()),
    "cpp_config": _cpp_config,
    "compiler": lambda: "clang",
    "platform": lambda: "amd",
    "runtime": lambda: "rocclr",
    "hipclangpath": lambda: str(_clang_folder()),
    "version": lambda: f"{HIP_VERSION}-anyhip",
}
_SHORT = {
    "p": "path",
    "R": "rocmpath",
    "C": "cpp_config",
    "c": "compiler",
    "P": "platform",
    "r": "runtime",
    "l": "hipclangpath",
    "v": "version",
    "f": "full",
    "n": "newline",
    "h": "help",
}
_PAGES = ("full", "check", "help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run hipconfig with the words after the program's name.

    Returns:
        0; 1 when ``--check`` found something missing; 2 for an option that does not exist.
    """
    return outcome("hipconfig", lambda: _main(sys.argv[1:] if argv is None else argv))


def _main(argv: Sequence[str]) -> int:
    wanted = [_name(word) for word in argv]
    newline = "\n" if "newline" in wanted else ""
    pages = [name for name in wanted if name in _PAGES]
    facts = [name for name in wanted if name in _FACTS]
    if "help" in pages:
        print(_HELP, end="")
    elif "check" in pages:
        return _check()
    elif facts:
        print("".join(_FACTS[name]() + newline for name in facts), end="")
    else:
        _full()
    return 0


def _name(word: str) -> str:
    """The long name of an option, which ROCm's hipconfig takes with one dash or two."""
    name = word.lstrip("-")
    name = _SHORT.get(name, name)
    if not word.startswith("-") or name not in (*_FACTS, *_PAGES, "newline"):
        raise UsageError(f"unknown option {word}", "hipconfig --help lists them")
    return name


def _full() -> None:
    chosen = toolchain.find()
    print(f"HIP version: {_FACTS['version']()}\n\n==hipconfig")
    for label, name in (
        ("HIP_PATH", "path"),
        ("ROCM_PATH", "rocmpath"),
        ("HIP_COMPILER", "compiler"),
        ("HIP_PLATFORM", "platform"),
        ("HIP_RUNTIME", "runtime"),
        ("CPP_CONFIG", "cpp_config"),
    ):
        print(f"{label:<13}: {_FACTS[name]()}")
    print(f"\n==hip-clang\nHIP_CLANG_PATH: {_clang_folder()}")
    print(toolchain.check([*chosen.clang, "--version"]).stdout, end="")
    print(f"hip-clang-cxxflags: -O3\nhip-clang-ldflags: -L{_hip_path() / 'lib'} -lamdhip64")
    print(f"host C++ library: {chosen.stdlib}")


def _check() -> int:
    """Whether a build would find what hipconfig names."""
    missing = 0
    for label, path in (
        ("HIP root", _hip_path()),
        ("headers", _hip_path() / "include" / "hip" / "hip_runtime.h"),
        ("runtime library", _hip_path() / "lib" / "libamdhip64.so"),
        ("compiler", _clang_folder()),
    ):
        found = path.exists()
        missing += not found
        print(f"{'ok     ' if found else 'MISSING'} {label}: {path}")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
