"""Questions as options: `solve FILE --unique` asks what `--ask unique` asks."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from cli import coins
from helpers.command import Run
from solvent.core.domain import Option, Question


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["payable.txt", "--unique"], "unique"),
        (["--unique", "payable.txt"], "unique"),
        (["--unique", "--ask", "unique", "payable.txt"], "unique"),
        (["payable.txt", "--payable"], "payable"),
        (["payable.txt"], "payable"),
    ],
)
def test_the_name_of_a_question_asks_it(run: Run, words: list[str], asked: str) -> None:
    ran = run("solve", "--json", *words)
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["question"] == asked


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--unique", "--ask", "payable"], "--unique and payable are two questions; ask one at a time"),
        (["--unique", "--payable"], "are two questions"),
        (["--unique=yes"], "--unique is a question and takes no value"),
        (["--no-unique"], "no such option --no-unique"),
        (["--uniqe"], "did you mean --unique?"),
    ],
)
def test_usage(run: Run, words: list[str], told: str) -> None:
    ran = run("solve", "payable.txt", *words)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_an_option_of_the_same_name_comes_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = {"payable": "Can it be paid?", "lie": "Is it a lie?", "json": "Is it JSON?"}
    asked = {name: Question(text) for name, text in questions.items()}
    monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, questions=asked))
    ran = run("solve", "unpayable.txt", "--no-lie", "--json")
    assert json.loads(ran.out)["question"] == "payable"
    assert "the same as --ask" not in run("solve", "--help").out


def test_a_question_of_another_domain_is_no_option_here(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file decides which domain it is, and what it does not know is refused as any other option."""
    from solvent import registry

    notes = structs.replace(
        coins.DOMAIN,
        name="notes",
        questions={"torn": Question("Is one torn?")},
        solve_options=(Option("unique", "no", "a word", type=str),),
        sniff=lambda text: False,
    )
    real = registry.all_domains
    monkeypatch.setattr(registry, "all_domains", lambda: [*real(), notes])
    ran = run("solve", "payable.txt", "--torn")
    assert (ran.code, ran.out) == (2, "")
    assert "no such option --torn" in ran.err
    # where one domain has an option with a value and another a question, the word after it is the value
    assert "takes no value" in run("solve", "payable.txt", "--unique", "yes").err
    assert run("solve", "payable.txt", "--ask", "unique").code == 0


def test_only_where_a_question_can_be_asked(run: Run) -> None:
    assert "no such option --unique" in run("hint", "payable.txt", "--unique").err
    assert "the same as" not in run("hint", "--help").out


def test_help_says_it_in_one_line(run: Run) -> None:
    lines = run("solve", "--help").out.splitlines()
    assert [line.split() for line in lines if "the same as" in line] == [
        ["--unique", "the", "same", "as", "--ask", "unique"]
    ]
