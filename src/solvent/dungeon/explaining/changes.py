"""Changes to a dungeon that a designer might make, and the dungeon after each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from solvent.core.errors import ParseError
from solvent.dungeon.model import FLOOR, Dungeon, Floor, Pickup, Place, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble, way_order


@dataclass(frozen=True, slots=True)
class Change:
    """Hold one change. Numbers are those of the dungeon it is made to."""

    kind: str
    """`key`, `bombs` or `item`: put one down. `one-way`: make it two-way. `block` or `gate`: take it away. `floor`:
    lay floor where no player can walk."""
    places: tuple[Place, ...]
    """Where: the tiles it is about. For a gate that bars only ways, where the first of them begins."""
    name: str = ""
    """The colour of the key, or the item."""
    number: int | None = None
    """The gate, or the way that gets another one back."""
    mildness: int = field(default=0, compare=False)
    """How much of the dungeon it leaves as it was meant; smaller is milder."""
    text: str = field(default="", compare=False)


def change_dungeon(dungeon: Dungeon, change: Change) -> Dungeon | None:
    """Return the dungeon after a change, or None if the moves played could not have been made in it."""
    floors, pickups, gates = list(dungeon.floors), list(dungeon.pickups), list(dungeon.gates)
    blocks, ways = list(dungeon.blocks), list(dungeon.ways)
    played = dungeon.played
    if change.kind in ("key", "bombs", "item"):
        pickups.append(Pickup(change.places[0], change.kind, change.name))
    elif change.kind == "block":
        blocks = [block for block in blocks if block.place not in change.places]
    elif change.kind == "gate":
        number = change.number
        assert number is not None
        del gates[number]
        ways = [
            way if way.gate is None or way.gate < number
            else replace(way, gate=None if way.gate == number else way.gate - 1)
            for way in ways
        ]  # fmt: skip
    elif change.number is not None:
        forth = ways[change.number]
        ways.append(Way(forth.target, forth.source, forth.kind, forth.gate))
        ways.sort(key=way_order)
        played = tuple(_renumbered(move, dungeon.ways, ways) for move in played)
    else:
        floors = [with_floor(floor, number, change.places) for number, floor in enumerate(floors)]
    try:
        return assemble(
            DungeonParts(
                floors,
                starts=[dungeon.start],
                goals=dungeon.goals,
                pickups=pickups,
                gates=gates,
                switches=dungeon.switches,
                blocks=blocks,
                ways=ways,
                rooms=dungeon.rooms,
                rules=dungeon.rules,
                title=dungeon.title,
                dials=dungeon.dials,
                goal_rule=dungeon.goal_rule,
                played=played,
                remarks=dungeon.remarks,
            ),
            strict=False,
        )
    except ParseError:
        return None


def with_floor(floor: Floor, number: int, places: Sequence[Place]) -> Floor:
    """Return a storey, which has this number, with plain floor on some places."""
    rows = [list(row) for row in floor.terrain]
    for storey, row, column in places:
        if storey == number:
            rows[row][column] = FLOOR
    return replace(floor, terrain=tuple("".join(row) for row in rows))


def same_move(move: str, there: Dungeon, here: Dungeon) -> str | None:
    """Return what a move of one dungeon is called in another; None if it leads by a way that is missing here."""
    if not move.isdigit():
        return move
    way = there.ways[int(move)]
    for number, each in enumerate(here.ways):
        if (each.source, each.target, each.kind) == (way.source, way.target, way.kind):
            return str(number)
    return None


def _renumbered(move: str, before: tuple[Way, ...], after: list[Way]) -> str:
    """Return a move as it is called once there are more ways."""
    return str(after.index(before[int(move)])) if move.isdigit() else move
