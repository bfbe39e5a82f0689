"""Command lines of hipify-perl, hipify-clang, hipexamine and hipconvertinplace: words in, Arguments out.

The table gives each option once; every name is understood with one dash and with two. Sources of the
names: the help texts of hipify-perl and hipify-clang.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ..errors import UsageError

__all__ = ["CLANG", "PERL", "TREE", "Arguments", "Option", "help_text", "parse"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name, whether a value follows, and a sentence (empty: accepted, no effect here)."""

    name: str
    value: bool
    sentence: str


@dataclass
class Arguments:
    """A parsed command line: switches that are set, values by option, input files, words after `--`."""

    switches: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    compiler: list[str] = field(default_factory=list)

    def names(self, option: str) -> frozenset[str]:
        """A comma-separated option as a set."""
        return frozenset(word for value in self.values.get(option, []) for word in value.split(",") if word)


def _options(text: str, value: bool) -> tuple[Option, ...]:
    rows = (line.partition(" ") for line in text.strip().splitlines())
    return tuple(Option(name.strip(), value, sentence.strip()) for name, _, sentence in rows)


_COMMON: Final = (
    *_options(
        """
cuda-kernel-execution-syntax keep <<<>>> (default)
hip-kernel-execution-syntax turn <<<>>> into hipLaunchKernelGGL
examine same as -no-output -print-stats
experimental convert to names that HIP marks as experimental, too
help this text
inplace keep the input as FILE.prehip and write the result to FILE
no-output write no source
print-stats write statistics to stderr
roc convert to AMD's own libraries instead of the hip* wrappers where possible
version the HIP version whose names are written
""",
        False,
    ),
    Option("o", True, "write to this file"),
)

_ROCM6 = "spell as ROCm 6's hipify-clang does: hipblas.h, hip_bfloat16, renaming inside strings"

PERL: Final = (
    *_COMMON,
    Option("rocm6", False, _ROCM6),
    Option("quiet-warnings", False, "no warnings"),
    Option("whitelist", True, "comma-separated names to leave alone"),
    Option("exclude-dirs", True, "comma-separated folders to leave out"),
    Option("exclude-files", True, "comma-separated files to leave out"),
)

TREE: Final = (
    *PERL,
    Option("filter", True, "all (default), headers or sources"),
)

_CLANG_UNUSED: Final = """
amap
use-hip-data-types
default-preprocessor
save-temps
verbose
v
"""
_CLANG_UNUSED_VALUES: Final = """
cuda-path
cuda-gpu-arch
clang-resource-directory
temp-dir
"""

CLANG: Final = (
    *_COMMON,
    Option("rocm6", False, _ROCM6 + " (default)"),
    Option(
        "rocm7", False, "spell as ROCm 7's headers do, as hipify-perl does: hipblas/hipblas.h, __hip_bfloat16"
    ),
    Option("o-dir", True, "folder for results; FILE.hip beside each FILE without it"),
    Option("miopen", False, "with -roc: MIOpen's own queue type for streams"),
    Option(
        "skip-excluded-preprocessor-conditional-blocks", False, "change names only in branches never compiled"
    ),
    Option("I", True, "a folder of headers"),
    Option("D", True, "a macro that is defined"),
    Option("p", True, "the folder of compile_commands.json, which has the options of each file"),
    Option("extra-arg", True, "an option for the compiler, after the others"),
    Option("extra-arg-before", True, "an option for the compiler, before the others"),
    Option("no-clang", False, "go by tokens alone, as hipify-perl does"),
    Option("no-backup", False, "with -inplace: keep no FILE.prehip"),
    Option("no-warnings-on-undocumented-features", False, ""),
    Option("print-stats-csv", False, "write statistics as CSV to FILE.hip.csv"),
    Option("quiet-warnings", False, "no warnings"),
    Option("md", False, "write which CUDA names HIP has as Markdown tables to -o-dir's folder"),
    Option("csv", False, "the same as CSV"),
    Option(
        "doc-format",
        True,
        "with -md and -csv: full (default), strict (fewer columns) or compact (what HIP has)",
    ),
    Option("doc-roc", True, "with -md and -csv, AMD's own libraries: skip (default), separate or joint"),
    *_options(_CLANG_UNUSED, False),
    *_options(_CLANG_UNUSED_VALUES, True),
)


def parse(words: Sequence[str], options: Sequence[Option], program: str) -> Arguments:
    """Parse a command line.

    Args:
        words: the words after the program's name; those after `--` are for a compiler.
        options: the table to go by.
        program: for messages.

    Raises:
        UsageError: an unknown option, a missing value, or a value where none belongs.
    """
    known = {option.name: option for option in options}
    result = Arguments()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            result.compiler = rest
            break
        if not word.startswith("-") or word == "-":
            result.inputs.append(word)
            continue
        name, value = _option(word, rest, known, program)
        if value is None:
            result.switches.add(name)
        else:
            result.values.setdefault(name, []).append(value)
    return result


def _option(word: str, rest: list[str], known: dict[str, Option], program: str) -> tuple[str, str | None]:
    """Name and value of an option; takes the value from `rest` where it is a word of its own."""
    name, equals, value = word.lstrip("-").partition("=")
    option = known.get(name)
    if option is None and name[:1] in ("I", "D") and name[:1] in known:
        return name[:1], word.lstrip("-")[1:]
    if option is None:
        raise UsageError(f"{program}: unknown option {word}", f"{program} -help lists the options")
    if not option.value:
        if equals:
            raise UsageError(f"{program}: {word}: -{name} takes no value", f"write -{name}")
        return name, None
    if equals:
        return name, value
    if not rest:
        raise UsageError(f"{program}: -{name} needs a value", f"write -{name}=VALUE")
    return name, rest.pop(0)


def help_text(program: str, usage: str, options: Sequence[Option], more: str = "") -> str:
    """The text of -help.

    Args:
        program: its name.
        usage: the words after it.
        options: the table.
        more: a closing paragraph.
    """
    lines = [f"usage: {program} {usage}", "", "Turns CUDA C++ into HIP C++. Options (one dash or two):"]
    spelled = ((option.name + ("=VALUE" if option.value else ""), option.sentence) for option in options)
    lines += [f"  -{name:<32} {sentence}" for name, sentence in spelled if sentence]
    silent = " ".join("-" + option.name for option in options if not option.sentence)
    if silent:
        lines.append(f"Accepted, without effect here: {silent}")
    return "\n".join([*lines, *(["", more] if more else [])]) + "\n"
