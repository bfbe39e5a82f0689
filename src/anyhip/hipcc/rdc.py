"""Relocatable device code (``-fgpu-rdc``): host objects that carry LLVM bitcode in, linked device code out.

A host object carries its device code as a bundle in a section that linkers leave out of programs. At the link
of the program all of it is linked for each target, with LLVM's optimiser looking at the whole. Of a static
library only those members take part that the program needs: their host half by the rules of the host's
linker, their device half by those of lld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anyhip.codeobj import bundle
from anyhip.codeobj.elf import SHN_UNDEF, Elf
from anyhip.errors import CodeObjectError, UsageError
from anyhip.hipcc import archives
from anyhip.target import Target

__all__ = [
    "SECTION",
    "Part",
    "gather",
    "is_carrier",
    "link_argv",
    "main",
    "parts_of",
    "selected",
    "targets_of",
    "wanted_symbols",
]

SECTION = ".hip_rdc"
_SYMBOL = re.compile(r"__hip_(?:fatbin|gpubin_handle)_[0-9a-f]+")
_GLOBAL, _WEAK = 1, 2  # st_bind of the System V ABI
_LEVELS = {"-O0": 0, "-O": 1, "-O1": 1, "-Og": 1, "-O2": 2, "-Os": 2, "-Oz": 2}


@dataclass(frozen=True)
class Part:
    """One host object among the link's inputs.

    Attributes:
        where: its name for people, e.g. ``libx.a(y.o)``.
        code: device code by target; empty for objects that carry none.
        defines, needs: symbols of its host half.
        lazy: it is a member of a static library, linked only when needed.
    """

    where: str
    code: dict[Target, bytes]
    defines: frozenset[str]
    needs: frozenset[str]
    lazy: bool = False


def is_carrier(path: Path) -> bool:
    """Whether a file is an object, or a library of objects, that carries relocatable device code."""
    try:
        return path.stat().st_size > 0 and f"\0{SECTION}\0".encode() in path.read_bytes()
    except OSError:
        return False


def parts_of(paths: Iterable[Path]) -> list[Part]:
    """The objects in files that the linker reads; shared libraries, scripts and bitcode are none.

    Raises:
        UsageError: a damaged archive.
    """
    found: list[Part] = []
    for path in paths:
        inside = archives.members(path) if archives.is_archive(path) else None
        objects = [("", path.read_bytes())] if inside is None else inside
        for name, content in objects:
            part = _part(f"{path.name}({name})" if name else path.name, content, lazy=inside is not None)
            found += [part] if part is not None else []
    return found


def _part(where: str, content: bytes, lazy: bool) -> Part | None:
    try:
        file = Elf(content, where)
    except CodeObjectError:
        return None
    if file.header.type != 1:  # ET_REL
        return None
    symbols = [symbol for table in file.symbol_tables() for symbol in file.symbols(table)]
    shared = [symbol for symbol in symbols if symbol.binding in (_GLOBAL, _WEAK)]
    code: dict[Target, bytes] = {}
    for section in file.sections:
        if section.name == SECTION:
            for entry in bundle.unbundle(file.section_bytes(section)):
                if entry.target is not None:
                    code[entry.target] = entry.data
    return Part(
        where,
        code,
        frozenset(symbol.name for symbol in shared if symbol.section != SHN_UNDEF),
        frozenset(symbol.name for symbol in shared if symbol.section == SHN_UNDEF),
        lazy,
    )


def targets_of(parts: Iterable[Part]) -> list[Target]:
    """Every target that some part has code for, in order."""
    return list(dict.fromkeys(target for part in parts for target in part.code))


def selected(parts: Sequence[Part]) -> list[Part]:
    """The parts that the host's linker will use: all objects, and the archives' members that they need."""
    chosen = {index for index, part in enumerate(parts) if not part.lazy}
    defined = {name for index in chosen for name in parts[index].defines}
    needed = {name for index in chosen for name in parts[index].needs} - defined
    while True:
        more = {i for i, part in enumerate(parts) if i not in chosen and part.defines & needed}
        if not more:
            return [part for index, part in enumerate(parts) if index in chosen]
        chosen |= more
        for index in more:
            defined |= parts[index].defines
            needed |= parts[index].needs
        needed -= defined


def wanted_symbols(parts: Sequence[Part]) -> list[str]:
    """What clang leaves for this link to define: the fat binary and a place for its handle, by many names."""
    defined = {name for part in parts for name in part.defines}
    wanted = {name for part in parts if part.code for name in part.needs if _SYMBOL.fullmatch(name)}
    return sorted(wanted - defined)


def gather(
    paths: Sequence[Path], targets: Sequence[Target], folder: Path, lists: dict[Target, Path]
) -> list[str]:
    """Write the bitcode of a link's inputs into a folder, and for each target the list of its files.

    Args:
        lists: where each target's list goes, as a response file of lld or clang.

    Returns:
        The symbols that the fat binary is wanted by.

    Raises:
        UsageError: an object has no code for one of the targets.
    """
    parts = parts_of(paths)
    used = selected(parts)
    for target in targets:
        needed, spare = list[Path](), list[Path]()
        for number, part in enumerate(parts):
            if not part.code:
                continue
            if part in used and target not in part.code:
                held = ", ".join(one.id for one in part.code)
                raise UsageError(
                    f"{part.where} has no device code for {target}; it holds code for {held}",
                    f"compile it with --offload-arch={target}, or link with --offload-arch={held}",
                )
            if target in part.code:
                file = folder / f"{number}-{_file_name(part.where)}-{_file_name(target.id)}.bc"
                file.write_bytes(part.code[target])
                (needed if part in used else spare).append(file)
        lists[target].write_text("".join(_words(target, needed, spare)))
    return wanted_symbols(used)


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.]+", "_", text).strip("_")


def _words(target: Target, needed: Sequence[Path], spare: Sequence[Path]) -> list[str]:
    """The inputs of one target's link, a word a line.

    lld takes what is spare by need; clang links into the first module what it is given, by need too.
    """
    if target.isa == "amdgcn":
        lazy = ["--start-lib", *map(str, spare), "--end-lib"] if spare else []
        return [f'"{word}"\n' for word in [*map(str, needed), *lazy]]
    first, *rest = map(str, [*needed, *spare])
    words = [first]
    for path in rest:
        words += ["-Xclang", "-mlink-bitcode-file", "-Xclang", path]
    return [f'"{word}"\n' for word in words]


def link_argv(target: Target, level: str, clang: Sequence[str], lld: Sequence[str]) -> list[str]:
    """The command that links one target's code, without its inputs and output.

    Args:
        level: an optimisation option.
    """
    number = _LEVELS.get(level, 3)
    if target.isa == "nvptx":
        return [*clang, f"--target={target.triple}", f"-march={target.arch}", f"-O{number}", "-S", "-x", "ir"]
    features = ",".join(f"{'+' if on else '-'}{name}" for name, on in target.features)
    return [
        *lld, "-shared", "--no-undefined", f"--lto-O{number}", f"--lto-CGO{number}",
        f"-plugin-opt=mcpu={target.arch}", *([f"-plugin-opt=-mattr={features}"] if features else []),
        "-plugin-opt=-amdgpu-internalize-symbols",
    ]  # fmt: skip


def main(argv: Sequence[str]) -> int:
    """The gathering by hand, as ``-###`` prints it: ``FOLDER TARGET... --from FILE --from FILE...``."""
    folder, rest = Path(argv[0]), list(argv[1:])
    paths = [Path(rest[i + 1]) for i, word in enumerate(rest) if word == "--from"]
    targets = [Target.parse(word) for word in rest[: rest.index("--from")]]
    folder.mkdir(parents=True, exist_ok=True)
    lists = {target: folder / f"{target.id.replace(':', '-')}.list" for target in targets}
    (folder / "symbols").write_text("\n".join(gather(paths, targets, folder, lists)))
    return 0


if __name__ == "__main__":
    import sys

    raise SystemExit(main(sys.argv[1:]))
