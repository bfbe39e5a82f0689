"""Bytes of C++ source in, tokens out; joining the tokens gives the bytes back.

Works on bytes, so that line endings and encodings survive. Names follow the C++ standard's phases of
translation ([lex.phases]) as far as porting needs them: comments and literals are single tokens, a raw
string reaches to its own delimiter, `#include <path>` is one token because a path is not C++ text, and
the prose after `#error`/`#warning` belongs to the directive. Digraphs and trigraphs are not known.
"""

from __future__ import annotations

import re

__all__ = [
    "CHARACTER",
    "COMMENT",
    "DIRECTIVE",
    "IDENTIFIER",
    "INCLUDE",
    "NUMBER",
    "PUNCTUATION",
    "SPACE",
    "STRING",
    "code_like",
    "include_path",
    "kind",
    "tokenize",
]

SPACE = "space"
IDENTIFIER = "identifier"
NUMBER = "number"
STRING = "string"
CHARACTER = "character"
COMMENT = "comment"
INCLUDE = "include"
DIRECTIVE = "directive"
PUNCTUATION = "punctuation"

_SPACE = rb"[ \t\n\r\f\v]++"
_SPLICE = rb"\\[ \t]*+\r?\n"
_ESCAPE = rb"\\(?:\r\n|.)"
# An unterminated literal ends with its line: prose in a skipped `#if 0` must not swallow the file.
_STRING = rb'(?:u8|[uUL])?"(?:[^"\\\n]|' + _ESCAPE + rb')*+"?'
_CHARACTER = rb"(?:u8|[uUL])?'(?:[^'\\\n]|" + _ESCAPE + rb")*+'?"
_IDENTIFIER = rb"[A-Za-z_\x80-\xff$][\w\x80-\xff$]*+"
_NUMBER = rb"\.?[0-9](?:[eEpP][+-]|'?[0-9A-Za-z_]|\.)*+"
_COMMENT = rb"//(?:[^\\\n]|\\(?:\r\n|.)|\\)*+|/\*(?:.*?\*/|.*)"
_DIRECTIVE = (
    rb"#[ \t]*+(?:include(?:_next)?[ \t]*+(?:<[^>\n]*+>|\"[^\"\n]*+\")"
    rb"|(?:error|warning)\b(?:[^\\\n]|\\(?:\r\n|.)|\\)*+"
    rb"|(?:define|undef|if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|pragma|line|include)\b)"
)
_PUNCTUATION = rb"<<<|::|->|[-+*%=!&|^~?]++"
_ORDINARY = rb"|".join(
    (_SPACE, _STRING, _CHARACTER, _IDENTIFIER, _NUMBER, _COMMENT, _DIRECTIVE, _SPLICE, _PUNCTUATION, rb".")
)
# findall without groups hands out a list of bytes several times faster than match objects do;
# only a file with raw strings needs the group of a back reference.
_TOKENS = re.compile(_ORDINARY, re.DOTALL)
_RAW_START = re.compile(rb'(?:u8|[uUL])?R"')
_TOKENS_RAW = re.compile(rb'(?:u8|[uUL])?R"([^()\\\s"]{0,16})\((?:.*?\)\1"|.*)|' + _ORDINARY, re.DOTALL)
_LITERAL_START = re.compile(rb"(?:u8|[uUL])?R?([\"'])")
_PATH = re.compile(rb"(#[ \t]*include(?:_next)?[ \t]*)([<\"])([^>\"\n]*)[>\"]$")


def tokenize(text: bytes) -> list[bytes]:
    """Split source text into tokens.

    Args:
        text: any bytes; nothing is an error.

    Returns:
        Tokens whose concatenation is `text`.
    """
    if _RAW_START.search(text):
        return [match.group() for match in _TOKENS_RAW.finditer(text)]
    return _TOKENS.findall(text)


def kind(token: bytes) -> str:
    """The class of a token that `tokenize` made: one of the constants of this module."""
    first = token[:1]
    if first.isspace():
        return SPACE
    if first == b"#":
        if len(token) == 1:
            return PUNCTUATION
        return INCLUDE if _PATH.match(token) else DIRECTIVE
    if token[:2] in (b"//", b"/*"):
        return COMMENT
    literal = _LITERAL_START.match(token)
    if literal:
        return STRING if literal.group(1) == b'"' else CHARACTER
    if first.isalpha() or first in (b"_", b"$") or first >= b"\x80":
        return IDENTIFIER
    if first.isdigit() or (first == b"." and token[1:2].isdigit()):
        return NUMBER
    if first == b"\\" and token.endswith(b"\n"):
        return SPACE
    return PUNCTUATION


def code_like(token: bytes) -> bool:
    """False for what the compiler skips between tokens: white space, line splices and comments."""
    first = token[0]
    if first <= 32 or first == 92:
        return False
    return not (first == 47 and token[1:2] in (b"/", b"*"))


def include_path(token: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Directive text, opening quote and path of an include token; None for any other token."""
    match = _PATH.match(token)
    return (match.group(1), match.group(2), match.group(3)) if match else None
