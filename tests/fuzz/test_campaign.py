"""No input ends the process, hangs it, or fails without a name."""

from __future__ import annotations

import contextlib
import random

import pytest

from anyhip.errors import AnyHipError
from fuzz import campaign, cases
from fuzz.seeds import TARGETS


@pytest.mark.parametrize("arch", TARGETS)
def test_a_few_cases(arch: str) -> None:
    """Those that cannot end the process, in this one."""
    for number in range(40):
        rng = random.Random(f"disassemble {arch} {number}")
        assert cases.CASES["disassemble"](arch, rng) == "read"
    for number in range(3):
        with contextlib.suppress(AnyHipError):  # anything else fails the test
            cases.CASES["load"](arch, random.Random(f"load {arch} {number}"))


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_ten_minutes() -> None:
    """Files and words; the kinds that run machine code still find faults, and are run by hand."""
    report = campaign.run(600, ("load", "disassemble"))
    print(report.table())
    assert not report.faults, report.table()
