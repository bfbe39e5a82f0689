"""The ROCm backend over AnyHIP's own C library as the system's; ``test_loop.py`` runs it.

The library's functions are served by the virtual GPU in this very process: what the backend marshals goes all
the way to kernels and back.
"""

import ctypes
import sys
import threading
from pathlib import Path

import pytest

from anyhip.backends.rocm.backend import RocmBackend
from anyhip.backends.rocm.library import Library
from anyhip.codeobj import bundle
from anyhip.errors import HipError
from anyhip.sdk import abi, root

backend = RocmBackend(library=Library(root.ensure() / "lib" / abi.HIP))
assert backend.count() == 2
first, second = backend.device(0), backend.device(1)
assert backend.device(0) is first

# properties
assert (first.target.arch, first.properties["warpSize"]) == ("gfx942", 64)
assert "MI300X" in str(first.properties["name"])
assert first.properties["maxThreadsDim"] == (1024, 1024, 1024)
assert first.properties["uuid"] != second.properties["uuid"]
free, total = first.memory_info()
assert 0 < free <= total == first.properties["totalGlobalMem"]

# memory, copies and fills on a stream
stream = first.create_stream(blocking=False, priority=0)
device, host, managed = (first.allocate(1024, kind) for kind in ("device", "host", "managed"))
given = bytes(range(256)) * 4
ctypes.memmove(host, given, 1024)
first.copy(stream, device, host, 1024)
first.fill(stream, device + 4, 0xAB, 1, 4)
first.fill(stream, device + 8, 0x1234, 2, 2)
first.fill(stream, device + 12, 0xDEADBEEF, 4, 1)
first.copy(stream, managed, device, 1024)
first.wait_stream(stream)
assert first.stream_done(stream)
expected = given[:4] + b"\xab" * 4 + b"\x34\x12" * 2 + b"\xef\xbe\xad\xde" + given[16:]
assert ctypes.string_at(managed, 1024) == expected

# boxes: 3 bytes by 2 rows by 2 slices, out of pitched places
first.fill(stream, managed, 0, 1, 1024)
first.copy_rect(stream, (managed, 8, 32), (host, 16, 64), (3, 2, 2))
first.wait_stream(stream)
for z in range(2):
    for y in range(2):
        assert ctypes.string_at(managed + 32 * z + 8 * y, 4) == given[64 * z + 16 * y :][:3] + b"\0"
first.fill_rect(stream, (managed, 8, 32), 7, 1, (3, 2, 2))
first.wait_stream(stream)
assert ctypes.string_at(managed + 40, 4) == b"\7\7\7\0"

# events, host functions
start, stop = first.create_event(), first.create_event()
assert first.event_done(start)
called: list[int] = []
first.record_event(start, stream)
first.host_call(stream, lambda: called.append(threading.get_ident()))
first.record_event(stop, stream)
other = first.create_stream()
first.stream_wait_event(other, stop)
first.wait_stream(other)
first.wait_event(stop)
assert len(called) == 1
assert first.elapsed_ms(start, stop) >= 0

# modules and launches
code = first.select(bundle.unbundle(Path(sys.argv[1]).read_bytes()))
module = first.load(code)
with pytest.raises(KeyError):
    module.symbol("nothing")
with pytest.raises(KeyError):
    module.kernel("nothing")
address, size = module.symbol("factor")
assert size == 4
ctypes.memmove(host, (3).to_bytes(4, "little"), 4)
first.copy(stream, address, host, 4)
kernel = module.kernel("scale")
assert module.attributes(kernel)["maxThreadsPerBlock"] == 1024
values = [ctypes.c_uint64(managed), ctypes.c_int(5)]
pointers = (ctypes.c_void_p * 2)(*(ctypes.addressof(value) for value in values))
first.launch(stream, kernel, (2, 1, 1), (64, 1, 1), 0, ctypes.addressof(pointers))
first.wait_stream(stream)
numbers = (ctypes.c_int * 128).from_address(managed)
assert list(numbers) == [3 * i + 5 for i in range(128)]
packed = managed.to_bytes(8, "little") + (7).to_bytes(4, "little")
first.launch_packed(stream, kernel, (1, 1, 1), (32, 1, 1), 0, packed)
first.launch(stream, kernel, (1, 1, 1), (16, 1, 1), 0, ctypes.addressof(pointers), cooperative=True)
first.wait_all()
assert list(numbers) == [3 * i + (5 if i < 16 or i >= 32 else 7) for i in range(128)]

# errors by name
with pytest.raises(HipError, match="hipErrorInvalidValue: hipFree"):
    first.free(12345)
with pytest.raises(HipError, match="hipErrorOutOfMemory: hipMalloc"):
    first.allocate(1 << 60)

# a second device, and all given back
there = second.allocate(64)
second.fill(second.default_stream, there, 9, 1, 64)
second.copy(second.default_stream, host, there, 64)
second.wait_all()
assert ctypes.string_at(host, 64) == b"\x09" * 64
second.free(there)
module.unload()
for event in (start, stop):
    first.destroy_event(event)
for handle in (stream, other):
    first.destroy_stream(handle)
for memory in (device, host, managed):
    first.free(memory)
memory = bytearray(4096)
place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
first.register_host(place, 4096)
first.unregister_host(place)
first.clear_faults()
print("all checks passed")
