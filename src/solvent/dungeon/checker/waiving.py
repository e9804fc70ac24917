"""Easier dungeons: some gates stand open from the start and take nothing.

Why what holds there tells something of the dungeon itself: take any walk of the dungeon, and make the same moves in the
easier one. After each move the two players stand on the same tile and have taken, switched, pushed and left behind
the same; the same gates are open, waived ones aside; and the player of the easier dungeon has at least as many keys and
bombs, since no fewer were found and no more were spent, and filling up to a number keeps that so. So the next move is
legal there too, and does the same: a waived gate bars nothing, another lock or cracked wall is open for both or can be
paid for by the richer player, and all other gates, and whatever is there only at times, ask for what both have. That
would not be so where a requirement asks about the keys or bombs in hand; in such a dungeon nothing may be waived. Hence
what no player of the easier dungeon can do, no player can.

Locks, cracked walls and gates that need items can be waived. (An item that no gate asks for any more does not matter.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec.structs import replace as replace_struct

from solvent.core.errors import show_value
from solvent.dungeon.checker.play import State
from solvent.dungeon.checker.requirements import all_rules, leaves
from solvent.dungeon.model import Dungeon, Gate, Have

WAIVABLE = ("lock", "cracked", "item")


def waiving_violations(dungeon: Dungeon, waived: Sequence[int]) -> list[str]:
    """Return why these gates cannot be waived, or an empty list."""
    if not waived:
        return []
    asked = (leaf for rule in all_rules(dungeon) for leaf, _ in leaves(rule))
    if any(isinstance(leaf, Have) and leaf.what != "item" for leaf in asked):
        return ["no gate can be waived where a requirement asks about the keys or bombs in hand"]
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
