"""Proofs taken apart into steps: each says something, lights what it uses, and the last one ends the matter."""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from typing import Any

import msgspec
import pytest

import solvent
from harmony.boards import board_of, near_miss, tiny_boards
from harmony.brute_force import grid_of, moves
from helpers.examples import load_example
from solvent.core.budget import UNLIMITED, Budget
from solvent.core.domain import ProofStep
from solvent.core.errors import BadOption, LimitReached
from solvent.harmony.checker import invariant
from solvent.harmony.checker.refutation import Body
from solvent.harmony.checker.tiles import tiles_of
from solvent.harmony.model import Board
from solvent.harmony.page.proof_steps import proof_steps
from solvent.harmony.page.proof_steps import refutation as refutations
from solvent.harmony.page.proof_steps.invariant import RULES
from solvent.harmony.positions import format_cell, parse_cell
from solvent.harmony.rules import is_solved, play

example = partial(load_example, "harmony")


def steps_of(board: Board) -> tuple[dict[str, Any], list[ProofStep]]:
    certificate = solvent.ask(board).certificate
    steps = list(proof_steps(board, certificate, UNLIMITED))
    assert all(step.text.endswith(".") for step in steps)
    for step in steps:
        marked = [cell for name in ("cells", "uses", "places", "swap") for cell in step.marks.get(name, ())]
        assert all(0 <= cell < len(board.moves) for cell in marked)
    return dict(certificate), steps


@pytest.mark.parametrize("name", ["first_swaps", "three_by_three", "burning_moves", "four_by_four", "six_by_six"])
def test_a_plan_is_stepped_through_swap_by_swap_to_the_solved_board(name: str) -> None:
    board = example(name)
    _, steps = steps_of(board)
    swaps = [tuple(step.marks["swap"]) for step in steps if "swap" in step.marks]
    assert len(swaps) == board.swaps == len(steps) - 2
    for step in steps[1:-1]:
        a, b = step.marks["swap"]
        names = [board.palette[board.colours[cell]].lower() for cell in (a, b)]
        where = [format_cell(cell, board.cols) for cell in (a, b)]
        assert step.text.startswith(f"Swap {names[0]} from {where[0]} and {names[1]} from {where[1]} along ")
        board = play(board, (a, b))
        homes = sum(f"{name} is home, with" in step.text.lower() for name in set(names))
        assert (homes > 0) == any(board.colours[cell] == cell // board.cols for cell in (a, b))
    assert is_solved(board)
    assert steps[-1].text == "Every tile is in its row, and no move is left: solved."


@cache
def broken() -> dict[str, Board]:
    """Return a board for each rule, such as the solver meets them."""
    found: dict[str, Board] = {}
    hand_made = [example("two_islands"), board_of("1/1 0/0 | 2/1 1/0 | 0/1 2/0")]
    for board in [*hand_made, *tiny_boards(3000, seed=11)]:
        certificate = solvent.ask(board).certificate
        if certificate["form"] == "invariant":
            found.setdefault(certificate["rule"], board)
        if len(found) == len(RULES):
            break
    return found


def test_every_rule_of_the_checker_has_its_sentence() -> None:
    assert set(RULES) == set(invariant.RULES)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_broken_rule_is_stated_shown_and_ends_it(rule: str) -> None:
    board = broken()[rule]
    certificate, steps = steps_of(board)
    texts = [step.text for step in steps]
    forced = len(certificate["forced"])
    assert [step.marks["swap"] for step in steps[:forced]] == [
        [parse_cell(end, board.rows, board.cols) for end in name.split("-")] for name in certificate["forced"]
    ]
    assert texts[forced].startswith("The rule: ")
    assert len(texts) >= forced + 3
    assert texts[-1] == "No swap can change that: there is no solution."
    lit = {
        cell
        for step in steps[forced + 1 : -1]
        for name in ("cells", "uses", "places")
        for cell in step.marks.get(name, ())
    }
    assert lit >= {parse_cell(name, board.rows, board.cols) for name in certificate["cells"]}
    assert lit


def test_what_is_shown_of_a_rule_is_so() -> None:
    _, steps = steps_of(example("two_islands"))
    assert [step.text for step in steps[1:3]] == [
        "The tiles on A1 and B1 can swap only with each other: every other tile in their rows and columns has no "
        "move left.",
        "Among them 0 tiles are red, but 1 cell is in red's row.",
    ]
    _, steps = steps_of(example("odd_sum"))
    assert steps[1].text == "All moves together are 3, an odd number. One of them is left over."


@pytest.mark.parametrize("seed", [0, 10, 17, 22])
def test_a_refutation_says_each_step_and_what_it_follows_from(seed: int) -> None:
    certificate, steps = steps_of(near_miss(3, 3, 8, seed))
    assert certificate["form"] == "refutation"
    begun = len(certificate["forced"])
    assert steps[begun].text.startswith("Suppose there is a solution")
    assert steps[-1].text.endswith(": there is no solution.")
    for step in steps[begun + 1 :]:
        assert step.marks["cells"] or step.marks["uses"]
    texts = Counter(step.text for step in steps)
    assert max(texts.values()) <= 2


def test_every_clause_is_known_by_the_statement_it_belongs_to() -> None:
    board = example("near_miss")
    body = msgspec.convert(dict(solvent.ask(board).certificate), Body)
    component = sorted(parse_cell(cell, board.rows, board.cols) for cell in body.component)
    statements = refutations._Located(tiles_of(board), component, body.most_moves, board.cols, UNLIMITED)
    formula = statements.formula()
    words = refutations._Words(statements, {cell: format_cell(cell, 4) for cell in component}, board.cols)
    kinds = Counter[str]()
    for clause in range(1, len(formula) + 1):
        kind, number = statements.statement_of(clause)
        kinds[kind] += 1
        begin, end = formula.starts[clause - 1], formula.starts[clause]
        tiles = {tile for literal in formula.literals[begin:end] for tile in words.subjects(literal)[0]}
        assert statements.tile_of(kind, number) in tiles or kind == "transitive_order"
    assert set(kinds) == set(refutations.REASONS)
    assert words.say(statements.stands(0, component[0])) == "A1 is on A1 at the start"
    assert words.say(-statements.stands(1, 1)) == "A1 is not on A2 after its swap 1"
    assert words.say(statements.same(0, 2)) == "swap 1 of A1 is with A2 as its swap 1"
    assert words.say(statements.before(1, 2)) == "swap 2 of A1 is no later than swap 1 of A2"
    assert words.say(-statements.before(1, 2)) == "swap 1 of A2 is before swap 2 of A1"
    assert words.say(statements.anonymous(1)) == "swap 2 of A1 is with a tile that is not followed"


def test_of_a_long_refutation_the_steps_that_say_most_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    board = near_miss(5, 5, 20, 11)
    _, all_steps = steps_of(board)
    monkeypatch.setattr(refutations, "MAX_SHOWN", 20)
    _, steps = steps_of(board)
    told = [step.text for step in steps if "Shown here are 20 of them." in step.text]
    assert len(told) == 1
    assert len(steps) <= 23 < len(all_steps)
    assert steps[-1].text == all_steps[-1].text


def test_a_closed_set_is_gone_through_board_by_board() -> None:
    board = next(
        each
        for each in (near_miss(3, 3, 5, seed) for seed in range(300))
        if solvent.ask(each).certificate["form"] == "closed set"
    )
    reachable = {grid_of(board)}
    waiting = [*reachable]
    while waiting:
        after = {grid for _, grid in moves(waiting.pop())} - reachable
        reachable |= after
        waiting += after
    _, steps = steps_of(board)
    shown = set()
    for step in steps[1:-1]:
        here = board
        for swap in step.marks["path"]:
            here = play(here, tuple(swap))
        assert not is_solved(here)
        shown.add((here.colours, here.moves))
    assert steps[0].text.startswith(f"From here {len(reachable):,} boards can be reached")
    assert len(shown) == min(60, len(reachable))


def test_an_unknown_form_has_no_steps_and_limits_hold() -> None:
    with pytest.raises(BadOption, match="has no steps to show"):
        proof_steps(example("first_swaps"), {"form": "song"}, UNLIMITED)
    board = near_miss(5, 5, 20, 11)
    certificate = solvent.ask(board).certificate
    with pytest.raises(LimitReached):
        list(proof_steps(board, certificate, Budget(seconds=0).start()))
