"""Source files of device code through the compiler to a code object for gfx942."""

from __future__ import annotations

from pathlib import Path

from anyhip import toolchain
from anyhip.codeobj import codeobject

TARGET = ("--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-mcode-object-version=5")


def linked(folder: Path, source: Path, language: str, optimize: str = "-O2") -> codeobject.CodeObject:
    """Compile and link a file of language ``hip``, ``ir`` or ``assembler``."""
    clang = toolchain.find().clang
    object_file, code = folder / "code.o", folder / "code.hsaco"
    if language == "hip":
        bitcode = folder / "code.bc"
        device = ["-x", "hip", "--cuda-device-only", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib"]
        toolchain.check([*clang, *device, optimize, TARGET[-1], "-emit-llvm", "-c", source, "-o", bitcode])
        source, language = bitcode, "ir"
    toolchain.check([*clang, *TARGET, optimize, "-x", language, "-c", source, "-o", object_file])
    toolchain.link_shared(code, [object_file])
    return codeobject.load(code.read_bytes())
