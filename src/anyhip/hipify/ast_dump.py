"""Lines of clang's `-ast-dump` in, facts out: which names in the user's files are the user's own.

The text form of the dump is a twentieth of the JSON form and is read as it streams. A line gives the node's
kind and address, its source range, for declarations the place and the name, for references the declaration
they mean. Places are abbreviated against the place printed before (clang's TextNodeDumper::dumpLocation):
`col:5`, `line:3:5` or `file:3:5`, so every line has to be followed. They are spelling places: a name in a
macro's body is reported there, and an argument where it was written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = ["Fact", "Place", "facts"]

_LOCATION = rb"(?:<[a-z -]+>(?::\d+:\d+)?|col:\d+|line:\d+:\d+|[^<>,'\n]+?:\d+:\d+)"
_LINE = re.compile(
    rb"[|` -]*(\w+) 0x([0-9a-f]+)(?: (?:parent|prev) 0x[0-9a-f]+)*"
    rb" <(" + _LOCATION + rb")(?:, (" + _LOCATION + rb"))?>(?: (" + _LOCATION + rb"))?(.*)",
    re.DOTALL,
)
_PLACE = re.compile(rb"(?:(?:(.+):)?(\d+):)?(\d+)$")
_ADDRESS = re.compile(rb"0x([0-9a-f]+)")
_DECLARED = re.compile(
    rb" (?:(?:implicit|used|referenced|invalid|constexpr|struct|class|union|enum) )*([A-Za-z_]\w*)"
)
_USED = re.compile(rb"(?:= )?'([A-Za-z_]\w*)'")
_MEMBER = re.compile(rb" (?:\.|->)([A-Za-z_]\w*)(?: 0x([0-9a-f]+))?\s*$")
_REFERENCES = (b"DeclRefExpr", b"UnresolvedLookupExpr", b"UsingShadowDecl")
_MEMBERS = (b"MemberExpr", b"CXXDependentScopeMemberExpr", b"UnresolvedMemberExpr")
_KINDS = {
    b"CXXRecordDecl": "type", b"RecordDecl": "type", b"EnumDecl": "type", b"TypedefDecl": "type",
    b"TypeAliasDecl": "type", b"ClassTemplateDecl": "type",
    b"FieldDecl": "member", b"CXXMethodDecl": "member",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: path as clang prints it, line and column from 1 (columns in bytes)."""

    path: bytes
    line: int
    col: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A name between two places belongs to the user's own declaration, or to a header's.

    kind: `member` for fields and methods, `type` for a declared type's name, else `value`.
    """

    name: bytes
    start: Place
    end: Place
    own: bool
    kind: str = "value"


class _Reader:
    """Follows abbreviated places through the dump."""

    def __init__(self, own_files: frozenset[bytes]) -> None:
        self._own_files = own_files
        self._paths: dict[bytes, bytes] = {}
        self._last = Place(b"", 0, 0)
        self._own: set[bytes] = set()

    def _place(self, text: bytes | None) -> Place | None:
        if text is None or text.startswith(b"<invalid"):
            return None
        if text.startswith(b"col:"):
            place = Place(self._last.path, self._last.line, int(text[4:]))
        else:
            match = _PLACE.search(text)
            if match is None:
                return None
            path, line, col = match.groups()
            path = self._last.path if path == b"line" else self._normal(path or b"")
            place = Place(path, int(line), int(col))
        self._last = place
        return place

    def _normal(self, path: bytes) -> bytes:
        known = self._paths.get(path)
        if known is None:
            known = self._paths[path] = os.path.normpath(path)
        return known

    @property
    def abroad(self) -> bool:
        """True after a place in a header that is not the user's."""
        return self._last.path not in self._own_files

    def read(self, line: bytes) -> Fact | None:
        """The fact in a line, if it has one about the user's files."""
        match = _LINE.match(line)
        if match is None:
            return None
        kind, address, first, second, third, rest = match.groups()
        start = self._place(first)
        end = self._place(second) or start
        where = self._place(third)
        if kind in _REFERENCES:
            place = where or end
            return self._reference(rest, where or start, place) if start and self._mine(place) else None
        if kind in _MEMBERS:
            return self._member(rest, start, end) if start and self._mine(end) else None
        if where is None or not kind.endswith(b"Decl") or where.path not in self._own_files:
            return None
        return self._declaration(kind, address, rest, where)

    def _mine(self, place: Place | None) -> bool:
        return place is not None and place.path in self._own_files

    def _declaration(self, kind: bytes, address: bytes, rest: bytes, where: Place) -> Fact | None:
        self._own.add(address)
        name = _DECLARED.match(rest)
        if name is None or kind == b"UsingDecl":
            return None
        return Fact(name.group(1), where, where, True, _KINDS.get(kind, "value"))

    def _reference(self, rest: bytes, start: Place | None, end: Place | None) -> Fact | None:
        name, addresses = None, []
        for name in _USED.finditer(rest):
            before = rest[: name.start()]
            if before.endswith(b" = ") or name.group().startswith(b"= "):
                addresses = _ADDRESS.findall(rest[name.end() :])
                break
            found = _ADDRESS.search(before[-20:])
            if found:
                addresses = [found.group(1)]
                break
        if name is None or not addresses or start is None or end is None:
            return None
        return Fact(name.group(1), start, end, all(one in self._own for one in addresses))

    def _member(self, rest: bytes, start: Place | None, end: Place | None) -> Fact | None:
        member = _MEMBER.search(rest)
        if member is None or start is None or end is None:
            return None
        # Members of CUDA's own types keep their names in HIP, so one without an address is the user's.
        own = member.group(2) is None or member.group(2) in self._own
        return Fact(member.group(1), end, end, own, "member")


def facts(lines: Iterable[bytes], own_files: frozenset[bytes]) -> Iterator[Fact]:
    """Facts about names in the user's files.

    Args:
        lines: the dump, a node a line.
        own_files: normalised paths of the user's files.
    """
    reader = _Reader(own_files)
    # Most of a dump is headers; a way back to the user's files always prints their name.
    names = b"|".join(re.escape(os.path.basename(path)) for path in own_files)
    returns = re.compile(rb"(?:" + names + rb"):\d").search
    for line in lines:
        if reader.abroad and not returns(line):
            continue
        fact = reader.read(line)
        if fact is not None:
            yield fact
