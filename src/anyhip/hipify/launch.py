"""Rule: kernel launches. HIP's clang understands `<<<>>>`; on request it becomes hipLaunchKernelGGL."""

from __future__ import annotations

from .lexer import IDENTIFIER, kind
from .source import Source, Span

__all__ = ["count_launches", "kernel_span", "launch_end", "port_launches"]


def count_launches(source: Source, launches: list[int]) -> None:
    """Count launches that stay as they are.

    Args:
        source: the file.
        launches: tokens `<<<`.
    """
    if launches:
        source.counts["kernel_launch"] += len(launches)


def port_launches(source: Source, launches: list[int], qualifiers: list[int]) -> None:
    """Turn `k<<<grid, block, bytes, stream>>>(args)` into `hipLaunchKernelGGL(k, dim3(grid), ...)`.

    Args:
        source: the file; changed in place.
        launches: tokens `<<<`.
        qualifiers: tokens `__global__`.
    """
    templates = _templates(source, qualifiers) if launches else set()
    for index in reversed(launches):
        parts = _parts(source, index)
        if parts is None:
            source.note(index, "launch", "<<<", "launch not understood and left as it is; hipcc accepts it")
            continue
        kernel, config, (opening, closing) = parts
        _write(source, kernel, config, (opening, closing), templates)
        source.counts["kernel_launch"] += 1


def _parts(source: Source, index: int) -> tuple[Span, list[Span], Span] | None:
    """Kernel expression, launch configuration and the parentheses of the arguments."""
    close = launch_end(source, index)
    if close < 0:
        return None
    opening = source.after(close + 2)
    kernel = kernel_span(source, index)
    if kernel is None or source.text(opening) != b"(" or opening not in source.partner:
        return None
    config = [source.trim(span) for span in source.split(index + 1, close)]
    if not 2 <= len(config) <= 4 or any(start == end for start, end in config):
        return None
    return kernel, config, (opening, source.partner[opening])


def launch_end(source: Source, index: int) -> int:
    """The first of the three `>` that end the launch configuration opened at `index`, or -1."""
    at = index + 1
    tokens = source.tokens
    while at < len(tokens):
        token = tokens[at]
        if token in (b"(", b"[", b"{"):
            at = source.partner.get(at, len(tokens))
        elif token == b">" and tokens[at + 1 : at + 3] == [b">", b">"]:
            # `f<a<b>>>>` ends a template list first: the launch's own three come last.
            while tokens[at + 3 : at + 4] == [b">"]:
                at += 1
            return at
        elif token in (b";", b"<<<", b")", b"}"):
            return -1
        at += 1
    return -1


def kernel_span(source: Source, index: int) -> Span | None:
    """The expression that names the kernel, ending right before `<<<`."""
    last = source.before(index)
    start = last
    if source.text(start) == b">":
        start = _template_start(source, start)
    elif source.text(start) == b")":
        start = source.partner.get(start, -1)
        return (start, last + 1) if start >= 0 else None
    if start < 0 or kind(source.text(start)) != IDENTIFIER:
        return None
    while source.text(source.before(start)) in (b"::", b".", b"->"):
        qualifier = source.before(source.before(start))
        if source.text(qualifier) == b">":
            qualifier = _template_start(source, qualifier)
        if qualifier < 0 or kind(source.text(qualifier)) != IDENTIFIER:
            start = source.before(start)
            break
        start = qualifier
    return start, last + 1


def _template_start(source: Source, index: int) -> int:
    """The identifier in front of the template list that the `>` at `index` closes, or -1."""
    depth = 0
    while index >= 0:
        token = source.tokens[index]
        if token == b">":
            depth += 1
        elif token == b"<":
            depth -= 1
            if depth == 0:
                return source.before(index)
        elif token in (b")", b"]"):
            index = source.partner.get(index, 0)
        elif token in (b";", b"{", b"}", b"<<<"):
            return -1
        index -= 1
    return -1


def _dim3(source: Source, span: Span) -> bytes:
    """The dimensions as a dim3, unless they are written as one."""
    opening = source.after(span[0])
    if source.tokens[span[0]] == b"dim3" and source.partner.get(opening) == span[1] - 1:
        return source.render(span)
    return b"dim3(" + source.render(span) + b")"


def _templates(source: Source, qualifiers: list[int]) -> set[bytes]:
    """Kernels that the file declares as templates, and macros that stand for one."""
    names = set()
    for index in qualifiers:
        before = source.before(index)
        while source.text(before) in (b"static", b"inline", b"extern", b"__forceinline__"):
            before = source.before(before)
        if source.text(before) != b">":
            continue
        opening = index
        while opening < len(source.tokens) and source.text(opening) not in (b"(", b";", b"{"):
            opening += 1
        if source.text(source.before(opening)) == b")":  # __launch_bounds__(256) name(
            opening = source.partner.get(source.before(opening), opening)
        names.add(source.text(source.before(opening)))
    for index in source.directives:
        if source.tokens[index].endswith(b"define"):
            name = source.after(index)
            body = source.after(name)
            if kind(source.text(body)) == IDENTIFIER and source.text(source.after(body)) == b"<":
                names.add(source.text(name))
    return names


def _write(
    source: Source, kernel: Span, config: list[Span], parentheses: Span, templates: set[bytes]
) -> None:
    opening, closing = parentheses
    name = source.render(kernel)
    original = source.original(kernel)
    if b"<" in original or b"," in original or source.text(kernel[1] - 1) in templates:
        name = b"HIP_KERNEL_NAME(" + name + b")"
    texts = [source.render(span) for span in config]
    grid, block = _dim3(source, config[0]), _dim3(source, config[1])
    shared = texts[2] if len(texts) > 2 else b"0"
    stream = texts[3] if len(texts) > 3 else b"0"
    head = b"hipLaunchKernelGGL(" + b", ".join((name, grid, block, shared, stream))
    arguments = source.trim((opening + 1, closing))
    if arguments[0] < arguments[1]:
        space = source.original((opening + 1, arguments[0]))
        source.replace((kernel[0], opening + 1), head + (b"," if space[:1] in b"\r\n" and space else b", "))
        if space and not space.strip(b" \t"):
            source.out[opening + 1] = b""
    else:
        source.replace((kernel[0], closing), head)
