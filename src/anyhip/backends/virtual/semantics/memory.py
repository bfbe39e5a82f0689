"""Memory instructions as data: how many bytes move, where they come from, what an atomic computes.

Facts: AMD Instinct MI300 (CDNA3) ISA guide, chapters "Flat Memory Instructions" and "Data Share".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["ATOMICS", "MemoryOp", "find"]

Rmw = Callable[..., Any]  # f(b, old, data) -> new, or f(b, old, data, compare) -> new


@dataclass(frozen=True, slots=True)
class MemoryOp:
    """One memory instruction's effect on a lane.

    ``offsets`` has one entry an access: the multiplier of offset0/offset1 for two-address LDS
    instructions, else a single 0 (the instruction's own byte offset applies).
    """

    kind: str  # load, store, atomic
    bits: int = 32  # width of one unit in memory: 8, 16, 32 (64 for atomics)
    units: int = 1  # consecutive units an access; more than one only for 32 bits
    signed: bool = False  # sub-dword loads: sign-extend
    half: str = ""  # "lo"/"hi": the 16-bit half that a d16 instruction loads into or stores from
    strides: tuple[int, ...] = ()  # two-address LDS: bytes that each unit of offset0 and offset1 stands for
    atomic: str = ""  # key of ATOMICS
    returns: bool = False  # LDS atomics: has a destination (others tell by their sc0/glc bit)


_LOADS = {
    "ubyte": MemoryOp("load", 8), "sbyte": MemoryOp("load", 8, signed=True),
    "ushort": MemoryOp("load", 16), "sshort": MemoryOp("load", 16, signed=True),
    "ubyte_d16": MemoryOp("load", 8, half="lo"), "ubyte_d16_hi": MemoryOp("load", 8, half="hi"),
    "sbyte_d16": MemoryOp("load", 8, signed=True, half="lo"), "sbyte_d16_hi": MemoryOp("load", 8, signed=True, half="hi"),
    "short_d16": MemoryOp("load", 16, half="lo"), "short_d16_hi": MemoryOp("load", 16, half="hi"),
    "dword": MemoryOp("load"), "dwordx2": MemoryOp("load", units=2),
    "dwordx3": MemoryOp("load", units=3), "dwordx4": MemoryOp("load", units=4),
}  # fmt: skip
_STORES = {
    "byte": MemoryOp("store", 8), "short": MemoryOp("store", 16),
    "byte_d16_hi": MemoryOp("store", 8, half="hi"), "short_d16_hi": MemoryOp("store", 16, half="hi"),
    "dword": MemoryOp("store"), "dwordx2": MemoryOp("store", units=2),
    "dwordx3": MemoryOp("store", units=3), "dwordx4": MemoryOp("store", units=4),
}  # fmt: skip
_LDS_LOADS = {
    "ds_read_u8": "ubyte", "ds_read_i8": "sbyte", "ds_read_u16": "ushort", "ds_read_i16": "sshort",
    "ds_read_u8_d16": "ubyte_d16", "ds_read_u8_d16_hi": "ubyte_d16_hi", "ds_read_i8_d16": "sbyte_d16",
    "ds_read_i8_d16_hi": "sbyte_d16_hi", "ds_read_u16_d16": "short_d16", "ds_read_u16_d16_hi": "short_d16_hi",
    "ds_read_b32": "dword", "ds_read_b64": "dwordx2", "ds_read_b96": "dwordx3", "ds_read_b128": "dwordx4",
}  # fmt: skip
_LDS_STORES = {
    "ds_write_b8": "byte", "ds_write_b16": "short", "ds_write_b8_d16_hi": "byte_d16_hi",
    "ds_write_b16_d16_hi": "short_d16_hi", "ds_write_b32": "dword", "ds_write_b64": "dwordx2",
    "ds_write_b96": "dwordx3", "ds_write_b128": "dwordx4",
}  # fmt: skip


def _wrap_inc(b: Any, old: Any, limit: Any) -> Any:
    return old.cmp("uge", limit).select(0, old + 1)


def _wrap_dec(b: Any, old: Any, limit: Any) -> Any:
    return (old.eq(0) | old.cmp("ugt", limit)).select(limit, old - 1)


def _float(type: str, function: Rmw) -> Rmw:
    return lambda b, old, x: function(old.bitcast(type), x.bitcast(type)).int_bits()


def _min(a: Any, c: Any) -> Any:
    return (a.cmp("ole", c) | c.isnan()).select(a, c)


def _max(a: Any, c: Any) -> Any:
    return (a.cmp("oge", c) | c.isnan()).select(a, c)


def _packed_add(type: str) -> Rmw:
    def add(b: Any, old: Any, x: Any) -> Any:
        def half(shift: int) -> Any:
            parts = [(v >> shift).trunc("i16").bitcast(type) for v in (old, x)]
            return (parts[0] + parts[1]).int_bits().zext("i32")

        return half(0) | (half(16) << 16)

    return add


# name -> (bits, meaning, LLVM atomicrmw operation or "" when it takes a compare-and-swap loop)
ATOMICS: dict[str, tuple[int, Rmw, str]] = {}
for _bits, _suffix in ((32, ""), (64, "_x2")):
    ATOMICS |= {
        f"swap{_suffix}": (_bits, lambda b, old, x: x, "xchg"),
        f"cmpswap{_suffix}": (_bits, lambda b, old, x, expected: old.eq(expected).select(x, old), "cmpxchg"),
        f"add{_suffix}": (_bits, lambda b, old, x: old + x, "add"),
        f"sub{_suffix}": (_bits, lambda b, old, x: old - x, "sub"),
        f"rsub{_suffix}": (_bits, lambda b, old, x: x - old, ""),
        f"smin{_suffix}": (_bits, lambda b, old, x: old.smin(x), "min"),
        f"umin{_suffix}": (_bits, lambda b, old, x: old.umin(x), "umin"),
        f"smax{_suffix}": (_bits, lambda b, old, x: old.smax(x), "max"),
        f"umax{_suffix}": (_bits, lambda b, old, x: old.umax(x), "umax"),
        f"and{_suffix}": (_bits, lambda b, old, x: old & x, "and"),
        f"or{_suffix}": (_bits, lambda b, old, x: old | x, "or"),
        f"xor{_suffix}": (_bits, lambda b, old, x: old ^ x, "xor"),
        f"inc{_suffix}": (_bits, _wrap_inc, "uinc_wrap"),
        f"dec{_suffix}": (_bits, _wrap_dec, "udec_wrap"),
    }
ATOMICS |= {
    "add_f32": (32, _float("float", lambda a, c: a + c), ""),
    "min_f32": (32, _float("float", _min), ""),
    "max_f32": (32, _float("float", _max), ""),
    "add_f64": (64, _float("double", lambda a, c: a + c), ""),
    "min_f64": (64, _float("double", _min), ""),
    "max_f64": (64, _float("double", _max), ""),
    "pk_add_f16": (32, _packed_add("half"), ""),
    "pk_add_bf16": (32, _packed_add("bfloat"), ""),
}

# the LDS unit's spelling of the same operations
_LDS_ATOMICS = {
    "add": "add", "sub": "sub", "rsub": "rsub", "inc": "inc", "dec": "dec", "min_i": "smin", "max_i": "smax",
    "min_u": "umin", "max_u": "umax", "and_b": "and", "or_b": "or", "xor_b": "xor", "wrxchg": "swap", "cmpst": "cmpswap",
}  # fmt: skip


def _lds_table() -> dict[str, MemoryOp]:
    table = {name: _LOADS[key] for name, key in _LDS_LOADS.items()}
    table |= {name: _STORES[key] for name, key in _LDS_STORES.items()}
    for bits, width in (("b32", 4), ("b64", 8)):
        for form, scale in (("2", 1), ("2st64", 64)):
            strides = (width * scale, width * scale)
            table[f"ds_read{form}_{bits}"] = MemoryOp("load", units=width // 4, strides=strides)
            table[f"ds_write{form}_{bits}"] = MemoryOp("store", units=width // 4, strides=strides)
    for stem, operation in _LDS_ATOMICS.items():
        for bits, suffix in ((32, ""), (64, "_x2")):
            letter = "" if stem[-2:] in ("_i", "_u", "_b") else "_u" if stem in ("add", "sub", "rsub", "inc", "dec") else "_b"
            spelled = f"{stem}{letter}{bits}"
            plain = f"ds_{spelled}"
            returning = f"ds_{spelled.replace(letter or stem[-2:], '_rtn' + (letter or stem[-2:]), 1)}"
            if stem != "wrxchg":
                table[plain] = MemoryOp("atomic", bits, atomic=operation + suffix)
            table[returning] = MemoryOp("atomic", bits, atomic=operation + suffix, returns=True)
    for operation in ("add_f32", "min_f32", "max_f32", "add_f64", "min_f64", "max_f64", "pk_add_f16", "pk_add_bf16"):
        stem, kind = operation.rsplit("_", 1)
        bits = 64 if kind == "f64" else 32
        table[f"ds_{operation}"] = MemoryOp("atomic", bits, atomic=operation)
        table[f"ds_{stem}_rtn_{kind}"] = MemoryOp("atomic", bits, atomic=operation, returns=True)
    return table


def _global_table() -> dict[str, MemoryOp]:
    table: dict[str, MemoryOp] = {}
    for space in ("global", "flat", "scratch"):
        table |= {f"{space}_load_{key}": value for key, value in _LOADS.items()}
        table |= {f"{space}_store_{key}": value for key, value in _STORES.items()}
    for space in ("global", "flat"):
        for operation, (bits, _, _) in ATOMICS.items():
            table[f"{space}_atomic_{operation}"] = MemoryOp("atomic", bits, atomic=operation)
    return table


_TABLE = _global_table() | _lds_table()


def find(name: str) -> MemoryOp | None:
    """The memory effect of an instruction, or None when it has none that is known."""
    return _TABLE.get(name)
