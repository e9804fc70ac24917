"""What the page's editor sends: tiles drawn anew, and swaps played backwards; and what a new board begins from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvent
from harmony.boards import board_of, solved_board, unplay
from harmony.brute_force import is_solvable, plan_solves
from harmony.strategies import boards
from solvent.core.errors import BadOption
from solvent.harmony.domain import DOMAIN
from solvent.harmony.generator import generate
from solvent.harmony.model import MAX_MOVES, Board
from solvent.harmony.page import edit, page_data, play, templates
from solvent.harmony.positions import format_swap
from solvent.harmony.rules import aligned_pairs, is_solved
from solvent.proof.certificate import make_certificate

SMALL = ["RED", "BLUE"]


def drawn(board: Board) -> dict[str, Any]:
    """Return the action that draws a board."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "targets": list(board.palette[: board.rows]),
        "colours": [board.palette[colour] for colour in board.colours],
        "moves": list(board.moves),
    }


@st.composite
def swaps_on(draw: st.DrawFn, *, most_side: int = 4, most_swaps: int = 8) -> tuple[int, int, list[tuple[int, int]]]:
    """Draw a size with two cells or more, and swaps of aligned cells."""
    rows, cols = draw(st.integers(1, most_side)), draw(st.integers(2, most_side))
    return rows, cols, draw(st.lists(st.sampled_from(aligned_pairs(rows, cols)), min_size=1, max_size=most_swaps))


@given(boards(), boards())
def test_any_board_can_be_drawn_over_any_other(before: Board, wanted: Board) -> None:
    made = edit(before, drawn(wanted))
    assert drawn(made) == drawn(wanted)
    for name in DOMAIN.formats:
        assert DOMAIN.parse(DOMAIN.format(made, name)) == made


@given(boards(most_moves=MAX_MOVES - 12).filter(lambda board: board.rows * board.cols > 1), st.data())
def test_what_is_played_backwards_is_played_forwards_again(board: Board, data: st.DataObject) -> None:
    pairs = aligned_pairs(board.rows, board.cols)
    swaps = data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=12))
    names = [format_swap(swap, board.cols) for swap in swaps]
    back = edit(board, {"back": names})
    assert sum(back.moves) == sum(board.moves) + 2 * len(names)
    assert play(back, {"swaps": names[::-1]}) == board
    plainly = board
    for swap in swaps:
        plainly = unplay(plainly, swap)
    assert back == plainly


@given(swaps_on())
def test_backwards_from_the_solved_board_is_solvable_by_the_way_back(
    case: tuple[int, int, list[tuple[int, int]]],
) -> None:
    rows, cols, swaps = case
    names = [format_swap(swap, cols) for swap in swaps]
    board = edit(solved_board(rows, cols, tuple("ABCD"[:rows])), {"back": names})
    assert plan_solves(board, names[::-1])
    solvent.check(board, make_certificate("harmony", "solvable", solvent.Verdict.YES, "plan", plan=names[::-1]))


@pytest.mark.parametrize("seed", range(12))
def test_brute_force_solves_what_was_scrambled(seed: int) -> None:
    rows, cols = ((2, 2), (2, 3), (3, 2), (3, 3))[seed % 4]
    start = solved_board(rows, cols, ("TEAL", "RUST", "BONE")[:rows])
    board = edit(start, {"scramble": 4, "seed": seed})
    assert board.swaps == 4
    assert board.palette == start.palette
    assert is_solvable(board)
    assert solvent.ask(board).verdict is solvent.Verdict.YES


def test_a_scramble_begins_from_the_solved_board_or_goes_on() -> None:
    spoilt = board_of("0/3 4/1 | 1/1 0/2")  # colour 4 belongs in no row
    fresh = edit(spoilt, {"scramble": 9, "seed": 5})
    assert fresh == generate(rows=2, cols=2, swaps=9, seed=5)
    assert edit(fresh, {"scramble": 9, "seed": 5}) == fresh
    more = edit(fresh, {"scramble": 3, "seed": 5, "more": True})
    assert more.swaps == 12
    assert is_solvable(more)
    assert not is_solvable(edit(spoilt, {"scramble": 3, "seed": 5, "more": True}))


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"back": ["A1-B2"]}, "A1 and B2 share neither a row nor a column."),
        ({"back": ["A1-A1"]}, "A tile changes places with another one"),
        ({"back": ["A1-B1", "A1-C1"]}, "expected a position from A1 to B2"),
        ({"back": ["A2-B2"]}, "A2 has 999 moves: no tile can have more."),
        ({"back": []}, "swaps: expected 1 to 1,000, found 0"),
        ({"back": "A1-B1"}, "expected tiles, swaps to play backwards or a scramble"),
        ({"scramble": 0, "seed": 1}, "swaps: expected 1 to 1,000, found 0"),
        ({"scramble": 3, "seed": -1}, "seed: expected 0"),
        ({"scramble": 3}, "seed"),
        ({"rows": 2}, "expected tiles"),
        ({}, "expected tiles"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_designers_words(action: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        edit(board_of("0/1 1/999 | 1/1 0/1"), action)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"colours": [None, "RED", None, "BLUE"]}, "2 cells have no tile yet"),
        ({"targets": ["RED", None]}, "1 row wants no colour yet"),
        ({"targets": ["RED", "red"]}, "RED is wanted twice"),
        ({"targets": ["RED", "BOARD"]}, "a colour's name is one word"),
        ({"targets": ["RED", "SEA BLUE"]}, "a colour's name is one word"),
        ({"targets": ["RED", "BL#UE"]}, "a colour's name is one word"),
        ({"targets": ["RED", ""]}, "a colour's name is one word"),
        ({"targets": ["RED", "B" * 41]}, "at most 40 letters"),
        ({"targets": ["RED"]}, "targets: expected 2 on a 2×2 board, found 1"),
        ({"moves": [0, 0, 0, 1000]}, "moves of B2: expected 0 to 999, found 1000"),
        ({"rows": 27}, "rows: expected 1 to 26, found 27"),
        ({"cols": 100}, "columns: expected 1 to 99, found 100"),
    ],
)
def test_what_is_no_board_is_refused(changed: dict[str, Any], message: str) -> None:
    action = {"rows": 2, "cols": 2, "targets": SMALL, "colours": [*SMALL, *SMALL], "moves": [0, 0, 0, 0], **changed}
    with pytest.raises(BadOption, match=message):
        edit(board_of("0/1 1/1 | 1/1 0/1"), action)


def test_scrambling_a_board_that_is_nearly_full_of_moves_ends() -> None:
    full = board_of(" | ".join([" ".join([f"0/{MAX_MOVES}"] * 3)] * 2))
    with pytest.raises(BadOption, match="no two tiles to swap"):
        edit(full, {"scramble": 5, "seed": 0, "more": True})


def test_templates_are_solved_boards_and_one_that_is_scrambled() -> None:
    made = {template.name: DOMAIN.parse(template.text) for template in templates()}
    assert list(made) == ["solved_3x3", "solved_4x4", "solved_4x6", "solved_5x5", "solved_6x6", "scrambled_3x3"]
    for name, board in made.items():
        assert is_solved(board) == name.startswith("solved")
        assert page_data(board)["hues"][: board.rows] != []
        assert is_solvable(board)
