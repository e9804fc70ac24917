"""Wire annealing: its books are right, its plans are whole, and boards with many swaps are no trouble."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest

import solvent
from harmony.boards import tiny_boards
from solvent.core.answer import Verdict
from solvent.harmony.generator import generate
from solvent.harmony.model import Board
from solvent.harmony.solver.annealing import pair_up
from solvent.harmony.solver.annealing_kernel import Annealing
from solvent.harmony.solver.wires_kernel import Plan


@cache
def fewest_unpaired(left: tuple[int, ...]) -> int:
    """Try every way to pair the moves of different tiles; return how many find no partner at best."""
    best = sum(left)
    for one, other in combinations(range(len(left)), 2):
        if left[one] and left[other]:
            rest = list(left)
            rest[one] -= 1
            rest[other] -= 1
            best = min(best, fewest_unpaired(tuple(sorted(rest))))
    return best


@pytest.mark.parametrize("tiles", [1, 2, 3, 4])
def test_moves_left_are_used_up_inside_a_row_whenever_they_can_be(tiles: int):
    used_up = 0
    for left in product(range(6), repeat=tiles):
        if fewest_unpaired(tuple(sorted(left))):
            continue
        standing = list(range(tiles))
        made: Counter[int] = Counter()
        for a, b in pair_up({cell: moves for cell, moves in enumerate(left) if moves}):
            assert a < b
            made.update((standing[a], standing[b]))
            standing[a], standing[b] = standing[b], standing[a]
        assert tuple(made[tile] for tile in range(tiles)) == left
        used_up += 1
    assert used_up >= 1 if tiles == 1 else used_up > 5


def cost_restated(board: Board, plan: Plan) -> int:
    """Play the swaps of a plan, and count its faults tile by tile and row by row."""
    standing = list(range(board.rows * board.cols))
    made: Counter[int] = Counter()
    for a, b in plan.swaps():
        made.update((standing[a], standing[b]))
        standing[a], standing[b] = standing[b], standing[a]
    cost = 0
    left: dict[int, list[int]] = {row: [] for row in range(board.rows)}
    for cell, tile in enumerate(standing):
        surplus = made[tile] - board.moves[tile]
        cost += 2 * max(0, surplus) + 3 * (cell // board.cols != board.colours[tile])
        if board.colours[tile] < board.rows:
            left[board.colours[tile]].append(max(0, -surplus))
    return cost + sum(2 * fewest_unpaired(tuple(sorted(moves))) for moves in left.values())


@pytest.mark.modes
def test_the_cost_is_kept_as_it_would_be_counted():
    solved = 0
    for number, board in enumerate(tiny_boards(60, seed=300)):
        plan = Plan(board, board.swaps + 3)
        if plan.live_count == 0:
            continue
        annealing = Annealing(plan, 0.8, number)
        annealing.start(board.swaps)
        annealing.lay(10_000)
        assert plan.cost == cost_restated(board, plan)
        for _ in range(8):
            annealing.run(25)
            assert plan.cost == cost_restated(board, plan)
        solved += plan.cost == 0
    assert 5 < solved < 50


@pytest.mark.parametrize("seed", [100, 101])
def test_many_swaps_on_a_large_board(seed: int):
    answer = solvent.ask(generate(rows=12, cols=12, swaps=300, seed=seed), nodes=40_000_000)
    assert answer.verdict is Verdict.YES
    assert len(answer.certificate["plan"]) == 300


@pytest.mark.slow
@pytest.mark.parametrize(("side", "swaps"), [(14, 500), (10, 60), (15, 20_000)])
def test_more_of_them(side: int, swaps: int):
    for seed in range(200, 203):
        answer = solvent.ask(generate(rows=side, cols=side, swaps=swaps, seed=seed), nodes=80_000_000)
        assert answer.verdict is Verdict.YES
        assert len(answer.certificate["plan"]) == swaps
