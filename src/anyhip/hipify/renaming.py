"""PyTorch's names for ported files: `cuda` in folders and names becomes `hip`, `.cu` becomes `.hip`.

PyTorch builds an extension from ported files beside the CUDA ones. Its rules for their names (the module
torch.utils.hipify): in folders and in the name `cuda` becomes `hip` and `CUDA` `HIP`; `.cu` becomes `.hip`; a
name that would stay the same in the same folder gets `_hip` at its end. A file that porting does not change
keeps its name, unless its folder gets another.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from .lexer import include_path, tokenize
from .tree import TreeFile

__all__ = ["pytorch_path", "pytorch_paths", "renamed"]

_FOLDERS = ("", "include", "src", "csrc")
"""Where an include is sought besides its own folder, from the root of the tree."""


def pytorch_path(path: Path) -> Path:
    """The name that PyTorch gives to a ported file, relative to the root as `path` is."""
    folder = Path(_as_hip(path.parent.as_posix()))
    name = _as_hip(path.stem) + (".hip" if path.suffix == ".cu" else path.suffix)
    if folder == path.parent and name == path.name:
        name = f"{path.stem}_hip{path.suffix}"
    return folder / name


def _as_hip(text: str) -> str:
    for old, new in (("cuda", "hip"), ("CUDA", "HIP"), ("THC", "THH")):
        text = text.replace(old, new)
    return text


def pytorch_paths(ported: Iterable[TreeFile]) -> dict[Path, Path]:
    """New names for the files of a tree that need one.

    They are those that porting changes, `.cu` files, what lies in a folder that gets another name, and
    whatever includes one of these.

    Args:
        ported: every file of the tree.
    """
    known: set[Path] = set()
    includes: dict[Path, list[str]] = {}
    names: dict[Path, Path] = {}
    for one in ported:
        known.add(one.path)
        if one.build:
            continue
        includes[one.path] = [path for _, path in _includes(one.old)]
        new = pytorch_path(one.path)
        if one.changed or one.path.suffix == ".cu" or new.parent != one.path.parent:
            names[one.path] = new
    growing = True
    while growing:
        growing = False
        for path, wanted in includes.items():
            if path not in names and any(_found(path, name, known) in names for name in wanted):
                names[path] = pytorch_path(path)
                growing = True
    return names


def renamed(ported: Iterable[TreeFile], names: Mapping[Path, Path]) -> Iterator[TreeFile]:
    """The files with their new names, and with the new names of what they include.

    Args:
        ported: the files.
        names: what pytorch_paths found.
    """
    known = frozenset(names)
    for one in ported:
        target = names.get(one.path)
        if target is None:
            yield one
            continue
        tokens = tokenize(one.ported.text)
        for index, path in _includes(one.ported.text):
            found = _found(one.path, path, known)
            if found is not None:
                new = os.fsencode(_moved(path, names[found]))
                tokens[index] = tokens[index].replace(os.fsencode(path), new)
        yield replace(one, ported=replace(one.ported, text=b"".join(tokens)), target=target)


def _includes(text: bytes) -> Iterator[tuple[int, str]]:
    for index, token in enumerate(tokenize(text)):
        if token[:1] == b"#" and (parts := include_path(token)) is not None:
            yield index, os.fsdecode(parts[2])


def _found(path: Path, name: str, known: Iterable[Path]) -> Path | None:
    """The file of the tree that an include means."""
    for folder in (path.parent, *map(Path, _FOLDERS)):
        candidate = Path(os.path.normpath(folder / name))
        if candidate in known:
            return candidate
    return None


def _moved(name: str, target: Path) -> str:
    """An include of a renamed file: it names as many parts of the new path as of the old."""
    parts = PurePosixPath(name).parts
    count = sum(part != ".." for part in parts)
    return "/".join((*parts[: len(parts) - count], *target.parts[-count:]))
