"""The driver's functions as a compiled module, made at their first use on a machine and cached.

In: ``driver.h``. Out: an extension module of cffi's whose functions go through pointers, because there is no
``libcuda`` to link against where it is compiled. A launch through it costs the driver's own time and 0.3 µs;
ctypes, cffi without a compiler and NVIDIA's Python package add one to three.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType

from anyhip import cache
from anyhip.errors import AnyHipError

__all__ = ["build", "declarations", "glue", "library", "load"]

_FOLDER = Path(__file__).parent
_MODULE = "_anyhip_nvidia"
_FUNCTION = re.compile(r"^int (cu\w+)\(([^;]*)\);", re.MULTILINE)
_OPEN = "const char *anyhip_open(const char *library);\n"
# CPython's stable ABI, declared where the virtual GPU's engine needs it too
_PYTHON_H = _FOLDER.parent / "virtual" / "engine" / "python"

_LOADER = """
static int absent(void) { return 801; /* CUDA_ERROR_NOT_SUPPORTED: the driver is too old to have it */ }

static const struct { const char *name; void **place; } functions[] = {
%s
};

// Returns NULL, or why the library cannot be loaded.
static const char *anyhip_open(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *found = dlsym(handle, functions[i].name);
    *functions[i].place = found ? found : (void *)absent;
  }
  return NULL;
}
"""


def declarations() -> str:
    """``driver.h``, and the function that opens the library, as ``FFI.cdef`` takes them."""
    return (_FOLDER / "driver.h").read_text(encoding="utf-8") + _OPEN


def glue() -> str:
    """C that defines each function of ``driver.h`` as a call through a pointer."""
    text = (_FOLDER / "driver.h").read_text(encoding="utf-8")
    return "".join(("#include <dlfcn.h>\n#include <stdint.h>\n", *_pointers(text)))


def _pointers(text: str) -> Iterator[str]:
    yield _FUNCTION.sub(r"static int (*anyhip_\1)(\2);", text)
    names = [found[1] for found in _FUNCTION.finditer(text)]
    yield _LOADER % "\n".join(f'  {{"{name}", (void **)&anyhip_{name}}},' for name in names)
    yield from (f"#define {name} anyhip_{name}\n" for name in names)


def write_source(output: Path) -> None:
    """The module's C source."""
    from cffi import FFI

    writer = FFI()
    writer.cdef(declarations())
    writer.set_source(_MODULE, glue())
    with redirect_stdout(StringIO()):  # cffi says what it writes
        writer.emit_c_code(str(output))


def build(output: Path) -> None:
    """Compile the module.

    Raises:
        ToolchainError: with the compiler's text.
    """
    import tempfile

    from anyhip import toolchain

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{_MODULE}.c"
        write_source(source)
        toolchain.shared_library(
            output,
            [source],
            include_dirs=[_PYTHON_H],
            flags=["-std=gnu11", "-fvisibility=hidden"],
            libs=["-ldl"],
        )


def library() -> Path:
    """Where the module is, or would be, in the cache."""
    backend = import_module("_cffi_backend")
    host = (sys.implementation.cache_tag or "", os.uname().machine, str(backend.__version__))
    return cache.path("nvidia", cache.digest(*host, declarations(), glue()), ".so")


def load() -> ModuleType:
    """The module, built if the cache has none.

    Raises:
        ToolchainError: it cannot be built.
        AnyHipError: it cannot be loaded.
    """
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    path = cache.build(library(), build)
    spec = spec_from_file_location(_MODULE, path, loader=ExtensionFileLoader(_MODULE, str(path)))
    if spec is None or spec.loader is None:
        raise AnyHipError(f"{path} cannot be imported", "delete that file")
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:
        raise AnyHipError(f"{path} does not load: {error}", "delete that file") from error
    return module
