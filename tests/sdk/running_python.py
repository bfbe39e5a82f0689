"""A program in Python that loads a library in C, which launches kernels; ``test_skin.py`` runs it."""

import ctypes
import sys

from anyhip.runtime import device as devices_
from runtime.fake import FakeBackend
from runtime.test_launch import bundle

loaded = ctypes.CDLL(sys.argv[1])
loaded.launches.restype = ctypes.c_double
backend = FakeBackend()
devices_.install([backend])
image = ctypes.create_string_buffer(bundle())
assert 0 < min(loaded.launches(image, 5000) for _ in range(3)) < 8  # microseconds
launches = backend.devices[0].launches
assert len(launches) == 3 * 5001, len(launches)
assert launches[-1][2:5] == ((10, 1, 1), (64, 1, 1), 0), launches[-1]
assert loaded.too_large() == 9
assert loaded.configured() == 0
