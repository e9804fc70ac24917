"""The command that does again what a run did."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from batch.result_rows import row, unread
from solvent.batch.records import ReadAs
from solvent.batch.report.describe import command_for
from solvent.batch.settings import Limits, Settings


def settings(**values: Any) -> dict[str, Any]:
    return Settings(**values).as_json()


def test_it_asks_the_same_with_the_same_limits() -> None:
    given = settings(limits=Limits(seconds=2.5, nodes=10_000, megabytes=300), proof=False)
    assert command_for(row(path="levels/a.txt"), given, "v.db") == (
        "solvent solve levels/a.txt --as hostile --ask solvable --seconds 2.5 --nodes 10000 --megabytes 300 --no-proof"
    )


@pytest.mark.parametrize("seconds", [60.0, 60, 12345678.0, 0.1 + 0.2, 1234567.891, 1e16, 1e-7])
def test_a_limit_is_written_exactly(seconds: float) -> None:
    command = command_for(row(path="a.txt"), settings(limits=Limits(seconds=seconds)), "v.db")
    assert command is not None
    assert float(shlex.split(command)[-1]) == seconds


def test_without_limits_it_names_none() -> None:
    given = settings(limits=Limits(seconds=None))
    assert command_for(row(path="a.txt"), given, "v.db") == "solvent solve a.txt --as hostile --ask solvable"


@pytest.mark.parametrize("path", ["two words.txt", "it's.txt", "$(rm -rf).txt", "a;b|c.txt", '"<script>".txt'])
def test_a_shell_takes_the_path_as_it_is(path: str) -> None:
    command = command_for(row(path=path), settings(), "v.db")
    assert command is not None
    assert shlex.split(command)[:3] == ["solvent", "solve", path]


def test_a_path_is_never_an_option_nor_standard_input() -> None:
    for path in ("-", "--help"):
        command = command_for(row(path=path), settings(), "v.db")
        assert command is not None
        assert shlex.split(command)[2] == f"./{path}"


def test_a_line_of_a_file_is_taken_out_of_the_store() -> None:
    given = settings(rules={"walls": "soft"})
    for path, line in (("many.jsonl", 7), (None, 7), (None, None)):
        command = command_for(row(path=path, line=line, instance="0123456789abcdef" * 4), given, "my results.db")
        assert command == (
            "solvent report 'my results.db' --extract 0123456789abcdef | solvent solve - --as hostile --ask solvable"
            " --seconds 60"
        ), "the text in the store was written under the rules already"


def test_a_path_that_cannot_be_shown_is_taken_out_of_the_store() -> None:
    for path in ("two\nlines.txt", b"odd\xff.txt".decode("utf-8", "surrogateescape")):
        command = command_for(row(path=path), settings(), "v.db")
        assert command is not None
        assert command.startswith("solvent report v.db --extract f00d | solvent solve - ")
        assert command_for(unread(ReadAs.UNREADABLE, "broken", path=path), settings(), "v.db") is None


def test_options_are_those_of_the_domain() -> None:
    given = settings(
        options={"hostile": {"deep_search": True, "shake": False, "seed": 7, "gone": None}, "other": {"x": 1}}
    )
    command = command_for(row(path="a.txt"), given, "v.db")
    assert command is not None
    assert shlex.split(command)[-3:] == ["--deep-search=true", "--shake=false", "--seed=7"]


def test_rules_are_those_the_domain_has() -> None:
    given = settings(rules={"gravity": "low", "keys": "kept forever"})
    command = command_for(row(path="a.txt", domain="never heard of"), given, "v.db")
    assert command is not None
    assert "--rule gravity=low --rule 'keys=kept forever'" in command, "nobody knows its rules, so all of them"
    assert "--rule" not in (command_for(row(path="a.txt", domain="harmony"), given, "v.db") or "--rule")


def test_what_cannot_be_read_can_be_tried_again_if_it_is_a_file() -> None:
    assert command_for(unread(ReadAs.UNREADABLE, "broken", path="a.txt"), settings(), "v.db") == (
        "solvent solve a.txt --seconds 60"
    )
    assert command_for(unread(ReadAs.UNREADABLE, "not JSON", path="a.jsonl", line=3), settings(), "v.db") is None
