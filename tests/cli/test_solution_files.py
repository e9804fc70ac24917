"""Solutions as text: `solve --solution`, `check` and `draw --certificate`, for domains with and without such files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from cli import coins
from helpers.command import Ran, Run
from solvent.core.answer import Verdict
from solvent.core.domain import SolutionFiles
from solvent.core.errors import BadOption, ParseError
from solvent.proof.certificate import make_certificate


def read_solution(problem: coins.Purse, text: str) -> Mapping[str, Any]:
    for line, word in enumerate(text.splitlines(), start=1):
        if not word.isdigit():
            raise ParseError("a coin", word, line=line)
    plan = [f"take {word}" for word in text.split()]
    return make_certificate("coins", "payable", Verdict.YES, "plan", plan=plan)


def write_solution(problem: coins.Purse, certificate: Mapping[str, Any]) -> str:
    if certificate["question"] != "payable":
        raise BadOption("only payments are written down")
    return "".join(f"{step.split()[1]}\n" for step in certificate["plan"])


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let payments be written one coin a line."""
    files = SolutionFiles(read=read_solution, write=write_solution)
    monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, solutions=files))


@pytest.mark.usefixtures("written")
def test_a_solution_is_saved_and_the_shown_command_checks_it(run: Run) -> None:
    ran = run("solve", "payable.txt", "--solution", "my coins.txt")
    assert (ran.code, ran.err) == (0, "")
    assert Path("my coins.txt").read_text() == "3\n7\n"
    shown = shlex.split(ran.out.splitlines()[-1])
    assert shown == ["solvent", "check", "payable.txt", "my coins.txt"]
    assert run(*shown[1:]) == Ran(0, "accepted: payable YES (plan)\n", "")
    assert "2 marked" in run("draw", "payable.txt", "--certificate", "my coins.txt").out


@pytest.mark.usefixtures("written")
def test_beside_json_and_a_certificate(run: Run) -> None:
    ran = run("solve", "payable.txt", "--json", "--certificate", "proof.json.gz", "--solution", "coins.txt")
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    assert json.loads(ran.out)["verdict"] == "YES"
    for name in ("proof.json.gz", "coins.txt"):
        assert run("check", "payable.txt", name).code == 0


@pytest.mark.usefixtures("written")
def test_a_solution_that_solves_nothing_is_rejected(run: Run) -> None:
    Path("wrong.txt").write_text("3\n5\n")
    ran = run("check", "payable.txt", "wrong.txt")
    assert (ran.code, ran.out) == (31, "rejected: 1 violation\n  - the plan pays a different amount\n")
    assert run("draw", "payable.txt", "--certificate", "wrong.txt").code == 31


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"3\nseven\n", "line 2: expected a coin, found 'seven'"),
        (b"3\n\xff\xfe\n", "line 2: expected a certificate, or a solution in UTF-8, found b'\\xff\\xfe\\n'"),
        (b" {broken", "expected a certificate in JSON"),
        (b"[3, 7]", "expected a certificate, which is a JSON object"),
        (b"\x1f\x8b junk", "expected a certificate compressed with gzip"),
    ],
)
def test_what_is_neither_is_bad_input(run: Run, data: bytes, told: str) -> None:
    Path("junk").write_bytes(data)
    for words in (("check", "payable.txt", "junk", "--json"), ("draw", "payable.txt", "--certificate", "junk")):
        ran = run(*words)
        assert (ran.code, ran.no_answer) == (30, True)
        assert ran.err.startswith("solvent: junk")
        assert told in ran.err


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["unpayable.txt"], 10, "NO comes without one"),
        (["payable.txt", "--give-up"], 20, "UNKNOWN comes without one"),
        (["payable.txt", "--ask", "unique"], 0, "only payments are written down"),
    ],
)
def test_where_there_is_no_solution_to_write_a_line_says_so(run: Run, words: list[str], code: int, told: str) -> None:
    ran = run("solve", *words, "--solution", "coins.txt")
    assert (ran.code, ran.err) == (code, f"solvent: no solution written: {told}\n")
    assert not Path("coins.txt").exists()


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("out", [".", "", "/dev/null"])
def test_a_solution_that_cannot_be_written_still_leaves_the_answer(run: Run, out: str) -> None:
    ran = run("solve", "payable.txt", "--solution", out, "--certificate", "proof.json")
    assert ran.code == 30
    assert "YES" in ran.out
    assert ran.err.startswith("solvent: cannot write ")
    assert ran.err.count("\n") == 1
    assert Path("proof.json").exists()


@pytest.mark.usefixtures("written")
def test_usage(run: Run) -> None:
    for words in (["--solution", "-"], ["--solution", "same", "--certificate", "same"]):
        ran = run("solve", "payable.txt", *words)
        assert (ran.code, ran.out) == (2, "")
    assert not Path("same").exists()


def test_a_domain_without_solution_files_says_so(run: Run) -> None:
    assert run("solve", "payable.txt", "--solution", "coins.txt") == Ran(
        2, "", "solvent: coins has no solution files\n"
    )
    Path("coins.txt").write_text("3\n7\n")
    ran = run("check", "payable.txt", "coins.txt")
    assert (ran.code, ran.out) == (30, "")
    assert ran.err.startswith("solvent: coins.txt: expected a certificate in JSON ")
