"""Whether requirements hold, for many states at once: those with equal bits, and the player on one tile.

`requirements` says the same of a single state, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.dungeon.checker.board import Board, name_resource
from solvent.dungeon.checker.ledger import Ledger, in_hand, read_field
from solvent.dungeon.checker.requirements import leaves
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Place, Requirement, SwitchAt


def holds(board: Board, ledger: Ledger, rule: Requirement | None, bits: int, place: Place) -> bool:
    """Tell whether a requirement holds for a player who stands on a place."""
    match rule:
        case None:
            return True
        case Have(what, name, count):
            return _has(board, ledger, what, name, count, bits)
        case SwitchAt(switch, wanted):
            return _switch_state(board, ledger, switch, bits, place) == wanted
        case Cleared(room):
            return ledger.guards[room] & ~bits == 0
        case Not(part):
            return not holds(board, ledger, part, bits, place)
        case AllOf(parts):
            return all(holds(board, ledger, part, bits, place) for part in parts)
        case AnyOf(parts):
            return any(holds(board, ledger, part, bits, place) for part in parts)
    raise AssertionError(f"{rule!r} is no requirement")


def block_on(ledger: Ledger, bits: int, place: Place) -> int | None:
    """Return the number of the block that is on a place."""
    for block, care, want in ledger.blocks_on.get(place, ()):
        if bits & care == want:
            return block
    return None


def asked_holdings(ledger: Ledger, rule: Requirement | None) -> int:
    """Return the holdings that a requirement asks about: what else is held does not change whether it holds."""
    bits = 0
    for leaf, _ in leaves(rule):
        match leaf:
            case Have("item", name):
                bits |= ledger.items[name]
                for _, pickups in ledger.hands[f"item {name}"].taken:
                    bits |= pickups
            case Have(what, name):
                purse = ledger.hands.get(name_resource(what, name))
                for _, pickups in purse.taken if purse else ():
                    bits |= pickups
            case Cleared(room):
                bits |= ledger.guards[room]
    return bits & ledger.holdings


def needed_things(ledger: Ledger, rule: Requirement | None) -> int:
    """Return things without any one of which a requirement cannot hold, whatever else is so: those that are plain.

    Items and beaten monsters only: nothing of that is ever lost again.
    """
    match rule:
        case Have("item", name, count) if count > 0:
            purse = ledger.hands[f"item {name}"]
            bits = ledger.items[name]
            every = sum(pickups for _, pickups in purse.taken)
            for pickup in _single_bits(every):
                if in_hand(purse, every & ~pickup) < count:
                    bits |= pickup
            return bits
        case Cleared(room):
            return ledger.guards[room]
        case AllOf(parts):
            bits = 0
            for part in parts:
                bits |= needed_things(ledger, part)
            return bits
        case AnyOf((first, *others)):
            bits = needed_things(ledger, first)
            for part in others:
                bits &= needed_things(ledger, part)
            return bits
    return 0


def _single_bits(bits: int) -> Iterator[int]:
    while bits:
        yield bits & -bits
        bits &= bits - 1


def _has(board: Board, ledger: Ledger, what: str, name: str, count: int, bits: int) -> bool:
    rules = board.dungeon.rules
    if what == "item":
        if count <= 1:
            return count < 1 or bits & ledger.items[name] != 0
        return in_hand(ledger.hands[f"item {name}"], bits) >= count
    if (what == "key" and not rules.keys_counted) or (what == "bombs" and rules.bombs is None):
        return True
    resource = name_resource(what, name)
    if resource in ledger.stock:
        return read_field(ledger.stock[resource].field, bits) >= count
    return in_hand(ledger.hands[resource], bits) >= count


def _switch_state(board: Board, ledger: Ledger, switch: str, bits: int, place: Place) -> str:
    if switch in board.dials:
        return board.dials[switch][read_field(ledger.dials[switch], bits)]
    if switch in board.held_plates:
        plates = board.held_plates[switch]
        is_on = any(plate == place or block_on(ledger, bits, plate) is not None for plate in plates)
    else:
        is_on = bits & ledger.on[switch] != 0
    return "on" if is_on else "off"
