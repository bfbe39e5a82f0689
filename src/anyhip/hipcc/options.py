"""The command line of hipcc: words in, a Command out. Which word is what is in ``options.tsv``."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from anyhip import config
from anyhip.errors import UsageError
from anyhip.target import Target

__all__ = ["Command", "Input", "Row", "default_archs", "parse", "rows"]

LANGUAGE_OF_SUFFIX = {
    ".hip": "hip", ".cu": "hip", ".cpp": "hip", ".cc": "hip", ".cxx": "hip", ".c++": "hip", ".cp": "hip",
    ".C": "hip", ".CPP": "hip", ".c": "c", ".s": "assembler", ".S": "assembler-with-cpp", ".i": "cpp-output",
    ".ii": "c++-cpp-output", ".ll": "ir", ".bc": "ir", ".m": "objective-c",
    ".h": "hip-header", ".hh": "hip-header", ".hpp": "hip-header", ".hxx": "hip-header", ".H": "hip-header",
}  # fmt: skip
# The compiler under clang's own names takes C and C++ files for what they are.
_CLANG_LANGUAGE_OF_SUFFIX = {
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".cp", ".C", ".CPP"), "c++"),
    **dict.fromkeys((".h", ".hh", ".hpp", ".hxx", ".H"), "c++-header"),
}


def default_archs() -> Sequence[str]:
    """What is compiled for when no target is named."""
    return config.get_list("ANYHIP_OFFLOAD_ARCH")


# Options for the host's compiler that its linking half needs as well
_LINK_TOO = ("-f", "-m", "-p", "-static", "-Wl,", "-L", "-l")


class Row(NamedTuple):
    """A row of options.tsv."""

    option: str
    form: str
    action: str
    note: str


@dataclass(frozen=True)
class Input:
    """A file to compile (``language`` says as what) or, without a language, one for the linker."""

    path: str
    language: str

    @property
    def is_header(self) -> bool:
        """Whether it is to be precompiled."""
        return self.language.endswith("-header")

    @property
    def stem(self) -> str:
        """The name of what is made of it, without folder and suffix."""
        return "-" if self.path == "-" else Path(self.path).stem


_FLUSHING = ("-fgpu-flush-denormals-to-zero", "-fcuda-flush-denormals-to-zero")


@dataclass
class Command:
    """What the user asked for.

    ``program`` is the name that the compiler was called by: ``hipcc``, which takes every C++ file for HIP, or
    ``clang`` and ``clang++``, which build systems use for HIP beside plain C and C++.
    """

    program: str = "hipcc"
    mode: str = (
        "link"  # link | archive | device_link | object | assembly | preprocess | dependencies | syntax
    )
    side: str = "both"  # both | host | device
    inputs: list[Input] = field(default_factory=list)
    link_items: list[str | Input] = field(default_factory=list)  # in the order of the command line
    compile_args: list[str] = field(default_factory=list)
    host_args: list[str] = field(default_factory=list)
    device_args: list[str] = field(default_factory=list)
    deps_args: list[str] = field(default_factory=list)
    output: str = ""
    archs: list[str] = field(default_factory=list)
    nvidia: list[str] = field(default_factory=list)  # named by nvcc's options, beside the others
    sanitizers: list[str] = field(default_factory=list)  # of host code
    optimize: str = ""
    emit_llvm: bool = False
    genco: bool = False
    bundle: str = ""
    compress: str = ""
    save_temps: str = ""
    verbose: bool = False
    dry_run: bool = False
    hipcc_verbose: int = 0
    jobs: int = 0
    show: str = ""
    stdlib: str = ""
    no_runtime: bool = False
    hip_link: bool = False
    rdc: bool = False  # device code is linked with the program, not with its source
    device_link_args: list[str] = field(default_factory=list)
    precompiled: list[str] = field(default_factory=list)  # headers that -include-pch names
    native: Callable[[], Sequence[str]] = default_archs  # names the devices of this machine
    no_device_library: bool = False
    no_headers: bool = False

    @property
    def targets(self) -> list[Target]:
        """What to compile device code for, each once, in the order named."""
        named = [arch for text in self.archs for arch in text.split(",") if arch] or default_archs()
        plain = [
            one for arch in [*named, *self.nvidia] for one in (self.native() if arch == "native" else (arch,))
        ]
        return list(dict.fromkeys(Target.parse(arch) for arch in plain))

    @property
    def flushes_denormals(self) -> bool:
        """Whether device code takes float's subnormal numbers for zero: the last option about it decides."""
        said = [word for word in self.device_args if word.replace("-fno-", "-f", 1) in _FLUSHING]
        return bool(said) and said[-1] in _FLUSHING

    @property
    def links_runtime(self) -> bool:
        """Whether the HIP runtime is linked: always by hipcc, by clang where HIP is in play."""
        if not self.inputs:
            return False
        hip = self.program == "hipcc" or self.hip_link or any(one.language == "hip" for one in self.inputs)
        return hip and not self.no_runtime

    def level(self, language: str) -> str:
        """The optimisation option for a file of that language.

        HIP is optimised unless clang, as opposed to hipcc, is asked for debug information alone: device
        code at -O0 is for debuggers only. C and C++ under clang's names keep clang's own default.
        """
        if self.optimize or self.program == "hipcc":
            return self.optimize or "-O3"
        debugging = any(word.startswith("-g") and word != "-g0" for word in self.compile_args)
        return "-O3" if language == "hip" and not debugging else "-O0"

    @property
    def carries_rdc(self) -> bool:
        """Whether its objects keep device code for a later link."""
        return self.rdc and self.side == "both"

    @property
    def sources(self) -> list[Input]:
        """The inputs that a compiler reads."""
        return [one for one in self.inputs if one.language]


@lru_cache(maxsize=1)
def rows() -> tuple[Row, ...]:
    """Every row, the longest options first, so that the first match is the right one."""
    lines = (Path(__file__).parent / "options.tsv").read_text("utf-8").splitlines()
    body = [line.split("\t") for line in lines if line and not line.startswith("# ")]
    found = [Row(line[0], line[1], line[2], line[3] if len(line) > 3 else "") for line in body[1:]]
    return tuple(sorted(found, key=lambda row: -len(row.option)))


@lru_cache(maxsize=1)
def _exact() -> dict[str, Row]:
    return {row.option: row for row in rows() if row.form != "joined"}


@lru_cache(maxsize=1)
def _prefixes() -> tuple[Row, ...]:
    return tuple(row for row in rows() if row.form in ("joined", "either"))


def parse(argv: Iterable[str], program: str = "hipcc") -> Command:
    """Sort the words of a command line.

    Args:
        program: the compiler's name: hipcc, clang or clang++.

    Raises:
        UsageError: a value is missing, an option is refused, or a response file cannot be read.
    """
    command = Command(program)
    appended = {"compile": "", "link": ""}
    if program == "hipcc":
        command.hipcc_verbose = config.get_int("HIPCC_VERBOSE")
        appended = {kind: config.get(f"HIPCC_{kind.upper()}_FLAGS_APPEND") for kind in appended}
    words: Iterator[str] = iter(_expand([*argv, *shlex.split(appended["compile"])]))
    language = ""
    while (word := next(words, None)) is not None:
        if not word.startswith("-") or word == "-":
            _add_input(command, word, language)
            continue
        row, value = _match(word, words)
        if row is not None and row.action == "as":
            words = chain(_expand([part.replace("{}", value) for part in row.note.split()]), words)
        elif row is not None and row.action == "language":
            language = _named_language(command.program, value, language)
        elif row is not None and row.option == "-Xclang" and value == "-include-pch":
            command.precompiled.append(_value(word, words) and _value(word, words))
        else:
            _apply(command, row, value, word)
    command.link_items += shlex.split(appended["link"])
    return command


def _expand(words: Iterable[str]) -> Iterator[str]:
    """Words, with ``@file`` replaced by the words in the file."""
    for word in words:
        if not word.startswith("@") or len(word) == 1:
            yield word
            continue
        try:
            text = Path(word[1:]).read_text("utf-8", "surrogateescape")
        except OSError as error:
            raise UsageError(f"cannot read the response file {word[1:]}: {error.strerror}") from error
        yield from _expand(shlex.split(text))


def _match(word: str, following: Iterator[str]) -> tuple[Row | None, str]:
    """The row of a word and its value; the value may be the next word."""
    row = _exact().get(word)
    if row is not None:
        return row, "" if row.form == "flag" else _value(word, following)
    for row in _prefixes():
        if word.startswith(row.option):
            return row, word[len(row.option) :]
    return None, ""


def _value(word: str, following: Iterator[str]) -> str:
    value = next(following, None)
    if value is None:
        raise UsageError(f"{word} needs a value", f"write {word} VALUE")
    return value


def _add_input(command: Command, word: str, language: str) -> None:
    known = language or ("hip" if word == "-" else _language(command.program, Path(word).suffix))
    one = Input(word, known)
    command.inputs.append(one)
    command.link_items.append(one)


def _language(program: str, suffix: str) -> str:
    """What a file is by its name; empty: something for the linker."""
    known = LANGUAGE_OF_SUFFIX.get(suffix, "")
    if program == "hipcc":
        return known
    known = _CLANG_LANGUAGE_OF_SUFFIX.get(suffix, known)
    return "c++" if known == "c" and program == "clang++" else known


def _named_language(program: str, name: str, before: str) -> str:
    """What -x means: a C++ header is precompiled as the language of the sources that will include it."""
    if name == "c++-header" and (program == "hipcc" or before == "hip"):
        return "hip-header"
    return {"none": "", "cuda": "hip", "cu": "hip"}.get(name, name)


def _apply(command: Command, row: Row | None, value: str, word: str) -> None:
    """Do what the row says. Options that take the next word stay two words."""
    two_words = row is not None and row.option == word and row.form in ("separate", "either")
    spelled = [word, value] if two_words else [word]
    action, _, constant = ("all", "", "") if row is None else row.action.partition(":")
    if row is not None and action == "refuse":
        raise UsageError(f"{row.option} is not supported: {row.note}")
    lists = {
        "compile": command.compile_args, "host": command.host_args, "device": command.device_args,
        "deps": command.deps_args, "device_link": command.device_link_args,
    }  # fmt: skip
    if action in lists:
        lists[action].extend(spelled)
    elif action in ("all", "link"):
        command.link_items.extend(spelled)
        command.compile_args.extend(spelled if action == "all" else [])
    elif action == "drop":
        return
    elif action == "arch":
        command.archs.append(value)
    elif action == "no_rdc":
        command.rdc = False
    elif action == "sanitize":
        command.sanitizers += value.split(",")
        command.host_args.append(word)
    elif action == "nvidia":
        command.nvidia += _nvidia_targets(word, value)
    elif action == "linker":
        command.link_items += [part for one in value.split(",") for part in ("-Xlinker", one)]
    elif action == "host_list":
        command.host_args += (parts := value.replace(",", " ").split())
        command.link_items += [part for part in parts if part.startswith(_LINK_TOO)]
    elif action == "include":
        _include(command, word, value)
    elif action == "precompiled":
        command.precompiled.append(value)
    elif action == "mode":
        _set_mode(command, constant, word)
    elif action == "optimize":
        command.optimize = word
    elif action in ("hipcc_verbose", "jobs"):
        setattr(command, action, _number(word, constant or value))
    elif action == "genco":
        command.genco, command.side = True, "device"
        command.mode = "object" if command.mode == "link" else command.mode
    elif constant or value:
        setattr(command, action, constant or value)
    else:
        setattr(command, action, True)


def _include(command: Command, word: str, header: str) -> None:
    """-include: of a header that lies precompiled beside itself, the precompiled one, as clang does it."""
    ready = [name for name in (f"{header}.pch", f"{header}.gch") if Path(name).is_file()]
    if ready:
        command.precompiled.append(ready[0])
    else:
        command.compile_args += [word, header]


def _nvidia_targets(word: str, value: str) -> list[str]:
    """The targets in nvcc's ``arch=compute_70,code=[sm_70,compute_70]``, or in a list of names.

    Raises:
        UsageError: a word for many targets at once.
    """
    names = [part.rpartition("=")[2].strip("[]'\" ") for part in value.split(",")]
    for name in names:
        if not name.startswith(("sm_", "compute_", "lto_", "gfx")) and name != "native":
            raise UsageError(f"{word} {value}: {name!r} names no target", "name each, e.g. -arch=sm_90")
    plain = ("sm_" + name.partition("_")[2] if "_" in name else name for name in names)
    return list(dict.fromkeys(plain))


def _set_mode(command: Command, mode: str, word: str) -> None:
    """The earliest stop wins, as in clang: -E before -S before -c."""
    order = ("link", "archive", "device_link", "object", "assembly", "syntax", "dependencies", "preprocess")
    if order.index(mode) >= order.index(command.mode):
        command.mode = mode
    if mode == "dependencies":
        command.deps_args.append(word)


def _number(word: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{word}: {text!r} is not a whole number") from None
