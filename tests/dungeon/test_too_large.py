"""Texts that are far too large are refused by their first part, before anything is built."""

from __future__ import annotations

import pytest

from helpers.counting import count_drawn
from solvent.core.errors import ParseError
from solvent.dungeon.formats import FORMATS, sniff_text
from solvent.dungeon.notation.assembling import MAX_THINGS, MAX_TILES
from solvent.dungeon.notation.text import lines
from solvent.formats import dot

START = "dungeon: x\n\nmap:\n@.G\n"
HUGE = 4


@pytest.mark.parametrize(
    ("text", "expected", "most"),
    [
        (START + "....\n" * MAX_TILES, "at most 1,000,000 tiles", MAX_TILES // 4),
        (START + "." * 2 * MAX_TILES, "at most 1,000,000 tiles", 1),
        (START + "\nways:\n" + "0,0 <-> 0,1: stairs\n" * MAX_THINGS * HUGE, "at most 20,000 lines under 'ways:'", None),
        (START + "\nrooms:\n" + "hall = 0,0 1x1\n" * MAX_THINGS * HUGE, "at most 20,000 lines under 'rooms:'", None),
        (START + "\nlegend:\n" + "k = key red\n" * MAX_THINGS * HUGE, "at most 20,000 lines under 'legend:'", None),
    ],
    ids=["rows", "columns", "ways", "rooms", "legend"],
)
def test_lines_are_read_no_further_than_it_takes(
    monkeypatch: pytest.MonkeyPatch, text: str, expected: str, most: int | None
) -> None:
    drawn = count_drawn(monkeypatch, lines, "numbered_lines")
    with pytest.raises(ParseError, match=expected):
        FORMATS.parse(text)
    assert drawn() <= (MAX_THINGS if most is None else most) + 10, "the text has several times as many lines"


def test_blanks_at_the_end_of_rows_are_no_tiles() -> None:
    wide = "@.G" + " " * 2_000
    dungeon = FORMATS.parse("dungeon: x\n\nmap:\n" + f"{wide}\n" + ("..." + " " * 2_000 + "\n") * 600)
    assert [len(row) for row in dungeon.floors[0].terrain[:2]] == [3, 3]


def test_things_are_counted_as_they_are_put_down() -> None:
    text = "dungeon: x\n\nmap:\n@" + "k" * 998 + "G\n" + ("k" * 1_000 + "\n") * 99
    with pytest.raises(ParseError, match="line 24, column 3: expected at most 20,000 things of one kind"):
        FORMATS.parse(text)
    with pytest.raises(ParseError, match="line 20004, column 1: expected at most 20,000 things of one kind"):
        FORMATS.parse("dungeon: x\n\nplaces:\n" + "".join(f"p{number}: key\n" for number in range(MAX_THINGS + 50)))


def test_rules_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = count_drawn(monkeypatch, lines.Line, "split")
    rules = ",".join(["bombs=4"] * 100_000)
    with pytest.raises(ParseError, match="the rule bombs only once"):
        FORMATS.parse(f"dungeon: x\nrules: {rules}\nmap:\n@G\n")
    assert drawn() == 2


@pytest.mark.parametrize(
    ("body", "expected", "most"),
    [
        ("".join(f"n{number};\n" for number in range(100_000)), "at most 20000 nodes", 2 * 20_000),
        (
            "".join(f"{number % 400} -> {number // 400};\n" for number in range(160_000)),
            "at most 80000 edges",
            4 * 81_000,
        ),
        ("a;" * 200_000, "at most 100000 statements", 2 * 100_001),
    ],
    ids=["nodes", "edges", "again"],
)
def test_a_graph_is_read_no_further_than_it_takes(
    monkeypatch: pytest.MonkeyPatch, body: str, expected: str, most: int
) -> None:
    drawn = count_drawn(monkeypatch, dot, "_tokens")
    with pytest.raises(ParseError, match=expected):
        FORMATS.parse("digraph {" + body + "}")
    assert drawn() <= most + 10


def test_a_dungeon_is_looked_for_behind_some_comments_but_not_behind_any_number() -> None:
    assert sniff_text("# a comment\n" * 1_000 + "dungeon: x\n")
    assert not sniff_text("# a comment\n" * 1_000_000 + "dungeon: x\n")
