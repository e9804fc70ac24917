"""The invalidity tests one by one: each fires where it should, none of the sound ones where it should not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from harmony.boards import board_of, near_miss, tiny_boards
from harmony.brute_force import is_solvable, plan_solves
from harmony.plain_invalidity import PLAIN
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.pruning import InvalidityTestCoordinator
from solvent.harmony.audit import DEFAULT_SCOPES, SmallBoards
from solvent.harmony.invalidity import ALL_TESTS, SEARCH_TESTS, SOUND_TESTS, HarmonyTest, builtin
from solvent.harmony.invalidity.builtin.stuck_tiles_v2_kernel import TEST as STUCK_TILES_V2
from solvent.harmony.invalidity.builtin.stuck_tiles_v2_kernel import fires_after
from solvent.harmony.invalidity.position_kernel import Position
from solvent.harmony.invalidity.tests_kernel import CountedTest, chain_tests
from solvent.harmony.model import Board
from solvent.harmony.rules import legal_swaps

BY_NAME = {test.name: test for test in ALL_TESTS}

FIRES = [
    ("WrongRowZeroMoves", "1/0 0/0 | 0/1 1/1"),
    ("BlockedSwap", "0/0 1/1 0/0 | 0/1 1/0 1/0"),
    ("StuckTile", "0/1 0/0 | 1/1 1/2"),
    ("StuckTiles", "0/1 0/1 0/1 | 1/1 1/2 1/2"),
    ("IsolatedTile", "0/2 0/0 | 1/0 1/2"),
    ("Stalemate", "0/2 0/0 | 1/0 1/2"),
    ("LiveParity", "0/1 0/2 0/0 0/0 | 1/0 1/0 1/1 1/2"),
    ("LiveParity", "0/1 0/3 | 1/0 1/0"),
    ("LiveColours", "2/2 0/0 | 1/2 1/0 | 2/0 0/2 | 3/0 3/2"),
    ("LiveColours", "0/1 2/1 | 1/0 1/0"),
    ("Deadlock", "1/1 0/1 | 2/1 1/1 | 0/1 2/1"),
    ("Deadlock", "0/0 1/1 | 1/0 2/1 | 2/3 0/1"),
    ("Distance", "0/0 0/0 1/1 | 0/3 1/0 1/2"),
    ("RowParity", "0/0 0/1 1/1 | 1/1 0/1 1/2"),
    ("ColourCluster", "0/0 0/1 1/1 | 1/0 1/1 0/3"),
    ("MinimumMoves", "0/0 1/0 | 0/2 1/0"),
    ("StuckTilesV2", "0/1 0/0 0/0 | 1/1 1/2 1/2"),
]
SILENT = [
    ("WrongRowZeroMoves", "1/1 0/0 | 0/1 1/0"),
    ("BlockedSwap", "0/0 1/2 0/0 | 0/2 1/0 1/0"),  # a move to spare is enough for this test
    ("StuckTile", "0/1 0/1 | 1/0 1/0"),
    ("StuckTiles", "0/1 0/2 0/2 | 1/1 1/2 1/2"),  # two moves may be a visit to another row
    ("IsolatedTile", "0/1 0/1 | 1/0 1/0"),
    ("Stalemate", "0/0 0/0 | 1/0 1/0"),  # solved
    ("LiveParity", "0/1 0/2 0/1 | 1/0 1/0 1/0"),
    ("LiveColours", "1/1 0/0 | 0/1 1/0"),
    ("Deadlock", "0/0 1/1 | 1/0 2/2 | 2/2 0/1"),  # one has a move to spare
    ("Distance", "0/0 0/0 1/1 | 0/3 1/2 1/2"),
    ("RowParity", "0/0 0/0 0/5 | 1/1 1/2 1/2"),  # a visit of five moves
    ("ColourCluster", "1/1 0/0 | 0/1 1/0"),
    ("MinimumMoves", "1/1 0/0 | 0/1 1/0"),
]
ALONE = {"Deadlock", "Distance", "RowParity", "ColourCluster"}
"""The later tests: the board each fires on above, last of its name, is one that no other test catches."""


@pytest.mark.parametrize(("name", "text"), FIRES)
def test_fires(name: str, text: str):
    board = board_of(text)
    assert BY_NAME[name].is_invalid(board)
    assert not is_solvable(board)


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_stays_silent(name: str, text: str):
    assert not BY_NAME[name].is_invalid(board_of(text))


@pytest.mark.parametrize("name", sorted(ALONE))
def test_catches_what_no_other_test_does(name: str):
    board = board_of([text for each, text in FIRES if each == name][-1])
    assert [test.name for test in SOUND_TESTS if test.is_invalid(board)] == [name]


def children(boards: Iterator[Board]) -> Iterator[tuple[Board, Position, int, int]]:
    """Yield every board with a position one legal swap later, and the cells of that swap."""
    for board in boards:
        position = position_of(board)
        position.keep_counts()
        for a, b in legal_swaps(board):
            position.swap(a, b, -1)
            yield board, position, a, b
            position.swap(a, b, +1)


def check_shortcut(boards: Iterator[Board]) -> int:
    """Compare the look at what a swap affected with the look at everything, where the test was silent before it."""
    fired = 0
    silent: dict[Board, list[HarmonyTest]] = {}
    for board, position, a, b in children(boards):
        if board not in silent:
            silent = {board: [test for test in SOUND_TESTS if not test.is_invalid(board)]}
        for test in silent[board]:
            found = test.is_invalid_position(position)
            assert test.is_invalid_after(position, a, b) == found, (test.name, board, a, b)
            fired += found
    return fired


@pytest.mark.parametrize(
    ("rows", "cols", "most_swaps"),
    [(2, 2, 7), (2, 3, 5), (3, 2, 4), (3, 3, 3), *slow([(2, 4, 5), (4, 2, 4), (3, 3, 4)])],
)
def test_what_a_swap_affects_is_enough_to_look_at(rows: int, cols: int, most_swaps: int):
    boards = SmallBoards(rows, cols, most_swaps)
    for swaps in range(1, most_swaps + 1):
        assert check_shortcut(boards.solvable(swaps)) > 0 or swaps < 3
        check_shortcut(boards.just_lost(swaps))


def test_what_a_swap_affects_is_enough_to_look_at_on_larger_boards():
    assert check_shortcut(near_miss(4, 5, 14, seed) for seed in range(up_to(12, deep=200))) > 100
    assert check_shortcut(homeless_boards(up_to(150, deep=3000), seed=46)) > 100


def test_counts_are_kept_as_they_would_be_counted():
    boards = [near_miss(4, 4, 12, 1), *tiny_boards(60, seed=47), *homeless_boards(60, 48)]
    for board, position, _, _ in children(iter(boards)):
        assert position.keeps_counts
        assert position.counts() == Position(board.rows, board.cols, *position.tiles()).counts()


def test_a_built_in_test_is_a_file_and_nothing_else_names_it():
    """No list to add it to: each file of the package holds one test, named after it."""
    folder = Path(builtin.__file__).parent
    files = {path.name.removesuffix("_kernel.py") for path in folder.glob("*_kernel.py")}
    assert files == {re.sub("(?<=[a-z])(?=[A-Z])", "_", test.name).lower() for test in ALL_TESTS}
    others = [path for path in (folder.parents[1]).rglob("*.py") if path.parent != folder]
    for path in others:
        text = path.read_text()
        assert not any(f"{name}_kernel" in text for name in files), path


def test_every_test_is_tried_here_and_says_why():
    assert {name for name, _ in FIRES} == set(BY_NAME)
    assert {name for name, _ in SILENT} == {test.name for test in SOUND_TESTS}
    assert all(test.sound for test in SOUND_TESTS)
    assert [test.name for test in ALL_TESTS if not test.sound] == ["StuckTilesV2"]
    assert all(test.reason.endswith(".") for test in ALL_TESTS)
    assert [test.name for test in SOUND_TESTS if test.superseded_by] == ["StuckTile"]
    assert list(SEARCH_TESTS) == [test for test in SOUND_TESTS if not test.superseded_by]
    assert [test.cost for test in SEARCH_TESTS] == sorted(test.cost for test in SEARCH_TESTS)


@pytest.mark.parametrize(("rows", "cols", "most_swaps"), DEFAULT_SCOPES)
def test_sound_tests_are_silent_on_every_solvable_board(rows: int, cols: int, most_swaps: int):
    boards = SmallBoards(rows, cols, most_swaps)
    for swaps in range(most_swaps + 1):
        for board in boards.solvable(swaps):
            position = position_of(board)
            for test in SOUND_TESTS:
                assert not test.is_invalid_position(position), (test.name, board)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "most_swaps"), [(2, 2, 16), (2, 3, 9), (3, 2, 8), (3, 3, 6), (2, 4, 6), (4, 2, 6)]
)
def test_sound_tests_are_silent_further_out(rows: int, cols: int, most_swaps: int):
    test_sound_tests_are_silent_on_every_solvable_board(rows, cols, most_swaps)


def test_what_the_sound_tests_catch_cannot_be_solved():
    caught = {test.name: 0 for test in SOUND_TESTS}
    for board in [*tiny_boards(600, seed=40), *waiting_boards(40, seed=40)]:
        firing = [test.name for test in SOUND_TESTS if test.is_invalid(board)]
        for name in firing:
            caught[name] += 1
        assert not firing or not is_solvable(board), (firing, board)
    assert min(caught.values()) > 1, caught


# The one that is wrong


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("0/0 0/1 1/2 | 0/2 1/1 1/0", "A2-A3 B1-B2 A2-B2"),
        ("0/0 0/0 1/1 | 1/1 1/2 0/4", "B2-B3 B1-B2 B1-B3 A3-B3"),
    ],
)
def test_stuck_tiles_v2_misfires_on_solvable_boards(text: str, plan: str):
    board = board_of(text)
    assert STUCK_TILES_V2.is_invalid(board)
    assert plan_solves(board, plan.split())
    assert not STUCK_TILES_V2.sound


@pytest.mark.parametrize(
    ("rows", "cols", "most_swaps", "wrong", "examined"),
    [(2, 3, 9, 723, 33_307), (3, 2, 8, 1_667, 33_779), (3, 3, 6, 2_878, 35_670), (2, 4, 6, 474, 7_604)],
)
def test_how_often_stuck_tiles_v2_is_wrong(rows: int, cols: int, most_swaps: int, wrong: int, examined: int):
    """The numbers were counted with another program that lists every solvable board backwards from the solved one."""
    boards = SmallBoards(rows, cols, most_swaps)
    fired = [STUCK_TILES_V2.is_invalid(board) for k in range(1, most_swaps + 1) for board in boards.solvable(k)]
    assert (sum(fired), len(fired)) == (wrong, examined)


def test_fires_after_looks_only_at_the_rows_of_the_last_swap():
    board = board_of("0/1 0/0 0/0 | 1/2 1/2 1/2 | 2/0 2/0 2/0")  # row A looks stuck, the others do not
    assert STUCK_TILES_V2.is_invalid(board)
    assert fires_after(board, (0, 1))
    assert fires_after(board, (0, 3))
    assert fires_after(board, (4, 1))
    assert not fires_after(board, (3, 4))
    assert not fires_after(board, (3, 6))


def test_fires_after_misses_a_stray_tile_outside_the_touched_rows():
    """Colour 0 lacks one tile, which stands in row B; a swap inside row B counts in row A, where nobody looks."""
    board = board_of("0/0 0/1 1/2 | 1/1 1/0 0/1")
    assert STUCK_TILES_V2.is_invalid(board)
    assert not fires_after(board, (3, 4))


# In a search, in threads


def position_of(board: Board) -> Position:
    return Position(board.rows, board.cols, board.colours, board.moves)


def test_a_test_says_the_same_called_by_a_search():
    boards = [*tiny_boards(600, seed=41), *(near_miss(4, 4, 10, seed) for seed in range(100))]
    fired = dict.fromkeys((test.name for test in SOUND_TESTS), 0)
    for board in boards:
        position = position_of(board)
        for test in SOUND_TESTS:
            found = test.is_invalid(board)
            alone = chain_tests([test])
            assert alone is not None
            assert alone.is_invalid(position) == found
            assert (alone.calls, alone.hits) == (1, found)
            assert alone.repeat(position, 3) == 3 * found
            assert (alone.calls, alone.hits) == (1, found)
            fired[test.name] += found
    assert min(fired.values()) > 0


@pytest.mark.modes
def test_a_tally_stops_at_the_first_that_fires_and_counts():
    tests = chain_tests(SOUND_TESTS)
    assert tests is not None
    coordinator = InvalidityTestCoordinator[Board](SOUND_TESTS)
    for board in tiny_boards(400, seed=42):
        assert tests.is_invalid(position_of(board)) == coordinator.is_invalid(board)
    counts = coordinator.counts()
    tally: CountedTest | None = tests
    told = {}
    while tally is not None:
        told[tally.test.name] = (tally.calls, tally.hits)
        tally = tally.following
    assert list(told.items()) == [(name, (count.calls, count.hits)) for name, count in counts.items()]
    assert 0 < sum(hits for _, hits in told.values()) < tests.calls == 400


def test_no_tests_are_no_tally():
    assert chain_tests([]) is None


@pytest.mark.modes
def test_a_position_is_no_larger_than_a_board_can_be():
    with pytest.raises(ValueError, match="at most 26 rows"):
        Position(27, 1, [0] * 27, [0] * 27)
    with pytest.raises(ValueError, match="expected 4 tiles"):
        Position(2, 2, [0, 0, 1], [0, 0, 0, 0])
    with pytest.raises(ValueError, match="colours from 0"):
        Position(1, 2, [0, -1], [0, 0])


def test_eight_threads_share_a_coordinator():
    boards = list(tiny_boards(400, seed=43))
    alone = InvalidityTestCoordinator[Board](SOUND_TESTS)
    expected = [None if (test := alone.first_invalid(board)) is None else test.name for board in boards]
    shared = InvalidityTestCoordinator[Board](SOUND_TESTS)

    def run(shift: int) -> list[str | None]:
        order = boards[shift:] + boards[:shift]
        found = [None if (test := shared.first_invalid(board)) is None else test.name for board in order]
        return found[len(boards) - shift :] + found[: len(boards) - shift]

    with ThreadPoolExecutor(max_workers=8) as pool:
        told = list(pool.map(run, [50 * number for number in range(8)] * 2))
    assert all(found == expected for found in told)
    assert {name: (c.calls, c.hits) for name, c in shared.counts().items()} == {
        name: (16 * c.calls, 16 * c.hits) for name, c in alone.counts().items()
    }


def homeless_boards(count: int, seed: int) -> Iterator[Board]:
    """Yield small boards, mostly at home and mostly out of moves, with some colours far beyond the rows."""
    dice = Random(seed)
    for _ in range(count):
        rows, cols = 1 + dice.randrange(3), 1 + dice.randrange(4)
        tiles = []
        for cell in range(rows * cols):
            colour = (cell // cols, cell // cols, cell // cols, dice.randrange(rows), rows + dice.randrange(6))
            tiles.append((colour[dice.randrange(5)], (0, 0, 0, 1, 1, 2, 3)[dice.randrange(7)]))
        tiles[dice.randrange(len(tiles))] = (rows + dice.randrange(6), dice.randrange(4))
        lines = [tiles[row * cols : (row + 1) * cols] for row in range(rows)]
        yield board_of(" | ".join(" ".join(f"{colour}/{moves}" for colour, moves in line) for line in lines))


def waiting_boards(count: int, seed: int) -> Iterator[Board]:
    """Yield boards of three or four rows with a column whose tiles, most with one move, are in each other's rows."""
    dice = Random(seed)
    for _ in range(count):
        rows, cols = 3 + dice.randrange(2), 1 + dice.randrange(2)
        lines = [[(row, 0), (row, dice.randrange(3))][:cols] for row in range(rows)]
        order = dice.sample(range(rows), rows)
        for row, line in enumerate(lines):
            line[0] = (order[row], (1, 1, 1, 1, 1, 2, 0)[dice.randrange(7)])
        yield board_of(" | ".join(" ".join(f"{colour}/{moves}" for colour, moves in line) for line in lines))


@pytest.mark.modes
@pytest.mark.parametrize("test", ALL_TESTS, ids=lambda test: test.name)
def test_colours_that_belong_nowhere_change_nothing_but_what_the_rule_says(test: HarmonyTest):
    fired = 0
    for board in [*homeless_boards(400, seed=44), *waiting_boards(40, seed=44)]:
        expected = bool(PLAIN[test.name](board))
        assert test.is_invalid(board) == expected, board
        fired += expected
    assert 3 < fired < 437


def test_the_plain_restatement_agrees_on_other_boards_too():
    for board in tiny_boards(300, seed=45):
        for test in ALL_TESTS:
            assert test.is_invalid(board) == bool(PLAIN[test.name](board)), (test.name, board)
