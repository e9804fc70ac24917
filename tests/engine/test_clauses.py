from __future__ import annotations

import numpy as np
import pytest

from solvent.engine.clauses import MAX_VARIABLES, ClauseList


def test_gathers_clauses_into_arrays():
    clauses = ClauseList.of([[1, -2], [], (3,)])
    assert clauses.literals.tolist() == [1, -2, 3]
    assert clauses.starts.tolist() == [0, 2, 2, 3]
    assert (clauses.literals.itemsize, clauses.starts.itemsize) == (4, 8)
    assert clauses.variables == 3
    assert len(clauses) == 3
    assert list(clauses) == [[1, -2], [], [3]]
    assert repr(clauses) == "<ClauseList: 3 clauses, 3 variables>"


def test_nothing_is_a_formula_too():
    assert list(ClauseList.of([])) == []
    assert ClauseList.of([], variables=5).variables == 5
    assert list(ClauseList.of([[]])) == [[]]


def test_takes_any_whole_numbers_as_arrays():
    clauses = ClauseList(np.array([1, -2], dtype=np.int64), np.array([0, 1, 2], dtype=np.int32), np.int64(2))
    assert list(clauses) == [[1], [-2]]
    assert (clauses.literals.itemsize, clauses.starts.itemsize) == (4, 8)
    assert type(clauses.variables) is int


def test_takes_memory_that_must_not_be_written_to():
    literals, starts = np.array([1, -2], dtype=np.int32), np.array([0, 1, 2], dtype=np.int64)
    literals.flags.writeable = starts.flags.writeable = False
    assert list(ClauseList(literals, starts, 2)) == [[1], [-2]]


def test_rejects_numbers_beyond_64_bits():
    with pytest.raises(ValueError, match="expected literals of 64 bits, found 18446744073709551615"):
        ClauseList(np.array([2**64 - 1], dtype=np.uint64), [0, 1], 5)


@pytest.mark.parametrize(
    ("clauses", "variables", "message"),
    [
        ([[1, 0]], None, r"found 0 at literals\[1\]"),
        ([[1], [-3]], 2, r"from 1 to 2 or their negations, found -3 at literals\[1\]"),
        ([[3]], 2, "found 3"),
        ([[2**40]], None, "variables, found 1099511627776"),
        ([[-(2**31)]], 5, "found -2147483648"),
        ([[-(2**32) + 1]], 5, "found -4294967295"),
        ([[1]], -1, "found -1"),
        ([[1]], MAX_VARIABLES + 1, "variables"),
    ],
)
def test_rejects_literals_out_of_range(clauses, variables, message):
    with pytest.raises(ValueError, match=message):
        ClauseList.of(clauses, variables=variables)


@pytest.mark.parametrize("starts", [[], [0], [0, 1], [1, 2], [0, 3], [0, 2, 1, 2], [0, -1, 2], [[0, 2]], [0.0, 2.0]])
def test_rejects_starts_that_do_not_cut_the_literals(starts):
    with pytest.raises(ValueError, match="starts"):
        ClauseList(np.array([1, 2]), np.array(starts), 2)
