"""Tokens: classes, literals and comments in full, and nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyhip.hipify import lexer

# Pieces that start, end or nest what a lexer must not confuse.
PIECES = [
    '"', "'", "\\", "\n", "\r\n", "//", "/*", "*/", 'R"(', ')"', 'R"x(', ')x"', "u8", "L", "#",
    "#include <a>", '#include "b"', "#error it's", "#define", "<<<", ">>>", "0x1p-3", "1'000", ".5e+3",
    "cudaMalloc", " ", "\t", "(", ")", "$", "\0", "é", "::", "->",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5)).map("".join))
def test_nothing_is_lost(text: str) -> None:
    data = text.encode()
    tokens = lexer.tokenize(data)
    assert b"".join(tokens) == data
    assert all(tokens)


@given(st.binary(max_size=200))
def test_nothing_is_lost_of_any_bytes(data: bytes) -> None:
    assert b"".join(lexer.tokenize(data)) == data


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"cudaMalloc", lexer.IDENTIFIER),
        (b"_x$1\xc3\xa9", lexer.IDENTIFIER),
        (b"1'000'000ull", lexer.NUMBER),
        (b".5e-3f", lexer.NUMBER),
        (b"0x1.8p+3", lexer.NUMBER),
        (rb'"a\"b\\"', lexer.STRING),
        (b'u8"x"', lexer.STRING),
        (b'R"x(a)" \n")x"', lexer.STRING),
        (b'LR"(a\\)"', lexer.STRING),
        (rb"'\''", lexer.CHARACTER),
        (b"u'x'", lexer.CHARACTER),
        (b"// a \\\n b", lexer.COMMENT),
        (b"// a \\\r\n b", lexer.COMMENT),
        (b"/* a // \n * b */", lexer.COMMENT),
        (b"/* no end", lexer.COMMENT),
        (b"#include <a/b.h>", lexer.INCLUDE),
        (b'#  include\t"b.h"', lexer.INCLUDE),
        (b"# ifdef", lexer.DIRECTIVE),
        (b"#error it's cudaMalloc", lexer.DIRECTIVE),
        (b" \t\r\n\f", lexer.SPACE),
        (b"\\\n", lexer.SPACE),
        (b"<<<", lexer.PUNCTUATION),
        (b"->", lexer.PUNCTUATION),
    ],
)
def test_one_token(text: bytes, kind: str) -> None:
    assert lexer.tokenize(text) == [text]
    assert lexer.kind(text) == kind


def test_unterminated_string_ends_with_its_line() -> None:
    assert lexer.tokenize(b"it's\ncudaFree") == [b"it", b"'s", b"\n", b"cudaFree"]


def test_raw_string_does_not_change_other_tokens() -> None:
    assert lexer.tokenize(b'f(R"(x)", a)') == [b"f", b"(", b'R"(x)"', b",", b" ", b"a", b")"]


def test_division_is_no_comment() -> None:
    assert lexer.tokenize(b"a=/*c*/b/ *p") == [b"a", b"=", b"/*c*/", b"b", b"/", b" ", b"*", b"p"]


def test_code_like() -> None:
    tokens = lexer.tokenize(b"a /b// c\n /*d*/ \\\n /e")
    assert [token for token in tokens if lexer.code_like(token)] == [b"a", b"/", b"b", b"/", b"e"]
