"""Repairs: as few cells as brute force finds, regions that hold together, and no more said than is known."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path

import pytest

import solvent
from helpers.examples import load_example
from solvent.core.answer import Cause, Reason, Verdict
from solvent.core.budget import UNLIMITED
from solvent.starbattle.explaining.borders import Borders
from solvent.starbattle.explaining.candidates import solutions_of
from solvent.starbattle.explaining.regions_for_stars import solvable_changes
from solvent.starbattle.explaining.repair import Repair, find_repair
from solvent.starbattle.generator.regions import puzzle_of
from solvent.starbattle.model import Puzzle
from solvent.starbattle.shortage import why_unsolvable
from starbattle.brute_force import is_solution, solutions
from starbattle.strategies import connected_regions


def random_board(size: int, seed: int) -> Puzzle:
    """Return a board with connected regions, drawn without any thought of stars."""
    return puzzle_of(size, 1, connected_regions(size, random.Random(seed)))


def beside_of(size: int, cell: int) -> list[int]:
    row, col = divmod(cell, size)
    around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def is_connected(size: int, cells: set[int]) -> bool:
    reached = {min(cells)}
    while True:
        more = {beside for cell in reached for beside in beside_of(size, cell)} & cells - reached
        if not more:
            return reached == cells
        reached |= more


def holds_together(before: Puzzle, regions: list[int]) -> bool:
    """Tell whether each region is in one piece and still has a cell it had before."""
    for region in range(before.size):
        cells = {cell for cell, own in enumerate(regions) if own == region}
        if not any(before.regions[cell] == region for cell in cells) or not is_connected(before.size, cells):
            return False
    return True


def changed_boards(board: Puzzle, cells: int) -> Iterator[list[int]]:
    """Yield the regions of every board with so many cells in other regions, broken ones too."""
    for chosen in combinations(range(board.size**2), cells):
        for new in product(range(board.size), repeat=cells):
            if all(region != board.regions[cell] for cell, region in zip(chosen, new, strict=True)):
                regions = list(board.regions)
                for cell, region in zip(chosen, new, strict=True):
                    regions[cell] = region
                yield regions


def is_unique(board: Puzzle, regions: list[int]) -> bool:
    return len(solutions(puzzle_of(board.size, board.stars, regions), most=2)) == 1


def fewest_by_brute_force(board: Puzzle, most: int) -> int | None:
    for cells in range(1, most + 1):
        if any(holds_together(board, each) and is_unique(board, each) for each in changed_boards(board, cells)):
            return cells
    return None


def require_repair(board: Puzzle, changes: Mapping[int, int]) -> None:
    regions = [changes.get(cell, region) for cell, region in enumerate(board.regions)]
    assert all(board.regions[cell] != region for cell, region in changes.items())
    assert holds_together(board, regions)
    assert is_unique(board, regions)


@pytest.mark.parametrize(("size", "most", "boards"), [(4, 2, 60), (5, 1, 60)])
def test_no_repair_has_fewer_cells_than_brute_force_finds(size: int, most: int, boards: int) -> None:
    seen = set()
    for seed in range(boards):
        board = random_board(size, seed)
        if is_unique(board, list(board.regions)):
            continue
        found = find_repair(board, UNLIMITED, max_cells=most)
        fewest = fewest_by_brute_force(board, most)
        if found.changes is not None:
            require_repair(board, found.changes)
        if fewest is None:
            assert found.excluded >= most
        else:
            assert found.changes is not None
            assert (len(found.changes), found.is_fewest) == (fewest, True), board
        seen.add(fewest)
    assert seen == {None, *range(1, most + 1)}


@pytest.mark.slow
def test_no_repair_of_a_five_by_five_has_fewer_cells_than_brute_force_finds() -> None:
    for seed in range(1000, 1060):
        board = random_board(5, seed)
        if not is_unique(board, list(board.regions)):
            found = find_repair(board, UNLIMITED, max_cells=2)
            fewest = fewest_by_brute_force(board, 2)
            assert (found.excluded >= 2) if fewest is None else (found.is_fewest and len(found.changes or ()) == fewest)


def test_what_is_not_searched_to_the_end_is_not_called_the_fewest() -> None:
    stripes = puzzle_of(6, 1, [cell // 6 for cell in range(36)])
    found = find_repair(stripes, UNLIMITED, max_boards=300)
    assert found.changes is not None
    require_repair(stripes, found.changes)
    assert (found.is_fewest, found.excluded > 0, found.reason is None) == (False, True, False)


def test_an_explanation_repairs_two_ways_with_proof() -> None:
    puzzle = load_example("starbattle", "two_ways")
    explained = solvent.explain(puzzle)
    repair = explained.data["repair"]
    assert (len(repair["cells"]), repair["fewest"], explained.data["unique"]) == (1, True, "NO")
    (board, several), (repaired, only) = explained.certificates
    assert several["form"] == "two solutions"
    assert (repaired.regions, only["verdict"], only["form"]) == (tuple(repair["regions"]), "YES", "only solution")
    assert board.regions == puzzle.regions
    assert explained.fixes == (repair["text"],)


def test_that_one_cell_is_not_enough_is_proved_board_by_board() -> None:
    board = next(
        board
        for board in (random_board(5, seed) for seed in range(100))
        if (find_repair(board, UNLIMITED).excluded) == 1
    )
    explained = solvent.explain(board)
    (_, first), (_, second), *single = explained.certificates
    assert (first["verdict"], second["verdict"]) == ("NO", "YES")
    allowed = [puzzle_of(5, 1, each) for each in changed_boards(board, 1) if holds_together(board, each)]
    assert {each.regions for each, _ in single} == {each.regions for each in allowed}
    assert all(proof["verdict"] == "NO" and proof["question"] == "unique" for _, proof in single)
    assert f"for each of the {len(single)} changes of 1 cell, that is proved too" in str(explained)


def test_a_unique_board_needs_no_repair_whatever_its_marks() -> None:
    explained = solvent.explain(load_example("starbattle", "wrong_mark"))
    assert (explained.data["unique"], explained.data["repair"]) == ("YES", None)


def test_a_board_without_solution_is_repaired_too() -> None:
    explained = solvent.explain(load_example("starbattle", "no_room"))
    assert (explained.data["solvable"], explained.data["repair"]["fewest"]) == ("NO", True)


def test_boards_without_solution_are_repaired_at_once_though_perhaps_not_by_the_fewest_cells() -> None:
    boards = [board for board in (random_board(7, seed) for seed in range(60)) if not solutions(board, most=1)]
    assert len(boards) > 10
    for board in boards[:8]:
        found = find_repair(board, UNLIMITED, max_boards=300)
        assert found.changes is not None
        require_repair(board, found.changes)
        assert found.excluded < len(found.changes)


def test_regions_grow_to_stars_that_are_then_a_solution() -> None:
    board = next(board for board in (random_board(8, seed) for seed in range(60)) if not solutions(board, most=1))
    starts = solvable_changes(board, Borders(8, board.regions), UNLIMITED, 5)
    assert len(starts) == 5
    assert [len(changes) for _, changes in starts] == sorted(len(changes) for _, changes in starts)
    for stars, changes in starts:
        regions = [changes.get(cell, region) for cell, region in enumerate(board.regions)]
        assert holds_together(board, regions)
        assert is_solution(puzzle_of(8, 1, regions), frozenset(stars))


def spoilt(board: Puzzle, cells: int, dice: random.Random) -> Puzzle:
    """Return a board with so many border cells in the region next door, each region still in one piece."""
    regions = list(board.regions)
    while sum(one != other for one, other in zip(regions, board.regions, strict=True)) < cells:
        cell = dice.choice([cell for cell, own in enumerate(regions) if own == board.regions[cell]])
        for region in {regions[side] for side in beside_of(board.size, cell)} - {regions[cell]}:
            changed = [region if each == cell else own for each, own in enumerate(regions)]
            left = {each for each, own in enumerate(changed) if own == regions[cell]}
            if left and is_connected(board.size, left):
                regions = changed
                break
    return puzzle_of(board.size, board.stars, regions)


@pytest.mark.parametrize(
    ("size", "stars"), [(6, 1), (7, 1), (8, 1), (9, 2), pytest.param(10, 2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_a_made_board_that_was_spoilt_is_repaired_by_no_more_cells(size: int, stars: int, cells: int) -> None:
    made = solvent.generate("starbattle", size=size, stars=stars, seed=cells)
    dice = random.Random(size)
    boards = (spoilt(made, cells, dice) for _ in range(100))
    board = next(board for board in boards if len(solutions(board, most=2)) != 1)
    found = find_repair(board, UNLIMITED)
    assert found.changes is not None
    require_repair(board, found.changes)
    assert found.is_fewest
    assert len(found.changes) <= cells


@pytest.mark.parametrize("kind", ["10-2", "14-3", "15-3"])
def test_a_public_board_that_was_spoilt_is_repaired_after_a_few_boards(corpora: Path, kind: str) -> None:
    """Single cells come before the quick look, which takes seconds for boards of this size."""
    paths = sorted((corpora / "starbattle" / kind).glob("*"))[:4]
    if not paths:
        pytest.skip(f"no Star Battle boards in {corpora}")
    dice = random.Random(5)
    for path in paths:
        board = spoilt(solvent.load(path), 1, dice)
        if len(solutions_of(board, board.regions, 2, UNLIMITED)) == 1:
            continue
        found = find_repair(board, UNLIMITED, max_boards=2000)
        assert found.changes is not None
        require_repair_of_holding(board, found.changes)
        assert (len(found.changes), found.is_fewest, found.reason) == (1, True, None)


def require_repair_of_holding(board: Puzzle, changes: Mapping[int, int]) -> None:
    """Require a repair of a board that is too large for brute force."""
    regions = [changes.get(cell, region) for cell, region in enumerate(board.regions)]
    assert holds_together(board, regions)
    finding = solvent.ask(puzzle_of(board.size, board.stars, regions), "unique")
    assert finding.verdict is Verdict.YES


def test_a_repair_that_runs_out_of_time_names_the_limit_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Repair(reason=Reason(Cause.TIME, "limit 3.78013 s"))  # of the part of the time that it may use
    monkeypatch.setattr("solvent.starbattle.explaining.find_repair", lambda *_: ended)
    explained = solvent.explain(load_example("starbattle", "two_ways"), seconds=60)
    assert "No repair was found: out of time (limit 60 s)." in dict(explained.sections)["Repair"]


def test_a_budget_that_is_spent_claims_nothing() -> None:
    explained = solvent.explain(puzzle_of(8, 1, [cell // 8 for cell in range(64)]), nodes=40)
    assert explained.data["repair"] is None


@pytest.mark.parametrize(
    ("rows", "stars", "reason"),
    [
        ("ABBBBBBB AACCCCBB DDDDDCBB DEEEDCBB DEFEDCBB DEEEDCGG DDDDDCGG HHHHHHGG", 2, "Region A needs 2 stars"),
        ("AABB CABD CDDD CCCC", 1, ""),
        ("ABCD DDDD DDDD DDDD", 1, "Regions A, B and C lie in row 1 only: 3 stars where 1 may stand."),
        ("AAAA AAAA BCDD BCDD", 1, "Rows 1 to 2 need 2 stars, and only region A reaches there, with 1."),
    ],
)
def test_counting_says_why_there_is_no_solution(rows: str, stars: int, reason: str) -> None:
    cells = rows.replace(" ", "")
    why = why_unsolvable(puzzle_of(len(rows.split()), stars, [ord(letter) for letter in cells]))
    assert (why is None) if not reason else (why is not None and why.text.startswith(reason))


@pytest.mark.parametrize("seed", range(40))
def test_a_reason_is_never_given_for_a_board_with_a_solution(seed: int) -> None:
    board = random_board(5, seed)
    if why_unsolvable(board) is not None:
        assert not solutions(board, most=1)
