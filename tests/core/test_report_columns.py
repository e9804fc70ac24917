"""What is compared between many instances."""

from __future__ import annotations

import pytest

import solvent
from conformance.cases import GENEROUS_NODES
from solvent.core.domain import first_count
from solvent.registry import all_domains, get_domain


@pytest.mark.parametrize(
    ("stats", "count"),
    [
        ({"nodes": 3, "expanded": 5}, 5),
        ({"nodes": 3}, 3),
        ({"expanded": True, "nodes": 3}, 3),
        ({"expanded": 2.5}, None),
        ({}, None),
    ],
)
def test_the_first_count_there_is_counts(stats: dict[str, object], count: int | None):
    assert first_count(stats, ("expanded", "nodes")) == count


@pytest.mark.parametrize("domain", [domain.name for domain in all_domains()])
def test_the_report_columns_of_a_domain_name_counts_that_its_answers_have(domain: str):
    owner = get_domain(domain)
    report_columns = owner.report_columns
    seen: set[str] = set()
    for example in owner.examples():
        problem = solvent.parse(example.text, domain=domain)
        assert owner.size is not None
        assert owner.size(problem) > 0
        for question in owner.questions:
            stats = solvent.ask(problem, question, nodes=GENEROUS_NODES).stats
            seen |= set(stats)
            if "expanded" in stats or ("nodes" in stats and "nodes" in report_columns.expanded):
                assert first_count(stats, report_columns.expanded) is not None
    assert set(report_columns.expanded) & seen
    assert set(report_columns.diagnostics) <= seen
