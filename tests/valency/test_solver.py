"""Answers against brute force: verdicts, fills and options, on tiny stagings with every rule there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from torture.judges.valency import Twin, fillers_are_needed, is_solvable, rules_hold

import solvent
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Answer, Cause, Verdict
from solvent.core.budget import Cancellation
from solvent.valency.model import FILLER, NULL_SLOT, Bonds, Graph, Module, Staging
from valency.stagings import colouring, colours, on_row, on_square, plain_modules, random_staging, random_truth

SOLVERS = ("auto", "entropy", "frontier", "scanline", "priority", "constraint", "lazy")


def staging_for(solver: str, seed: int) -> Staging:
    """Return a random staging; for the priority solver one that says what comes first."""
    staging = random_staging(seed)
    if solver == "priority" and not staging.priorities:
        return replace(staging, priorities=tuple(float(node * 7 % 5) for node in range(Twin(staging).size)))
    return staging


def expected_verdict(seed: int) -> Verdict:
    return Verdict.YES if random_truth(seed) else Verdict.NO


def assert_fill_is_right(staging: Staging, answer: Answer) -> None:
    """Compare a fill with every rule, those about fillers too."""
    assert answer.certificate is not None
    assert answer.certificate["form"] == "assignment"
    modules = answer.certificate["modules"]
    twin = Twin(staging)
    assert len(modules) == twin.size
    fill = {v: m for v, m in enumerate(modules) if m != NULL_SLOT}
    assert rules_hold(twin, fill), (staging, modules)
    assert fillers_are_needed(twin, fill), (staging, modules)


def assert_right(seed: int, answer: Answer) -> None:
    assert answer.verdict is expected_verdict(seed), (seed, answer)
    assert answer.reason is None
    if answer.verdict is Verdict.YES:
        assert_fill_is_right(random_staging(seed), answer)
    elif answer.certificate is not None:
        assert answer.certificate["form"] == "refutation"


def assert_all_right(seeds: Iterable[int], **options: Any) -> Counter[Verdict]:
    seen: Counter[Verdict] = Counter()
    for seed in seeds:
        answer = solvent.ask(staging_for(options.get("solver", ""), seed), **options)
        assert answer.certified or not options.get("proof", True)
        assert_right(seed, answer)
        seen[answer.verdict] += 1
    return seen


# In parts, so that several processes share them.
@pytest.mark.parametrize("part", [0, *slow(range(1, up_to(3, deep=6)))])
def test_every_answer_is_that_of_brute_force(part: int):
    seen = assert_all_right(range(200 * part, 200 * (part + 1)))
    assert min(seen[Verdict.YES], seen[Verdict.NO]) > 60  # there is something to get wrong on both sides


@pytest.mark.slow
@pytest.mark.parametrize("part", range(up_to(3, deep=10)))
def test_every_answer_is_that_of_brute_force_thousands_of_times(part: int):
    begin = 10_000 + 500 * part
    assert_all_right(range(begin, begin + 500))


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_answers_like_brute_force_hundreds_of_times(solver: str):
    for seed in range(20_000, up_to(20_200, deep=20_600)):
        answer = solvent.ask(staging_for(solver, seed), solver=solver)
        if answer.verdict is not Verdict.UNKNOWN:
            assert_right(seed, answer)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("repair", "windows"), list(product((True, False), repeat=2)))
@pytest.mark.parametrize("seeds", [range(15), *slow([range(15, up_to(60, deep=120))])], ids=str)
def test_no_option_changes_a_verdict(solver: str, repair: bool, windows: bool, seeds: range):
    """What a weaker method cannot decide is UNKNOWN; it never says the opposite."""
    seen: Counter[Verdict] = Counter()
    for seed in seeds:
        answer = solvent.ask(staging_for(solver, seed), solver=solver, repair=repair, windows=windows)
        seen[answer.verdict] += 1
        if answer.verdict is not Verdict.UNKNOWN:
            assert_right(seed, answer)
    assert seen[Verdict.YES] > len(seeds) // 6
    if windows and solver != "lazy":
        assert not seen[Verdict.UNKNOWN]


@pytest.mark.parametrize("options", [{"proof": False}, {"minimal": False}, {"trace": True}, {"invert": True}], ids=str)
def test_options_that_change_no_method_change_no_verdict(options: dict[str, Any]):
    if "invert" in options:
        options = {**options, "solver": "priority"}
    seen = assert_all_right(range(up_to(50, deep=150)), **options)
    assert min(seen[Verdict.YES], seen[Verdict.NO]) > 13


def test_a_trace_changes_no_fill():
    for seed in range(60):
        with_it, without = (solvent.ask(random_staging(seed), trace=trace) for trace in (True, False))
        assert with_it.certificate == without.certificate


class TestStopping:
    """A budget that runs out gives UNKNOWN with its reason, never NO."""

    # Colours that need more than one propagation, and a clash that is no child's play: pigeons in too few holes.
    PIGEONS = colouring(6, [(a, b) for a in range(6) for b in range(a)], 5)

    def test_no_nodes_no_answer(self):
        for staging in (self.PIGEONS, on_square(20, 20, colours(3, 4))):
            answer = solvent.ask(staging, nodes=0)
            assert answer.verdict is Verdict.UNKNOWN
            assert answer.reason is not None
            assert answer.reason.cause is Cause.NODES

    def test_a_cancelled_search_says_so(self):
        cancellation = Cancellation()
        cancellation.cancel()
        answer = solvent.ask(self.PIGEONS, cancellation=cancellation)
        assert answer.verdict is Verdict.UNKNOWN
        assert answer.reason is not None
        assert answer.reason.cause is Cause.CANCELLED

    def test_any_number_of_nodes_gives_the_verdict_or_none(self):
        unknown = 0
        for seed in range(80):
            for nodes in (0, 1, 2, 5, 20, 1000):
                answer = solvent.ask(random_staging(seed), nodes=nodes)
                if answer.verdict is Verdict.UNKNOWN:
                    unknown += 1
                    assert answer.reason is not None
                    assert answer.reason.cause is Cause.NODES
                else:
                    assert_right(seed, answer)
        assert unknown > 50

    def test_pigeons_are_proved_too_many(self):
        assert solvent.ask(self.PIGEONS).verdict is Verdict.NO
        fewer = colouring(5, [(a, b) for a in range(5) for b in range(a)], 5)
        assert_fill_is_right(fewer, solvent.ask(fewer))


class TestShapes:
    """Clusters at the edges of what there is."""

    @pytest.mark.parametrize("periodic", ["", "x", "y", "xy"])
    @pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 5), (3, 3)])
    @pytest.mark.parametrize("count", [2, 3])
    def test_small_lattices(self, periodic: str, size: tuple[int, int], count: int):
        staging = on_square(*size, colours(count, 4), periodic)
        answer = solvent.ask(staging)
        assert answer.verdict is (Verdict.YES if is_solvable(staging) else Verdict.NO)
        if answer.verdict is Verdict.YES:
            assert_fill_is_right(staging, answer)

    @pytest.mark.parametrize("count", [1, 2, 63, 64, 65])
    def test_any_number_of_modules(self, count: int):
        # A ring in which module m wants m + 1 to its right: it closes if its length is a multiple of their number.
        modules = tuple(
            Module(f"m{m}", f"m{m}", (Bonds(neighbours=(1 << (m + 1) % count, None, 1 << (m - 1) % count)),))
            for m in range(count)
        )
        closed = on_square(2 * count, 1, modules, "x")
        answer = solvent.ask(closed)
        assert_fill_is_right(closed, answer)
        if count > 1:
            assert solvent.ask(on_square(2 * count + 1, 1, modules, "x")).verdict is Verdict.NO

    def test_sixty_four_orbitals(self):
        # A star: its middle uses all orbitals there are.
        edges = [(0, v) for v in range(1, 65)]
        for count, verdict in ((2, Verdict.YES), (3, Verdict.YES)):
            staging = colouring(65, edges, count)
            answer = solvent.ask(staging)
            assert answer.verdict is verdict
            assert_fill_is_right(staging, answer)

    def test_a_cluster_of_null_slots(self):
        staging = on_row(1, plain_modules(2))
        answer = solvent.ask(staging)
        assert answer.certificate is not None
        assert answer.certificate["modules"] == [NULL_SLOT]

    @pytest.mark.parametrize("orbitals", [None, []])
    def test_a_graph_without_edges(self, orbitals: list[Any] | None):
        graph = Graph(positions=[(0, 0, 0), (1, 0, 0)], edges=[], orbitals=orbitals)  # type: ignore[arg-type]
        rules = on_row(2, plain_modules(1)).rules
        answer = solvent.ask(Staging(rules, graph))
        assert answer.certificate is not None
        assert answer.certificate["modules"] == [NULL_SLOT, NULL_SLOT]
        asking = replace(rules, modules=plain_modules(1, least=1))
        assert solvent.ask(Staging(asking, graph)).verdict is Verdict.NO

    def test_larger_boards(self):
        staging = on_square(40, 30, colours(3, 4), "xy")
        answer = solvent.ask(staging)
        assert answer.verdict is Verdict.YES
        fill = dict(enumerate(answer.certificate["modules"]))  # type: ignore[index]
        assert rules_hold(Twin(staging), fill)


class TestFillers:
    def test_a_filler_stands_only_where_nothing_else_can(self):
        loner = Module("loner", "loner", (Bonds(neighbours=(0b10,) * 4),))
        staging = on_square(6, 6, (loner, Module("rest", "rest", (Bonds(),), placement=FILLER, weight=1000.0)))
        for seed in range(10):
            assert_fill_is_right(staging, solvent.ask(staging, seed=seed))

    def test_a_minimum_may_need_fillers(self):
        modules = (*plain_modules(1), Module("rest", "rest", (Bonds(),), placement=FILLER, least=3))
        staging = on_row(5, modules)
        for seed in range(10):
            answer = solvent.ask(staging, seed=seed)
            assert_fill_is_right(staging, answer)
            assert answer.certificate["modules"].count(1) == 3  # type: ignore[index]

    def test_fillers_alone(self):
        only = tuple(replace(module, placement=FILLER) for module in colours(2, 4))
        staging = on_square(5, 5, only)
        assert_fill_is_right(staging, solvent.ask(staging))
