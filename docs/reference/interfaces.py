"""What programs meet: environment variables, targets, the Python names, the C functions, the error codes."""

from __future__ import annotations

import inspect
from collections import defaultdict

import anyhip
from anyhip import config, errors, tables, target
from anyhip.isa import opcodes
from reference.markdown import code, names, table

__all__ = ["error_codes", "hip_api", "python", "targets", "variables"]


def variables() -> str:
    """Every environment variable."""
    rows = [
        (code(row.name), " or ".join(row.choices) or row.kind, code(row.default), row.sentence)
        for row in config.VARIABLES.values()
    ]
    return table(("variable", "kind", "default", "meaning"), rows)


def targets() -> str:
    """Every architecture of targets.tsv."""
    rows = []
    for arch in target.known():
        made_of = target.product(arch.arch)
        runs = made_of is not None and arch.generation in opcodes.GENERATIONS
        device = f"virtual {made_of.name}" if made_of and runs else ""
        rows.append((code(arch.arch), arch.isa, str(arch.wave_size), code(arch.generation), device))
    head = ("architecture", "machine code", "wave size", "opcode column", "virtual device")
    said = "hipcc compiles for all of them. `ANYHIP_DEVICE=virtual:ARCH` makes a device where the last "
    said += "column has one.\n\n"
    return said + table(head, rows)


def python() -> str:
    """The public names of the package."""
    rows = []
    for name in anyhip.__all__:
        value = getattr(anyhip, name)
        summary = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
        rows.append((f"`anyhip.{name}`", summary))
    return table(("name", "what it is"), rows)


def hip_api() -> str:
    """The C functions, by subject: there, and not there yet."""
    there: dict[str, list[str]] = defaultdict(list)
    missing: dict[str, list[str]] = defaultdict(list)
    for row in tables.load("hip_api"):
        (there if row["implementation"] else missing)[row["group"]].append(row["function"])
    count, total = (sum(map(len, found.values())) for found in (there, missing))
    out = [
        f"{count} of the {count + total} functions of HIP 7.2 (and hipRTC) are implemented. The others are "
        "declared and exported: a call says its name on stderr and returns `hipErrorNotSupported`.\n"
    ]
    for title, found in (("Implemented", there), ("Not yet", missing)):
        rows = [(group, names(sorted(functions))) for group, functions in sorted(found.items())]
        out.append(f"### {title}\n\n{table(('subject', 'functions'), rows)}")
    return "\n".join(out)


def error_codes() -> str:
    """hipError_t."""
    rows = [
        (str(number), code(name), sentence)
        for name, (number, sentence) in sorted(errors.codes().items(), key=lambda item: item[1])
    ]
    return table(("number", "name", "meaning"), rows)
