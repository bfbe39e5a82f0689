"""``rocm_agent_enumerator``, ``offload-arch``, ``amdgpu-arch``: the devices, as build systems ask.

Each prints target ids, one a line. ``rocm_agent_enumerator`` begins with ``gfx000``, which means the host.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anyhip.errors import UsageError, outcome

if TYPE_CHECKING:
    from anyhip.runtime.device import Device

__all__ = ["main", "native"]

_USAGE = {
    "rocm_agent_enumerator": "usage: rocm_agent_enumerator [-name] [-t GPU|CPU|none]",
    "offload-arch": "usage: offload-arch [--only=amdgpu|--only=nvptx]",
    "amdgpu-arch": "usage: amdgpu-arch",
}


def native() -> list[str]:
    """The targets of the devices that programs see (``--offload-arch=native``), each once.

    Raises:
        UsageError: there is no device.
    """
    found = list(dict.fromkeys(device.arch for device in _devices()))
    if not found:
        raise UsageError(
            "--offload-arch=native: no device is visible here", "name a target, e.g. --offload-arch=gfx942"
        )
    return found


def main(program: str, argv: Sequence[str] | None = None) -> int:
    """Run one of the commands.

    Returns:
        0; 1 when there is no device to print; 2 for words that mean nothing.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return outcome(program, lambda: _main(program, words))


def _main(program: str, words: list[str]) -> int:
    if set(words) & {"-h", "--help"}:
        print(_USAGE[program])
        return 0
    kinds = {"amdgcn", "nvptx"} if program == "offload-arch" else {"amdgcn"}
    lines = [] if program != "rocm_agent_enumerator" else ["gfx000"]
    while words:
        word = words.pop(0)
        if program == "rocm_agent_enumerator" and word == "-name":
            continue  # names are what is printed anyway
        if program == "rocm_agent_enumerator" and word == "-t" and words:
            chosen = words.pop(0).upper()
            lines = ["gfx000"] if chosen in ("CPU", "NONE") else []
            kinds = set() if chosen == "CPU" else kinds
        elif program == "offload-arch" and word.startswith("--only="):
            kinds = {{"amdgpu": "amdgcn"}.get(word[7:], word[7:])}
        else:
            raise UsageError(f"unknown option {word}", _USAGE[program])
    lines += [
        device.arch if program == "rocm_agent_enumerator" else device.target.id
        for device in _devices()
        if device.target.isa in kinds
    ]
    print("".join(f"{line}\n" for line in lines), end="")
    return 0 if lines else 1


def _devices() -> Sequence[Device]:
    from anyhip.runtime.device import devices

    return devices()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2:]))
