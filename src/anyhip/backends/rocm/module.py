"""A code object that the system's library loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from anyhip.backends.installed import FUNCTION_ATTRIBUTES
from anyhip.codeobj.codeobject import CodeObject

if TYPE_CHECKING:
    from anyhip.backends.rocm.device import RocmDevice

__all__ = ["RocmModule"]


class RocmModule:
    """See :class:`anyhip.backends.backend.BackendModule`.

    Raises:
        HipError: the library refuses the code object.
    """

    def __init__(self, device: RocmDevice, code: CodeObject) -> None:
        self.code = code
        self._device = device
        self._kernels: dict[str, int] = {}
        library = device.enter()
        self._image = library.ffi.from_buffer(code.image)  # the library may go on reading it
        self._module = int(library.get("uintptr_t", "hipModuleLoadData", self._image))

    def symbol(self, name: str) -> tuple[int, int]:
        """Address and size of a device variable. KeyError if absent."""
        library = self._device.enter()
        address, size = library.ffi.new("uintptr_t *"), library.ffi.new("size_t *")
        status = library.lib.hipModuleGetGlobal(address, size, self._module, name.encode())
        if library.name(status) == "hipErrorNotFound":
            raise KeyError(name)
        library.check(status, "hipModuleGetGlobal")
        return int(address[0]), int(size[0])

    def kernel(self, name: str) -> int:
        """The library's hipFunction_t of a kernel. KeyError if absent."""
        if name not in self._kernels:
            if name not in self.code.kernels:
                raise KeyError(name)
            library = self._device.enter()
            handle = library.get("uintptr_t", "hipModuleGetFunction", self._module, name.encode())
            self._kernels[name] = int(handle)
        return self._kernels[name]

    def attributes(self, kernel: int) -> Mapping[str, int]:
        """hipFuncAttributes by field name."""
        library = self._device.enter()
        return {
            field: int(library.get("int", "hipFuncGetAttribute", number, kernel))
            for field, number in FUNCTION_ATTRIBUTES.items()
        }

    def unload(self) -> None:
        """Free the module's memory."""
        self._kernels.clear()
        self._device.enter().call("hipModuleUnload", self._module)
