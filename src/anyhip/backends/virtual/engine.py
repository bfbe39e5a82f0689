"""The native engine, compiled at its first use on a machine and imported from the cache afterwards.

In: the C files in ``engine/``. Out: ``lib`` (their functions) and ``ffi`` (cffi's) of an extension module.
It keeps to CPython's stable ABI, whose declarations come with it: building needs no headers of Python's.
Once it is built, cffi's parser is not needed either: a program that finds it in the cache imports
``_cffi_backend`` alone.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from functools import cache as once
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from anyhip import cache, config
from anyhip.backends.virtual import layout
from anyhip.errors import AnyHipError, UsageError

__all__ = ["SOURCES", "build", "ffi", "include_dir", "lib", "load", "time_limit", "usable_cores"]

SOURCES = Path(__file__).parent / "engine"
_MOST_THREADS = 4096
_MOST_SECONDS = 10**9
_MODULE = "_anyhip_engine"
_CALLBACKS = 'extern "Python+C" void anyhip_python_call(uintptr_t);'


def include_dir() -> Path:
    """Folder of ``engine.h``: with layout's defines it declares ``struct wave`` for hand-written kernels."""
    return SOURCES


def _key() -> str:
    backend = import_module("_cffi_backend")
    sources = sorted(path for path in SOURCES.rglob("*.[ch]"))
    host = (sys.implementation.cache_tag or "", os.uname().machine, str(backend.__version__))
    return cache.digest(*host, *layout.defines(), *(path.name for path in sources), *sources)


def _declarations() -> str:
    lines = (SOURCES / "api.h").read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


def build(output: Path) -> None:
    """Compile the engine.

    Raises:
        ToolchainError: with the compiler's text.
    """
    import tempfile

    from cffi import FFI

    from anyhip import toolchain

    writer = FFI()
    writer.cdef(_declarations() + _CALLBACKS)
    writer.set_source(_MODULE, '#include "api.h"\n')
    with tempfile.TemporaryDirectory() as folder:
        glue = Path(folder) / f"{_MODULE}.c"
        with redirect_stdout(StringIO()):  # cffi says what it writes
            writer.emit_c_code(str(glue))
        toolchain.shared_library(
            output,
            [glue, *sorted(SOURCES.glob("*.c"))],
            include_dirs=[SOURCES / "python", SOURCES],
            defines=layout.defines(),
            flags=["-std=gnu11", "-pthread", "-fvisibility=hidden"],
            libs=["-ldl", "-lpthread"],
        )


def _import(path: Path) -> ModuleType:
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(_MODULE, path, loader=ExtensionFileLoader(_MODULE, str(path)))
    if spec is None or spec.loader is None:
        raise AnyHipError(f"the engine {path} cannot be imported", "delete that file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _import_again(path: Path) -> ModuleType:
    try:
        return _import(path)
    except ImportError as error:
        raise AnyHipError(f"the engine {path} does not load: {error}", "delete that file") from error


def usable_cores() -> int:
    """Cores that this process may use: its affinity, and its control group's share of time (cpu.max)."""
    cores = len(os.sched_getaffinity(0))
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
    except (OSError, ValueError):
        return cores
    return min(cores, max(-(-int(quota) // int(period)), 1)) if quota.isdigit() else cores


def _threads() -> tuple[int, int]:
    cores = usable_cores()
    wanted = config.get_int("ANYHIP_THREADS")
    if not 0 <= wanted <= _MOST_THREADS:
        raise UsageError(f"ANYHIP_THREADS={wanted} is not a number of threads", f"use 0 to {_MOST_THREADS}")
    return wanted or cores, cores


def time_limit() -> int:
    """Seconds that a kernel may run; 0: as long as it likes.

    Raises:
        UsageError: ANYHIP_TIMEOUT is no such number.
    """
    seconds = config.get_int("ANYHIP_TIMEOUT")
    if not 0 <= seconds <= _MOST_SECONDS:
        raise UsageError(f"ANYHIP_TIMEOUT={seconds} is not a time", f"use 0 to {_MOST_SECONDS} seconds")
    return seconds


def library() -> Path:
    """The engine's shared object, built if the cache has none.

    Raises:
        ToolchainError: it cannot be built.
    """
    return cache.build(cache.path("engine", _key(), ".so"), build)


@once
def load() -> ModuleType:
    """The engine's module, built if the cache has none, and started (its threads start with the first work).

    Raises:
        ToolchainError: it cannot be built.
        AnyHipError: it cannot be loaded or started.
    """
    try:
        module = _import(library())
    except ImportError:
        cache.discard(cache.path("engine", _key(), ".so"))
        module = _import_again(library())
    if module.lib.engine_start(*_threads()):
        raise AnyHipError("the engine cannot install its signal or fork handlers", "free some memory")
    module.lib.engine_limit(time_limit() * 1_000_000_000)
    return module


def lib() -> Any:
    """The engine's functions."""
    return load().lib


def ffi() -> Any:
    """cffi's helper for the engine's structures."""
    return load().ffi
