"""The checker accepts exactly the fills that brute force finds, and no fill contradicts any formula it writes down.

The rules are stated here a second time, one node and one clause at a time, in plain Python; the checker is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.engine.clauses import ClauseList
from solvent.engine.sat import SatSolver
from solvent.proof.certificate import make_certificate
from solvent.valency.checker import violations
from solvent.valency.model import (
    Acyclic,
    Consecutive,
    Count,
    Only,
    Path,
    Staging,
    Symmetry,
)
from valency.plain_formula import all_cuts, all_cycles, all_elements, formula_of, plain_formula, satisfiable
from valency.plain_rules import Plain, turned
from valency.random_stagings import random_staging

HOW_MANY = 1200
FORBIDDING = (Only, Consecutive, Symmetry, Acyclic)
"""Constraints that more modules cannot mend."""


@cache
def known(seed: int) -> tuple[Staging, Plain, list[dict[int, int]]]:
    """Return a staging and all its fills, those with needless fillers too."""
    staging = random_staging(seed)
    plain = Plain(staging)
    return staging, plain, [fill for fill in plain.all_fills() if plain.keeps(fill)]


def named_nodes(plain: Plain, element: dict[str, Any]) -> set[int]:
    """Return the nodes that must be in W for an element."""
    ((kind, value),) = element.items()
    if kind in ("node", "pick"):
        return {value}
    if kind == "apart":
        return set(value[1:])
    if kind == "edge":
        return {edge[3] for edge in [*plain.edges, *map(turned, plain.edges)] if list(edge[:3]) == value} | {value[1]}
    constraint = plain.staging.constraints[value] if kind == "constraint" else None
    return {constraint.start, constraint.end} if isinstance(constraint, Path) else set()


def random_question(plain: Plain, dice: Random) -> tuple[list[int], *tuple[list[dict[str, Any]], ...]]:
    """Return some nodes, elements about them, cuts, and cycles."""
    nodes = [v for v in plain.open if dice.random() < dice.choice([0.5, 0.9, 1.0])]
    elements = [e for e in all_elements(plain) if named_nodes(plain, e) <= set(nodes) and dice.random() < 0.7]
    for element in elements:
        if "edge" in element and dice.random() < 0.5:  # the same edge, named from its other end
            edge = next(edge for edge in plain.edges if list(edge[:3]) == element["edge"])
            element["edge"] = list(turned(edge)[:3])
    dice.shuffle(elements)
    cuts = list(all_cuts(plain, nodes, elements))
    cycles = list(all_cycles(plain, nodes, elements))
    cycles = dice.sample(cycles, min(len(cycles), dice.randrange(10)))
    if len(cycles) > 1 and cycles[0]["constraint"] == cycles[1]["constraint"]:  # what is in just one of two circles
        one, other = cycles[0]["edges"], cycles[1]["edges"]
        cycles[0]["edges"] = [e for e in one if e not in other] + [e for e in other if e not in one]
    for cycle in cycles:  # the same edges, some named from their other ends
        ends = {e[:3]: turned(e)[:3] for e in plain.edges}
        cycle["edges"] = [list(ends[tuple(e)]) if dice.random() < 0.3 else e for e in cycle["edges"]]
    return nodes, elements, dice.sample(cuts, min(len(cuts), dice.randrange(20))), cycles


@pytest.fixture(
    scope="module", params=[range(200), *slow([range(200, up_to(600, deep=HOW_MANY))])], ids=["some", "many"]
)
def seeds(request: pytest.FixtureRequest) -> range:
    """Return the seeds of the stagings."""
    return request.param


def test_the_random_stagings_are_worth_it(seeds: range):
    fills = [known(seed)[2] for seed in seeds]
    assert sum(not found for found in fills) > len(seeds) // 6
    assert sum(bool(found) for found in fills) > len(seeds) // 4
    needless = sum(not known(seed)[1].is_fill(fill) for seed in seeds for fill in known(seed)[2][:20])
    assert needless > 100 * len(seeds) // HOW_MANY
    kinds = Counter(type(c).__name__ for seed in seeds if known(seed)[2] for c in known(seed)[0].constraints)
    assert len(kinds) == 10, kinds
    kinds = Counter(type(c).__name__ for seed in seeds for c in known(seed)[0].constraints)
    assert min(kinds.values()) > 20 * len(seeds) // HOW_MANY, kinds
    assert sum(bool(known(seed)[1].picked) for seed in seeds if known(seed)[2]) > 40 * len(seeds) // HOW_MANY


def assignments_to_try(plain: Plain, fills: list[dict[int, int]], dice: Random) -> Iterator[dict[int, int]]:
    """Yield fills, fills with one module changed, and anything at all."""
    if not plain.open:
        yield {}
        return
    some = dice.sample(fills, min(len(fills), 12))
    yield from some
    for fill in some[:6]:
        yield {**fill, dice.choice(plain.open): dice.choice(plain.modules)}
    for _ in range(4):
        yield {v: dice.choice(plain.modules) for v in plain.open}


def test_an_assignment_is_accepted_if_and_only_if_it_is_a_fill(seeds: range):
    accepted = rejected = 0
    for seed in seeds:
        staging, plain, fills = known(seed)
        for fill in assignments_to_try(plain, fills, Random(seed)):
            certificate = make_certificate(
                "valency", "solvable", Verdict.YES, "assignment", modules=plain.as_list(fill)
            )
            truth = plain.is_fill(fill)
            assert (violations(staging, certificate) == []) == truth, (seed, fill)
            accepted += truth
            rejected += not truth
    assert accepted > 1000 * len(seeds) // HOW_MANY
    assert rejected > 3500 * len(seeds) // HOW_MANY


def test_a_partial_fill_is_accepted_if_and_only_if_it_keeps_what_more_modules_cannot_mend(seeds: range):
    accepted = rejected = 0
    for seed in seeds:
        staging, plain, fills = known(seed)
        dice = Random(seed)
        for fill in assignments_to_try(plain, fills[:3], dice):
            part = {v: m for v, m in fill.items() if dice.random() < 0.6}
            left_out = [{"node": v} for v in plain.open if v not in part]
            certificate = make_certificate(
                "valency", "partial", Verdict.YES, "partial", modules=plain.as_list(part), left_out=left_out
            )
            truth = plain.keeps(part, complete=False)
            assert (violations(staging, certificate) == []) == truth, (seed, part)
            accepted += truth
            rejected += not truth
    assert accepted > 400 * len(seeds) // HOW_MANY
    assert rejected > 200 * len(seeds) // HOW_MANY


def test_the_formula_is_that_of_the_rule_book(seeds: range):
    for seed in seeds:
        staging, plain, _ = known(seed)
        question = random_question(plain, Random(seed))
        formula = formula_of(staging, *question)
        clauses, variables = plain_formula(plain, *question)
        assert formula.variables == variables, seed
        assert Counter(tuple(sorted(c)) for c in formula) == Counter(tuple(sorted(c)) for c in clauses), seed


def test_every_fill_satisfies_every_formula(seeds: range):
    tried = 0
    for seed in seeds:
        staging, plain, fills = known(seed)
        dice = Random(seed)
        for _ in range(2 if fills else 0):
            nodes, elements, cuts, cycles = random_question(plain, dice)
            formula = formula_of(staging, nodes, elements, cuts, cycles)
            for fill in dice.sample(fills, min(3, len(fills))):
                kinds = len(plain.modules)
                units = [[i * kinds + m + 1 if fill[v] == m else -(i * kinds + m + 1)]
                         for i, v in enumerate(nodes) for m in plain.modules]  # fmt: skip
                assert satisfiable(ClauseList.of([*formula, *units], variables=formula.variables)), (seed, fill)
                tried += 1
    assert tried > 600 * len(seeds) // HOW_MANY


def test_without_a_fill_all_elements_and_cuts_together_are_refuted(seeds: range):
    refuted = 0
    for seed in seeds[::3]:
        staging, plain, fills = known(seed)
        elements = all_elements(plain)
        cuts = list(all_cuts(plain, plain.open, elements))
        cycles = list(all_cycles(plain, plain.open, elements))
        formula = formula_of(staging, plain.open, elements, cuts, cycles)
        assert satisfiable(formula) == bool(fills), seed
        if not fills:
            with SatSolver(formula, with_proof=True) as solver:
                solver.solve(Budget().start())
                proof = solver.proof()
            certificate = make_certificate(
                "valency",
                "solvable",
                Verdict.NO,
                "refutation",
                nodes=plain.open,
                elements=elements,
                cuts=cuts,
                cycles=cycles,
                proof=proof,
                minimal=False,
            )
            assert violations(staging, certificate) == [], seed
            refuted += 1
    assert refuted > 60 * len(seeds) // HOW_MANY


def test_what_makes_a_node_impossible_leaves_no_way_to_fill_it_with_the_others(seeds: range):
    """Rules that more modules cannot mend refute all nodes together just if no fill keeps those rules."""
    impossible = 0
    for seed in seeds[::2]:
        staging, plain, _ = known(seed)
        if not plain.open or any(plain.keeps(fill, complete=False) for fill in plain.all_fills()):
            continue
        elements = [
            element
            for element in all_elements(plain)
            if "least" not in element
            and (
                "constraint" not in element
                or isinstance(staging.constraints[element["constraint"]], (Count, *FORBIDDING))
            )
        ]
        counts = tuple(Count(c.modules, 0, c.most, c.nodes) if isinstance(c, Count) else c for c in staging.constraints)
        mild = Staging(
            staging.rules,
            staging.cluster,
            staging.picks,
            pick_selection=staging.pick_selection,
            pick_misfit=staging.pick_misfit,
            constraints=counts,
        )
        cycles = list(all_cycles(plain, plain.open, elements))
        with SatSolver(formula_of(mild, plain.open, elements, [], cycles), with_proof=True) as solver:
            assert solver.solve(Budget().start())[0] is False, seed
            proof = solver.proof()
        first, *others = plain.open
        reason = {"node": first, "nodes": plain.open, "elements": elements, "cycles": cycles, "proof": proof}
        body = {"modules": plain.as_list({}), "left_out": [reason, *({"node": v} for v in others)]}
        assert violations(staging, make_certificate("valency", "partial", Verdict.YES, "partial", **body)) == [], seed
        body["left_out"] = [*({"node": v} for v in others), reason]
        wrong = violations(staging, make_certificate("valency", "partial", Verdict.YES, "partial", **body))
        assert bool(wrong) == bool(others), seed
        impossible += 1
    assert impossible > 15 * len(seeds) // HOW_MANY
