"""One hand-made step of each technique: accepted as it is, refused with any part changed; and files made to harm."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest
from torture.instances.starbattle import puzzle_of

from solvent.core.answer import Verdict
from solvent.proof.certificate import make_certificate
from solvent.starbattle.checker import violations
from solvent.starbattle.checker.steps import TECHNIQUES
from solvent.starbattle.checker.steps.placements import MAX_PLACEMENTS
from solvent.starbattle.model import UNKNOWN, Puzzle
from starbattle.brute_force import solutions

SQUARES = "AABB AABB CCDD CCDD"
"""Solved by r1c2 r2c4 r3c1 r4c3 and by its mirror image."""
SIX_ROWS = "AAAAAA BBBBBB CCCCCC DDDDDD EEEEEE FFFFFF"
ROW, COLUMN, REGION = (lambda number, kind=kind: [kind, number] for kind in ("row", "column", "region"))


@dataclass(frozen=True)
class Example:
    """Hold a step that follows, and changes of its witness after which it does not."""

    technique: str
    puzzle: Puzzle
    witness: dict[str, Any]
    stars: list[list[int]] = field(default_factory=list)
    crosses: list[list[int]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)


def area(plus: list[Any], minus: list[Any], blocks: list[Any], **more: Any) -> dict[str, Any]:
    return {"plus": plus, "minus": minus, "blocks": blocks, **more}


def step(technique: str, witness: dict[str, Any], *, stars: Any = (), crosses: Any = ()) -> dict[str, Any]:
    return {"technique": technique, "stars": list(stars), "crosses": list(crosses), "witness": witness}


SEARCHED = "40 0\n-14 0\n0\n"
"""Refutes a star on r1c1 of SQUARES: variable 14 is a star on r4c2, variable 40 is one of the checker's counts."""
LEFT = area([REGION(0)], [], [], cells=[[0, 1], [1, 1]], count=1)
RIGHT = area([ROW(0), ROW(1)], [REGION(0)], [], cells=[[0, 2], [0, 3], [1, 2], [1, 3]], count=1)
OPEN_OUTSIDE = area([ROW(0), ROW(1)], [COLUMN(1)], [], cells=RIGHT["cells"], count=1)
"""The cells of RIGHT, but column 2 goes on below them and may take its star there."""
RIGHT_TILE = {**RIGHT, "blocks": [[0, 2]]}
STEPS = [
    step("tiling", {"unit": REGION(1), "blocks": [[1, 2]]}, crosses=[[2, 2], [2, 3]]),
    step("exact fill", {"unit": ROW(2)}, stars=[[2, 1]]),
    step("exact fill", {"unit": ROW(3)}, stars=[[3, 3]]),
]
END = area([ROW(1)], [], [])
INNER = {"cell": [1, 2], "value": "star", "steps": [], "contradiction": area([ROW(2)], [], [])}
NESTED = [
    step("hypothesis", INNER, crosses=[[1, 2]]),
    step("exact fill", {"unit": ROW(1)}, stars=[[1, 3]]),
    step("exact fill", {"unit": ROW(2)}, stars=[[2, 1]]),
]

EXAMPLES = [
    Example(
        "neighbour",
        puzzle_of(SQUARES, 1, ".*.. .... .... x..."),
        {"star": [0, 1]},
        crosses=[[0, 0], [0, 2], [1, 0], [1, 1], [1, 2]],
        changes=[{"star": [0, 0]}, {"star": [3, 0]}, {"star": [4, 0]}],
    ),
    Example(
        "full unit",
        puzzle_of(SQUARES, 1, ".*.. .... .... ...."),
        {"unit": ROW(0)},
        crosses=[[0, 0], [0, 2], [0, 3]],
        changes=[{"unit": ROW(1)}, {"unit": COLUMN(0)}, {"unit": REGION(0)}, {"unit": ROW(4)}],
    ),
    Example(
        "exact fill",
        puzzle_of(SQUARES, 1, "x.xx .... .... ...."),
        {"unit": ROW(0)},
        stars=[[0, 1]],
        changes=[{"unit": ROW(1)}, {"unit": COLUMN(1)}, {"unit": REGION(0)}, {"unit": REGION(30)}],
    ),
    Example(
        "tiling",
        puzzle_of(SQUARES, 1, "x... x... .... ...."),
        {"unit": REGION(0), "blocks": [[0, 1]]},
        crosses=[[0, 2], [1, 2]],
        changes=[
            {"unit": REGION(1)},
            {"unit": ROW(0)},
            {"blocks": []},
            {"blocks": [[0, 2]]},
            {"blocks": [[0, 0], [0, 1]]},
            {"blocks": [[0, 1], [0, 1]]},
            {"blocks": [[0, 4]]},
        ],
    ),
    Example(
        "placements",
        puzzle_of(SQUARES, 1, "x... x... .... ...."),
        {"unit": REGION(0), "placements": [[[0, 1]], [[1, 1]]]},
        crosses=[[0, 2], [1, 2]],
        changes=[
            {"unit": REGION(1)},
            {"unit": COLUMN(1)},
            {"placements": [[[0, 1]]]},
            {"placements": []},
            {"placements": [[[1, 1]], [[0, 1]]]},
            {"placements": [[[0, 1]], [[1, 1]], [[1, 1]]]},
            {"placements": [[[0, 1]], [[0, 2]]]},
            {"placements": [[[0, 1], [1, 1]]]},
        ],
    ),
    Example(
        "reserved area",
        puzzle_of(SQUARES, 1, ".... xx.. .... ...."),
        {"into": ROW(0), "from": [{"unit": REGION(0), "blocks": []}]},
        crosses=[[0, 2], [0, 3]],
        changes=[
            {"into": ROW(1)},
            {"into": COLUMN(0)},
            {"into": REGION(0)},
            {"from": []},
            {"from": [{"unit": REGION(1), "blocks": []}]},
            {"from": [{"unit": REGION(0), "blocks": [[1, 0]]}]},
            {"from": [{"unit": REGION(0), "blocks": []}, {"unit": REGION(0), "blocks": []}]},
            {"from": [{"unit": REGION(0), "blocks": []}, {"unit": COLUMN(0), "blocks": [[2, 0]]}]},
            {"from": [{"unit": ROW(0), "blocks": []}]},
        ],
    ),
    Example(
        "exclusion",
        puzzle_of(SQUARES, 1, "...x .... .... ...."),
        {"plus": [ROW(0)], "cells": [{"cell": [1, 1], "blocks": []}]},
        crosses=[[1, 1]],
        changes=[
            {"cells": [{"cell": [1, 2], "blocks": []}]},
            {"cells": [{"cell": [1, 0], "blocks": []}]},
            {"cells": [{"cell": [0, 3], "blocks": []}]},
            {"plus": [ROW(1)]},
            {"plus": []},
            {"plus": [ROW(0), ROW(3)]},
            {"cells": [{"cell": [1, 1], "blocks": [[0, 0]]}]},
            {"cells": [{"cell": [1, 1], "blocks": []}, {"cell": [1, 2], "blocks": []}]},
            {"cells": [{"cell": [1, 1], "blocks": []}, {"cell": [1, 1], "blocks": []}]},
            {"cells": []},
        ],
    ),
    Example(
        "pressured exclusion",
        puzzle_of(SQUARES, 1, "x.xx .... .... ...."),
        {"plus": [ROW(0)], "cells": [{"cell": [3, 1], "blocks": []}]},
        crosses=[[3, 1]],
        changes=[
            {"cells": [{"cell": [3, 2], "blocks": []}]},
            {"plus": [ROW(1)]},
            {"plus": [ROW(0), ROW(0)]},
            {"cells": [{"cell": [3, 1], "blocks": [[0, 0]]}]},
            {"plus": []},
        ],
    ),
    Example(
        "undercounting",
        puzzle_of("AABB BBBB CCDD CCDD", 1),
        {"lines": [ROW(0)], "regions": [REGION(0)]},
        crosses=[[0, 2], [0, 3]],
        changes=[
            {"lines": [ROW(1)]},
            {"lines": [COLUMN(0)]},
            {"lines": [ROW(0), ROW(1)]},
            {"lines": []},
            {"lines": [REGION(1)]},
            {"regions": [REGION(1)]},
            {"regions": []},
            {"regions": [REGION(0), REGION(0)]},
            {"lines": [ROW(0), ROW(0)], "regions": [REGION(0), REGION(0)]},
        ],
    ),
    Example(
        "overcounting",
        puzzle_of("AAAA AABB CCDD CCDD", 1),
        {"lines": [ROW(0)], "regions": [REGION(0)]},
        crosses=[[1, 0], [1, 1]],
        changes=[
            {"lines": [ROW(1)]},
            {"lines": [ROW(0), COLUMN(0)]},
            {"lines": []},
            {"regions": [REGION(1)]},
            {"regions": [REGION(0), REGION(1)]},
            {"regions": [COLUMN(0)]},
        ],
    ),
    Example(
        "squeeze",
        puzzle_of(SQUARES, 1, "x... x... .... ...."),
        {"lines": [ROW(0), ROW(1)], "blocks": [[0, 0], [0, 2]]},
        crosses=[[0, 2], [1, 2]],
        changes=[
            {"lines": [ROW(0), ROW(2)]},
            {"lines": [ROW(1), ROW(2)]},
            {"lines": [ROW(0), ROW(0)]},
            {"lines": [COLUMN(0), COLUMN(1)]},
            {"lines": [REGION(0), REGION(1)]},
            {"lines": [ROW(0), COLUMN(1)]},
            {"lines": [ROW(0)]},
            {"blocks": [[0, 0]]},
            {"blocks": [[0, 0], [0, 1], [0, 2]]},
            {"blocks": [[0, 0], [1, 2]]},
        ],
    ),
    Example(
        "composite shape",
        puzzle_of(SQUARES, 1, "...x ...x .... ...."),
        area([ROW(0), ROW(1)], [REGION(0)], [[0, 2]]),
        crosses=[[0, 1], [1, 1]],
        changes=[
            {"plus": [ROW(0)]},
            {"plus": [ROW(0), ROW(0)]},
            {"plus": [ROW(0), ROW(2)]},
            {"plus": [REGION(1)], "minus": []},
            {"minus": []},
            {"minus": [REGION(1)]},
            {"minus": [REGION(2)]},
            {"minus": [REGION(0), REGION(0)]},
            {"blocks": []},
            {"blocks": [[1, 2]]},
            {"blocks": [[0, 2], [1, 2]]},
        ],
    ),
    Example(
        "finned count",
        puzzle_of(SQUARES, 1, ".... x... .... ...."),
        {"plus": [ROW(0)], "minus": [REGION(0)], "fins": [[1, 1]]},
        crosses=[[0, 2]],
        changes=[
            {"plus": [ROW(1)]},
            {"plus": [REGION(1)]},
            {"plus": [ROW(0), ROW(1)]},
            {"minus": [REGION(2)]},
            {"minus": []},
            {"fins": []},
            {"fins": [[1, 0], [1, 1]]},
            {"fins": [[1, 2]]},
            {"fins": [[1, 1], [1, 1]]},
        ],
    ),
    Example(
        "set differential",
        puzzle_of(SQUARES, 1, ".x.. .x.. .... ...."),
        area([ROW(0), ROW(1)], [COLUMN(0)], [[0, 2]]),
        crosses=[[2, 0], [3, 0]],
        changes=[
            {"plus": [ROW(0)]},
            {"plus": [ROW(0), ROW(2)]},
            {"plus": [ROW(0), COLUMN(3)]},
            {"minus": []},
            {"minus": [COLUMN(3)]},
            {"minus": [COLUMN(0), COLUMN(1)]},
            {"blocks": []},
            {"blocks": [[0, 1]]},
            {"blocks": [[0, 2], [0, 1]]},
        ],
    ),
    Example(
        "shapes",
        puzzle_of(SQUARES, 1, "x... x... .... ...."),
        {"areas": [LEFT, RIGHT], "shape": "pair"},
        crosses=[[0, 2], [1, 2]],
        changes=[
            {"shape": "square"},
            {"areas": [LEFT]},
            {"areas": [LEFT, LEFT]},
            {"areas": [LEFT, RIGHT, RIGHT]},
            {"areas": [LEFT, {**RIGHT, "count": 2}]},
            {"areas": [LEFT, {**RIGHT, "count": 0}]},
            {"areas": [LEFT, {**RIGHT, "cells": RIGHT["cells"][1:]}]},
            {"areas": [LEFT, {**RIGHT, "minus": []}]},
            {"areas": [LEFT, {**RIGHT, "minus": [COLUMN(0)]}]},
            {"areas": [LEFT, {**RIGHT, "plus": [ROW(0)]}]},
            {"areas": [LEFT, OPEN_OUTSIDE]},
            {"areas": [LEFT, {**RIGHT, "blocks": [[0, 1]]}]},
            {"areas": [LEFT, {**RIGHT, "blocks": [[0, 2], [1, 2]]}]},
        ],
    ),
    Example(
        "shapes",
        puzzle_of(SQUARES, 1, "x... x... .... ...."),
        {"areas": [LEFT, RIGHT_TILE], "shape": "kissing Ls"},
        crosses=[[0, 2], [1, 2]],
        changes=[
            {"areas": [LEFT, {**RIGHT_TILE, "count": 2}]},
            {"areas": [LEFT, {**RIGHT_TILE, "cells": [[0, 2], [0, 3]]}]},
        ],
    ),
    Example(
        "fish",
        puzzle_of(SQUARES, 1, "x.xx .... .... ...."),
        {"rows": [0], "columns": [["column", 1]], "base": "rows"},
        crosses=[[1, 1], [2, 1], [3, 1]],
        changes=[
            {"rows": [1]},
            {"rows": []},
            {"rows": [["column", 0]]},
            {"rows": [0, 0]},
            {"rows": [4]},
            {"columns": [2]},
            {"columns": [1, 2]},
            {"columns": []},
            {"base": "columns"},
            {"base": "regions"},
        ],
    ),
    Example(
        "n-rooks",
        puzzle_of(SIX_ROWS, 1, "*..... ..*... .....x ....xx ...... ......"),
        {"rows": [0], "columns": [2], "base": "rows", "full": [[1, 2]], "empty": []},
        stars=[[2, 4]],
        crosses=[[3, 3]],
        changes=[
            {"rows": [1]},
            {"rows": []},
            {"rows": [0, 1]},
            {"rows": [0, 0]},
            {"rows": [3]},
            {"columns": [1]},
            {"columns": []},
            {"columns": [1, 2]},
            {"base": "columns"},
            {"full": [[1, 1]]},
            {"full": [[0, 2]]},
            {"full": [[1, 9]]},
            {"full": []},
            {"empty": [[2, 2]]},
        ],
    ),
    Example(
        "hypothesis",
        puzzle_of(SQUARES, 1),
        {"cell": [0, 0], "value": "star", "steps": STEPS, "contradiction": END},
        crosses=[[0, 0]],
        changes=[
            {"cell": [0, 1]},
            {"cell": [3, 3]},
            {"value": "cross"},
            {"value": "*"},
            {"steps": STEPS[:2]},
            {"steps": STEPS[1:]},
            {"steps": STEPS[::-1]},
            {"steps": [*STEPS, STEPS[0]]},
            {"steps": [{**STEPS[0], "crosses": []}, *STEPS[1:]]},
            {"steps": [{**STEPS[0], "technique": "uniqueness"}, *STEPS[1:]]},
            {"steps": NESTED, "contradiction": area([ROW(3)], [], [])},
            {"contradiction": area([ROW(1)], [], [[1, 2]])},
            {"contradiction": area([ROW(0)], [], [])},
            {"contradiction": area([], [ROW(1)], [])},
            {"contradiction": area([], [], [])},
        ],
    ),
    Example(
        "search",
        puzzle_of(SQUARES, 1),
        {"cell": [0, 0], "value": "star", "proof": SEARCHED},
        crosses=[[0, 0]],
        changes=[
            {"cell": [0, 1]},
            {"cell": [1, 3]},
            {"cell": [4, 0]},
            {"proof": "0\n"},
            {"value": "cross"},
            {"value": "x"},
            {"proof": ""},
            {"proof": "1"},
        ],
    ),
    Example(
        "nested hypothesis",
        puzzle_of(SQUARES, 1),
        {"cell": [0, 0], "value": "star", "steps": NESTED, "contradiction": area([ROW(3)], [], [])},
        crosses=[[0, 0]],
        changes=[
            {"cell": [0, 1]},
            {"value": "cross"},
            {"steps": NESTED[1:]},
            {"steps": [step("nested hypothesis", INNER, crosses=[[1, 2]]), *NESTED[1:]]},
            {"steps": [step("hypothesis", {**INNER, "value": "cross"}, crosses=[[1, 2]]), *NESTED[1:]]},
            {"steps": [step("hypothesis", {**INNER, "cell": [1, 3]}, crosses=[[1, 2]]), *NESTED[1:]]},
            {"contradiction": area([ROW(2)], [], [])},
        ],
    ),
    Example(
        "uniqueness",
        puzzle_of("ABCC ABAA ADDB CDAC", 1, ".x.. *.x. ..x. ..x."),
        {"rectangle": [1, 3, 0, 3], "star": [1, 0], "stars": [[0, 2], [1, 0], [2, 3], [3, 1]], "proof": "0\n"},
        crosses=[[3, 3]],
        changes=[
            {"rectangle": [1, 2, 0, 3]},
            {"rectangle": [1, 3, 0, 1]},
            {"rectangle": [1, 1, 0, 3]},
            {"rectangle": [1, 3, 0, 4]},
            {"rectangle": [0, 3, 0, 3]},
            {"star": [3, 3]},
            {"star": [1, 3]},
            {"star": [0, 0]},
            {"stars": [[0, 2], [1, 0], [2, 3]]},
            {"stars": [[0, 1], [1, 3], [2, 0], [3, 2]]},
            {"proof": ""},
            {"proof": "1"},
        ],
    ),
]

every_example = pytest.mark.parametrize("example", EXAMPLES, ids=[example.technique for example in EXAMPLES])


def judge(example: Example, **changed: Any) -> list[str]:
    body = {
        "technique": example.technique,
        "stars": example.stars,
        "crosses": example.crosses,
        "witness": example.witness,
        **changed,
    }
    return violations(example.puzzle, make_certificate("starbattle", "forced", Verdict.YES, "explained step", **body))


def test_every_technique_has_an_example():
    assert {example.technique for example in EXAMPLES} == set(TECHNIQUES)


@every_example
def test_the_example_is_true_and_accepted(example: Example):
    found = [{divmod(cell, example.puzzle.size) for cell in cells} for cells in solutions(example.puzzle)]
    assert found
    for cells in found:
        assert all(tuple(star) in cells for star in example.stars)
        assert not any(tuple(cross) in cells for cross in example.crosses)
    assert judge(example) == []


@every_example
def test_a_changed_witness_is_refused(example: Example):
    assert example.changes
    for change in example.changes:
        assert judge(example, witness={**example.witness, **change}), change
    for key in example.witness:
        missing = {name: value for name, value in example.witness.items() if name != key}
        assert judge(example, witness=missing), key


@every_example
def test_no_other_cell_follows(example: Example):
    """Whatever else is claimed is refused, or true by brute force."""
    size = example.puzzle.size
    found = [{divmod(cell, size) for cell in cells} for cells in solutions(example.puzzle)]
    refused = 0
    for cell in (divmod(number, size) for number in range(size**2)):
        for value, true in (
            ("stars", all(cell in cells for cells in found)),
            ("crosses", not any(cell in cells for cells in found)),
        ):
            claim = {"stars": [], "crosses": [], value: [list(cell)]}
            accepted = judge(example, **claim) == []
            assert not accepted or true
            refused += not accepted
    assert refused >= size**2


@every_example
def test_the_cells_of_a_step_are_new_in_order_and_some(example: Example):
    first = (example.stars + example.crosses)[0]
    kind = "stars" if example.stars else "crosses"
    other = "crosses" if example.stars else "stars"
    cells = getattr(example, kind)
    assert judge(example, stars=[], crosses=[]) == ["the step marks no cell"]
    assert judge(example, **{kind: [*cells, cells[-1]]})
    assert judge(example, **{kind: [*cells, [9, 9]]}) == ["there is no cell in row 10, column 10"]
    assert judge(example, **{other: sorted([*getattr(example, other), first])})
    if len(cells) > 1:
        assert judge(example, **{kind: cells[::-1]}) == ["the cells are not in order"]
    size = example.puzzle.size
    for number, mark in enumerate(example.puzzle.marks):
        if mark != UNKNOWN:
            row, col = divmod(number, size)
            said = judge(example, **{kind: sorted([*cells, [row, col]])})
            assert said == [f"r{row + 1}c{col + 1} is marked already"]


def test_violations_are_in_the_words_of_a_player():
    tiling = next(example for example in EXAMPLES if example.technique == "tiling")
    assert judge(tiling, crosses=[[2, 0], [2, 1]]) == [
        "tiling: it does not follow that r3c1 is empty",
        "tiling: it does not follow that r3c2 is empty",
    ]
    assert judge(tiling, witness={**tiling.witness, "blocks": [[1, 1]]}) == ["tiling: the blocks do not cover r1c2"]
    full = next(example for example in EXAMPLES if example.technique == "full unit")
    assert judge(full, witness={"unit": REGION(1)}) == ["full unit: region B needs 1 star, not 0"]
    assert judge(full, technique="magic")[0].endswith("found 'magic'")


# The places where a statement must be read narrowly


def test_a_full_block_that_has_its_star_already_says_nothing_about_its_neighbours():
    """Every cell touches all open cells of a block that has none."""
    puzzle = puzzle_of(SIX_ROWS, 1, "*..... ..*... ....*. ...... ...... ......")
    witness = {"rows": [0], "columns": [2], "base": "rows", "full": [[1, 2]], "empty": []}
    certificate = make_certificate(
        "starbattle", "forced", Verdict.YES, "explained step", **step("n-rooks", witness, crosses=[[5, 5]])
    )
    assert any(35 in cells for cells in solutions(puzzle))
    assert violations(puzzle, certificate) == ["n-rooks: the block at r3c5 has its star, or no place for it"]


def test_a_fin_excludes_along_a_unit_only_with_its_last_star():
    """Both r1c6 and r6c1 are of region F. With two stars to a unit they may both be stars."""
    regions = "AAAAAFAA BBBBBBBB CCCCCCCC DDDDDDDD EEEEEEEE FFFFFFFF GGGGGGGG HHHHHHHH"
    marks = "........ x....... x....... x....... x....... ........ x....... x......."
    witness = {"plus": [ROW(0)], "minus": [COLUMN(0)], "fins": [[5, 0]]}
    for stars, follows in ((1, True), (2, False)):
        example = Example("finned count", puzzle_of(regions, stars, marks), witness, crosses=[[0, 5]])
        assert (judge(example) == []) == follows


def test_uniqueness_is_not_shown_by_the_mark_itself():
    """Squares have two solutions, but only one with r1c2 marked: where that star moves, the mark is not kept."""
    puzzle = puzzle_of(SQUARES, 1, ".*.. .... .... ....")
    stars = [[0, 1], [1, 3], [2, 0], [3, 2]]
    witness = {"rectangle": [0, 3, 1, 2], "star": [0, 1], "stars": stars, "proof": "0\n"}
    claim = step("uniqueness", witness, crosses=[[3, 2]])
    assert violations(puzzle, make_certificate("starbattle", "unique", Verdict.YES, "only solution", **witness)) == []
    assert violations(puzzle, make_certificate("starbattle", "forced", Verdict.YES, "explained step", **claim))


def test_the_other_corners_must_be_in_the_same_regions():
    """The stars could not move there, though the solution is the only one."""
    uniqueness = EXAMPLES[-1]
    other = puzzle_of("ABCC ABAA ADDB DDAC", 1, ".x.. *.x. ..x. ..x.")
    assert len(solutions(other)) == 1
    said = judge(replace(uniqueness, puzzle=other))
    assert said == ["uniqueness: r2c4, r4c1 are not in the regions of r2c1, r4c4"]


# Files made to harm


@pytest.mark.parametrize("junk", [None, True, -1, 10**30, 1.5, "row", [], {}, [[]], [None], [[-1, 0]], [[True, 0]]])
@every_example
def test_junk_anywhere_in_a_witness_is_a_violation(example: Example, junk: Any):
    for key, value in example.witness.items():
        if junk != value and not (key == "empty" and junk == []):
            assert judge(example, witness={**example.witness, key: junk}), (key, junk)
    for key in ("technique", "witness", "stars", "crosses"):
        if key not in ("stars", "crosses") or junk != []:
            with contextlib.suppress(msgspec.ValidationError):
                assert judge(example, **{key: junk}), (key, junk)


def test_deeply_nested_hypotheses_are_refused():
    example = EXAMPLES[-2]
    witness = example.witness
    for technique in ("hypothesis", "nested hypothesis"):
        deep: dict[str, Any] = witness
        for _ in range(10_000):
            deep = {**witness, "steps": [step(technique, deep, crosses=[[1, 2]])]}
        assert judge(example, witness=deep)
        assert judge(example, technique="hypothesis", witness=deep)


def test_too_much_work_is_refused():
    large = puzzle_of("\n".join(letter * 25 for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY"), 6)
    example = Example("placements", large, {"unit": ROW(0), "placements": [[[0, 0]]]}, crosses=[[1, 0]])
    assert judge(example) == [f"placements: expected at most {MAX_PLACEMENTS} placements, found more"]
    assert judge(example, witness={"unit": ROW(0), "placements": [[]] * (MAX_PLACEMENTS + 1)})
    rows = [area([ROW(row)], [], [], cells=[[row, col] for col in range(25)], count=6) for row in (0, 9)]
    assert judge(example, technique="shapes", witness={"areas": rows, "shape": "M"})
    many = [[row, col] for row in range(25) for col in range(26)]
    assert judge(example, technique="tiling", witness={"unit": ROW(0), "blocks": many})
    nested = EXAMPLES[-2]
    inner = step("hypothesis", {**INNER, "steps": STEPS * 5_000}, crosses=[[1, 2]])
    [said] = judge(nested, witness={**nested.witness, "steps": [inner]})
    assert "expected at most 5000 steps inside" in said
