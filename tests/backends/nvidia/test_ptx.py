"""PTX: its kernels and how their arguments lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip.backends.nvidia import ptx
from anyhip.errors import CodeObjectError
from anyhip.target import Target

TARGET = Target.parse("sm_90")
TEXT = """//
.version 8.8
.target sm_90
.address_size 64
	// .globl	_Z1kPfi
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.visible .entry _Z1kPfi(
	.param .u64 .ptr .align 1 _Z1kPfi_param_0,	// a comment, with (parentheses)
	.param .u8 _Z1kPfi_param_1,
	.param .align 8 .b8 _Z1kPfi_param_2[24],
	.param .f32 _Z1kPfi_param_3,
	.param .align 16 .b8 _Z1kPfi_param_4[16]
)
.maxntid 16, 16, 2
.minnctapersm 2
{
	ret;
}
.weak .entry nothing()
.reqntid 64
{ ret; }
.entry plain(.param .u32 x) { ret; }
/* .visible .entry not_one() { ret; } */
.func (.param .b32 r) helper(.param .b32 x) { ret; }
"""


def test_kernels_and_their_arguments() -> None:
    code = ptx.read(TEXT.encode() + b"\0", TARGET)
    assert list(code.kernels) == ["_Z1kPfi", "nothing", "plain"]
    kernel = code.kernels["_Z1kPfi"]
    assert [(a.offset, a.size, a.value_kind) for a in kernel.args] == [
        (0, 8, "global_buffer"),
        (8, 1, "by_value"),
        (16, 24, "by_value"),
        (40, 4, "by_value"),
        (48, 16, "by_value"),
    ]
    assert (kernel.kernarg_size, kernel.kernarg_align, kernel.wavefront_size) == (64, 16, 32)
    assert [k.max_flat_workgroup_size for k in code.kernels.values()] == [512, 64, 1024]
    assert code.kernels["nothing"].args == ()
    assert code.image == TEXT.encode()
    assert code.target is TARGET


def test_what_hipcc_writes_for_the_hardware_tests() -> None:
    code = ptx.read(Path(__file__).with_name("kernels.ptx").read_bytes(), TARGET)
    assert {name: (len(k.args), k.kernarg_size) for name, k in code.kernels.items()} == {
        "add": (2, 12), "through_shared": (2, 12), "wild": (0, 0), "stop": (0, 0), "spin": (1, 8),
    }  # fmt: skip


@pytest.mark.parametrize("data", [b"\x7fELF\xff\xfe", b"int main() {}", b""])
def test_what_is_no_ptx_is_refused(data: bytes) -> None:
    with pytest.raises(CodeObjectError, match="sm_90 is no PTX"):
        ptx.read(data, TARGET)
