"""Every exception AnyHIP raises, and how a command reports them.

AnyHipError
├── UsageError              a command line or argument that cannot be meant (exit code 2)
├── ToolchainError          clang, lld or the C++ library is missing or failed for a reason of its own
├── CompileError            the user's source does not compile; carries clang's own text
├── CacheError              the cache cannot be read or written
├── CodeObjectError         bytes that are not the ELF, bundle or metadata they claim to be
├── IsaError                machine code that cannot be decoded
│   └── UnsupportedInstruction   decoded, but its meaning is not implemented: named
├── DeviceFault             a kernel did what the device forbids (carries kernel, workgroup, address)
└── HipError                an API call failed: a hipError_t with what was tried and what would work
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing typing would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "AnyHipError",
    "CacheError",
    "CodeObjectError",
    "CompileError",
    "DeviceFault",
    "HipError",
    "IsaError",
    "ToolchainError",
    "UnsupportedInstruction",
    "UsageError",
    "codes",
    "number",
    "outcome",
    "sentence",
]

_CODES: dict[str, tuple[int, str]] = {}


class AnyHipError(Exception):
    """Base class: a sentence saying what failed and where, and a hint naming the next step."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


class UsageError(AnyHipError):
    """A command line or argument that cannot be meant."""

    exit_code = 2


class ToolchainError(AnyHipError):
    """clang, lld or the C++ library is missing, or failed for a reason of its own."""


class CompileError(AnyHipError):
    """The user's source does not compile.

    Args:
        diagnostics: clang's own text, unchanged.
    """

    def __init__(self, diagnostics: str, hint: str = "", exit_code: int = 1) -> None:
        super().__init__(diagnostics, hint)
        self.diagnostics = diagnostics
        self.exit_code = exit_code


class CacheError(AnyHipError):
    """The cache cannot be read or written."""


class CodeObjectError(AnyHipError):
    """Bytes that are not the ELF, bundle or metadata they claim to be."""


class IsaError(AnyHipError):
    """Machine code that cannot be decoded."""


class UnsupportedInstruction(IsaError):
    """A decoded instruction whose meaning is not implemented; the message names it."""


class DeviceFault(AnyHipError):
    """A kernel did what the device forbids.

    Args:
        code_name: the hipError_t that the stream reports from now on, e.g. ``hipErrorIllegalAddress``.
    """

    def __init__(self, code_name: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.code_name = code_name

    @property
    def code(self) -> int:
        """The number of the hipError_t."""
        return number(self.code_name)


class HipError(AnyHipError):
    """A HIP call failed.

    Args:
        code_name: name of the hipError_t, e.g. ``hipErrorInvalidValue``.
    """

    def __init__(self, code_name: str, message: str = "", hint: str = "") -> None:
        super().__init__(f"{code_name}: {message or sentence(code_name)}", hint)
        self.code_name = code_name

    @property
    def code(self) -> int:
        """The number of the hipError_t."""
        return number(self.code_name)

    @property
    def name(self) -> str:
        """The name of the hipError_t, as hipGetErrorName gives it."""
        return self.code_name


def codes() -> dict[str, tuple[int, str]]:
    """Number and sentence of every hipError_t by name, from ``tables/errors.tsv``."""
    if not _CODES:
        path = os.path.join(os.path.dirname(__file__), "tables", "errors.tsv")
        with open(path, encoding="utf-8") as table:
            rows = [line.rstrip("\n").split("\t") for line in table if line[0] != "#"]
        _CODES.update({name: (int(code), text) for code, name, text in rows[1:]})
    return _CODES


def number(code_name: str) -> int:
    """The number of a hipError_t; KeyError for a name that HIP does not have."""
    return codes()[code_name][0]


def sentence(code_name: str) -> str:
    """What a hipError_t means, as hipGetErrorString says it."""
    return codes()[code_name][1]


def outcome(program: str, body: Callable[[], int]) -> int:
    """Run the body of a command; what stops it is said on stderr in a sentence, never as a traceback.

    Returns:
        The body's exit code, that of its error, 1 for what the system refuses (a full disk), 130 after
        Ctrl-C, 141 (as a shell counts SIGPIPE) when nobody reads the output.
    """
    if sys.stdout is None:  # started with a closed output
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (it stays open as long as the process)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        code = body()
        sys.stdout.flush()
        return code
    except AnyHipError as error:
        print(f"{program}: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        print(f"{program}: error: {where}{error.strerror or error}", file=sys.stderr)
        _drop_output()
        return 1


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that Python does not fail over it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
