"""The LLVM module and function around a kernel's blocks: declarations, line tables, the entry, back edges."""

from __future__ import annotations

__all__ = ["back_edge", "function_head", "module_head"]

from collections.abc import Iterable

from anyhip.backends.virtual import directed_ir, exchange_code
from anyhip.backends.virtual.helpers_ir import HELPERS
from anyhip.backends.virtual.lane_access import ATTRIBUTES
from anyhip.backends.virtual.layout import OFFSETS, VGPR_BYTES
from anyhip.backends.virtual.llvm_builder import LlvmBuilder
from anyhip.backends.virtual.run import vgpr_base
from anyhip.backends.virtual.scalars import Scalars

_PARAMETERS = {
    "lds": "ptr", "scratch": "ptr", "scratch_size": "i32", "lds_size": "i32", "fuel": "i32", "resume": "i64",
}  # fmt: skip
_BACK_EDGE = """back.{label}:
  %f{n} = load i32, ptr %fuel, align 4
  %g{n} = sub i32 %f{n}, 1
  store i32 %g{n}, ptr %fuel, align 4
  %z{n} = icmp eq i32 %g{n}, 0
  br i1 %z{n}, label %spent{n}, label %{label}"""


def module_head(b: LlvmBuilder) -> list[str]:
    """All that stands before the kernel's function."""
    return [
        *b.globals,
        *b.declarations.values(),
        "declare i32 @llvm.usub.sat.i32(i32, i32)",
        HELPERS,
        ATTRIBUTES,
        directed_ir.ATTRIBUTES,
        *(line for lines in b.functions.values() for line in lines),
        *_debug_info(b.locations),
        "!0 = distinct !{!0, !1}",
        '!1 = !{!"llvm.loop.unroll.disable"}',
    ]


def _debug_info(locations: dict[int, int]) -> list[str]:
    """Line tables whose line numbers are the machine code's addresses."""
    head = """!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!6, !7}
!2 = !DIFile(filename: "machine code", directory: ".")
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, isOptimized: true, emissionKind: LineTablesOnly)
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "anyhip_kernel", file: !2, type: !4, unit: !3, spFlags: DISPFlagDefinition)
!6 = !{i32 2, !"Debug Info Version", i32 3}
!7 = !{i32 7, !"Dwarf Version", i32 4}"""
    return [head, *(f"!{n} = !DILocation(line: {pc}, scope: !5)" for pc, n in locations.items())]


def function_head(scalars: Scalars, resume_points: Iterable[int]) -> list[str]:
    """The kernel's entry, which goes on where the wave was left."""
    out = ["define i32 @anyhip_kernel(ptr noalias %w) #0 !dbg !5 {", "entry:"]
    out += [f"  %spare = alloca [{VGPR_BYTES} x i8], align 64", "  %fuel = alloca i32, align 4"]
    out.append(f"  %pc.p = getelementptr i8, ptr %w, i64 {OFFSETS['pc']}")
    out += scalars.slots()
    out += [vgpr_base(), exchange_code.FRAME]
    for name, kind in _PARAMETERS.items():
        out.append(f"  %{name}.p = getelementptr i8, ptr %w, i64 {OFFSETS[name]}")
        out.append(f"  %{name}{'' if kind == 'ptr' else '.v'} = load {kind}, ptr %{name}.p, align 4")
    out.append("  %scratch.end = call i32 @llvm.usub.sat.i32(i32 %scratch_size.v, i32 4)")
    out.append("  %lds.size = zext i32 %lds_size.v to i64")
    out.append("  %scratch.last = zext i32 %scratch.end to i64")
    out.append("  store i32 %fuel.v, ptr %fuel, align 4")
    cases = " ".join(f"i64 {n}, label %enter{n}" for n in resume_points)
    out.append(f"  switch i64 %resume.v, label %enter [ {cases} ]")
    return out


def back_edge(number: int, label: str) -> list[str]:
    """The countdown before a backward jump to ``label``; spent, the wave yields at the resume point."""
    return _BACK_EDGE.format(n=number, label=label).splitlines()
