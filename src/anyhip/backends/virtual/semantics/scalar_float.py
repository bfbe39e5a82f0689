"""Floating point and 64-bit arithmetic of the scalar ALU (RDNA3.5 and RDNA4).

The vector ALU's instructions on uniform values. A 16-bit result fills its register with zeros.
Facts: AMD RDNA4 ISA guide, "Instructions", SOP1, SOP2 and SOPC.
"""

from __future__ import annotations

from anyhip.backends.virtual.semantics import SEMANTICS, convert, op, ordering, rdna, real
from anyhip.backends.virtual.semantics.compare import REAL_PREDICATES
from anyhip.backends.virtual.value import Builder, Value

_FAMILIES = (convert, ordering, rdna, real)  # whose instructions must be registered first

# scalar name -> the vector instruction that does the same
_SAME_AS = {
    "s_cvt_pk_rtz_f16_f32": "v_cvt_pkrtz_f16_f32",
    "s_fmaak_f32": "v_fma_f32",
    "s_fmac_f32": "v_fma_f32",
    "s_fmac_f16": "v_fma_f16",
    "s_fmamk_f32": "v_fmamk_f32",
}
for _pair in ("f32_i32", "f32_u32", "i32_f32", "u32_f32", "f16_f32", "f32_f16"):
    _SAME_AS[f"s_cvt_{_pair}"] = f"v_cvt_{_pair}"
for _type in ("f16", "f32"):
    _SAME_AS |= {f"s_{word}_num_{_type}": f"v_{word}_{_type}" for word in ("min", "max")}
    for _word in ("add", "sub", "mul", "ceil", "floor", "trunc", "rndne", "minimum", "maximum"):
        _SAME_AS[f"s_{_word}_{_type}"] = f"v_{_word}_{_type}"
for _scalar, _vector in _SAME_AS.items():
    op(_scalar)(SEMANTICS[_vector])


@op("s_cvt_hi_f32_f16")
def _convert_high(b: Builder, x: Value) -> Value:
    return (x >> 16).trunc("i16").bitcast("half").to("float")


def _register_compare(word: str, predicate: str) -> None:
    @op(f"s_cmp_{word}_f16", f"s_cmp_{word}_f32")
    def compare(b: Builder, x: Value, y: Value) -> Value:
        return x.cmp(predicate, y)


for _word, _predicate in REAL_PREDICATES.items():
    if _predicate not in ("false", "true"):
        _register_compare(_word, _predicate)


# -- 64-bit integers
@op("s_add_nc_u64")
def _add(b: Builder, x: Value, y: Value) -> Value:
    return x + y


@op("s_sub_nc_u64")
def _sub(b: Builder, x: Value, y: Value) -> Value:
    return x - y


@op("s_mul_u64")
def _mul(b: Builder, x: Value, y: Value) -> Value:
    return x * y
