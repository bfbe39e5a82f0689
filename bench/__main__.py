"""Run the measurements that are named, or all: a module of this package with ``rows()`` is one."""

import importlib
import pkgutil
import sys

import bench
from bench.report import show

modules = {
    info.name: importlib.import_module(f"bench.{info.name}")
    for info in pkgutil.iter_modules(bench.__path__)
    if info.name != "__main__"
}
known = [name for name, module in modules.items() if hasattr(module, "rows")]
for name in sys.argv[1:] or known:
    if name not in known:
        raise SystemExit(f"unknown measurement {name}; known are: {', '.join(known)}")
    show(name, modules[name].rows())
