"""Kernel descriptor: 64 bytes in, every field out (LLVM AMDGPUUsage, "Kernel Descriptor")."""

from __future__ import annotations

import struct
from typing import NamedTuple

from anyhip.errors import CodeObjectError
from anyhip.target import Target

__all__ = ["SIZE", "KernelDescriptor", "decode"]

SIZE = 64
_LAYOUT = struct.Struct("<III4xq20xIIIHH4x")


class KernelDescriptor(NamedTuple):
    """What the command processor reads before it starts a kernel.

    Attributes:
        group_segment_size: static LDS bytes.
        private_segment_size: scratch bytes a lane.
        kernarg_size: bytes of kernel arguments.
        entry_offset: entry point relative to the descriptor's address.
        vgpr_count: vector registers allocated (architectural and accumulation together on gfx90a and later).
        sgpr_count: scalar registers allocated.
        accum_offset: first accumulation register in the unified file; 0 where the file is not unified.
        user_sgprs: number of user SGPRs; the system SGPRs start at that index.
        enable_sgpr_*: which user SGPRs are set up, in the order of the fields.
        enable_sgpr_workgroup_id_*, enable_sgpr_workgroup_info: which system SGPRs are set up.
        enable_private_segment: scratch is used.
        workitem_id_dims: 0 x, 1 x and y, 2 x, y and z in VGPRs.
        round_32, round_16_64: float rounding modes (0 nearest even, 1 up, 2 down, 3 to zero).
        denorm_32, denorm_16_64: denormal modes (0 flush both, 1 allow output, 2 allow input, 3 allow both).
        dx10_clamp, ieee_mode, fp16_overflow: remaining MODE bits.
        wavefront_size32, uses_dynamic_stack: kernel code properties.
        kernarg_preload_length, kernarg_preload_offset: dwords of arguments loaded into user SGPRs.
        rsrc1, rsrc2, rsrc3, code_properties: the raw words.
    """

    group_segment_size: int
    private_segment_size: int
    kernarg_size: int
    entry_offset: int
    vgpr_count: int
    sgpr_count: int
    accum_offset: int
    user_sgprs: int
    enable_sgpr_private_segment_buffer: bool
    enable_sgpr_dispatch_ptr: bool
    enable_sgpr_queue_ptr: bool
    enable_sgpr_kernarg_segment_ptr: bool
    enable_sgpr_dispatch_id: bool
    enable_sgpr_flat_scratch_init: bool
    enable_sgpr_private_segment_size: bool
    enable_sgpr_workgroup_id_x: bool
    enable_sgpr_workgroup_id_y: bool
    enable_sgpr_workgroup_id_z: bool
    enable_sgpr_workgroup_info: bool
    enable_private_segment: bool
    workitem_id_dims: int
    round_32: int
    round_16_64: int
    denorm_32: int
    denorm_16_64: int
    dx10_clamp: bool
    ieee_mode: bool
    fp16_overflow: bool
    exceptions: int
    tg_split: bool
    wgp_mode: bool
    mem_ordered: bool
    forward_progress: bool
    wavefront_size32: bool
    uses_dynamic_stack: bool
    kernarg_preload_length: int
    kernarg_preload_offset: int
    rsrc1: int
    rsrc2: int
    rsrc3: int
    code_properties: int


def _bits(word: int, low: int, width: int) -> int:
    return word >> low & (1 << width) - 1


def _vgprs(target: Target, rsrc1: int, wave32: bool) -> int:
    # Allocation granule, LLVM AMDGPUUsage GRANULATED_WORKITEM_VGPR_COUNT.
    blocks = _bits(rsrc1, 0, 6) + 1
    if target.major >= 10:
        return blocks * (8 if wave32 else 4)
    unified = target.generation in ("gfx90a", "gfx942", "gfx950")
    return blocks * (8 if unified else 4)


def _sgprs(target: Target, rsrc1: int) -> int:
    # GFX9 counts in pairs of 8; from GFX10 on every wave has 106 and VCC.
    return 8 * (_bits(rsrc1, 6, 4) + 1) if target.major < 10 else 108


def decode(data: bytes, target: Target) -> KernelDescriptor:
    """Read a descriptor.

    Args:
        data: its 64 bytes.
        target: the processor, which decides how registers are counted.

    Raises:
        CodeObjectError: ``data`` is not 64 bytes.
    """
    if len(data) != SIZE:
        raise CodeObjectError(f"kernel descriptor has {len(data)} bytes, not {SIZE}")
    group, private, kernarg, entry, rsrc3, rsrc1, rsrc2, properties, preload = _LAYOUT.unpack(data)
    wave32 = bool(properties >> 10 & 1)
    unified = target.generation in ("gfx90a", "gfx942", "gfx950")
    gfx10 = target.major >= 10
    return KernelDescriptor(
        group_segment_size=group,
        private_segment_size=private,
        kernarg_size=kernarg,
        entry_offset=entry,
        vgpr_count=_vgprs(target, rsrc1, wave32),
        sgpr_count=_sgprs(target, rsrc1),
        accum_offset=(_bits(rsrc3, 0, 6) + 1) * 4 if unified else 0,
        user_sgprs=_bits(rsrc2, 1, 5),
        enable_sgpr_private_segment_buffer=bool(properties & 1),
        enable_sgpr_dispatch_ptr=bool(properties >> 1 & 1),
        enable_sgpr_queue_ptr=bool(properties >> 2 & 1),
        enable_sgpr_kernarg_segment_ptr=bool(properties >> 3 & 1),
        enable_sgpr_dispatch_id=bool(properties >> 4 & 1),
        enable_sgpr_flat_scratch_init=bool(properties >> 5 & 1),
        enable_sgpr_private_segment_size=bool(properties >> 6 & 1),
        enable_sgpr_workgroup_id_x=bool(rsrc2 >> 7 & 1),
        enable_sgpr_workgroup_id_y=bool(rsrc2 >> 8 & 1),
        enable_sgpr_workgroup_id_z=bool(rsrc2 >> 9 & 1),
        enable_sgpr_workgroup_info=bool(rsrc2 >> 10 & 1),
        enable_private_segment=bool(rsrc2 & 1),
        workitem_id_dims=_bits(rsrc2, 11, 2),
        round_32=_bits(rsrc1, 12, 2),
        round_16_64=_bits(rsrc1, 14, 2),
        denorm_32=_bits(rsrc1, 16, 2),
        denorm_16_64=_bits(rsrc1, 18, 2),
        dx10_clamp=target.major < 12 and bool(rsrc1 >> 21 & 1),
        ieee_mode=target.major < 12 and bool(rsrc1 >> 23 & 1),
        fp16_overflow=bool(rsrc1 >> 26 & 1),
        exceptions=_bits(rsrc2, 24, 7),
        tg_split=unified and bool(rsrc3 >> 16 & 1),
        wgp_mode=gfx10 and bool(rsrc1 >> 29 & 1),
        mem_ordered=gfx10 and bool(rsrc1 >> 30 & 1),
        forward_progress=gfx10 and bool(rsrc1 >> 31 & 1),
        wavefront_size32=wave32,
        uses_dynamic_stack=bool(properties >> 11 & 1),
        kernarg_preload_length=preload & 0x7F,
        kernarg_preload_offset=preload >> 7,
        rsrc1=rsrc1,
        rsrc2=rsrc2,
        rsrc3=rsrc3,
        code_properties=properties,
    )
