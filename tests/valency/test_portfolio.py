"""The default order: several in turn, those first that got furthest; and collapses that are shaken free."""

from __future__ import annotations

import numpy as np
import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.valency.model import Lattice, Staging
from solvent.valency.notation.samples import learn_overlapping, parse_sample
from solvent.valency.solver import shaking
from solvent.valency.solver.collapse_kernel import FILLED, STUCK
from solvent.valency.solver.network import boot
from solvent.valency.solver.orders import USUAL_ORDERS, WRAPPING_ORDERS, solver_named
from solvent.valency.solver.orders.portfolio import MAX_NODES_TO_START_AGAIN, Portfolio
from solvent.valency.solver.task import Modules, Task

SAMPLE = """\
..........
.####.oo..
.#..#.oo..
.#..+~~~..
.####..~..
.......~..
.oo~~~~~..
.oo.......
"""


def patterns(size: int) -> Staging:
    """Return a grid that wraps around, to fill with the patterns of a drawn sample."""
    rules = learn_overlapping(parse_sample(SAMPLE), pattern=3, symmetry=2, name="sample")
    return Staging(rules, Lattice(size, size, periodic=(True, True, False)))


class Scripted:
    """Fill as much as a script says."""

    title = "as a script says"

    def __init__(self, name: str, shares: list[float]) -> None:
        self.name = name
        self.shares = shares

    def fill(self, task: Task) -> Modules:
        """Leave the rest of the nodes unset."""
        filled = round(self.shares.pop(0) * task.network.nodes)
        return np.where(np.arange(task.network.nodes) < filled, 0, -1)


def test_each_order_has_its_turn_and_then_the_best_comes_first():
    portfolio = Portfolio(("frontier", "scanline", "entropy"))
    shares = {"frontier": [0.2] * 9, "scanline": [0.9] * 9, "entropy": [0.5] * 9}
    portfolio.orders = [Scripted(name, some) for name, some in shares.items()]
    network = boot(patterns(6))
    task = Task(network, network.domains, 0, UNLIMITED)
    tried = []
    for _ in range(6):
        portfolio.fill(task)
        tried.append(portfolio.name)
    assert tried == ["frontier", "scanline", "entropy", "scanline", "entropy", "frontier"]


def test_which_orders_are_tried_depends_on_the_cluster():
    wraps, plain = solver_named("auto", patterns(4).cluster), solver_named("auto", Lattice(4, 4))
    assert isinstance(wraps, Portfolio)
    assert isinstance(plain, Portfolio)
    assert [order.name for order in wraps.orders] == list(WRAPPING_ORDERS)
    assert [order.name for order in plain.orders] == list(USUAL_ORDERS)
    assert plain is not solver_named("auto", Lattice(4, 4))  # what is learned is about one task
    assert plain.tries(MAX_NODES_TO_START_AGAIN) > plain.tries(MAX_NODES_TO_START_AGAIN + 1) == 1


def test_the_same_seed_tries_the_same_and_fills_the_same():
    answers = [solvent.ask(patterns(24), seed=seed, nodes=5_000_000) for seed in (3, 3, 4)]
    assert [answer.verdict for answer in answers] == [Verdict.YES] * 3
    assert answers[0].certificate == answers[1].certificate != answers[2].certificate
    assert {**answers[0].stats} == {**answers[1].stats}


def test_a_collapse_that_is_stuck_is_shaken_free(monkeypatch: pytest.MonkeyPatch):
    network = boot(patterns(24))

    def ends(seed: int) -> int | None:
        task = Task(network, network.domains, seed, UNLIMITED)
        solver_named("entropy").fill(task)
        return task.status

    seeds = range(12)
    shaken = {seed: ends(seed) for seed in seeds}
    with monkeypatch.context() as patch:
        patch.setattr(shaking, "MAX_SHAKES", 0)
        alone = {seed: ends(seed) for seed in seeds}
    stuck = [seed for seed in seeds if alone[seed] == STUCK]
    assert stuck
    assert all(shaken[seed] == FILLED for seed in seeds if alone[seed] == FILLED)
    assert any(shaken[seed] == FILLED for seed in stuck)
