"""Records of the printf buffer: layout, arguments, and glibc's formatting byte for byte."""

from __future__ import annotations

import ctypes
import itertools
import struct

import pytest

from anyhip.backends.virtual.printf import decode
from anyhip.backends.virtual.printf_format import INTEGERS, parse, render

LIBC = ctypes.CDLL(None)


def snprintf(template: bytes, *values: object) -> bytes:
    buffer = ctypes.create_string_buffer(2048)
    length = LIBC.snprintf(buffer, len(buffer), template, *values)
    return buffer.raw[:length]


def padded(text: bytes) -> bytes:
    return text + b"\0" * (8 - len(text) % 8)


def record(payload: bytes, flags: int = 2) -> bytes:
    return struct.pack("<I", (len(payload) + 4) << 2 | flags) + payload


def constant(key: int, *words: bytes) -> bytes:
    return record(struct.pack("<Q", key) + b"".join(words))


def word(value: int) -> bytes:
    return struct.pack("<Q", value & (1 << 64) - 1)


def test_records_of_constant_formats_as_clang_stores_them() -> None:
    # control words and sizes as clang 22 emits them for these calls
    formats = {0x3F3F: "plain\n", 0xAB46: "n=%d f=%f s=%s l=%lld c=%c\n"}
    first = constant(0x3F3F)
    second = constant(
        0xAB46, word(0xFFFFFFFE), struct.pack("<d", 1.5), padded(b"literal"), word(-(1 << 40)), word(120)
    )
    assert struct.unpack_from("<I", first)[0] == 50
    assert decode(first + second, formats) == [
        (False, b"plain\n"),
        (False, b"n=-2 f=1.500000 s=literal l=-1099511627776 c=x\n"),
    ]


def test_a_string_of_eight_bytes_keeps_its_zero_in_the_next_eight() -> None:
    assert decode(constant(1, padded(b"12345678"), word(5)), {1: "%s|%d"}) == [(False, b"12345678|5")]
    assert decode(constant(1, padded(b""), word(5)), {1: "%s|%d"}) == [(False, b"|5")]


def test_null_strings_take_no_bytes() -> None:
    assert decode(constant(1), {1: "%s"}) == [(False, b"(null)")]
    assert decode(constant(1, word(0x41)), {1: "%s %d"}) == [(False, b"(null) 65")]


def test_a_format_that_is_no_constant_has_addresses_for_strings() -> None:
    data = record(padded(b"%d %s %s\n") + word(7) + word(0x1000) + word(0), 0)
    assert decode(data, {}) == [(False, b"7 (string at 0x1000) (null)\n")]
    assert decode(data, {}, {0x1000: b"abc"}.__getitem__) == [(False, b"7 abc (null)\n")]


def test_the_assertion_message_goes_to_stderr_with_inline_strings() -> None:
    data = record(padded(b"%s:%u: %s\n") + padded(b"file.hip") + word(12) + padded(b"i < n"), 1)
    assert decode(data, {}) == [(True, b"file.hip:12: i < n\n")]


def test_an_unknown_format_and_misfitting_arguments_say_so() -> None:
    assert decode(constant(0x12), {}) == [(False, b"(printf with an unknown format 0x0000000000000012)\n")]
    [(_, text)] = decode(constant(1, word(1)), {1: "%d %d\n"})
    assert text == b"(printf arguments do not match the format: %d %d)\n"


def test_a_zero_control_word_ends_the_buffer() -> None:
    data = constant(1, word(3)) + bytes(4) + constant(1, word(4))
    assert decode(data, {1: "%d"}) == [(False, b"3")]
    assert decode(constant(1, word(3))[:-1], {1: "%d"}) == []


INTEGER_VALUES = [0, 1, -1, 42, -77, 65, 255, 2**31 - 1, -(2**31)]
FLOAT_VALUES = [
    0.0, -0.0, 1.0, -1.5, 3.14159, 1e10, 1e-10, 123456789.123, float("inf"), -float("inf"), float("nan"),
    5e-324, 2.5, 0.5, 1.7976931348623157e308, 99999.95, 1e15,
]  # fmt: skip
FLAGS = ["", "-", "+", " ", "#", "0", "+0", "-0", "#0", " 0"]


@pytest.mark.parametrize("conversion", "dioxXu")
def test_integers_print_as_in_glibc(conversion: str) -> None:
    for flags, width, precision in itertools.product(FLAGS, ["", "8", "1"], ["", ".0", ".3", ".10", "."]):
        template = f"%{flags}{width}{precision}{conversion}".encode()
        (directive,) = parse(template)
        size, signed = INTEGERS[directive.consumes[-1]]
        for value in INTEGER_VALUES:
            stored = int.from_bytes(word(value)[:size], "little", signed=signed)
            assert render(directive, [stored]) == snprintf(template, ctypes.c_int(value)), (template, value)


@pytest.mark.parametrize("conversion", "fFeEgGaA")
def test_floats_print_as_in_glibc(conversion: str) -> None:
    for flags, width, precision in itertools.product(FLAGS, ["", "12"], ["", ".0", ".3", ".14"]):
        template = f"%{flags}{width}{precision}{conversion}".encode()
        (directive,) = parse(template)
        for value in FLOAT_VALUES:
            assert render(directive, [value]) == snprintf(template, ctypes.c_double(value)), (template, value)


@pytest.mark.parametrize(
    ("template", "value", "expected"),
    [
        ("%hhd", 0x1FF, b"-1"), ("%hhu", 0x1FF, b"255"), ("%hd", 0x18000, b"-32768"), ("%ld", -5, b"-5"),
        ("%llu", -1, b"18446744073709551615"), ("%zu", 4, b"4"), ("%jd", -4, b"-4"), ("%td", -3, b"-3"),
        ("%p", 0x7F00, b"0x7f00"), ("%p", 0, b"(nil)"), ("%10p", 0x7F00, b"    0x7f00"), ("%c", 65, b"A"),
        ("%-3c|", 65, b"A  |"), ("%lx", 1 << 40, b"10000000000"), ("100%%", None, b"100%"),
        ("50% z", None, b"50% z"),
    ],
)  # fmt: skip
def test_length_modifiers(template: str, value: int | None, expected: bytes) -> None:
    words = [] if value is None else [word(value)]
    assert decode(constant(1, *words), {1: template}) == [(False, expected)]


def test_star_takes_width_and_precision_from_the_arguments() -> None:
    data = constant(1, word(8), word(2), struct.pack("<d", 3.14159))
    assert decode(data, {1: "%*.*f|"}) == [(False, b"    3.14|")]
    assert decode(constant(1, word(-6), word(7)), {1: "%*d|"}) == [(False, b"7     |")]
    assert decode(constant(1, word(-1), padded(b"all")), {1: "%.*s|"}) == [(False, b"all|")]


def test_strings_are_cut_and_padded() -> None:
    assert decode(constant(1, padded(b"abcdef")), {1: "%8.3s|"}) == [(False, b"     abc|")]
    assert decode(constant(1, padded(b"abc")), {1: "%-8s|"}) == [(False, b"abc     |")]
