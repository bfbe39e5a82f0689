"""The wave's state in memory: the contract between translated kernels, the native engine and the interpreter.

A translated kernel is ``int anyhip_kernel(struct wave *)``. It keeps what it can in host registers and
brings this structure up to date whenever it returns, so that a wave can be resumed by any thread.
Offsets are in bytes; the engine's C structure is asserted against them when it is compiled.
"""

from __future__ import annotations

__all__ = [
    "OFFSETS",
    "LaneForm",
    "PRIVATE_APERTURE",
    "Return",
    "SHARED_APERTURE",
    "VGPR_BYTES",
    "WAVE_LANES",
    "defines",
    "packed_ids",
]

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyhip.target import Target

WAVE_LANES = 64  # rows of the VGPR file are this long, also for wave32
VGPR_BYTES = 4 * WAVE_LANES

OFFSETS = {
    "sgpr": 0,  # u32[128] by hardware operand number: VCC 106-107, M0 124, EXEC 126-127
    "resume": 512,  # u64: 0 = kernel entry, else the resume point's number
    "scc": 520,  # u32: 0 or 1
    "index": 524,  # u32: the wave's number in its workgroup
    "lds": 528,  # u8 *: the workgroup's LDS
    "scratch": 536,  # u8 *: private memory; dword k of lane l is at (k*64 + l)*4
    "code_base": 544,  # u64: address that the code object's vaddr 0 was loaded at
    "pc": 552,  # u64: vaddr of the instruction that trapped, or of the one that the wave goes on with
    "trap": 560,  # u32: s_trap's number
    "lds_size": 564,  # u32: bytes of LDS that the workgroup may use
    "scratch_size": 568,  # u32: bytes of private memory a lane
    "fuel": 572,  # u32: loop back edges until the kernel yields; the engine sets it before each call
    "hw_id": 576,  # u32: HW_ID register
    "xcc_id": 580,  # u32: XCC_ID register
    "flat_scratch": 584,  # u64: FLAT_SCRATCH as the program may read it
    "mode": 592,  # u32: MODE register
    "barrier": 596,  # u32: state of the workgroup's barrier, as s_get_barrier_state gives it
    "clock": 600,  # u64 (*)(void): 100 MHz constant clock, for s_memrealtime
    "vgpr": 640,  # u32[n][64]: architectural VGPRs, then accumulation VGPRs
}

# High dwords of the generic address space's windows onto LDS and private memory
# (LLVM AMDGPUUsage, "Address Spaces"); no host mapping has them.
SHARED_APERTURE = 0x0001_0000
PRIVATE_APERTURE = 0x0002_0000


class Return(IntEnum):
    """What a translated kernel returns."""

    END = 0
    BARRIER = 1
    YIELD = 2
    TRAP = 3
    UNSUPPORTED = 4
    SIGNAL = 5  # arrived at the barrier; goes on at once
    SIGNAL_FIRST = 6  # the same, and SCC is to say whether no other wave has
    WAIT = 7  # for those that have not arrived yet


class LaneForm(IntEnum):
    """How work-items lie in waves, as a translation may rely on it: by the dimensions of their workgroup."""

    ANY = 0
    ROWS = 1  # 16 lanes from a multiple of 16 on have x ids one behind the other, and equal y and z


def packed_ids(target: Target) -> bool:
    """Whether the x, y and z ids of a work-item share v0, ten bits each, or have v0, v1 and v2.

    Source: LLVM AMDGPUUsage, "VGPR Register Set Up Order".
    """
    return target.generation not in ("gfx9", "gfx908", "gfx1030")


def defines() -> list[str]:
    """C preprocessor definitions of everything above, as ``NAME=value``."""
    out = [f"WAVE_{name.upper()}={offset}" for name, offset in OFFSETS.items()]
    out += [f"KERNEL_{code.name}={code.value}" for code in Return]
    out += [f"LANES_{form.name}={form.value}" for form in LaneForm]
    out.append(f"LANE_FORMS={len(LaneForm)}")
    out += [f"WAVE_LANES={WAVE_LANES}", f"VGPR_BYTES={VGPR_BYTES}"]
    return [*out, f"SHARED_APERTURE={SHARED_APERTURE}u", f"PRIVATE_APERTURE={PRIVATE_APERTURE}u"]
