"""Small tasks that reach every kernel, run again with bounds checked and as plain Python."""

from __future__ import annotations

from dataclasses import replace

import pytest
from torture.judges.valency import is_solvable

import solvent
from solvent.core.answer import Verdict
from solvent.valency.model import Lattice
from solvent.valency.solver.orders import BUILTIN
from valency.stagings import colouring, random_staging

pytestmark = pytest.mark.modes


@pytest.mark.parametrize("seed", range(0, 60, 5))
def test_verdicts_are_those_of_brute_force(seed: int):
    staging = random_staging(seed)
    answer = solvent.ask(staging, nodes=100_000)
    assert answer.verdict is (Verdict.YES if is_solvable(staging) else Verdict.NO)
    assert solvent.ask(staging, "partial", nodes=100_000).verdict is Verdict.YES


@pytest.mark.parametrize("solver", [name for name in BUILTIN if name != "priority"])
def test_every_solver_colours_a_wheel(solver: str):
    rim = [(v, v % 6 + 1) for v in range(1, 7)]
    wheel = colouring(7, [*rim, *((0, v) for v in range(1, 7))], 3)
    answer = solvent.ask(wheel, solver=solver, seed=1)
    # without going back, the lazy solver may give a node up; it never says more than it knows
    assert answer.verdict is Verdict.YES or (solver == "lazy" and answer.verdict is Verdict.UNKNOWN)


def test_pieces_and_counts_are_mended():
    pipes = next(example for example in solvent.examples("valency") if example.name == "pipes")
    task = solvent.parse(pipes.text)
    small = replace(task, cluster=Lattice(6, 4), picks=(), regions=())
    assert small.constraints
    for seed in range(2):
        assert solvent.ask(small, seed=seed, nodes=100_000).verdict is Verdict.YES
