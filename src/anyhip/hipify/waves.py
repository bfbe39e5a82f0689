"""Rule: code that takes a warp to have 32 lanes. AMD's data centre GPUs (gfx9) run waves of 64.

Reported are lane arithmetic on thread indices, constants that stand for the size of a warp, arrays of one
entry a lane in shared memory, shuffle loops that begin at 16, masks of lanes made by shifting a 32-bit one,
and `warpSize` where C++ wants a constant, which HIP's is not. All but the constants count only in device code
of files that use warp functions or name the result a lane or a warp: 32 is also the side of many a tile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .ballots import FUNCTIONS as BALLOTS
from .device_code import Bodies
from .lexer import IDENTIFIER, kind
from .masks import FUNCTIONS as SYNC_FUNCTIONS
from .source import Source

__all__ = ["NUMBERS", "SHUFFLES", "WARP_SIZE", "port_waves"]

_HEX31 = (b"31", b"31u", b"31U", b"0x1f", b"0x1F", b"0x1fu", b"0x1Fu", b"0x1FU")
_THIRTY_TWO = (b"32", b"32u", b"32U", b"0x20")
_FIVE = (b"5", b"5u", b"5U")
_SIXTEEN = (b"16", b"16u", b"16U")
_ONES = (b"1", b"1u", b"1U")
NUMBERS = frozenset((*_HEX31, *_THIRTY_TWO, *_FIVE, *_SIXTEEN))
"""Literals that this rule looks at."""
WARP_SIZE = b"warpSize"
SHUFFLES = frozenset({b"__shfl", b"__shfl_up", b"__shfl_down", b"__shfl_xor", b"__any", b"__all"})
_WARP_FUNCTIONS = SYNC_FUNCTIONS | BALLOTS | SHUFFLES
_LANE_NAME = re.compile(rb"(?i)(?:\w*_)?(?:lane|warp)(?:_?(?:id|idx|index|num|no))?|wid")
_SIZE_NAME = re.compile(
    rb"(?i)(?:k|n|c|cu|cuda)?_?(?:threads?_?(?:per|in)_?(?:warp|wave)|(?:warp|wave)_?(?:size|sz|width|threads|len))"
)
_COORDINATES = (b"x", b"y", b"z")
_STATEMENT_TOKENS = 48
_LOOP_TOKENS = 200
_DECLARATION_TOKENS = 24
_TEXT = {
    "lane": "takes a warp to have 32 lanes; on waves of 64 this is half a wave: warpSize has the size",
    "size": "32 as the size of a warp: waves of AMD's gfx9 have 64 lanes; what is counted in warps changes",
    "loop": "a shuffle loop from 16 on combines 32 lanes: begin at warpSize / 2, or give width 32",
    "shift": "a lane's bit in 32 bits is undefined for lanes 32 to 63 of a wave of 64: shift 1ull",
    "shared": "32 entries, one a lane of a warp of 32: indexed by the lane of a wave of 64 this overflows",
    "constant": "warpSize is no compile-time constant in HIP 7: use a constant of the target",
}


def port_waves(
    source: Source, numbers: Iterable[int], sizes: Iterable[int], bodies: Bodies, uses_warps: bool
) -> None:
    """Report code that holds for warps of 32 lanes only.

    Args:
        source: the file; gets notes.
        numbers: tokens in `NUMBERS`.
        sizes: tokens `warpSize`.
        bodies: the device code.
        uses_warps: the file calls warp functions.
    """
    threads: set[bytes] | None = None
    for index in numbers:
        if source.tokens[index] in _THIRTY_TWO and _names_a_size(source, index):
            source.note(index, "wave", source.tokens[index], _TEXT["size"])
        elif bodies.holds(index):
            if threads is None:
                threads = _thread_variables(source)
            _lane_arithmetic(source, index, threads, uses_warps)
            if uses_warps and source.tokens[index] in _THIRTY_TWO and _sizes_shared(source, index):
                source.note(index, "wave", source.tokens[index], _TEXT["shared"])
            _shuffle_loop(source, index)
    if uses_warps:
        _lane_bits(source, bodies)
    for index in sizes:
        if _must_be_constant(source, index):
            source.note(index, "wave", WARP_SIZE, _TEXT["constant"])


def _names_a_size(source: Source, index: int) -> bool:
    """`#define WARP_SIZE 32`, `constexpr int kWarpSize = 32;`, or an enumerator."""
    before = source.before(index)
    if source.text(before) == b"(":
        before = source.before(before)
    if source.text(before) == b"=":
        name = source.before(before)
        return bool(_SIZE_NAME.fullmatch(source.text(name)))
    define = source.text(source.before(before))
    return (
        define.startswith(b"#")
        and define.endswith(b"define")
        and bool(_SIZE_NAME.fullmatch(source.text(before)))
    )


def _sizes_shared(source: Source, index: int) -> bool:
    """`__shared__ T name[32];`, of one dimension: two are a tile."""
    opening, closing = source.before(index), source.after(index)
    if source.text(opening) != b"[" or source.text(closing) != b"]":
        return False
    if (
        source.text(source.after(closing)) not in (b";", b",", b"=")
        or source.text(source.before(opening)) == b"]"
    ):
        return False
    at = source.before(opening)
    for _ in range(_DECLARATION_TOKENS):
        if source.text(at) == b"__shared__":
            return True
        if source.text(at) in (b";", b"{", b"}", b"", b"="):
            return False
        at = source.before(at)
    return False


def _thread_variables(source: Source) -> set[bytes]:
    """Names that are initialised with a thread's index: `int tid = threadIdx.x + ...`."""
    names = set()
    for index, token in enumerate(source.tokens):
        if token != b"threadIdx":
            continue
        at = source.before(index)
        for _ in range(_STATEMENT_TOKENS):
            text = source.text(at)
            if text == b"=":
                names.add(source.text(source.before(at)))
                break
            if text in (b";", b"{", b"}", b"") or text[:1] == b"#":
                break
            at = source.before(at)
    return {name for name in names if kind(name) == IDENTIFIER}


def _lane_arithmetic(source: Source, index: int, threads: set[bytes], uses_warps: bool) -> None:
    number = source.tokens[index]
    operator = source.before(index)
    text = source.text(operator)
    if number in _FIVE:
        if text != b">" or source.text(operator - 1) != b">":
            return
        operator -= 1
    elif not (text == b"&" and number in _HEX31) and not (text in (b"%", b"/") and number in _THIRTY_TWO):
        return
    operand = source.before(operator)
    if not _is_thread(source, operand, threads):
        return
    if uses_warps or _LANE_NAME.fullmatch(_assigned(source, operand)):
        source.note(index, "wave", number, _TEXT["lane"])


def _is_thread(source: Source, index: int, threads: set[bytes]) -> bool:
    """True if the operand that ends at a token comes from a thread's index."""
    token = source.text(index)
    if token in _COORDINATES and source.text(source.before(index)) == b".":
        return source.text(source.before(source.before(index))) == b"threadIdx"
    if token == b")" and index in source.partner:
        opening = source.partner[index]
        inside = source.tokens[opening:index] if index - opening < _STATEMENT_TOKENS else []
        return b"threadIdx" in inside or not threads.isdisjoint(inside)
    return token in threads


def _assigned(source: Source, index: int) -> bytes:
    """The variable that the statement of a token gives a value; b"" if none."""
    for _ in range(_STATEMENT_TOKENS):
        text = source.text(index)
        if text == b"=":
            return source.text(source.before(index))
        if text in (b";", b"{", b"}", b"") or text[:1] == b"#":
            break
        index = source.before(index)
    return b""


def _shuffle_loop(source: Source, index: int) -> None:
    """`for (int o = 16; ...) x += __shfl_down(x, o);`, without a width of 32."""
    if source.tokens[index] not in _SIXTEEN or source.text(source.before(index)) != b"=":
        return
    variable = source.text(source.before(source.before(index)))
    at, opened = source.before(index), False
    for _ in range(6):
        at = source.before(at)
        opened = opened or (source.text(at) == b"(" and source.text(source.before(at)) == b"for")
    if not opened:
        return
    for place in range(index, min(len(source.tokens), index + _LOOP_TOKENS)):
        token = source.tokens[place]
        if token == b"}":
            return
        if b"__shfl" not in token or (call := source.arguments(place)) is None:
            continue
        arguments = [source.original(span) for span in call[1]]
        most = 4 if token.endswith(b"_sync") else 3
        if len(arguments) < most and variable in arguments:
            source.note(place, "wave", token, _TEXT["loop"])
        return


def _lane_bits(source: Source, bodies: Bodies) -> None:
    """`1u << lane`: a bit that 32 bits have not, for half of the lanes."""
    for start, end in bodies.spans:
        for index in range(start, end - 2):
            if source.tokens[index] != b"<" or source.tokens[index + 1] != b"<":
                continue
            name = source.text(source.after(index + 1))
            if _LANE_NAME.fullmatch(name) and source.text(source.before(index)) in _ONES:
                source.note(index, "wave", b"1 << " + name, _TEXT["shift"])


def _must_be_constant(source: Source, index: int) -> bool:
    """`constexpr int n = warpSize`, `T<warpSize>`, `__shared__ int a[warpSize]`."""
    before, after = source.before(index), source.text(source.after(index))
    if source.text(before) == b"[" and after == b"]":
        at = source.before(before)
        for _ in range(6):
            at = source.before(at)
            if source.text(at) == b"__shared__":
                return True
        return False
    if source.text(before) == b"<" and after in (b">", b","):
        return source.template_end(before, len(source.tokens)) > 0
    if source.text(before) == b"=":
        at = before
        for _ in range(5):
            at = source.before(at)
            if source.text(at) == b"constexpr":
                return True
    return False
