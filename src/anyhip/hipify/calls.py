"""Rule: edits to a call's arguments that HIP needs beyond the new name (rows of maps/calls.tsv)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from .compute_types import DataTypes, port_compute_type
from .lexer import IDENTIFIER, kind
from .names import CallEdit, call_edits, table
from .settings import PortOptions
from .source import Source, Span

__all__ = ["port_calls"]

_CASTS = {
    "reinterpret_cast": b"reinterpret_cast<const void*>(",
    "reinterpret_cast_size_t": b"reinterpret_cast<size_t*>(",
    "HIP_SYMBOL": b"HIP_SYMBOL(",
}
_CALL_TOKENS = 2000
"""Longest call whose arguments are rearranged: keeps hostile input linear."""
_SPLICE = re.compile(rb"\\[ \t]*\r?\n")
_REARRANGING = ("move_argument", "remove_argument", "add_const_argument", "add_var_argument")


def port_calls(source: Source, hits: Iterable[int], options: PortOptions) -> None:
    """Edit the arguments of every call that the table names.

    Args:
        source: the file; changed in place.
        hits: tokens that are CUDA names.
        options: how to port.
    """
    edits, types = call_edits(), DataTypes(source)
    for index in sorted((hit for hit in hits if source.tokens[hit] in edits), reverse=True):
        # Later calls first: an argument is moved with the edits already made inside it.
        name = source.tokens[index]
        rows = _rows_for(edits[name], options, options.names_own(table().raw[name][0]))
        if rows and not _is_declaration(source, index):
            _edit_call(source, index, rows, types)


def _rows_for(rows: tuple[CallEdit, ...], options: PortOptions, names_own: bool) -> list[CallEdit]:
    own = [row for row in rows if row.target == "roc"] if names_own else []
    return own or [row for row in rows if row.target == "hip" or row.target in options.overlays]


def _is_declaration(source: Source, index: int) -> bool:
    """True for `cudaError_t cudaMalloc(...)`: a type name right before the function's name."""
    before = source.text(source.before(index))
    return kind(before) == IDENTIFIER and before not in (b"return", b"else", b"do", b"case", b"throw")


def _edit_call(source: Source, index: int, rows: list[CallEdit], types: DataTypes) -> None:
    call = source.arguments(index)
    if call is None:
        return
    _, spans, closing = call
    moves = [row for row in rows if row.op in _REARRANGING and _applies(row, len(spans))]
    for row in rows:
        if row.op == "overload":
            if len(spans) == row.arg:
                source.out[index] = row.value.encode()
            continue
        if row.op in _REARRANGING or row.arg >= len(spans) or spans[row.arg][0] == spans[row.arg][1]:
            continue
        span = spans[row.arg]
        if row.op == "compute_type":
            source.counts["call edits"] += port_compute_type(source, index, span, types)
            continue
        if row.op == "replace_argument_with_const":
            source.replace(span, row.value.encode())
        elif not _already(source, span, row.op):
            source.wrap(span, _CASTS[row.op], b")")
        source.counts["call edits"] += 1
    if moves:
        _rearrange(source, index, spans, closing, moves)


def _applies(row: CallEdit, count: int) -> bool:
    """Whether an edit is meant for a call with that many arguments."""
    counted = row.op in ("add_const_argument", "remove_argument")
    return not counted or row.count in (0, count)


def _already(source: Source, span: Span, op: str) -> bool:
    """True if the argument has the wrapping that `op` would add, or is a null pointer, which needs none."""
    first = source.tokens[span[0]]
    if first in (b"nullptr", b"NULL", b"0"):
        return True
    if op == "HIP_SYMBOL":
        return first == b"HIP_SYMBOL"
    following = source.after(span[0])
    c_style = first == b"(" and source.text(following) in (b"void", b"const", b"size_t")
    return c_style or first in (b"reinterpret_cast", b"static_cast")


def _joined(source: Source, spans: list[Span], closing: int, result: list[bytes]) -> bytes:
    """Arguments between the user's own commas, line breaks and comments; no line of the call is lost."""
    bounds = [*spans, (closing, closing)]
    between = [source.original((one[1], other[0])) for one, other in pairwise(bounds)]
    ending = between.pop()
    used, unused = between[: max(0, len(result) - 1)], between[max(0, len(result) - 1) :]
    separators = [*used, *[b", "] * (len(result) - 1 - len(used)), b""]
    text = b"".join(part for pair in zip(result, separators, strict=True) for part in pair)
    lost = b"".join(unused)
    line_end = (b" \\" if _SPLICE.search(lost) else b"") + source.newline  # inside a macro
    return text + line_end * lost.count(b"\n") + ending


def _rearrange(source: Source, index: int, spans: list[Span], closing: int, rows: list[CallEdit]) -> None:
    """Add, remove and move arguments: positions in the table are those of the CUDA call."""
    if closing - index > _CALL_TOKENS:
        source.note(
            index, "call", rows[0].cuda_name, "this call is too long to rearrange its arguments for HIP"
        )
        return
    texts = [source.render(span) for span in spans]
    removed = {row.arg for row in rows if row.op == "remove_argument"}
    slots: dict[int, list[bytes]] = {}
    for row in rows:
        if row.op == "move_argument":
            moved = range(row.arg, min(row.arg + (row.count or 1), len(texts)))
            slots.setdefault(row.to, []).extend(texts[n] for n in moved)
            removed.update(moved)
        elif row.op == "add_const_argument":
            slots.setdefault(row.arg, []).append(row.value.encode())
        elif row.op == "add_var_argument" and row.arg < len(texts):
            slots.setdefault(row.to, []).append(texts[row.arg])
        if row.warning:
            source.note(
                index,
                "call",
                row.cuda_name,
                f"argument {row.arg + 1} of {row.cuda_name} has no place in HIP and was removed",
            )
    result: list[bytes] = []
    for n in range(max([len(texts), *(slot + 1 for slot in slots)])):
        result += slots.get(n, [])
        if n < len(texts) and n not in removed:
            result.append(texts[n])
    if spans:
        source.replace((spans[0][0], closing), _joined(source, spans, closing, result))
    else:
        source.out[closing] = b", ".join(result) + source.out[closing]
    source.counts["call edits"] += 1
