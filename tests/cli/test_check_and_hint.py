"""`solvent check` and `solvent hint`."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from helpers.command import Ran, Run


@pytest.fixture
def proof(run: Run) -> str:
    """Save the certificate that payable.txt can be paid."""
    assert run("solve", "payable.txt", "--certificate", "proof.json").code == 0
    return "proof.json"


def test_an_accepted_certificate(run: Run, proof: str) -> None:
    assert run("check", "payable.txt", proof) == Ran(0, "accepted: payable YES (plan)\n", "")
    ran = run("check", "payable.txt", proof, "--json")
    assert ran.code == 0
    assert json.loads(ran.out) == {
        "accepted": True,
        "domain": "coins",
        "question": "payable",
        "verdict": "YES",
        "form": "plan",
        "violations": [],
        "not_checked": None,
    }


def test_a_rejected_certificate_lists_every_violation(run: Run, proof: str) -> None:
    ran = run("check", "unpayable.txt", proof)
    assert (ran.code, ran.err) == (31, "")
    assert ran.out == ("rejected: 2 violations\n  - there are 0 ways to pay 9\n  - the plan pays a different amount\n")
    ran = run("check", "unpayable.txt", proof, "--json")
    assert ran.code == 31
    assert json.loads(ran.out)["violations"] == ["there are 0 ways to pay 9", "the plan pays a different amount"]


def test_a_certificate_from_elsewhere_is_rejected(run: Run) -> None:
    Path("other.json").write_text("{}")
    ran = run("check", "payable.txt", "other.json")
    assert ran.code == 31
    assert ran.out.count("which is missing") == 5


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 200_000, "\x1f\x8b junk"])
def test_what_is_no_certificate_is_bad_input(run: Run, text: str) -> None:
    Path("bad.json").write_text(text, encoding="latin-1")
    ran = run("check", "payable.txt", "bad.json", "--json")
    assert (ran.code, ran.no_answer) == (30, True)
    assert ran.err.startswith("solvent: bad.json")
    assert ": expected a certificate" in ran.err
    assert ran.err.count("\n") == 1


def test_either_may_be_standard_input_but_not_both(run: Run, proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, name in ((("payable.txt", "-"), proof), (("-", proof), "payable.txt")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(name).read_bytes())))
        assert run("check", *words).code == 0
    ran = run("check", "-", "-")
    assert ran.code == 2
    assert "FILE and CERTIFICATE cannot both be standard input" in ran.err


def test_a_missing_certificate_is_bad_input(run: Run) -> None:
    assert run("check", "payable.txt", "gone.json").code == 30


def test_a_hint_says_what_why_and_how_to_see_it(run: Run) -> None:
    ran = run("hint", "payable.txt")
    assert (ran.code, ran.err) == (0, "")
    assert "Take the coin 3.\n  It is part of a payment.\n" in ran.out
    assert "Take the coin 7." not in ran.out
    assert "solvent hint payable.txt -o hint.svg" in ran.out
    assert run("draw", "payable.txt", "--move", "take 3", "-o", "hint.svg").code == 0


def test_more_hints(run: Run) -> None:
    out = run("hint", "payable.txt", "-n", "5").out
    assert "1. Take the coin 3." in out
    assert "2. Take the coin 7." in out


def test_a_lost_instance_is_told_with_its_own_code(run: Run) -> None:
    ran = run("hint", "unpayable.txt")
    assert ran.code == 10
    assert "The amount cannot be paid." in ran.out
    assert "solvent solve unpayable.txt --certificate proof.json" in ran.out


def test_hints_as_json(run: Run) -> None:
    ran = run("hint", "payable.txt", "--json", "-n", "2", "--seconds", "9")
    told = json.loads(ran.out)
    assert (ran.code, told["domain"], told["lost"]) == (0, "coins", False)
    assert [hint["move"] for hint in told["hints"]] == ["take 3", "take 7"]
    assert json.loads(run("hint", "unpayable.txt", "--json").out)["lost"] is True


def test_no_hint_at_all_is_unknown(run: Run) -> None:
    Path("nothing.txt").write_text("COINS 1\nPAY 0\n")
    ran = run("hint", "nothing.txt")
    assert ran.code == 20
    assert ran.out.endswith("No hint found.\n")


def test_hint_options(run: Run) -> None:
    assert run("hint", "payable.txt", "-n", "0").code == 2
    assert run("hint", "payable.txt", "--order", "tiny").code == 2


@pytest.mark.parametrize("limits", [("--seconds", "0"), ("--megabytes", "0")])
def test_a_check_that_a_limit_ends_is_not_checked(run: Run, proof: str, limits: tuple[str, str]) -> None:
    ran = run("check", "payable.txt", proof, *limits)
    assert (ran.code, ran.err) == (32, "")
    assert ran.out.startswith("not checked: out of ")
    ran = run("check", "payable.txt", proof, *limits, "--json")
    assert ran.code == 32
    said = json.loads(ran.out)
    assert said["accepted"] is False
    assert said["violations"] == []
    assert said["not_checked"].startswith("out of ")


def test_limits_that_suffice_change_nothing(run: Run, proof: str) -> None:
    ran = run("check", "payable.txt", proof, "--seconds", "60", "--megabytes", "1000", "--unfold", "1")
    assert (ran.code, ran.out) == (0, "accepted: payable YES (plan)\n")


def test_a_certificate_that_unfolds_too_far_is_bad_input(run: Run) -> None:
    Path("bomb.gz").write_bytes(gzip.compress(b'{"a": "' + b"x" * 3_000_000 + b'"}'))
    ran = run("check", "payable.txt", "bomb.gz", "--unfold", "2")
    assert (ran.code, ran.out) == (30, "")
    assert "it unfolds to more than 2 MB" in ran.err
    assert run("check", "payable.txt", "bomb.gz").code == 31


def test_no_memory_to_check_is_not_checked(run: Run, proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("solvent.proof.certificate.unfold", run_out)
    Path("packed.gz").write_bytes(gzip.compress(Path(proof).read_bytes()))
    ran = run("check", "payable.txt", "packed.gz")
    assert (ran.code, ran.out) == (32, "not checked: out of memory (the machine has no more)\n")
