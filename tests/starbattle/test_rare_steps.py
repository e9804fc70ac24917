"""N-rooks and uniqueness: their steps are accepted on boards of every kind, and spoilt ones are not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import solvent
from solvent.core.budget import Budget
from solvent.starbattle.checker import violations
from solvent.starbattle.hints.position import cells_in
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.counting import count_solutions
from starbattle.rare_steps import N_ROOKS, UNIQUENESS, certificate_of, steps_of

BOARDS = [("n_rooks", puzzle) for puzzle in N_ROOKS] + [("uniqueness", puzzle) for puzzle in UNIQUENESS]
every_board = pytest.mark.parametrize(("module", "puzzle"), BOARDS, ids=[f"{m}-{p.size}-{p.stars}" for m, p in BOARDS])


@cache
def solutions_of(puzzle: Puzzle) -> tuple[frozenset[int], ...]:
    counted = count_solutions(puzzle, most=100, keep=100, budget=Budget(nodes=100_000))
    assert counted.complete
    assert counted.count > 0
    return tuple(map(frozenset, counted.solutions))


def is_true(puzzle: Puzzle, certificate: dict[str, Any]) -> bool:
    """Tell whether every solution has the stars and crosses of a step."""
    stars, crosses = ({row * puzzle.size + col for row, col in certificate[key]} for key in ("stars", "crosses"))
    return all(stars <= cells and not crosses & cells for cells in solutions_of(puzzle))


@every_board
def test_its_steps_are_true_and_accepted(module: str, puzzle: Puzzle):
    steps = steps_of(puzzle, module)
    assert steps
    for step in steps:
        certificate = certificate_of(puzzle, step)
        assert is_true(puzzle, certificate)
        solvent.check(puzzle, certificate)


def test_the_boards_show_all_there_is():
    rooks = [step.witness for puzzle in N_ROOKS for step in steps_of(puzzle, "n_rooks")]
    assert {witness["base"] for witness in rooks} == {"rows", "columns"}
    assert {1, 2} <= {len(witness["rows"]) for witness in rooks}
    assert any(step.stars for puzzle in N_ROOKS for step in steps_of(puzzle, "n_rooks"))
    proofs = [step.witness["proof"] for puzzle in UNIQUENESS for step in steps_of(puzzle, "uniqueness")]
    assert all(proof.count("\n") > 3 for proof in proofs)


def changed_rooks(witness: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key in ("rows", "columns"):
        for number in range(8):
            yield {**witness, key: [number, *witness[key][1:]]}
            yield {**witness, key: [*witness[key], number]}
        yield {**witness, key: witness[key][1:]}
    yield {**witness, "base": "columns" if witness["base"] == "rows" else "rows"}
    for row in range(8):
        for column in range(8):
            yield {**witness, "full": [[row, column]]}
            yield {**witness, "empty": [[row, column]]}
    yield {**witness, "full": [], "empty": witness["full"]}


def changed_rectangles(witness: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for place in range(4):
        for step in (-2, -1, 1, 2):
            corners = list(witness["rectangle"])
            corners[place] += step
            yield {**witness, "rectangle": corners}
    for stars in (witness["stars"][1:], [*witness["stars"], witness["stars"][0]], witness["stars"][:-1]):
        yield {**witness, "stars": stars}
    lines = witness["proof"].splitlines()
    for place, line in enumerate(lines):
        yield {**witness, "proof": "\n".join([*lines[:place], *lines[place + 1 :]])}
        turned = " ".join(str(-int(word)) for word in line.split())
        yield {**witness, "proof": "\n".join([*lines[:place], turned, *lines[place + 1 :]])}
    yield {**witness, "proof": "0\n"}


@every_board
def test_a_spoilt_witness_is_refused_or_still_true(module: str, puzzle: Puzzle):
    refused = accepted = 0
    change = changed_rooks if module == "n_rooks" else changed_rectangles
    for step in steps_of(puzzle, module)[:3]:
        for witness in change(dict(step.witness)):
            certificate = certificate_of(puzzle, step, witness=witness)
            if violations(puzzle, certificate):
                refused += 1
            else:
                accepted += 1
                assert is_true(puzzle, certificate), witness
    assert refused > accepted


@every_board
def test_other_cells_are_refused(module: str, puzzle: Puzzle):
    refused = 0
    for step in steps_of(puzzle, module)[:2]:
        shown = set(cells_in(step.stars | step.crosses))
        for cell in range(puzzle.size**2):
            for key in ("stars", "crosses"):
                given = {"stars": [], "crosses": [], key: [list(divmod(cell, puzzle.size))]}
                certificate = certificate_of(puzzle, step, **given)
                if violations(puzzle, certificate):
                    refused += 1
                else:
                    assert cell in shown
                    assert is_true(puzzle, certificate)
    assert refused > puzzle.size**2
