"""Follow a walk through a graph of rooms: which line it takes each time it changes rooms, numbered from 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from solvent.dungeon.drawing.graph.joins import RoomGraph
from solvent.dungeon.drawing.graph.lines import Line
from solvent.dungeon.events import Walk
from solvent.dungeon.model import RETURN, Dungeon, Way


class Passage(Struct, frozen=True):
    """Hold one change of rooms."""

    number: int
    line: int
    forth: bool
    """Whether the line is walked from its one end to its other."""


def find_passages(dungeon: Dungeon, graph: RoomGraph, lines: Sequence[Line], walk: Walk | None) -> list[Passage]:
    """Return the passages of a walk, in order."""
    if walk is None:
        return []
    between: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if line.there is not None:
            between[line.one, line.other].append(number)
        if line.back is not None:
            between[line.other, line.one].append(number)
    passages: list[Passage] = []
    for number, (one, other, move) in enumerate(_changes(graph, walk), start=1):
        choices = between.get((one, other), []) if move != RETURN else []
        if choices:
            way = dungeon.ways[int(move)] if move.isdigit() else None
            taken = min(choices, key=lambda choice: (_differs(lines[choice], one, way), choice))
            passages.append(Passage(number, taken, lines[taken].one == one))
    return passages


def find_returns(graph: RoomGraph, walk: Walk | None) -> dict[tuple[int, int], list[int]]:
    """Return the numbers of the changes of rooms that are returns to the start, by the rooms left and entered."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (one, other, move) in enumerate([] if walk is None else _changes(graph, walk), start=1):
        if move == RETURN:
            found[one, other].append(number)
    return dict(found)


def _differs(line: Line, source: int, way: Way | None) -> tuple[bool, int]:
    """Say how little a line is like the way that was taken; without one, those that ask for little come first."""
    gates = (line.there if line.one == source else line.back) or ()
    if way is None:
        return line.kind != "step", len(gates)
    return line.kind != way.kind, int(way.gate not in gates if way.gate is not None else bool(gates))


def _changes(graph: RoomGraph, walk: Walk) -> list[tuple[int, int, str]]:
    """Return the room left, the room entered and the last move, for each time the walk changes rooms."""
    found: list[tuple[int, int, str]] = []
    here = None
    for index, place in enumerate(walk.places):
        node = graph.node_of.get(place)
        if node is None:
            continue
        if here is not None and node != here:
            found.append((here, node, walk.moves[index - 1]))
        here = node
    return found


def passage_of_move(graph: RoomGraph, walk: Walk | None) -> list[int]:
    """Return for each number of moves made how often the walk has changed rooms, the change under way included."""
    if walk is None:
        return []
    counts: list[int] = []
    here = None
    count = 0
    for place in walk.places:
        node = graph.node_of.get(place)
        if node is None:
            counts.append(count + 1)  # on what lies between two rooms
            continue
        count += here is not None and node != here
        here = node
        counts.append(count)
    return counts


def numbers_by_line(passages: Sequence[Passage]) -> dict[tuple[int, bool], list[int]]:
    """Return the numbers of the passages along each line, in each direction."""
    numbers: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for passage in passages:
        numbers[passage.line, passage.forth].append(passage.number)
    return dict(numbers)
