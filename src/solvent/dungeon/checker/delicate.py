"""Tell ordinary things from delicate ones: those of which more may do harm.

Proofs about many states at once compare a state with one that holds more. That is right for *ordinary* things only:
whatever can be done with less can be done with more, and leads to the same but for what is held. A thing is *delicate*
where that may fail:

- A requirement may stop to hold once it is taken: it stands under a `Not` there. It does not matter which requirement,
  nor whether the thing is an item, a key, bombs or a monster.
- It is a key or bombs of which some renew: how many are in hand then depends on when it was taken, not only on whether.
- A delicate thing is there only while a requirement holds that asks about it. A player who has more would take the
  delicate thing as well, on the very same step.

All things of one name or colour are delicate, or none is, and so are all monsters of a room. That a delicate thing was
taken belongs to the surroundings, like a switch that was turned: two states are compared only if they agree in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from solvent.dungeon.checker.board import Board, monsters_in, name_resource
from solvent.dungeon.checker.requirements import all_rules, leaves
from solvent.dungeon.model import Cleared, Have, Pickup, Requirement, SwitchAt


def find_delicate(board: Board, matter: Iterable[int]) -> tuple[set[int], set[str]]:
    """Return the numbers of the pickups that are delicate, of those that matter, and the names of delicate items."""
    pickups = board.dungeon.pickups
    names = {name for rule in all_rules(board.dungeon) for name, wanted in _names(board, rule) if not wanted}
    names |= board.renewing
    waiting = set(matter)
    delicate: set[int] = set()
    while more := {number for number in board.meter.each(waiting) if _is_one_of(board, number, names)}:
        delicate |= more
        waiting -= more
        for number in board.meter.each(more):
            names.update(name for name, _ in _names(board, pickups[number].rule))
    return delicate, {name.removeprefix("item ") for name in names if name.startswith("item ")}


def _names(board: Board, rule: Requirement | None) -> Iterator[tuple[str, bool]]:
    """Yield names of all that a requirement asks about and can be taken, and whether it helps there."""
    rules = board.dungeon.rules
    for leaf, wanted in leaves(rule):
        match leaf:
            case Have("item", name):
                yield f"item {name}", wanted
            case Have("key", name) if rules.keys_counted:
                yield name_resource("key", name), wanted
            case Have("bombs") if rules.bombs is not None:
                yield "bombs", wanted
            case Cleared(room):
                for monster in monsters_in(board, board.rooms[room]):
                    yield f"monster {monster}", wanted
            case Have() | SwitchAt():
                pass


def _is_one_of(board: Board, number: int, names: set[str]) -> bool:
    pickup: Pickup = board.dungeon.pickups[number]
    if pickup.kind == "item":
        return f"item {pickup.name}" in names
    if pickup.kind == "monster":
        return f"monster {number}" in names
    return name_resource(pickup.kind, pickup.name) in names
