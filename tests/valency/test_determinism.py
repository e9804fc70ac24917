"""The same seed gives the same fill, in any process and however the work is cut; another seed gives another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import solvent
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.engine import driver
from solvent.valency.model import Bonds, Module, Region, Staging
from valency.stagings import colours, on_square, plain_modules, random_staging

SOLVERS = ("auto", "entropy", "frontier", "scanline", "constraint", "lazy")


QUESTIONS = ("solvable", "partial")


def pipes() -> tuple[Module, ...]:
    """Make modules for every way in which four sides are open or closed, but for dead ends; sides must match."""
    sides = [mask for mask in range(16) if mask.bit_count() != 1]
    modules = []
    for mask in sides:
        neighbours = []
        for orbital in range(4):
            across = (orbital + 2) % 4
            neighbours.append(
                sum(1 << n for n, other in enumerate(sides) if other >> across & 1 == mask >> orbital & 1)
            )
        modules.append(Module(f"p{mask}", f"p{mask}", (Bonds(neighbours=tuple(neighbours)),), weight=1.0 + mask % 3))
    return tuple(modules)


def tight() -> Staging:
    """Stage something that is not filled without going back: 3 colours on a torus of odd sides."""
    return on_square(15, 15, colours(3, 4), "xy")


def modules_of(staging: Staging, question: str = "solvable", **options: Any) -> list[int]:
    answer = solvent.ask(staging, question, **options)
    assert answer.certificate is not None, answer
    modules: list[int] = answer.certificate["modules"]
    return modules


# Run by other processes: answers to some random stagings and to some larger ones, as JSON.
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
import solvent
from valency.stagings import random_staging
from valency.test_determinism import pipes, tight
from valency.stagings import on_square
told = []
for staging in [*map(random_staging, range(40)), tight(), on_square(20, 20, pipes())]:
    for question in ("solvable", "partial"):
        answer = solvent.ask(staging, question)
        told.append([answer.verdict.value, answer.certificate, answer.because])
print(json.dumps(told))
"""


def test_other_processes_say_the_same():
    tests = Path(__file__).resolve().parent.parent
    said = []
    for hash_seed in ("0", "123"):
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tests)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        said.append(ran.stdout)
    assert said[0] == said[1]
    here = []
    for staging in [*map(random_staging, range(40)), tight(), on_square(20, 20, pipes())]:
        for question in ("solvable", "partial"):
            answer = solvent.ask(staging, question)
            here.append([answer.verdict.value, answer.certificate, answer.because])
    assert json.loads(said[0]) == json.loads(json.dumps(here))


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_same_question_twice(solver: str):
    for staging in (on_square(20, 20, pipes()), on_square(12, 12, colours(4, 4)), random_staging(3)):
        one, other = (solvent.ask(staging, "partial", solver=solver) for _ in range(2))
        assert one.certificate == other.certificate


def test_a_budget_that_is_enough_changes_nothing():
    for staging in (on_square(20, 20, pipes()), tight()):
        whole = solvent.ask(staging)
        assert whole.verdict is Verdict.YES
        seen = set()
        for nodes in (10, 100, 300, 1000, 3000, 10_000, 100_000, 10_000_000):
            answer = solvent.ask(staging, nodes=nodes)
            seen.add(answer.verdict)
            if answer.verdict is Verdict.YES:
                assert answer.certificate == whole.certificate, nodes
        assert seen == {Verdict.UNKNOWN, Verdict.YES}


@pytest.mark.parametrize("solver", ["entropy", "frontier", "lazy"])
def test_work_may_be_cut_anywhere(solver: str, monkeypatch: pytest.MonkeyPatch):
    """Kernels work in chunks whose sizes depend on the clock; here once as large as can be, once a node at a time."""
    drive = driver.drive
    answers = []
    for first, seconds in ((1 << 40, 1e9), (1, 0.0), (7, 0.0)):
        monkeypatch.setattr(driver, "CHUNK_SECONDS", seconds)
        monkeypatch.setattr(driver, "SMALLEST_CHUNK", first if seconds == 0 else 64)
        monkeypatch.setattr(driver, "drive", lambda *a, first=first, **k: drive(*a, **{**k, "first_chunk": first}))
        stagings = (
            on_square(12, 12, pipes()),
            on_square(9, 9, colours(3, 4), "xy"),
            *map(random_staging, range(up_to(8, deep=20))),
        )
        asked = [solvent.ask(staging, question, solver=solver) for staging in stagings for question in QUESTIONS]
        answers.append([(answer.verdict, answer.certificate) for answer in asked])
    assert answers[0] == answers[1] == answers[2]


class TestSeeds:
    @pytest.mark.parametrize("solver", SOLVERS)
    def test_other_seeds_give_other_fills(self, solver: str):
        staging = on_square(12, 12, pipes())
        fills = {tuple(modules_of(staging, "partial", solver=solver, seed=seed)) for seed in range(8)}
        assert len(fills) == 8

    def test_the_seed_asked_for_goes_before_the_staging_s_own(self):
        staging = on_square(10, 10, pipes())
        assert modules_of(replace(staging, seed=5)) == modules_of(replace(staging, seed=77), seed=5)
        assert modules_of(replace(staging, seed=5)) != modules_of(replace(staging, seed=77))

    def test_large_seeds_differ(self):
        staging = on_square(10, 10, pipes())
        seeds = (0, 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1)
        assert len({tuple(modules_of(staging, seed=seed)) for seed in seeds}) == len(seeds)

    def test_a_region_s_own_seed_changes_it_and_not_the_rest(self):
        # Modules that do not care about each other: what one node draws is nobody else's business.
        staging = on_square(16, 16, plain_modules(6))
        nodes = tuple(range(40, 100))
        fills = [modules_of(replace(staging, regions=(Region(nodes, seed=seed),))) for seed in range(4)]
        inside = {tuple(fill[v] for v in nodes) for fill in fills}
        outside = {tuple(m for v, m in enumerate(fill) if v not in nodes) for fill in fills}
        assert len(inside) == 4
        assert len(outside) == 1

    def test_a_region_keeps_its_draws_when_the_seed_of_the_whole_changes(self):
        staging = replace(on_square(16, 16, plain_modules(6)), regions=(Region(tuple(range(64)), seed=9),))
        one, other = (modules_of(staging, seed=seed) for seed in (1, 2))
        assert one[:64] == other[:64]
        assert one[64:] != other[64:]

    def test_a_region_without_a_seed_follows_that_of_the_whole(self):
        staging = on_square(8, 8, plain_modules(6))
        silent, told = (replace(staging, regions=(Region(tuple(range(20)), seed=seed),)) for seed in (None, 3))
        assert modules_of(silent, seed=3) == modules_of(told, seed=3)
        assert modules_of(silent, seed=4)[:20] != modules_of(told, seed=4)[:20]
