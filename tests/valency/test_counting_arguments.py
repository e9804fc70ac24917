"""Proofs by counting: what clauses say badly is decided, brute force agrees, and no wrong sum is accepted."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.valency.stagings import random_staging, random_truth
from torture.judges.valency import is_solvable

import solvent
from solvent import asking
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.core.errors import BadOption
from solvent.proof.certificate import make_certificate
from solvent.valency import checker
from solvent.valency.checker.outside import outside_proofs
from solvent.valency.describe_certificate import describe_certificate
from solvent.valency.explaining.counting import narrate_counting
from solvent.valency.locating import locate
from solvent.valency.model import (
    SQUARE_ORBITALS,
    Bonds,
    Count,
    Lattice,
    Layer,
    Module,
    Only,
    Parity,
    Pick,
    Rules,
    Staging,
)
from solvent.valency.page.data import marks
from solvent.valency.page.proof_steps import proof_steps
from solvent.valency.phrases import Phrases
from solvent.valency.solver.counting_argument.finding import find_counting_argument
from solvent.valency.solver.network import boot

RANDOM_TASKS = 90
MUTATIONS = 1_000
MANY_MUTATIONS = 100_000


def domino_board(width: int, height: int, *, holes: tuple[tuple[int, int], ...] = (), **more: Any) -> Staging:
    """Read the bundled dominoes for a board of another size."""
    (example,) = [each for each in solvent.examples("valency") if each.name == "clipped_board"]
    task = json.loads(example.text)
    task["cluster"] = {"lattice": {"size": [width, height]}}
    task["picks"] = {"at": [{"node": list(hole), "module": "hole"} for hole in holes]}
    read = solvent.parse(json.dumps(task | more), domain="valency")
    assert isinstance(read, Staging)
    return read


def pigeons(nodes: int, holes: int) -> Staging:
    """Make a row of nodes, and modules of which each may be there once."""
    modules = tuple(Module(f"h{m}", f"h{m}", (Bonds(),), most=1) for m in range(holes))
    return Staging(Rules((Layer("grid", SQUARE_ORBITALS),), modules), Lattice(nodes, 1))


def small_task(rng: Random) -> Staging:
    """Make a task that is soon counted through, with counts, parities and picks."""
    count, width, height = rng.randint(2, 4), rng.randint(2, 3), rng.randint(1, 3)
    everything = (1 << count) - 1
    tables = [[rng.choice((everything, rng.randint(1, everything))) for _ in range(count)] for _ in range(2)]
    modules = tuple(
        Module(f"m{m}", f"m{m}", (Bonds(neighbours=(tables[0][m], tables[1][m], everything, everything)),))
        for m in range(count)
    )
    nodes = width * height
    constraints: list[Any] = []
    for _ in range(rng.randint(0, 2)):
        among = tuple(sorted(rng.sample(range(nodes), rng.randint(1, nodes)))) if rng.random() < 0.4 else ()
        mask = rng.randint(1, everything)
        least = rng.randint(0, nodes)
        kind = rng.randrange(5)
        if kind == 0:
            constraints.append(Count(mask, least, least, among))
        elif kind == 1:
            constraints.append(Count(mask, 0, least, among))
        elif kind == 2:
            constraints.append(Count(mask, least, None, among))
        elif kind == 3:
            constraints.append(Parity(mask, rng.random() < 0.5, among))
        else:
            constraints.append(Only(mask, among or (0,)))
    picks = tuple(Pick(node, f"m{rng.randrange(count)}") for node in range(nodes) if rng.random() < 0.1)
    lattice = Lattice(width, height, periodic=(rng.random() < 0.3, rng.random() < 0.3, False))
    layers = (Layer("grid", SQUARE_ORBITALS),)
    return Staging(Rules(layers, modules), lattice, picks=picks, constraints=tuple(constraints))


def certificate_of(staging: Staging) -> dict[str, Any] | None:
    """Return what counting finds by itself, as a certificate."""
    argument = find_counting_argument(boot(staging), UNLIMITED.part(), quick=False)
    if argument is None:
        return None
    return dict(make_certificate("valency", "solvable", Verdict.NO, "counting", **argument.as_json()))


def mutated(rng: Random, certificate: Mapping[str, Any]) -> dict[str, Any]:
    """Change some of the numbers and lists of an argument."""
    found = copy.deepcopy(dict(certificate))
    for _ in range(rng.randint(1, 3)):
        change = rng.randrange(7)
        at = rng.randrange(len(found["elements"])) if found["elements"] else 0
        if change == 0 and found["elements"]:
            del found["elements"][at], found["points"][at]
        elif change == 1 and found["tables"]:
            table = rng.choice(found["tables"])
            table.append([rng.randrange(4), rng.randint(-2, 2)])
        elif change == 2 and any(found["tables"]):
            pair = rng.choice(rng.choice([table for table in found["tables"] if table]))
            pair[1] += rng.choice((-1, 1))
        elif change == 3 and found["elements"] and found["points"][at]:
            place = rng.randrange(len(found["points"][at]))
            found["points"][at][place] += rng.choice((-1, 1))
        elif change == 4:
            found["modulus"] = rng.choice((0, 1, 2, 3, 4, 5))
        elif change == 5 and found["nodes"]:
            found["nodes"].pop(rng.randrange(len(found["nodes"])))
        elif change == 6 and found["elements"]:
            found["elements"].append(found["elements"][at])
            found["points"].append(found["points"][at])
    return found


def nearby(rng: Random, staging: Staging) -> Staging:
    """Change a bound, or leave something out, as someone might who mends a task."""
    constraints = list(staging.constraints)
    if constraints and rng.random() < 0.8:
        at = rng.randrange(len(constraints))
        one = constraints[at]
        if isinstance(one, Count):
            by = rng.choice((-1, 1))
            least = max(0, one.least + by) if one.least else 0
            constraints[at] = replace(one, least=least, most=None if one.most is None else max(least, one.most + by))
        elif isinstance(one, Parity):
            constraints[at] = replace(one, odd=not one.odd)
        else:
            del constraints[at]
        return replace(staging, constraints=tuple(constraints))
    return replace(staging, picks=staging.picks[1:], constraints=tuple(constraints))


def accept_none_that_is_wrong(mutations: int, seed: int) -> None:
    """Check mutated arguments against tasks that can be filled: whichever is accepted proves what is false."""
    rng = Random(seed)
    tried = 0
    while tried < mutations:
        staging = small_task(rng)
        certificate = certificate_of(staging)
        if certificate is None:
            continue
        for _ in range(4):
            other = nearby(rng, staging)
            if not is_solvable(other):
                continue
            assert checker.violations(other, certificate)
            for _ in range(50):
                wrong = mutated(rng, certificate)
                assert checker.violations(other, wrong), (other, wrong)
                tried += 1


@pytest.mark.parametrize(
    "board", [domino_board(12, 12, holes=((0, 0), (11, 11))), pigeons(12, 11)], ids=["clipped board", "pigeons"]
)
def test_what_clauses_say_badly_is_refuted_by_counting(board: Staging) -> None:
    answer = asking.ask(board, "solvable", budget=asking.limits(nodes=400_000))
    assert answer.verdict is Verdict.NO
    assert answer.certificate is not None
    assert answer.certificate["form"] == "counting"


@pytest.mark.parametrize(
    ("constraint", "modulus"),
    [
        ({"count": {"modules": ["lying, left half"], "least": 51}}, 0),
        ({"count": {"modules": ["lying, left half"], "least": 25, "most": 25}}, 2),
        ({"parity": {"modules": ["lying, left half"], "odd": True}}, 2),
    ],
    ids=["more than there is room for", "an odd number of lying dominoes", "the same, as a parity"],
)
def test_counts_of_dominoes_are_refuted(constraint: dict[str, Any], modulus: int) -> None:
    certificate = certificate_of(domino_board(10, 10, constraints=[constraint]))
    assert certificate is not None
    assert certificate["modulus"] == modulus
    assert not checker.violations(domino_board(10, 10, constraints=[constraint]), certificate)


def test_an_even_number_of_lying_dominoes_is_not_refuted() -> None:
    assert (
        certificate_of(
            domino_board(6, 6, constraints=[{"count": {"modules": ["lying, left half"], "least": 8, "most": 8}}])
        )
        is None
    )


@pytest.mark.parametrize("seed", range(0, RANDOM_TASKS, 30))
def test_brute_force_agrees(seed: int) -> None:
    found = 0
    for number in range(seed, seed + 30):
        rng = Random(number)
        tasks = [small_task(rng), small_task(rng)]
        for staging, solvable in [(task, is_solvable(task)) for task in tasks] + [
            (random_staging(number), random_truth(number))
        ]:
            certificate = certificate_of(staging)
            if certificate is not None:
                found += 1
                assert not solvable
                assert checker.violations(staging, certificate) == []
    assert found >= 5


def test_no_wrong_sum_is_accepted() -> None:
    accept_none_that_is_wrong(MUTATIONS, seed=1)


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_no_wrong_sum_is_accepted_of_very_many() -> None:
    accept_none_that_is_wrong(MANY_MUTATIONS, seed=2)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda body: body.update(modulus=1), "expected a modulus of 0 or above 1"),
        (lambda body: body["points"].pop(), "expected points for 23 elements, found 22"),
        (lambda body: body["elements"].__setitem__(0, {"apart": [0, 0, 1]}), "cannot use apart"),
        (lambda body: body["elements"].__setitem__(0, {"node": 1}), "no element says that node 0 (x 0, y 0) is filled"),
        (lambda body: body["points"].__setitem__(0, [1]), "expected no points for filling node 0"),
        (lambda body: body["points"].__setitem__(-1, [0]), "node by node there are at least"),
        (lambda body: body["points"].__setitem__(-1, None), "expected one number"),
        (lambda body: body.update(tables=[[[99, 1]]]), "has module 99, which there is not"),
        (lambda body: body.update(points="none"), "malformed"),
        (lambda body: body.update(nodes=[*body["nodes"], 12]), "the last is 11"),
    ],
)
def test_what_is_wrong_is_said(change: Any, complaint: str) -> None:
    staging = pigeons(12, 11)
    certificate = certificate_of(staging)
    assert certificate is not None
    change(certificate)
    assert complaint in " ".join(checker.violations(staging, certificate))


def test_it_is_described_located_drawn_and_told() -> None:
    staging = pigeons(12, 11)
    answer = asking.ask(staging, "solvable", budget=asking.limits(nodes=100_000))
    certificate = answer.certificate
    assert certificate is not None
    assert "Shown by counting" in " ".join(describe_certificate(staging, certificate))
    assert locate(staging, answer)
    assert len(marks(staging, certificate)["clash"]["nodes"]) == 12
    assert "Cannot be filled" in solvent.draw(staging, certificate=certificate)
    lines = narrate_counting(Phrases.of(staging), certificate, UNLIMITED)
    assert "12 at least" in lines[-1]
    steps = list(proof_steps(staging, certificate, UNLIMITED))
    assert steps[-1].text == lines[-1]
    assert steps[-1].marks["ends"]
    with pytest.raises(BadOption, match="proves by counting"):
        list(outside_proofs(staging, certificate))
