"""Rules beyond names: translations that are right, kinds of notes that are explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from anyhip.hipify import port_source
from anyhip.hipify import ptx as ptx_module

PACKAGE = Path(ptx_module.__file__).parent
ROWS = [
    line.split("\t")
    for line in (PACKAGE / "ptx.tsv").read_text().splitlines()
    if line and not line.startswith("#")
][1:]
LOGIC = [row for row in ROWS if row[0].startswith("lop3")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_ptx_row_translates_its_own_instruction(row: list[str]) -> None:
    ptx, hip = row
    count = len(set(re.findall(r"%\d", ptx)))
    outputs = ['"=r"(r)'] if ptx.partition(" ")[2].startswith("%0") else []
    inputs = [f'"r"(v{n})' for n in range(len(outputs), count)]
    code = re.sub(r"%(?=[a-z])", "%%", ptx)
    text = f'asm volatile("{code};" : {", ".join(outputs)} : {", ".join(inputs)} : "memory");\n'
    names = ["r"] * len(outputs) + [f"v{n}" for n in range(len(outputs), count)]
    expected = re.sub(r"%(\d)", lambda match: names[int(match.group(1))], hip)
    ported = port_source(text.encode())
    assert ported.text.decode().splitlines()[-1] == expected + ";"
    assert ported.notes == []


@pytest.mark.parametrize("row", LOGIC, ids=lambda row: row[0])
def test_logic_tables(row: list[str]) -> None:
    # PTX ISA, lop3: the table is the result for a = 0xf0, b = 0xcc, c = 0xaa.
    ptx, hip = row
    expression = hip.partition("=")[2].strip()
    for name, value in (("%1", "0xf0"), ("%2", "0xcc"), ("%3", "0xaa")):
        expression = expression.replace(name, value)
    assert eval(expression) & 0xFF == int(ptx.rpartition(" ")[2], 16)


def test_every_kind_of_note_is_explained() -> None:
    rows = [
        line.split("\t")
        for line in (PACKAGE / "kinds.tsv").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert rows[0] == ["kind", "level", "minutes", "title", "todo"]
    kinds = {row[0] for row in rows[1:]}
    written = set()
    for path in PACKAGE.glob("*.py"):
        written |= set(re.findall(r"\.note\(\s*\w+,\s*\"(\w+)\"", path.read_text()))
        written |= set(re.findall(r"Note\(1, 1, \"(\w+)\"", path.read_text()))
    assert written - kinds == set()
    assert {row[1] for row in rows[1:]} == {"error", "warning", "note"}


def test_ptx_for_another_machine_is_none_of_ours() -> None:
    text = b'int main() { asm("mov %0, %%eax" : "=r"(x)); asm volatile("rdtsc" : "=a"(lo)); }\n'
    assert port_source(text).notes == []
