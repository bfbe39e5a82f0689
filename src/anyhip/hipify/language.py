"""Rules for parts of CUDA that HIP has otherwise: launches from kernels, launch bounds, textures, WMMA."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .device_code import Bodies
from .source import Source

__all__ = ["WORDS", "port_language"]

_BOUNDS = b"__launch_bounds__"
_TEXTURE = b"texture"
_WMMA = b"nvcuda"
_FRAGMENTS = b"wmma"
_DEVICE_CALLS = (b"cudaDeviceSynchronize", b"cudaGraphLaunch", b"cudaStreamCreateWithFlags")
WORDS = (_BOUNDS, _TEXTURE, _WMMA, _FRAGMENTS, *_DEVICE_CALLS)
"""Tokens that these rules look at."""
_DYNAMIC = (
    "AMD GPUs start no kernels from kernels (dynamic parallelism): return to the host, or loop in the kernel"
)
_BOUNDS_TEXT = (
    "the second value counts blocks a multiprocessor in CUDA, waves a SIMD in HIP: it is worth"
    " blocks * threads / (4 * warpSize) there (HIP language reference, __launch_bounds__)"
)
_TEXTURE_TEXT = (
    "texture references are gone from CUDA 12 and not supported on AMD's gfx90a and gfx942:"
    " make a texture object (hipCreateTextureObject) and pass it to the kernel"
)
_WMMA_TEXT = "nvcuda::wmma has no header in HIP: rocWMMA (rocwmma/rocwmma.hpp) has the same kind of interface"


def port_language(
    source: Source, found: Mapping[bytes, Sequence[int]], launches: Iterable[int], bodies: Bodies
) -> None:
    """Report what HIP has otherwise.

    Args:
        source: the file; gets notes.
        found: tokens of `WORDS`, by word.
        launches: tokens `<<<`.
        bodies: the device code.
    """
    for index in launches:
        if bodies.holds(index):
            source.note(index, "dynamic", "<<<", _DYNAMIC)
    for name in _DEVICE_CALLS:
        for index in found.get(name, ()):
            if bodies.holds(index):
                source.note(index, "dynamic", name, _DYNAMIC)
    for index in found.get(_BOUNDS, ()):
        call = source.arguments(index)
        if (
            call is not None
            and len(call[1]) > 1
            and not source.text(source.before(index)).endswith(b"define")
        ):
            source.note(index, "bounds", _BOUNDS, _BOUNDS_TEXT)
    for index in found.get(_TEXTURE, ()):
        if _is_reference(source, index):
            source.note(index, "texture", _TEXTURE, _TEXTURE_TEXT)
    _report_wmma(source, found)


def _report_wmma(source: Source, found: Mapping[bytes, Sequence[int]]) -> None:
    """`nvcuda::wmma::x`, `using namespace nvcuda;` and then each `wmma::x`."""
    named = False
    for index in found.get(_WMMA, ()):
        if source.text(source.after(index)) == b"::" or source.text(source.before(index)) == b"namespace":
            named = True
            source.note(index, "matrix", _WMMA, _WMMA_TEXT)
    for index in found.get(_FRAGMENTS, ()) if named else ():
        if source.text(source.after(index)) == b"::" and source.text(source.before(index)) != b"::":
            source.note(index, "matrix", _FRAGMENTS, _WMMA_TEXT)


def _is_reference(source: Source, index: int) -> bool:
    """`texture<float, 2> name;`, as against a function of that name."""
    opening = source.after(index)
    if source.text(opening) != b"<":
        return False
    end = source.template_end(opening, len(source.tokens))
    at = source.after(end) if end >= 0 else opening
    return end < 0 or source.text(at)[:1].isalpha() or source.text(at)[:1] == b"_"
