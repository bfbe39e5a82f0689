"""Devices: the ones a process sees, the one that is current on a thread, and what each of them is."""

from __future__ import annotations

import sys
from _thread import _local, allocate_lock
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anyhip import tables
from anyhip.errors import DeviceFault, HipError

if TYPE_CHECKING:
    from anyhip.backends.backend import Backend, BackendDevice
    from anyhip.runtime.buffer import Buffer
    from anyhip.runtime.event import Event
    from anyhip.runtime.stream import Stream
    from anyhip.target import Target

__all__ = ["Device", "current", "devices", "install", "thread"]

SCHEDULE_MASK = 0x7  # hipDeviceScheduleMask
MAP_HOST = 0x8  # hipDeviceMapHost
_FLAG_MASK = 0x1F
_INT_MAX = 2**31 - 1


class _Thread(_local):
    """What HIP keeps for each host thread."""

    device: Device | None = None
    per_thread_streams: dict[int, Stream] | None = None
    contexts: list[Device] | None = None


thread = _Thread()
_devices: list[Device] | None = None
_lock = allocate_lock()


class Device:
    """One visible device; ``Device(n)`` is always the same object, ``Device()`` the current one.

    Raises:
        HipError: hipErrorInvalidDevice for a number that is not visible, hipErrorNoDevice when nothing is.
    """

    index: int
    backend: BackendDevice
    kind: str
    fault: DeviceFault | None
    flags: int
    limits: dict[int, int]
    kernels: dict[int, tuple[Any, ...]]  # host function -> what launch.py needs, filled at first launch
    peers: set[int]
    primary_active: bool
    _default_stream: Stream | None

    def __new__(cls, device_id: int | None = None) -> Device:
        """The visible device of that number, or the calling thread's current one."""
        if device_id is None:
            return current()
        return get(device_id)

    @classmethod
    def _make(cls, index: int, backend: Backend, number: int) -> Device:
        self = object.__new__(cls)
        self.index = index
        self.backend = backend.device(number)
        self.kind = backend.name
        self.fault = None
        self.kernels = {}
        self._initial_state()
        self._default_stream = None
        return self

    def _initial_state(self) -> None:
        self.flags = 0
        self.limits = {0x0: 1024, 0x1: 1 << 20, 0x2: 8 << 20}  # stack, printf, malloc heap
        self.cache_config = 0
        self.shared_config = 0
        self.peers = set()
        self.primary_active = False

    def __repr__(self) -> str:
        return f"<Device {self.index}: {self.name} ({self.kind}:{self.arch})>"

    @property
    def device_id(self) -> int:
        """The device's number among the visible ones."""
        return self.index

    @property
    def target(self) -> Target:
        """What its code objects are compiled for."""
        return self.backend.target

    @property
    def arch(self) -> str:
        """Name for ``--offload-arch``, e.g. ``gfx942``."""
        return self.backend.target.arch

    @property
    def name(self) -> str:
        """The product's name."""
        return str(self.properties["name"])

    @property
    def properties(self) -> Mapping[str, int | str | bool | tuple[int, ...]]:
        """hipDeviceProp_t by field name."""
        return self.backend.properties

    @property
    def uuid(self) -> str:
        """The 16 characters of hipUUID."""
        return str(self.properties.get("uuid", ""))

    @property
    def compute_capability(self) -> tuple[int, int]:
        """major and minor of hipDeviceProp_t."""
        return self.fact("major"), self.fact("minor")

    def fact(self, name: str) -> int:
        """A property that is a number; 0 when the device does not state it."""
        value = self.properties.get(name, 0)
        if isinstance(value, (str, tuple)):
            raise TypeError(f"the property {name} is no number")
        return int(value)

    def attribute(self, number: int) -> int:
        """hipDeviceGetAttribute; a property that the device does not state is 0.

        Raises:
            HipError: hipErrorInvalidValue for a number that is no attribute.
        """
        where = _attribute_fields().get(number)
        if not where:
            raise HipError("hipErrorInvalidValue", f"{number} is not an attribute of devices")
        field, _, element = where.partition(".")
        value: Any = self.properties.get(field, 0)
        if element:
            value = value[int(element)] if isinstance(value, (tuple, list)) else value
        return min(int(value), _INT_MAX)

    @property
    def default_stream(self) -> Stream:
        """HIP's null stream of this device."""
        if self._default_stream is None:
            from anyhip.runtime.stream import Stream

            self._default_stream = Stream.null(self)
        return self._default_stream

    def set_current(self) -> None:
        """Make this the calling thread's device (hipSetDevice)."""
        thread.device = self

    def check(self) -> None:
        """Raise again the fault that a kernel of this device ended in, until the device is reset."""
        if self.fault is not None:
            raise DeviceFault(self.fault.code_name, self.fault.message, self.fault.hint)

    def fail(self, fault: DeviceFault) -> None:
        """Remember a fault, and say it on stderr the first time."""
        if self.fault is None:
            self.fault = fault
            print(f"anyhip: device {self.index} ({self.name}): {fault}", file=sys.stderr, flush=True)

    def sync(self) -> None:
        """Wait for all work of the device (hipDeviceSynchronize).

        Raises:
            DeviceFault: a kernel failed, now or earlier.
        """
        self.check()
        try:
            self.backend.wait_all()
        except DeviceFault as fault:
            self.fail(fault)
            raise

    def reset(self) -> None:
        """Free everything that the process holds on the device and forget its fault (hipDeviceReset)."""
        from anyhip.runtime import memory, stream

        try:
            self.backend.wait_all()
        except DeviceFault as fault:
            self.fail(fault)
        stream.drop_all(self)
        memory.drop_all(self)
        self.backend.clear_faults()
        self.fault = None
        self._initial_state()

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes."""
        return self.backend.memory_info()

    def create_stream(self, *, nonblocking: bool = True, priority: int = 0) -> Stream:
        """A new stream of this device; nonblocking as in cuda.core: it does not wait for the null stream."""
        from anyhip.runtime.stream import Stream

        return Stream.create(self, flags=int(nonblocking), priority=priority)

    def create_event(self, *, enable_timing: bool = True) -> Event:
        """A new event of this device."""
        from anyhip.runtime.event import Event

        return Event.create(self, flags=0 if enable_timing else 0x2)

    def allocate(self, size: int, stream: Stream | None = None) -> Buffer:
        """Device memory; with a stream it is freed in that stream's order."""
        from anyhip.runtime.buffer import Buffer

        return Buffer.allocate(self, size, stream)


def _attribute_fields() -> dict[int, str]:
    if not _ATTRIBUTES:
        _ATTRIBUTES.update({int(r["number"]): r["property"] for r in tables.load("device_attributes")})
    return _ATTRIBUTES


_ATTRIBUTES: dict[int, str] = {}


def devices() -> list[Device]:
    """Every visible device, opened at the first call."""
    global _devices
    if _devices is None:
        with _lock:
            if _devices is None:
                from anyhip.runtime import visible

                found = visible.selected(visible.backends())
                _devices = [Device._make(i, backend, n) for i, (backend, n) in enumerate(found)]
    return _devices


def install(backends: Sequence[Backend] | None) -> None:
    """Use these backends instead of the environment's choice; None: choose again at the next call."""
    global _devices
    from anyhip.runtime import visible

    _devices = None
    thread.device = None
    thread.per_thread_streams = None
    if backends is not None:
        _devices = [Device._make(i, b, n) for i, (b, n) in enumerate(visible.selected(backends))]


def get(index: int) -> Device:
    """The visible device of that number.

    Raises:
        HipError: hipErrorNoDevice or hipErrorInvalidDevice.
    """
    every = devices()
    if not every:
        from anyhip.runtime import visible

        raise HipError("hipErrorNoDevice", visible.why_none(), "see what there is with `anyhip info`")
    if not 0 <= index < len(every):
        raise HipError("hipErrorInvalidDevice", f"device {index} of {len(every)}")
    return every[index]


def current() -> Device:
    """The calling thread's device; the first one until it chooses another."""
    device = thread.device
    if device is None:
        device = thread.device = get(0)
    return device


def set_flags(device: Device, flags: int) -> None:
    """hipSetDeviceFlags.

    Raises:
        HipError: hipErrorInvalidValue for flags that HIP does not have.
    """
    if flags & ~_FLAG_MASK or flags & SCHEDULE_MASK not in (0, 1, 2, 4):
        raise HipError("hipErrorInvalidValue", f"device flags {flags:#x}")
    device.flags = flags
