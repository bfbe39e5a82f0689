"""CUDA C++ text in, HIP C++ text out, with notes on what a person must look at."""

from __future__ import annotations

from .port import Note, Ported, PortOptions, port_source

__all__ = ["Note", "PortOptions", "Ported", "port_source"]
