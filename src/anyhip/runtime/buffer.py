"""Buffers: device memory as Python holds it, exchanged with other libraries through DLPack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyhip.errors import HipError
from anyhip.runtime import copy, memory

if TYPE_CHECKING:
    from anyhip.runtime.device import Device
    from anyhip.runtime.stream import Stream

__all__ = ["Buffer", "address_and_size"]

_CPU, _ROCM = 1, 10  # DLDeviceType


class Buffer:
    """``size`` bytes of a device."""

    def __init__(self, device: Device, address: int, size: int, stream: Stream | None) -> None:
        self.device = device
        self._address = address
        self.size = size
        self._stream = stream
        self._closed = False

    @classmethod
    def allocate(cls, device: Device, size: int, stream: Stream | None = None) -> Buffer:
        """New device memory; HipError hipErrorOutOfMemory, hipErrorInvalidValue."""
        return cls(device, memory.allocate(device, size, pool=stream is not None), size, stream)

    @property
    def handle(self) -> int:
        """The address.

        Raises:
            HipError: hipErrorInvalidValue when the buffer was closed.
        """
        if self._closed:
            raise HipError("hipErrorInvalidValue", "the buffer was closed", "close it after its last use")
        return self._address

    def __repr__(self) -> str:
        state = " (closed)" if self._closed else ""
        return f"<Buffer of {self.size} bytes at {self._address:#x} on device {self.device.index}{state}>"

    def __del__(self) -> None:
        if not getattr(self, "_closed", True) and self.device.fault is None:
            self.close()

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, stream: Stream | None = None) -> None:
        """Free the memory, after the work of ``stream`` (or of the stream it was allocated on, or of the
        device).
        """
        if self._closed:
            return
        self._closed = True
        stream = stream or self._stream
        if stream is None:
            memory.free(self._address)
        else:
            memory.free_async(self._address, stream)

    def copy_from(self, source: object, *, stream: Stream | None = None) -> None:
        """Fill the buffer from another one, or from anything with the buffer or array interface.

        Raises:
            HipError: hipErrorInvalidValue when there is more than fits.
            TypeError: ``source`` has neither.
        """
        address, size = address_and_size(source)
        self._check(size)
        copy.copy_async(stream or self.device.default_stream, self.handle, address, size)
        if stream is None:
            self.device.default_stream.sync()

    def copy_to(self, target: object, *, stream: Stream | None = None) -> None:
        """Copy the first bytes out into another buffer or a writable array, as many as it holds.

        Raises:
            HipError, TypeError: as :meth:`copy_from`.
        """
        address, size = address_and_size(target, writable=True)
        self._check(size)
        copy.copy_async(stream or self.device.default_stream, address, self.handle, size)
        if stream is None:
            self.device.default_stream.sync()

    def fill(self, value: int, *, width: int = 1, stream: Stream | None = None) -> None:
        """Set every element of ``width`` bytes (1, 2 or 4)."""
        copy.fill(stream or self.device.default_stream, self.handle, value, width, self.size // width)

    def _check(self, size: int) -> None:
        if size > self.size:
            raise HipError("hipErrorInvalidValue", f"{size} bytes, the buffer has {self.size}")

    # ---- protocols: see https://dmlc.github.io/dlpack and numpy's array interface

    def __dlpack_device__(self) -> tuple[int, int]:
        """The virtual GPU's memory is host memory, and says so."""
        return (_CPU, 0) if self._is_host else (_ROCM, self.device.index)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The bytes as a one-dimensional tensor of uint8, without a copy.

        Raises:
            BufferError: another device or a copy was asked for.
        """
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("a Buffer is exported where it is; use copy_to for a copy")
        from anyhip.runtime import dlpack

        self.device.sync()
        return dlpack.capsule(
            self, self.__dlpack_device__(), versioned=max_version is not None and max_version[0] >= 1
        )

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """NumPy's view of the bytes; only where device memory is host memory."""
        if not self._is_host:
            raise AttributeError("device memory that the host cannot read")
        return {"shape": (self.size,), "typestr": "|u1", "data": (self.handle, False), "version": 3}

    @property
    def _is_host(self) -> bool:
        return self.device.kind not in ("nvidia", "rocm")


def address_and_size(value: object, *, writable: bool = False) -> tuple[int, int]:
    """Where the bytes of an object are, and how many.

    Raises:
        TypeError: it is no Buffer, and has no buffer, array or CUDA array interface, or is not contiguous.
    """
    if isinstance(value, Buffer):
        return value.handle, value.size
    for name in ("__array_interface__", "__cuda_array_interface__"):
        interface = getattr(value, name, None)
        if interface is not None:
            return _described(interface)
    import ctypes

    if isinstance(value, bytes) and not writable:
        return ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value or 0, len(value)
    view = memoryview(value).cast("B")  # type: ignore[arg-type]
    if view.readonly:
        raise TypeError(
            f"a read-only {type(value).__name__} has no address to use; pass bytes(...) or a copy"
        )
    return (ctypes.addressof(ctypes.c_char.from_buffer(view)) if view.nbytes else 0), view.nbytes


def _described(interface: dict[str, Any]) -> tuple[int, int]:
    size = int(interface["typestr"][2:])
    for extent in interface["shape"]:
        size *= extent
    if interface.get("strides") is not None:
        expected = int(interface["typestr"][2:])
        for extent, stride in zip(reversed(interface["shape"]), reversed(interface["strides"]), strict=True):
            if extent > 1 and stride != expected:
                raise TypeError("the array is not contiguous; pass numpy.ascontiguousarray(array)")
            expected *= extent
    return int(interface["data"][0]), size
