"""The techniques that look at one or two units at a time: what they find, and that it is always true."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture.instances.starbattle import puzzle_of, solvable_puzzle

import solvent
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.proof.certificate import make_certificate
from solvent.starbattle.cells import parse_cell
from solvent.starbattle.checker import violations
from solvent.starbattle.hints.application import Application, OutOfWork, Work, pairs
from solvent.starbattle.hints.phrases import name_cells
from solvent.starbattle.hints.position import Position, cells_in, position_of
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from starbattle.brute_force import solutions

MODULES = [
    "neighbour",
    "full_unit",
    "exact_fill",
    "tiling",
    "placements",
    "reserved_area",
    "exclusion",
    "pressured_exclusion",
    "shapes",
    "n_rooks",
]
TECHNIQUES: dict[str, Any] = {
    module: import_module(f"solvent.starbattle.hints.techniques.{module}") for module in MODULES
}

ROWS_6 = "AAAAAA BBBBBB CCCCCC DDDDDD EEEEEE FFFFFF"
ROWS_8 = " ".join(letter * 8 for letter in "ABCDEFGH")
ROWS_10 = " ".join(letter * 10 for letter in "ABCDEFGHIJ")


def found(module: str, puzzle: Puzzle) -> list[Application]:
    """Return all that a technique finds; where it says the same of several cells, each for itself."""
    return [part for one in TECHNIQUES[module].find(position_of(puzzle), Work()) for part in one.parts or (one,)]


def only(module: str, puzzle: Puzzle, *, witness: dict[str, Any]) -> Application:
    """Return the one application with this witness, and see that the checker takes it."""
    matching = [one for one in found(module, puzzle) if one.witness == witness]
    assert len(matching) == 1, [one.witness for one in found(module, puzzle)]
    assert violations(puzzle, certificate_of(puzzle, matching[0])) == []
    return matching[0]


def named(puzzle: Puzzle, cells: int) -> str:
    return name_cells(position_of(puzzle), cells)


def certificate_of(puzzle: Puzzle, application: Application) -> dict[str, Any]:
    return make_certificate(
        "starbattle",
        "forced",
        Verdict.YES,
        "explained step",
        technique=application.technique,
        stars=pairs(application.stars, puzzle.size),
        crosses=pairs(application.crosses, puzzle.size),
        witness=application.witness,
    )


def marked(text: str, stars: int, **cells: str) -> Puzzle:
    """Make a puzzle from region letters and named cells, such as `star="r1c1"`, `cross="r1c2 r1c3"`."""
    puzzle = puzzle_of(text, stars)
    marks = [UNKNOWN] * puzzle.size**2
    for mark, names in ((STAR, cells.get("star", "")), (CROSS, cells.get("cross", ""))):
        for name in names.split():
            marks[parse_cell(name, puzzle.size)] = mark
    return Puzzle(puzzle.size, stars, puzzle.regions, "".join(marks))


# what each of them finds


def test_neighbour_clears_what_a_star_touches():
    puzzle = marked(ROWS_6, 1, star="r1c1", cross="r2c2")
    step = only("neighbour", puzzle, witness={"star": [0, 0]})
    assert (step.stars, named(puzzle, step.crosses)) == (0, "r1c2 and r2c1")


def test_neighbour_says_the_same_cells_once():
    puzzle = marked(ROWS_6, 1, star="r1c1 r3c1", cross="r1c2 r2c1 r3c2 r4c1 r4c2")
    assert [named(puzzle, step.crosses) for step in found("neighbour", puzzle)] == ["r2c2"]


def test_full_unit_clears_the_rest():
    puzzle = marked("AABBBB AABBBB CCCCCC DDDDDD EEEEEE FFFFFF", 1, star="r1c1", cross="r1c2 r2c1")
    step = only("full_unit", puzzle, witness={"unit": ["region", 0]})
    assert named(puzzle, step.crosses) == "r2c2"


def test_full_unit_leaves_a_unit_with_too_many_stars_alone():
    puzzle = marked(ROWS_6, 1, star="r1c1 r1c3")
    assert ["row", 0] not in [step.witness["unit"] for step in found("full_unit", puzzle)]


def test_exact_fill_places_all_that_is_left():
    puzzle = marked(ROWS_8, 2, cross="r1c1 r1c2 r1c4 r1c5 r1c6 r1c8")
    step = only("exact_fill", puzzle, witness={"unit": ["row", 0]})
    assert (named(puzzle, step.stars), step.crosses) == ("r1c3 and r1c7", 0)
    assert [one.witness["unit"] for one in found("exact_fill", puzzle)] == [["row", 0]]  # region A says the same


def test_tiling_gives_a_block_its_star():
    puzzle = marked(ROWS_8, 2, cross="r1c1 r1c2 r1c5 r1c6 r1c8")
    step = only("tiling", puzzle, witness={"unit": ["row", 0], "blocks": [[0, 2], [0, 6]]})
    assert named(puzzle, step.stars) == "r1c7"
    # beside the star, and below both cells of the other block
    assert named(puzzle, step.crosses) == "r2c3, r2c4, r2c6, r2c7 and r2c8"


def test_tiling_clears_a_cell_in_two_blocks_and_finds_more_than_one_tiling():
    puzzle = marked(ROWS_8, 2, cross="r1c1 r1c2 r1c3 r1c7 r1c8")
    conclusions = {(named(puzzle, step.stars), named(puzzle, step.crosses)) for step in found("tiling", puzzle)}
    assert ("r1c6", "r2c4, r2c5, r2c6 and r2c7") not in conclusions  # r1c5 touches r1c6, too
    assert ("r1c6", "r1c5, r2c4, r2c5, r2c6 and r2c7") in conclusions
    assert ("r1c4", "r1c5, r2c3, r2c4, r2c5 and r2c6") in conclusions


def test_placements_agree_where_blocks_do_not_help():
    puzzle = puzzle_of("AAABBB CCCBBB CCCDDD EEEDDD EEEFFF EEEFFF", 1)
    step = only("placements", puzzle, witness={"unit": ["region", 0], "placements": [[[0, 0]], [[0, 1]], [[0, 2]]]})
    assert (step.stars, named(puzzle, step.crosses)) == (0, "r2c2")


def test_placements_come_with_the_fewest_first_and_never_too_many():
    puzzle = marked(ROWS_10, 2, cross="r5c1 r5c2 r5c3 r5c4 r5c5 r5c6 r9c1 r9c2 r9c3 r9c4 r9c5 r9c6 r9c7")
    counts = [len(step.witness["placements"]) for step in found("placements", puzzle)]
    assert counts == [1, 3]
    puzzle = puzzle_of(" ".join(letter * 12 for letter in "ABCDEFGHIJKL"), 2)
    assert found("placements", puzzle) == []


def test_reserved_area_clears_a_line_that_a_region_uses_up():
    puzzle = puzzle_of("AAABBB CCCBBB CCCDDD EEEDDD EEEFFF EEEFFF", 1)
    step = only("reserved_area", puzzle, witness={"into": ["row", 0], "from": [{"unit": ["region", 0], "blocks": []}]})
    assert named(puzzle, step.crosses) == "r1c4, r1c5, r1c6 and r2c2"


def test_reserved_area_counts_blocks_outside():
    # region A has room for one star above, so one of its two is on r4c1 or r4c2
    text = "AABBBBBB AABBBBBB CCCCCCCC AADDDDDD EEEEEEEE FFFFFFFF GGGGGGGG HHHHHHHH"
    puzzle = puzzle_of(text, 2)
    witness = {"into": ["row", 3], "from": [{"unit": ["region", 0], "blocks": [[0, 0]]}]}
    step = only("reserved_area", puzzle, witness=witness)
    assert named(puzzle, step.crosses) == "r3c1, r3c2, r5c1 and r5c2"


def test_reserved_area_adds_up_regions():
    text = "AABBBBBB AABCCCBB DDDDDDDB AAEECCCE FFFEEEEE FFFFFFFF GGGGGGGG HHHHHHHH"
    puzzle = puzzle_of(text, 2)
    regions = [{"unit": ["region", 0], "blocks": [[0, 0]]}, {"unit": ["region", 2], "blocks": [[1, 3]]}]
    # region C has room for two stars above, r2c6 being the second: nothing is reserved for it
    assert not any(one.witness == {"into": ["row", 3], "from": regions} for one in found("reserved_area", puzzle))
    puzzle = marked(text, 2, cross="r2c6")
    step = only("reserved_area", puzzle, witness={"into": ["row", 3], "from": regions})
    assert named(puzzle, step.crosses & position_of(puzzle).geometry.masks[3]) == "r4c3, r4c4 and r4c8"


def test_exclusion_finds_the_star_that_leaves_no_room():
    puzzle = puzzle_of("AAABBB CCCBBB CCCDDD EEEDDD EEEFFF EEEFFF", 1)
    step = only("exclusion", puzzle, witness={"plus": [["region", 0]], "cells": [{"cell": [1, 1], "blocks": []}]})
    assert named(puzzle, step.crosses) == "r2c2"


def test_exclusion_counts_blocks_and_names_each_cell_once():
    # a star on r2c2 leaves row 1 with r1c6 and r1c7 only, which touch
    puzzle = marked(ROWS_8, 2, cross="r1c4 r1c5 r1c8")
    witness = {"plus": [["row", 0]], "cells": [{"cell": [1, 1], "blocks": [[0, 5]]}]}
    assert named(puzzle, only("exclusion", puzzle, witness=witness).crosses) == "r2c2"
    cells = [step.crosses for step in found("exclusion", puzzle)]
    assert len(cells) == len(set(cells))


def test_pressured_exclusion_counts_the_units_that_are_filled():
    # region A lies in row 1; a star on r1c6 touches none of it but fills the row
    puzzle = marked("ABBABB CCCCCC CCCDDD EEEDDD EEEFFF EEEFFF", 1)
    step = only(
        "pressured_exclusion", puzzle, witness={"plus": [["region", 0]], "cells": [{"cell": [0, 5], "blocks": []}]}
    )
    assert named(puzzle, step.crosses) == "r1c6"
    assert not any(named(puzzle, one.crosses) == "r1c6" for one in found("exclusion", puzzle))


def test_pressured_exclusion_counts_two_units_together():
    # rows 1 and 2 need four stars and fit in four blocks; a star on r1c3 takes all of the first two
    puzzle = marked(ROWS_8, 2, cross="r1c1 r2c1 r1c4 r2c5 r1c6 r2c7")
    witness = {"plus": [["row", 0], ["row", 1]], "cells": [{"cell": [0, 2], "blocks": [[0, 4], [0, 6]]}]}
    step = only("pressured_exclusion", puzzle, witness=witness)
    assert named(puzzle, step.crosses) == "r1c3"


def shape(puzzle: Puzzle, name: str, *regions: int) -> Application:
    """Return the one pair of regions under this name, and see that the checker takes it."""
    areas = [([["region", region]], []) for region in regions]
    steps = [
        one
        for one in found("shapes", puzzle)
        if [(area["plus"], area["blocks"]) for area in one.witness["areas"]] == areas
    ]
    assert [one.witness["shape"] for one in steps] == [name]
    assert violations(puzzle, certificate_of(puzzle, steps[0])) == []
    return steps[0]


def test_kissing_ls():
    puzzle = puzzle_of("AABBCC ACBCCC DDDDDD EEEEEE EEEFFF EEEFFF", 1)
    step = shape(puzzle, "kissing Ls", 0, 1)
    assert (step.stars, named(puzzle, step.crosses)) == (0, "r1c2, r2c2, r2c4 and r3c2")
    assert "r1c1 and r2c3; r1c3 and r2c1; r1c4 and r2c1" in step.proof[3]


def test_an_m_beside_a_column():
    # a star on r3c3 would take the first two cells of region D, and it needs two stars of its four in a column
    puzzle = puzzle_of("ABBBBBBB AABBBBBB CAADCCCC CCCDCCCC EEEDEEEE FFFDFFFF GGGGGGGG HHHHHHHH", 2)
    step = shape(puzzle, "M", 3, 0)
    assert named(puzzle, step.stars) == "r1c1 and r3c2"
    assert step.crosses & 1 << parse_cell("r3c3", 8)


def test_a_t_under_pressure():
    # regions A and B cannot both have a star in row 1
    puzzle = puzzle_of("AAABBC CACCCC DDDDDD EEEEEE EEEFFF EEEFFF", 1)
    step = shape(puzzle, "pressured T", 1, 0)
    assert named(puzzle, step.stars) == "r2c2"
    assert "r1c1, r1c2, r1c3" in named(puzzle, step.crosses)


def test_shapes_use_the_blocks_of_a_tiling():
    puzzle = marked(ROWS_8, 2, cross="r1c3 r1c4 r1c7 r1c8 r3c2 r3c6 r3c8 r2c2 r2c3 r2c5")
    tiled = [one for one in found("shapes", puzzle) if any(area["blocks"] for area in one.witness["areas"])]
    assert tiled
    for step in tiled:
        assert violations(puzzle, certificate_of(puzzle, step)) == []


def test_n_rooks_fills_the_blocks_that_cannot_be_empty():
    # rows 1 and 2 leave the block in columns 1 and 2 empty, so every other block of these columns has a star
    puzzle = marked(ROWS_10, 2, star="r1c3 r2c5 r1c7 r2c9", cross="r3c1 r3c2 r4c1")
    witness = {"rows": [0], "columns": [0], "base": "rows", "full": [[1, 0], [2, 0], [3, 0], [4, 0]], "empty": []}
    step = only("n_rooks", puzzle, witness=witness)
    assert named(puzzle, step.stars) == "r4c2"
    assert named(puzzle, step.crosses) == "r3c3, r4c3, r5c1, r5c2 and r5c3"


def test_n_rooks_needs_an_even_board():
    assert found("n_rooks", puzzle_of("AABBB AABBB CCCDD EECDD EECDD", 1)) == []


# that it is always true


def positions(random: Random, size: int, stars: int, count: int) -> list[Puzzle]:
    """Return solvable boards with right marks: few on some, many on others, regions connected on two of three."""
    return [
        solvable_puzzle(random, size, stars, connected=number % 3 > 0, marks=random.randrange(size * size * 2 // 3))
        for number in range(count)
    ]


BOARDS = [
    (4, 1, up_to(120, deep=150)),
    (5, 1, up_to(60, deep=150)),
    (6, 1, up_to(60, deep=150)),
    (8, 2, up_to(20, deep=40)),
]
"""Size, stars, and how many positions."""


@pytest.mark.parametrize(("size", "stars", "count"), BOARDS)
def test_every_application_holds_in_every_solution(size: int, stars: int, count: int):
    used: Counter[str] = Counter()
    for puzzle in positions(Random(size), size, stars, count):
        solved = solutions(puzzle)
        assert solved
        position = position_of(puzzle)
        for module in MODULES:
            used[module] += check_all(puzzle, position, module, [set(cells) for cells in solved])
    expected = set(MODULES) - ({"n_rooks"} if size % 2 else set())
    assert all(used[module] >= 20 for module in expected), used


def test_n_rooks_holds_where_one_block_of_a_band_is_empty():
    from solvent.starbattle.solver.counting import count_solutions

    random = Random(10)
    used = 0
    for _ in range(100):
        puzzle = solvable_puzzle(random, 10, 2, connected=False, marks=random.randrange(30, 60))
        counted = count_solutions(puzzle, most=100, keep=100, budget=Budget(nodes=2_000))
        if counted.complete:  # else the marks leave too many
            used += check_all(puzzle, position_of(puzzle), "n_rooks", [set(stars) for stars in counted.solutions])
    assert used >= 20


def check_all(puzzle: Puzzle, position: Position, module: str, solved: list[set[int]]) -> int:
    """See that all applications of a technique are true, well-formed, different, and accepted; returns how many."""
    steps = list(TECHNIQUES[module].find(position, Work()))
    for step in steps:
        assert step.technique == TECHNIQUES[module].NAME
        assert step.stars | step.crosses
        assert (step.stars | step.crosses) & ~position.unknown == 0
        assert step.because.endswith(".")
        assert step.proof
        for stars in solved:
            assert stars.issuperset(cells_in(step.stars)), (puzzle, step)
            assert stars.isdisjoint(cells_in(step.crosses)), (puzzle, step)
        assert violations(puzzle, certificate_of(puzzle, step)) == [], (puzzle, step)
    conclusions = [(step.stars, step.crosses) for step in steps]
    assert len(set(conclusions)) == len(conclusions), (puzzle, module)
    return len(steps)


def test_the_same_position_gives_the_same_applications():
    for puzzle in positions(Random(7), 10, 2, 3):
        for module in MODULES:
            assert found(module, puzzle) == found(module, puzzle)


@pytest.mark.parametrize("module", MODULES)
def test_a_search_stops_when_its_work_is_spent(module: str):
    puzzle = next(one for one in positions(Random(11), 10, 2, 60) if found(module, one))
    work = Work()
    every = list(TECHNIQUES[module].find(position_of(puzzle), work))
    assert work.spent > 0
    assert list(TECHNIQUES[module].find(position_of(puzzle), Work(work.spent))) == every
    with pytest.raises(OutOfWork):
        list(TECHNIQUES[module].find(position_of(puzzle), Work(work.spent - 1)))


def test_impossible_marks_are_no_reason_to_fail():
    random = Random(5)
    for _ in range(60):
        puzzle = solvable_puzzle(random, 8, 2)
        marks = "".join(random.choice("..x*" if random.random() < 0.3 else "..x") for _ in range(64))
        position = position_of(Puzzle(8, 2, puzzle.regions, marks))
        for module in MODULES:
            for step in TECHNIQUES[module].find(position, Work()):
                assert (step.stars | step.crosses) & ~position.unknown == 0


@pytest.mark.corpus
@pytest.mark.parametrize(("folder", "count"), [("8-1", 4), ("10-2", 6), ("14-3", 2), ("17-4", 1)])
def test_public_boards_agree(corpora: Path, folder: str, count: int):
    from solvent.starbattle.solver.counting import count_solutions

    files = sorted((corpora / "starbattle" / folder).glob("*.txt"))[:count]
    if not files:
        pytest.skip(f"no Star Battle boards in {corpora}")
    random = Random(folder)
    used = 0
    for file in files:
        puzzle = solvent.load(file)
        # some of the smallest have more than one
        counted = count_solutions(puzzle, most=100, keep=100, budget=Budget(nodes=1_000_000))
        assert counted.complete, file.name
        solved = [set(cells) for cells in counted.solutions]
        stars = solved[0]
        for share in (0, 0.15, 0.3, 0.5):
            marks = [UNKNOWN] * puzzle.size**2
            for cell in random.sample(range(puzzle.size**2), int(share * puzzle.size**2)):
                marks[cell] = STAR if cell in stars else CROSS
            board = Puzzle(puzzle.size, puzzle.stars, puzzle.regions, "".join(marks))
            agreeing = [
                cells
                for cells in solved
                if all((m == STAR) == (c in cells) for c, m in enumerate(marks) if m != UNKNOWN)
            ]
            used += sum(check_all(board, position_of(board), module, agreeing) for module in MODULES)
    assert used >= 100
