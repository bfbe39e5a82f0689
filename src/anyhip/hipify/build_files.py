"""Build files: CMake, Makefiles, setup.py, compile_commands.json, Meson and Bazel, by the rows of build.tsv.

Their languages are read as far as the rows need it: comments stay as they are, and in CMake a call may span
lines. What a row cannot decide is reported at its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .. import tables
from .port import Note, Ported

__all__ = ["TARGETS", "build_kind", "port_build_file"]

TARGETS = ("gfx942", "gfx1100")
_TABLE = Path(__file__).with_name("build.tsv")
_NAMES = {
    "CMakeLists.txt": "cmake", "Makefile": "make", "makefile": "make", "GNUmakefile": "make",
    "setup.py": "python", "compile_commands.json": "json", "meson.build": "meson",
    "BUILD": "bazel", "BUILD.bazel": "bazel", "WORKSPACE": "bazel", "MODULE.bazel": "bazel",
}  # fmt: skip
_SUFFIXES = {".cmake": "cmake", ".mk": "make", ".mak": "make", ".bzl": "bazel", ".bazel": "bazel"}
_IN_LISTS = ("python", "bazel")
"""Here options are strings of a list: each wants quotes of its own."""
_PACKAGE = re.compile(r"\b(?:roc|hip|hiprtc)::(hip(?:blas|blaslt|fft|rand|sparse|solver|rtc))\b")
_FIND_HIP = re.compile(r"^([ \t]*)find_package\(hip REQUIRED\)", re.MULTILINE)
_TARGET_CALL = re.compile(
    r"^([ \t]*)(?:add_executable|add_library|target_sources)\s*\(([^()]*)\)", re.MULTILINE
)
_CUDA_SOURCE = re.compile(r"[^\s\"()]+\.cu\b")
_REMOVE = "-"
_NEEDS = "needs find_package("


@dataclass(frozen=True)
class _Row:
    files: str
    pattern: re.Pattern[str]
    replacement: str
    message: str


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    rows = tables.read(_TABLE)
    return tuple(
        _Row(row["files"], re.compile(row["pattern"]), row["replacement"], row["message"]) for row in rows
    )


def build_kind(path: Path) -> str:
    """Which kind of build file a path is, by its name; "" if none that is known."""
    return _NAMES.get(path.name) or _SUFFIXES.get(path.suffix, "")


def port_build_file(text: bytes, kind: str, targets: Sequence[str] = TARGETS) -> Ported:
    """Port a build file.

    Args:
        text: the file.
        kind: as build_kind gives it.
        targets: the GPUs to build for where the file names NVIDIA's.

    Returns:
        As port_source: the text, and notes of kind `build`.
    """
    work = text.decode("utf-8", "surrogateescape")
    code, comments = _without_comments(work, kind)
    notes: list[Note] = []
    renamed: Counter[tuple[str, str]] = Counter()
    for row in _rows():
        if row.files == kind or (row.files == "flags" and kind != "meson"):
            code = _apply(row, code, targets, notes, renamed, kind in _IN_LISTS)
    if kind == "cmake" and renamed:
        code = _find_packages(_hip_sources(code), notes)
    for mark, comment in enumerate(comments):
        code = code.replace(f"\x00{mark}\x00", comment, 1)
    notes.sort(key=lambda note: (note.line, note.col))
    counts = {"build": renamed.total()} if renamed else {}
    return Ported(code.encode("utf-8", "surrogateescape"), notes, counts, renamed)


def _without_comments(text: str, kind: str) -> tuple[str, list[str]]:
    """The text with each comment replaced by a mark, and the comments."""
    if kind == "json" or "\x00" in text:
        return text, []
    comments: list[str] = []

    def mark(match: re.Match[str]) -> str:
        if match.group().startswith(('"', "'")):
            return match.group()
        comments.append(match.group())
        return f"\x00{len(comments) - 1}\x00"

    strings = r"\"(?:[^\"\\\n]|\\.)*\"" + (r"|'(?:[^'\\\n]|\\.)*'" if kind in ("meson", *_IN_LISTS) else "")
    return re.sub(strings + r"|(?<!\\)#[^\n]*", mark, text), comments


def _apply(
    row: _Row,
    code: str,
    targets: Sequence[str],
    notes: list[Note],
    renamed: Counter[tuple[str, str]],
    in_lists: bool,
) -> str:
    def new(match: re.Match[str]) -> str:
        old = match.group()
        text = match.expand(row.replacement) if row.replacement not in ("", _REMOVE) else ""
        text = text.replace("{gfx}", ";".join(targets))
        mark = in_lists and _quotation(code, match)
        between = f"{mark}, {mark}" if mark else " "
        text = text.replace("{archs}", between.join(f"--offload-arch={target}" for target in targets))
        if row.message:
            before = code[: match.start()]
            line, col = before.count("\n") + 1, match.start() - before.rfind("\n")
            notes.append(Note(line, col, "build", old.split("\n")[0][:60], match.expand(row.message)))
        if not row.replacement:
            return old
        renamed[old.strip(), text.strip()] += 1
        return text

    return row.pattern.sub(new, code)


def _quotation(code: str, match: re.Match[str]) -> str:
    """The quotation mark that a match has at both its ends, inside or outside; "" if none."""
    before, after = code[match.start() - 1 : match.start()], code[match.end() : match.end() + 1]
    inside = match.group()[:1] + match.group()[-1:]
    return next((pair[0] for pair in (before + after, inside) if pair in ("''", '""')), "")


def _find_packages(code: str, notes: list[Note]) -> str:
    """Find the packages of the targets that are linked, where the file finds HIP's; else their notes stay."""
    known = set(re.findall(r"\bfind_package\s*\(\s*(\w+)", code))
    wanted = [name for name in dict.fromkeys(_PACKAGE.findall(code)) if name not in known]
    found = _FIND_HIP.search(code)
    if found is None:
        return code
    lines = "".join(f"\n{found.group(1)}find_package({name} REQUIRED)" for name in wanted)
    notes[:] = [note for note in notes if not note.message.startswith(_NEEDS)]
    return code[: found.end()] + lines + code[found.end() :]


def _hip_sources(code: str) -> str:
    """Say that `.cu` files are HIP: CMake takes them for CUDA by their names."""
    said = set(re.findall(r"set_source_files_properties\s*\(([^()]*?)\bPROPERTIES\b", code))

    def add(match: re.Match[str]) -> str:
        sources = list(dict.fromkeys(_CUDA_SOURCE.findall(match.group(2))))
        words = " ".join(sources)
        if not sources or any(words in one for one in said):
            return match.group()
        said.add(words)
        return (
            f"{match.group(1)}set_source_files_properties({words} PROPERTIES LANGUAGE HIP)\n{match.group()}"
        )

    return _TARGET_CALL.sub(add, code)
