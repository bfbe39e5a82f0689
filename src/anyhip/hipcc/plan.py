"""A Command in, its steps out. Nothing is run here: ``-###`` prints what this module returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from anyhip.errors import UsageError
from anyhip.hipcc import device_link, fatbin, host, precompiled, rdc
from anyhip.hipcc.device import DevicePass
from anyhip.hipcc.options import Command, Input
from anyhip.hipcc.steps import Step, main_of
from anyhip.target import Target
from anyhip.toolchain import Toolchain

__all__ = ["LINKS", "Plan", "SourcePlan", "make"]


LINKS = ("link", "archive", "device_link")  # modes in which objects are made on the way


@dataclass
class SourcePlan:
    """What becomes of one source: its steps, the file they end in, and where its dependencies get listed."""

    source: Input
    output: Path
    steps: list[Step] = field(default_factory=list)
    dependencies: list[Path] = field(default_factory=list)  # written by the passes, in make's format
    dependency_output: str = ""  # the file that the user asked for with -MD


@dataclass
class Plan:
    """All sources, and the link of an executable or library if one was asked for."""

    sources: list[SourcePlan]
    link: Step | None
    device_link: list[Step] = field(default_factory=list)

    @property
    def link_steps(self) -> list[Step]:
        """What comes after the sources: the link of relocatable device code, then the host's."""
        return [*self.device_link, *([self.link] if self.link else [])]

    @property
    def steps(self) -> list[Step]:
        """Every step, in an order in which they could run one after the other."""
        return [step for one in self.sources for step in one.steps] + self.link_steps


def make(
    command: Command, toolchain: Toolchain, folder: Path, runtime_dir: Callable[[], Path], stdin: str = ""
) -> Plan:
    """Plan a command.

    Args:
        folder: where files go that the user does not want to see.
        runtime_dir: asked for the folder of the runtime library only if something is linked.
        stdin: the text of the source ``-``.

    Raises:
        UsageError: nothing to do, or an output that cannot be meant.
    """
    _check(command)
    sources = []
    for number, source in enumerate(command.sources):
        sources.append(_Source(command, toolchain, source, folder / str(number), stdin).plan())
    if command.mode not in LINKS or command.side == "device" or any(one.is_header for one in command.inputs):
        return Plan(sources, None)
    objects = {one.source: one.output for one in sources}
    if command.mode == "archive":
        return Plan(sources, host.archive_step(command, toolchain, objects))
    device = None if "-r" in command.link_items else device_link.plan(command, toolchain, objects, folder)
    if command.mode == "device_link":
        return Plan(sources, None, device.steps if device else [])
    library = runtime_dir() if command.links_runtime else None
    output = Path(command.output or "a.out")
    extra = device.output if device else None
    link = host.link_step(command, toolchain, objects, library, output, folder, extra)
    return Plan(sources, link, device.steps if device else [])


def _check(command: Command) -> None:
    if not command.inputs and not _asks_the_linker(command):
        raise UsageError("no input files", "name a source: hipcc hello.hip -o hello")
    if command.mode not in LINKS and command.output and len(command.sources) > 1:
        raise UsageError("cannot specify -o when generating multiple output files")
    for one in command.inputs:
        if one.path == "-":
            continue
        path = Path(one.path)
        if not path.exists():
            raise UsageError(f"no such file or directory: '{one.path}'")
        if path.is_dir():
            raise UsageError(f"'{one.path}' is a directory, not a source")


def _asks_the_linker(command: Command) -> bool:
    """Whether the linker is asked who it is (``-Wl,--version``), as Meson does to learn its options."""
    words = [word for word in command.link_items if isinstance(word, str)]
    return command.mode == "link" and any(word.startswith("-Wl,") and "version" in word for word in words)


class _Source:
    """The planning of one source."""

    def __init__(
        self, command: Command, toolchain: Toolchain, source: Input, folder: Path, stdin: str
    ) -> None:
        self.command = command
        self.toolchain = toolchain
        self.source = source
        self.folder = folder
        self.stdin = stdin if source.path == "-" else None
        self.result = SourcePlan(source, Path())

    def plan(self) -> SourcePlan:
        mode = "object" if self.command.mode in LINKS else self.command.mode
        if mode == "object" and self.source.is_header:
            self._precompiled()
        elif mode == "object" and not self.command.emit_llvm:
            self._object()
        else:
            self._text(mode)
        return self.result

    # -- objects

    def _object(self) -> None:
        command, source = self.command, self.source
        if command.mode in LINKS and command.side != "device":
            self.result.output = self.folder / f"{source.stem}.o"
        elif command.side == "device":
            self.result.output = Path(command.output or f"{source.stem}-hip-amdgcn-amd-amdhsa.hipfb")
        else:
            self.result.output = Path(command.output or f"{source.stem}.o")
        if source.language != "hip" or command.side == "host":
            self._host_step(self.result.output)
            return
        bundle = self._device_object()
        if command.side == "both":
            self._host_object(bundle)

    def _device_object(self) -> Path:
        """Steps to the bundle of all targets, or to the one code object if no bundle is wanted."""
        command = self.command
        parts: list[tuple[Target, Path]] = []
        for target in command.targets:
            only = command.side == "device" and command.bundle == "no"
            suffix = ".bc" if command.carries_rdc else ".out" if target.isa == "amdgcn" else ".s"
            output = self.result.output if only else self._named(target, suffix)
            device = self._device(target)
            self.result.steps += (device.bitcode if command.carries_rdc else device.code_object)(output)
            parts.append((target, output))
        if command.bundle == "no" and command.side == "device":
            if len(parts) > 1:
                raise UsageError(
                    "--no-gpu-bundle-output with several targets would write one file several times"
                )
            return parts[0][1]
        bundle = self.result.output
        if command.side == "both":
            bundle = self._stem("-hip-amdgcn-amd-amdhsa.hipfb")
        triple = self.toolchain.host_triple
        self.result.steps.append(
            Step(
                "bundle",
                main_of("anyhip.hipcc.fatbin", "bundle", bundle, *(f"{one}={path}" for one, path in parts)),
                (bundle,), tuple(path for _, path in parts), self.source.path,
                action=lambda: fatbin.write_bundle(bundle, parts, command.compress, triple),
            )
        )  # fmt: skip
        return bundle

    def _host_object(self, bundle: Path) -> None:
        """The host pass beside the device passes, then both in one object."""
        compiled, carried, output = self._stem("-host.o"), self.folder / "fatbin.o", self.result.output
        self._host_step(compiled)
        machine = self.toolchain.host_triple.split("-")[0]
        words = main_of("anyhip.hipcc.fatbin", "object", carried, bundle, compiled, machine)
        if self.command.carries_rdc:
            words = main_of("anyhip.hipcc.fatbin", "carried", carried, bundle, rdc.SECTION, machine)

        def carry() -> None:
            if self.command.carries_rdc:
                fatbin.write_carried_object(carried, bundle, rdc.SECTION, machine)
            else:
                fatbin.write_fatbin_object(carried, bundle, compiled, machine)

        merge = (*self.toolchain.lld, "-r", str(compiled), str(carried), "-o", str(output))
        self.result.steps += [
            Step("bundle", words, (carried,), (bundle, compiled), self.source.path, action=carry),
            Step("host", merge, (output,), (compiled, carried), self.source.path),
        ]  # fmt: skip

    def _host_step(self, output: Path) -> None:
        extra, asked = host.dependency_args(self.command, str(self.result.output))
        self.result.dependency_output = asked
        listed = Path(asked) if asked else self.folder / "host.d"
        if not asked:
            extra = [*extra, "-MD", "-MF", str(listed), "-MT", "x"]
        if self.command.save_temps:
            extra.append(f"-save-temps={self.command.save_temps}")
        self.result.dependencies.append(listed)
        argv = host.compile_argv(self.command, self.toolchain, self.source, "object", extra)
        outputs = (output,)
        self.result.steps.append(
            Step("host", (*argv, "-o", str(output)), outputs, (), self.source.path, self.stdin)
        )

    # -- precompiled headers

    def _precompiled(self) -> None:
        """One file for the host, named as the user says, and one for each target beside it."""
        output = self.result.output = Path(self.command.output or f"{self.source.path}.pch")
        for target in self.command.targets if self.source.language == "hip-header" else ():
            self.result.steps.append(
                self._device(target).precompiled(precompiled.device_file(output, target))
            )
        extra, self.result.dependency_output = host.dependency_args(self.command, str(output))
        argv = host.compile_argv(self.command, self.toolchain, self.source, "precompiled", extra)
        self.result.steps.append(Step("host", (*argv, "-o", str(output)), (output,), (), self.source.path))

    # -- text: assembly, LLVM IR, preprocessed source

    def _text(self, mode: str) -> None:
        """One output goes where the user says; several go into one file, between clang's marks."""
        command = self.command
        side = command.side if self.source.language in ("hip", "hip-header") else "host"
        if side == "both" and mode in ("preprocess", "dependencies"):
            side = "host"
        parts: list[tuple[str, Path]] = []
        suffix = {"assembly": ".s", "preprocess": ".i", "dependencies": ".d", "syntax": ".none"}.get(
            mode, ".bc"
        )
        suffix = ".ll" if mode == "assembly" and command.emit_llvm else suffix
        default = "-" if mode in ("preprocess", "dependencies") else f"{self.source.stem}{suffix}"
        self.result.output = Path(command.output or default)
        targets = command.targets if side != "host" else []
        alone = len(targets) + (side != "device") == 1
        for target in targets:
            output = self.result.output if alone else self._named(target, suffix)
            self.result.steps += self._device(target).text(output, mode)
            parts.append((f"hip-{target.triple}--{target.id}", output))
        if side != "device":
            output = self.result.output if alone else self._stem("-host" + suffix)
            argv = host.compile_argv(command, self.toolchain, self.source, mode, command.deps_args)
            self.result.steps.append(
                Step("host", (*argv, "-o", str(output)), (output,), (), self.source.path, self.stdin)
            )
            parts.append(("host-x86_64-unknown-linux-gnu-", output))
        if not alone and mode != "syntax":
            self._join(parts, {".s": "#", ".ll": ";"}.get(suffix, ""))

    def _join(self, parts: list[tuple[str, Path]], comment: str) -> None:
        output = self.result.output
        words = main_of("anyhip.hipcc.fatbin", "text", output, *(f"{name}={path}" for name, path in parts))
        self.result.steps.append(
            Step(
                "bundle", words, (output,), tuple(path for _, path in parts), self.source.path,
                action=lambda: fatbin.write_text_bundle(output, parts, comment),
            )
        )  # fmt: skip

    # -- names

    def _device(self, target: Target) -> DevicePass:
        listed = self.folder / f"{target.id.replace(':', '-')}.d"
        self.result.dependencies.append(listed)
        stem = self._named(target, "")
        return DevicePass(self.command, self.toolchain, self.source, target, stem, listed, self.stdin)

    def _named(self, target: Target, suffix: str) -> Path:
        """clang's name of a target's intermediate file."""
        feature = target.id.replace(":", "-")
        return self._stem(f"-hip-{target.triple}-{feature}{suffix}")

    def _stem(self, suffix: str) -> Path:
        folder = self.folder
        if self.command.save_temps:
            folder = Path(self.command.output).parent if self.command.save_temps == "obj" else Path()
        return folder / (("stdin" if self.source.path == "-" else self.source.stem) + suffix)
