# ruff: noqa: D103 (the functions are HIP's own, and documented as such)
"""hipRTC: programs compiled at run time. These return a hiprtcResult, and never raise."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from anyhip.errors import AnyHipError, CompileError, HipError
from anyhip.runtime import device as devices_
from anyhip.runtime.program import ObjectCode, compile_source
from anyhip.sdk.types import array, ffi, put, put_handle, text

# hiprtcResult
(
    SUCCESS,
    OUT_OF_MEMORY,
    PROGRAM_CREATION_FAILURE,
    INVALID_INPUT,
    INVALID_PROGRAM,
    INVALID_OPTION,
    COMPILATION,
) = range(7)
NO_NAMES_AFTER_COMPILATION, NO_LOWERED_NAMES_BEFORE_COMPILATION, NAME_NOT_VALID = 8, 9, 10
_DEFAULT_ARCH = "gfx942"

_handles = itertools.count(0x10000, 0x10)
_programs: dict[int, _Program] = {}


@dataclass
class _Program:
    source: str
    name: str
    headers: dict[str, str]
    expressions: list[str] = field(default_factory=list)
    made: ObjectCode | None = None
    log: bytes = b""
    names: dict[str, object] = field(default_factory=dict)  # C strings that were handed out


class _RefusedError(Exception):
    """A call ends with this hiprtcResult."""

    def __init__(self, code: int) -> None:
        self.code = code


def _result(function: Callable[..., None]) -> Callable[..., int]:
    """Let a function end in a hiprtcResult, as hipRTC's calls do."""

    @functools.wraps(function)
    def wrapped(*arguments: int) -> int:
        try:
            function(*arguments)
        except _RefusedError as refused:
            return refused.code
        except HipError:
            return INVALID_INPUT
        return SUCCESS

    return wrapped


def _find(handle: int) -> _Program:
    if handle not in _programs:
        raise _RefusedError(INVALID_PROGRAM)
    return _programs[handle]


def _compiled(handle: int) -> ObjectCode:
    made = _find(handle).made
    if made is None:
        raise _RefusedError(INVALID_PROGRAM)
    return made


@_result
def hiprtcVersion(major: int, minor: int) -> None:
    put("int *", major, 7)
    put("int *", minor, 2)


@_result
def hiprtcCreateProgram(
    handle: int, source: int, name: int, count: int, headers: int, include_names: int
) -> None:
    if not handle or count < 0 or (count and not (headers and include_names)):
        raise _RefusedError(INVALID_INPUT)
    texts = [text(int(ffi.cast("uintptr_t", p))) for p in array("char **", headers, count)] if count else []
    names = (
        [text(int(ffi.cast("uintptr_t", p))) for p in array("char **", include_names, count)] if count else []
    )
    number = next(_handles)
    given = text(name) if name else "program.hip"
    _programs[number] = _Program(text(source), given, dict(zip(names, texts, strict=True)))
    put_handle(handle, number)


@_result
def hiprtcDestroyProgram(handle: int) -> None:
    if not handle:
        raise _RefusedError(INVALID_INPUT)
    where = ffi.cast("uintptr_t *", handle)
    if _programs.pop(where[0], None) is None:
        raise _RefusedError(INVALID_PROGRAM)
    where[0] = 0


@_result
def hiprtcAddNameExpression(handle: int, expression: int) -> None:
    program = _find(handle)
    if program.made is not None:
        raise _RefusedError(NO_NAMES_AFTER_COMPILATION)
    program.expressions.append(text(expression))


@_result
def hiprtcCompileProgram(handle: int, count: int, options: int) -> None:
    program = _find(handle)
    words = [text(int(ffi.cast("uintptr_t", p))) for p in array("char **", options, count)] if count else []
    try:
        program.made = compile_source(
            program.source,
            words,
            arch=_arch(),
            name=program.name,
            headers=program.headers,
            name_expressions=program.expressions,
        )
        program.log = program.made.log.encode()
    except CompileError as error:
        program.log = error.diagnostics.encode()
        unknown = "unknown argument" in error.diagnostics or "unsupported option" in error.diagnostics
        raise _RefusedError(INVALID_OPTION if unknown else COMPILATION) from error
    except AnyHipError as error:
        program.log = str(error).encode()
        raise _RefusedError(INVALID_OPTION) from error


def _arch() -> str:
    """The current device's architecture; hipRTC also compiles where there is no device."""
    every = devices_.devices()
    return devices_.current().arch if every else _DEFAULT_ARCH


@_result
def hiprtcGetProgramLogSize(handle: int, size: int) -> None:
    put("size_t *", size, len(_find(handle).log) + 1)


@_result
def hiprtcGetProgramLog(handle: int, log: int) -> None:
    data = _find(handle).log
    if not log:
        raise _RefusedError(INVALID_INPUT)
    ffi.memmove(ffi.cast("char *", log), data + b"\0", len(data) + 1)


@_result
def hiprtcGetCodeSize(handle: int, size: int) -> None:
    put("size_t *", size, len(_compiled(handle).code))


@_result
def hiprtcGetCode(handle: int, code: int) -> None:
    data = _compiled(handle).code
    if not code:
        raise _RefusedError(INVALID_INPUT)
    ffi.memmove(ffi.cast("char *", code), data, len(data))


@_result
def hiprtcGetLoweredName(handle: int, expression: int, lowered: int) -> None:
    program = _find(handle)
    if program.made is None:
        raise _RefusedError(NO_LOWERED_NAMES_BEFORE_COMPILATION)
    asked = text(expression)
    if asked not in program.made.lowered:
        raise _RefusedError(NAME_NOT_VALID)
    kept = program.names.setdefault(asked, ffi.new("char[]", program.made.lowered[asked].encode()))
    put_handle(lowered, int(ffi.cast("uintptr_t", kept)))
