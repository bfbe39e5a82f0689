"""``--explain``: what happened at each step, one paragraph a step, on stderr."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyhip.codeobj.codeobject import KernelInfo
    from anyhip.hipcc.driver import Outcome
    from anyhip.hipcc.options import Input
    from anyhip.hipify.program import PortedProgram

__all__ = ["Explainer"]

_MOST_NAMES = 6


class Explainer:
    """Says what happened, or nothing at all when ``talks`` is false."""

    def __init__(self, talks: bool) -> None:
        self._talks = talks
        self._number = 0

    def _step(self, name: str, what: str) -> None:
        self._number += 1
        print(f"[{self._number}] {name:<8}{what}", file=sys.stderr)

    def _more(self, text: str) -> None:
        print(f"{'':<12}{text}", file=sys.stderr)

    def ported(self, program: PortedProgram, sources: Sequence[Input], seconds: float) -> None:
        """CUDA became HIP."""
        if not self._talks:
            return
        names = " ".join(Path(one.path).name for one in sources)
        headers = len(program.files) - len(sources)
        more = f" and {headers} header{'s' if headers > 1 else ''}" if headers else ""
        self._step("port", f"{names}{more}: CUDA to HIP in {_ms(seconds)}")
        renamed: Counter[tuple[str, str]] = Counter()
        for result in program.files.values():
            renamed.update(result.renamed)
        shown = [f"{cuda} -> {hip}" for (cuda, hip), _ in renamed.most_common(_MOST_NAMES)]
        rest = len(renamed) - len(shown)
        if shown:
            self._more(", ".join(shown) + (f", and {rest} more names" if rest > 0 else ""))
        for path, result in program.files.items():
            for note in result.notes:
                self._more(f"note: {path.name}:{note.line}: {note.message}")

    def built(self, outcome: Outcome, program: Path) -> None:
        """The sources became a program."""
        if not self._talks:
            return
        for source in outcome.cached:
            self._step("compile", f"{Path(source).name}: unchanged, taken from the cache")
        for result in outcome.results:
            step = result.step
            if "-x" in step.argv:  # a compiler run; links and bundles have no language
                what = "host code" if step.side == "host" else f"device code for {step.side}"
                self._step("compile", f"{Path(step.source).name}: {what} in {_ms(result.seconds)}")
        for target, size, kernels in _device_code(program):
            self._step("code", f"{target}: {size} bytes of ELF, {len(kernels)} kernel(s)")
            for kernel in kernels:
                self._more(_kernel_line(kernel))
        for result in outcome.results:
            if result.step.side == "link":
                size = program.stat().st_size
                self._step(
                    "link", f"{program.name}: {size} bytes, with libamdhip64, in {_ms(result.seconds)}"
                )

    def starting(self, name: str, words: Sequence[str]) -> None:
        """The program is about to start."""
        if self._talks:
            self._step("run", shlex.join([name, *words]))
            sys.stderr.flush()

    def ended(self, code: int, seconds: float) -> None:
        """The program ended."""
        if self._talks:
            self._step("result", f"exit code {code} after {_ms(seconds)}")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _device_code(program: Path) -> list[tuple[str, int, list[KernelInfo]]]:
    """(target, bytes, kernels) of each AMD code object in a program."""
    from anyhip import codeobj
    from anyhip.codeobj import bundle

    found = []
    for data in bundle.host_bundles(program.read_bytes()):
        for entry in bundle.unbundle(data):
            if entry.target is not None and entry.target.isa == "amdgcn":
                code = codeobj.load(entry.data)
                found.append((entry.id.rpartition("--")[2], len(entry.data), list(code.kernels.values())))
    return found


def _kernel_line(kernel: KernelInfo) -> str:
    arguments = sum(1 for one in kernel.args if not one.value_kind.startswith("hidden"))
    return (
        f"{kernel.name}: {arguments} arguments, {kernel.vgpr_count} vector and {kernel.sgpr_count} scalar "
        f"registers, {kernel.group_segment_size} bytes of LDS, wave{kernel.wavefront_size}"
    )
