"""What an editor asks in one call: every question with its places, within one limit."""

from __future__ import annotations

import json
from pathlib import Path

from helpers.command import Run
from helpers.examples import domain_named, examples_of


def test_all_questions_are_answered_at_once_with_places(run: Run):
    example = next(each for each in examples_of("dungeon") if each.name == "the_wrong_door")
    Path("level.txt").write_text(example.text, encoding="utf-8")
    ran = run("editor", "check", "level.txt", "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["file"], found["status"]) == (10, "level.txt", "FAIL")
    assert [each["question"] for each in found["answers"]] == list(domain_named("dungeon").asked_on_save)
    losable = found["answers"][1]
    assert losable["locations"][0]["description"] == "row 2, column 7"
    assert losable["locations"][0]["column"] == 8
    row = example.text.split("\n")[losable["locations"][1]["line"] - 1]
    assert row[losable["locations"][1]["column"] - 1] == "L"
    every = json.loads(run("editor", "check", "level.txt", "--json", "--ask", "all").out)
    assert [each["question"] for each in every["answers"]] == list(domain_named("dungeon").questions)


def test_no_time_is_unknown(run: Run):
    example = next(each for each in examples_of("dungeon") if each.name == "the_wrong_door")
    Path("level.txt").write_text(example.text, encoding="utf-8")
    ran = run("editor", "check", "level.txt", "--seconds", "0")
    assert ran.code == 20
    assert "UNKNOWN  solvable: UNKNOWN, out of time" in ran.out


def test_rules_and_mappings_of_the_configuration_count(run: Run):
    crate = next(each for each in examples_of("dungeon") if each.name == "the_crate")
    Path("level.txt").write_text(crate.text, encoding="utf-8")
    assert run("editor", "check", "level.txt", "--ask", "solvable").code == 0
    Path("solvent.toml").write_text('ask = "solvable, unique"\n[dungeon.rules]\npush = "never"\n')
    ran = run("editor", "check", "level.txt")
    assert (ran.code, ran.err) == (10, "")
    assert ran.out.startswith("FAIL  solvable: NO")
    assert "unique" not in ran.out  # a question about levels of another domain
    assert run("editor", "check", "level.txt", "--rule", "push=once").code == 0
    Path("solvent.toml").write_text('ask = "unique"\n[mappings]\n"*.txt" = "names.toml"\n')
    ran = run("editor", "check", "level.txt")
    assert (ran.code, "a mapping is for maps of Tiled and LDtk" in ran.err) == (2, True)
    Path("solvent.toml").write_text('ask = "unique"\n')
    found = json.loads(run("editor", "check", "level.txt", "--json").out)
    assert [each["question"] for each in found["answers"]] == list(domain_named("dungeon").asked_on_save)
