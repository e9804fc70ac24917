"""Points of interest by kind: which there are, where they lie, and how options name them.

A tile is a point of interest if something may happen on it. The kinds in `EVENT_KINDS` change the state of the game or
bar the way; those in `JOIN_KINDS` only join one room to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.dungeon.model import ONE_WAYS, STEPS, WATER, Dungeon, Place
from solvent.dungeon.rules import Game, beside

EVENT_KINDS = {
    "start": "where the player is",
    "goal": "where the game is won",
    "key": "keys of any colour",
    "bombs": "bombs",
    "item": "items",
    "monster": "monsters",
    "switch": "plates of switches, and where levers can be worked",
    "block": "blocks that can be pushed, and where they come to rest",
    "lock": "locks",
    "cracked": "cracked walls",
    "gate": "gates that need items",
    "barrier": "barriers of switches",
    "soft": "soft-locked doors",
    "rule": "gates with a rule of their own",
    "water": "tiles that are come to over water",
}
"""Kinds on which something may happen, and what they are."""
JOIN_KINDS = {
    "stairs": "both ends of stairs, warps, doors and passages",
    "entrance": "where a step leads from one room into another",
}
"""Kinds on which nothing happens, but rooms meet."""
ALL_KINDS = {**EVENT_KINDS, **JOIN_KINDS}
DEFAULT_POINTS = "events"
"""The word for all kinds on which something may happen."""
AVOIDABLE = ("key", "bombs", "item", "monster", "switch", "block", "lock", "cracked", "gate", "barrier", "soft", "rule")
"""Kinds that a plan may be told to avoid; beside these `water`, `stairs` and `oneway`."""
AVOIDABLE_MOVES = ("water", "stairs", "oneway")
"""What a move crosses or takes, rather than where it leads."""
MAX_PENALTY = 1_000
"""The most that one move may be told to count."""

GATE_KINDS = {
    "lock": "lock",
    "cracked": "cracked",
    "item": "gate",
    "barrier": "barrier",
    "soft": "soft",
    "rule": "rule",
}
"""The kind of point for each kind of gate."""


def parse_kinds(text: str) -> frozenset[str]:
    """Read kinds such as `key + lock`; `events`, `all` and `none` stand for many. Raises BadOption for other words."""
    words = [word.strip() for word in text.replace(",", "+").split("+")]
    chosen: set[str] = set()
    for word in words:
        if word == "events":
            chosen.update(EVENT_KINDS)
        elif word == "all":
            chosen.update(ALL_KINDS)
        elif word in ALL_KINDS:
            chosen.add(word)
        elif word != "none" or len(words) > 1:
            raise unknown_name("kind of point", word, [*ALL_KINDS, "events", "all", "none"])
    return frozenset(chosen)


def parse_penalties(text: str) -> dict[str, int]:
    """Read what to avoid, such as `monster 3 + water`: kinds, each with its penalty, 1 if none is named."""
    penalties: dict[str, int] = {}
    for part in (part.strip() for part in text.replace(",", "+").split("+")) if text.strip() else ():
        name, _, number = part.partition(" ")
        if name not in (*AVOIDABLE, *AVOIDABLE_MOVES):
            raise unknown_name("kind to avoid", name, [*AVOIDABLE, *AVOIDABLE_MOVES])
        count = number.strip() or "1"
        if not (count.isascii() and count.isdigit() and len(count) < 5 and 0 <= int(count) <= MAX_PENALTY):
            raise BadOption(f"avoid: expected {name} and a number up to {MAX_PENALTY:,}, found {show_value(part)}")
        penalties[name] = penalties.get(name, 0) + int(count)
    if sum(penalties.values()) > MAX_PENALTY:
        raise BadOption(f"avoid: expected penalties up to {MAX_PENALTY:,} in all, found {show_value(text)}")
    return {name: count for name, count in penalties.items() if count}


def kinds_at(game: Game, start: Place, meter: Meter = UNLIMITED) -> dict[Place, set[str]]:
    """Return the kinds of every point of interest but entrances, which depend on rooms."""
    dungeon = game.dungeon
    kinds: dict[Place, set[str]] = defaultdict(set)
    for place, kind in meter.each(_kinds(game, start)):
        kinds[place].add(kind)
    for place in meter.each(_come_to_over_water(dungeon)):
        kinds[place].add("water")
    return kinds


def _kinds(game: Game, start: Place) -> Iterator[tuple[Place, str]]:
    dungeon = game.dungeon
    yield start, "start"
    for goal in dungeon.goals:
        yield goal, "goal"
    for pickup in dungeon.pickups:
        yield pickup.place, pickup.kind
    for switch in dungeon.switches:
        for place in (switch.place,) if switch.kind != "lever" else switch.reach:
            yield place, "switch"
    for block in dungeon.blocks:
        yield block.place, "block"
        for direction in STEPS if dungeon.rules.push == "once" else ():
            if game.is_bare(beside(block.place, direction)):
                yield beside(block.place, direction), "block"
    for gate in dungeon.gates:
        for cell in gate.cells:
            yield cell, GATE_KINDS[gate.kind]
    for way in dungeon.ways:
        yield way.source, "stairs"
        yield way.target, "stairs"
        if way.gate is not None:
            yield way.target, GATE_KINDS[dungeon.gates[way.gate].kind]


def _come_to_over_water(dungeon: Dungeon) -> Iterator[Place]:
    """Yield the tiles that a step over water may end on."""
    leaps = dungeon.rules.crossing == "one"
    for floor, storey in enumerate(dungeon.floors):
        for row, line in enumerate(storey.terrain):
            column = line.find(WATER)
            while column >= 0:
                here = (floor, row, column)
                yield from (beside(here, direction) for direction in STEPS) if leaps else (here,)
                column = line.find(WATER, column + 1)


def is_one_way(dungeon: Dungeon, place: Place) -> bool:
    """Tell whether a tile is walked one way."""
    floor, row, column = place
    return dungeon.floors[floor].terrain[row][column] in ONE_WAYS
