"""Bare maps are recognised where it is certain, advice is given where it is not, and nothing else is taken for one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import solvent
from solvent.core.errors import BadOption, NotRecognised, ParseError
from solvent.dungeon.bare_maps import GLYPHS, describe_near_miss, is_bare_map
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import Gate, Pickup
from solvent.dungeon.notation.text.things import BUILT_IN
from solvent.registry import all_domains, detect
from solvent.web import schemas, work

MAP = "#######\n#@k.LG#\n#######"


def test_the_glyphs_are_those_of_the_text_format():
    assert sorted(GLYPHS) == sorted(BUILT_IN)


@pytest.mark.parametrize(
    "text",
    [
        MAP,
        f"{MAP}\n",
        f"\n\n{MAP}\n\n\n",
        MAP.replace("\n", "\r\n"),
        f"\ufeff{MAP}",
        "\n".join(f"    {row}  " for row in MAP.split("\n")),
        f"{MAP}\n\nrules: bombs=0\n",
    ],
)
def test_a_bare_map_is_the_map_with_its_heading(text: str):
    assert solvent.parse(text) == solvent.parse(f"dungeon:\n\nmap:\n{MAP}\n")
    assert solvent.parse(text).remarks == ()


def test_rows_may_have_any_length():
    dungeon = solvent.parse("####\n#@.G#\n####")
    assert dungeon.floors[0].terrain == ("#### ", "#@.G#".replace("@", ".").replace("G", "."), "#### ")


def test_a_single_line_with_colours():
    dungeon = solvent.parse("#r.L@kL.RG#")
    assert dungeon.pickups == (Pickup((0, 0, 1), "key", "red"), Pickup((0, 0, 5), "key"))
    assert dungeon.gates[2] == Gate("lock", ("red",), ((0, 0, 8),))
    assert dungeon.remarks == (
        "no legend says what 'r' is: it is a red key",
        "no legend says what 'R' is: it is a red lock",
    )
    told = solvent.parse("#r@RG#\n\nlegend:\n  r = key blue\n  R = lock blue\n")
    assert told.pickups == (Pickup((0, 0, 1), "key", "blue"),)
    assert told.remarks == ()
    with pytest.raises(ParseError, match="line 1, column 4: expected a red key somewhere"):
        solvent.parse("#@.RG#")
    with pytest.raises(ParseError, match="a glyph of the legend"):
        solvent.parse("dungeon:\nmap:\n#r@RG#\n")


def test_sections_after_a_bare_map():
    dungeon = solvent.parse("#S.x.E#\n\nlegend:\n  S = start\n  E = floor + goal\n  x = gate lamp\nrules: items=lamp\n")
    assert (dungeon.start, dungeon.goals, dungeon.rules.items) == ((0, 0, 1), ((0, 0, 5),), ("lamp",))
    with pytest.raises(ParseError, match=r"line 5, column 1: .*'dungeon:' only once"):
        solvent.parse("#@.G#\n\nrules: bombs=1\n\ndungeon: late\n")
    with pytest.raises(ParseError, match="line 1, column 3: expected one start"):
        solvent.parse("#@@G#")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("#####\n#S.G#\n#####\n", r"say what 'S' means: below it.*'legend:' and lines such as 'S = start'"),
        ("#####\n#@$?#\n#...#\n#####\n", r"say what '\$', '\?' mean: .*"),
        ("#####\n#..G#\n#####\n", r"needs a start \(@\)\)"),
        ("#####\n#...#\n#####\n", r"needs a start \(@\) and a goal \(G\)\)"),
        ("#@.G#\n\nnotes about it\n", "begins with the lines 'dungeon:' and 'map:'"),
        ("map:\n#@.G#\n", "begins with the line 'dungeon:' and a title"),
    ],
)
def test_what_is_not_certain_is_an_error_that_says_which_line_to_add(text: str, advice: str):
    with pytest.raises(NotRecognised, match=advice):
        solvent.parse(text)
    with pytest.raises(ParseError, match=advice):
        solvent.parse(text, domain="dungeon")
    with pytest.raises(ParseError, match=advice):
        work.load(schemas.Load(text=text))


def test_the_page_opens_bare_maps():
    for domain in (None, "dungeon"):
        assert json.loads(work.load(schemas.Load(text=MAP, domain=domain)))["domain"] == "dungeon"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "@G",
        "me@G.k",
        "# Title\n\nSome words.\n",
        "{}",
        "<map/>",
        "a,b\n1,2\n",
        "#" * 9,
        "GGG\n...\n",
        "@.\n\nG.\n",
    ],
)
def test_other_texts_are_no_maps(text: str):
    assert not is_bare_map(text)
    assert describe_near_miss(text) == "" or set(text) <= set("#\n")


def test_no_example_of_any_domain_is_taken_for_one():
    for domain in all_domains():
        for example in domain.examples():
            problem = domain.parse(example.text)
            assert not is_bare_map(example.text)
            for format in domain.formats:
                try:
                    text = domain.format(problem, format)
                except BadOption:
                    continue
                assert not is_bare_map(text), (domain.name, example.name, format)
                assert detect(text).name == domain.name, (domain.name, example.name, format)


def test_no_public_instance_is_taken_for_one(corpora: Path):
    count = 0
    for path in sorted(corpora.rglob("*")):
        if path.is_file() and path.suffix not in (".png", ".bin") and path.stat().st_size < 1 << 21:
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            assert not is_bare_map(text), path
            count += 1
    assert count > 100


def test_random_texts_never_raise():
    dice = Random(3)
    for _ in range(3000):
        text = "".join(dice.choice("#..@GkLrR \n\n:=x\r\t") for _ in range(dice.randint(0, 40)))
        describe_near_miss(text)
        if is_bare_map(text):
            assert FORMATS.find(text) == "text"
            try:
                solvent.parse(text)
            except ParseError:
                continue
