"""CUDA C++ text in, HIP C++ text out, with notes on what a person must look at."""

from __future__ import annotations

from .port import Note, Ported, PortOptions, port_source
from .program import PortedProgram, port_program

__all__ = ["Note", "PortOptions", "Ported", "PortedProgram", "port_program", "port_source"]
