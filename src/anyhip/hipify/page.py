"""A summary as one HTML page: no scripts, nothing from the network, light and dark, fit for a phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path

from .summary import Summary, Task, kinds, rate

__all__ = ["as_page"]

_STYLE = Path(__file__).with_name("page.css")
_MOST_TASKS = 300
_MOST_PLACES = 20
_MOST_FILES = 1000
_LEVELS = {"error": "must change", "warning": "check", "note": "know"}


def as_page(summary: Summary, title: str) -> str:
    """The page.

    Args:
        summary: what to show.
        title: the project's name.
    """
    parts = [
        _head(summary, title),
        _section("Libraries", _libraries(summary)),
        _section("What is left to do", _tasks(summary)),
        _section("By kind", _by_kind(summary)),
        _section("Files", _files(summary)),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}: CUDA to HIP</title>\n<style>\n{_STYLE.read_text()}</style>\n</head>\n"
        "<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def _section(title: str, body: str) -> str:
    return f"<section>\n<h2>{title}</h2>\n{body}\n</section>" if body else ""


def duration(minutes: int) -> str:
    """Minutes as people say them."""
    if minutes < 60:
        return f"{minutes} min"
    hours = minutes / 60
    return f"{hours:.1f} h" if hours < 10 else f"{hours:,.0f} h"


def _head(summary: Summary, title: str) -> str:
    changed = sum(one.changed for one in summary.files)
    tiles = [
        (f"{summary.rate:.1%}", "of CUDA's places converted"),
        (f"{summary.converted:,}", "places converted"),
        (f"{summary.levels['error']:,}", "places must be rewritten"),
        (f"{summary.levels['warning']:,}", "places to check"),
        (duration(summary.minutes), "of work, estimated"),
    ]
    boxes = "".join(
        f'<div class="tile"><b>{number}</b><span class="soft">{text}</span></div>' for number, text in tiles
    )
    return (
        f'<h1>{escape(title)}: CUDA to HIP</h1>\n<p class="soft">{changed:,} of {len(summary.files):,} files'
        f' changed, {summary.lines:,} lines read</p>\n<div class="tiles">{boxes}</div>'
    )


def _bar(parts: Iterable[tuple[str, int]], most: int) -> str:
    pieces = "".join(f'<i class="{name}" style="width:{100 * n / most:.2f}%"></i>' for name, n in parts if n)
    return f'<div class="bar">{pieces}</div>'


def _libraries(summary: Summary) -> str:
    rows = sorted(
        (
            (name, done.total(), missing.total(), done, missing)
            for name, (done, missing) in summary.libraries.items()
        ),
        key=lambda row: -(row[1] + row[2]),
    )
    if not rows:
        return ""
    most = max(done + missing for _, done, missing, _, _ in rows)
    cells = "".join(
        f"<span>{escape(name)}</span>{_bar((('good', done), ('bad', missing)), most)}"
        f'<span class="num">{rate(done, missing):.0%} <span class="soft">of {done + missing:,}</span></span>'
        for name, done, missing, _, _ in rows
    )
    names = "".join(_coverage(name, done, missing) for name, _, _, done, missing in rows)
    fold = f'<details><summary>Names used</summary><div class="inner">{names}</div></details>'
    key = (
        '<p class="soft"><i class="key good"></i>places with a HIP name <i class="key bad"></i>places without'
        "</p>"
    )
    return f'{key}\n<div class="bars">{cells}</div>\n{fold}'


def _coverage(name: str, done: Counter[str], missing: Counter[str]) -> str:
    def words(names: Counter[str]) -> str:
        return ", ".join(f"<code>{escape(one)}</code> {count}" for one, count in names.most_common())

    text = f"<p><b>{escape(name)}</b>: {len(done)} of {len(done) + len(missing)} names have a counterpart</p>"
    text += f'<p class="soft">{words(done)}</p>' if done else ""
    return text + (f'<p class="soft">Without: {words(missing)}</p>' if missing else "")


def _tasks(summary: Summary) -> str:
    if not summary.tasks:
        return "<p>Nothing: build it and run its tests.</p>"
    shown = "\n".join(map(_task, summary.tasks[:_MOST_TASKS]))
    rest = len(summary.tasks) - _MOST_TASKS
    more = f'\n<p class="soft">and {rest:,} smaller tasks: see the JSON report</p>' if rest > 0 else ""
    return '<p class="soft">Most work first. Times are estimates.</p>\n' + shown + more


def _task(task: Task) -> str:
    count = len(task.places)
    places = "".join(
        f'<p class="soft">{escape(place.path)}:{place.note.line}</p><pre>{escape(place.line)}'
        + (f'\n<span class="new">{escape(place.ported)}</span></pre>' if place.ported else "</pre>")
        for place in task.places[:_MOST_PLACES]
    )
    if count > _MOST_PLACES:
        places += f'<p class="soft">and {count - _MOST_PLACES:,} more places</p>'
    tag = f'<span class="tag {task.kind.level}">{_LEVELS[task.kind.level]}</span>'
    much = f"{count:,} place{'s' * (count > 1)} · {duration(task.minutes)}"
    return (
        f"<details><summary>{tag}<code>{escape(task.name)}</code><span>{escape(task.kind.title)}</span>"
        f'<span class="num soft">{much}</span></summary><div class="inner"><p>{escape(task.message)}.</p>'
        f"<p><b>Do:</b> {escape(task.kind.todo)}</p>{places}</div></details>"
    )


def _by_kind(summary: Summary) -> str:
    counts = Counter[str]()
    for task in summary.tasks:
        counts[task.kind.name] += len(task.places)
    if not counts:
        return ""
    most = counts.most_common(1)[0][1]
    cells = "".join(
        f"<span>{escape(kinds()[name].title)}</span>{_bar(((kinds()[name].level, n),), most)}"
        f'<span class="num">{n:,}</span>'
        for name, n in counts.most_common()
    )
    return f'<div class="bars">{cells}</div>'


def _files(summary: Summary) -> str:
    touched = [one for one in summary.files if one.changed or one.notes]
    touched.sort(key=lambda one: (one.rate, -len(one.notes), one.path))
    rows = "".join(
        f'<tr><td>{escape(one.path.as_posix())}</td><td class="num">{one.rate:.0%}</td>'
        f'<td class="num">{one.converted:,}</td><td class="num">{len(one.notes):,}</td>'
        f'<td class="num">{one.lines:,}</td></tr>'
        for one in touched[:_MOST_FILES]
    )
    rest = len(touched) - _MOST_FILES
    more = f'<p class="soft">and {rest:,} more files without findings</p>' if rest > 0 else ""
    head = "".join(f'<th class="num">{title}</th>' for title in ("Rate", "Converted", "Notes", "Lines"))
    table = f"<table><tr><th>File</th>{head}</tr>{rows}</table>"
    return f'<div class="wide">{table}</div>{more}' if touched else ""
