"""Directed rounding in LLVM IR: functions of the module that set the host's rounding mode for one operation.

LLVM takes all other arithmetic to round to nearest even, so nothing but these functions may run with another
mode. They are slow, and only for kernels that change FP_ROUND. Halves are computed in double and narrowed:
rounding twice in one direction is rounding once.
"""

from __future__ import annotations

__all__ = ["ATTRIBUTES", "convert", "operation"]

from typing import TYPE_CHECKING

from anyhip.backends.virtual.mode import DOWN, TOWARD_ZERO, UP
from anyhip.backends.virtual.value import Value

if TYPE_CHECKING:
    from anyhip.backends.virtual.llvm_builder import LlvmBuilder

_HOST = {UP: 2, DOWN: 3, TOWARD_ZERO: 0}  # C's FLT_ROUNDS, as llvm.set.rounding takes it
_HOST_NEAREST = 1
ATTRIBUTES = "attributes #6 = { strictfp }"  # of calls; #5, of the functions, names the host's features too


def operation(b: LlvmBuilder, op: str, direction: int, *operands: Value) -> Value:
    """fadd, fsub, fmul, fdiv or fma of values of one type."""
    type = operands[0].type
    if type == "half":
        wide = operation(b, op, direction, *(operand.to("double") for operand in operands))
        return convert(b, "fptrunc", direction, wide, type=type)
    return _call(b, op, direction, operands, type)


def convert(b: LlvmBuilder, op: str, direction: int, value: Value, *, type: str) -> Value:
    """fptrunc, sitofp or uitofp."""
    if type != "half":
        return _call(b, op, direction, (value,), type)
    if value.type == "float":
        return _to_half(value, direction)
    between = b.cast(op, value, "float") if value.bits <= 16 else _call(b, op, direction, (value,), "float")
    return _to_half(between, direction)


def _to_half(value: Value, direction: int) -> Value:
    """The nearest half, or its neighbour: hosts without an instruction for it call a library that rounds."""
    near = value.to("half")
    back, bits = near.to("float"), near.int_bits()
    negative = bits.slt(0)
    if direction == TOWARD_ZERO:
        return back.abs().cmp("ogt", value.abs()).select(bits - 1, bits).bitcast("half")
    beyond = back.cmp("olt" if direction == UP else "ogt", value)
    outward = negative if direction == DOWN else ~negative  # away from zero
    return beyond.select(outward.select(bits + 1, bits - 1), bits).bitcast("half")


def _call(b: LlvmBuilder, op: str, direction: int, operands: tuple[Value, ...], type: str) -> Value:
    uniform = all(operand.uniform for operand in operands)
    texts = [operand.data if uniform else b.splat(operand) for operand in operands]
    source, result = b.type_text(operands[0].type, uniform), b.type_text(type, uniform)
    name = f"@directed.{op}.{direction}.{operands[0].type}.{type}.{'one' if uniform else 'lanes'}"
    if name not in b.functions:
        b.functions[name] = _function(b, name, op, direction, source, result, len(operands))
    arguments = ", ".join(f"{source} {text}" for text in texts)
    return Value(b, type, b.let(f"call {result} {name}({arguments})"), uniform)


def _function(
    b: LlvmBuilder, name: str, op: str, direction: int, source: str, result: str, count: int
) -> list[str]:
    suffixes = [_suffix(t) for t in ((result,) if op[0] == "f" and op != "fptrunc" else (result, source))]
    constrained = f"llvm.experimental.constrained.{op}.{'.'.join(suffixes)}"
    b.intrinsic(constrained, result, ", ".join([source] * count + ["metadata", "metadata"]))
    b.intrinsic("llvm.set.rounding", "void", "i32")
    parameters = ", ".join(f"{source} %{i}" for i in range(count))
    how = 'metadata !"round.dynamic", metadata !"fpexcept.ignore"'
    return [
        f"define internal {result} {name}({parameters}) #5 {{",
        f"  call void @llvm.set.rounding(i32 {_HOST[direction]}) #6",
        f"  %r = call {result} @{constrained}({parameters}, {how}) #6",
        f"  call void @llvm.set.rounding(i32 {_HOST_NEAREST}) #6",
        f"  ret {result} %r",
        "}",
    ]


def _suffix(text: str) -> str:
    """``<16 x float>`` as intrinsics' names spell it."""
    names = {"float": "f32", "double": "f64"}
    if not text.startswith("<"):
        return names.get(text, text)
    count, _, element = text.strip("<>").partition(" x ")
    return f"v{count}{names.get(element, element)}"
