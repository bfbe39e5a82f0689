"""Run-time compilation: source text in, code objects out, through hipcc's device passes (hipRTC,
cuda.core's Program).
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anyhip.errors import CompileError, HipError, UsageError
from anyhip.runtime import device as devices_
from anyhip.runtime import module
from anyhip.runtime.kernel import Kernel

__all__ = ["ObjectCode", "Program", "ProgramOptions", "compile_source"]

_LANGUAGES = ("c++", "hip")
_CODE_TYPES = ("hsaco",)
_EXPRESSION = "__anyhip_name_{}"
_ARCH_FLAGS = ("--offload-arch=", "--gpu-architecture=", "-arch=")


@dataclass(frozen=True)
class ProgramOptions:
    """How to compile.

    Attributes:
        arch: ``gfx942`` and the like; the current device's when empty.
        std: ``c++17`` and the like; hipcc's own when empty.
        include_path: folders for ``#include``.
        define_macro: ``NAME`` or ``NAME=VALUE``.
        options: more of hipcc's options, as words.
    """

    arch: str = ""
    std: str = ""
    include_path: Sequence[str] = ()
    define_macro: Sequence[str] = ()
    options: Sequence[str] = ()

    def words(self) -> list[str]:
        """The options as hipcc takes them."""
        return [
            *([f"-std={self.std}"] if self.std else []),
            *(f"-I{folder}" for folder in self.include_path),
            *(f"-D{macro}" for macro in self.define_macro),
            *self.options,
        ]


class Program:
    """Source text to compile.

    Args:
        code: the text.
        code_type: ``c++`` or ``hip`` (they mean the same).

    Raises:
        UsageError: another language.
    """

    def __init__(self, code: str, code_type: str = "c++", options: ProgramOptions | None = None) -> None:
        if code_type not in _LANGUAGES:
            raise UsageError(f"Program cannot compile {code_type!r}", f"use one of {', '.join(_LANGUAGES)}")
        self.code = code
        self.options = options or ProgramOptions()
        self.log = ""

    def compile(self, target_type: str = "hsaco", name_expressions: Sequence[str] = ()) -> ObjectCode:
        """Compile.

        Args:
            name_expressions: C++ expressions such as ``scale<float>``: each is instantiated, and
                :meth:`ObjectCode.get_kernel` takes it as a name.

        Raises:
            CompileError: with clang's text, which is in ``log`` too.
            UsageError: a kind of code that this cannot make.
        """
        if target_type not in _CODE_TYPES:
            raise UsageError(f"Program cannot make {target_type!r}", f"use one of {', '.join(_CODE_TYPES)}")
        arch = self.options.arch or devices_.current().arch
        try:
            made = compile_source(
                self.code, self.options.words(), arch=arch, name_expressions=name_expressions
            )
        except CompileError as error:
            self.log = error.diagnostics
            raise
        self.log = made.log
        return made


@dataclass
class ObjectCode:
    """Compiled code.

    Attributes:
        code: the bytes of an offload bundle or ELF file.
        lowered: the mangled name of each name expression.
        log: what the compiler said.
    """

    code: bytes
    lowered: Mapping[str, str] = field(default_factory=dict)
    log: str = ""
    _modules: dict[devices_.Device, module.Module] = field(default_factory=dict, repr=False)

    @classmethod
    def from_hsaco(cls, code: bytes | str | Path) -> ObjectCode:
        """Code that was compiled before: its bytes, or the path of a file."""
        return cls(code if isinstance(code, bytes) else Path(code).read_bytes())

    def get_kernel(self, name: str) -> Kernel:
        """The kernel of that name (or name expression) on the current device.

        Raises:
            HipError: hipErrorNotFound, hipErrorNoBinaryForGpu, hipErrorInvalidImage.
        """
        return self._module().kernel(self.lowered.get(name, name))

    def get_global(self, name: str) -> tuple[int, int]:
        """Address and size of a device variable on the current device; HipError hipErrorNotFound."""
        return self._module().symbol(self.lowered.get(name, name))

    def _module(self) -> module.Module:
        device = devices_.current()
        if device not in self._modules:
            self._modules[device] = module.load_data(device, self.code)
        return self._modules[device]


def compile_source(
    source: str,
    options: Sequence[str],
    *,
    arch: str,
    name: str = "program.hip",
    headers: Mapping[str, str] | None = None,
    name_expressions: Sequence[str] = (),
) -> ObjectCode:
    """Compile for one device architecture.

    Args:
        options: words for hipcc; ``--offload-arch=`` (or nvcc's spellings of it) wins over ``arch``.
        headers: text of ``#include`` files by name.

    Raises:
        CompileError: with clang's text.
        HipError: hipErrorInvalidValue for an option that is not one.
    """
    folder = Path(tempfile.mkdtemp(prefix="anyhip-rtc-"))
    try:
        for header, text in (headers or {}).items():
            path = folder / "headers" / header
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        file = folder / (re.sub(r"[^\w.+-]", "_", Path(name).name) or "program.hip")
        file.write_text(source + _expression_text(name_expressions))
        log = _compile(_words(file, folder, options, arch), folder)
        code = (folder / "made.hsaco").read_bytes()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ObjectCode(code, _lowered(code, name_expressions), log)


def _words(file: Path, folder: Path, options: Sequence[str], arch: str) -> list[str]:
    kept = [word for word in options if not word.startswith(_ARCH_FLAGS)]
    asked = [word.partition("=")[2] for word in options if word.startswith(_ARCH_FLAGS)]
    return [
        "--genco",
        f"--offload-arch={(asked or [arch])[-1]}",
        "-x",
        "hip",
        "-include",
        "hip/hip_runtime.h",
        f"-I{folder / 'headers'}",
        *kept,
        str(file),
        "-o",
        str(folder / "made.hsaco"),
    ]


def _compile(words: list[str], folder: Path) -> str:
    """Run the device pass; what the compiler said."""
    from anyhip import toolchain
    from anyhip.hipcc import diagnostics, plan, steps
    from anyhip.hipcc import options as hipcc_options

    def no_runtime() -> Path:
        raise AssertionError("device code links no runtime")

    command = hipcc_options.parse(words)
    work = folder / "work"
    (work / "0").mkdir(parents=True)
    made = plan.make(command, toolchain.find(command.stdlib), work, no_runtime)
    results = steps.run(made.steps, command.jobs)
    said = diagnostics.merged([result.stderr for result in results])
    said = said.replace(str(folder) + "/", "")
    if any(result.returncode for result in results):
        raise CompileError(said, exit_code=next(r.returncode for r in results if r.returncode))
    return said


def _expression_text(expressions: Sequence[str]) -> str:
    """Device variables that hold the address of each expression: this instantiates it, and leads to its
    name.
    """
    line = '\nextern "C" __device__ __attribute__((used)) const void *const {} = (const void *)({});'
    return "".join(line.format(_EXPRESSION.format(i), text) for i, text in enumerate(expressions)) + "\n"


def _lowered(code: bytes, expressions: Sequence[str]) -> dict[str, str]:
    if not expressions:
        return {}
    from anyhip.codeobj import bundle, codeobject

    entry = next(entry for entry in bundle.unbundle(code) if entry.target is not None)
    loaded = codeobject.load(entry.data)
    by_address = {s.value: s.name for s in loaded.symbols.values() if s.kind in ("func", "object")}
    pointers = {r.offset: r for r in loaded.relocations}
    names = {}
    for i, expression in enumerate(expressions):
        where = loaded.symbols[_EXPRESSION.format(i)].value
        relocation = pointers.get(where)
        found = relocation and (relocation.symbol or by_address.get(relocation.addend))
        if not found:
            raise HipError("hipErrorNotFound", f"{expression} names no kernel or device variable")
        names[expression] = found
    return names
