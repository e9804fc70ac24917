"""Dungeons made by hand, each for one thing that can go right or wrong, and the small pencil they are drawn with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    WALL,
    WATER,
    Block,
    Dungeon,
    Floor,
    Gate,
    Pickup,
    Place,
    Room,
    Rules,
    Switch,
    Way,
)
from solvent.dungeon.notation.assembling import DungeonParts, assemble

PICKUPS = {
    "k": ("key", "", 1),
    "r": ("key", "red", 1),
    "K": ("key", "", 2),
    "b": ("bombs", "", 0),
    "l": ("item", "ladder", 1),
    "t": ("item", "torch", 1),
    "m": ("monster", "", 1),
}
GATES = {
    "L": ("lock", ("",), False),
    "R": ("lock", ("red",), False),
    "B": ("cracked", (), False),
    "T": ("item", ("torch",), False),
    "D": ("barrier", ("lever",), False),
    "d": ("barrier", ("lever",), True),
    "S": ("soft", ("den",), False),
}
"""Each cell drawn is a gate of its own."""
USUAL = Rules()


def dungeon_of(
    *maps: str,
    rules: Rules = USUAL,
    rooms: Mapping[str, tuple[Place, int, int]] | None = None,
    ways: Sequence[Way] = (),
    gates: Sequence[Gate] = (),
    played: Sequence[str] = (),
    strict: bool = True,
) -> Dungeon:
    """Read maps of which rows are divided by `/`; a plate of the switch `lever` is `s`, a block is `o`.

    Ways name the gates given, by their number.
    """
    floors: list[Floor] = []
    starts: list[Place] = []
    goals: list[Place] = []
    pickups: list[Pickup] = []
    drawn: list[Gate] = list(gates)
    switches: list[Switch] = []
    blocks: list[Block] = []
    for number, text in enumerate(maps):
        rows = text.split("/")
        for row, line in enumerate(rows):
            for column, glyph in enumerate(line):
                place = (number, row, column)
                if glyph == "@":
                    starts.append(place)
                elif glyph == "G":
                    goals.append(place)
                elif glyph == "s":
                    switches.append(Switch(place, "lever"))
                elif glyph == "o":
                    blocks.append(Block(place))
                elif glyph in PICKUPS:
                    kind, name, count = PICKUPS[glyph]
                    pickups.append(Pickup(place, kind, name, count))
                elif glyph in GATES:
                    kind, needs, open_at_first = GATES[glyph]
                    drawn.append(Gate(kind, needs, (place,), open_at_first))
        ground = {WALL, NOTHING, FLOOR, WATER, *ONE_WAYS}
        terrain = tuple("".join(glyph if glyph in ground else FLOOR for glyph in line) for line in rows)
        floors.append(Floor(f"floor {number}" if len(maps) > 1 else "", terrain))
    return assemble(
        DungeonParts(
            floors,
            starts=starts,
            goals=goals,
            pickups=pickups,
            gates=drawn,
            switches=switches,
            blocks=blocks,
            ways=ways,
            rooms=[Room(name, *rectangle) for name, rectangle in (rooms or {}).items()],
            rules=rules,
            played=played,
        ),
        strict=strict,
    )


class Known(NamedTuple):
    """Hold a dungeon and what is true of it, found by looking."""

    dungeon: Dungeon
    plan: int | None
    """The fewest moves to a goal; None if there is no way."""
    lost: int | None
    """The fewest moves after which there is no way; None if nobody gets there."""


def _den(text: str, soft: str, corner: Place, height: int, width: int, *, player: str = "any") -> Dungeon:
    return dungeon_of(text, rules=Rules(soft=soft, player=player), rooms={"den": (corner, height, width)})


_STAIRS = (Way((0, 0, 1), (1, 0, 0)), Way((1, 0, 0), (0, 0, 1)))

KNOWN: dict[str, Known] = {
    "a corridor": Known(dungeon_of("@..G"), 3, None),
    "standing on the goal": Known(dungeon_of("@.G", played="EE"), 0, None),
    "not one move": Known(dungeon_of("@#G"), None, 0),
    "a wall": Known(dungeon_of("@.#G"), None, 0),
    "nothing between": Known(dungeon_of("@. G"), None, 0),
    "key and lock": Known(dungeon_of("k@LG"), 4, None),
    "a lock and no key": Known(dungeon_of("@LG"), None, 0),
    "a key carried": Known(dungeon_of("@LG", rules=Rules(keys=(("", 1),))), 2, None),
    "locks that need no keys": Known(dungeon_of("@LRG", rules=Rules(keys_counted=False)), 3, None),
    "the wrong lock": Known(dungeon_of("k@LG/.L##"), 4, 3),
    "two keys in one place": Known(dungeon_of("K@LG/.L##"), 4, None),
    "one lock of two cells": Known(dungeon_of("k@..G", gates=(Gate("lock", ("",), ((0, 0, 2), (0, 0, 3))),)), 5, None),
    "colours do not mix": Known(dungeon_of("r@LG"), None, 0),
    "a red key": Known(dungeon_of("r@RG"), 4, None),
    "a drop past the key": Known(dungeon_of("k@./##v/GL."), 7, 2),
    "a drop past the key, for the thorough": Known(dungeon_of("k@./##v/GL.", rules=Rules(player="thorough")), 7, None),
    "a cracked wall": Known(dungeon_of("b@BG"), 4, None),
    "as many bombs as one likes": Known(dungeon_of("@BBG", rules=Rules(bombs=None)), 3, None),
    "one bomb a pickup": Known(dungeon_of("b@BBG", rules=Rules(bombs_per_pickup=1)), None, 0),
    "a torch": Known(dungeon_of("t@TG"), 4, None),
    "a torch carried": Known(dungeon_of("@TG", rules=Rules(items=("torch",))), 2, None),
    "water": Known(dungeon_of("l@~~G"), 5, None),
    "water too wide to leap": Known(dungeon_of("l@~~G", rules=Rules(crossing="one")), None, 0),
    "water to leap": Known(dungeon_of("l@~.G", rules=Rules(crossing="one")), 4, None),
    "a raft instead": Known(dungeon_of("l@~.G", rules=Rules(water="raft")), None, 0),
    "a dead end one way": Known(dungeon_of(".<@.G"), 2, 1),
    "a lever": Known(dungeon_of("s@DG"), 4, None),
    "a lever on the way": Known(dungeon_of("@sDG"), 3, None),
    "a lever that shuts": Known(dungeon_of("@sdG"), 5, None),
    "monsters let in": Known(_den("@SmG", "clear", (0, 0, 1), 1, 2), 3, None),
    "monsters do not let out": Known(_den("@S.SG/##m##", "clear", (0, 0, 1), 2, 3), 6, None),
    "doors that stay open": Known(_den("@S.SG/##m##", "open", (0, 0, 1), 2, 3), 4, None),
    "a door shuts behind": Known(_den("G@S.", "shut", (0, 0, 2), 1, 2), 1, 2),
    "no second time through a door": Known(_den("@S.SG", "shut", (0, 0, 1), 1, 3), 4, 2),
    "a block in the way": Known(dungeon_of("@o.G/##.#"), None, 0),
    "a block pushed past": Known(dungeon_of("@o..G/#...#"), 6, None),
    "a block that never moves": Known(dungeon_of("@o..G/#...#", rules=Rules(push="never")), None, 0),
    "stairs": Known(dungeon_of("@.", ".G", ways=_STAIRS), 3, None),
    "a locked way": Known(
        dungeon_of("k@.", ".G", ways=(Way((0, 0, 2), (1, 0, 0), "warp", 0),), gates=(Gate("lock", ("",)),)), 5, None
    ),
    "a way onto a block that never moves": Known(
        dungeon_of("@o.G", rules=Rules(push="never"), ways=(Way((0, 0, 0), (0, 0, 1)),)), None, 0
    ),
    # Who opens the near lock gets to the torch sooner, but has no key left; who comes later has yet to take it.
    "a short cut that costs the key": Known(dungeon_of("t../L#./k@./L##/T##/G##"), 14, 2),
    # The key is nearer than the torch, but who fetches it first does not come back.
    "a way back that needs the torch": Known(dungeon_of("t..@>k/L##T../G#####"), 17, 1),
    # In the next three the first step can be taken back, and yet it is, or leads to, the loss of a key.
    "past the lever without the key": Known(dungeon_of("k@sD>LG"), 7, 3),
    "through the door without the key": Known(
        dungeon_of(
            "K@S>LG/#L####/#G####",
            rules=Rules(soft="shut"),
            rooms={"den": ((0, 0, 2), 1, 1)},
            ways=(Way((0, 0, 2), (0, 0, 1), "passage"),),
        ),
        4,
        2,
    ),
    "a block before the key": Known(dungeon_of("@o.k/...#/L###/G###"), 11, 1),
}
