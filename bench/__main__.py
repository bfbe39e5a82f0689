"""Run the measurements that are named, or all: a module of this package is one, its ``rows()`` the result."""

import importlib
import pkgutil
import sys

import bench
from bench.report import show

known = [
    info.name for info in pkgutil.iter_modules(bench.__path__) if info.name not in ("__main__", "report")
]
wanted = sys.argv[1:] or known
for name in wanted:
    if name not in known:
        raise SystemExit(f"unknown measurement {name}; known are: {', '.join(known)}")
    show(name, importlib.import_module(f"bench.{name}").rows())
