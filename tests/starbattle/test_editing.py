"""What the page's editor sends, what a new board begins from, and proofs taken apart into steps."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import pytest

import solvent
from helpers.examples import load_example
from solvent.core.budget import UNLIMITED
from solvent.core.domain import ProofStep
from solvent.core.errors import BadOption
from solvent.starbattle import DOMAIN
from solvent.starbattle.model import CROSS, STAR, Puzzle
from solvent.starbattle.page import edit, page_data, templates
from solvent.starbattle.page.proof_steps import proof_steps
from solvent.starbattle.page.proof_steps.chain import REASONS
from starbattle.brute_force import is_solution

example = partial(load_example, "starbattle")
ROWS = [cell // 5 for cell in range(25)]


def test_regions_size_and_stars_are_changed_and_marks_go() -> None:
    half = example("half_played")
    made = edit(half, {"size": 5, "stars": 1, "regions": [9 - row for row in ROWS]})
    assert (made.size, made.stars, made.regions, set(made.marks)) == (5, 1, tuple(ROWS), {"."})
    assert edit(half, {"stars": 1}).regions == half.regions


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"regions": [None, None, *ROWS[2:]]}, "2 cells belong to no region"),
        ({"regions": [0] * 25}, "expected 5 regions, as many as rows; there is 1"),
        ({"regions": ["A"] * 25}, "expected a number for each cell"),
        ({"regions": ROWS[1:]}, "a number for each of the 25 cells"),
        ({"regions": ROWS, "stars": 2}, "stars: expected a number from 1 to 1 on a board of 5 rows, found 2"),
        ({"size": 3, "regions": ROWS}, "size: expected a number from 4 to 25"),
        ({"size": True, "regions": ROWS}, "size: expected a number"),
        ({"colour": 1}, "expected size, stars or regions"),
    ],
)
def test_what_is_no_board_is_refused_in_a_designers_words(action: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        edit(example("first_stars"), {"size": 5, **action})


def test_templates_are_boards() -> None:
    made = templates()
    assert [each.name for each in made] == ["blank_6", "blank_8", "blank_10", "stripes", "quadrants"]
    for each in made:
        assert page_data(DOMAIN.parse(each.text))["title"] in each.title


def test_a_blank_template_looks_blank() -> None:
    for each in templates():
        assert bool(each.svg) == each.name.startswith("blank")
        assert "region" not in each.svg  # no cell has one


def steps_of(puzzle: Puzzle, question: str, **options: Any) -> tuple[dict[str, Any], list[ProofStep]]:
    certificate = solvent.ask(puzzle, question, **options).certificate
    assert certificate is not None
    steps = list(proof_steps(puzzle, certificate, UNLIMITED))
    for step in steps:  # whatever is marked lies on the board
        assert len(step.marks["position"]) == puzzle.size**2
        for kind in ("causes", "removals", "stars", "rings", "blocks"):
            assert all(0 <= at < puzzle.size for pair in step.marks.get(kind, ()) for at in pair)
    return dict(certificate), steps


@pytest.mark.parametrize("name", ["first_stars", "six_by_six", "eight_by_eight", "two_stars", "two_pieces"])
def test_a_chain_is_stepped_through_to_its_solution(name: str) -> None:
    puzzle = example(name)
    certificate, steps = steps_of(puzzle, "unique", explain=True)
    assert len(steps) == len(certificate["steps"]) + 1
    end = steps[-1].marks["position"]
    assert is_solution(puzzle, frozenset(cell for cell, mark in enumerate(end) if mark == STAR))


@pytest.mark.parametrize("name", ["first_stars", "six_by_six", "eight_by_eight", "small_region", "no_room"])
def test_a_refutation_learns_about_cells_until_nothing_is_left(name: str) -> None:
    puzzle = example(name)
    certificate, steps = steps_of(puzzle, "unique")
    assert certificate["form"] in ("only solution", "refutation")
    assert steps[0].text.startswith(("Here is a solution. Suppose there is another", "Suppose there is a solution"))
    assert steps[-1].text.endswith(("there is no other solution.", "there is no solution."))
    learnt = [step for step in steps[1:-1] if step.marks["removals"] or step.marks["stars"]]
    assert learnt
    for step, after in pairwise(steps[1:]):  # each is on the board from then on
        for kind, mark in (("removals", CROSS), ("stars", STAR)):
            for row, col in step.marks[kind]:
                assert after.marks["position"][row * puzzle.size + col] == mark


def test_two_solutions_are_shown_and_where_they_differ() -> None:
    _, steps = steps_of(example("two_ways"), "unique")
    assert steps[-1].text == "They differ on r5c6, r5c7, r7c6 and r7c7. So there is more than one."
    assert steps[-1].marks["rings"] == [[4, 5], [4, 6], [6, 5], [6, 6]]


def test_a_solution_is_placed_row_by_row() -> None:
    puzzle = example("two_stars")
    _, steps = steps_of(puzzle, "solvable")
    assert len(steps) == puzzle.size + 1
    assert steps[0].text.startswith("Row 1 has its 2 stars on ")


def test_every_technique_has_its_sentence() -> None:
    from solvent.starbattle.checker.steps import TECHNIQUES

    assert set(REASONS) == set(TECHNIQUES)


def test_an_unknown_form_has_no_steps() -> None:
    with pytest.raises(BadOption, match="has no steps to show"):
        proof_steps(example("first_stars"), {"form": "song"}, UNLIMITED)
