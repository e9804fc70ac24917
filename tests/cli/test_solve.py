"""`solvent solve`: verdicts, exit codes, JSON, certificates and options."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from cli.conftest import PAYABLE
from helpers.command import Ran, Run
from solvent.core.errors import UnsoundAnswer


def test_a_yes_shows_the_board_the_answer_and_the_plan(run: Run) -> None:
    ran = run("solve", "payable.txt")
    assert (ran.code, ran.err) == (0, "")
    board, blank, answer, *plan = ran.out.splitlines()
    assert (board, blank) == ("(5)  (3)  (7) → 10", "")
    assert answer.startswith("payable: YES, checked (plan), ")
    assert plan == ["Plan, 2 steps:", "  take 3  take 7"]


def test_a_no_says_its_form_and_why(run: Run) -> None:
    ran = run("solve", "unpayable.txt")
    assert ran.code == 10
    assert "payable: NO, checked (all choices), " in ran.out
    assert "\nBecause: None of the 4 choices is the only one.\n" in ran.out


def test_giving_up_is_unknown_and_so_is_an_empty_budget(run: Run) -> None:
    ran = run("solve", "payable.txt", "--give-up")
    assert (ran.code, ran.err) == (20, "")
    assert "payable: UNKNOWN, incomplete (told to), " in ran.out
    for limit in (("--nodes", "0"), ("--seconds", "0")):
        assert run("solve", "payable.txt", *limit).code == 20


def test_another_question(run: Run) -> None:
    Path("twins.txt").write_text("COINS 4 4\nPAY 4\n")
    assert run("solve", "twins.txt").code == 0
    assert run("solve", "twins.txt", "--ask", "unique").code == 10


@pytest.mark.parametrize(
    ("words", "verdict", "code"),
    [(["payable.txt"], "YES", 0), (["unpayable.txt"], "NO", 10), (["payable.txt", "--give-up"], "UNKNOWN", 20)],
)
def test_json_is_one_object_and_nothing_else(run: Run, words: list[str], verdict: str, code: int) -> None:
    ran = run("solve", *words, "--json", "-v")
    assert (ran.code, ran.err) == (code, "")
    assert ran.out.count("\n") == 1
    answer = json.loads(ran.out)
    keys = ["domain", "question", "verdict", "status", "certified", "reason", "certificate", "stats", "seconds"]
    assert list(answer) == [*keys, "remarks", "locations"]
    assert answer["status"] == {"YES": "PASS", "NO": "FAIL"}.get(verdict, verdict)
    assert (answer["domain"], answer["verdict"], answer["certified"]) == ("coins", verdict, verdict != "UNKNOWN")


def test_no_proof_may_leave_a_no_uncertified(run: Run) -> None:
    ran = run("solve", "unpayable.txt", "--no-proof", "--certificate", "proof.json")
    assert ran.code == 10
    assert "payable: NO, not certified, " in ran.out
    assert ran.err == "solvent: no certificate written: NO comes without one here\n"
    assert not Path("proof.json").exists()


def test_verbose_shows_counts_and_the_tests_as_a_table(run: Run) -> None:
    out = run("solve", "payable.txt", "-v").out
    rows = [line.split() for line in out.splitlines()]
    assert ["subsets", "8"] in rows
    assert ["tests", "calls", "hits", "seconds"] in rows
    assert ["too-poor", "1", "0", "0.250"] in rows
    assert "subsets" not in run("solve", "payable.txt").out


def test_a_long_plan_is_wrapped_at_80_columns_without_breaking_a_step(run: Run) -> None:
    Path("long.txt").write_text(f"COINS {'11 ' * 16}\nPAY {11 * 16}\n")
    lines = run("solve", "long.txt").out.splitlines()
    plan = lines[lines.index("Plan, 16 steps:") + 1 :]
    assert len(plan) == 2
    assert max(len(line) for line in plan) <= 80
    assert "  ".join(line.strip() for line in plan) == "  ".join(["take 11"] * 16)


@pytest.mark.parametrize("name", ["proof.json", "proof.json.gz", "with blank.json"])
def test_the_certificate_is_saved_and_the_shown_command_checks_it(run: Run, name: str) -> None:
    import shlex

    ran = run("solve", "unpayable.txt", "--certificate", name)
    assert ran.code == 10
    shown = shlex.split(ran.out.splitlines()[-1])
    assert shown == ["solvent", "check", "unpayable.txt", name]
    data = Path(name).read_bytes()
    saved = json.loads(gzip.decompress(data) if name.endswith(".gz") else data)
    assert (saved["verdict"], saved["form"]) == ("NO", "all choices")
    assert run(*shown[1:]).code == 0


@pytest.mark.parametrize("out", [".", "", "/dev/null"])
@pytest.mark.parametrize("json_words", [[], ["--json"]])
def test_a_certificate_that_cannot_be_written_still_leaves_the_answer(
    run: Run, out: str, json_words: list[str]
) -> None:
    ran = run("solve", "payable.txt", "--certificate", out, *json_words)
    assert ran.code == 30
    assert "YES" in ran.out
    assert ran.err.startswith("solvent: cannot write ")
    assert ran.err.count("\n") == 1
    assert not Path("/dev/null").is_file()


def test_a_folder_that_is_missing_is_told_before_the_work(run: Run) -> None:
    for option in ("--certificate", "--solution", "-o", "--profile"):
        told = "solvent: cannot write no/such/file: there is no folder no/such\n"
        assert run("solve", "payable.txt", option, "no/such/file") == Ran(30, "", told)


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PAYABLE.encode())))
    assert run("solve", "-").code == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"COINS 1\nPAY many\n")))
    ran = run("solve", "-", "--as", "coins")
    assert ran.code == 30
    assert ran.err == "solvent: standard input, line 2: expected PAY and a whole number, found 'PAY many'\n"
    monkeypatch.setattr(sys, "stdin", None)
    assert run("solve", "-") == Ran(30, "", "solvent: cannot read standard input: it is closed\n")


JUNK = {
    "empty.txt": b"",
    "blank.txt": b" \n\n",
    "zeros.txt": b"\0" * 100,
    "junk.txt": bytes(range(128, 256)) * 4,
    "other.txt": b"dear diary\n",
    "broken.txt": b"COINS x\nPAY 3\n",
}


@pytest.mark.parametrize("name", [*JUNK, "missing.txt", "folder"])
@pytest.mark.parametrize("json_words", [[], ["--json"]])
def test_bad_input_is_one_line_that_names_the_file(run: Run, name: str, json_words: list[str]) -> None:
    if name in JUNK:
        Path(name).write_bytes(JUNK[name])
    elif name == "folder":
        Path(name).mkdir()
    ran = run("solve", name, *json_words)
    assert (ran.code, ran.no_answer) == (30, True)
    assert ran.err.startswith("solvent: ")
    assert name in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_without_permission_is_bad_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, mode: str) -> object:
        raise PermissionError(13, "Permission denied", name)  # as chmod 0 would, but for root too

    monkeypatch.setattr("solvent.cli.input.open", refuse, raising=False)
    assert run("solve", "payable.txt") == Ran(30, "", "solvent: cannot read payable.txt: Permission denied\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "missing argument 'FILE'"),
        (["payable.txt", "extra.txt"], "unexpected extra argument"),
        (["payable.txt", "--nodes", "many"], "expected a whole number, such as 1000 or 1e6, found 'many'"),
        (["payable.txt", "--seconds", "-1"], "seconds: expected a number, zero or more, found -1.0"),
        (["payable.txt", "--seconds", "nan"], "seconds: expected a number, zero or more, found nan"),
        (["payable.txt", "--ask", "edible"], "unknown coins question 'edible'; there are: payable, unique"),
        (["payable.txt", "--as", "notes"], "unknown domain 'notes'; there are: coins"),
        (["payable.txt", "-x"], "no such option '-x'"),
        (["payable.txt", "--certificate", "-"], "--certificate needs a file"),
        (["payable.txt", "--ordr", "small"], "did you mean --order?"),
        (["payable.txt", "--ordr=small"], "did you mean --order?"),
        (["--bogus", "payable.txt"], "no such option --bogus"),
        (["payable.txt", "--order"], "option --order needs a value"),
        (["--order", "--json", "payable.txt"], "option --order needs a value"),
        (["payable.txt", "--order", "tiny"], "unknown order 'tiny'; there are: small, large"),
        (["payable.txt", "--nap", "long"], "nap: expected a number, found 'long'"),
        (["payable.txt", "--nap=-3"], "nap: expected at least 0, found -3"),
        (["payable.txt", "--lie=perhaps"], "lie: expected yes or no, found 'perhaps'"),
    ],
)
@pytest.mark.parametrize("json_words", [[], ["--json"]])
def test_a_usage_error_is_one_line(run: Run, words: list[str], told: str, json_words: list[str]) -> None:
    ran = run("solve", *json_words, *words)
    assert (ran.code, ran.no_answer) == (2, True)
    assert ran.err.startswith("solvent: ")
    assert told in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["payable.txt", "--order", "large"],
        ["payable.txt", "--order=large"],
        ["--order", "large", "payable.txt"],
        ["--nodes", "5", "--order=large", "--", "payable.txt"],
        ["--no-lie", "payable.txt", "--order", "small", "--order", "large"],
    ],
)
def test_options_of_the_domain_may_stand_anywhere(run: Run, words: list[str]) -> None:
    ran = run("solve", "--json", *words)
    assert ran.code == 0
    assert json.loads(ran.out)["stats"]["order"] == "large"


def test_help_lists_the_options_of_each_domain(run: Run) -> None:
    help_text = run("solve", "--help").out
    assert "Options for coins:" in help_text
    assert "--order WORD" in help_text
    assert "[small, large; default small]" in help_text


def test_an_unsound_answer_is_a_bug_and_not_a_verdict(run: Run) -> None:
    with pytest.raises(UnsoundAnswer, match="there are 1 ways to pay"):
        run("solve", "payable.txt", "--lie")


def test_a_bug_is_a_traceback(run_process: Run) -> None:
    ran = run_process("solve", "payable.txt", "--lie", "--json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Traceback ")


def test_a_board_is_coloured_only_on_request(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("solve", "payable.txt", "-v").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("solve", "payable.txt").out
    assert "\x1b[33m(5)" in out
    assert "\x1b[32m\x1b[1mYES\x1b[0m" in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("solve", "payable.txt", "-v").out
