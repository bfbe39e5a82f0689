"""Text in, text out: cases/NAME.cu must become cases/NAME.hip with the notes of cases/NAME.notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from anyhip.hipify import PortOptions, port_source

CASES = sorted((Path(__file__).parent / "cases").glob("*.cu"), key=lambda path: path.name)


def _options(case: Path) -> PortOptions:
    return PortOptions(hip_launch=case.stem.endswith("_ggl"), roc=case.stem.endswith("_roc"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    ported = port_source(case.read_bytes(), str(case), _options(case))
    assert ported.text == case.with_suffix(".hip").read_bytes()
    notes = case.with_suffix(".notes")
    expected = notes.read_text() if notes.exists() else ""
    assert "".join(f"{note.line}:{note.col} {note.kind} {note.name}\n" for note in ported.notes) == expected


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_porting_twice_changes_nothing_more(case: Path) -> None:
    text = case.with_suffix(".hip").read_bytes()
    assert port_source(text, str(case), _options(case)).text == text


def test_every_expectation_has_a_source() -> None:
    folder = Path(__file__).parent / "cases"
    stems = {path.stem for path in folder.iterdir() if path.suffix != ".cu"}
    assert stems == {case.stem for case in CASES}
