"""HIP on any machine: one source, run on an AMD GPU, an NVIDIA GPU, or a virtual AMD GPU on the CPU.

The names below are loaded when they are first used, so that ``import anyhip`` costs nothing::

    from anyhip import Device, LaunchConfig, Program, launch

    device = Device()
    device.set_current()
    kernel = Program(source, "c++").compile("hsaco").get_kernel("scale")
    launch(device.default_stream, LaunchConfig(grid=4, block=256), kernel, buffer, 2.0)
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would cost more than all the rest
if TYPE_CHECKING:
    from pathlib import Path

    from anyhip.runtime.buffer import Buffer
    from anyhip.runtime.device import Device
    from anyhip.runtime.event import Event
    from anyhip.runtime.face import LaunchConfig, launch
    from anyhip.runtime.kernel import Kernel
    from anyhip.runtime.module import Module
    from anyhip.runtime.program import ObjectCode, Program, ProgramOptions
    from anyhip.runtime.stream import Stream

__all__ = [
    "Buffer",
    "Device",
    "Event",
    "Kernel",
    "LaunchConfig",
    "Module",
    "ObjectCode",
    "Program",
    "ProgramOptions",
    "Stream",
    "include_dir",
    "launch",
]

__version__ = "0.1.0"

_HOME = {
    "Buffer": "buffer",
    "Device": "device",
    "Event": "event",
    "Kernel": "kernel",
    "LaunchConfig": "face",
    "Module": "module",
    "ObjectCode": "program",
    "Program": "program",
    "ProgramOptions": "program",
    "Stream": "stream",
    "launch": "face",
}


def include_dir() -> Path:
    """Where ``hip/hip_runtime.h`` and its kin are."""
    from pathlib import Path

    return Path(__file__).resolve().parent / "include"


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"anyhip.runtime.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
