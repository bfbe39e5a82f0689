"""Rule: launches that a macro begins and its use completes become hipLaunchKernelGGL where the macro is used.

`#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)` names no kernel, and
`#define CALL k<<<1, n>>>` has no arguments: only the place of use knows the whole launch. Macros that
hold a launch complete with kernel and arguments are rewritten where they are defined, like any other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from .launch import kernel_span, launch_end
from .lexer import IDENTIFIER, kind
from .source import Source, Span

__all__ = ["expand_launches"]

_VARIADIC = b"__VA_ARGS__"
_REST = b"..."
_BODY_TOKENS = 500
"""Longest way from a `#define` to the launch in it: keeps hostile input linear."""


@dataclass(frozen=True)
class _Macro:
    """A macro whose body is one launch: its parameters (None: an object-like one) and the launch's parts."""

    name: bytes
    parameters: list[bytes] | None
    kernel: Span
    config: list[Span]
    arguments: Span | None


def expand_launches(source: Source, launches: list[int]) -> None:
    """Rewrite the uses of macros that hold part of a launch.

    Args:
        source: the file; changed in place.
        launches: tokens `<<<`.
    """
    lines = _defines(source, launches)
    macros = [macro for line, index in lines.items() if (macro := _read(source, line, index))]
    known = {macro.name: macro for macro in macros if _needs_its_use(source, macro)}
    if not known:
        return
    for index, token in enumerate(source.tokens):
        if token in known and not source.text(source.before(index)).endswith(b"define"):
            _expand(source, index, known[token])


def _defines(source: Source, launches: list[int]) -> dict[int, int]:
    """Each `#define` whose line holds a launch, with the first one there."""
    lines = {}
    for line in source.directives:
        place = bisect_right(launches, line)
        if place == len(launches) or launches[place] - line > _BODY_TOKENS:
            continue
        if source.tokens[line].endswith(b"define") and not _line_ends(source, line, launches[place]):
            lines[line] = launches[place]
    return lines


def _line_ends(source: Source, start: int, end: int) -> bool:
    """True if a line ends, without a splice, between two tokens."""
    return any(b"\n" in token and token[:1] != b"\\" for token in source.tokens[start:end])


def _read(source: Source, define: int, index: int) -> _Macro | None:
    """The macro that a line defines, if its body is the launch at `index` and nothing else."""
    name = source.after(define)
    body, parameters = name + 1, None
    if source.text(body) == b"(":  # no space between: parameters
        closing = source.partner.get(body, -1)
        if closing < 0:
            return None
        parameters = [source.original(source.trim(span)) for span in source.split(body + 1, closing)]
        body = closing + 1
    end = body
    while end < len(source.tokens) and (b"\n" not in source.tokens[end] or source.tokens[end][:1] == b"\\"):
        end += 1
    start, end = source.trim((body, end))
    if source.text(end - 1) == b";":
        end = source.before(end - 1) + 1
    close, kernel = launch_end(source, index), kernel_span(source, index)
    if kernel is None or kernel[0] != start or not index < close < end:
        return None
    opening, arguments = source.after(close + 2), None
    if opening < end:
        if source.partner.get(opening) != end - 1:
            return None
        arguments = (opening + 1, end - 1)
    config = [source.trim(span) for span in source.split(index + 1, close)]
    complete = 2 <= len(config) <= 4
    return _Macro(source.text(name), parameters, kernel, config, arguments) if complete else None


def _needs_its_use(source: Source, macro: _Macro) -> bool:
    given = macro.parameters is not None and source.original(macro.kernel) in macro.parameters
    return macro.arguments is None or given


def _expand(source: Source, index: int, macro: _Macro) -> None:
    end = index + 1
    values: Mapping[bytes, bytes] = {}
    if macro.parameters is not None:
        call = source.arguments(index)
        if call is None:
            return
        _, spans, closing = call
        end = closing + 1
        values = _values(macro.parameters, [source.render(span) for span in spans])
    if macro.arguments is not None:
        arguments = _substitute(source, macro.arguments, values)
    else:
        opening = source.after(end - 1)
        if source.text(opening) != b"(" or opening not in source.partner:
            return
        end = source.partner[opening] + 1
        arguments = source.render(source.trim((opening + 1, end - 1)))
    config = [_substitute(source, span, values) for span in macro.config]
    config = [b"dim3(" + text + b")" for text in config[:2]] + [*config[2:], b"0", b"0"][:2]
    kernel = _substitute(source, macro.kernel, values)
    if b"<" in kernel or b"," in kernel:
        kernel = b"HIP_KERNEL_NAME(" + kernel + b")"
    parts = [kernel, *config, *([arguments] if arguments else [])]
    source.replace((index, end), b"hipLaunchKernelGGL(" + b", ".join(parts) + b")")
    source.counts["kernel_launch"] += 1


def _values(parameters: list[bytes], given: list[bytes]) -> Mapping[bytes, bytes]:
    values = dict(zip(parameters, given, strict=False))
    if parameters[-1:] == [_REST]:
        values[_VARIADIC] = b", ".join(given[len(parameters) - 1 :])
    return values


def _substitute(source: Source, span: Span, values: Mapping[bytes, bytes]) -> bytes:
    span = source.trim(span)
    tokens = (source.tokens[at] for at in range(*span))
    return b"".join(values.get(token, token) if kind(token) == IDENTIFIER else token for token in tokens)
