"""Names of rooms on maps: they cover no door, gate or thing, and what is cut has a tooltip."""

from __future__ import annotations

import math
from xml.etree import ElementTree

from dungeon.dungeons import dungeon_of
from dungeon.test_drawing import BIG, EVERYTHING
from helpers.pictures import elements
from solvent.drawing.text_width import text_width
from solvent.dungeon.drawing import draw_svg, draw_text
from solvent.dungeon.drawing.doors import sort_ways
from solvent.dungeon.drawing.room_names import SIZE, _covered, draw_room_names
from solvent.dungeon.drawing.terrain import lay_out
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.events import describe_place
from solvent.dungeon.model import Dungeon


def names_on(dungeon: Dungeon) -> list[tuple[str, float, float]]:
    """Return each name with where it begins on the sheet."""
    drawn = "".join(draw_room_names(dungeon, lay_out(dungeon), *sort_ways(dungeon)))
    texts = ElementTree.fromstring(f"<g>{drawn}</g>")[-1].iter("text")
    found = []
    for text in texts:
        title = text.find("title")
        written = (text.text or "") if title is None else (title.tail or "")
        found.append((written, float(text.get("x", "")), float(text.get("y", ""))))
    return found


def tiles_below(name: str, x: float, y: float, dungeon: Dungeon) -> set[tuple[int, int, int]]:
    sheet = lay_out(dungeon)
    size = SIZE / sheet.scale
    left, top = sheet.corners[0]
    columns = range(int((x - left) // TILE), math.ceil((x - left + text_width(name, size, bold=True)) / TILE))
    rows = range(int((y - top - size) // TILE), math.ceil((y - top) / TILE))
    return {(0, row, column) for row in rows for column in columns}


def test_names_cover_no_door_and_nothing_that_lies_there():
    covered = _covered(BIG, *sort_ways(BIG))
    names = names_on(BIG)
    assert len(names) == len(BIG.rooms)
    for name, x, y in names:
        assert not tiles_below(name, x, y, BIG) & covered, name


def test_a_name_that_finds_no_room_is_cut_and_has_a_tooltip():
    narrow = dungeon_of("@....G", rooms={"the very long name of a small room": ((0, 0, 0), 1, 6)})
    ((name, _, _),) = names_on(narrow)
    assert name.endswith("…")
    titles = [title.text for title in elements(draw_svg(narrow), "title")]
    assert "the very long name of a small room" in titles


def test_every_map_says_its_names():
    assert [name for name, _, _ in names_on(EVERYTHING)] == ["den · lair"]


def test_words_and_rulers_count_alike():
    row = "#" * 10 + "k" + "#" * 9
    dungeon = dungeon_of("/".join(["#" * 20, "#@" + "." * 9 + "#" * 9, row, "#" * 10 + "G" + "#" * 9]))
    assert describe_place(dungeon, dungeon.pickups[0].place) == "row 2, column 10"
    lines = draw_text(dungeon).splitlines()
    assert lines[0].index("10") == lines[3].index("k"), "the number of the column stands above it"
    assert lines[3].split()[0] == "2"
    svg = draw_svg(dungeon)
    columns = [text for text in elements(svg, "text") if text.get("text-anchor") == "middle" and text.text == "10"]
    assert float(columns[0].get("x", "")) == 10.5 * TILE
