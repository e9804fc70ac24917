"""Drafts that are brought in order by drawing windows anew: what the kernels book is true, and the mix stays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from torture.judges.valency import is_solvable

import solvent
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.core.errors import CertificateRejected
from solvent.valency.authoring import (
    RuleBook,
    acyclic,
    connected,
    consecutive,
    count,
    loop,
    mirror,
    parity,
    path,
    rotation,
)
from solvent.valency.model import (
    SQUARE_ORBITALS,
    Acyclic,
    Bonds,
    Connected,
    Consecutive,
    Count,
    Lattice,
    Layer,
    Loop,
    Module,
    Path,
    Pick,
    Rules,
    Staging,
)
from solvent.valency.solver.joins import pieces, sizes_of_pieces
from solvent.valency.solver.ladder import agree
from solvent.valency.solver.network import Network, boot
from solvent.valency.solver.resampling import Mix, Remix, count_by_region


def roads(*, ends: bool = False) -> RuleBook:
    """Return grass, roads and turns; with `ends`, roads may end."""
    rules = RuleBook("square")
    rules.module("grass", sockets={"*": "grass"}, weight=4)
    rules.module("road", sockets={"left": "road", "right": "road", "*": "grass"}, rotations=2)
    rules.module("turn", sockets={"down": "road", "right": "road", "*": "grass"}, rotations=4)
    if ends:
        rules.module("end", sockets={"right": "road", "*": "grass"}, rotations=4)
    return rules


def branching() -> RuleBook:
    """Return roads that may branch and end."""
    rules = roads(ends=True)
    return rules.module("tee", sockets={"left": "road", "right": "road", "down": "road", "*": "grass"}, rotations=4)


def modules_of(task: Staging) -> np.ndarray:
    """Return the modules of a fill."""
    answer = solvent.ask(task, nodes=20_000_000)
    assert answer.verdict is Verdict.YES
    assert answer.certificate is not None
    return np.array(answer.certificate["modules"])


def shares(task: Staging) -> np.ndarray:
    """Return the share of each module in a fill."""
    counts = np.bincount(modules_of(task), minlength=len(task.rules.modules))
    return counts / counts.sum()


@pytest.mark.parametrize("seed", range(3))
def test_what_must_be_connected_keeps_the_mix(seed: int):
    task = roads().on_grid(24, 24, seed=seed, picks={(0, 0): "turn"})
    joined = roads().on_grid(24, 24, seed=seed, picks={(0, 0): "turn"}, constraints=[connected(sockets="road")])
    assert np.abs(shares(task) - shares(joined)).sum() / 2 < 0.1


def test_a_count_asks_for_no_more_than_it_says():
    task = roads().on_grid(24, 24, seed=1)
    grass = shares(task)[0]
    counted = roads().on_grid(24, 24, seed=1, constraints=[count("grass", least=round((grass + 0.05) * 576))])
    assert grass + 0.04 < shares(counted)[0] < grass + 0.1


@pytest.mark.parametrize("seed", range(3))
def test_a_long_connected_path_with_dead_ends(seed: int):
    road = ["road", "turn", "end"]
    task = roads(ends=True).on_grid(
        12, 12, seed=seed, picks={(0, 0): "end"}, constraints=[connected(sockets="road"), count(road, least=20)]
    )
    held = Counter(task.rules.modules[module].name for module in modules_of(task).tolist())
    assert held["road"] + held["turn"] + held["end"] >= 20
    assert held["end"] <= 2  # roads do not branch


def tiny_task(random: Random) -> Staging:
    """Return a small grid with constraints on what hangs together and on counts."""
    size = random.choice(((2, 2), (3, 2), (4, 2), (3, 3)))
    names = 2 if size == (3, 3) else random.choice((2, 3))
    full = (1 << names) - 1

    def listed() -> int | None:
        return random.choice((None, None, random.randint(1, full)))

    modules = tuple(
        Module(f"m{m}", f"m{m}", (Bonds(neighbours=tuple(listed() for _ in range(4))),), random.choice((1.0, 4.0)))
        for m in range(names)
    )
    rules = Rules((Layer("ways", SQUARE_ORBITALS),), modules)
    nodes = size[0] * size[1]

    def exits() -> tuple[tuple[int, ...], ...]:
        return random.choice(((), (tuple(random.randrange(16) for _ in range(names)),)))

    constraints: list[Connected | Path | Count] = [Connected(random.randint(1, full), exits())]
    if random.random() < 0.7:
        least = random.randint(0, nodes)
        constraints.append(Count(random.randint(1, full), least, random.choice((None, random.randint(least, nodes)))))
    if random.random() < 0.3:
        constraints.append(Path(0, nodes - 1, random.randint(1, full), exits()))
    wraps = (random.random() < 0.3, False, False)
    picks = (Pick(random.randrange(nodes), "m1"),) if random.random() < 0.3 else ()
    return Staging(
        rules, Lattice(*size, periodic=wraps), picks, constraints=tuple(constraints), seed=random.randrange(9)
    )


@pytest.mark.parametrize("block", [*range(3), *slow(range(3, 10))])
def test_verdicts_on_tiny_tasks_are_those_of_brute_force(block: int):
    random = Random(block)
    verdicts: Counter[Verdict] = Counter()
    for _ in range(60):
        task = tiny_task(random)
        answer = solvent.ask(task, nodes=200_000)
        assert answer.verdict is (Verdict.YES if is_solvable(task) else Verdict.NO), task
        verdicts[answer.verdict] += 1
    assert min(verdicts[Verdict.YES], verdicts[Verdict.NO]) > 3


def broken_in(network: Network, modules: np.ndarray) -> int:
    """Count loose pieces, constraint by constraint."""
    found = 0
    for _, constraint in network.joins:
        names, _ = sizes_of_pieces(pieces(network, constraint, modules))
        found += max(0, len(names) - 1)
    return found


def a_draft(task: Staging) -> tuple[Network, np.ndarray, Remix]:
    """Return a fill without the constraints of a task, and what brings it in order."""
    network = boot(task)
    draft = modules_of(replace(task, constraints=()))
    remix = Remix(network, draft, network.domains, Mix(network, draft, UNLIMITED), 5, UNLIMITED)
    return network, draft, remix


@pytest.mark.modes
@pytest.mark.parametrize("seed", range(2))
def test_the_books_are_right_at_any_time(seed: int):
    cons = [connected(sockets="road"), count("grass", least=30, most=40)]
    network, draft, remix = a_draft(roads(ends=True).on_grid(8, 8, seed=seed, constraints=cons))
    bound = network.count_bounds[0]
    remix.kernel.set_manner(0.5, 8, 5.0)
    assert remix.kernel.broken == broken_in(network, draft)
    for _ in range(40):
        remix.kernel.run(25, 0.0)
        held = remix.modules
        assert agree(network, held)
        assert remix.kernel.broken == broken_in(network, held)
        there = bound.held(held)
        assert remix.kernel.misses == max(0, bound.least - there) + max(0, there - bound.most)
        away = count_by_region(network, held, UNLIMITED) - count_by_region(network, draft, UNLIMITED)
        weights = count_by_region(network, draft, UNLIMITED) + 4
        assert remix.kernel.distance == pytest.approx(float((away**2 / weights).sum()))
    assert remix.kernel.taken > 20


def naive_faults(task: Staging, modules: list[int]) -> int:
    """Count circles, loose pieces and wrong joins of a loop, or long rows, cell by cell, for its one constraint."""
    (one,) = task.constraints
    width, size = task.cluster.width, len(modules)  # type: ignore[union-attr]
    taking = {node for node in range(size) if one.modules >> modules[node] & 1}  # type: ignore[union-attr]
    if isinstance(one, Consecutive):
        rows = [range(v, v + one.most + 1) for v in range(size) if v % width + one.most < width]
        rows += [range(v, v + width * one.most + 1, width) for v in range(size) if v + width * one.most < size]
        return sum(taking.issuperset(row) for row in rows)
    assert isinstance(one, Acyclic | Loop)
    right, down, left, up = range(4)
    pairs = [(v, v + 1, right, left) for v in range(size) if v % width < width - 1]
    pairs += [(v, v + width, down, up) for v in range(size - width)]
    exits = one.exits[0]
    open_edges = [
        (v, w) for v, w, out, back in pairs
        if {v, w} <= taking and exits[modules[v]] >> out & exits[modules[w]] >> back & 1
    ]  # fmt: skip
    piece = {v: v for v in taking}
    for v, w in open_edges:
        old, new = piece[v], piece[w]
        piece = {node: new if of == old else of for node, of in piece.items()}
    pieces_there = len(set(piece.values()))
    if isinstance(one, Acyclic):
        return len(open_edges) - len(taking) + pieces_there
    joins = Counter(node for edge in open_edges for node in edge)
    return max(0, pieces_there - 1) + sum(abs(joins[node] - 2) for node in taking)


@pytest.mark.modes
@pytest.mark.parametrize(
    "constraint", [acyclic(sockets="road"), consecutive(["road", "turn", "tee"], 3), loop(sockets="road")]
)
def test_the_books_count_circles_rows_and_joins(constraint: object):
    task = branching().on_grid(9, 8, seed=5, constraints=[constraint])
    _, draft, remix = a_draft(task)
    remix.kernel.set_manner(2.0, 8, 1.0)
    seen = {remix.kernel.broken}
    assert remix.kernel.broken == naive_faults(task, draft.tolist())
    for _ in range(40):
        remix.kernel.run(15, 0.0)
        assert remix.kernel.broken == naive_faults(task, remix.modules.tolist())
        seen.add(remix.kernel.broken)
    assert len(seen) > 2


@pytest.mark.parametrize(
    "constraints",
    [
        [acyclic(sockets="road")],
        [acyclic(sockets="road"), connected(sockets="road")],
        [consecutive(["road", "turn", "end", "tee"], 5)],
        [mirror("x"), connected(sockets="road")],
        [rotation(1), acyclic(sockets="road"), parity("end", odd=False)],
    ],
)
def test_other_constraints_keep_the_mix(constraints: list[object]):
    task = branching().on_grid(16, 16, seed=2)
    limited = branching().on_grid(16, 16, seed=2, constraints=constraints)
    assert np.abs(shares(task) - shares(limited)).sum() / 2 < 0.2


@pytest.mark.modes
def test_a_path_comes_nearer_until_it_gets_through():
    task = roads().on_grid(9, 9, seed=2, constraints=[path((1, 1), (7, 7), sockets="road")])
    network, _, remix = a_draft(task)
    before = remix.kernel.broken
    assert before > 1
    assert remix.run() is None
    assert remix.kernel.broken == 0
    _, constraint = network.joins[0]
    assert isinstance(constraint, Path)
    piece = pieces(network, constraint, remix.modules)
    assert 0 <= piece[constraint.start] == piece[constraint.end]


def test_however_the_work_is_cut_the_result_is_the_same():
    task = roads().on_grid(10, 10, seed=4, constraints=[connected(sockets="road")])
    results = []
    for chunk in (1, 7, 1000):
        _, _, remix = a_draft(task)
        remix.kernel.set_manner(0.3, 12, 10.0)
        done = 0
        while done < 3000:
            drawn = remix.kernel.run(min(chunk, 3000 - done), -1.0)
            done += drawn
        results.append(remix.modules.tolist())
    assert results[0] == results[1] == results[2]


def test_once_all_is_in_order_it_stays_so():
    network, _, remix = a_draft(roads().on_grid(12, 12, seed=3, constraints=[connected(sockets="road")]))
    assert remix.run() is None
    assert remix.is_good
    remix.kernel.set_manner(5.0, 12, 0.0)  # anything goes that does not break it
    for _ in range(20):
        remix.kernel.run(50, -1.0)
        assert broken_in(network, remix.modules) == 0
    assert remix.kernel.taken > 100


def test_a_forged_fill_is_rejected():
    task = roads().on_grid(12, 12, seed=3, constraints=[connected(sockets="road"), count("grass", least=40)])
    answer = solvent.ask(task, nodes=20_000_000)
    assert answer.certificate is not None
    fill = list(answer.certificate["modules"])
    solvent.check(task, answer.certificate)
    rejected = 0
    for node in range(0, 144, 12):
        other = [*fill]
        other[node] = (fill[node] + 1) % len(task.rules.modules)
        with pytest.raises(CertificateRejected):
            solvent.check(task, {**answer.certificate, "modules": other})
        rejected += 1
    assert rejected == 12
    apart = np.zeros(144, dtype=int)  # all grass, but for two loops
    turns = {module.key: number for number, module in enumerate(task.rules.modules)}
    corners = sorted(number for key, number in turns.items() if key.startswith("turn"))
    loose = _with_loops(apart, corners, task)
    with pytest.raises(CertificateRejected, match="connected"):
        solvent.check(task, {**answer.certificate, "modules": loose})


def _with_loops(grass: np.ndarray, corners: list[int], task: Staging) -> list[int]:
    """Return grass with two small loops of road that have nothing to do with each other."""
    down, right = SQUARE_ORBITALS.orbitals.index(SQUARE_ORBITALS.orbitals[1]), 0
    network = boot(task)
    constraint = network.joins[0][1]
    by_exits = {constraint.exits[0][corner]: corner for corner in corners}
    left, up = 2, 3
    for x, y in ((2, 2), (8, 8)):
        grass[y * 12 + x] = by_exits[1 << right | 1 << down]
        grass[y * 12 + x + 1] = by_exits[1 << left | 1 << down]
        grass[(y + 1) * 12 + x] = by_exits[1 << right | 1 << up]
        grass[(y + 1) * 12 + x + 1] = by_exits[1 << left | 1 << up]
    return [int(one) for one in grass]
