"""Memory instructions as data: how many bytes move, where they come from, what an atomic computes.

Facts: AMD Instinct MI300 (CDNA3) ISA guide, chapters "Flat Memory Instructions", "Data Share" and 9.2; RDNA2,
RDNA3 and RDNA4 ISA guides for what only they have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from anyhip.backends.virtual.semantics.arithmetic import flush, flush_input, flush_output
from anyhip.backends.virtual.semantics.ordering import quiet, real_max, real_min
from anyhip.backends.virtual.value import Builder, Value

__all__ = ["ATOMICS", "MemoryOp", "atomic_operands", "find"]

Rmw = Callable[..., Value]  # f(b, old, data) -> new, or f(b, old, data, compare) -> new


@dataclass(frozen=True, slots=True)
class MemoryOp:
    """One memory instruction's effect on a lane.

    An instruction without ``strides`` makes one access, at its own byte offset.
    """

    kind: str  # load, store, atomic
    bits: int = 32  # width of one unit in memory: 8, 16, 32 (64 for atomics)
    units: int = 1  # consecutive units an access; more than one only for 32 bits
    signed: bool = False  # sub-dword loads: sign-extend
    half: str = ""  # "lo"/"hi": the 16-bit half that a d16 instruction loads into or stores from
    strides: tuple[int, ...] = ()  # two-address LDS: bytes that each unit of offset0 and offset1 stands for
    atomic: str = ""  # key of ATOMICS
    returns: bool = False  # LDS atomics: has a destination (others tell by their sc0/glc bit)
    to_lds: bool = False  # loads: the lane's dword goes to LDS, at M0 + offset + 4 * lane


_LOADS = {
    "ubyte": MemoryOp("load", 8), "sbyte": MemoryOp("load", 8, signed=True),
    "ushort": MemoryOp("load", 16), "sshort": MemoryOp("load", 16, signed=True),
    "ubyte_d16": MemoryOp("load", 8, half="lo"), "ubyte_d16_hi": MemoryOp("load", 8, half="hi"),
    "sbyte_d16": MemoryOp("load", 8, signed=True, half="lo"),
    "sbyte_d16_hi": MemoryOp("load", 8, signed=True, half="hi"),
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


def _wrap_inc(b: Builder, old: Value, limit: Value) -> Value:
    return old.cmp("uge", limit).select(0, old + 1)


def _wrap_dec(b: Builder, old: Value, limit: Value) -> Value:
    return (old.eq(0) | old.cmp("ugt", limit)).select(limit, old - 1)


# -- floats. MODE's flushing of denormals counts in LDS only, where b.mode is the wave's.
def _float_add(type: str) -> Rmw:
    def add(b: Builder, old: Value, x: Value) -> Value:
        if type == "double":  # this adder does not flush
            return (old.bitcast(type) + x.bitcast(type)).int_bits()
        total = flush_input(b, old.bitcast(type)) + flush_input(b, x.bitcast(type))
        return flush_output(b, total).int_bits()

    return add


def _float_extreme(type: str, pick: Callable[[Builder, Value, Value], Value]) -> Rmw:
    def extreme(b: Builder, old: Value, x: Value) -> Value:
        """A denormal that counts as zero is kept as it is where it is the result."""
        first, second = old.bitcast(type), x.bitcast(type)
        if b.mode.keeps_inputs(type):
            return pick(b, first, second).int_bits()
        first, second = quiet(first), quiet(second)
        stays = pick(b, flush(first), flush(second)).int_bits().eq(flush(first).int_bits())
        return stays.select(first.int_bits(), second.int_bits())

    return extreme


def _exchange_if_marked(b: Builder, old: Value, x: Value) -> Value:
    """Each dword whose top bit is set replaces the old one, without that bit."""

    def part(shift: int) -> Value:
        new = (x >> shift).trunc("i32")
        chosen = new.cmp("slt", 0).select(new & 0x7FFFFFFF, (old >> shift).trunc("i32"))
        return chosen.zext("i64") << shift

    return part(0) | part(32)


def _float_compare(type: str) -> Rmw:
    def swap(b: Builder, old: Value, x: Value, expected: Value) -> Value:
        equal = flush_input(b, old.bitcast(type)).eq(flush_input(b, expected.bitcast(type)))
        return equal.select(flush_input(b, x.bitcast(type)).int_bits(), old)

    return swap


def _packed_add(type: str) -> Rmw:
    def add(b: Builder, old: Value, x: Value) -> Value:
        def half(shift: int) -> Value:
            parts = [flush_input(b, (v >> shift).trunc("i16").bitcast(type)) for v in (old, x)]
            return flush_output(b, parts[0] + parts[1]).int_bits().zext("i32")

        return half(0) | (half(16) << 16)

    return add


# name -> (meaning, LLVM atomicrmw operation or "" when it takes a compare-and-swap loop)
_INTEGER_ATOMICS: dict[str, tuple[Rmw, str]] = {
    "swap": (lambda b, old, x: x, "xchg"),
    "cmpswap": (lambda b, old, x, expected: old.eq(expected).select(x, old), "cmpxchg"),
    "add": (lambda b, old, x: old + x, "add"),
    "sub": (lambda b, old, x: old - x, "sub"),
    "rsub": (lambda b, old, x: x - old, ""),
    "smin": (lambda b, old, x: old.smin(x), "min"),
    "umin": (lambda b, old, x: old.umin(x), "umin"),
    "smax": (lambda b, old, x: old.smax(x), "max"),
    "umax": (lambda b, old, x: old.umax(x), "umax"),
    "and": (lambda b, old, x: old & x, "and"),
    "or": (lambda b, old, x: old | x, "or"),
    "xor": (lambda b, old, x: old ^ x, "xor"),
    "inc": (_wrap_inc, "uinc_wrap"),
    "dec": (_wrap_dec, "udec_wrap"),
}
_FLOAT_ATOMICS: dict[str, tuple[int, Rmw, str]] = {
    "add_f32": (32, _float_add("float"), ""),
    "min_f32": (32, _float_extreme("float", real_min), ""),
    "max_f32": (32, _float_extreme("float", real_max), ""),
    "add_f64": (64, _float_add("double"), ""),
    "min_f64": (64, _float_extreme("double", real_min), ""),
    "max_f64": (64, _float_extreme("double", real_max), ""),
    "pk_add_f16": (32, _packed_add("half"), ""),
    "pk_add_bf16": (32, _packed_add("bfloat"), ""),
}
# RDNA's own, by the spelling of its oldest generation
_RDNA_ATOMICS: dict[str, tuple[int, Rmw, str]] = {
    "fmin": (32, _float_extreme("float", real_min), ""),
    "fmax": (32, _float_extreme("float", real_max), ""),
    "fcmpswap": (32, _float_compare("float"), ""),
    "fmin_x2": (64, _float_extreme("double", real_min), ""),
    "fmax_x2": (64, _float_extreme("double", real_max), ""),
    "fcmpswap_x2": (64, _float_compare("double"), ""),
    "csub": (32, lambda b, old, x: old.ult(x).select(0, old - x), ""),
    "cond_sub_u32": (32, lambda b, old, x: old.ult(x).select(old, old - x), ""),
}
# what only LDS has
_LDS_ONLY: dict[str, tuple[int, Rmw, str]] = {
    "mskor": (32, lambda b, old, mask, x: (old & ~mask) | x, ""),
    "mskor_x2": (64, lambda b, old, mask, x: (old & ~mask) | x, ""),
    "wrap": (32, lambda b, old, x, y: old.cmp("uge", x).select(old - x, old + y), ""),
    "condxchg32": (64, _exchange_if_marked, ""),
    "cmpswap_f32": (32, _float_compare("float"), ""),
    "cmpswap_f64": (64, _float_compare("double"), ""),
}
_WIDTHS = ((32, ""), (64, "_x2"))  # bits, and the ending of such an operation's name in ATOMICS
# name -> (bits, meaning, LLVM's operation)
ATOMICS: dict[str, tuple[int, Rmw, str]] = (
    {
        name + suffix: (bits, *operation)
        for bits, suffix in _WIDTHS
        for name, operation in _INTEGER_ATOMICS.items()
    }
    | _FLOAT_ATOMICS
    | _RDNA_ATOMICS
    | _LDS_ONLY
)


def atomic_operands(operation: MemoryOp, name: str) -> tuple[tuple[str, int], ...]:
    """Source field and first dword of each operand that an atomic's meaning takes after the old value.

    LDS has ds_cmpst with the comparison first and the new value second, ds_cmpstore vice versa.
    """
    swap = "cmpswap" in operation.atomic
    if not name.startswith("ds_"):
        field = "sdata" if name.startswith("s_") else "vdata"
        return ((field, 0), (field, operation.bits // 32)) if swap else ((field, 0),)
    if swap and not name.startswith("ds_cmpstore"):
        return ("data1", 0), ("data0", 0)
    if swap or operation.atomic.startswith(("mskor", "wrap")):
        return ("data0", 0), ("data1", 0)
    return (("data0", 0),)


# the LDS unit's spelling of the integer operations: ds_<stem>[_rtn]_<letter><bits>
_LDS_ATOMICS = {
    ("add", "u"): "add", ("sub", "u"): "sub", ("rsub", "u"): "rsub", ("inc", "u"): "inc", ("dec", "u"): "dec",
    ("min", "i"): "smin", ("max", "i"): "smax", ("min", "u"): "umin", ("max", "u"): "umax",
    ("and", "b"): "and", ("or", "b"): "or", ("xor", "b"): "xor", ("cmpst", "b"): "cmpswap",
    ("wrxchg", "b"): "swap",
}  # fmt: skip


def _lds_atomic(stem: str, type: str, operation: str) -> dict[str, MemoryOp]:
    """The instruction in its plain and its returning form; an exchange has only the latter."""
    plain = MemoryOp("atomic", ATOMICS[operation][0], atomic=operation)
    forms = {f"ds_{stem}_{type}": plain} if stem != "wrxchg" else {}
    return forms | {f"ds_{stem}_rtn_{type}": replace(plain, returns=True)}


def _lds_table() -> dict[str, MemoryOp]:
    table = {name: _LOADS[key] for name, key in _LDS_LOADS.items()}
    table |= {name: _STORES[key] for name, key in _LDS_STORES.items()}
    for bits, units in ((32, 1), (64, 2)):
        for form, stride in (("2", bits // 8), ("2st64", bits // 8 * 64)):
            strides = (stride, stride)
            table[f"ds_read{form}_b{bits}"] = MemoryOp("load", units=units, strides=strides)
            table[f"ds_write{form}_b{bits}"] = MemoryOp("store", units=units, strides=strides)
    for (stem, letter), operation in _LDS_ATOMICS.items():
        for bits, suffix in _WIDTHS:
            table |= _lds_atomic(stem, f"{letter}{bits}", operation + suffix)
    for operation, stem, type in (
        ("mskor", "mskor", "b32"), ("mskor_x2", "mskor", "b64"),
        ("cmpswap_f32", "cmpst", "f32"), ("cmpswap_f64", "cmpst", "f64"),
        ("cmpswap", "cmpstore", "b32"), ("cmpswap_x2", "cmpstore", "b64"),
        ("cmpswap_f32", "cmpstore", "f32"), ("cmpswap_f64", "cmpstore", "f64"),
        ("cond_sub_u32", "cond_sub", "u32"), ("csub", "sub_clamp", "u32"),
    ):  # fmt: skip
        table |= _lds_atomic(stem, type, operation)
    for operation, name in (("wrap", "ds_wrap_rtn_b32"), ("condxchg32", "ds_condxchg32_rtn_b64")):
        table[name] = MemoryOp("atomic", ATOMICS[operation][0], atomic=operation, returns=True)
    for operation in _FLOAT_ATOMICS:
        stem, _, type = operation.rpartition("_")
        table |= _lds_atomic(stem, type, operation)
    return table


def _global_table() -> dict[str, MemoryOp]:
    table: dict[str, MemoryOp] = {}
    for space in ("global", "flat", "scratch"):
        table |= {f"{space}_load_{key}": value for key, value in _LOADS.items()}
        table |= {f"{space}_store_{key}": value for key, value in _STORES.items()}
        if space != "flat":
            for key in ("ubyte", "sbyte", "ushort", "sshort", "dword", "dwordx3", "dwordx4"):
                table[f"{space}_load_lds_{key}"] = replace(_LOADS[key], to_lds=True)
    for space in ("global", "flat"):
        for operation in ATOMICS.keys() - _LDS_ONLY.keys():
            bits = ATOMICS[operation][0]
            table[f"{space}_atomic_{operation}"] = MemoryOp("atomic", bits, atomic=operation)
    return table


_TABLE = _global_table() | _lds_table()


def find(name: str) -> MemoryOp | None:
    """The memory effect of an instruction, or None when it has none that is known."""
    return _TABLE.get(name)
