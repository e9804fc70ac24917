"""On all tiny tasks, the clauses that the checker refutes have exactly the fills as their models."""

from __future__ import annotations

from itertools import product

import pytest
from pysat.solvers import Solver

from helpers.marks import slow
from solvent.engine.clauses import ClauseList
from solvent.valency.model import Bonds, Module, Staging
from valency.plain_formula import all_elements, formula_of
from valency.plain_rules import Plain
from valency.stagings import on_square


def fills_by_clauses(clauses: ClauseList, nodes: int, modules: int) -> set[tuple[int, ...]]:
    """Return the module on each node in each model of a formula."""
    found: set[tuple[int, ...]] = set()
    if any(not clause for clause in clauses):
        return found
    with Solver(name="minisat22", bootstrap_with=list(clauses)) as solver:
        while solver.solve():
            true = [literal - 1 for literal in solver.get_model() if 0 < literal <= nodes * modules]
            assert [number // modules for number in true] == list(range(nodes))
            found.add(tuple(number % modules for number in true))
            solver.add_clause([-(number + 1) for number in true])
    return found


def all_tasks(width: int, height: int) -> list[Staging]:
    """Return a task for each way that two modules may say who stands right of them, left, above and below."""
    tasks = []
    for right, left, up, down in product(product(range(4), repeat=2), repeat=4):
        if height == 1 and (up, down) != ((3, 3), (3, 3)):
            continue
        if height > 1 and (up, down) not in (((3, 3), (3, 3)), ((1, 2), (1, 2)), ((2, 1), (3, 3))):
            continue
        modules = [
            Module(
                f"m{number}", f"m{number}", (Bonds(neighbours=(right[number], up[number], left[number], down[number])),)
            )
            for number in range(2)
        ]
        tasks.append(on_square(width, height, modules))
    return tasks


@pytest.mark.parametrize(("width", "height", "every"), [(2, 1, 1), (3, 1, 3), *slow([(3, 1, 1), (2, 2, 1)])])
def test_the_models_are_the_fills(width: int, height: int, every: int):
    outcomes = []
    for staging in all_tasks(width, height)[::every]:
        plain = Plain(staging)
        expected = {tuple(fill[node] for node in plain.open) for fill in plain.all_fills() if plain.keeps(fill)}
        formula = formula_of(staging, plain.open, all_elements(plain), [])
        assert fills_by_clauses(formula, len(plain.open), 2) == expected, staging
        outcomes.append(len(expected))
    assert 0 in outcomes
    assert max(outcomes) == 2 ** (width * height)
