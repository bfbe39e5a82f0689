"""Port one CUDA source: every rule in its order.

text ─▶ tokens ─▶ includes ─▶ names ─▶ lane masks ─▶ macros ─▶ calls' arguments ─▶ launches ─▶ text, notes
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from .ballots import FUNCTIONS as BALLOTS
from .ballots import port_ballots
from .calls import port_calls
from .conditions import leave_out_excluded
from .cooperative import NAMESPACE, report_groups
from .device_code import QUALIFIERS, Bodies
from .expand import expand_launches
from .foreign import report_foreign
from .half_members import PAIRS, port_half_members
from .includes import add_runtime_include, port_includes, runtime_included
from .language import WORDS, port_language
from .launch import count_launches, port_launches
from .macros import ARCH, port_arch_macro
from .masks import FUNCTIONS as SYNC_FUNCTIONS
from .masks import port_masks
from .names import table
from .ptx import ASM, port_ptx
from .rename import rename, rename_in_strings
from .settings import PortOptions
from .signatures import PEER, report_signatures
from .signatures import names as signature_names
from .source import Note, Source
from .waves import NUMBERS, SHUFFLES, WARP_SIZE, port_waves

__all__ = ["Note", "PortOptions", "Ported", "analyse", "port_source"]

# Words of the CUDA language that need hip_runtime.h although their spelling stays.
_LANGUAGE = frozenset(
    {b"__global__", b"__device__", b"__shared__", b"__constant__", b"__managed__", b"threadIdx", b"blockIdx"}
)
_LAUNCH = b"<<<"
_PREFIXES = {
    b"cuda": b"hip", b"cublas": b"hipblas", b"cublasLt": b"hipblasLt", b"cufft": b"hipfft",
    b"curand": b"hiprand", b"cusparse": b"hipsparse", b"cusolverDn": b"hipsolverDn",
}  # fmt: skip
_LIBCUXX = b"cuda"
_LIBCUXX_TEXT = "HIP has no counterpart of libcu++ (namespace cuda); libhipcxx has parts of it"
_SPECIAL = (
    frozenset({_LAUNCH, _LIBCUXX, ARCH, WARP_SIZE, NAMESPACE, *ASM, *_PREFIXES, *PAIRS, *WORDS})
    | SYNC_FUNCTIONS
    | BALLOTS
    | SHUFFLES
    | NUMBERS
    | _LANGUAGE
)
_WIDE_TEXT = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Ported:
    """A ported file: its text and what a person should know.

    counts: conversions by group; renamed: conversions by (CUDA name, HIP name).
    """

    text: bytes
    notes: list[Note]
    counts: Mapping[str, int] = field(default_factory=dict)
    renamed: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def converted(self) -> int:
        """How many places changed."""
        return sum(self.counts.values())


def port_source(text: bytes, path: str | None = None, options: PortOptions | None = None) -> Ported:
    """Port CUDA C++ to HIP C++.

    Args:
        text: the source, in any encoding that keeps ASCII bytes; line endings are kept.
        path: the file's name, for rules that depend on it.
        options: how to port; default options if None.

    Returns:
        The HIP source with notes and counts. A file in UTF-16 comes back unchanged, with a note.
    """
    options = options or PortOptions()
    source = analyse(text, options)
    if source is None:
        return Ported(
            text, [Note(1, 1, "encoding", path or "", "UTF-16 text was left as it is; save it as UTF-8")]
        )
    return Ported(source.result(), source.notes, source.counts, source.renamed)


def analyse(text: bytes, options: PortOptions) -> Source | None:
    """As port_source, with the tokens and what became of each; None for text in UTF-16."""
    if text[:2] in _WIDE_TEXT:
        return None
    source = Source(text)
    wanted = _wanted()
    hits = [
        index for index, token in enumerate(source.tokens) if token in wanted and index not in options.own
    ]
    _apply(source, hits, options)
    source.notes.sort(key=lambda note: (note.line, note.col))
    return source


@lru_cache(maxsize=1)
def _wanted() -> frozenset[bytes]:
    return _SPECIAL | table().active


def _apply(source: Source, hits: list[int], options: PortOptions) -> None:
    found: dict[bytes, list[int]] = defaultdict(list)
    for index in hits:
        found[source.tokens[index]].append(index)
    active = table().active
    cuda_names = [index for index in hits if source.tokens[index] in active]
    source.candidates = frozenset(cuda_names)
    # Names first: rules that move text about must find it renamed.
    port_includes(source, options)
    rename(source, cuda_names, options)
    port_masks(source, [index for name in SYNC_FUNCTIONS & found.keys() for index in found[name]])
    port_ballots(source, [index for name in BALLOTS & found.keys() for index in found[name]])
    port_arch_macro(source, found[ARCH])
    if options.rocm6:
        rename_in_strings(source, options)
        port_half_members(source, [index for name in PAIRS for index in found[name]])
    _pasted(source, found)
    _libcuxx(source, found[_LIBCUXX])
    report_foreign(source)
    report_groups(source, found[NAMESPACE])
    telling = (signature_names() | PEER) & found.keys()
    report_signatures(source, [index for name in telling for index in found[name]])
    port_ptx(source, [index for name in ASM for index in found[name]])
    _language(source, found)
    launches = found[_LAUNCH]
    if options.skip_excluded:
        cuda_names = leave_out_excluded(source, cuda_names, options.defines)
        launches = leave_out_excluded(source, launches, options.defines)
    port_calls(source, cuda_names, options)
    if options.hip_launch:
        if options.expand_launches:
            expand_launches(source, launches)
        port_launches(source, launches, found[b"__global__"])
    else:
        count_launches(source, launches)
    _runtime_include(source, found, options.runtime_include)


def _runtime_include(source: Source, found: Mapping[bytes, list[int]], when: str) -> None:
    if when == "never" or runtime_included(source):
        return
    if (
        when == "always"
        or found.get(_LAUNCH)
        or source.counts.total()
        or any(found.get(word) for word in _LANGUAGE)
    ):
        add_runtime_include(source)


def _pasted(source: Source, found: Mapping[bytes, list[int]]) -> None:
    """Prefixes that a macro completes, as in `cublas##T##gemm`: the rest of such names is HIP's, too."""
    for prefix, new in _PREFIXES.items():
        for index in found.get(prefix, ()):
            after = source.after(index)
            if source.tokens[after : after + 2] == [b"#", b"#"]:
                source.out[index] = new
                source.counts["define"] += 1
                source.note(
                    index,
                    "macro",
                    prefix,
                    f"{prefix.decode()}## became {new.decode()}##:"
                    " check that each name it makes exists in HIP",
                )


def _libcuxx(source: Source, hits: list[int]) -> None:
    """`thrust::cuda` has a name in HIP; libcu++ (`cuda::`) has none."""
    for index in hits:
        if source.text(source.after(index)) != b"::":
            continue
        before = source.before(index)
        if source.text(before) != b"::":
            source.note(index, "unsupported", "cuda::", _LIBCUXX_TEXT)
        elif source.text(source.before(before)) == b"thrust":
            source.out[index] = b"hip"
            source.counts["type"] += 1


def _language(source: Source, found: Mapping[bytes, list[int]]) -> None:
    """What only device code shows."""
    qualifiers = [index for word in QUALIFIERS for index in found.get(word, ())]
    bodies = Bodies(source, qualifiers)
    port_language(source, found, found.get(_LAUNCH, ()), bodies)
    uses_warps = any(found.get(name) for name in SYNC_FUNCTIONS | BALLOTS | SHUFFLES)
    numbers = [index for number in NUMBERS & found.keys() for index in found[number]]
    port_waves(source, numbers, found.get(WARP_SIZE, ()), bodies, uses_warps)
