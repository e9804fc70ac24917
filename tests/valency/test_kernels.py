"""Each kernel by itself against the plainest way to say the same; and fills that take every path, by every solver."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED, Budget
from solvent.valency.generator import read_rules
from solvent.valency.model import Count, Lattice, Region, Separation, Staging, mask_of
from solvent.valency.notation.samples import learn_overlapping, parse_sample
from solvent.valency.slices import distinct
from solvent.valency.solver.agree_kernel import Agreement
from solvent.valency.solver.collapse_kernel import HEAP_FULL, Collapse
from solvent.valency.solver.filling import FILLED, Filling
from solvent.valency.solver.formula_kernel import EdgeClauses
from solvent.valency.solver.joins_kernel import Pieces
from solvent.valency.solver.network import boot, pack, pairs_closer_than, unpack
from solvent.valency.solver.orders import BUILTIN
from solvent.valency.solver.orders.collapsing import frontier_order
from valency.stagings import random_staging

pytestmark = pytest.mark.modes

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


def pattern_staging(size: int) -> Staging:
    """Return a small grid to fill with the patterns of a drawn sample, of which there are more than 64."""
    rules = learn_overlapping(parse_sample(SAMPLE), pattern=3, symmetry=2, name="sample")
    assert len(rules.modules) > 64
    return Staging(rules, Lattice(size, size))


@pytest.mark.parametrize("solver", [name for name in BUILTIN if name != "priority"])
def test_every_solver_fills_with_more_modules_than_bits_in_a_word(solver: str):
    answer = solvent.ask(pattern_staging(7), solver=solver, seed=3, nodes=100_000)
    assert answer.verdict is Verdict.YES or (solver == "lazy" and answer.verdict is Verdict.UNKNOWN)


@pytest.mark.parametrize("solver", ["frontier", "entropy", "constraint"])
@pytest.mark.parametrize("many", [False, True])
def test_counts_and_separations_and_regions_are_kept(solver: str, many: bool):
    staging = pattern_staging(7) if many else Staging(read_rules("terrain", []), Lattice(6, 6))
    held = solvent.ask(staging, seed=1).certificate
    assert held is not None
    module = int(np.bincount(np.array(held["modules"])).argmax())
    counted = replace(
        staging,
        constraints=(Count(mask_of([module]), 2, 4), Separation(mask_of([module]), 2)),
        regions=(Region((0, 1, 2), 7, ((module, 3.0),)),),
    )
    for seed in range(2):
        assert solvent.ask(counted, seed=seed, solver=solver, nodes=200_000).verdict is not Verdict.UNKNOWN


class Recorded:
    """Note how every call of a collapse ends."""

    def __init__(self, collapse: Collapse) -> None:
        self.collapse = collapse
        self.statuses: list[int] = []

    def run(self, limit: int) -> int:
        self.statuses.append(self.collapse.run(limit))
        return self.statuses[-1]


def test_work_may_be_cut_anywhere_and_a_full_heap_grows():
    network = boot(pattern_staging(9))
    whole, cut = (Filling(network, seeds=np.array([0], dtype=np.uint64)) for _ in range(2))
    recorded = Recorded(cut._prepare(UNLIMITED))
    cut._collapse = recorded  # type: ignore[assignment]
    for filling in (whole, cut):
        filling.look_at_all()
    for limit in range(1, 40):
        cut.run(Budget(nodes=limit).start())
    for filling in (whole, cut):
        assert filling.run(Budget(nodes=100_000).start())[0] == FILLED
    assert HEAP_FULL in recorded.statuses
    assert cut.repairs > 0
    assert (whole.modules() == cut.modules()).all()
    assert (whole.filled_at == cut.filled_at).all()


@pytest.mark.parametrize("modules", [3, 64, 65, 130])
def test_edge_clauses_say_what_does_not_agree(modules: int):
    random = np.random.default_rng(modules)
    agrees = random.random((modules, modules)) < 0.5
    allowed = random.random((4, modules)) < 0.5
    agrees[0] = True
    variable = np.arange(4 * modules, dtype=np.int32).reshape(4, modules) + 1
    start, end = np.array([0, 1, 3], dtype=np.int64), np.array([1, 2, 0], dtype=np.int64)
    expected = []
    for node, other in zip(start.tolist(), end.tolist(), strict=True):
        for module in np.flatnonzero(allowed[node]).tolist():
            if (allowed[other] & ~agrees[module]).any():
                beside = variable[other, allowed[other] & agrees[module]].tolist()
                expected.append([-int(variable[node, module]), *beside])
    clauses = EdgeClauses(pack(agrees).data, pack(allowed).data, variable.data, start.data, end.data)
    clauses.count()
    assert (clauses.clauses, clauses.literals) == (len(expected), sum(map(len, expected)))
    literals, widths = np.empty(clauses.literals, dtype=np.int32), np.empty(clauses.clauses, dtype=np.int64)
    clauses.write(literals.data, widths.data)
    assert literals.tolist() == [literal for clause in expected for literal in clause]
    assert widths.tolist() == [len(clause) for clause in expected]


@pytest.mark.parametrize("seed", range(8))
def test_pieces_are_named_after_their_lowest_node(seed: int):
    random = Random(seed)
    nodes = 12
    part = [random.random() < 0.8 for _ in range(nodes)]
    members = [node for node in range(nodes) if part[node]]
    edges = [random.sample(members, 2) for _ in range(random.randrange(8))]
    pieces = {node: {node} for node in members}
    for one, other in edges:
        merged = pieces[one] | pieces[other]
        for node in merged:
            pieces[node] = merged
    lowest = np.where(part, np.arange(nodes), -1)
    source, target = (np.array([edge[side] for edge in edges], dtype=np.int32) for side in range(2))
    joined = Pieces(lowest.data)
    for part_of_edges in (slice(0, 3), slice(3, None)):
        joined.join_ends(source[part_of_edges].data, target[part_of_edges].data)
    while not joined.settle(5):
        pass
    assert lowest.tolist() == [min(pieces[node]) if part[node] else -1 for node in range(nodes)]


@pytest.mark.parametrize("distance", [1, 2, 3, 9])
def test_pairs_are_those_within_a_distance(distance: int):
    network = boot(replace(pattern_staging(4), cluster=Lattice(4, 3)))
    first, second = pairs_closer_than(network.arc_start, network.arc_target, distance)
    expected = {
        (one, other)
        for one in range(12)
        for other in range(12)
        if one != other and abs(one % 4 - other % 4) + abs(one // 4 - other // 4) < distance
    }
    found = list(zip(first.tolist(), second.tolist(), strict=True))
    assert set(found) == expected
    assert len(found) == len(expected)
    assert first.tolist() == sorted(first.tolist())


@pytest.mark.parametrize("seed", range(12))
def test_agreement_is_that_of_all_pairs(seed: int):
    network = boot(random_staging(seed))
    random = Random(seed)
    may = unpack(network.domains, network.modules)
    for _ in range(10):
        modules = np.array([random.randrange(-1, network.modules) for _ in range(network.nodes)], dtype=np.int64)
        fine = all(may[node, module] for node, module in enumerate(modules.tolist()) if module >= 0)
        for node in range(network.nodes):
            for arc in range(network.arc_start[node], network.arc_start[node + 1]):
                one, other = modules[node], modules[network.arc_target[arc]]
                fine = fine and (one < 0 or other < 0 or bool(network.agreements[network.arc_kind[arc], one, other]))
        agreement = Agreement(network.arcs, network.domains.data, modules.data)
        while not agreement.run(3):
            pass
        assert agreement.holds == fine


def test_the_frontier_grows_from_the_middle_without_gaps():
    network = boot(Staging(read_rules("terrain", []), Lattice(5, 5)))
    order = frontier_order(network).tolist()
    assert sorted(order) == list(range(25))
    assert order[0] == 12
    for place, node in enumerate(order[1:], start=1):
        beside = network.arc_target[network.arc_start[node] : network.near_end[node]].tolist()
        assert set(beside) & set(order[:place])


def test_distinct_numbers_are_those_of_numpy():
    for values in ([], [3], [2, 2, 1], [5, -1, 5, 0]):
        row = np.array(values, dtype=np.int64)
        assert distinct(row).tolist() == np.unique(row).tolist()
