"""What a designer begins a dungeon from."""

from __future__ import annotations

from solvent.core.domain import Template

_ROOM = """\
dungeon: An empty room

map:
############
#..........#
#..........#
#@........G#
#..........#
#..........#
############
"""

_DOOR = """\
dungeon: Two rooms and a door

map:
###############
#......#......#
#......#......#
#@...k.L.....G#
#......#......#
#......#......#
###############
"""

_ROWS = "\n".join(["#" + "." * 18 + "#"] * 6)
_BLANK = f"""\
dungeon: A blank dungeon

map:
{"#" * 20}
{_ROWS}
#@................G#
{_ROWS}
{"#" * 20}
"""

_FLOORS = """\
dungeon: Two floors with stairs

map Ground floor:
############
#..........#
#@........1#
#..........#
############

map Upper floor:
############
#..........#
#1........G#
#..........#
############

legend:
  1 = stairs
"""

_LOSABLE = """\
dungeon: One key, two locks

map:
#############
#....L.....##
#....########
#@..k.......#
#....######L#
#....#....#.#
######...G..#
#############
"""

_HALLS = """\
dungeon: Four halls

map:
#####################
#.........#.........#
#.........#.........#
#@..k.....L........b#
#.........#.........#
#####.#########B#####
#.........#.........#
#.........#.........#
#.........L........G#
#.........#.........#
#####################
"""


def templates() -> tuple[Template, ...]:
    """Return what there is to begin from, the simplest first."""
    return (
        Template(name="empty-room", title="An empty room", text=_ROOM),
        Template(name="two-rooms", title="Two rooms and a door", text=_DOOR),
        Template(name="blank", title="A blank dungeon, 20 by 15", text=_BLANK),
        Template(name="two-floors", title="Two floors with stairs", text=_FLOORS),
        Template(name="losable", title="One key, two locks: it can be lost", text=_LOSABLE),
        Template(name="four-halls", title="Four halls with locks and a cracked wall", text=_HALLS),
    )
