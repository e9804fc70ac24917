"""Constraints about certain nodes, rows, images, pairs, parity, circles and loops: every answer is that of brute force.

The judge in `torture.judges.valency` states each of them a second time, one node at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from pysat.solvers import Solver
from torture.instances.valency import LIMITS, make_staging, with_limit
from torture.judges.valency import (
    Twin,
    fillers_are_needed,
    fills,
    is_right_partially,
    is_solvable,
    joins,
    rules_hold,
)

import solvent
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import UNLIMITED
from solvent.core.errors import BadOption
from solvent.proof.certificate import make_certificate
from solvent.valency.authoring import (
    RuleBook,
    acyclic,
    border,
    consecutive,
    count,
    ground,
    loop,
    mirror,
    only,
    parity,
    rotation,
    separation,
)
from solvent.valency.checker import violations
from solvent.valency.model import NULL_SLOT, Acyclic, Connected, Loop, Only, Path, Staging
from solvent.valency.solver.module_sets import Truths, unpack
from solvent.valency.solver.network import boot
from valency.plain_formula import all_cuts, all_cycles, formula_of
from valency.plain_rules import Plain
from valency.stagings import on_square, plain_modules

CASES = up_to(100, deep=600)
MAX_NODES_CUT = 5
"""How many nodes a clash with cuts has, at most, whose parts are left out one by one: there are many cuts."""


def random_stagings(kind: str, first: int, count: int) -> Iterator[Staging]:
    """Yield tiny stagings with a constraint of this kind, and at most one other."""
    seed = first
    while count:
        staging = make_staging(Random(seed))
        limited = with_limit(Random(seed), replace(staging, constraints=staging.constraints[:1]), kind)
        seed += 1
        if limited is not None:
            count -= 1
            yield limited


def filled(modules: list[int]) -> dict[int, int]:
    return {node: module for node, module in enumerate(modules) if module >= 0}


def is_satisfiable(clauses: object) -> bool:
    listed = [list(clause) for clause in clauses]  # type: ignore[attr-defined]
    if any(not clause for clause in listed):
        return False
    with Solver(name="minisat22", bootstrap_with=listed) as solver:
        return bool(solver.solve())


def assert_minimal(staging: Staging, answer: Answer) -> None:
    """Leaving out any one element must leave the others without a clash, with all cuts and circles there are."""
    assert answer.certificate is not None
    nodes, elements = answer.certificate["nodes"], answer.certificate["elements"]
    plain = Plain(staging)
    for number in range(len(elements)):
        others = [element for place, element in enumerate(elements) if place != number]
        more = [list(every(plain, nodes, others)) for every in (all_cuts, all_cycles)]
        assert is_satisfiable(formula_of(staging, nodes, others, *more)), (staging, elements[number])


def has_few_cuts(staging: Staging, answer: Answer) -> bool:
    assert answer.certificate is not None
    numbers = [element.get("constraint", -1) for element in answer.certificate["elements"]]
    asked = any(isinstance(staging.constraints[number], Connected | Path) for number in numbers if number >= 0)
    return not asked or len(answer.certificate["nodes"]) <= MAX_NODES_CUT


@pytest.mark.parametrize(
    ("kind", "first"), [*((kind, 0) for kind in LIMITS), *slow([(kind, 10_000) for kind in LIMITS])]
)
def test_every_answer_is_that_of_brute_force(kind: str, first: int):
    seen: Counter[str] = Counter()
    for staging in random_stagings(kind, first, CASES if first == 0 else 5 * CASES):
        answer = solvent.ask(staging, nodes=10**6)
        truth = is_solvable(staging)
        assert answer.verdict is (Verdict.YES if truth else Verdict.NO), staging
        assert answer.certificate is not None
        seen[answer.verdict.name] += 1
        seen["decided by it"] += truth != is_solvable(replace(staging, constraints=staging.constraints[:-1]))
        if truth:
            fill = filled(answer.certificate["modules"])
            assert rules_hold(Twin(staging), fill)
            assert fillers_are_needed(Twin(staging), fill)
        elif answer.certificate.get("minimal") and has_few_cuts(staging, answer):
            assert_minimal(staging, answer)
            seen["minimal"] += 1
    assert min(seen[name] for name in ("YES", "NO", "decided by it", "minimal")) >= 3, seen


@pytest.mark.parametrize("kind", LIMITS)
def test_the_checker_accepts_the_fills_of_brute_force_and_no_others(kind: str):
    """A few fills of many stagings, and each with one module changed, twice."""
    accepted = rejected = 0
    for staging in random_stagings(kind, 500, up_to(60, deep=150)):
        twin, random = Twin(staging), Random(7)
        for fill in list(fills(staging))[:6] if twin.open else ():
            one, other = ({random.choice(twin.open): random.randrange(len(twin.modules))} for _ in range(2))
            for changed in (fill, fill | one, fill | other):
                modules = [changed.get(v, NULL_SLOT) for v in range(twin.size)]
                certificate = make_certificate("valency", "solvable", Verdict.YES, "assignment", modules=modules)
                is_right = rules_hold(twin, changed) and fillers_are_needed(twin, changed)
                assert (not violations(staging, certificate)) == is_right, (staging, modules)
                accepted, rejected = accepted + is_right, rejected + (not is_right)
    assert accepted >= 15
    assert rejected >= 15


@pytest.mark.parametrize("kind", LIMITS)
def test_what_is_filled_partly_keeps_it(kind: str):
    left_out = 0
    for staging in random_stagings(kind, 900, up_to(30, deep=150)):
        answer = solvent.ask(staging, "partial", nodes=10**6)
        assert answer.verdict is Verdict.YES
        assert answer.certificate is not None
        left_out += len(answer.certificate["left_out"])
        assert is_right_partially(Twin(staging), filled(answer.certificate["modules"])), staging
    assert left_out > 5


@pytest.mark.parametrize("kind", LIMITS)
def test_they_survive_being_written_and_read(kind: str):
    for staging in random_stagings(kind, 1300, 15):
        again = solvent.parse(solvent.format(staging, "json"), domain="valency")
        assert again.constraints == staging.constraints


@pytest.mark.parametrize("kind", LIMITS)
def test_a_clash_is_put_into_words(kind: str):
    told = 0
    for staging in random_stagings(kind, 1700, 60):
        if any(element.get("constraint") == len(staging.constraints) - 1 for element in clash_of(staging)):
            text = str(solvent.explain(staging))
            assert f"onstraint {len(staging.constraints)}" in text, text
            told += 1
    assert told >= 3 or kind == "pairs"  # a clash names the pairs themselves


def clash_of(staging: Staging) -> list[dict[str, object]]:
    answer = solvent.ask(staging, nodes=10**6)
    assert answer.certificate is not None
    return list(answer.certificate.get("elements", []))


# Circles in certificates


def test_a_circle_must_be_one():
    """A ring of four cells that all hold road; the certificate names its edges."""
    book = RuleBook("square")
    book.module("road")
    staging = book.on_grid(2, 3, constraints=[acyclic("road")])
    answer = solvent.ask(staging, nodes=10**5)
    assert answer.certificate is not None
    fine = dict(answer.certificate)
    (circle,) = fine["cycles"]
    right, down = 0, 1
    assert violations(staging, fine) == []
    assert fine["elements"] == [*({"node": v} for v in fine["nodes"]), {"constraint": 0}]
    assert len(circle["edges"]) == len(fine["nodes"]) == 4
    for edges, expected in [
        ([], "has no edges"),
        (circle["edges"][:-1], "does not come back to where it began"),
        ([*circle["edges"], circle["edges"][0]], "names an edge twice"),
        ([[0, 1, right]], "an edge of node 1 on orbital 0 of layer 0: there is none"),
        ([[0, 0, 7]], "names orbital 7 of layer 0, which there is not"),
        ([[0, 6, down]], "names node 6, which there is not"),
        ([[0, 0, right], [0, 1, down], [0, 3, down], [0, 4, right], [0, 2, down], [0, 0, down]], "is not about"),
    ]:
        (wrong,) = violations(staging, {**fine, "cycles": [{"constraint": 0, "edges": edges}]})
        assert expected in wrong
    (wrong,) = violations(staging, {**fine, "cycles": [{**circle, "constraint": 1}]})
    assert wrong == "a cycle is for constraint 1, which is no element that has cycles"
    assert violations(staging, {**fine, "cycles": []})  # without it the proof proves nothing
    assert violations(staging, {**fine, "cycles": [{"constraint": 0}]})


# What a designer writes


def roads() -> RuleBook:
    """Grass, straight roads and turns; roads lead on into roads."""
    book = RuleBook("square")
    book.module("grass", weight=4, sockets={"right": "g", "down": "g", "left": "g", "up": "g"})
    book.module("road", rotations=2, sockets={"right": "r", "down": "g", "left": "r", "up": "g"})
    book.module("turn", rotations=4, sockets={"right": "r", "down": "g", "left": "g", "up": "r"})
    return book


def names_of(staging: Staging) -> list[list[str]]:
    answer = solvent.ask(staging, nodes=10**7)
    assert answer.verdict is Verdict.YES, answer
    assert answer.certificate is not None
    keys = [staging.rules.modules[module].name for module in answer.certificate["modules"]]
    width = staging.cluster.width  # type: ignore[union-attr]
    return [keys[begin : begin + width] for begin in range(0, len(keys), width)]


def test_the_border_of_a_map_is_grass():
    rows = names_of(roads().on_grid(9, 7, seed=3, constraints=[border("grass")]))
    rim = [*rows[0], *rows[-1], *(row[0] for row in rows), *(row[-1] for row in rows)]
    assert set(rim) == {"grass"}
    assert {name for row in rows for name in row} != {"grass"}
    banned = names_of(roads().on_grid(9, 7, seed=3, constraints=[border("grass", sides=["left"], ban=True)]))
    assert "grass" not in [row[0] for row in banned]


def test_ground_stands_below_and_nowhere_else():
    book = RuleBook("square")
    for name in ("sky", "cloud", "soil"):
        book.module(name)
    rows = names_of(book.on_grid(6, 5, seed=1, constraints=[ground("soil")]))
    assert rows[-1] == ["soil"] * 6
    assert all("soil" not in row for row in rows[:-1])


def test_no_road_is_longer_than_asked_for():
    rows = names_of(roads().on_grid(16, 12, seed=5, constraints=[consecutive("road", 2, along=["right", "down"])]))
    lines = [*rows, *map(list, zip(*rows, strict=True))]
    assert "road" in {name for row in rows for name in row}
    assert not any(line[at : at + 3] == ["road"] * 3 for line in lines for at in range(len(line)))


@pytest.mark.parametrize("axis", ["x", "y"])
def test_a_mirrored_map_is_its_own_mirror_image(axis: str):
    rows = names_of(roads().on_grid(12, 10, seed=2, constraints=[mirror(axis)]))
    assert rows == ([row[::-1] for row in rows] if axis == "x" else rows[::-1])
    assert len({name for row in rows for name in row}) == 3


@pytest.mark.parametrize("quarter_turns", [1, 2])
def test_a_turned_map_looks_the_same(quarter_turns: int):
    rows = names_of(roads().on_grid(10, 10, seed=4, constraints=[rotation(quarter_turns)]))
    turned = rows
    for _ in range(quarter_turns):
        turned = [list(row) for row in zip(*turned[::-1], strict=True)]
    assert turned == rows
    assert len({name for row in rows for name in row}) == 3


def test_an_odd_number_of_turns():
    """Roads may leave the map, so that both kinds of number are possible."""
    for odd in (False, True):
        rows = names_of(roads().on_grid(8, 8, seed=9, constraints=[parity("turn", odd=odd)]))
        assert sum(row.count("turn") for row in rows) % 2 == odd


def joins_of(staging: Staging) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return which cells of a map of roads lead on to which."""
    answer = solvent.ask(staging, nodes=10**7)
    assert answer.verdict is Verdict.YES, answer
    assert answer.certificate is not None
    twin = Twin(staging)
    (rule,) = (one for one in staging.constraints if isinstance(one, Acyclic | Loop))
    fill, width = filled(answer.certificate["modules"]), staging.cluster.width  # type: ignore[union-attr]
    beside: dict[tuple[int, int], list[tuple[int, int]]] = {
        (v % width, v // width): [] for v, m in fill.items() if rule.modules >> m & 1
    }
    for edge in twin.edges:
        if joins(rule, edge, fill):
            one, other = ((v % width, v // width) for v in (edge.node, edge.other))
            beside[one].append(other)
            beside[other].append(one)
    return beside


@pytest.mark.parametrize("seed", range(3))
def test_roads_form_one_loop(seed: int):
    beside = joins_of(roads().on_grid(10, 10, seed=seed, constraints=[loop(sockets="r"), count("turn", least=8)]))
    start = at = next(iter(beside))
    before, way = None, [at]
    while True:
        before, at = at, next(cell for cell in beside[at] if cell != before)
        if at == start:
            break
        way.append(at)
    assert len(way) == len(set(way)) == len(beside) >= 8


@pytest.mark.parametrize("seed", range(3))
def test_no_road_leads_back_to_where_it_began(seed: int):
    beside = joins_of(roads().on_grid(10, 10, seed=seed, constraints=[acyclic(sockets="r")]))
    assert len(beside) > 20
    while ends := [cell for cell, others in beside.items() if len(others) < 2]:
        for cell in ends:
            for other in beside.pop(cell):
                beside[other].remove(cell)
    assert not beside


def test_turns_keep_away_from_grass_pins():
    task = roads().on_grid(8, 8, seed=9, picks={(4, 4): "turn"}, constraints=[separation("turn", 3, others="grass")])
    rows = names_of(task)
    near = [(x, y) for x in range(8) for y in range(8) if abs(x - 4) + abs(y - 4) < 3]
    assert all(rows[y][x] != "grass" for x, y in near)


def test_certain_cells_hold_certain_modules():
    rows = names_of(roads().on_grid(8, 8, seed=9, constraints=[only(["road", "turn"], [(x, 3) for x in range(8)])]))
    assert "grass" not in rows[3]


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        (border("grass", sides=["top", "front"]), "one of left, right, top, bottom"),
        (border(["grass", "road", "turn"], ban=True), "leave others"),
        (consecutive("road", 0), "from 1 to"),
        (consecutive("road", 2, along=["sideways"]), "an orbital of layer"),
        (mirror("z"), "x, which swaps left and right"),
        (rotation(3), "1 or 2"),
        (rotation(1), "as wide as it is high"),
        (mirror("x", images={"turn": "road"}), "the key of one module"),
        (separation("road", 3, others=["road", "turn"]), "none that is among the modules"),
        (only("grass", [(99, 0)]), "a cell of a lattice"),
    ],
)
def test_what_cannot_be_meant_is_refused(constraint: object, expected: str):
    with pytest.raises(BadOption, match=expected):
        roads().on_grid(9, 7, constraints=[constraint])  # type: ignore[list-item]


def test_a_module_without_an_image_is_named():
    book = RuleBook("square")
    book.module("arrow", sockets={"right": "sea", "left": "land"})
    book.module("sea", sockets={"right": "sea", "left": "sea"})
    book.module("land", sockets={"right": "land", "left": "land"})
    with pytest.raises(BadOption, match="the image of 'arrow', 'sea', 'land': say it in images, or null"):
        book.on_grid(4, 4, constraints=[mirror("x")])


def test_an_only_that_leaves_nothing_is_a_clash_of_two():
    staging = on_square(3, 3, plain_modules(2), constraints=(Only(1, (4,)), Only(2, (4,))))
    assert clash_of(staging) == [{"node": 4}, {"constraint": 0}, {"constraint": 1}]


def kept_and_seen(staging: Staging) -> tuple[Truths, Truths]:
    """Return what constraints leave of each node before anything is chosen, and what stands there in some fill."""
    network = boot(staging)
    roots = network.domains.copy()
    for limit in network.limits:
        limit.narrow(roots, UNLIMITED)
    kept = unpack(roots, network.modules)
    seen = np.zeros_like(kept)
    for fill in fills(staging):
        seen[list(fill), list(fill.values())] = True
    return kept, seen


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("periodic", [False, "x"])
def test_modules_that_never_stand_in_short_rows_are_gone_before_anything_is_chosen(most: int, periodic: bool | str):
    """Beams begin, go on and end: with at most two in a row none goes on."""
    book = RuleBook("square")
    book.module("air", sockets={"left": "air", "right": "air"})
    for name, left, right in (("begin", "air", "beam"), ("on", "beam", "beam"), ("end", "beam", "air")):
        book.module(name, sockets={"left": left, "right": right})
    rule = consecutive(["begin", "on", "end"], most, along=["right"])
    kept, seen = kept_and_seen(book.on_grid(6, 1, periodic=periodic, constraints=[rule]))
    assert np.array_equal(kept, seen)
    assert kept[2].tolist() == [True, most > 1, most > 2, most > 1]


@pytest.mark.parametrize("kind", ["consecutive", "loop"])
def test_nothing_that_stands_in_a_fill_is_taken_away_beforehand(kind: str):
    taken = 0
    for staging in random_stagings(kind, 2100, up_to(60, deep=400)):
        if not staging.picks:
            kept, seen = kept_and_seen(staging)
            assert not (seen & ~kept).any(), staging
            taken += int((unpack(boot(staging).domains, kept.shape[1]) & ~kept).sum())
    assert taken >= 5
