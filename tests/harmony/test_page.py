"""What the page is told of a board, and the swaps a player makes on it: legal, or refused in plain words."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmony.boards import board_of
from harmony.strategies import boards
from solvent.core.domain import workbench_folder
from solvent.core.errors import BadOption
from solvent.harmony.domain import DOMAIN
from solvent.harmony.generator import generate, generate_with_plan
from solvent.harmony.model import Board
from solvent.harmony.page import MAX_SWAPS, page_data
from solvent.harmony.positions import format_swap
from solvent.harmony.rules import is_solved, legal_swaps, play

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
ALMOST_CELLS = st.from_regex(r"[A-Fa-f]?[0-9]{0,3}-?[A-Fa-f]?[0-9]{0,3}-?", fullmatch=True)
ACTIONS = st.one_of(
    st.dictionaries(st.text(max_size=6), JSON, max_size=4),
    JSON.map(lambda value: {"swaps": value}),
    st.lists(st.one_of(ALMOST_CELLS, st.text(max_size=8)), max_size=5).map(lambda swaps: {"swaps": swaps}),
)


def test_the_domain_can_be_played_and_has_a_page():
    assert DOMAIN.page is not None
    assert workbench_folder(DOMAIN.page) is not None


@given(boards())
def test_a_scene_is_json_and_its_lines_are_the_legal_swaps(board: Board):
    shown = page_data(board)
    assert json.loads(json.dumps(shown)) == shown
    pairs = [pair for line in shown["lines"] for pair in combinations(line, 2)]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == set(legal_swaps(board))


@given(boards())
def test_a_scene_holds_the_board(board: Board):
    shown = page_data(board)
    assert (shown["rows"], shown["cols"]) == (board.rows, board.cols)
    assert tuple(shown["colours"]) == board.colours
    assert tuple(shown["moves"]) == board.moves
    assert [colour["name"] for colour in shown["palette"]] == list(board.palette)
    assert shown["targets"] == list(range(board.rows))
    assert (shown["swaps"], shown["solved"]) == (board.swaps, is_solved(board))
    shorts = [colour["short"] for colour in shown["palette"]]
    assert len(set(shorts)) == len(shorts)


def test_the_largest_board_has_a_scene_of_a_size_to_send():
    board = generate(rows=26, cols=99, swaps=20_000, seed=1)
    assert len(json.dumps(page_data(board))) < 100_000


def test_playing_a_plan_solves_the_board():
    board, plan = generate_with_plan(rows=4, cols=5, swaps=12, seed=3)
    names = [format_swap(swap, board.cols) for swap in plan]
    assert is_solved(DOMAIN.page.play(board, {"swaps": names}))
    step = board
    for name in names:
        step = DOMAIN.page.play(step, {"swaps": [name]})
    assert is_solved(step)
    assert page_data(step)["solved"]


def test_the_order_of_the_two_tiles_does_not_matter():
    board = board_of("0/1 1/1 | 1/1 0/1")
    for name in ("A1-B1", "B1-A1", "b1 - a1"):
        assert DOMAIN.page.play(board, {"swaps": [name]}) == play(board, (0, 2))


@pytest.mark.parametrize(
    ("swap", "said"),
    [
        ("A1-B2", "A1 and B2 share neither a row nor a column."),
        ("A1-A1", "A tile changes places with another one: pick a second tile."),
        ("A1-A3", "A3 has no moves left: it stays where it is."),
        ("A3-B3", "Neither A3 nor B3 has a move left."),
        ("A1", "expected a swap such as A1-B1, found 'A1'"),
        ("A1-Z9", "expected a position from A1 to B3, found 'Z9'"),
    ],
)
def test_what_cannot_be_done_is_said_in_plain_words(swap: str, said: str):
    board = board_of("0/1 1/1 0/0 | 1/1 0/1 1/0")
    with pytest.raises(BadOption) as caught:
        DOMAIN.page.play(board, {"swaps": [swap]})
    assert str(caught.value) == said


def test_a_swap_that_a_former_one_has_made_illegal_is_refused():
    with pytest.raises(BadOption, match="Neither A1 nor B1 has a move left"):
        DOMAIN.page.play(board_of("0/1 1/1 | 1/1 0/1"), {"swaps": ["A1-B1", "A1-B1"]})


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"swaps": []},
        {"swaps": "A1-B1"},
        {"swaps": [1]},
        {"swaps": ["A1-B1"], "more": 1},
        {"swaps": ["A1-B1"] * (MAX_SWAPS + 1)},
        {"swaps": {"A1": "B1"}},
        {"swaps": ["A" * 100_000]},
        {1: 2},
    ],
)
def test_anything_else_is_refused(action: dict[Any, Any]):
    with pytest.raises(BadOption) as caught:
        DOMAIN.page.play(board_of("0/1 1/1 | 1/1 0/1"), action)
    assert len(str(caught.value)) < 400


@given(boards(), ACTIONS)
def test_no_action_crashes(board: Board, action: dict[str, Any]):
    try:
        after = DOMAIN.page.play(board, action)
    except BadOption:
        return
    assert sum(after.moves) == sum(board.moves) - 2 * len(action["swaps"])
    assert DOMAIN.parse(DOMAIN.format(after, "board")) == after  # it travels on as text
