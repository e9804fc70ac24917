"""The checker in JavaScript and the one in Python say the same, on golden certificates, changed ones and many more."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from torture.certificates import agreement as comparing
from torture.certificates.agreement import Agreement, Try, compare, forged_tries, mutated_tries, sweep
from torture.certificates.attacking import FORGERS
from torture.certificates.case import Forger

import solvent
from golden import golden_answers
from solvent.web.second_checker import second_checkers

pytestmark = pytest.mark.skipif(comparing.NODE is None, reason="no Node here: install Debian's package nodejs")

COVERED = {
    "starbattle": {"stars", "two solutions", "only solution", "refutation"},
    "dungeon": {
        *("plan", "walks", "closed set", "closed sets", "lost walk", "out of reach", "plan from home"),
        *("safe", "safe, step by step", "nothing delicate"),
    },
}
"""The forms that the second checker is written for."""


def agreed(tries: list[Try]) -> Agreement:
    found = Agreement()
    compare(tries, found)
    assert not found.disagreements, "\n\n".join(found.disagreements[:3])
    return found


def forger_of(domain: str) -> Forger:
    return next(forger for forger in FORGERS if forger.domain == domain)


def golden_tries(domain: str) -> list[Try]:
    """Return the golden certificates of a domain, and changed ones."""
    dice = Random(f"golden {domain}")
    tries = []
    for example in solvent.examples(domain):
        problem = solvent.parse(example.text, domain=domain)
        for answer in golden_answers(domain, example.name).values():
            if isinstance(answer, dict) and answer["certificate"] is not None:
                tries += mutated_tries(dice, problem, answer["certificate"], forger_of(domain), copies=3)
    return tries


@pytest.mark.parametrize("domain", sorted(second_checkers()))
def test_both_say_the_same_of_golden_certificates_and_changed_ones(domain: str) -> None:
    found = agreed(golden_tries(domain))
    assert found.accepted_by_both() >= 15
    assert found.judged_by_both() - found.accepted_by_both() >= 25


@pytest.mark.parametrize("domain", sorted(second_checkers()))
def test_both_say_the_same_of_small_instances_and_nothing_unknown_is_accepted(domain: str) -> None:
    dice = Random(f"small {domain}")
    found = agreed([one for _ in range(5) for one in forged_tries(dice, forger_of(domain))])
    accepted = {group for group, _, second in found.counts if second == "accepted"}
    assert accepted
    assert accepted <= {f"{domain}/{form}" for form in COVERED[domain]}


@pytest.mark.slow
def test_both_say_the_same_of_ten_thousand_certificates() -> None:
    found = Agreement()
    sweep(10_000, Random(20), found)
    for domain in second_checkers():
        compare(golden_tries(domain), found)  # random instances hardly ever have all forms
    assert not found.disagreements, "\n\n".join(found.disagreements[:3])
    accepted = {group for (group, _, second) in found.counts if second == "accepted"}
    assert accepted >= {f"{domain}/{form}" for domain, forms in COVERED.items() for form in forms}


def test_a_checker_that_accepts_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def accept_all(_one: Try) -> list[str]:
        return []

    monkeypatch.setattr(comparing, "first_opinion", accept_all)
    [example] = [example for example in solvent.examples("starbattle") if example.name == "first_stars"]
    problem = solvent.parse(example.text)
    certificate: dict[str, Any] = {**(solvent.ask(problem, "solvable").certificate or {}), "stars": []}
    found = Agreement()
    compare([Try(problem, example.text, certificate, "starbattle/stars")], found)
    assert len(found.disagreements) == 1
