"""The command ``anyhip``: a verb, and what follows it.

``run`` is served without the command-line library, whose import takes longer than a warm run's own work.
"""

from __future__ import annotations

import sys

from anyhip.errors import outcome

TYPE_CHECKING = False  # importing typing would cost as much as a warm run's own work
if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the words after the program's name; default: those of this process.

    Returns:
        The exit code: 0, that of the error, that of the program run, or 130 after Ctrl-C.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return outcome("anyhip", lambda: _serve(words))


def _serve(words: list[str]) -> int:
    if words[:1] == ["run"]:
        from anyhip.tools import run

        return run.main(words[1:])
    if words[:1] == ["hipify"]:
        from anyhip.hipify import project

        return project.main(words[1:])
    if words[:1] == ["objdump"]:
        from anyhip.tools import objdump

        return objdump.main(words[1:])
    return _typer(words)


def _typer(words: Sequence[str]) -> int:
    """The other verbs, with help and shell completion by typer."""
    try:
        _app()(args=list(words), prog_name="anyhip")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _app() -> typer.Typer:
    import typer

    from anyhip.tools import run as run_tool

    app = typer.Typer(
        help="HIP and CUDA programs on any machine.", no_args_is_help=True, pretty_exceptions_enable=False
    )

    @app.command(context_settings={"ignore_unknown_options": True})
    def run(words: list[str]) -> None:
        """Port, compile and run a program: anyhip run FILE... [options] [-- arguments]."""
        raise typer.Exit(run_tool.main(words))

    @app.command(context_settings={"ignore_unknown_options": True})
    def hipify(words: list[str]) -> None:
        """Port a CUDA file or project: anyhip hipify PATH [options]."""
        from anyhip.hipify import project

        raise typer.Exit(project.main(words))

    @app.command(context_settings={"ignore_unknown_options": True})
    def objdump(words: list[str]) -> None:
        """Disassemble a code object, bundle or executable: anyhip objdump FILE [options]."""
        from anyhip.tools import objdump as objdump_tool

        raise typer.Exit(objdump_tool.main(words))

    @app.command()
    def info(json: bool = typer.Option(False, "--json", help="For programs: one JSON object.")) -> None:
        """Show the devices, the compiler and the folders in use."""
        from anyhip.tools import info as info_tool

        info_tool.main(json)

    @app.command()
    def cache(
        clear: bool = typer.Option(False, "--clear", help="Remove everything in it."),
        path: bool = typer.Option(False, "--path", help="Print its folder and nothing else."),
    ) -> None:
        """Show or clear the folder of everything that was built."""
        from anyhip import cache as cache_module

        if path:
            print(cache_module.cache_dir())
        elif clear:
            print(f"freed {cache_module.clear() / 1e6:.1f} MB of {cache_module.cache_dir()}")
        else:
            print(f"{cache_module.cache_dir()}: {cache_module.size() / 1e6:.1f} MB")

    @app.command("rocm-root")
    def rocm_root() -> None:
        """Print the folder that looks like a ROCm installation (ROCM_PATH for build systems)."""
        from anyhip.sdk import root

        print(root.ensure())

    return app
