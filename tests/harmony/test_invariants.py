"""The quick proofs: silent on every solvable board within bounds, and each one heard where it should be."""

from __future__ import annotations

from collections import Counter

import pytest

import solvent
from harmony.boards import board_of, tiny_boards
from harmony.brute_force import is_solvable
from solvent.core.answer import Verdict
from solvent.harmony.audit import SmallBoards
from solvent.harmony.checker import violations
from solvent.harmony.checker.invariant import RULES
from solvent.harmony.positions import format_cell
from solvent.harmony.solver.invariants import find_broken_invariant
from solvent.harmony.solver.reduction import forced_swaps, reduce_board

BROKEN = [
    ("odd moves", "0/1 0/0 | 1/0 1/0", []),
    ("colour count", "0/1 1/1 | 1/1 1/1", ["A2", "B1", "B2"]),
    ("colour count", "0/1 0/1 | 0/1 0/1", []),
    ("colour count", "0/1 2/1 | 1/0 1/0", ["A2"]),
    ("dead tile", "1/0 0/0 | 0/1 1/1", ["A1"]),
    ("blocked tile", "0/0 1/1 0/0 | 0/1 1/0 1/0", ["A2", "B2"]),
    ("component parity", "0/1 0/2 0/2 0/0 0/0 | 1/0 1/0 1/0 1/1 1/2", ["B4", "B5"]),
    ("component maximum", "0/1 0/3 | 1/0 1/0", ["A1", "A2"]),
    ("component colours", "2/2 0/0 | 1/2 1/0 | 2/0 0/2 | 3/0 3/2", ["A1", "B1"]),
    ("pinned cycle", "1/1 0/1 | 2/1 1/0 | 0/1 2/0", ["A1", "B1", "C1"]),
    ("crowded row", "1/2 2/2 0/0 | 0/1 1/0 1/0 | 0/1 2/2 2/0", ["B1", "C1"]),
    ("crowded row", "1/2 0/1 | 0/1 1/2", ["A2", "B1"]),
]
"""A rule, a board that breaks it and none before it, and the cells that show it."""


ALSO_SHOWN = {
    "colour count": {"crowded row"},
    "dead tile": {"crowded row"},
    "blocked tile": {"crowded row"},
    "component parity": {"component maximum"},
}
"""Too many tiles, or one that can end nowhere, crowd a row as well; two tiles with an odd sum have a larger one."""


@pytest.mark.parametrize(("rule", "text", "cells"), BROKEN)
def test_each_rule_is_heard_where_it_is_broken(rule: str, text: str, cells: list[str]):
    board = board_of(text)
    assert not is_solvable(board)
    answer = solvent.ask(board, nodes=0)  # takes no search
    assert answer.verdict is Verdict.NO
    assert (answer.certificate["form"], answer.certificate["rule"], answer.certificate["cells"]) == (
        "invariant",
        rule,
        cells,
    )
    assert answer.because.endswith(".")


@pytest.mark.parametrize(("rule", "text", "cells"), BROKEN)
def test_each_rule_rests_on_its_cells(rule: str, text: str, cells: list[str]):
    board = board_of(text)
    certificate = dict(solvent.ask(board).certificate)
    every_cell = [format_cell(cell, board.cols) for cell in range(board.rows * board.cols)]
    for index in range(len(cells)):
        assert violations(board, {**certificate, "cells": cells[:index] + cells[index + 1 :]})
    assert violations(board, {**certificate, "cells": [*cells, "Z99"]})
    assert violations(board, {**certificate, "cells": [*every_cell, every_cell[0]]}) == ["a cell is named twice"]
    assert violations(board, {**certificate, "forced": ["A1-A2"]}) == ["A1-A2 is not forced"]
    assert violations(board, {**certificate, "rule": "bad luck"})
    others = {other for other in RULES if other != rule and not violations(board, {**certificate, "rule": other})}
    assert others <= ALSO_SHOWN.get(rule, set())


def test_every_rule_has_a_board_here():
    assert {rule for rule, _, _ in BROKEN} == set(RULES)


def test_what_shows_only_after_a_forced_swap():
    board = board_of("1/1 0/1 0/0 | 0/1 1/0 1/1")
    assert not is_solvable(board)
    certificate = dict(solvent.ask(board).certificate)
    assert (certificate["rule"], certificate["cells"], certificate["forced"]) == ("component parity", ["A2"], ["A1-B1"])
    assert violations(board, {**certificate, "forced": []})
    assert violations(board, {**certificate, "forced": ["A1-B1", "A1-B1"]}) == ["A1-B1 is not forced"]
    assert violations(board, {**certificate, "forced": ["A2-B2"]}) == ["A2-B2 is not forced"]
    assert violations(board, {**certificate, "forced": ["A1-C1"]})


@pytest.mark.parametrize(
    ("text", "forced"),
    [
        ("1/1 0/0 | 0/1 1/0", ((0, 2),)),
        ("1/1 1/1 | 0/1 0/1", ((0, 2), (1, 3))),
        ("1/2 0/0 | 0/1 1/1", ()),  # one of them has a move to spare
        ("1/1 0/1 | 1/1 0/1", ()),  # not each other's row
        ("2/1 0/0 | 0/1 1/0 | 1/1 2/0", ()),  # a ring of three is no pair
        ("2/1 | 1/0 | 0/1", ((0, 2),)),  # need not be neighbours
    ],
)
def test_forced_swaps(text: str, forced: tuple[tuple[int, int], ...]):
    assert forced_swaps(board_of(text)) == forced


def test_forced_swaps_change_nothing():
    """A board is solvable exactly when it is after its forced swaps."""
    found = 0
    for board in tiny_boards(600, seed=31):
        reduction = reduce_board(board)
        if reduction.forced:
            found += 1
            assert is_solvable(board) == is_solvable(reduction.board), board
    assert found > 15


def assert_silent(rows: int, cols: int, most_swaps: int) -> int:
    boards = SmallBoards(rows, cols, most_swaps)
    seen = 0
    for swaps in range(most_swaps + 1):
        for board in boards.solvable(swaps):
            seen += 1
            assert find_broken_invariant(reduce_board(board)) is None, board
    return seen


@pytest.mark.parametrize(("rows", "cols", "most_swaps"), [(2, 2, 10), (2, 3, 7), (3, 2, 6), (3, 3, 4)])
def test_silent_on_every_solvable_board(rows: int, cols: int, most_swaps: int):
    assert assert_silent(rows, cols, most_swaps) > 500


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "most_swaps"), [(2, 2, 16), (2, 3, 9), (3, 2, 8), (3, 3, 6), (2, 4, 6), (4, 2, 6), (1, 6, 9)]
)
def test_silent_on_every_solvable_board_further_out(rows: int, cols: int, most_swaps: int):
    assert assert_silent(rows, cols, most_swaps) > 100


def test_most_boards_just_lost_are_caught():
    """One wrong swap cannot make the sum odd or change a colour; every other rule catches such boards."""
    boards = SmallBoards(3, 3, 5)
    broken = [find_broken_invariant(reduce_board(board)) for k in range(1, 6) for board in boards.just_lost(k)]
    caught = Counter("nothing" if found is None else found.rule for found in broken)
    assert caught == {
        "dead tile": 16164,
        "blocked tile": 1904,
        "nothing": 1334,
        "crowded row": 567,
        "component maximum": 381,
        "component parity": 131,
        "pinned cycle": 75,
        "component colours": 5,
    }


def test_the_other_two_rules_catch_spoilt_boards():
    broken = Counter(find.rule for b in tiny_boards(300, seed=32) if (find := find_broken_invariant(reduce_board(b))))
    assert min(broken["odd moves"], broken["colour count"]) > 10


def test_what_they_catch_cannot_be_solved():
    caught = [board for board in tiny_boards(600, seed=33) if find_broken_invariant(reduce_board(board))]
    assert len(caught) > 150
    assert not any(is_solvable(board) for board in caught)
