"""`solvent hint` for Star Battle: as much as was asked for, in words, as JSON and as a picture."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import solvent
from helpers.command import Run
from solvent.cli.hint import LEVELS

FILES = {"six_by_six": "six.txt", "wrong_mark": "wrong.txt", "no_room": "none.txt", "two_ways": "two.txt"}
CAPTION = "r2c5 stays empty: region C fits in one 2×2 block and needs one more star."
ALWAYS = {"lost", "reason"}
WHOLE = ALWAYS | {"where", "technique", "caption", "move", "narrative", "proof", "certificate", "data"}
KEYS = {
    "unit": ALWAYS | {"where"},
    "technique": ALWAYS | {"where", "technique"},
    "cells": ALWAYS | {"where", "technique", "caption", "move"},
    "proof": WHOLE,
}


@pytest.fixture(autouse=True)
def _files(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for example in solvent.examples("starbattle"):
        if example.name in FILES:
            Path(FILES[example.name]).write_text(example.text)


# How much is given away.


def test_each_level_says_more(run: Run):
    said = {level: run("hint", "six.txt", "--level", level) for level in LEVELS}
    assert {(ran.code, ran.err) for ran in said.values()} == {(0, "")}
    assert all("Look at region C." in said[level].out for level in ("unit", "technique"))
    assert [CAPTION in said[level].out for level in LEVELS] == [False, False, True, True]
    assert ["2×2 tiling." in said[level].out for level in LEVELS] == [False, True, False, True]
    assert ["Proof:" in said[level].out for level in LEVELS] == [False, False, False, True]
    for level in ("unit", "technique"):
        assert "r2c5" not in said[level].out
        assert "[×]" not in said[level].out  # nor on the board
    assert "[×]" in said["cells"].out


def test_a_level_leads_to_the_next(run: Run):
    for level, following in pairwise(LEVELS):
        assert f"solvent hint six.txt --level {following}" in run("hint", "six.txt", "--level", level).out
    assert run("hint", "six.txt").out == run("hint", "six.txt", "--level", "proof").out
    assert run("hint", "six.txt", "--level", "all").code == 2


def test_several_steps(run: Run):
    out = run("hint", "six.txt", "-n", "3").out
    assert [out.count(f"{number}. r") for number in (1, 2, 3, 4)] == [1, 1, 1, 0]


def test_every_cell_of_a_step(run: Run):
    out = run("hint", "six.txt", "--all").out
    assert "r2c5, r2c6" in out or "r2c5 and r2c6" in out
    assert "A 2×2 block holds one star at most" in out


# The whole path.


def test_the_path_ends_with_a_grade(run: Run):
    ran = run("hint", "six.txt", "--path")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].startswith("Grade: very easy (")
    assert "The board is solved." in ran.out
    assert ran.out.count("Proof:") > 5


@pytest.mark.parametrize("level", LEVELS)
def test_the_path_at_each_level(run: Run, level: str):
    out = run("hint", "six.txt", "--path", "--level", level).out
    assert "Grade: " in out
    assert ("Proof:" in out) == (level == "proof")
    assert ("stays empty" in out) == (level in ("cells", "proof"))


def test_a_path_that_cannot_end_has_no_grade(run: Run):
    ran = run("hint", "two.txt", "--path")
    assert ran.code == 20
    assert "This board has more than one solution." in ran.out
    assert "Where solutions differ, no cell is forced." in ran.out
    assert "Grade" not in ran.out
    told = json.loads(run("hint", "two.txt", "--path", "--json").out)
    assert told["grade"] is None
    assert told["hints"][-1]["reason"] is not None


# JSON.


@pytest.mark.parametrize("level", LEVELS)
def test_json_holds_what_the_level_gives_away(run: Run, level: str):
    ran = run("hint", "six.txt", "--json", "--level", level)
    told = json.loads(ran.out)
    assert (ran.code, set(told)) == (0, {"domain", "lost", "hints", "remarks"})
    assert (told["domain"], told["lost"]) == ("starbattle", False)
    [hint] = told["hints"]
    assert set(hint) == KEYS[level]
    assert (hint["where"], hint["lost"], hint["reason"]) == ("Look at region C.", False, None)
    if level == "proof":
        assert (hint["caption"], hint["move"], hint["technique"]) == (CAPTION, "r2c5x", "2×2 tiling")
        assert (hint["data"]["technique"], hint["data"]["crosses"]) == ("tiling", [[1, 4]])
        solvent.check(solvent.load("six.txt"), hint["certificate"])


def test_news_is_told_in_full_at_every_level(run: Run):
    for level in LEVELS:
        for file in ("wrong.txt", "none.txt", "two.txt"):
            news, *steps = json.loads(run("hint", file, "--json", "--level", level).out)["hints"]
            assert set(news) == WHOLE
            assert news["caption"]
            assert len(steps) <= (file == "two.txt"), "where there are several solutions, a step may follow"


def test_the_path_as_json(run: Run):
    told = json.loads(run("hint", "six.txt", "--path", "--json").out)
    assert set(told) == {"domain", "lost", "hints", "grade", "remarks"}
    assert set(told["grade"]) == {"number", "word", "technique", "steps"}
    assert (told["grade"]["word"], told["grade"]["steps"]) == ("very easy", len(told["hints"]) - 1)
    assert [hint["move"] is None for hint in told["hints"]] == [False] * (len(told["hints"]) - 1) + [True]
    assert told["hints"][-1]["data"] == {"news": "solved"}


# Pictures.


def test_a_picture_of_the_step(run: Run):
    run("draw", "six.txt", "-o", "plain.svg")
    pictures = {}
    for level in LEVELS:
        assert run("hint", "six.txt", "--level", level, "-o", f"{level}.svg").code == 0
        pictures[level] = Path(f"{level}.svg").read_text()
        assert ElementTree.fromstring(pictures[level]).tag.endswith("svg")
    plain = Path("plain.svg").read_text()
    assert pictures["unit"] == pictures["technique"] == plain  # a picture gives no more away than the words
    assert pictures["cells"] == pictures["proof"] != plain


def test_blocks_that_reach_over_the_edge_are_drawn(run: Run):
    """Two cells of the last row lie in one block, though half of it is off the board."""
    Path("edge.txt").write_text("5 1\nABBBB\nACCBB\nACCDB\nCCCDD\nCCEED\n")
    [hint] = json.loads(run("hint", "edge.txt", "--json").out)["hints"]
    assert hint["data"]["highlights"]["blocks"] == [[4, 2]]
    ran = run("hint", "edge.txt", "-o", "edge.svg")
    assert (ran.code, ran.err) == (0, "")
    assert hint["caption"] in ran.out
    assert Path("edge.svg").is_file()


def test_a_picture_of_a_wrong_mark(run: Run):
    run("draw", "wrong.txt", "-o", "plain.svg")
    assert run("hint", "wrong.txt", "-o", "hint.svg").code == 10
    assert Path("hint.svg").read_text() != Path("plain.svg").read_text()


# Exit codes.


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["six.txt"], 0, CAPTION),
        (["two.txt"], 0, "more than one solution"),
        (["six.txt", "--path"], 0, "The board is solved."),
        (["wrong.txt"], 10, "The mark on r4c6 is wrong: it cannot be a star."),
        (["wrong.txt", "--path"], 10, "The mark on r4c6 is wrong"),
        (["none.txt"], 10, "This board has no solution"),
        (["six.txt", "--nodes", "0"], 20, "No hint: out of nodes (limit 0)."),
        (["six.txt", "--seconds", "0"], 20, "No hint: out of time"),
        (["wrong.txt", "--nodes", "0"], 20, "No hint: out of nodes"),
        (["six.txt", "--verify-nodes", "0"], 20, "No step was found within the work"),
        (["six.txt", "--search-work", "0", "--supposing-work", "0"], 20, "The marks are right so far."),
        (["six.txt", "--verify-nodes", "0", "--path"], 20, "No step was found within the work"),
    ],
)
def test_exit_codes(run: Run, words: list[str], code: int, told: str):
    ran = run("hint", *words)
    assert (ran.code, ran.err) == (code, "")
    assert told in ran.out
    as_json = run("hint", *words, "--json")
    assert (as_json.code, json.loads(as_json.out)["lost"]) == (code, code == 10)


def test_a_lost_board_says_how_to_see_the_proof(run: Run):
    assert "solvent solve wrong.txt --certificate proof.json" in run("hint", "wrong.txt").out
    assert run("solve", "wrong.txt", "--certificate", "proof.json").code == 10
    assert run("check", "wrong.txt", "proof.json").code == 0


@pytest.mark.parametrize("words", [["--all", "yes"], ["--verify-nodes", "-1"], ["--search-work", "many"]])
def test_options_that_are_none(run: Run, words: list[str]):
    assert run("hint", "six.txt", *words).code == 2
