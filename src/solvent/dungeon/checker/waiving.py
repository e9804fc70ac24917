"""Easier dungeons: some gates stand open from the start and take nothing.

Why what holds there tells something of the dungeon itself: take any walk of the dungeon, and make the same moves in the
easier one. After each move the two players stand on the same tile and have taken, switched, pushed and left behind
the same; the same gates are open, waived ones aside; and the player of the easier dungeon has at least as many keys and
bombs, since no fewer were found and no more were spent. So the next move is legal there too: a waived gate bars
nothing, another lock or cracked wall is open for both or can be paid for by the richer player, and all other gates ask
for what both have. None of the mechanics in `known_mechanics` bars a move because more is in hand or a gate is open;
where a dungeon has others, nothing may be waived. Hence what no player of the easier dungeon can do, no player can.

Locks, cracked walls and gates that need items can be waived. (An item that no gate asks for any more does not matter.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec.structs import replace as replace_struct

from solvent.core.errors import show_value
from solvent.dungeon.checker.play import State
from solvent.dungeon.known_mechanics import unknown_mechanics
from solvent.dungeon.model import Dungeon, Gate

WAIVABLE = ("lock", "cracked", "item")


def waiving_violations(dungeon: Dungeon, waived: Sequence[int]) -> list[str]:
    """Return why these gates cannot be waived, or an empty list."""
    if not waived:
        return []
    unknown = unknown_mechanics(dungeon)
    if unknown:
        return [f"no gate can be waived in a dungeon with {', '.join(unknown)}"]
    before = -1
    for number in waived:
        if not before < number < len(dungeon.gates):
            return [f"waived is not sorted, or lists {show_value(number)}, which is no gate or said twice"]
        kind = dungeon.gates[number].kind
        if kind not in WAIVABLE:
            return [f"gate {number} cannot be waived: it is of the kind {kind!r}"]
        before = number
    return []


def waive(dungeon: Dungeon, waived: Sequence[int]) -> Dungeon:
    """Return the easier dungeon; gates keep their numbers and places."""
    gates = list(dungeon.gates)
    for number in waived:
        gates[number] = Gate("item", (), gates[number].cells)
    return replace(dungeon, gates=tuple(gates), played=())


def carry_over(state: State, waived: Sequence[int]) -> State:
    """Return a state of play as one of the easier dungeon."""
    return replace_struct(state, opened=state.opened.difference(waived))
