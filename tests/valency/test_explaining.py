"""What a NO says clashes: that it does clash, and that nothing in it could be left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from torture.judges.valency import Edge, Twin, counted, is_solvable, joins

import solvent
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.valency.model import Bonds, Connected, Count, Module, Path, Pick, Separation
from valency.stagings import (
    colouring,
    on_row,
    on_square,
    plain_modules,
    random_explanation,
    random_staging,
    random_truth,
)

Element = Mapping[str, Any]


class Clash:
    """Know what the elements of a clash ask of some nodes, each of which may also stay empty."""

    def __init__(self, twin: Twin, certificate: Mapping[str, Any]) -> None:
        self.twin = twin
        self.nodes: Sequence[int] = certificate["nodes"]
        self.elements: Sequence[Element] = certificate["elements"]
        self.cuts: Sequence[Mapping[str, Any]] = certificate.get("cuts") or []

    def can_be_avoided(self, elements: Iterable[Element]) -> bool:
        """Tell whether something keeps all of these elements."""
        return self._extend(0, {}, list(elements))

    def without_each(self) -> Iterable[tuple[Element, list[Element]]]:
        """Yield each element with all the others."""
        for number, element in enumerate(self.elements):
            yield element, [other for place, other in enumerate(self.elements) if place != number]

    def _extend(self, number: int, fill: dict[int, int], elements: list[Element]) -> bool:
        done = self.nodes[:number]
        if not all(self._holds(element, fill, done) for element in elements):
            return False
        if number == len(self.nodes):
            return True
        node = self.nodes[number]
        for m in sorted(self.twin.placeable[node]):
            fill[node] = m
            if self._extend(number + 1, fill, elements):
                return True
            del fill[node]
        return self._extend(number + 1, fill, elements)

    def _holds(self, element: Element, fill: dict[int, int], done: Sequence[int]) -> bool:
        """Tell whether an element holds; as long as some of its nodes are not looked at, it does."""
        ((kind, what),) = element.items()
        if kind == "node":
            return what not in done or what in fill
        if kind == "pick":
            return what not in done or fill.get(what) in self.twin.picked[what]
        if kind == "edge":
            edge = self._edge(*what)
            return not {edge.node, edge.other} <= set(done) or self._edge_holds(edge, fill)
        if kind == "apart":
            number, v, w = what
            modules = self.twin.staging.constraints[number].modules
            assert v != w
            assert self.twin.distance[v][w] < self.twin.staging.constraints[number].distance  # type: ignore[union-attr]
            return not all(node in fill and modules >> fill[node] & 1 for node in (v, w))
        if kind in ("most", "least"):
            module = self.twin.modules[what]
            rule = Count(1 << what, **{kind: getattr(module, kind)})
            return self._count_holds(rule, fill, done)
        assert kind == "constraint"
        rule = self.twin.staging.constraints[what]
        if isinstance(rule, Count):
            return self._count_holds(rule, fill, done)
        assert isinstance(rule, Connected | Path)
        return len(done) < len(self.nodes) or self._hangs_together(what, rule, fill)

    def _edge(self, layer: int, v: int, orbital: int) -> Edge:
        (found,) = [
            edge
            for edge in self.twin.edges
            if (layer, v, orbital) in {(edge.layer, edge.node, edge.orbital), (edge.layer, edge.other, edge.back)}
        ]
        return found

    def _edge_holds(self, edge: Edge, fill: Mapping[int, int]) -> bool:
        """Tell whether both ends are empty, or both filled and in agreement: who is filled asks for a neighbour."""
        if edge.node not in fill or edge.other not in fill:
            return edge.node not in fill and edge.other not in fill
        return self.twin.agree(edge, fill[edge.node], fill[edge.other])

    def _count_holds(self, rule: Count, fill: Mapping[int, int], done: Sequence[int]) -> bool:
        found = len(counted(rule, fill))
        if rule.most is not None and found > rule.most:
            return False
        unseen = [v for v in self.twin.open if v not in done and (not rule.nodes or v in rule.nodes)]
        return found + sum(any(rule.modules >> m & 1 for m in self.twin.placeable[v]) for v in unseen) >= rule.least

    def _hangs_together(self, number: int, rule: Connected | Path, fill: Mapping[int, int]) -> bool:
        held = {v for v, m in fill.items() if rule.modules >> m & 1}
        if isinstance(rule, Path) and not {rule.start, rule.end} <= held:
            return False
        for cut in self.cuts:
            inside = set(cut["inside"])
            ends = {rule.start, rule.end} if isinstance(rule, Path) else {cut["from"], cut["to"]}
            crossing = [edge for edge in self.twin.edges if (edge.node in inside) != (edge.other in inside)]
            if cut["constraint"] == number and ends <= held and not any(joins(rule, edge, fill) for edge in crossing):
                return False
        return True


def clash_of(staging: Any, **options: Any) -> Clash:
    answer = solvent.ask(staging, **options)
    assert answer.verdict is Verdict.NO, staging
    assert answer.certificate is not None
    assert answer.certificate["form"] == "refutation"
    return Clash(Twin(staging), answer.certificate)


def assert_minimal(clash: Clash) -> None:
    assert not clash.can_be_avoided(clash.elements)
    for element, others in clash.without_each():
        assert clash.can_be_avoided(others), (element, clash.elements)


def unsolvable(seeds: range) -> list[int]:
    return [seed for seed in seeds if not random_truth(seed)]


@pytest.mark.parametrize("seeds", [range(200), *slow([range(200, up_to(350, deep=700))])], ids=str)
def test_every_clash_is_one_and_nothing_in_it_can_be_left_out(seeds: range):
    kinds = set()
    for seed in unsolvable(seeds):
        answer = solvent.ask(random_staging(seed))
        assert answer.certificate is not None
        clash = Clash(Twin(random_staging(seed)), answer.certificate)
        assert not clash.can_be_avoided(clash.elements), seed
        assert answer.certificate["minimal"] is True, seed
        for element, others in clash.without_each():
            assert clash.can_be_avoided(others), (seed, element)
        kinds |= {kind for element in clash.elements for kind in element}
    assert kinds == {"node", "pick", "edge", "apart", "least", "most", "constraint"}


@pytest.mark.parametrize("seeds", [range(50), *slow([range(50, up_to(150, deep=300))])], ids=str)
def test_a_clash_that_was_not_narrowed_down_is_one_too(seeds: range):
    for seed in unsolvable(seeds):
        clash = clash_of(random_staging(seed), minimal=False)
        assert not clash.can_be_avoided(clash.elements), seed


def test_explanations_say_what_brute_force_says():
    helped = 0
    for seed in range(up_to(50, deep=150)):
        staging = random_staging(seed)
        explanation = random_explanation(seed)
        assert explanation.data["solvable"] == ("YES" if random_truth(seed) else "NO")
        for instance, certificate in explanation.certificates:
            if certificate["question"] == "solvable":  # of the task itself, and of each change that was tried
                assert (certificate["verdict"] == "YES") is is_solvable(instance), seed
        if not random_truth(seed):
            told = explanation.data["clash"]
            clash = Clash(Twin(staging), {**told, "cuts": explanation.certificates[0][1].get("cuts")})
            assert told["minimal"] is True
            assert_minimal(clash)
            helped += bool(explanation.data["suggestions"])
    assert helped > 6


class TestSmallClashes:
    def test_two_picks_that_may_not_stand_together(self):
        fence = Module("fence", "fence", (Bonds(neighbours=(0b10, None, 0b10)),))
        staging = on_row(20, (fence, *plain_modules(1)), picks=(Pick(7, "fence"), Pick(8, "fence"), Pick(15, "m0")))
        clash = clash_of(staging)
        assert_minimal(clash)
        assert {kind for element in clash.elements for kind in element} == {"pick", "edge"}
        assert list(clash.nodes) == [7, 8]

    def test_an_odd_cycle_needs_a_third_colour(self):
        clash = clash_of(colouring(5, [(v, (v + 1) % 5) for v in range(5)], 2))
        assert_minimal(clash)
        assert sum("edge" in element for element in clash.elements) == 5

    def test_the_rest_of_a_large_cluster_is_not_blamed(self):
        fence = Module("fence", "fence", (Bonds(neighbours=(0b10,) * 4),))
        staging = on_square(30, 30, (fence, *plain_modules(1)), picks=(Pick(400, "fence"), Pick(401, "fence")))
        clash = clash_of(staging)
        assert_minimal(clash)
        assert len(clash.elements) == 3

    def test_a_minimum_that_nothing_can_reach(self):
        clash = clash_of(on_row(3, plain_modules(1, least=4)))
        assert_minimal(clash)
        assert list(clash.elements) == [{"least": 0}]

    def test_modules_that_keep_too_far_apart_for_their_number(self):
        rules = (Separation(0b1, 3), Count(0b1, least=2))
        clash = clash_of(on_row(3, plain_modules(2), constraints=rules))
        assert_minimal(clash)
        assert {kind for element in clash.elements for kind in element} == {"apart", "constraint"}

    @pytest.mark.parametrize("rule", [Path(0, 4, 0b1), Connected(0b1)])
    def test_what_must_hang_together_and_cannot(self, rule: Path | Connected):
        picks = (Pick(0, "m0"), Pick(2, "m1"), Pick(4, "m0"))
        clash = clash_of(on_row(5, plain_modules(2), picks=picks, constraints=(rule,)))
        assert_minimal(clash)
        assert {"constraint": 0} in clash.elements
        assert {"pick": 2} in clash.elements


class TestTheJudge:
    """The helper above, where the truth is plain."""

    STAGING = colouring(3, [(0, 1), (1, 2), (2, 0)], 2)

    def clash(self, elements: list[Element], nodes: Sequence[int] = (0, 1, 2)) -> Clash:
        return Clash(Twin(self.STAGING), {"nodes": list(nodes), "elements": elements})

    def test_nodes_may_stay_empty_unless_asked_for(self):
        edges: list[Element] = [{"edge": [0, 0, 0]}, {"edge": [0, 1, 1]}, {"edge": [0, 2, 1]}]
        assert self.clash(edges).can_be_avoided(edges)
        asked = [*edges, {"node": 1}]
        assert not self.clash(asked).can_be_avoided(asked)
        assert_minimal(self.clash(asked))

    def test_an_element_too_many_is_seen(self):
        edges: list[Element] = [{"edge": [0, 0, 0]}, {"edge": [0, 1, 1]}, {"edge": [0, 2, 1]}]
        asked = [*edges, {"node": 1}, {"node": 2}]
        with pytest.raises(AssertionError):
            assert_minimal(self.clash(asked))

    def test_no_clash_is_seen(self):
        with pytest.raises(AssertionError):
            assert_minimal(self.clash([{"node": 0}]))
