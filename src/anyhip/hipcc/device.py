"""One source and one target in, the steps of its device pass out.

AMD targets: clang straight to an object of the processor, then lld to a shared ELF, which is the code object.
clang would do both alone if it could start an external lld under that name; driving the link here is faster,
too. ``-emit-llvm`` makes clang's driver plan a device compile without link and bundling, and the later
``-emit-obj`` makes its compiler proper write machine code after all.
NVIDIA targets: clang to PTX, which the driver compiles for the GPU that it finds.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from anyhip import cache
from anyhip.hipcc import devicelib, precompiled
from anyhip.hipcc.options import Command, Input
from anyhip.hipcc.steps import Step
from anyhip.target import Target
from anyhip.toolchain import Toolchain

__all__ = ["INCLUDE", "DevicePass", "common_args", "hip_args"]

INCLUDE = Path(__file__).resolve().parents[1] / "include"

# printf goes through a buffer in memory that the runtime prints, not through host calls (LLVM AMDGPUUsage;
# clang's -mprintf-kind).
_AMD_ARGS = ("-mprintf-kind=buffered",)
# The contraction is HIP's own default: CUDA's would fuse multiplications and additions across statements, and
# in the device library where a pragma forbids it. malloc() must be able to fail where its result is only
# compared.
_NVIDIA_ARGS = ("-ffp-contract=fast-honor-pragmas", "-fno-builtin-malloc")
_EMIT = {"object": "-emit-obj", "assembly": "-S"}


def common_args(command: Command, toolchain: Toolchain, source: Input) -> list[str]:
    """What the host and device passes of a HIP source share, so that they see the same program."""
    args = [command.level("hip"), *hip_args(command, command.compile_args)]
    if command.carries_rdc:
        # names what is local to this file, so that it can be told from other files' in one program
        unit = cache.digest(os.path.abspath(source.path), "\0".join(command.compile_args))
        args += ["-fgpu-rdc", f"-cuid={unit[:16]}"]
    return [*args, *toolchain.cxx_flags, "-nogpuinc", "-nogpulib"]


def hip_args(command: Command, given: list[str]) -> list[str]:
    """The user's options, and what makes HIP's headers usable: in C and C++ too, under hipcc."""
    headers = [] if command.no_headers else ["-isystem", str(INCLUDE)]
    return ["-D__HIP_PLATFORM_AMD__=1", *given, *headers]


@dataclass(frozen=True)
class DevicePass:
    """How one source is compiled for one target. ``stem``: path of the files it makes, without suffix."""

    command: Command
    toolchain: Toolchain
    source: Input
    target: Target
    stem: Path
    dependencies: Path | None = None
    stdin: str | None = None

    def bitcode(self, output: Path) -> list[Step]:
        """One step to LLVM bitcode, to be linked with that of other files."""
        return self.text(output, "object")

    def code_object(self, output: Path) -> list[Step]:
        """Steps to the linked code object (AMD) or to PTX text (NVIDIA)."""
        if self.target.isa == "nvptx":
            return [self._clang(self._nvidia_argv(), output, ["-S"])]
        if self.command.save_temps:
            steps, made = self._saved_stages()
        else:
            made = self.stem.with_name(self.stem.name + ".o")
            steps = [self._clang(self._amd_argv(), made, ["-emit-llvm", "-c", "-Xclang", "-emit-obj"])]
        link = Step(
            self.target.id,
            (*self.toolchain.lld, "-shared", *self.command.device_link_args, str(made), "-o", str(output)),
            (output,), (made,), self.source.path,
        )  # fmt: skip
        return [*steps, link]

    def text(self, output: Path, mode: str) -> list[Step]:
        """One step to assembly, LLVM IR, or preprocessed text."""
        flags = {
            "assembly": ["-S", "-emit-llvm"] if self.command.emit_llvm else ["-S"],
            "object": ["-emit-llvm", "-c"],
            "preprocess": ["-E"],
            "dependencies": ["-E"],
            "syntax": ["-fsyntax-only"],
        }[mode]
        argv = self._nvidia_argv() if self.target.isa == "nvptx" else self._amd_argv()
        return [self._clang(argv, output, flags)]

    def precompiled(self, output: Path) -> Step:
        """The step that makes a precompiled header."""
        argv = self._nvidia_argv() if self.target.isa == "nvptx" else self._amd_argv()
        return self._clang(argv, output, ["-emit-llvm", "-c", *precompiled.emit_args(argv)])

    def _amd_argv(self) -> list[str]:
        argv = [*self.toolchain.clang, "-x", "hip", "--cuda-device-only", f"--offload-arch={self.target.id}"]
        argv += [*common_args(self.command, self.toolchain, self.source), *_AMD_ARGS]
        argv.append(f"-mcode-object-version={self.target.code_object_version}")
        argv += self.command.device_args
        return argv + self._library()

    def _nvidia_argv(self) -> list[str]:
        argv = [
            *self.toolchain.clang,
            "-x",
            "cuda",
            "--cuda-device-only",
            f"--cuda-gpu-arch={self.target.arch}",
        ]
        argv += ["-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", *_NVIDIA_ARGS]
        argv += self.command.device_args
        common = common_args(self.command, self.toolchain, self.source)
        return [*argv, *(word for word in common if not word.startswith("-nogpu")), *self._library()]

    def _library(self) -> list[str]:
        if self.command.no_device_library:
            return []
        bitcode = devicelib.bitcode(self.target, self.toolchain, self.command.flushes_denormals)
        return [] if bitcode is None else ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(bitcode)]

    def _clang(self, argv: list[str], output: Path, flags: list[str]) -> Step:
        included = precompiled.include_args(self.command.precompiled, self.target)
        words = [*argv, *included, *flags, self.source.path, "-o", str(output)]
        if self.dependencies is not None:
            # the driver offers -MD for the host pass only; the compiler proper has it for both
            for word in ("-dependency-file", str(self.dependencies), "-MT", "x", "-sys-header-deps"):
                words += ["-Xclang", word]
        return Step(self.target.id, tuple(words), (output,), (), self.source.path, self.stdin)

    def _saved_stages(self) -> tuple[list[Step], Path]:
        """Preprocessed source, bitcode, assembly and object, each kept, named as clang names them."""
        files = {
            suffix: self.stem.with_name(self.stem.name + suffix) for suffix in (".hipi", ".bc", ".s", ".o")
        }
        argv = self._amd_argv()
        back = [
            *self.toolchain.clang,
            "--target=amdgcn-amd-amdhsa",
            f"-mcpu={self.target.id}",
            f"-mcode-object-version={self.target.code_object_version}",
        ]
        # LLVM's optimisation level is chosen again for code generation, which falls back to -O0 without it
        level = self.command.level("hip")

        def after(words: list[str], made: str, of: str) -> Step:
            step = (*words, str(files[of]), "-o", str(files[made]))
            return Step(self.target.id, tuple(step), (files[made],), (files[of],), self.source.path)

        steps = [
            self._clang(argv, files[".hipi"], ["-E"]),  # for the user's eyes only: clang compiles the source
            self._clang(argv, files[".bc"], ["-emit-llvm", "-c"]),
            after([*back, "-nogpulib", level, "-S", "-x", "ir"], ".s", ".bc"),
            after([*back, "-c", "-x", "assembler"], ".o", ".s"),
        ]
        return steps, files[".o"]
