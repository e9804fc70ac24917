"""Files for other programs: `solve -o` and `generate -o`, for domains with and without such files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import solvent
from cli import coins
from helpers.command import Ran, Run
from solvent.core.answer import Answer
from solvent.core.budget import Meter
from solvent.core.domain import Exports, Generator, Option
from solvent.core.errors import BadOption, GenerationFailed
from solvent.core.events import Listener

KINDS = {
    "csv": "one line per coin",
    "json": "the coins to take; the purse itself if nothing is asked",
    "gz": "a bag",
    "tar.gz": "a bag of bags",
    "odd": "payments of an odd amount only",
}


def make(options: Mapping[str, Any], seed: int, listen: Listener, meter: Meter) -> coins.Purse:
    made = coins.generate(options, seed, listen, meter)
    return made if options["pay"] is None else coins.Purse(made.coins, options["pay"])


def write(problem: coins.Purse, answer: Answer, ending: str) -> bytes:
    if ending == "odd" and problem.pay % 2 == 0:
        raise BadOption(f"{problem.pay} is not odd")
    assert answer.certificate is not None
    if ending == "json":
        return json.dumps({"taken": answer.certificate["plan"]}).encode()
    rows = [answer.question, answer.stats["order"], *answer.certificate["plan"]]
    return f"{ending}: {', '.join(rows)}\n".encode()


EXPORTED = structs.replace(
    coins.DOMAIN,
    exports=Exports(kinds=KINDS, write=write, needs={"csv": {"order": "large"}}),
    generator=Generator(
        make=make,
        options=(
            Option("coins", 4, "coins in the purse", minimum=1, maximum=9),
            Option("pay", None, "the amount, whether it can be paid or not", minimum=0),
            Option("unasked", False, "make the purse only", type=bool),
        ),
        attempts=lambda options: None if options["unasked"] else "payable",
        source="pay",
    ),
)
"""Coins whose payments can be written as files, and whose generator tries to make purses that can pay."""
PLAIN = coins.DOMAIN


@pytest.fixture(autouse=True)
def _exported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "DOMAIN", EXPORTED)


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_yes_is_written_as_the_file_its_name_ends_in(run: Run, option: str) -> None:
    ran = run("solve", "payable.txt", option, "my coins.gz")
    assert (ran.code, ran.err) == (0, "")
    assert Path("my coins.gz").read_text() == "gz: payable, small, take 3, take 7\n"
    assert ran.out.endswith("\n\nWritten: my coins.gz (35 bytes).\n")


@pytest.mark.parametrize(("name", "ending"), [("a.tar.gz", "tar.gz"), ("tar.gz", "gz"), ("A.GZ", "gz")])
def test_the_longest_ending_counts_in_any_case(run: Run, name: str, ending: str) -> None:
    assert run("solve", "payable.txt", "-o", name).code == 0
    assert Path(name).read_text().startswith(f"{ending}: ")


def test_any_question_may_be_asked(run: Run) -> None:
    assert run("solve", "payable.txt", "--ask", "unique", "-o", "a.gz").code == 0
    assert Path("a.gz").read_text().startswith("gz: unique, ")


def test_what_a_file_needs_is_asked_for(run: Run) -> None:
    assert run("solve", "payable.txt", "--order", "small", "-o", "a.csv").code == 0
    assert Path("a.csv").read_text() == "csv: payable, large, take 3, take 7\n"
    assert run("generate", "coins", "-o", "b.csv").code == 0
    assert Path("b.csv").read_text().startswith("csv: payable, large, ")


def test_beside_json_and_a_certificate(run: Run) -> None:
    ran = run("solve", "payable.txt", "--json", "--certificate", "proof.json", "-o", "a.json")
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    assert json.loads(ran.out)["verdict"] == "YES"
    assert json.loads(Path("a.json").read_text()) == {"taken": ["take 3", "take 7"]}
    assert run("check", "payable.txt", "proof.json").code == 0


@pytest.mark.parametrize(("words", "code"), [(["unpayable.txt"], 10), (["payable.txt", "--give-up"], 20)])
@pytest.mark.parametrize("json_words", [[], ["--json"]])
def test_without_a_yes_a_line_says_that_nothing_was_written(
    run: Run, words: list[str], code: int, json_words: list[str]
) -> None:
    ran = run("solve", *words, "-o", "a.gz", *json_words)
    assert ran.code == code
    assert ran.err == "solvent: a.gz not written: only a YES with its proof has something to put there\n"
    assert not Path("a.gz").exists()


def test_a_kind_of_file_that_cannot_hold_it_says_why_after_the_answer(run: Run) -> None:
    ran = run("solve", "payable.txt", "-o", "a.odd")
    assert (ran.code, ran.err) == (2, "solvent: a.odd not written: 10 is not odd\n")
    assert "payable: YES" in ran.out
    assert not Path("a.odd").exists()


def test_a_file_that_cannot_be_written_still_leaves_the_answer(run: Run) -> None:
    Path("folder.gz").mkdir()
    ran = run("solve", "payable.txt", "-o", "folder.gz", "--certificate", "proof.json")
    assert ran.code == 30
    assert "YES" in ran.out
    assert ran.err.startswith("solvent: cannot write folder.gz: ")
    assert Path("proof.json").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "a.png"], "-o: expected a name that ends in one of .csv, .json, .gz, .tar.gz, .odd, found 'a.png'"),
        (["-o", "-"], "found '-'"),
        (["-o", ""], "found ''"),
        (["-o", "a.json", "--certificate", "a.json"], "--certificate and -o cannot be the same file"),
        (["--certificate", "./payable.txt"], "FILE and --certificate cannot be the same file"),
    ],
)
def test_usage(run: Run, words: list[str], told: str) -> None:
    ran = run("solve", "payable.txt", *words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert not Path("a.json").exists()


def test_a_domain_without_such_files_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "DOMAIN", PLAIN)
    ran = run("solve", "payable.txt", "-o", "a.gz")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "solvent: coins has no files for -o; --certificate keeps the proof\n"
    assert run("generate", "coins", "-o", "a.gz").code == 0
    assert Path("a.gz").read_text() == run("generate", "coins").out


def test_generate_writes_the_file_with_its_certificate_beside_it(run: Run) -> None:
    assert run("generate", "coins", "--seed", "3", "-o", "a.gz") == Ran(0, "", "")
    assert Path("a.gz").read_text().startswith("gz: payable, small, take ")
    run("generate", "coins", "--seed", "3", "-o", "purse.txt")
    assert run("check", "purse.txt", "a.certificate.json").code == 0


def test_generate_with_a_format_or_another_ending_or_a_folder_writes_the_instance(run: Run) -> None:
    purse = run("generate", "coins", "--format", "json").out
    assert list(json.loads(purse)) == ["coins", "pay"]
    assert run("generate", "coins", "--format", "json", "-o", "a.json").code == 0
    assert Path("a.json").read_text() == purse
    assert run("generate", "coins", "-o", "a.coins").code == 0
    assert run("generate", "coins", "-o", "made/").code == 0
    for name in ("a.coins", "made/coins-0.txt"):
        assert Path(name).read_text() == run("generate", "coins").out


def test_generate_names_files_in_a_folder_by_the_format_they_have(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "DOMAIN", structs.replace(EXPORTED, formats={"json": "the purse"}))
    assert run("generate", "coins", "-n", "2", "-o", "made/").code == 0
    written = sorted(path.name for path in Path("made").iterdir() if "certificate" not in path.name)
    assert written == ["coins-0.json", "coins-1.json"]
    assert list(json.loads(Path("made/coins-0.json").read_text())) == ["coins", "pay"]


def test_generate_many(run: Run) -> None:
    assert run("generate", "coins", "-n", "2", "-o", "p{seed}.json").code == 0
    for seed in (0, 1):
        assert "taken" in json.loads(Path(f"p{seed}.json").read_text())
        assert Path(f"p{seed}.certificate.json").exists()


def test_generate_without_asking_writes_the_instance_if_that_has_such_an_ending(run: Run) -> None:
    assert run("generate", "coins", "--unasked", "-o", "a.json") == Ran(0, "", "")
    assert list(json.loads(Path("a.json").read_text())) == ["coins", "pay"]
    assert not Path("a.certificate.json").exists()
    ran = run("generate", "coins", "--unasked", "-o", "a.gz")
    assert (ran.code, ran.err) == (
        2,
        "solvent: a .gz file shows an answer, and with these options nothing is asked\n",
    )


def test_what_is_attempted_in_vain_is_not_handed_out(run: Run) -> None:
    for words in (["--pay", "99"], ["--pay", "99", "-o", "a.json"], ["99", "--format", "coins"]):
        ran = run("generate", "coins", "--seed", "3", *words)
        assert (ran.code, ran.out) == (20, "")
        assert ran.err == "solvent: coins, seed 3: payable is NO: None of the 16 choices is the only one.\n"
        assert not Path("a.json").exists()
    assert run("generate", "coins", "--pay", "99", "--unasked").code == 0


def test_generate_has_a_budget_for_what_is_asked(run: Run) -> None:
    ran = run("generate", "coins", "--seconds", "0")
    assert (ran.code, ran.out) == (20, "")
    assert ran.err == "solvent: coins, seed 0: nothing was made: out of time (limit 0 s)\n"
    assert run("generate", "coins", "--nodes", "2").err.endswith("nothing was made: out of nodes (limit 2)\n")
    assert run("generate", "coins", "--seconds", "60", "--nodes", "9999", "--megabytes", "999").code == 0
    assert run("generate", "coins", "--seconds", "-1").code == 2
    with pytest.raises(GenerationFailed, match="out of time"):
        solvent.generate("coins", seconds=0)
    assert solvent.generate("coins", seconds=60) == solvent.generate("coins")


def test_the_source_is_the_value_of_its_option(run: Run) -> None:
    named = run("generate", "coins", "--pay=6", "--seed", "1", "--unasked")
    assert named.out.endswith("PAY 6\n")
    for words in (["6", "--unasked", "--seed", "1"], ["--unasked", "6", "--seed=1"]):
        assert run("generate", "coins", *words) == named


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["6", "--pay", "6"], "'6' and --pay are given for the same; leave one out"),
        (["six"], "pay: expected a whole number, found 'six'"),
        (["6", "7"], "unexpected extra argument"),
    ],
)
def test_a_wrong_source_is_a_usage_error(run: Run, words: list[str], told: str) -> None:
    ran = run("generate", "coins", *words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_a_domain_without_a_source_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "DOMAIN", PLAIN)
    ran = run("generate", "coins", "6")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("solvent: coins takes no SOURCE, found '6'; ")


def test_help_and_domains_tell_of_files_and_source(run: Run) -> None:
    help_text = run("generate", "--help").out
    assert help_text.startswith("Usage: solvent generate [OPTIONS] DOMAIN [SOURCE]\n")
    assert " ".join(help_text.split()).count("; or as SOURCE") == 1
    assert max(map(len, help_text.splitlines())) <= 80
    told = run("domains").out
    assert "Files: solvent solve FILE -o OUT\n    .csv     one line per coin\n" in told
    assert "Generator: solvent generate coins [SOURCE] --seed N\n" in told
    assert max(map(len, told.splitlines())) <= 80
    [described] = json.loads(run("domains", "--json").out)["domains"]
    assert described["exports"] == KINDS
    assert described["generate_source"] == "pay"
