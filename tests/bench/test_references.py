import numpy as np
import pytest

from bench import references


def test_inputs_are_those_of_the_programs() -> None:
    # from bench::rnd and bench::u01 of programs/measure.hpp, compiled by g++
    assert references.rnd(3, 8).tolist() == [1626593482, 610382213, 2509765400]
    assert references.u01(2, 1).tolist() == [0.0077651143074035645, 0.62231957912445068]


@pytest.mark.parametrize("kernel", ["scan", "bitonic", "histogram", "spmv", "atomic_add", "launch"])
def test_a_single_wrong_result_is_noticed(kernel: str) -> None:
    right = references._expected(kernel).copy()
    assert references.complaint(kernel, right) == ""
    right[5] += 1
    assert references.complaint(kernel, right) == f"1 of {right.size} results are wrong"
    assert references.complaint(kernel, right[1:]) == f"{right.size - 1} results instead of {right.size}"


def test_rounding_is_allowed_where_it_must_be() -> None:
    right = references._expected("spmv").astype(np.float32)
    assert references.complaint("spmv", right) == ""
