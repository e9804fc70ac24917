"""Forged certificates: a few rounds are clean, and a checker that lies, crashes or dawdles is found out."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture.campaign import Trial
from torture.certificates import attacking
from torture.certificates.case import Forger
from torture.certificates.forging import mutate, mutate_proof
from torture.certificates.malformed import spoil, spoil_bytes

import solvent
from solvent.core.errors import CertificateRejected

FORGERS = {forger.domain: forger for forger in attacking.FORGERS}


def attack(forger: Forger, folder: Path, rounds: int = 2, seed: int = 5) -> Trial:
    trial = Trial(seed, time.monotonic() + 600, folder, max_rounds=rounds)
    attacking.run(trial, (forger,))
    return trial


@pytest.mark.parametrize("domain", FORGERS)
def test_a_few_rounds_are_clean(domain: str, tmp_path: Path):
    tally = attack(FORGERS[domain], tmp_path).tally
    assert tally.examples == []
    assert tally.tried > 300
    assert sum(tally.accepted.values()) > 10


@pytest.mark.parametrize("domain", FORGERS)
def test_a_checker_that_accepts_everything_is_found_out(domain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    honest_check = solvent.check

    def gullible(problem: Any, certificate: Any, **limits: Any) -> None:
        try:
            honest_check(problem, certificate, **limits)
        except CertificateRejected as error:
            if "malformed" in str(error):
                raise

    monkeypatch.setattr(solvent, "check", gullible)
    # What such a checker lets through may be too odd even to be judged.
    try:
        failures = attack(FORGERS[domain], tmp_path, rounds=1).tally.failures
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return
    assert failures["wrong"] > 5


def test_a_lie_about_one_form_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The rule of a single invariant is loosened: rings of two count as pinned."""
    from solvent.harmony.checker import invariant

    def loose(tiles: Any, cells: list[int], rows: int, cols: int) -> bool:
        ring = zip(cells, cells[1:] + cells[:1], strict=True)
        return len(cells) >= 2 and all(
            invariant.goal_of_only_move(tiles, cell, rows, cols) == following for cell, following in ring
        )

    monkeypatch.setitem(invariant.RULES, "pinned cycle", loose)
    trial = attack(FORGERS["harmony"], tmp_path, rounds=12)
    assert {example["kind"] for example in trial.tally.examples} == {"wrong"}
    assert "pinned cycle was accepted" in trial.tally.examples[0]["what"]
    assert "--round" in trial.tally.examples[0]["reproduce"]
    assert list(tmp_path.glob("failure-*.txt"))


@pytest.mark.parametrize("error", [KeyError("rules"), MemoryError()])
def test_a_crash_is_kept_with_its_traceback(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def crash(problem: Any, certificate: Any, **limits: Any) -> None:
        raise error

    monkeypatch.setattr(solvent, "check", crash)
    tally = attack(FORGERS["harmony"], tmp_path, rounds=1).tally
    assert tally.failures["crashed"] >= tally.tried - tally.counts["harmony/malformed"]
    assert type(error).__name__ in (tmp_path / "failure-1.txt").read_text()


def test_the_same_round_tries_the_same_things(tmp_path: Path):
    one, other = (attack(FORGERS["starbattle"], tmp_path / name).tally for name in ("one", "other"))
    assert one.counts == other.counts
    assert one.accepted == other.accepted


def test_changes_change_something_and_leave_the_original_alone():
    certificate = {"solvent": 1, "form": "plan", "plan": ["N", "E"], "states": [{"at": [0, 1]}], "proof": "1 2 0\n0\n"}
    before = repr(certificate)
    dice = Random(1)
    changed = [mutate(dice, certificate, ["N", "S"]) for _ in range(200)]
    assert sum(other != certificate for other in changed) > 150
    assert len({repr(other) for other in changed}) > 100
    assert repr(certificate) == before
    assert len({mutate_proof(dice, "1 2 0\nd 1 2 0\n0\n") for _ in range(200)}) > 50


def test_odd_data_is_odd():
    certificate = {"solvent": 1, "form": "plan", "plan": ["N", "E"]}
    dice = Random(2)
    spoilt = [spoil(dice, certificate) for _ in range(300)]
    assert any(isinstance(value, dict) and type(value.get("solvent")) is not int for value in spoilt)
    assert any(not isinstance(value, dict) for value in spoilt)
    data = [spoil_bytes(dice, certificate) for _ in range(100)]
    assert any(some[:2] == b"\x1f\x8b" for some in data)
    assert any(some[:1] == b"{" for some in data)
