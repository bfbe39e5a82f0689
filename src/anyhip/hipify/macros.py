"""Rule: `__CUDA_ARCH__` in preprocessor conditions.

Where only its being defined is asked, it becomes `__HIP_DEVICE_COMPILE__`. Where its value is compared,
no value would be right for an AMD device, so the condition stays and is reported: the name is undefined
there, hence 0 in a comparison, and that decides silently which branch AMD gets.
"""

from __future__ import annotations

from .source import Source

__all__ = ["ARCH", "port_arch_macro"]

ARCH = b"__CUDA_ARCH__"
_DEVICE = b"__HIP_DEVICE_COMPILE__"
_COMPARED = (
    "compares the NVIDIA architecture; on AMD the name is undefined, so this counts as 0:"
    " check which branch AMD should get"
)
_BY_NAME = (b"ifdef", b"ifndef", b"elifdef", b"elifndef")
_CONDITIONS = (*_BY_NAME, b"if", b"elif")


def port_arch_macro(source: Source, hits: list[int]) -> None:
    """Replace or report each `__CUDA_ARCH__`.

    Args:
        source: the file; changed in place.
        hits: the tokens.
    """
    if not hits:
        return
    waiting = set(hits)
    for directive in source.directives:
        word = source.tokens[directive][1:].lstrip(b" \t")
        if word not in _CONDITIONS:
            continue
        inside = [index for index in _line(source, directive) if index in waiting]
        waiting.difference_update(inside)
        if all(word in _BY_NAME or _asks_definedness(source, index) for index in inside):
            for index in inside:
                source.out[index] = _DEVICE
                source.counts["define"] += 1
        else:
            for index in inside[:1]:
                source.note(index, "macro", ARCH, _COMPARED)
    for index in sorted(waiting):
        source.note(index, "macro", ARCH, "the value of __CUDA_ARCH__ is used; AMD devices have none")


def _line(source: Source, directive: int) -> range:
    end = directive
    while end < len(source.tokens) and (b"\n" not in source.tokens[end] or source.tokens[end][:1] == b"\\"):
        end += 1
    return range(directive, end)


def _asks_definedness(source: Source, index: int) -> bool:
    before = source.before(index)
    if source.text(before) == b"(":
        before = source.before(before)
    return source.text(before) == b"defined"
