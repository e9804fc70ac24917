"""Proofs told step by step: that each step is true, and that they get to the end."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

import solvent
from solvent.core.budget import UNLIMITED
from solvent.core.domain import ProofStep
from solvent.registry import get_domain
from solvent.valency.model import Lattice, Staging
from solvent.valency.orbitals import build_cache
from solvent.valency.rules import agreement

VALENCY: Any = get_domain("valency")
EXAMPLES = {example.name: example for example in VALENCY.examples()}
FILLED = [name for name, example in EXAMPLES.items() if example.expected["solvable"].value == "YES"]


def steps_of(staging: Staging, question: str = "solvable") -> tuple[Any, list[ProofStep]]:
    certificate = solvent.ask(staging, question).certificate
    assert certificate is not None
    steps = list(VALENCY.page.proof_steps(staging, certificate, UNLIMITED))
    json.dumps([dict(step.marks) for step in steps])
    return certificate, steps


@pytest.mark.parametrize("name", FILLED)
def test_a_fill_is_told_until_every_node_stands_there_and_each_edge_was_lit_once(name: str) -> None:
    staging = VALENCY.parse(EXAMPLES[name].text)
    certificate, steps = steps_of(staging)
    counts = [step.marks["filled"] for step in steps]
    assert counts == sorted(counts)
    assert counts[-1] == len(certificate["modules"])
    lit = [frozenset((link["start"], link["end"])) for step in steps for link in step.marks.get("links", ())]
    joined = [
        frozenset((node, other))
        for table in build_cache(staging).neighbours
        for node, row in enumerate(table.tolist())
        for other in row
        if other >= 0
    ]
    assert set(lit) == set(joined)
    assert "every rule holds" in steps[-1].text


def test_what_is_asked_for_beside_neighbours_is_counted_with_its_nodes() -> None:
    _, steps = steps_of(VALENCY.parse(EXAMPLES["lighthouses"].text))
    [step] = [step for step in steps if step.text.startswith("At least 60 and at most 120 of")]
    assert f"there are {len(step.marks['nodes'])}." in step.text
    assert 60 <= len(step.marks["nodes"]) <= 120


def test_a_partial_fill_does_not_claim_what_it_does_not_promise() -> None:
    _, steps = steps_of(VALENCY.parse(EXAMPLES["no_ferry"].text), "partial")
    text = " ".join(step.text for step in steps)
    assert "every rule holds" not in text
    assert "At least" not in text
    assert "minimums, connections and paths are not asked for here" in text


@pytest.mark.parametrize("name", ["too_close", "odd_ring", "clipped_board"])
def test_each_deduction_of_a_clash_follows_along_its_edge_until_nothing_is_left(name: str) -> None:
    staging = VALENCY.parse(EXAMPLES[name].text)
    certificate, steps = steps_of(staging)
    cache = build_cache(staging)
    ends = 0
    for before, step in pairwise(steps):
        held, known = dict(step.marks.get("held", ())), dict(before.marks.get("held", ()))
        assert set(step.marks["nodes"]) <= set(certificate["nodes"])
        if not step.marks.get("links") or "held" not in step.marks:
            continue
        source, target = step.marks["nodes"]
        [(layer, orbital)] = [
            (layer, orbital)
            for layer, table in enumerate(cache.neighbours)
            for orbital, other in enumerate(table[source].tolist())
            if other == target
        ]
        agrees = agreement(staging.rules, layer, orbital, int(cache.back_orbitals[layer][source, orbital]))
        possible = {module for module in range(len(agrees)) if agrees[known[source], module].any()}
        assert set(held[target]) <= possible, "no more is left than what agrees"
        if target in known:
            assert set(held[target]) == set(known[target]) & possible, "and no less"
        ends += bool(step.marks.get("ends"))
        assert bool(step.marks.get("ends")) == (not held[target])
    assert ends
    assert steps[-1].marks["ends"]


def test_a_clash_that_no_chain_settles_is_told_part_by_part() -> None:
    _, steps = steps_of(VALENCY.parse(EXAMPLES["no_ferry"].text))
    assert [step.text.split(":")[0] for step in steps[:4]] == [
        "These cannot all hold",
        "At most 1 of 'ford'.",
        "Constraint 2",
        "Constraint 1",
    ]
    assert steps[3].marks["nodes"] == [7, 20], "the ends of the path"
    assert "lines that the checker went through" in steps[4].text
    assert steps[4].marks["ends"]


def test_a_node_that_nothing_fits_ends_it_at_once() -> None:
    rules = {"orbitals": "square", "modules": [{"name": "a", "bonds": {"right": {"needs": ["a"]}}}]}
    staging = VALENCY.parse(json.dumps({"valency": 1, "rules": rules, "cluster": {"lattice": {"size": [3, 1]}}}))
    assert isinstance(staging.cluster, Lattice)
    _, steps = steps_of(staging)
    assert steps[-1].marks == {"nodes": [2], "ends": True}
    assert "nothing fits (2, 0)" in steps[-1].text
