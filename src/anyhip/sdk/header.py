"""The C API as facts: our headers in, function prototypes and a cffi-ready text of all types out.

Used when the skin is built, never when a program runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from anyhip import toolchain

__all__ = ["Function", "Parameter", "include_dir", "parse", "types_text"]

_HEADERS = ("hip/hip_runtime_api.h", "hip/hip_ext.h", "hip/hip_gl_interop.h", "hip/hiprtc.h")
_BUILTIN = """
typedef unsigned long size_t; typedef long ptrdiff_t; typedef unsigned long uintptr_t; typedef long intptr_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
"""


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        text: its C declaration.
        kind: how it reaches Python: u (unsigned, pointer), i (signed), d (double), dim3, struct (its
        address).
    """

    name: str
    text: str
    kind: str


@dataclass(frozen=True)
class Function:
    """One prototype; ``returns`` is the C text of the return type."""

    name: str
    returns: str
    parameters: tuple[Parameter, ...]


def include_dir() -> Path:
    """Where ``hip/hip_runtime.h`` and its kin are."""
    return Path(__file__).resolve().parent.parent / "include"


def _preprocessed() -> str:
    source = "".join(f"#include <{header}>\n" for header in _HEADERS)
    options = [
        "-E",
        "-P",
        "-nostdinc",
        "-x",
        "c",
        f"-I{include_dir()}",
        "-DANYHIP_PARSE",
        "-D__HIPCC_RTC__",
        "-",
    ]
    # __HIPCC_RTC__ leaves out the C library's headers: their types are named above instead
    return toolchain.check([*toolchain.find().clang, *options], input=source).stdout


@cache
def _parsed() -> tuple[Any, str]:
    from pycparser import CParser  # type: ignore[import-untyped]

    text = _preprocessed()
    return CParser().parse(_BUILTIN + text), text


def types_text() -> str:
    """Every type of the API, as ``FFI.cdef`` takes it."""
    from pycparser import c_ast, c_generator

    tree, _ = _parsed()
    generator = c_generator.CGenerator()
    builtin = set(re.findall(r"(\w+);", _BUILTIN))
    parts = []
    for item in tree.ext:
        is_function = isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.FuncDecl)
        if not is_function and item.name not in builtin:
            parts.append(generator.visit(item) + ";\n")
    return "".join(parts)


def parse() -> dict[str, Function]:
    """Every function that the headers declare, by name."""
    from pycparser import c_ast

    tree, _ = _parsed()
    typedefs = {item.name: item.type for item in tree.ext if isinstance(item, c_ast.Typedef)}
    functions = {}
    for item in tree.ext:
        if isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.FuncDecl):
            functions[item.name] = _function(item, typedefs)
    return functions


def _function(item: Any, typedefs: dict[str, Any]) -> Function:
    from pycparser import c_ast, c_generator

    generator = c_generator.CGenerator()
    parameters = []
    for number, parameter in enumerate(item.type.args.params if item.type.args else ()):
        if isinstance(parameter, c_ast.Typename):  # f(void)
            continue
        name = parameter.name or f"a{number}"
        parameters.append(Parameter(name, generator.visit(parameter), _kind(parameter.type, typedefs)))
    returns = c_ast.Typename(None, [], None, item.type.type)
    text = re.sub(rf"\b{item.name}\b", "", generator.visit(returns)).strip()
    return Function(item.name, text, tuple(parameters))


def _kind(type_: Any, typedefs: dict[str, Any]) -> str:
    from pycparser import c_ast

    if isinstance(type_, (c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)):
        return "u"
    inner = type_.type
    if isinstance(inner, c_ast.Enum):
        return "i"
    if isinstance(inner, (c_ast.Struct, c_ast.Union)):
        return "struct"
    names = inner.names
    if names == ["dim3"]:
        return "dim3"
    if len(names) == 1 and names[0] in typedefs:
        return _kind(typedefs[names[0]], typedefs)
    if names[-1] in ("float", "double"):
        return "d"
    return "u" if "unsigned" in names else "i"
