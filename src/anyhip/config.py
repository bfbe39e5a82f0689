"""Every environment variable that AnyHIP reads: one row each, and typed ways to read it.

In: the process's environment.  Out: text, int, bool, path or list, checked against the row's kind.
A variable that has no row here cannot be read: the documentation page is made from :data:`VARIABLES`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from anyhip.errors import UsageError

__all__ = [
    "VARIABLES",
    "Variable",
    "get",
    "get_flag",
    "get_int",
    "get_list",
    "get_path",
    "is_present",
    "is_set",
]


class Variable(NamedTuple):
    """One environment variable.

    ``kind`` is text, choice (one of ``choices``), int, flag (0/1, on/off, true/false), path or list
    (separated by commas). ``default`` is what an unset or empty variable means, spelled as a user would.
    """

    name: str
    kind: str
    default: str
    sentence: str
    choices: tuple[str, ...] = ()


# One row a variable.
# fmt: off
_ROWS = (
    # where things are
    Variable("ANYHIP_CACHE_DIR", "path", "", "Folder of everything AnyHIP builds; default: the user's cache folder."),
    Variable("HIP_CLANG_PATH", "path", "", "Folder of another clang (19 or newer, with ld.lld) to use."),
    Variable("HIP_PATH", "path", "", "Root that hipconfig reports, instead of AnyHIP's own."),
    Variable("ROCM_PATH", "path", "", "Root that hipconfig reports as ROCm's, instead of AnyHIP's own."),
    Variable(
        "ANYHIP_CXX_STDLIB",
        "choice",
        "auto",
        "Host C++ library: an installed g++'s libstdc++, or the toolchain's own libc++.",
        ("auto", "libstdc++", "libc++"),
    ),
    # hipcc
    Variable("HIPCC_VERBOSE", "int", "0", "Bit mask: 1 print commands, 2 print the settings, 4 print arguments."),
    Variable("HIPCC_COMPILE_FLAGS_APPEND", "text", "", "Options added to every hipcc compile."),
    Variable("HIPCC_LINK_FLAGS_APPEND", "text", "", "Options added to every hipcc link."),
    Variable("ANYHIP_OFFLOAD_ARCH", "list", "gfx942", "Targets that hipcc compiles for when none is named."),
    Variable("ANYHIP_COMPILE_CACHE", "flag", "1", "Whether hipcc keeps and reuses the objects it compiles."),
    # devices, in the order in which they apply
    Variable("ANYHIP_DEVICE", "list", "", "Devices to offer, in this order: virtual, virtual:gfx942, virtual:gfx942x2, nvidia, nvidia:0, rocm, rocm:0. Unset: rocm where it has devices, else virtual."),
    Variable("ROCR_VISIBLE_DEVICES", "list", "", "Devices that may be seen, by index or GPU-uuid, in this order; applied first. Empty: none, here and below."),
    Variable("GPU_DEVICE_ORDINAL", "list", "", "Devices that may be seen of those, in this order."),
    Variable("HIP_VISIBLE_DEVICES", "list", "", "Devices that HIP may see of those, in this order."),
    Variable("CUDA_VISIBLE_DEVICES", "list", "", "Same as HIP_VISIBLE_DEVICES, which wins."),
    # running
    Variable("ANYHIP_THREADS", "int", "0", "Host threads of the virtual GPU; 0: one for each usable core."),
    Variable("ANYHIP_TIMEOUT", "int", "0", "Seconds after which the virtual GPU ends a kernel (hipErrorLaunchTimeOut); 0: never."),
    Variable("ANYHIP_DUMP", "list", "", "What to write beside the run when a kernel is translated: ir, isa."),
    Variable("HSA_OVERRIDE_GFX_VERSION", "text", "", "What virtual devices are, as major.minor.stepping: 10.3.0 makes them gfx1030."),
    Variable("HIP_LAUNCH_BLOCKING", "flag", "0", "Wait for each kernel at its launch."),
    Variable("CUDA_LAUNCH_BLOCKING", "flag", "0", "Same as HIP_LAUNCH_BLOCKING."),
    Variable("AMD_SERIALIZE_KERNEL", "int", "0", "1 wait before, 2 after, 3 before and after each kernel."),
    # terminal
    Variable("NO_COLOR", "text", "", "Anything but empty: no colours (no-color.org)."),
    Variable("FORCE_COLOR", "text", "", "Anything but empty: colours even where no terminal is seen."),
)
# fmt: on

VARIABLES: dict[str, Variable] = {row.name: row for row in _ROWS}

_FLAGS = {
    "1": True,
    "on": True,
    "true": True,
    "yes": True,
    "0": False,
    "off": False,
    "false": False,
    "no": False,
}


def is_set(name: str) -> bool:
    """Whether the user gave the variable a value (an empty one is none)."""
    return bool(os.environ.get(VARIABLES[name].name))


def is_present(name: str) -> bool:
    """Whether the variable is in the environment at all, be it empty."""
    return VARIABLES[name].name in os.environ


def get(name: str) -> str:
    """The variable's text, or its row's default.

    Raises:
        KeyError: no such row (an error of the program, not of the user).
        UsageError: a choice that does not exist.
    """
    row = VARIABLES[name]
    text = os.environ.get(name) or row.default
    if row.choices and text not in row.choices:
        raise UsageError(
            f"{name}={text} is not one of: {', '.join(row.choices)}", f"unset {name} or correct it"
        )
    return text


def get_int(name: str) -> int:
    """The variable as an integer (decimal, or 0x… as C writes it)."""
    text = get(name)
    try:
        return int(text, 0)
    except ValueError:
        raise UsageError(f"{name}={text} is not a whole number", f"unset {name} or correct it") from None


def get_flag(name: str) -> bool:
    """The variable as a switch."""
    text = get(name)
    try:
        return _FLAGS[text.lower()]
    except KeyError:
        raise UsageError(f"{name}={text} is neither on nor off", f"write {name}=1 or {name}=0") from None


def get_list(name: str) -> tuple[str, ...]:
    """The variable's items, separated by commas, blanks around them dropped."""
    return tuple(item.strip() for item in get(name).split(",") if item.strip())


def get_path(name: str) -> Path | None:
    """The variable as a path with ``~`` expanded; None when unset."""
    text = get(name)
    return Path(text).expanduser() if text else None
