"""Linking relocatable device code: a link's inputs in, steps to one object with the fat binary out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anyhip.errors import UsageError
from anyhip.hipcc import archives, fatbin, rdc
from anyhip.hipcc.options import Command, Input
from anyhip.hipcc.steps import Step, main_of
from anyhip.target import Target
from anyhip.toolchain import Toolchain

__all__ = ["DeviceLink", "plan"]

_STATIC = {"-static": True, "-Wl,-Bstatic": True, "-Wl,-Bdynamic": False}


@dataclass(frozen=True)
class DeviceLink:
    """Steps that end in an object for the host's link."""

    steps: list[Step]
    output: Path


def plan(
    command: Command, toolchain: Toolchain, objects: dict[Input, Path], folder: Path
) -> DeviceLink | None:
    """Plan it; None when nothing is left to link.

    Args:
        objects: what is compiled from each source.
        folder: where intermediate files go; it need not exist yet.

    Raises:
        UsageError: a device link was asked for, and there is nothing to link.
    """
    paths = _files(command, objects)
    compiled = [objects[one] for one in command.sources if one.language == "hip"] if command.rdc else []
    carriers = [path for path in paths if path not in compiled and rdc.is_carrier(path)]
    if not compiled and not carriers:
        if command.mode == "device_link":
            raise UsageError(
                "no input holds relocatable device code", "compile with -fgpu-rdc (-dc, -rdc=true)"
            )
        return None
    if not compiled and command.mode != "device_link":
        made_before = [path for path in paths if path not in objects.values()]
        if not rdc.wanted_symbols(rdc.parts_of(made_before)):
            return None  # linked before (-dlink), or without kernels
    targets = list(command.targets if command.archs or compiled else ())
    if not command.archs:
        targets = list(dict.fromkeys([*targets, *rdc.targets_of(rdc.parts_of(carriers))]))
    return _steps(command, toolchain, paths, targets, folder)


def _files(command: Command, objects: dict[Input, Path]) -> list[Path]:
    """The objects and static libraries that the link reads, libraries by name included."""
    words = command.link_items
    folders = [
        words[i + 1] if word == "-L" else word[2:]
        for i, word in enumerate(words)
        if isinstance(word, str) and word.startswith("-L")
    ]
    static, found = False, []
    for i, word in enumerate(words):
        path: Path | None = None
        if isinstance(word, Input):
            path = objects.get(word, Path(word.path))
        elif word in _STATIC:
            static = _STATIC[word]
        elif word.startswith("-l"):
            name = word[2:] or str(words[i + 1])
            path = archives.find_library(name, [str(folder) for folder in folders], static)
        if path is not None:
            found.append(path)
    return found


def _steps(
    command: Command, toolchain: Toolchain, paths: Sequence[Path], targets: Sequence[Target], folder: Path
) -> DeviceLink:
    place = folder / "device"
    lists = {target: place / f"{target.id.replace(':', '-')}.list" for target in targets}
    names, bundle = place / "symbols", place / "linked.hipfb"
    made_here = tuple(path for path in paths if folder in path.parents)

    def gather() -> None:
        place.mkdir(exist_ok=True)
        names.write_text("\n".join(rdc.gather(paths, targets, place, lists)))

    shown = tuple(word for path in paths for word in ("--from", str(path)))
    words = main_of("anyhip.hipcc.rdc", place, *(target.id for target in targets), *shown)
    steps = [Step("link", words, (names, *lists.values()), made_here, action=gather)]
    parts: list[tuple[Target, Path]] = []
    for target in targets:
        output = lists[target].with_suffix(".out" if target.isa == "amdgcn" else ".s")
        argv = rdc.link_argv(target, command.level("hip"), toolchain.clang, toolchain.lld)
        argv += [*command.device_link_args, f"@{lists[target]}", "-o", str(output)]
        steps.append(Step("link", tuple(argv), (output,), (lists[target],)))
        parts.append((target, output))
    triple = toolchain.host_triple
    machine = triple.split("-")[0]
    output = Path(command.output or "a_dlink.o") if command.mode == "device_link" else place / "linked.o"
    named = (f"{target}={path}" for target, path in parts)
    steps += [
        Step(
            "link", main_of("anyhip.hipcc.fatbin", "bundle", bundle, *named),
            (bundle,), tuple(path for _, path in parts),
            action=lambda: fatbin.write_bundle(bundle, parts, command.compress, triple),
        ),
        Step(
            "link", main_of("anyhip.hipcc.fatbin", "linked", output, bundle, names, machine),
            (output,), (bundle, names),
            action=lambda: fatbin.write_linked_object(output, bundle, names.read_text().split(), machine),
        ),
    ]  # fmt: skip
    return DeviceLink(steps, output)
