"""What becomes of a ported tree: in place with backups, beside each file, a folder of its own, or a patch."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from ..errors import AnyHipError
from . import files
from .patch import patch
from .tree import BACKUP, TreeFile

__all__ = ["as_patch", "beside", "elsewhere", "in_place"]


def in_place(base: Path, one: TreeFile, keep_backup: bool = True) -> bool:
    """Replace a file if porting changed it; its old text stays in FILE.prehip.

    Returns:
        True if it was written.
    """
    place = base / one.path
    if not one.changed or (files.read(place) == one.ported.text):
        return False
    if keep_backup:
        files.backup(place)
    files.write(place, one.ported.text)
    return True


def beside(base: Path, one: TreeFile) -> bool:
    """Write FILE.hip beside a source that porting changed; build files stay.

    Returns:
        True if it was written.
    """
    if not one.changed or one.build:
        return False
    files.write(base / one.path.with_name(one.path.name + ".hip"), one.ported.text)
    return True


def elsewhere(base: Path, ported: Iterable[TreeFile], folder: Path) -> int:
    """A copy of the whole tree in a folder, with its files ported.

    Returns:
        How many files porting changed.

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
    count = 0
    for one in ported:
        if one.changed:
            files.write(folder / one.path, one.ported.text)
            count += 1
    return count


def _unwanted(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name == ".git" or name.endswith(BACKUP)}


def as_patch(one: TreeFile) -> bytes:
    """The change of a file, for `git apply` in the root of the tree; b"" if there is none."""
    return patch(one.path.as_posix().replace(os.sep, "/"), one.old, one.ported.text)
