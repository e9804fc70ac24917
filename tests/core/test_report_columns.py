"""What is compared between many instances."""

from __future__ import annotations

import pytest

import solvent
from conformance.cases import GENEROUS_NODES
from solvent.core.answer import Verdict
from solvent.core.report_columns import ReportColumns, first_count, report_columns_of, size_of
from solvent.registry import all_domains, get_domain


class Silent:
    """A domain that says nothing about surveys."""

    name = "silent"


def test_a_domain_that_does_not_say_gets_what_most_answers_have():
    assert report_columns_of(Silent()) == ReportColumns()
    assert size_of(Silent(), object()) is None


def test_yes_is_hoped_for_unless_another_verdict_is_named():
    report_columns = ReportColumns(hoped={"losable": Verdict.NO})
    assert report_columns.hopes_for("losable") is Verdict.NO
    assert report_columns.hopes_for("solvable") is Verdict.YES


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
def test_the_survey_of_a_domain_names_counts_that_its_answers_have(domain: str):
    owner = get_domain(domain)
    report_columns = report_columns_of(owner)
    seen: set[str] = set()
    for example in owner.examples():
        problem = solvent.parse(example.text, domain=domain)
        assert size_of(owner, problem) > 0
        for question in owner.questions:
            stats = solvent.ask(problem, question, nodes=GENEROUS_NODES).stats
            seen |= set(stats)
            if "expanded" in stats or "nodes" in stats:
                assert first_count(stats, report_columns.expanded) is not None
    assert set(report_columns.expanded) & seen
    assert set(report_columns.diagnostics) <= seen
    assert set(report_columns.hoped) <= set(owner.questions)
