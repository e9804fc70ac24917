"""What rules of gates, goals, pickups and levers ask for: their parts, whether they hold in a state, and in words."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.dungeon.checker.board import (
    Board,
    State,
    count_of,
    follow_walk,
    monsters_in,
    name_resource,
)
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dungeon, Have, Not, Requirement, SwitchAt

MAX_NESTING = 200
"""How deep requirements may be nested: they are followed by functions that call themselves."""

Leaf = Have | SwitchAt | Cleared


def all_rules(dungeon: Dungeon) -> Iterator[Requirement]:
    """Yield every requirement of a dungeon."""
    rules = [gate.rule for gate in dungeon.gates]
    rules += [pickup.rule for pickup in dungeon.pickups]
    rules += [switch.rule for switch in dungeon.switches if switch.kind == "lever"]
    for rule in (dungeon.goal_rule, *rules):
        if rule is not None:
            yield rule


def leaves(rule: Requirement | None, *, wanted: bool = True) -> Iterator[tuple[Leaf, bool]]:
    """Yield what a requirement asks about, and whether it helps if that holds; it bars where it stands under a `Not`.

    Two of them cancel each other out.
    """
    match rule:
        case Not(part):
            yield from leaves(part, wanted=not wanted)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from leaves(part, wanted=wanted)
        case Have() | SwitchAt() | Cleared():
            yield rule, wanted


def is_growing(rule: Requirement | None) -> bool:
    """Tell whether a requirement holds for good once it does: it asks for items and beaten monsters, and bars none."""
    return all(
        wanted and (isinstance(leaf, Cleared) or (isinstance(leaf, Have) and leaf.what == "item"))
        for leaf, wanted in leaves(rule)
    )


def meets(board: Board, state: State, rule: Requirement | None) -> bool:
    """Tell whether a requirement holds for a player who stands where the state says."""
    match rule:
        case None:
            return True
        case Have(what, name, count):
            found = count_in_hand(board, state, what, name)
            return found is None or found >= count
        case SwitchAt(switch, wanted):
            return switch_state(board, state, switch) == wanted
        case Cleared(room):
            return state.taken.issuperset(monsters_in(board, board.rooms[room]))
        case Not(part):
            return not meets(board, state, part)
        case AllOf(parts):
            return all(meets(board, state, part) for part in parts)
        case AnyOf(parts):
            return any(meets(board, state, part) for part in parts)
    raise AssertionError(f"{rule!r} is no requirement")


def count_in_hand(board: Board, state: State, what: str, name: str) -> int | None:
    """Return how many items of a name, keys of a colour, or bombs there are; None for as many as one likes."""
    dungeon, rules = board.dungeon, board.dungeon.rules
    found = [dungeon.pickups[number] for number in state.taken]
    if what == "item":
        taken = sum(pickup.count for pickup in found if pickup.kind == "item" and pickup.name == name)
        return taken + (1 if name in rules.items else 0)
    if (what == "key" and not rules.keys_counted) or (what == "bombs" and rules.bombs is None):
        return None
    resource = name_resource(what, name)
    if resource in board.renewing:
        return dict(state.stock)[resource]
    taken = sum(
        count_of(dungeon, one) for one in found if one.kind == what and name_resource(what, one.name) == resource
    )
    kind = "lock" if what == "key" else "cracked"
    opened = [dungeon.gates[number] for number in state.opened]
    spent = sum(1 for gate in opened if gate.kind == kind and (what == "bombs" or gate.needs[0] == name))
    return carried(dungeon, resource) + taken - spent


def carried(dungeon: Dungeon, resource: str) -> int:
    """Return how many of a resource are in hand at the beginning."""
    if resource == "bombs":
        return dungeon.rules.bombs or 0
    return {name_resource("key", colour): count for colour, count in dungeon.rules.keys}.get(resource, 0)


def holds_item(board: Board, state: State, item: str) -> bool:
    """Tell whether an item is held."""
    return item in board.dungeon.rules.items or not state.taken.isdisjoint(board.items.get(item, ()))


def switch_state(board: Board, state: State, switch: str) -> str:
    """Return the state that a switch is in."""
    if switch in board.dials:
        return dict(state.dials).get(switch, board.dials[switch][0])
    return "on" if is_on(board, state, switch) else "off"


def is_on(board: Board, state: State, switch: str) -> bool:
    """Tell whether a switch with no states of its own is on."""
    if switch in board.held_plates:
        return any(
            plate == state.place or block_on(board, state, plate) is not None for plate in board.held_plates[switch]
        )
    return switch in state.on


def block_on(board: Board, state: State, place: tuple[int, int, int]) -> int | None:
    """Return the number of the block that is on a place."""
    block = board.blocks.get(place)
    if not state.moved:
        return block
    if block is not None and block not in dict(state.moved):
        return block
    for number, walk in state.moved:
        if follow_walk(board.dungeon.blocks[number].place, walk) == place:
            return number
    return None


def show_rule(rule: Requirement) -> str:
    """Return a requirement in words."""
    match rule:
        case Have("item", name, count):
            return name if count == 1 else f"{count} of {name}"
        case Have("key", name, count):
            return f"{count} {f'{name} ' if name else ''}key{'' if count == 1 else 's'} in hand"
        case Have(_, _, count):
            return f"{count} bomb{'' if count == 1 else 's'} in hand"
        case SwitchAt(switch, state):
            return f"the switch {switch!r} at {state!r}"
        case Cleared(room):
            return f"no monsters in {room!r}"
        case Not(part):
            return f"not ({show_rule(part)})"
        case AllOf(parts):
            return " and ".join(_show_part(part) for part in parts) if parts else "nothing"
        case AnyOf(parts):
            return " or ".join(_show_part(part) for part in parts) if parts else "what can never be"
    raise AssertionError(f"{rule!r} is no requirement")


def _show_part(rule: Requirement) -> str:
    shown = show_rule(rule)
    return f"({shown})" if isinstance(rule, AllOf | AnyOf) and len(rule.parts) > 1 else shown
