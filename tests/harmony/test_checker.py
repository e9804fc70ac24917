"""The checker rejects every spoilt certificate, and no forged NO is ever accepted for a board that can be solved."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

import solvent
from harmony.boards import board_of, near_miss, tiny_boards
from harmony.brute_force import grid_of, is_solvable, moves, plan_solves
from harmony.brute_force import solved as is_goal
from proof.naive_rup import naive_accepts
from solvent.core.answer import Verdict
from solvent.harmony.audit import SmallBoards
from solvent.harmony.checker import invariant, violations
from solvent.harmony.checker.refutation import Statements
from solvent.harmony.checker.tiles import play_forced, tiles_of
from solvent.harmony.generator import generate_with_plan
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, format_swap, parse_cell
from solvent.harmony.solver.reduction import live_components
from solvent.proof.certificate import make_certificate


def certificate(form: str, **body: Any) -> dict[str, Any]:
    verdict = Verdict.YES if form == "plan" else Verdict.NO
    return make_certificate("harmony", "solvable", verdict, form, **body)


def accepted(board: Board, form: str, **body: Any) -> bool:
    return violations(board, certificate(form, **body)) == []


# Plans


@cache
def planned_boards() -> list[tuple[Board, list[str]]]:
    """Return boards with the plan they were made by."""
    made = []
    for seed in range(40):
        dice = Random(seed)
        rows, cols = dice.randrange(2, 5), dice.randrange(2, 5)
        board, plan = generate_with_plan(rows=rows, cols=cols, swaps=dice.randrange(1, 12), seed=seed)
        made.append((board, [format_swap(swap, cols) for swap in plan]))
    return made


def test_plans_are_accepted_as_they_are():
    assert all(accepted(board, "plan", plan=plan) for board, plan in planned_boards())


def test_a_plan_of_another_length_is_rejected():
    for board, plan in planned_boards():
        for step in range(len(plan)):
            assert not accepted(board, "plan", plan=plan[:step] + plan[step + 1 :])
            assert not accepted(board, "plan", plan=plan[: step + 1] + plan[step:])
        assert not accepted(board, "plan", plan=[])
        assert not accepted(board, "plan", plan=[*plan, "A1-A2"])
        assert not accepted(board, "plan", plan=["A1-A2", *plan])


def test_steps_in_another_order_or_on_other_cells_are_judged_by_the_rules():
    rejected = accepted_still = 0
    for board, plan in planned_boards():
        cells = [format_cell(cell, board.cols) for cell in range(board.rows * board.cols)]
        changed = [
            [*plan[:one], plan[other], *plan[one + 1 : other], plan[one], *plan[other + 1 :]]
            for one, other in combinations(range(len(plan)), 2)
        ]
        for step, swap in enumerate(plan):
            one, other = swap.split("-")
            for cell in cells:
                changed += [[*plan[:step], new, *plan[step + 1 :]] for new in (f"{one}-{cell}", f"{cell}-{other}")]
        for spoilt in changed:
            assert accepted(board, "plan", plan=spoilt) == plan_solves(board, spoilt), (board, spoilt)
            if plan_solves(board, spoilt):
                accepted_still += 1
            else:
                rejected += 1
    assert rejected > 2000
    assert accepted_still > 100


@pytest.mark.parametrize("swap", ["A1-B2", "A1-A1", "A1-C1", "A1-A9", "A1", "", "A1-B1-A1", "1A-B1", "Ä1-B1"])
def test_what_is_no_swap_of_the_board_is_rejected(swap: str):
    board = board_of("1/1 0/0 | 0/1 1/0")
    assert accepted(board, "plan", plan=["A1-B1"])
    assert not accepted(board, "plan", plan=[swap])
    assert not accepted(board, "plan", plan=["A1-B1", swap])


def test_a_swap_without_moves_left_is_rejected_and_named():
    board = board_of("1/1 0/0 | 0/1 1/0")
    assert violations(board, certificate("plan", plan=["A2-B2"])) == ["step 1: A2-B2: the tile on A2 has no moves left"]


# Closed sets


@cache
def closed_sets() -> list[tuple[Board, list[list[int]]]]:
    found = []
    for board in tiny_boards(500, seed=7):
        answer = solvent.ask(board)
        if answer.certificate["form"] == "closed set" and len(answer.certificate["states"]) < 100:
            found.append((board, answer.certificate["states"]))
    return found


def flat(grid: Any) -> list[int]:
    return [number for row in grid for tile in row for number in tile]


def test_closed_sets_are_what_can_be_reached():
    assert len(closed_sets()) >= 10
    for board, states in closed_sets():
        seen, waiting = {grid_of(board)}, [grid_of(board)]
        while waiting:
            for _, after in moves(waiting.pop()):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        assert not any(is_goal(grid) for grid in seen)
        assert sorted(flat(grid) for grid in seen) == states


def test_a_closed_set_without_one_of_its_states_is_rejected():
    for board, states in closed_sets():
        for index in range(len(states)):
            assert not accepted(board, "closed set", states=states[:index] + states[index + 1 :])
        assert not accepted(board, "closed set", states=[])


def test_a_closed_set_with_a_goal_is_rejected():
    for board, states in closed_sets():
        goal = [number for cell in range(board.rows * board.cols) for number in (cell // board.cols, 0)]
        assert not accepted(board, "closed set", states=[*states, goal])


def test_a_closed_set_for_another_start_is_rejected():
    for board, states in closed_sets():
        for other in tiny_boards(60, seed=8):
            if (other.rows, other.cols) == (board.rows, board.cols) and flat(grid_of(other)) not in states:
                assert not accepted(other, "closed set", states=states)
    board, states = closed_sets()[0]
    assert not accepted(board, "closed set", states=[*states, states[0][:-1]])
    assert not accepted(board, "closed set", states=[*states, [*states[0], 0]])


def test_more_states_than_needed_do_no_harm():
    """A set may hold what cannot be reached, as long as nothing leads out of it."""
    board, states = closed_sets()[0]
    dead_end = [number for _ in range(board.rows * board.cols) for number in (board.rows, 0)]
    assert accepted(board, "closed set", states=[*states, dead_end])


# Refutations


def refute(board: Board) -> dict[str, Any] | None:
    """Return the order encoding's refutation of a board, if it has one."""
    answer = solvent.ask(board, solver="order", nodes=100_000)
    return dict(answer.certificate) if answer.verdict is Verdict.NO else None


SEARCHED = ((2, 2, 6, 3), (2, 2, 6, 35), (2, 2, 6, 67), (3, 2, 5, 165))
"""Rows, columns, swaps and seed of near misses whose refutation takes more than unit propagation."""


@cache
def refutations() -> list[tuple[Board, dict[str, Any]]]:
    """Return small boards with refutations of more than one line; the last few take search."""
    found = []
    for seed in range(400):
        board = near_miss(*((2, 3, 4), (3, 2, 4), (3, 3, 4), (2, 2, 5))[seed % 4], seed)
        refutation = refute(board)
        if refutation is not None and refutation["proof"].count("\n") > 2:
            found.append((board, refutation))
            if len(found) == 8:
                break
    for case in SEARCHED:
        board = near_miss(*case)
        refutation = refute(board)
        assert refutation is not None
        found.append((board, refutation))
    return found


def proof_lines(body: dict[str, Any]) -> list[str]:
    """Return the lines up to the empty clause, where reading stops."""
    lines = body["proof"].splitlines()
    return lines[: lines.index("0") + 1]


def naive_judgement(board: Board, body: dict[str, Any]) -> bool:
    """Tell what plain sets make of a refutation of a proper component."""
    tiles = play_forced(board, body["forced"])
    component = sorted(parse_cell(cell, board.rows, board.cols) for cell in body["component"])
    formula = Statements(tiles, component, body["most_moves"], board.cols).formula()
    return naive_accepts(formula, body["proof"], formula.variables)


def test_refutations_are_accepted_as_they_are():
    assert len(refutations()) == 12
    assert all(violations(board, {**body, "proof": "0"}) for board, body in refutations()[-len(SEARCHED) :])
    for board, body in refutations():
        assert violations(board, body) == []
        assert not is_solvable(board)
        assert naive_judgement(board, body)


def test_a_refutation_without_a_line_is_accepted_only_if_it_still_follows():
    verdicts = []
    for board, body in refutations():
        lines = proof_lines(body)
        for index in range(0, len(lines), max(1, len(lines) // 3)):
            spoilt = {**body, "proof": "\n".join(lines[:index] + lines[index + 1 :])}
            verdicts.append(violations(board, spoilt) == [])
            assert verdicts[-1] == naive_judgement(board, spoilt)
    assert len(verdicts) > 30
    assert False in verdicts


def test_a_refutation_with_a_literal_turned_round_is_accepted_only_if_it_still_follows():
    dice, verdicts = Random(3), []
    for board, body in refutations():
        lines = proof_lines(body)
        added = [index for index, line in enumerate(lines) if line != "0" and not line.startswith("d")]
        for _ in range(2):
            index = added[dice.randrange(len(added))]
            words = lines[index].split()
            numbers = [place for place, word in enumerate(words) if word != "0"]
            place = numbers[dice.randrange(len(numbers))]
            words[place] = str(-int(words[place]))
            spoilt = {**body, "proof": "\n".join([*lines[:index], " ".join(words), *lines[index + 1 :]])}
            verdicts.append(violations(board, spoilt) == [])
            assert verdicts[-1] == naive_judgement(board, spoilt)
    assert False in verdicts


def test_a_refutation_cut_short_is_rejected():
    for board, body in refutations():
        lines = proof_lines(body)
        for count in range(0, len(lines), max(1, len(lines) // 5)):
            assert violations(board, {**body, "proof": "\n".join(lines[:count])})


def test_nothing_but_the_empty_clause_is_accepted_only_if_it_follows():
    for board, body in refutations():
        forged = {**body, "proof": "0\n"}
        assert (violations(board, forged) == []) == naive_judgement(board, forged)


def test_a_refutation_of_other_tiles_is_accepted_only_if_it_follows():
    for board, body in refutations():
        for grade in {0, *board.moves, 99} - {body["most_moves"]}:
            spoilt = {**body, "most_moves": grade}
            assert (violations(board, spoilt) == []) == naive_judgement(board, spoilt)
        assert violations(board, {**body, "most_moves": -5})
        assert violations(board, {**body, "most_moves": 0})


def test_a_refutation_of_another_set_of_cells_is_rejected():
    for board, body in refutations():
        cells = body["component"]
        assert violations(board, {**body, "component": cells[1:]})
        assert violations(board, {**body, "component": cells[:-1]})
        assert violations(board, {**body, "component": []})
        assert violations(board, {**body, "component": ["Z9"]})
        closed = [format_cell(cell, board.cols) for cell, left in enumerate(board.moves) if left == 0]
        for cell in closed:
            assert violations(board, {**body, "component": [*cells, cell]})
            assert violations(board, {**body, "component": [cell]})


def test_a_refutation_after_a_swap_that_is_not_forced_is_rejected():
    for board, body in refutations():
        if "A1-A2" not in body["forced"]:
            assert violations(board, {**body, "forced": ["A1-A2", *body["forced"]]}) == ["A1-A2 is not forced"]


def test_too_many_swaps_to_follow_is_refused_before_anything_is_built():
    board = board_of("0/300 0/300 | 1/2 1/2")
    body = {"component": ["A1", "A2", "B1", "B2"], "forced": [], "proof": "0"}
    [violation] = violations(board, certificate("refutation", most_moves=300, **body))
    assert violation == "expected at most 200 swaps to follow, found 604"


# Forged NO for boards that can be solved


def solvable_boards() -> list[Board]:
    scopes = ((2, 2, 5), (2, 3, 3), (3, 2, 3), (3, 3, 2))
    return [board for *size, most in scopes for k in range(most + 1) for board in SmallBoards(*size, most).solvable(k)]


def test_no_refutation_is_accepted_for_a_solvable_board():
    proofs = [body["proof"] for _, body in refutations()]
    dice, tried = Random(5), 0
    for board in solvable_boards():
        for component in live_components(board):
            names = [format_cell(cell, board.cols) for cell in component]
            for grade in sorted({board.moves[cell] for cell in component}):
                junk = "".join(f"{dice.choice((1, -1)) * dice.randrange(1, 30)} 0\n" for _ in range(10)) + "0\n"
                for proof in ("0\n", "0", junk, dice.choice(proofs), "1 0\n-1 0\n0\n"):
                    tried += 1
                    assert not accepted(
                        board, "refutation", component=names, most_moves=grade, proof=proof, forced=[]
                    ), board
    assert tried > 1000


def test_no_closed_set_is_accepted_for_a_solvable_board():
    for board in solvable_boards():
        seen, waiting = {grid_of(board)}, [grid_of(board)]
        while waiting and len(seen) < 400:
            for _, after in moves(waiting.pop()):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        everything = [flat(grid) for grid in seen]
        without_goal = [flat(grid) for grid in seen if not is_goal(grid)]
        for states in (everything, without_goal, everything[:1], everything[:3]):
            assert not accepted(board, "closed set", states=states)


def test_no_invariant_is_accepted_for_a_solvable_board():
    """Every rule with every set of cells, and with every ring of cells of one column."""
    tried = 0
    for board in solvable_boards():
        tiles, cells = tiles_of(board), range(board.rows * board.cols)
        subsets = [list(chosen) for size in range(len(cells) + 1) for chosen in combinations(cells, size)]
        subsets += [[one, other] for one, other in permutations(cells, 2)]
        for col in range(board.cols):
            column = [row * board.cols + col for row in range(board.rows)]
            subsets += [list(ring) for ring in permutations(column)]
        for rule, broken in invariant.RULES.items():
            for chosen in subsets:
                tried += 1
                assert not broken(tiles, chosen, board.rows, board.cols), (rule, chosen, board)
    assert tried > 100_000


def test_no_invariant_after_swaps_is_accepted_for_a_solvable_board():
    """A swap that is not forced is refused, and after one that is the rest holds as before."""
    refused = played = 0
    for board in solvable_boards():
        for a, b in combinations(range(board.rows * board.cols), 2):
            forced = [format_swap((a, b), board.cols)]
            for rule in invariant.RULES:
                for cells in ([], [format_cell(a, board.cols)], [format_cell(b, board.cols)]):
                    found = violations(board, certificate("invariant", rule=rule, cells=cells, forced=forced))
                    assert found
                    if "do not show it" in found[0]:
                        played += 1
                    else:
                        refused += 1
    assert refused > 1000
    assert played > 100


def test_forms_and_verdicts_belong_together():
    board = board_of("1/1 0/0 | 0/1 1/0")
    plan = certificate("plan", plan=["A1-B1"])
    assert violations(board, plan) == []
    assert violations(board, {**plan, "verdict": "NO"}) == ["a plan can only prove YES, not NO"]
    assert violations(board, {**plan, "form": "rumour"}) == [
        "expected one of the forms plan, closed set, invariant, refutation, found 'rumour'"
    ]
