"""Tasks in which one choice decides everything: what cannot close around a lattice that wraps."""

from __future__ import annotations

import pytest

import solvent
from solvent.core.answer import Cause, Verdict
from solvent.valency.model import Lattice, Staging
from solvent.valency.notation.samples import learn_overlapping, parse_sample

BRICKS = """\
aaaaaab
accadab
accadab
aaaaaab
bafffaa
baaaaaa
bbbbbbb
"""
"""A pattern that goes on in one way only: every seventh column and row are alike."""


def bricks(size: int) -> Staging:
    rules = learn_overlapping(parse_sample(BRICKS), pattern=3, symmetry=1)
    return Staging(rules, Lattice(size, size, periodic=(True, True, False)))


@pytest.mark.parametrize(("size", "expected"), [(14, Verdict.YES), (24, Verdict.NO)])
def test_a_sample_fills_only_multiples_of_its_size(size: int, expected: Verdict):
    answer = solvent.ask(bricks(size), nodes=1_000_000)
    assert answer.verdict is expected
    if expected is Verdict.NO:
        assert answer.certificate is not None
        assert answer.certificate["minimal"]
        assert len(answer.certificate["elements"]) < 5 * size, "rings around the lattice are enough"


def test_a_budget_too_small_to_try_every_module_proves_nothing():
    answer = solvent.ask(bricks(24), nodes=100_000)
    assert (answer.verdict, answer.reason and answer.reason.cause) == (Verdict.UNKNOWN, Cause.NODES)
