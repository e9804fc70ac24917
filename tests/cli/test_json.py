"""With `--json`, every command prints one object and nothing else, also where it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batch.inline_pool import InlinePool
from helpers.command import Run
from solvent.batch import library
from solvent.cli.failures import KINDS, describe_failure, wants_json
from solvent.cli.group import COMMANDS, EXIT_CODES
from solvent.core.errors import ParseError, SolventError

WORKING: dict[str, tuple[list[str], set[str]]] = {
    "solve": (["payable.txt"], {"verdict", "certificate", "locations"}),
    "check": (["payable.txt", "proof.json"], {"accepted", "violations"}),
    "hint": (["payable.txt"], {"hints", "lost"}),
    "validate": (["payable.txt", "--store", "new.db"], {"run", "exit_code", "answers"}),
    "report": (["results/validation.db"], {"run", "answers", "page"}),
    "generate": (["coins", "--count", "2"], {"domain", "format", "instances"}),
    "draw": (["payable.txt"], {"domain", "svg", "file"}),
    "convert": (["payable.txt", "--to", "json"], {"domain", "format", "text", "file"}),
    "config": ([], {"configuration", "settings"}),
    "tour": (["coins", "--fast"], {"domains", "text"}),
    "domains": ([], {"domains"}),
    "examples": (["coins"], {"examples"}),
    "completion": (["bash"], {"shell", "script"}),
    "editor": (["check", "payable.txt"], {"file", "status"}),
    "audit": (["too-poor"], {"test", "scopes"}),
}
"""By command: words with which it works here, and some of the keys that it then prints."""
FAILING: dict[str, tuple[list[str], str]] = {
    "solve": (["broken.txt"], "parse"),
    "check": (["payable.txt", "missing.json"], "file"),
    "hint": (["notes.txt"], "not_recognised"),
    "explain": (["payable.txt"], "option"),
    "validate": (["missing"], "input"),
    "report": (["payable.txt"], "store"),
    "generate": (["coins", "--coins", "99"], "option"),
    "draw": (["broken.txt"], "parse"),
    "convert": (["payable.txt", "--to", "clay"], "option"),
    "mapping": (["payable.txt"], "option"),
    "config": (["--what"], "usage"),
    "serve": (["missing"], "file"),
    "tour": (["poker"], "option"),
    "domains": (["poker"], "option"),
    "examples": (["coins", "missing"], "option"),
    "completion": (["clam"], "usage"),
    "editor": (["check", "broken.txt"], "parse"),
    "audit": (["coins.missing"], "option"),
}
"""By command: words with which it fails here, and the kind of the error."""
ELSEWHERE = {
    "explain": "coins has nothing to explain: tests/cli/test_explain_and_remarks.py",
    "mapping": "coins has no mappings: tests of the domains that do",
    "serve": "goes on until it is stopped: below",
}


@pytest.fixture(autouse=True)
def _files(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))
    Path("broken.txt").write_text("COINS 1\nPAY much\n")
    Path("notes.txt").write_text("buy milk\n")


def the_object(text: str) -> dict[str, Any]:
    value = json.loads(text)  # refuses a second one
    assert isinstance(value, dict)
    return value


def test_every_command_is_in_the_tables():
    assert set(WORKING) | set(ELSEWHERE) == set(COMMANDS)
    assert set(FAILING) == set(COMMANDS)


@pytest.mark.parametrize("name", WORKING)
def test_one_object_and_nothing_else(run: Run, name: str):
    words, keys = WORKING[name]
    if name == "check":
        assert run("solve", "payable.txt", "--certificate", "proof.json").code == 0
    elif name == "report":
        assert run("validate", "payable.txt", "-q").code == 0
    ran = run(name, *words, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert keys <= set(the_object(ran.out))


@pytest.mark.parametrize("name", FAILING)
def test_one_object_also_where_it_fails(run: Run, name: str):
    words, kind = FAILING[name]
    ran = run(name, *words, "--json")
    error = the_object(ran.out)["error"]
    assert set(error) == {"kind", "message", "expected", "line", "column", "path", "source", "exit_code"}
    assert (error["kind"], error["exit_code"]) == (kind, ran.code)
    assert ran.err.startswith("solvent: ")


def test_an_error_says_where_it_stands(run: Run):
    assert the_object(run("solve", "broken.txt", "--json").out)["error"] == {
        "kind": "parse",
        "message": "broken.txt, line 2: expected PAY and a whole number, found 'PAY much'",
        "expected": "PAY and a whole number",
        "line": 2,
        "column": None,
        "path": None,
        "source": "broken.txt",
        "exit_code": 30,
    }


def test_an_answer_that_cannot_be_kept_is_still_one_object(run: Run):
    Path("folder").mkdir()
    ran = run("solve", "payable.txt", "--json", "--certificate", "folder/missing/proof.json")
    assert ran.code == 30
    the_object(ran.out)


def test_files_are_written_beside_the_object(run: Run):
    for words in (["draw", "payable.txt"], ["convert", "payable.txt", "--to", "json"]):
        made = the_object(run(*words, "-o", "made.out", "--json").out)
        assert made["file"] == "made.out"
        assert Path("made.out").read_text().strip() == (made.get("svg") or made["text"]).strip()
    (one,) = the_object(run("generate", "coins", "-o", "made.txt", "--json").out)["instances"]
    assert (one["seed"], one["file"], one["text"]) == (0, "made.txt", Path("made.txt").read_text())
    assert the_object(run("examples", "coins", "lunch", "--json").out)["text"].startswith("COINS")


def test_an_instance_out_of_a_store(run: Run):
    run("validate", "payable.txt", "-q", "--jsonl", "lines.jsonl")
    known = json.loads(Path("lines.jsonl").read_text())["hash"]
    assert the_object(run("report", "results/validation.db", "--extract", known[:8], "--json").out) == {
        "hash": known,
        "text": "COINS 5 3 7\nPAY 10\n",
        "file": None,
    }


def test_what_was_asked_for_is_seen_before_two_dashes_alone():
    assert wants_json(["solve", "a", "--json"])
    assert not wants_json(["validate", "--", "--json"])


@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt(), ParseError("a number"), SolventError("no")])
def test_every_failure_has_a_kind(error: BaseException):
    assert describe_failure(error)["error"]["message"]


def test_exit_codes_are_those_of_the_command():
    assert all(KINDS[each][1] == code for each, code in EXIT_CODES.items())
