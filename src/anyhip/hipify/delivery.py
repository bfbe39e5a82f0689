"""What becomes of a ported tree: in place with backups, beside each file, a folder of its own, or a patch."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from ..errors import AnyHipError
from . import files
from .patch import patch
from .tree import BACKUP, TreeFile

__all__ = ["Delivery", "as_patch", "beside", "copy_tree", "in_place"]


@dataclass
class Delivery:
    """Where results go, and how many went there.

    Args:
        base: the tree's root.
        in_place: replace files.
        keep_backup: with in_place, keep each as FILE.prehip.
        beside: write FILE.hip beside each source.
        folders: copies of the tree to port.
        patches: files for a patch; `-` is stdout.
    """

    base: Path
    in_place: bool = False
    keep_backup: bool = True
    beside: bool = False
    folders: Sequence[Path] = ()
    patches: Sequence[str] = ()
    _counts: dict[str, int] = field(default_factory=lambda: {"in place": 0, "beside": 0, "folder": 0})

    def deliver(self, ported: Iterable[TreeFile]) -> Iterator[TreeFile]:
        """Write each file as it comes, and pass it on.

        Raises:
            AnyHipError: a file or folder cannot be written.
        """
        for folder in self.folders:
            copy_tree(self.base, folder)
        with tempfile.TemporaryFile() as changes:
            for one in ported:
                self._write(one)
                if self.patches:
                    changes.write(as_patch(one))
                yield one
            for target in self.patches:
                changes.seek(0)
                _put(target, changes)

    def _write(self, one: TreeFile) -> None:
        if self.in_place:
            self._counts["in place"] += in_place(self.base, one, self.keep_backup)
        if self.beside:
            self._counts["beside"] += beside(self.base, one)
        if one.changed:
            for folder in self.folders:
                files.make_folder((folder / one.place).parent)
                files.write(folder / one.place, one.ported.text)
            self._counts["folder"] += 1

    def said(self) -> str:
        """What was written, in a phrase; "" if nothing was asked for."""
        said = [f"{self._counts['in place']:,} files replaced"] if self.in_place else []
        said += [f"{self._counts['beside']:,} .hip files written"] if self.beside else []
        said += [
            f"a copy in {folder} with {self._counts['folder']:,} files ported" for folder in self.folders
        ]
        return ", ".join([*said, *(f"patch in {target}" for target in self.patches)])


def _put(target: str, stream: IO[bytes]) -> None:
    if target == "-":
        shutil.copyfileobj(stream, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        files.write(Path(target), stream)


def in_place(base: Path, one: TreeFile, keep_backup: bool = True) -> bool:
    """Replace a file if porting changed it; its old text stays in FILE.prehip.

    A file that gets a new name is written there, and the old one stays.

    Returns:
        True if it was written.
    """
    place = base / one.place
    if not one.changed or (place.exists() and files.read(place) == one.ported.text):
        return False
    if one.target:
        files.make_folder(place.parent)
    elif keep_backup:
        files.backup(place)
    files.write(place, one.ported.text)
    return True


def beside(base: Path, one: TreeFile) -> bool:
    """Write FILE.hip, or the file under its new name, beside a source that porting changed; build files stay.

    Returns:
        True if it was written.
    """
    if not one.changed or one.build:
        return False
    place = base / (one.target or one.path.with_name(one.path.name + ".hip"))
    files.make_folder(place.parent)
    files.write(place, one.ported.text)
    return True


def copy_tree(base: Path, folder: Path) -> None:
    """A copy of the whole tree in a folder, without backups and git's own files.

    Raises:
        AnyHipError: it cannot be written, or it is inside the tree.
    """
    if folder.resolve().is_relative_to(base.resolve()):
        raise AnyHipError(f"{folder} is inside {base}", "name a folder outside the tree")
    try:
        shutil.copytree(base, folder, symlinks=True, dirs_exist_ok=True, ignore=_unwanted)
    except (OSError, shutil.Error) as error:
        raise AnyHipError(
            f"cannot copy {base} to {folder}: {error}", "check the folder and its permissions"
        ) from error


def _unwanted(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name == ".git" or name.endswith(BACKUP)}


def as_patch(one: TreeFile) -> bytes:
    """The change of a file, for `git apply` in the root of the tree; b"" if there is none.

    A file that gets a new name is a new file to git.
    """
    path = one.place.as_posix().replace(os.sep, "/")
    return patch(path, None if one.target and one.changed else one.old, one.ported.text)
