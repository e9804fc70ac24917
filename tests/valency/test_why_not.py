"""Why a task cannot be filled, and what there is to say where it can: chains, suggestions, diagnostics, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from torture.judges import valency as brute_force

from solvent import asking
from solvent.core.answer import Cause, Reason, Verdict
from solvent.core.budget import Budget
from solvent.core.explanation import Explanation
from solvent.valency.domain import DOMAIN
from solvent.valency.explaining import make_questions
from solvent.valency.explaining.chain import narrate
from solvent.valency.formats import FORMATS
from solvent.valency.model import (
    EXCLUDED,
    FILLER,
    Bonds,
    Connected,
    Count,
    Graph,
    Module,
    Path,
    Pick,
    Separation,
    Staging,
)
from solvent.valency.phrases import Phrases
from solvent.valency.solver.clash_elements import global_elements, local_elements
from solvent.valency.solver.counting import count_fills
from solvent.valency.solver.joins import broken_joins
from solvent.valency.solver.network import boot
from solvent.valency.solver.node_sets import NodeSet
from valency.stagings import (
    colouring,
    colours,
    on_row,
    on_square,
    plain_modules,
    random_explanation,
    random_staging,
    random_truth,
)

FENCE = Module("fence", "fence", (Bonds(neighbours=(0b10,) * 4),))
"""May not stand beside itself; module 1 goes anywhere."""


def fences(width: int, height: int, *nodes: int, **settings: Any) -> Staging:
    """Stage fences on some nodes of a square lattice."""
    picks = tuple(Pick(node, "fence") for node in nodes)
    return on_square(width, height, (FENCE, *plain_modules(1)), picks=picks, **settings)


def ring(length: int) -> list[tuple[int, int]]:
    return [(v, (v + 1) % length) for v in range(length)]


def section(explanation: Explanation, heading: str) -> list[str]:
    found: Mapping[str, tuple[str, ...]] = dict(explanation.sections)
    return list(found[heading])


def count(staging: Staging, limit: int = 10**6) -> tuple[int, bool]:
    counted = count_fills(boot(staging), limit, Budget().start())
    return counted.fills, counted.exact


class TestCounting:
    @pytest.mark.parametrize("colours", [2, 3, 4])
    @pytest.mark.parametrize("length", [3, 4, 5, 6, 7])
    def test_colourings_of_cycles(self, length: int, colours: int):
        # The chromatic polynomial of a cycle.
        expected = (colours - 1) ** length + (-1) ** length * (colours - 1)
        assert count(colouring(length, ring(length), colours)) == (expected, True)

    def test_against_brute_force(self):
        for seed in range(200):
            expected = brute_force.count_fills(random_staging(seed))
            assert count(random_staging(seed)) == (expected, True), seed

    def test_a_known_fill_changes_nothing(self):
        for seed in range(60):
            staging = random_staging(seed)
            fills = list(brute_force.fills(staging))
            if fills:
                known = np.array(brute_force.as_list(brute_force.Twin(staging), fills[-1]), dtype=np.int64)
                counted = count_fills(boot(staging), 10**6, Budget().start(), known=known)
                assert (counted.fills, counted.exact) == (len(fills), True), seed

    def test_the_limit_is_no_exact_number(self):
        staging = on_square(4, 4, plain_modules(2))
        assert count(staging, 1000) == (1000, False)
        assert count(on_row(3, plain_modules(2)), 8) == (8, True)
        assert count(on_row(3, plain_modules(2)), 7) == (7, False)

    def test_an_exhausted_budget_is_no_exact_number(self):
        counted = count_fills(boot(on_square(6, 6, plain_modules(3))), 10**6, Budget(nodes=2000).start())
        assert not counted.exact
        assert counted.reason is not None

    def test_fillers_count_only_where_they_are_needed(self):
        filler = Module("hedge", "hedge", (Bonds(),), placement=FILLER)
        staging = on_row(3, (replace(plain_modules(1)[0], most=1), filler))
        assert count(staging) == (brute_force.count_fills(staging), True) == (3, True)


class TestChain:
    def test_two_picks(self):
        explanation = asking.explain(fences(6, 4, 7, 8))
        assert section(explanation, "The clash") == [
            "The pick 'fence' on (1, 1).",
            "The pick 'fence' on (2, 1).",
            "(1, 1) and (2, 1), on its right, must agree.",
            "Leaving out any one of these makes the rest possible.",
        ]
        assert section(explanation, "Why") == ["(1, 1) is 'fence', so nothing is left for (2, 1), on its right."]

    def test_cases_where_nothing_follows_at_first(self):
        lines = section(asking.explain(colouring(3, ring(3), 2)), "Why")
        assert [line for line in lines if not line.startswith(" ")] == [
            "Node 0 is 'c0' or 'c1'.",
            "If it is 'c0':",
            "If it is 'c1':",
        ]
        assert sum("nothing is left" in line for line in lines) == 2

    def test_counts(self):
        modules = tuple(replace(module, most=2) for module in plain_modules(2))
        lines = section(asking.explain(on_row(5, modules)), "Why")
        assert lines == ["5 nodes need 'm0' or 'm1', and there may be at most 2 of 'm0' and 2 of 'm1': that cannot be."]

    def test_nodes_outside_the_clash_count_as_well(self):
        explanation = asking.explain(on_row(3, plain_modules(1, least=4)))
        assert explanation.data["clash"]["nodes"] == []
        assert section(explanation, "Why") == ["At least 4 nodes must hold 'm0', and only 3 still can: that cannot be."]

    def test_what_must_hang_together(self):
        picks = (Pick(0, "m0"), Pick(2, "m1"), Pick(4, "m0"))
        lines = section(asking.explain(on_row(5, plain_modules(2), picks=picks, constraints=(Path(0, 4, 1),))), "Why")
        assert len(lines) == 1
        assert lines[0].startswith("'m0' cannot lead out of")

    def test_why_nothing_fits(self):
        leaning = Module("leaning", "leaning", (Bonds(orbital_mask=0b1),))
        idol = Module("idol", "idol", (Bonds(),), placement=EXCLUDED)
        explanation = asking.explain(on_row(3, (leaning, idol)))
        assert section(explanation, "In short") == [
            "It cannot be filled. No module fits (2, 0): add one for a node with neighbours on its left and nowhere "
            "else; 'idol' would fit, but stands only where a pick asks for it."
        ]
        assert section(explanation, "Why") == [
            "'leaning': needs a neighbour on its right.",
            "'idol': stands only where a pick asks for it.",
        ]

    def test_every_small_clash_is_told_to_its_end(self):
        told = 0
        for seed in range(150):
            if not random_truth(seed):
                certificate = asking.ask(random_staging(seed)).certificate
                assert certificate is not None
                elements = [
                    (kind, *_numbers(value)) for item in certificate["elements"] for kind, value in item.items()
                ]
                words = Phrases.of(random_staging(seed))
                lines, finished = narrate(words, certificate["nodes"], elements, certificate.get("cuts") or ())
                assert lines, seed
                told += finished
        assert told > 50

    def test_what_can_be_filled_is_never_argued_away(self):
        looked = 0
        for seed in range(250):
            network = boot(random_staging(seed))
            nodes = np.flatnonzero(network.cache.open_nodes).tolist()
            if random_truth(seed) and nodes:
                inside = NodeSet(network, np.array(nodes))
                elements = [*local_elements(network, inside), *global_elements(network)]
                _, finished = narrate(Phrases.of(random_staging(seed)), nodes, elements, _some_cuts(network, seed))
                assert not finished, seed
                looked += 1
        assert looked > 50


def _numbers(value: Any) -> list[int]:
    return value if isinstance(value, list) else [value]


def _some_cuts(network: Any, seed: int) -> list[dict[str, Any]]:
    """Return cuts as fills at random would break them; those of a path must have its end outside."""
    random = Random(seed)
    cuts = []
    for _ in range(20 if network.joins else 0):
        modules = np.where(network.cache.open_nodes, 0, -2).astype(np.int64)
        for node in np.flatnonzero(network.cache.open_nodes).tolist():
            modules[node] = random.randrange(network.modules)
        for cut in broken_joins(network, modules):
            join = network.staging.constraints[cut.constraint]
            if isinstance(join, Connected) or join.end not in cut.inside:
                cuts.append(cut.as_json())
    return cuts


class TestSuggestions:
    def test_each_is_proved_on_the_changed_task(self):
        looked = 0
        for seed in range(60):
            if random_truth(seed):
                continue
            explanation = random_explanation(seed)
            for suggestion in explanation.data["suggestions"]:
                changed = FORMATS.parse(suggestion["task"])
                assert brute_force.is_solvable(changed), (seed, suggestion["words"])
                assert any(
                    instance == changed and proof["verdict"] == "YES" for instance, proof in explanation.certificates
                ), (seed, suggestion["words"])
                looked += 1
        assert looked > 30

    def test_a_pick_less(self):
        assert section(asking.explain(fences(6, 4, 7, 8)), "What would help")[:3] == [
            "Any one of these is enough:",
            "1. Drop the pick 'fence' on (1, 1).",
            "2. Drop the pick 'fence' on (2, 1).",
        ]

    def test_several_picks_together(self):
        lines = section(asking.explain(fences(8, 8, 0, 1, 20, 21)), "What would help")
        assert "1. Drop the pick 'fence' on (0, 0) and drop the pick 'fence' on (4, 2)." in lines
        assert any(line.startswith("Not enough: drop the pick 'fence' on (0, 0);") for line in lines)

    def test_a_milder_bound(self):
        lines = section(asking.explain(on_row(3, plain_modules(1, least=4))), "What would help")
        assert lines == ["This is enough:", "Ask for at least 3 of 'm0' instead of 4."]

    def test_a_bound_that_must_become_much_milder(self):
        explanation = asking.explain(on_row(6, plain_modules(1, most=1)))
        assert "Ask for at most 6 of 'm0' instead of 1." in section(explanation, "What would help")

    def test_a_constraint_less(self):
        rules = (Separation(0b1, 3), Count(0b1, least=2))
        lines = section(asking.explain(on_row(3, plain_modules(2), constraints=rules)), "What would help")
        assert lines[1:] == [
            "1. Drop constraint 1 ('m0' at least 3 edges apart).",
            "2. Drop constraint 2 (at least 2 of 'm0').",
        ]

    def test_an_edge_or_a_node_less(self):
        lines = section(asking.explain(colouring(5, ring(5), 2)), "What would help")
        assert "1. Take away the edge between node 0 and node 1." in lines
        assert any("with its edges" in line for line in lines)

    def test_the_last_edge_stays(self):
        one = Graph([(0, 0, 0)] * 2, [(0, 1)], [[(0, 0)]])  # type: ignore[arg-type]
        staging = replace(colouring(3, ring(3), 2), cluster=one, picks=(Pick(0, "c0"), Pick(1, "c0")))
        lines = section(asking.explain(staging), "What would help")
        assert not any("edge" in line for line in lines)

    def test_a_module_that_asks_for_less(self):
        leaning = Module("leaning", "leaning", (Bonds(orbital_mask=0b1),))
        lines = section(asking.explain(on_row(3, (leaning,))), "What would help")
        assert lines == ["This is enough:", "Let 'leaning' stand without a neighbour on its right."]


class TestDiagnostics:
    def test_each_test_that_removes_a_candidate(self):
        modules = (
            Module("tower", "tower", (Bonds(neighbours=(None, None, 0b1, None)),)),
            Module("river", "river", (Bonds(neighbours=(0b10, None, None, None)),)),
            Module("gate", "gate", (Bonds(orbital_mask=0b1000),)),
            Module("rim", "rim", (Bonds(boundary_mask=0b100),)),
            Module("idol", "idol", (Bonds(),), placement=EXCLUDED),
        )
        staging = on_row(2, modules, picks=(Pick(0, "river"), Pick(1, "tower")))
        (found,) = asking.explain(staging).data["left_out"]
        removed = {entry["module"]: entry["removed_by"] for entry in found["candidates"]}
        assert (found["node"], found["proved"]) == (1, True)
        assert removed["tower"] == ["'river' on its left does not allow it"]
        assert removed["river"][0] == "the pick asks for 'tower'"
        assert "needs a neighbour above it" in removed["gate"]
        assert "must have none on its left" in removed["rim"]
        assert found["neighbours"] == [{"layer": "beside", "orbital": "left", "node": 0, "module": "river"}]
        assert found["masks"] == {"beside": ["left"]}

    def test_counts_and_separations(self):
        modules = tuple(replace(module, most=2) for module in plain_modules(2))
        (found,) = asking.explain(on_row(5, modules)).data["left_out"]
        assert [entry["removed_by"] for entry in found["candidates"]] == [
            ["at most 2 of 'm0' are allowed"],
            ["at most 2 of 'm1' are allowed"],
        ]
        rule = (Separation(0b1, 3),)
        (found, *_) = asking.explain(on_row(3, plain_modules(1), constraints=rule)).data["left_out"]
        assert "'m0' on" in found["candidates"][0]["removed_by"][0]
        assert "is too near" in found["candidates"][0]["removed_by"][0]

    def test_every_reason_is_one(self):
        """Whatever speaks against a module makes the fill wrong, and where nothing does, it would be right."""
        looked = 0
        for seed in range(120):
            if random_truth(seed):
                continue
            staging = random_staging(seed)
            twin = brute_force.Twin(staging)
            explanation = random_explanation(seed)
            partial = next(proof for _, proof in explanation.certificates if proof["form"] == "partial")
            fill = {node: module for node, module in enumerate(partial["modules"]) if module >= 0}
            for found in explanation.data["left_out"]:
                for module, entry in enumerate(found["candidates"]):
                    right = brute_force.is_right_partially(twin, {**fill, found["node"]: module})
                    assert right is not bool(entry["removed_by"]), (seed, found["node"], entry)
                    looked += 1
        assert looked > 100

    def test_nodes_in_the_text_are_few_and_in_the_data_all(self):
        nodes = [10 * row + column for row in range(0, 10, 2) for column in (0, 1, 4, 5)]
        explanation = asking.explain(fences(10, 10, *nodes))
        assert len(explanation.data["left_out"]) == 10
        assert "… and 5 more nodes." in section(explanation, "What can be filled")


class TestFilled:
    def test_nodes_modules_and_choice(self):
        explanation = asking.explain(fences(3, 1, 0))
        assert section(explanation, "Nodes") == [
            "3 nodes filled.",
            "3 of them lack a neighbour on some orbital.",
            "1 fixed pick honoured.",
            "Forced before anything is chosen: (1, 0) 'm0'.",
            "Tightest, with 2 possible modules: everywhere else.",
        ]
        assert section(explanation, "How much choice there is") == ["There are exactly 2 fills."]
        assert explanation.data["forced"] == [{"node": 1, "module": "m0"}]
        assert explanation.data["fills"] == {"number": 2, "exact": True}

    def test_the_only_fill(self):
        lines = section(asking.explain(on_row(2, plain_modules(1))), "How much choice there is")
        assert lines == ["This is the only fill."]

    def test_weights(self):
        heavy = (replace(plain_modules(2)[0], weight=3.0), plain_modules(2)[1])
        picks = tuple(Pick(node, "m1") for node in range(4))
        explanation = asking.explain(on_row(4, heavy, picks=picks))
        assert section(explanation, "Modules") == [
            "'m1' 4.",
            "75% of the nodes would have to change to match the weights.",
            "Farthest off: 'm0' 0% instead of 75%, 'm1' 100% instead of 25%.",
        ]

    def test_what_takes_no_part_is_said(self):
        staging = replace(fences(3, 1), picks=(Pick(0, "zebra"),))
        (line,) = section(asking.explain(staging), "Left aside")
        assert "'zebra' on (0, 0)" in line


class TestWhole:
    def test_everything_is_json_and_has_a_picture(self):
        for seed in range(40):
            explanation = random_explanation(seed)
            assert msgspec.json.decode(msgspec.json.encode(explanation.data))["solvable"] in ("YES", "NO")
            assert explanation.drawing is not None
            assert DOMAIN.draw_svg(random_staging(seed), explanation.drawing).startswith("<svg")

    def test_an_exhausted_budget_is_said(self):
        explanation = asking.explain(fences(8, 8, 0, 1), budget=Budget(nodes=0))
        assert explanation.data["solvable"] == Verdict.UNKNOWN.value
        assert "is not known: out of nodes" in section(explanation, "In short")[0]
        assert "suggestions" not in explanation.data

    def test_the_limit_that_is_named_is_the_one_that_was_given(self):
        hurried = asking.explain(fences(8, 8, 0, 1), budget=Budget(seconds=1e-9))
        assert section(hurried, "In short") == ["Whether it can be filled is not known: out of time (limit 1e-09 s)."]
        questions = make_questions(asking.make_request(DOMAIN, None, options={}, budget=Budget(nodes=5)))
        questions.meter.spend(4)
        reason = questions.ask(on_square(8, 8, colours(3, 4)), "solvable").reason
        assert reason == questions.reason == Reason(Cause.NODES, "limit 5")

    def test_a_clash_that_was_not_narrowed_down_says_so(self):
        explanation = asking.explain(fences(6, 4, 7, 8), minimal=False)
        text = " ".join(section(explanation, "The clash"))
        assert "Leaving out any one" not in text
        assert "may not be needed" in text

    def test_a_lying_suggestion_is_caught(self, monkeypatch: pytest.MonkeyPatch):
        from solvent.core.errors import UnsoundAnswer
        from solvent.valency.explaining import suggestions

        honest = suggestions.Fix

        def lie(changes: Any, staging: Staging, certificate: Any) -> Any:
            return honest(changes, replace(staging, picks=fences(6, 4, 7, 8).picks), certificate)

        monkeypatch.setattr(suggestions, "Fix", lie)
        with pytest.raises(UnsoundAnswer):
            asking.explain(fences(6, 4, 7, 8))
