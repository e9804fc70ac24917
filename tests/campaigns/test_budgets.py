"""Limits: one real case of each kind is measured, and a limit that is not kept is found."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import msgspec
import pytest
from torture.budgets import measuring
from torture.budgets.case import Case, Outcome, measure
from torture.budgets.heavy import make_heavy
from torture.budgets.large import SIZES, make_large
from torture.campaign import Tally, Trial
from torture.table import past_limits_table

import solvent
from solvent.core.errors import CertificateRejected
from solvent.registry import get_domain

ASKED = Case("harmony", 49, "solvable", 7, seconds=1.0)


def judged(tmp_path: Path, case: Case, outcome: Outcome | str) -> Tally:
    trial = Trial(1, time.monotonic() + 60, tmp_path)
    measuring.judge(trial, case, outcome)
    assert trial.tally.tried == 1
    return trial.tally


@pytest.mark.parametrize("domain", SIZES)
def test_a_small_case_of_each_domain(domain: str):
    question = next(iter(get_domain(domain).questions))
    outcome = measure(Case(domain, SIZES[domain][0], question, 1, nodes=1000))
    assert outcome.came in ("YES", "NO", "UNKNOWN")


def test_a_case_in_a_process_of_its_own():
    outcome = measuring.run_case(Case("starbattle", 16, "solvable", 3, seconds=5.0, address_space=300))
    assert isinstance(outcome, Outcome), outcome
    assert outcome.came in ("YES", "NO", "UNKNOWN")
    assert outcome.wall > 0


def test_a_process_that_dies_is_found(tmp_path: Path):
    died = measuring.run_case(Case("starbattle", 16, "no such question", 3))
    assert isinstance(died, str)
    assert judged(tmp_path, ASKED, "ended with -9: ").failures == {"crashed": 1}
    assert judged(tmp_path, ASKED, "hung").failures == {"hung": 1}


@pytest.mark.parametrize(
    ("seconds", "wall", "cpu", "kept"),
    [
        (1.0, 1.29, 1.29, True),
        (1.0, 1.31, 1.31, False),
        (0.05, 0.31, 0.31, False),
        (1.0, 3.0, 1.1, True),  # the machine was busy: the process had no more time than it was given
        (1.0, 1.1, 3.0, True),  # two threads
    ],
)
def test_a_limit_of_time_is_kept_or_not(seconds: float, wall: float, cpu: float, kept: bool, tmp_path: Path):
    case = msgspec.structs.replace(ASKED, seconds=seconds)
    tally = judged(tmp_path, case, Outcome("UNKNOWN", wall, cpu, 0.0))
    assert (not tally.failures) is kept
    assert tally.worst["seconds past|harmony|solvable|49"] == wall - seconds
    assert kept or '"seed":7' in tally.examples[0]["reproduce"]


def test_few_nodes_must_not_take_long(tmp_path: Path):
    case = Case("harmony", 49, "solvable", 7, nodes=1000)
    assert not judged(tmp_path, case, Outcome("UNKNOWN", 9.0, 9.0, 0.0)).failures
    assert judged(tmp_path, case, Outcome("UNKNOWN", 40.0, 36.0, 0.0)).failures == {"overrun": 1}


def test_a_run_measures_what_it_is_given(tmp_path: Path):
    trial = Trial(1, time.monotonic() + 60, tmp_path, max_rounds=200)
    measuring.run(trial, lambda case: Outcome("UNKNOWN", (case.seconds or 0.0) + 0.1, case.seconds or 0.0, 1.0))
    assert not trial.tally.failures
    groups = {group.split("/")[0] for group in trial.tally.counts}
    assert groups == set(SIZES)
    heading, rows = past_limits_table({"campaigns": {"budgets": trial.tally.as_json()}})
    assert {row[0] for row in rows} == set(SIZES)
    assert all(len(row) == len(heading) for row in rows)
    assert {row[3] for row in rows} == {"0.10 s"}


@pytest.mark.parametrize("domain", SIZES)
def test_heavy_certificates_are_well_formed(domain: str):
    """They are false or too long, but each is looked at, and not just refused for its shape."""
    dice = Random(4)
    problem = make_large(domain, SIZES[domain][0], dice)
    for _ in range(6):
        with pytest.raises(CertificateRejected) as caught:
            solvent.check(problem, make_heavy(problem, dice, 0.01))
        assert "malformed" not in str(caught.value)
        assert "expected the key" not in str(caught.value)


def test_instances_have_the_size_that_was_asked_for():
    for domain, sizes in SIZES.items():
        count = get_domain(domain).size
        assert count is not None
        for size in sizes[:3]:
            assert 0.5 * size <= count(make_large(domain, size, Random(size))) <= 1.5 * size + 10
