"""The maps as tables for people: which CUDA names HIP has, in Markdown or CSV.

One file a library, under the names that `hipify-clang -md` gives them. The columns of versions are A (added),
D (deprecated), C (changed), R (removed), for CUDA's name and for HIP's; E marks what is experimental in HIP.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from . import files
from .names import Name, libraries, table

__all__ = ["FORMATS", "ROC", "write_catalogue"]

FORMATS = ("full", "strict", "compact")
"""All names with all columns; all names with few columns; only the names that HIP has, with few columns."""
ROC = ("skip", "separate", "joint")
"""AMD's own libraries: not at all, in files of their own, in the same tables."""
_HIP, _ROC = "HIP", "ROC"
_TITLES = {
    "driver": ("CUDA_Driver_API_functions", "CUDA DRIVER"),
    "runtime": ("CUDA_Runtime_API_functions", "CUDA RUNTIME"),
    "complex": ("cuComplex_API", "CUCOMPLEX"), "blas": ("CUBLAS_API", "CUBLAS"),
    "solver": ("CUSOLVER_API", "CUSOLVER"), "rand": ("CURAND_API", "CURAND"), "dnn": ("CUDNN_API", "CUDNN"),
    "fft": ("CUFFT_API", "CUFFT"), "sparse": ("CUSPARSE_API", "CUSPARSE"),
    "device": ("CUDA_Device_API", "CUDA DEVICE"), "rtc": ("CUDA_RTC_API", "CUDA RTC"),
    "cub": ("CUB_API", "CUB"),
    "tensor": ("CUTENSOR_API", "CUTENSOR"), "nvtx": ("NVTX_API", "NVTX"), "thrust": ("THRUST_API", "THRUST"),
}  # fmt: skip
_SECTIONS = {
    "Functions": ("function",),
    "Types": ("type", "namespace"),
    "Values": ("enum", "define", "identifier"),
}
_VERSIONS = {"full": "ADCR", "strict": "D", "compact": "D"}
_KEY = "A - Added; D - Deprecated; C - Changed; R - Removed; E - Experimental"


def write_catalogue(folder: Path, suffix: str, form: str = "full", roc: str = "skip") -> list[Path]:
    """Write the tables.

    Args:
        folder: where to; made if absent.
        suffix: `md` or `csv`.
        form: one of FORMATS.
        roc: one of ROC.

    Returns:
        The files.

    Raises:
        AnyHipError: a file cannot be written.
    """
    files.make_folder(folder)
    written = []
    for library in libraries():
        if library not in _TITLES:
            continue
        rows = [table()[raw] for raw, (stem, _) in list(table().raw.items()) if stem == library]
        name, title = _TITLES[library]
        for own in _vendors(rows, roc):
            path = folder / f"{name}_supported_by_{'_and_'.join(own)}.{suffix}"
            files.write(path, "".join(_text(title, rows, own, suffix, form)).encode())
            written.append(path)
    return written


def _vendors(rows: list[Name], roc: str) -> list[tuple[str, ...]]:
    """Which libraries each file of a CUDA library shows."""
    if roc == "skip" or not any(_target(row, _ROC) for row in rows):
        return [(_HIP,)]
    return [(_HIP, _ROC)] if roc == "joint" else [(_HIP,), (_ROC,)]


def _text(title: str, rows: list[Name], own: tuple[str, ...], suffix: str, form: str) -> Iterator[str]:
    markdown = suffix == "md"
    yield f"{'# ' if markdown else ''}{title} API supported by {' and '.join(own)}\n\n"
    for number, (section, kinds) in enumerate(_SECTIONS.items(), 1):
        chosen = [row for row in rows if row.kind in kinds]
        if form == "compact":
            chosen = [row for row in chosen if any(_target(row, one) for one in own)]
        if not chosen:
            continue
        yield f"{'## **' if markdown else ''}{number}. {section}{'**' if markdown else ''}\n\n"
        heads = ["CUDA", *_VERSIONS[form]]
        for one in own:
            heads += [one, *_VERSIONS[form], "E"]
        if markdown:
            yield "|" + "|".join(f"**{head}**" for head in heads) + "|\n"
            yield "|" + "|".join(":--" if len(head) > 1 else ":-:" for head in heads) + "|\n"
        else:
            yield ",".join(heads) + "\n"
        for row in sorted(chosen, key=lambda row: row.cuda_name):
            yield _line(_cells(row, own, form), markdown)
        yield "\n"
    yield f"{chr(92) if markdown else ''}*{_KEY}*\n" if markdown else f"{_KEY}\n"


def _line(cells: list[str], markdown: bool) -> str:
    if not markdown:
        return ",".join(cells) + "\n"
    names = [f"`{cell}`" if len(cell) > 1 and not cell[0].isdigit() else cell or " " for cell in cells]
    return "|" + "|".join(names) + "|\n"


def _cells(row: Name, own: tuple[str, ...], form: str) -> list[str]:
    cells = [row.cuda_name, *_versions(row.cuda, form)]
    for one in own:
        target = _target(row, one)
        since = (row.roc_since if one == _ROC and row.roc_name else row.since) if target else ""
        cells += [target, *_versions(since, form), "E" if target and row.status == "experimental" else ""]
    return cells


def _target(row: Name, own: str) -> str:
    return row.target(roc=False, experimental=True) if own == _HIP else row.roc_name.strip("-")


def _versions(text: str, form: str) -> list[str]:
    known = dict(version.split(":", 1) for version in text.split())
    return [known.get(letter, "") for letter in _VERSIONS[form]]
