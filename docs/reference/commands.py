"""Commands and their options: the option tables and help texts of the programs in, Markdown out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from anyhip import tables
from anyhip.hipcc import options as hipcc_options
from anyhip.hipify import options as hipify_options
from anyhip.tools import hipconfig, run
from reference.markdown import code, names, table

__all__ = ["text"]

_VALUES = {"separate": " VALUE", "joined": "VALUE", "either": " VALUE", "flag": ""}
_ACTIONS = {
    "all": "both passes and the link",
    "compile": "both passes",
    "host": "the host pass",
    "link": "the link",
    "deps": "the host pass (dependencies)",
    "drop": "nothing here",
    "refuse": "refused",
    "as": "another spelling",
}


def text() -> str:
    """The section."""
    return "\n".join(
        [
            "### anyhip\n",
            _anyhip(),
            f"```text\n{run.HELP}```\n",
            "### hipcc\n",
            "Compiles and links. Options that are not in this table go to clang as they are.\n",
            _hipcc(),
            "### hipconfig\n",
            f"```text\n{hipconfig._HELP}```\n",
            "### hipify-perl\n",
            "Also those of `hipexamine`, which walks a folder and has `-filter` besides.\n",
            _hipify(hipify_options.PERL),
            "### hipify-clang\n",
            _hipify(hipify_options.CLANG),
        ]
    )


def _anyhip() -> str:
    import typer.main

    from anyhip.cli import _app

    group = typer.main.get_command(_app())
    rows = []
    for name, command in sorted(group.commands.items()):  # type: ignore[attr-defined]
        options = [
            f"`{parameter.opts[0]}`: {parameter.help}"
            for parameter in command.params
            if parameter.opts[0].startswith("--") and getattr(parameter, "help", None)
        ]
        rows.append((f"`anyhip {name}`", str(command.help), "<br>".join(options)))
    return table(("command", "what it does", "options"), rows)


def _hipcc() -> str:
    path = Path(hipcc_options.__file__).with_suffix(".tsv")
    groups: dict[str, list[str]] = defaultdict(list)
    for row in tables.parse(path.read_text(encoding="utf-8"), path.name):
        note = row["note"].replace("{}", "VALUE")
        note = f": {code(note) if row['action'] == 'as' else note}" if note else ""
        where = _ACTIONS.get(row["action"], "hipcc itself") + note
        groups[where].append(row["option"] + _VALUES[row["form"]])
    return table(("options", "are for"), ((names(options), where) for where, options in groups.items()))


def _hipify(options: Sequence[hipify_options.Option]) -> str:
    rows = [
        (code("-" + one.name + ("=VALUE" if one.value else "")), one.sentence or "accepted, no effect here")
        for one in options
    ]
    return table(("option", "meaning"), rows)
