"""One file being ported: its tokens, the text that replaces them, and how to find one's way in them.

Rules read `tokens`, which never change, and write `out`, which has the same length: a token's
replacement, perhaps with text in front of or behind it, or b"" where it goes. So rules compose in any
order and positions stay those of the user's file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from .lexer import IDENTIFIER, code_like, kind, tokenize

__all__ = ["Note", "Source", "Span"]

Span = tuple[int, int]
"""First token and the one after the last."""

_OPENERS = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSERS = {closer: opener for opener, closer in _OPENERS.items()}
_TEMPLATE_FOLLOWERS = (b"(", b")", b",", b"::", b"{", b";", b">", b"]", b"<<<", b"}", b"")
_TEMPLATE_TOKENS = 256
"""Longest template argument list that is recognised: keeps hostile input linear."""
_NO_TEMPLATE = (b";", b"{", b"}", b")", b"]", b"&&", b"||", b"<<<", b"=")


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know about one place in a file.

    Kinds: unsupported, experimental, deprecated, removed, macro, mask, call, launch, include, encoding.
    """

    line: int
    col: int
    kind: str
    name: str
    message: str


class Source:
    """Tokens of one file, their replacements, notes and counts."""

    def __init__(self, text: bytes) -> None:
        self.tokens = tokenize(text)
        self.out = list(self.tokens)
        self.notes: list[Note] = []
        self.counts: Counter[str] = Counter()
        self.renamed: Counter[tuple[str, str]] = Counter()
        self.candidates: frozenset[int] = frozenset()
        """Tokens that are spelled like CUDA names."""
        self._no_template_before = 0
        self.newline = b"\r\n" if b"\r\n" in text else b"\n"

    @cached_property
    def directives(self) -> list[int]:
        """Tokens that are preprocessor directives, includes among them."""
        return [index for index, token in enumerate(self.tokens) if token[0] == 35 and len(token) > 2]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self.tokens))]

    @cached_property
    def _lines(self) -> list[int]:
        starts, position = [0], 0
        for token in self.tokens:
            at = token.find(b"\n")
            while at >= 0:
                starts.append(position + at + 1)
                at = token.find(b"\n", at + 1)
            position += len(token)
        return starts

    def position(self, index: int) -> tuple[int, int]:
        """Line and column (both from 1, columns in bytes) where a token starts."""
        offset = self._starts[index]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def note(self, index: int, kind: str, name: str | bytes, message: str) -> None:
        """Record a note at a token."""
        line, col = self.position(index)
        text = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
        self.notes.append(Note(line, col, kind, text, message))

    def after(self, index: int) -> int:
        """The next token after `index` that is code; len(tokens) if there is none."""
        index += 1
        while index < len(self.tokens) and not code_like(self.tokens[index]):
            index += 1
        return index

    def before(self, index: int) -> int:
        """The code token before `index`; -1 if there is none."""
        index -= 1
        while index >= 0 and not code_like(self.tokens[index]):
            index -= 1
        return index

    def text(self, index: int) -> bytes:
        """The token at `index`, b"" outside the file."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else b""

    @cached_property
    def partner(self) -> dict[int, int]:
        """Matching brackets, both ways; a bracket that matches nothing is absent."""
        stack: list[tuple[bytes, int]] = []
        open_count = dict.fromkeys(_OPENERS, 0)
        partner: dict[int, int] = {}
        for index, token in enumerate(self.tokens):
            if token in _OPENERS:
                stack.append((token, index))
                open_count[token] += 1
            elif token in _CLOSERS and open_count[_CLOSERS[token]]:
                # Branches of an #if may leave openers of another kind behind: they match nothing.
                while stack:
                    opener, start = stack.pop()
                    open_count[opener] -= 1
                    if opener == _CLOSERS[token]:
                        partner[start], partner[index] = index, start
                        break
        return partner

    def template_end(self, index: int, limit: int) -> int:
        """The `>` that closes the template argument list opened by the `<` at `index`, or -1.

        C++ cannot tell `a < b, c > d` from a template without knowing `a`; taken for a template is what
        holds only types, constants and nested lists, and is followed by what may follow a template-id.
        """
        if index < self._no_template_before:
            return -1
        depth, at, closed = 0, index, False
        limit = min(limit, index + _TEMPLATE_TOKENS)
        while at < limit:
            token = self.tokens[at]
            if token == b"<":
                depth += 1
            elif token == b">":
                depth -= 1
                closed = True
                if depth == 0:
                    return at if self.text(self.after(at)) in _TEMPLATE_FOLLOWERS else -1
            elif token in (b"(", b"["):
                at = self.partner.get(at, limit)
                continue
            elif token in _NO_TEMPLATE or token[:1] in (b'"', b"#"):
                break
            at += 1
        if not closed:  # then no list that opens on the way here closes, either
            self._no_template_before = at
        return -1

    def split(self, start: int, end: int) -> list[Span]:
        """Comma-separated pieces of tokens[start:end], brackets and template lists kept whole."""
        pieces: list[Span] = []
        at = piece = start
        while at < end:
            token = self.tokens[at]
            if token in _OPENERS:
                at = min(self.partner.get(at, at), end - 1)
            elif token == b"<" and at > start and kind(self.text(self.before(at))) == IDENTIFIER:
                close = self.template_end(at, end)
                at = close if close >= 0 else at
            elif token == b",":
                pieces.append((piece, at))
                piece = at + 1
            at += 1
        pieces.append((piece, end))
        return pieces

    def trim(self, span: Span) -> Span:
        """The span without white space and comments at its ends; empty if it holds no code."""
        start, end = span
        while start < end and not code_like(self.tokens[start]):
            start += 1
        while end > start and not code_like(self.tokens[end - 1]):
            end -= 1
        return start, end

    def arguments(self, name: int) -> tuple[int, list[Span], int] | None:
        """The call whose name is at `name`: index of `(`, trimmed arguments, index of `)`.

        None where no parenthesis follows or it is never closed. `f()` has no arguments.
        """
        opening = self.after(name)
        if self.text(opening) != b"(" or opening not in self.partner:
            return None
        closing = self.partner[opening]
        spans = [self.trim(span) for span in self.split(opening + 1, closing)]
        if len(spans) == 1 and spans[0][0] == spans[0][1]:
            spans = []
        return opening, spans, closing

    def render(self, span: Span) -> bytes:
        """The span's text as it now stands."""
        return b"".join(self.out[span[0] : span[1]])

    def original(self, span: Span) -> bytes:
        """The span's text as the user wrote it."""
        return b"".join(self.tokens[span[0] : span[1]])

    def wrap(self, span: Span, opening: bytes, closing: bytes) -> None:
        """Put text around a span that is not empty."""
        self.out[span[0]] = opening + self.out[span[0]]
        self.out[span[1] - 1] += closing

    def replace(self, span: Span, text: bytes) -> None:
        """Put `text` in place of a span that is not empty."""
        self.out[span[0]] = text
        self.out[span[0] + 1 : span[1]] = [b""] * (span[1] - span[0] - 1)

    def result(self) -> bytes:
        """The whole file as it now stands."""
        return b"".join(self.out)
