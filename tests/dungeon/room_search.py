"""Room graphs of the VGLC searched naively, from the text alone: nothing here is shared with what is tested.

A player who takes everything within reach stands in a region: rooms from which each can be reached from each. Choices
are which lock to open and which way to go that does not lead back.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(r'(\d+)\s*(?:->\s*(\d+)\s*)?\[label="([^"]*)"\]')


class RoomGraph(NamedTuple):
    rooms: dict[str, list[str]]
    ways: list[tuple[str, str, list[str]]]

    @property
    def start(self) -> str:
        return next(room for room, labels in self.rooms.items() if "s" in labels)

    @property
    def goals(self) -> set[str]:
        alone = {room for room, labels in self.rooms.items() if labels == ["t"]}
        return alone or {room for room, labels in self.rooms.items() if "t" in labels}


class Position(NamedTuple):
    region: frozenset[str]
    taken: frozenset[str]
    """Rooms that were emptied."""
    opened: frozenset[tuple[frozenset[str], str]]
    """Locks: the two rooms, and the letter."""


def read_rooms(text: str, odd_letter: str = "ignored") -> RoomGraph:
    """Read a graph. `odd_letter`: what O does to a way: `ignored`, `open` or `shut`."""
    rooms, ways = {}, []
    for source, target, label in _LINE.findall(text):
        letters = re.findall(r"S\d*|[A-Za-z]", label)
        if not target:
            rooms[source] = letters
        elif source == target:
            continue
        elif "O" not in letters or odd_letter == "ignored":
            ways.append((source, target, letters))
        elif odd_letter == "open":
            ways.append((source, target, []))
    return RoomGraph(rooms, ways)


def search(graph: RoomGraph) -> tuple[bool, bool]:
    """Return whether the graph is solvable, and whether it can be lost."""
    first = _settle(graph, graph.start, frozenset(), frozenset())
    after: dict[Position, list[Position]] = {}
    won: set[Position] = set()
    waiting = [first]
    while waiting:
        position = waiting.pop()
        if position in after:
            continue
        after[position] = []
        for source, target, letters in graph.ways:
            if source not in position.region or "s" in letters:
                continue
            opened = _pass(graph, position.taken, position.opened, source, target, letters)
            if opened is None:
                continue
            if target in graph.goals:
                won.add(position)
            elif opened != position.opened or target not in position.region:
                after[position].append(_settle(graph, target, position.taken, opened))
        waiting += after[position]
    fine = set(won)
    while True:
        more = {each for each, following in after.items() if each not in fine and not fine.isdisjoint(following)}
        if not more:
            break
        fine |= more
    return first in fine, len(fine) < len(after)


def _settle(graph: RoomGraph, room: str, taken: frozenset[str], opened: frozenset) -> Position:
    """Take everything that can be had by going about without spending anything or losing the way back."""
    while True:
        taken |= {room}
        there, back = ({room}, [room]), ({room}, [room])
        for (seen, waiting), forwards in ((there, True), (back, False)):
            while waiting:
                here = waiting.pop()
                for source, target, letters in graph.ways:
                    start, end = (source, target) if forwards else (target, source)
                    if start != here or end in seen or end in graph.goals or "s" in letters:
                        continue
                    if _pass(graph, taken, opened, source, target, letters) == opened:
                        seen.add(end)
                        waiting.append(end)
        region = frozenset(there[0] & back[0])
        if region <= taken:
            return Position(region, taken, opened)
        taken |= region


def _pass(
    graph: RoomGraph, taken: frozenset[str], opened: frozenset, source: str, target: str, letters: list[str]
) -> frozenset | None:
    """Return the locks that are open after going a way, or None if it cannot be gone."""
    held = [letter for room in taken for letter in graph.rooms[room]]
    if any(letter.startswith(("I", "S", "K")) and letter not in held for letter in letters):
        return None
    for letter in letters:
        lock = (frozenset((source, target)), letter)
        if letter == "k" and lock not in opened:
            if held.count(letter) <= sum(other == letter for _, other in opened):
                return None
            opened |= {lock}
    return opened
