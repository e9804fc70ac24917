"""The command on dungeons: rules, explanations, profiles, pictures, and what bad files are told."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import solvent
from helpers.command import Run

GOOD = "dungeon: good\n\nmap:\n#####\n#@.G#\n#####\n"
TILED = {
    "type": "map",
    "version": "1.10",
    "orientation": "orthogonal",
    "width": 3,
    "height": 1,
    "tilewidth": 16,
    "tileheight": 16,
    "infinite": False,
    "layers": [],
    "tilesets": [],
}

BAD = {
    "ragged map": (GOOD.replace("#@.G#", "#@.G"), "line 5"),
    "no start": (GOOD.replace("@", "."), "a start"),
    "two starts": (GOOD.replace("@.", "@@"), "one start"),
    "no goal": (GOOD.replace("G", "."), "a goal"),
    "unknown glyph": (GOOD.replace(".G", "?G"), "line 5, column 3"),
    "unmatched stairs": (GOOD.replace(".G", "1G") + "\nlegend:\n1 = stairs\n", "stairs"),
    "a key of no colour there is": (GOOD.replace(".G", "RG") + "\nlegend:\nR = lock red\n", "red"),
    "an item that lies nowhere": (GOOD.replace(".G", "LG") + "\nlegend:\nL = gate lamp\n", "lamp"),
    "a switch that is not there": (GOOD.replace(".G", "DG") + "\nlegend:\nD = barrier lever\n", "lever"),
    "more keys than there can be": (GOOD.replace(".G", "KG") + "\nlegend:\nK = key x1234567\n", "x1 to x9999"),
    "a move that cannot be made": (GOOD + "\nmoves: N\n", "number 1"),
    "Tiled without a layer": (json.dumps(TILED), "layer"),
    "junk after a good beginning": ("dungeon: junk\n\x01\x02 map\n", "line 2"),
}


@pytest.fixture(autouse=True)
def _files(empty_folder: Path) -> None:
    for example in solvent.examples("dungeon"):
        Path(f"{example.name}.txt").write_text(example.text)


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_told_in_one_line(run: Run, kind: str):
    text, told = BAD[kind]
    Path("bad.txt").write_text(text)
    ran = run("solve", "bad.txt")
    assert (ran.code, ran.out) == (30, "")
    assert ran.err.startswith("solvent: bad.txt")
    assert len(ran.err.splitlines()) == 1
    assert told in ran.err


def test_the_good_file_is_good(run: Run):
    Path("good.txt").write_text(GOOD)
    assert run("solve", "good.txt").code == 0


def test_both_questions_and_their_certificates(run: Run):
    assert run("solve", "the_wrong_door.txt", "--certificate", "plan.json").code == 0
    assert run("check", "the_wrong_door.txt", "plan.json").code == 0
    lost = run("solve", "the_wrong_door.txt", "--ask", "losable", "--certificate", "lost.json")
    assert lost.code == 0
    assert "moment of no return" in lost.out
    assert run("check", "the_wrong_door.txt", "lost.json").code == 0
    assert run("check", "first_door.txt", "lost.json").code == 31
    assert max(map(len, lost.out.splitlines())) <= 80


def test_a_rule_can_be_changed_and_is_recorded(run: Run):
    assert run("solve", "the_wrong_door.txt", "--ask", "losable", "--rule", "keys=1").code == 10
    answer = json.loads(run("solve", "one_bomb_short.txt", "--rule", "bombs=unlimited", "--json").out)
    assert answer["verdict"] == "YES"
    assert answer["stats"]["rules"]["bombs"] == "unlimited"
    assert answer["certificate"]["rules"]["bombs"] is None


def test_a_certificate_holds_under_its_own_rules_only(run: Run):
    run("solve", "one_bomb_short.txt", "--rule", "bombs=9", "--certificate", "plan.json")
    refused = run("check", "one_bomb_short.txt", "plan.json")
    assert refused.code == 31
    assert "bombs" in refused.out
    assert run("check", "one_bomb_short.txt", "plan.json", "--rule", "bombs=9").code == 0


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("bombs=many", "bombs"),
        ("colour=red", "unknown dungeon rule"),
        ("player=nobody", "any, thorough"),
        ("keys", "NAME=VALUE"),
    ],
)
def test_a_wrong_rule_is_a_usage_error(run: Run, rule: str, told: str):
    ran = run("solve", "first_door.txt", "--rule", rule)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_explain_says_what_would_fix_it(run: Run):
    ran = run("explain", "the_wrong_door.txt")
    assert ran.code == 0
    for heading in ("Spheres", "Never reachable", "Fixes"):
        assert f"\n{heading}\n" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    told = json.loads(run("explain", "the_wrong_door.txt", "--json").out)
    assert told["domain"] == "dungeon"
    for fix in told["fixes"]:
        fixed = solvent.parse(fix["text"])
        assert solvent.ask(fixed, fix["question"]).verdict.value == fix["verdict"]


def test_a_profile_is_written_beside(run: Run):
    ran = run("solve", "red_and_blue.txt", "--profile", "where")
    assert ran.code == 0
    ElementTree.parse("where.heat.svg")
    for name in ("where.tiles.csv", "where.rooms.csv"):
        rows = list(csv.reader(Path(name).read_text().splitlines()))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("view", ["map", "graph"])
def test_every_view_is_a_picture(run: Run, view: str):
    assert run("draw", "the_wrong_door.txt", "--view", view, "-o", "out.svg").code == 0
    ElementTree.parse("out.svg")


@pytest.mark.parametrize("weight", ["nan", "inf", "0.5"])
def test_a_weight_that_is_none_is_a_usage_error(run: Run, weight: str):
    ran = run("solve", "first_door.txt", "--weight", weight)
    assert (ran.code, ran.out) == (2, "")
    assert "weight" in ran.err


def test_an_unknown_view_is_a_usage_error(run: Run):
    ran = run("draw", "the_wrong_door.txt", "--view", "sideways")
    assert ran.code == 2
    assert "map, graph" in ran.err


def test_reading_says_what_it_assumed(run: Run, corpora: Path):
    level = corpora / "vglc-zelda" / "Processed" / "tloz1_1.txt"
    if not level.exists():
        pytest.skip(f"no Zelda levels in {corpora}")
    for words in ([], ["-v"]):
        ran = run("solve", str(level), *words)
        assert ran.code == 0
        assert "Reading it assumed:" in ran.out


@pytest.mark.parametrize("format", ["text", "tmj", "tmx", "ldtk"])
def test_another_format_gives_the_same_answers(run: Run, format: str):
    run("convert", "across_the_moat.txt", "--to", format, "-o", "other")
    answer = json.loads(run("solve", "other", "--json").out)
    same = json.loads(run("solve", "across_the_moat.txt", "--json").out)
    assert answer["stats"]["plan_length"] == same["stats"]["plan_length"]


@pytest.mark.parametrize(("wish", "verdict"), [((), "NO"), (("--losable",), "YES")])
def test_what_is_generated_comes_with_both_certificates(run: Run, wish: tuple[str, ...], verdict: str):
    assert run("generate", "dungeon", "--rooms", "8", "--locks", "2", "--seed", "5", *wish, "-o", "made.txt").code == 0
    plan = run("check", "made.txt", "made.certificate.json")
    assert (plan.code, plan.out) == (0, "accepted: solvable YES (plan)\n")
    losing = run("check", "made.txt", "made.losable.certificate.json")
    assert losing.code == 0
    assert f"accepted: losable {verdict} " in losing.out


def test_nodes_run_out_as_unknown(run: Run):
    assert run("solve", "keys_to_spare.txt", "--ask", "losable", "--nodes", "1").code in (10, 20)
    assert run("solve", "the_wrong_door.txt", "--nodes", "0").code == 20
