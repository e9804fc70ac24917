"""Solution files: written from a plan, read as a claim, judged by the checker; in Python and by the command."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from harmony.boards import board_of
from solvent.cli.start import main
from solvent.core.errors import BadOption, CertificateRejected, ParseError
from solvent.harmony.domain import DOMAIN

CROSSED = board_of("1/1 1/1 | 0/1 0/1")
SOLVED = board_of("0/0 | 1/0")


def test_harmony_has_solution_files():
    assert DOMAIN.solutions is not None


@pytest.mark.parametrize("board", [CROSSED, SOLVED, solvent.generate("harmony", rows=3, cols=4, swaps=12, seed=5)])
def test_a_plan_written_and_read_is_the_same_certificate(board: object):
    certificate = solvent.ask(board).certificate
    assert DOMAIN.solutions.read(board, DOMAIN.solutions.write(board, certificate)) == certificate


def test_what_is_read_is_a_claim():
    claim = DOMAIN.solutions.read(CROSSED, "1. a1-b1\n")
    assert claim["plan"] == ["A1-B1"]
    with pytest.raises(CertificateRejected):
        solvent.check(CROSSED, claim)
    with pytest.raises(ParseError, match="line 2: expected step 2, found '3'"):
        DOMAIN.solutions.read(CROSSED, "1. A1-B1\n3. A2-B2\n")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"verdict": "NO"}, "expected a YES with a plan, found 'NO' with 'plan'"),
        ({"form": "closed set"}, "expected a YES with a plan, found 'YES' with 'closed set'"),
        ({"plan": "A1-B1"}, "expected a plan that is a list of swaps, found 'A1-B1'"),
        ({"plan": [3]}, "expected a plan that is a list of swaps, found [3]"),
    ],
)
def test_only_a_plan_can_be_written(change: dict[str, object], told: str):
    certificate = {**DOMAIN.solutions.read(CROSSED, "A1-B1\nA2-B2\n"), **change}
    with pytest.raises(BadOption) as caught:
        DOMAIN.solutions.write(CROSSED, certificate)
    assert str(caught.value) == told


def test_the_command_writes_checks_and_draws_a_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text(solvent.format(CROSSED))
    assert main(["solve", "board.txt", "--solution", "swaps.txt"]) == 0
    assert Path("swaps.txt").read_text() == "  1. A1-B1\n  2. A2-B2\n"
    assert main(["check", "board.txt", "swaps.txt"]) == 0
    assert main(["draw", "board.txt", "--certificate", "swaps.txt", "-o", "swaps.svg"]) == 0
    assert Path("swaps.svg").read_text().startswith("<svg ")
    Path("swaps.txt").write_text("  1. A1-B1\n  2. A1-A2\n")
    assert main(["check", "board.txt", "swaps.txt"]) == 31
    Path("swaps.txt").write_text("A1-B1\ndear diary\n")
    capfd.readouterr()
    assert main(["check", "board.txt", "swaps.txt"]) == 30
    assert capfd.readouterr() == ("", "solvent: swaps.txt, line 2: expected a swap such as A1-B1, found 'dear diary'\n")


def test_the_solution_of_a_solved_board_is_an_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text(solvent.format(SOLVED))
    assert main(["solve", "board.txt", "--solution", "swaps.txt"]) == 0
    assert Path("swaps.txt").read_text() == ""
    assert main(["check", "board.txt", "swaps.txt"]) == 0


def test_an_audit_too_large_fails_before_anything_is_printed(capfd: pytest.CaptureFixture[str]):
    for words in (["--rows", "4", "--cols", "4"], ["--swaps", "16"]):  # the last of several scopes counts too
        assert main(["audit", "LiveParity", *words]) == 2
        told = capfd.readouterr()
        assert told.out == ""
        assert "too large to go through" in told.err


def test_a_number_of_many_digits_is_out_of_range(capfd: pytest.CaptureFixture[str]):
    assert main(["generate", "harmony", "--rows", "9" * 400]) == 2
    assert capfd.readouterr().err.startswith("solvent: rows: expected at most 26, found 999")
