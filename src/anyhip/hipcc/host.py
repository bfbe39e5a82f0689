"""One source in, the steps of its host pass out; and the link of everything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from anyhip.errors import UsageError
from anyhip.hipcc import precompiled
from anyhip.hipcc.device import common_args, hip_args
from anyhip.hipcc.options import Command, Input
from anyhip.hipcc.steps import Step
from anyhip.toolchain import Toolchain

__all__ = ["LINK_DEPENDENCIES", "archive_step", "compile_argv", "dependency_args", "link_step"]

LINK_DEPENDENCIES = "link.d"
"""Name of the file, in a build's private folder, that lists what the linker read."""

_FLAGS = {
    "object": ["-c"],
    "precompiled": ["-c"],
    "assembly": ["-S"],
    "preprocess": ["-E"],
    "dependencies": [],
    "syntax": ["-fsyntax-only"],
}


def compile_argv(
    command: Command, toolchain: Toolchain, source: Input, mode: str, extra: Sequence[str]
) -> list[str]:
    """The command of a host compile, without its output.

    HIP sources are compiled for the host side only; others (C, C++, assembly, LLVM IR) as clang does, with
    our headers in reach.
    """
    hip = source.language in ("hip", "hip-header")
    argv = [*toolchain.clang, "-x", "hip" if hip else source.language]
    if hip:
        argv += [
            "--cuda-host-only",
            f"--offload-arch={_arch(command)}",
            *common_args(command, toolchain, source),
        ]
    else:
        argv.append(command.level(source.language))
    if not hip and source.language != "ir":
        given = command.compile_args
        argv += hip_args(command, given) if command.program == "hipcc" else given
        argv += toolchain.cxx_flags
    argv += precompiled.include_args(command.precompiled, None)
    argv += [*command.host_args, *extra, *_FLAGS[mode]]
    if mode == "precompiled":
        argv += precompiled.emit_args(argv)
    if command.emit_llvm:
        argv.append("-emit-llvm")
    if command.verbose:
        argv.append("-v")  # names the folders that are searched, which build systems read
    return [*argv, source.path]


def _arch(command: Command) -> str:
    """The AMD target that the host pass is told of; the first default one where all are NVIDIA's."""
    named = [target.id for target in command.targets if target.isa == "amdgcn"]
    return named[0] if named else "gfx942"


def dependency_args(command: Command, output: str) -> tuple[list[str], str]:
    """The user's dependency options as clang completes them for ``output``, and the file they name.

    The compiler writes to a temporary object, so the names that it would derive are given in full.
    """
    args = list(command.deps_args)
    if "-MD" not in args and "-MMD" not in args:
        return args, ""
    if not any(word.startswith("-MF") for word in args):
        args += ["-MF", str(Path(output).with_suffix(".d"))]
    if not any(word.startswith(("-MT", "-MQ")) for word in args):
        args += ["-MQ", output]
    index = next(i for i, word in enumerate(args) if word.startswith("-MF"))
    return args, args[index][3:] or args[index + 1]


# gcc's run-time libraries of sanitizers, whose interface clang shares (asan_interface's version 8)
_SANITIZER_LIBRARIES = {"address": "asan", "undefined": "ubsan", "thread": "tsan", "leak": "lsan"}


def _sanitizer_args(command: Command, toolchain: Toolchain) -> list[str]:
    """What the link needs for ``-fsanitize=``: the wheel's clang comes without these libraries, gcc has them.

    Raises:
        UsageError: there is no library for one of them.
    """
    if toolchain.kind == "clang":
        return [f"-fsanitize={name}" for name in command.sanitizers]
    args = []
    for name in dict.fromkeys(command.sanitizers):
        library = f"lib{_SANITIZER_LIBRARIES.get(name, name)}.so"
        gcc = next((flag.partition("=")[2] for flag in toolchain.cxx_flags if "gcc-install-dir" in flag), "")
        if not gcc or not (Path(gcc) / library).exists():
            raise UsageError(
                f"-fsanitize={name}: there is no {library} for host code here",
                "install gcc's sanitizer libraries, or set HIP_CLANG_PATH to another clang",
            )
        args.append(str(Path(gcc) / library))
    return args


def archive_step(command: Command, toolchain: Toolchain, objects: dict[Input, Path]) -> Step:
    """The making of a static library (``--emit-static-lib``) of what was compiled and the objects named."""
    files = [objects.get(item, Path(item.path)) for item in command.link_items if isinstance(item, Input)]
    output = Path(command.output or "a.out")
    argv = (*toolchain.archiver, "rcs", str(output), *map(str, files))
    return Step("link", argv, (output,), tuple(files))


def link_step(
    command: Command,
    toolchain: Toolchain,
    objects: dict[Input, Path],
    runtime_dir: Path | None,
    output: Path,
    folder: Path,
    extra: Path | None = None,
) -> Step:
    """The link: files and libraries in the order of the command line, then the runtime.

    Args:
        objects: what was compiled from each source.
        runtime_dir: folder of libamdhip64.so.7, also where the program looks for it; None: not linked.
        folder: where lld lists the files that it read (zig's linking driver cannot).
        extra: one more object, with linked device code.
    """
    files = [objects.get(item, Path(item.path)) for item in command.link_items if isinstance(item, Input)]
    words = [
        item if isinstance(item, str) else str(objects.get(item, Path(item.path)))
        for item in command.link_items
    ]
    driver = toolchain.cc if command.program == "clang" else toolchain.cxx
    argv = [*driver, *(["-v"] if command.verbose else [])]
    argv += [*([] if toolchain.built_by_zig else ["-Qunused-arguments"])]
    argv += [*_sanitizer_args(command, toolchain), *words]  # first, since asan has to be loaded first
    if extra is not None:
        files.append(extra)
        argv.append(str(extra))
    if runtime_dir is not None and not {"-r", "-nostdlib", "-nodefaultlibs"} & set(words):
        # Spelled so that CMake, which reads the linker's command, does not take the folder for one that every
        # program is searched in: it would leave it out of the run paths that it writes.
        folder_option = "-L" if toolchain.built_by_zig else "-Wl,--library-path="
        argv += [f"{folder_option}{runtime_dir}", str(runtime_dir / "libamdhip64.so.7")]
        argv.append(f"-Wl,-rpath,{runtime_dir}")
    if not toolchain.built_by_zig:
        argv.append(f"-Wl,--dependency-file={folder / LINK_DEPENDENCIES}")
    return Step("link", (*argv, "-o", str(output)), (output,), tuple(files))
