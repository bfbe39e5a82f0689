"""A summary for programs: JSON of our own, and SARIF 2.1.0 for code review tools."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from .summary import Summary, Task, kinds, rate

__all__ = ["as_json", "as_sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(summary: Summary) -> str:
    """Totals, files, libraries and tasks as one JSON object."""
    value = {
        "files": [
            {
                "path": one.path.as_posix(),
                "lines": one.lines,
                "converted": one.converted,
                "rate": round(one.rate, 4),
                "changed": one.changed,
                "notes": [
                    {"line": note.line, "column": note.col, "kind": note.kind, "name": note.name,
                     "message": note.message}
                    for note in one.notes
                ],
            }
            for one in summary.files
        ],
        "libraries": {
            name: {
                "converted": dict(done),
                "unsupported": dict(missing),
                "rate": round(rate(done.total(), missing.total()), 4),
            }
            for name, (done, missing) in sorted(summary.libraries.items())
        },
        "tasks": [_task(task) for task in summary.tasks],
        "totals": {
            "files": len(summary.files), "lines": summary.lines, "converted": summary.converted,
            "rate": round(rate(summary.converted, summary.levels["error"]), 4), "minutes": summary.minutes,
            **{level: summary.levels[level] for level in ("error", "warning", "note")},
        },
    }  # fmt: skip
    return json.dumps(value, indent=1) + "\n"


def _task(task: Task) -> dict[str, Any]:
    places = [f"{place.path}:{place.note.line}" for place in task.places]
    return {
        "kind": task.kind.name, "level": task.kind.level, "name": task.name, "message": task.message,
        "todo": task.kind.todo, "minutes": task.minutes, "places": places,
    }  # fmt: skip


def as_sarif(summary: Summary) -> str:
    """The notes as SARIF: a rule for each kind, a result for each place."""
    rules = [
        {
            "id": kind.name,
            "name": kind.title,
            "shortDescription": {"text": kind.title},
            "help": {"text": kind.todo},
            "defaultConfiguration": {"level": kind.level},
        }
        for kind in kinds().values()
    ]
    index = {name: number for number, name in enumerate(kinds())}
    results = [
        {
            "ruleId": task.kind.name,
            "ruleIndex": index[task.kind.name],
            "level": task.kind.level,
            "message": {"text": f"{task.name}: {task.message}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(place.path), "uriBaseId": "SRCROOT"},
                        "region": {"startLine": place.note.line, "startColumn": place.note.col,
                                   "snippet": {"text": place.line}},
                    }
                }
            ],
        }
        for task in summary.tasks
        for place in task.places
    ]  # fmt: skip
    driver = {"name": "hipify", "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"
