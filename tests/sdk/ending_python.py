"""A Python that loads the C library itself and calls it while it ends; ``test_skin.py`` runs it."""

import ctypes
import sys

loaded = ctypes.CDLL(sys.argv[1])


class Leaving:
    """Outlives the interpreter's usable part: it goes when the modules are torn down."""

    def __init__(self) -> None:
        self.destroy, self.count = loaded.hipStreamDestroy, loaded.hipGetDeviceCount
        self.stream, self.number = ctypes.c_void_p(), ctypes.c_int()
        self.pointer, self.say = ctypes.byref(self.number), sys.__stdout__.write
        assert loaded.hipStreamCreate(ctypes.byref(self.stream)) == 0

    def __del__(self) -> None:
        self.say(f"{self.destroy(self.stream)} {self.count(self.pointer)}")


leaving = Leaving()
