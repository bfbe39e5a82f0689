"""A hipcc command whose sources may be CUDA in; the same command over ported copies out.

Without a folder to keep them in, the copies are for the compiler's eyes only. They keep the lines of the
originals and name them (``#line``), so that clang's messages speak of the user's files; and they live in the
cache under a name made of their contents, so that an unchanged program is not compiled again.
"""

from __future__ import annotations

import codecs
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from anyhip import cache
from anyhip.errors import UsageError
from anyhip.hipcc.options import Command, Input

if TYPE_CHECKING:
    from anyhip.hipify.program import PortedProgram
    from anyhip.tools.explain import Explainer

__all__ = ["is_cuda", "ported"]

_CUDA_INCLUDE = re.compile(
    rb"^[ \t]*#[ \t]*include[ \t]*[<\"]"
    rb"(cuda|cu(blas|fft|rand|sparse|solver|dnn|b/)|device_launch_param|nvrtc|nccl)",
    re.MULTILINE,
)
# What nvcc links that HIP has in its runtime library or does not need.
_CUDA_RUNTIME_LIBRARIES = ("-lcudart", "-lcudart_static", "-lcuda", "-lcudadevrt")


def is_cuda(path: Path) -> bool:
    """Whether a source is CUDA: by its suffix, or by a CUDA header that it includes."""
    return path.suffix == ".cu" or _CUDA_INCLUDE.search(path.read_bytes()) is not None


def ported(command: Command, keep: Path | None, explainer: Explainer) -> tuple[Command, dict[Path, Path]]:
    """Port what has to be ported.

    Args:
        keep: where the ported program goes, complete and fit to be edited; None: into the cache.

    Returns:
        The command to compile with, and where each file that was read was put: ``command`` itself and
        nothing if nothing is CUDA.

    Raises:
        AnyHipError: a source cannot be read, or ``keep`` cannot be written.
    """
    sources = [one for one in command.sources if one.language in ("hip", "c")]
    for one in sources:
        _check_encoding(Path(one.path))
    if not any(is_cuda(Path(one.path)) for one in sources):
        return command, {}
    from anyhip.hipify.port import PortOptions
    from anyhip.hipify.program import port_program

    folder = keep or Path(tempfile.mkdtemp(dir=cache.private_dir()))
    started = time.monotonic()
    program = port_program(
        [Path(one.path) for one in sources],
        list(_include_folders(command.compile_args)),
        folder,
        None if keep else PortOptions(runtime_include="never"),
    )
    explainer.ported(program, sources, time.monotonic() - started)
    if keep is None:
        _name_originals(program)
        program = _into_cache(program, folder)
    return _with_sources(command, sources, program, keep), program.places


def _check_encoding(path: Path) -> None:
    """Stop at UTF-16, of which clang would complain at every other character."""
    with path.open("rb") as file:
        if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            raise UsageError(f"{path} is UTF-16 text", f"save it as UTF-8: iconv -f UTF-16 -t UTF-8 {path}")


def _name_originals(program: PortedProgram) -> None:
    """Begin each ported file with the name of its original, where lines have kept their numbers."""
    for original, result in program.files.items():
        if result.text.count(b"\n") != original.read_bytes().count(b"\n"):
            continue
        if any(0xDC80 <= ord(letter) <= 0xDCFF for letter in str(original)):
            continue  # clang takes no name in #line that is not UTF-8
        shown = os.path.relpath(original)
        shown = str(original) if shown.startswith("..") else shown
        quoted = shown.replace("\\", "\\\\").replace('"', '\\"')
        copy = program.places[original]
        text = result.text.removeprefix(codecs.BOM_UTF8)  # it counts as such in the first line only
        copy.write_bytes(f'#line 1 "{quoted}"\n'.encode() + text)


def _into_cache(program: PortedProgram, folder: Path) -> PortedProgram:
    """The program moved to a place that its contents decide."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    key = cache.digest(*(part for path in files for part in (str(path.relative_to(folder)), path)))

    def make(place: Path) -> None:
        shutil.copytree(folder, place)

    root = cache.build(cache.path("ported", key), make)

    def moved(path: Path) -> Path:
        return root / path.relative_to(folder) if path.is_relative_to(folder) else path

    return replace(
        program,
        sources=[moved(path) for path in program.sources],
        include_dirs=[moved(path) for path in program.include_dirs],
        places={original: moved(path) for original, path in program.places.items()},
    )


def _with_sources(
    command: Command, sources: Sequence[Input], program: PortedProgram, keep: Path | None
) -> Command:
    """The command over the ported files; what they include by quotes and was not ported is still found."""
    new = {old: Input(str(path), old.language) for old, path in zip(sources, program.sources, strict=True)}
    # CUDA's functions may be called without a look at what they return; HIP's are declared [[nodiscard]].
    args = ["-Wno-unused-value", *([] if keep else ["-include", "hip/hip_runtime.h"])]
    args += [f"-I{folder}" for folder in program.include_dirs]
    args += list(_without_include_folders(command.compile_args))
    for folder in dict.fromkeys(str(_absolute(Path(one.path)).parent) for one in sources):
        args += ["-iquote", folder]
    return replace(
        command,
        inputs=[new.get(one, one) for one in command.inputs],
        link_items=[
            new.get(item, item) if isinstance(item, Input) else item
            for item in command.link_items
            if item not in _CUDA_RUNTIME_LIBRARIES
        ],
        compile_args=args,
        host_args=[*command.host_args, args[0]],  # behind a -Wall of the user's
    )


def _include_folders(words: Sequence[str]) -> Iterator[Path]:
    """The folders of -I, in either spelling."""
    for option, value in _pairs(words):
        if option == "-I":
            yield Path(value)


def _without_include_folders(words: Sequence[str]) -> Iterator[str]:
    return (option for option, _ in _pairs(words) if option != "-I")


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words one by one; an include folder, spelled in one word or two, as ("-I", folder)."""
    following = iter(words)
    for word in following:
        if word == "-I":
            yield "-I", next(following, ".")
        elif word.startswith("-I"):
            yield "-I", word[2:]
        else:
            yield word, ""


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))
