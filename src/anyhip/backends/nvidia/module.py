"""PTX loaded on one device: compiled by the driver, its kernels and variables found by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from anyhip.backends.installed import FUNCTION_ATTRIBUTES
from anyhip.backends.nvidia.driver import SUCCESS, result
from anyhip.codeobj.codeobject import CodeObject
from anyhip.errors import HipError

if TYPE_CHECKING:
    from anyhip.backends.nvidia.device import NvidiaDevice

__all__ = ["NvidiaModule"]

# CUjit_option
_ERROR_LOG, _ERROR_LOG_SIZE = 5, 6
_LOG_ROOM = 16 << 10
_NOT_FOUND = 500
_HINTS = {
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": "update the NVIDIA driver: it is older than this PTX",
    "CUDA_ERROR_NO_BINARY_FOR_GPU": "compile with --offload-arch={arch}",
}


class NvidiaModule:
    """PTX on a device (see :class:`anyhip.backends.backend.BackendModule`).

    Raises:
        HipError: the driver does not compile it; the message has the driver's log.
    """

    def __init__(self, device: NvidiaDevice, code: CodeObject) -> None:
        self.code = code
        self._device = device
        self._driver = device.driver
        self._kernels: dict[str, int] = {}
        self._module = self._compile()

    def _compile(self) -> int:
        ffi, lib = self._driver.ffi, self._driver.lib
        self._device.enter()
        log = ffi.new("char[]", _LOG_ROOM)
        options = ffi.new("int[]", [_ERROR_LOG, _ERROR_LOG_SIZE])
        values = ffi.new("uintptr_t[]", [int(ffi.cast("uintptr_t", log)), _LOG_ROOM])
        module = ffi.new("uintptr_t *")
        status = lib.cuModuleLoadDataEx(module, self.code.image + b"\0", len(options), options, values)
        if status != SUCCESS:
            self._refused(status, ffi.string(log).decode(errors="replace").strip())
        return int(module[0])

    def _refused(self, status: int, log: str) -> None:
        known = result(status)
        if known.fault:
            self._driver.check(status)
        said = log or self._driver.sentence(status)
        device, code = self._device.target.arch, self.code.target.id
        raise HipError(
            known.hip,
            f"the driver does not compile PTX for {code} on {device} ({known.name}):\n{said}",
            _HINTS.get(known.name, "").format(arch=device),
        )

    def symbol(self, name: str) -> tuple[int, int]:
        """Address and size of a device variable. KeyError if absent."""
        ffi, lib = self._driver.ffi, self._driver.lib
        self._device.enter()
        address, size = ffi.new("uintptr_t *"), ffi.new("size_t *")
        status = lib.cuModuleGetGlobal_v2(address, size, self._module, name.encode())
        if status == _NOT_FOUND:
            raise KeyError(name)
        self._driver.check(status, f"device variable {name}")
        return int(address[0]), int(size[0])

    def kernel(self, name: str) -> int:
        """The driver's CUfunction of a kernel. KeyError if absent."""
        if name not in self._kernels:
            if name not in self.code.kernels:
                raise KeyError(name)
            self._device.enter()
            function = self._driver.handle("cuModuleGetFunction", self._module, name.encode())
            self._kernels[name] = function
        return self._kernels[name]

    def attributes(self, kernel: int) -> Mapping[str, int]:
        """hipFuncAttributes by field name."""
        self._device.enter()
        return {
            field: self._driver.number("cuFuncGetAttribute", attribute, kernel)
            for field, attribute in FUNCTION_ATTRIBUTES.items()
        }

    def unload(self) -> None:
        """Free the module's memory."""
        self._kernels.clear()
        self._device.enter()
        self._device.release(self._driver.lib.cuModuleUnload(self._module), "cuModuleUnload")
