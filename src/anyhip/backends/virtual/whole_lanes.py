"""Two and four dwords a lane at scattered addresses, each lane's in one access of the host.

A 64-bit atomic load or store is a plain instruction of two dwords, and look-back scans keep flag and value
in one of four: another workgroup must never see half of what a lane stored (LLVM AMDGPUUsage, "Memory Model";
an aligned access of up to 16 bytes is one access on the hosts that there are).
"""

from __future__ import annotations

from anyhip.backends.virtual.llvm_builder import CHUNK, LlvmBuilder

__all__ = ["gather", "scatter", "uniform_load", "whole"]

_NOTHING = "@nothing128"


def whole(bits: int, units: int) -> bool:
    """Whether lanes' data of this shape are moved in one access each."""
    return bits == 32 and units in (2, 4)


def uniform_load(b: LlvmBuilder, place: str, units: int) -> list[str]:
    """The dwords at one address, in one access: volatile, or LLVM might load element by element."""
    loaded = b.let(f"load volatile <{units} x i32>, ptr {place}, align 1")
    return [b.let(f"extractelement <{units} x i32> {loaded}, i32 {i}") for i in range(units)]


def gather(b: LlvmBuilder, pointers: str, mask: str, units: int) -> list[str]:
    """The dwords at one pointer a lane, as a vector a dword; undefined in lanes that the mask leaves out."""
    if units == 2:
        pairs = b.gather("i64", pointers, 1, mask)
        shape = f"<{CHUNK} x i64>"
        high = b.let(f"lshr {shape} {pairs}, splat (i64 32)")
        return [b.let(f"trunc {shape} {pair} to <{CHUNK} x i32>") for pair in (pairs, high)]
    zeros = f"{_NOTHING} = private unnamed_addr constant <4 x i32> zeroinitializer"
    if zeros not in b.globals:
        b.globals.append(zeros)
    places = b.let(
        f"select <{CHUNK} x i1> {mask}, <{CHUNK} x ptr> {pointers}, <{CHUNK} x ptr> splat (ptr {_NOTHING})"
    )
    parts = [b.let(f"load <4 x i32>, ptr {_lane(b, places, lane)}, align 1") for lane in range(CHUNK)]
    width = 4
    while len(parts) > 1:
        kind = f"<{width} x i32>"
        parts = [b.shuffle(kind, parts[i], range(2 * width), parts[i + 1]) for i in range(0, len(parts), 2)]
        width *= 2
    return [b.shuffle(f"<{width} x i32>", parts[0], range(i, width, units)) for i in range(units)]


def scatter(b: LlvmBuilder, together: str, pointers: str, mask: str, units: int) -> None:
    """Store each lane's dwords to its pointer, from the lowest enabled lane up.

    Args:
        together: all lanes' dwords, lane after lane.
    """
    if units == 2 and b.native_scatter:
        name = f"llvm.masked.scatter.v{CHUNK}i64.v{CHUNK}p0"
        kind, places = f"<{CHUNK} x i64>", f"<{CHUNK} x ptr>"
        b.intrinsic(name, "void", f"{kind}, {places}, i32, <{CHUNK} x i1>")
        pairs = b.let(f"bitcast <{2 * CHUNK} x i32> {together} to {kind}")
        b.emit(f"  call void @{name}({kind} {pairs}, {places} {pointers}, i32 1, <{CHUNK} x i1> {mask})")
        return
    nowhere = b.let(f"alloca <{units} x i32>, align 16")  # where lanes store that are off
    at = b.let(f"insertelement <{CHUNK} x ptr> poison, ptr {nowhere}, i32 0")
    off = b.shuffle(f"<{CHUNK} x ptr>", at, [0] * CHUNK)
    places = b.let(f"select <{CHUNK} x i1> {mask}, <{CHUNK} x ptr> {pointers}, <{CHUNK} x ptr> {off}")
    kind = f"<{CHUNK * units} x i32>"
    for lane in range(CHUNK):
        data = b.shuffle(kind, together, range(lane * units, (lane + 1) * units))
        b.emit(f"  store <{units} x i32> {data}, ptr {_lane(b, places, lane)}, align 1")


def _lane(b: LlvmBuilder, pointers: str, lane: int) -> str:
    return b.let(f"extractelement <{CHUNK} x ptr> {pointers}, i32 {lane}")
