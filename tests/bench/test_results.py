import math

import pytest
from bench.__main__ import arguments, rounds
from bench.results import Cost, Samples, Target

from bench import peers, results, table

OUTPUT = """\
DEVICE something | else
RESULT saxpy 0.5 check=ok
SAMPLES saxpy 0.5 0.25 1
CPUS saxpy 1 2 3
DELAYS saxpy 0 0 0.125
RESULT nbody 2 check=FAIL
SAMPLES nbody 2
CPUS nbody 4
DELAYS nbody 0
"""


def test_parse_reads_every_line() -> None:
    found = results.parse(OUTPUT)
    assert found["saxpy"] == Samples([0.5, 0.25, 1.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.125], "")
    assert found["nbody"] == Samples([2.0], [4.0], [0.0], "wrong result")
    assert list(found) == ["saxpy", "nbody"]


@pytest.mark.parametrize(
    "line", ["RESULT saxpy 0.5 n=3", "SAMPLES saxpy 1 fast", "RESULT saxpy 1 check=maybe"]
)
def test_parse_refuses_damaged_lines(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - float()'s own text
        results.parse(line)


def test_medians_and_rounds_add_up() -> None:
    samples = Samples([3.0, 1.0], [6.0, 2.0], [0.0, 0.0])
    samples.extend(Samples([2.0], [8.0], [1.0], "late"))
    assert (samples.median("wall"), samples.median("cpu"), samples.problem) == (2.0, 6.0, "late")
    assert math.isnan(Samples().median("cpu"))
    assert rounds(7) == [3, 3, 1]
    assert rounds(2) == [2]


def _table() -> dict[str, dict[str, Samples]]:
    return {
        "saxpy": {"anyhip": Samples([1.0], [2.0]), "native": Samples([0.5], [1.0])},
        "nbody": {"anyhip": Samples([1.0], [1.0]), "native": Samples([2.0], [2.0])},
        "scan": {
            "anyhip": Samples([1.0], [1.0]),
            "native": Samples([9.0], [9.0], problem="3 results are wrong"),
        },
    }


def test_ratios_leave_wrong_results_out() -> None:
    assert results.ratios(_table(), "native", "cpu") == [0.5, 2.0]
    assert results.geomean([0.5, 2.0]) == pytest.approx(1.0)
    assert results.ratios(_table(), "pocl", "cpu") == []
    assert math.isnan(results.geomean([]))


def test_targets_are_judged() -> None:
    costs = [Cost("launch", "", 1e-5), Cost("copy", "", 1.2, 1.0), Cost("scaling", "", 1.0, 1.9)]
    targets = [
        Target("all", "geomean:native", ">=", 0.9),
        Target("all", "worst:native", ">=", 0.6),
        Target("saxpy", "ratio:native", ">=", 0.5),
        Target("nbody", "ratio:interpreter", ">=", 300),
        Target("saxpy", "ratio:pocl", ">=", 1),
        Target("launch", "value", "<=", 1.5e-5),
        Target("copy", "over_peer", "<=", 1.1),
        Target("scaling", "speedup", ">=", 1.85),
        Target("absent", "value", "<=", 1),
    ]
    verdicts = results.judge(targets, _table(), costs, "cpu", {"nbody": 400.0})
    assert [one.reached for one in verdicts] == [True, False, True, True, None, True, False, True, None]
    assert verdicts[3].value == 400.0
    assert verdicts[6].value == pytest.approx(1.2)


def test_tables_of_the_repository_fit_together() -> None:
    kernels = results.read_kernels()
    names = {kernel.name for kernel in kernels}
    assert len(names) == len(kernels) == 18
    for kernel in kernels:
        assert (peers.HERE / "programs" / f"{kernel.program}.hip").is_file()
        assert f'{{"{kernel.name}",' in (peers.HERE / "native" / "peer.cpp").read_text()
    for target in results.read_targets():
        measure, _, peer = target.measure.partition(":")
        assert measure in ("geomean", "worst", "ratio", "value", "over_peer", "speedup")
        assert peer in ("", "interpreter", *peers.NAMES)
        assert target.subject == "all" or measure != "ratio" or target.subject in names


def test_rows_for_people() -> None:
    kernel = results.Kernel("saxpy", "saxpy", 3.0, "GB/s", None)
    rows = table.kernel_rows([kernel], _table(), ["anyhip", "native"], "cpu")
    assert rows[1] == ["saxpy", "1000/2000", "500/1000", "0.5", "3 GB/s"]
    assert rows[-1][:2] == ["geometric mean", ""]
    assert [table.seconds(value) for value in (2.5, 0.0125, 3e-6, 4e-9)] == [
        "2.5 s",
        "12.5 ms",
        "3 µs",
        "4 ns",
    ]
    assert table.costs_rows([Cost("a", "b", 0.5, 0.25, "c")])[1] == ["b", "500 ms", "250 ms", "c"]
    verdicts = results.judge(
        [Target("launch", "value", "<=", 1e-5)], {}, [Cost("launch", "", 2e-5)], "cpu", {}
    )
    assert table.verdict_rows(verdicts)[1] == ["launch", "<= 10 µs", "20 µs", "NOT reached"]


def test_command_line() -> None:
    options = arguments(["--only", "saxpy,launching", "--peers", "native,anyhip", "--runs", "3"])
    assert (options.names, options.peers, options.runs) == (["saxpy", "launching"], ["anyhip", "native"], 3)
    assert arguments(["--only", "saxpy,launching", "--kernels"]).names == ["saxpy"]
    for wrong in (["--only", "sax"], ["--peers", "rocm"], ["--runs", "0"]):
        with pytest.raises(SystemExit):
            arguments(wrong)
