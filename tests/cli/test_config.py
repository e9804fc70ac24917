"""A project's configuration: what it sets, what goes before it, and what `solvent config` says about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from helpers.command import Run
from solvent.batch import library
from solvent.cli.configured import configurable

FILE = """\
paths = ["levels"]
exclude = ["*.bak", "levels/drafts"]
seconds = 7
no-csv = true
fail-on = "fail"
store = "kept/answers.db"

[coins]
order = "large"
"""


@pytest.fixture(autouse=True)
def _project(monkeypatch: pytest.MonkeyPatch) -> None:
    inline = InlinePool()
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (inline, None))
    Path("levels/drafts").mkdir(parents=True)
    Path("solvent.toml").write_text(FILE)
    Path("payable.txt").rename("levels/payable.txt")
    Path("levels/old.bak").write_text("COINS 1 2\nPAY 9\n")
    Path("unpayable.txt").rename("levels/drafts/unpayable.txt")


def settings(run: Run, *words: str) -> dict[str, tuple[object, str]]:
    ran = run("config", "--json", *words)
    assert ran.code == 0, ran.err
    return {each["key"]: (each["value"], each["origin"]) for each in json.loads(ran.out)["settings"]}


def test_validate_goes_by_the_configuration_and_says_so(run: Run) -> None:
    ran = run("validate")
    assert ran.code == 0, ran.err
    assert "1 answer in" in ran.out
    assert "Configuration: solvent.toml" in ran.out
    assert Path("kept/answers.db").exists()
    assert not list(Path("kept").glob("*.csv"))
    assert run("validate", "levels/drafts/unpayable.txt").code == 10  # named, so not left out; and fail-on holds
    summary = json.loads(run("validate", "--json").out)
    assert (summary["configuration"], summary["known"]) == ("solvent.toml", 1)


def test_paths_start_where_the_file_lies(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("levels")
    ran = run("validate")
    assert ran.code == 0, ran.err
    assert "Configuration: ../solvent.toml" in ran.out
    assert Path("../kept/answers.db").exists()


def test_the_command_line_goes_first(run: Run) -> None:
    assert settings(run)["seconds"] == (7.0, "solvent.toml:3")
    assert settings(run, "--seconds", "3")["seconds"] == (3.0, "command line")
    assert settings(run)["coins.order"] == ("large", "solvent.toml:9")
    assert settings(run, "--order", "small")["coins.order"] == ("small", "command line")
    assert settings(run)["nodes"] == (None, "default")
    assert run("validate", "--csv", "table.csv", "-q").code == 0
    assert Path("table.csv").exists()


def test_a_configuration_can_be_named_or_left_out(run: Run) -> None:
    Path("other.toml").write_text("seconds = 9\n")
    assert settings(run, "--config", "other.toml")["seconds"] == (9.0, "other.toml:1")
    assert settings(run, "--no-config")["seconds"] == (None, "default")
    assert "no PATH is given" in run("validate", "--no-config").err
    assert run("validate", "--no-config", "--config", "other.toml").code == 2
    ran = run("validate", "--config", "other.toml")
    assert (ran.code, "other.toml has no paths" in ran.err) == (2, True)
    assert run("validate", "--config", "missing.toml").code == 30


def test_every_option_of_validate_has_a_key_without_a_second_list(run: Run) -> None:
    assert set(configurable()) <= set(settings(run))
    assert {"paths", "ask", "seconds", "kill-after", "jobs", "store", "fail-on", "exclude"} <= set(configurable())
    assert not {"config", "no-config", "json", "quiet", "rule", "as", "help"} & set(configurable())


def test_solve_goes_by_limits_and_options_and_says_so(run: Run) -> None:
    Path("solvent.toml").write_text("nodes = 1000\n\n[coins]\ngive_up = true\n")
    ran = run("solve", "levels/payable.txt")
    assert ran.code == 20
    assert ran.err == "solvent: solvent.toml sets nodes 1000, give_up True\n"
    assert run("solve", "levels/payable.txt", "--no-give-up", "--nodes", "5").code == 0
    quiet = run("solve", "levels/payable.txt", "--no-config")
    assert (quiet.code, quiet.err) == (0, "")


def test_config_says_what_applies_to_a_file(run: Run) -> None:
    shown = json.loads(run("config", "levels/payable.txt", "--json").out)
    assert {each["key"]: each["value"] for each in shown["applies"]} == {
        "validated": "yes",
        "domain": "coins",
        "ask": ["payable"],
        "order": "large",
    }
    assert "no: excluded by *.bak" in run("config", "levels/old.bak").out
    Path("outside.txt").write_text("COINS 1\nPAY 1\n")
    assert "no: not in paths" in run("config", "outside.txt").out
    Path("notes.md").write_text("nothing")
    assert "no domain recognises it" in run("config", "notes.md").out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scnds = 1\n", "line 1: unknown key 'scnds'; did you mean 'seconds'?"),
        ("ask = ['payble']\n", "line 1: ask: unknown question 'payble'"),
        ("jobs = 0\n", "line 1: jobs: 0 is not in the range x>=1"),
        ("jobs = 1.5\n", "line 1: jobs: expected a whole number, found 1.5"),
        ("no-csv = 1\n", "line 1: no-csv: expected true or false, found 1"),
        ("store = 1\n", "line 1: store: expected text, found 1"),
        ("paths = 1\n", "line 1: paths: expected a list of texts, found 1"),
        ("again = 'some'\n", "line 1: again: 'some' is not one of 'unknown', 'all'"),
        ("\nfail-on = ['x']\n", "line 2: fail-on: expected some of yes, no"),
        ("[coins]\norder = 'x'\n", "line 2: unknown order 'x'"),
        ("config = 'x'\n", "line 1: unknown key 'config'"),
    ],
)
def test_mistakes_are_found_with_their_line(run: Run, text: str, message: str) -> None:
    Path("solvent.toml").write_text(text)
    ran = run("validate", "levels")
    assert ran.code == 30
    assert message in ran.err
    assert ran.out == ""


def test_a_broken_configuration_does_not_hide_the_help(run: Run) -> None:
    Path("solvent.toml").write_text("= 1\n")
    assert run("validate", "--help").code == 0
    assert run("solve", "levels/payable.txt").code == 30


def test_no_configuration_is_said(run: Run) -> None:
    Path("solvent.toml").unlink()
    ran = run("config")
    assert ran.code == 0
    assert ran.out.startswith("Configuration: none.")
