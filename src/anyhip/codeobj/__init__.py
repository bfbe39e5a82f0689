"""Code objects: bytes in, facts out; nothing here executes anything.

``load`` reads one AMD ELF, ``bundle`` has the files that carry several.
"""

from anyhip.codeobj.codeobject import CodeObject, KernelInfo, Relocation, Segment, Symbol, load
from anyhip.codeobj.descriptor import KernelDescriptor
from anyhip.codeobj.metadata import KernelArg

__all__ = [
    "CodeObject",
    "KernelArg",
    "KernelDescriptor",
    "KernelInfo",
    "Relocation",
    "Segment",
    "Symbol",
    "load",
]
