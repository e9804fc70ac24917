"""Write everything but the player's place as one number: a bit for each thing that can be held, opened or changed.

A test of a whole situation is then one comparison, `bits & care == want`. Only what matters has a bit: whatever else is
taken has no effect on any rule.
"""

from __future__ import annotations

from itertools import count

from msgspec import Struct

from solvent.dungeon.checker.play import Board, State, is_bare, monsters_in, neighbour
from solvent.dungeon.model import STEPS, WATER, Dungeon


class Ledger(Struct, frozen=True):
    """Hold which bit stands for what."""

    items: dict[str, int]
    """By name."""
    pickups: dict[int, int]
    """Keys, bombs and monsters that matter, by number."""
    opened: dict[int, int]
    """Gates that take a key or a bomb, by number."""
    fallen: dict[int, int]
    """Soft-locked doors that fall shut, by number."""
    on: dict[str, int]
    """Switches by name, those of barriers without a plate too (they are never on)."""
    moved: dict[int, int]
    """Blocks that have been pushed, by number, whichever way."""
    rests: dict[tuple[int, str], int]
    """Blocks that have been pushed in a direction, if bare floor lies there."""
    holdings: int
    """All bits of `items` and `pickups`."""
    openings: int
    """All bits of `opened`."""
    carried: int
    """Items that are held from the beginning."""
    carried_items: list[str]
    """Their names."""
    purses: dict[int, Purse]
    """What a gate that takes a key or a bomb is paid from, by number."""


class Purse(Struct, frozen=True, eq=False):
    """Hold what counts the keys of one colour, or the bombs."""

    carried: int
    taken: tuple[tuple[int, int], ...]
    """(how many each, bits of the pickups)."""
    spent: int
    """Bits of the gates that each took one."""
    pickups: dict[int, int]
    """Numbers of the pickups, and how many each."""
    gates: list[int]
    """Numbers of the gates."""


def in_hand(purse: Purse, bits: int) -> int:
    """Return how many keys of a colour, or bombs, there are."""
    found = purse.carried - (bits & purse.spent).bit_count()
    for each, pickups in purse.taken:
        found += each * (bits & pickups).bit_count()
    return found


def open_ledger(board: Board) -> Ledger:
    """Give a bit to everything that matters."""
    dungeon, rules, meter = board.dungeon, board.dungeon.rules, board.meter
    free = count()
    # The number of a bit is as long as there are bits before it.
    most = len(dungeon.pickups) + len(dungeon.gates) + len(dungeon.switches) + 5 * len(dungeon.blocks)
    meter.require_memory(most * most / 16 / 1e6, "a bit for everything that matters")

    def next_bit(_thing: object) -> int:
        bit = next(free)
        if bit % 100 == 0:
            meter.checkpoint()
        return 1 << bit

    items = {name: next_bit(name) for name in sorted(_items_that_matter(dungeon))}
    pickups = {number: next_bit(number) for number in _pickups_that_matter(board)}
    holdings = (1 << next(free)) - 1
    paid = [number for number, gate in enumerate(dungeon.gates) if _takes_something(dungeon, gate.kind)]
    opened = {number: next_bit(number) for number in paid}
    falling = [n for n, gate in enumerate(dungeon.gates) if gate.kind == "soft" and rules.soft == "shut"]
    names = {switch.name for switch in dungeon.switches}
    names.update(gate.needs[0] for gate in dungeon.gates if gate.kind == "barrier")
    pushed = range(len(dungeon.blocks)) if rules.push == "once" else range(0)
    same: dict[object, list[int]] = {}
    for number in paid:
        gate = dungeon.gates[number]
        same.setdefault((gate.kind, gate.needs if gate.kind == "lock" else ()), []).append(number)
    alike_pickups: dict[tuple[str, str], list[int]] = {}
    for number in pickups:
        pickup = dungeon.pickups[number]
        alike_pickups.setdefault((pickup.kind, pickup.name if pickup.kind == "key" else ""), []).append(number)
    purses = []
    for alike in meter.each(same.values(), every=100):
        gate = dungeon.gates[alike[0]]
        kind = ("key", gate.needs[0]) if gate.kind == "lock" else ("bombs", "")
        taken = {number: pickups[number] for number in alike_pickups.get(kind, ())}
        purses.append((alike, _purse(dungeon, alike, taken, opened)))
    return Ledger(
        items=items,
        pickups=pickups,
        opened=opened,
        fallen={number: next_bit(number) for number in falling},
        on={name: next_bit(name) for name in sorted(names)},
        moved={block: next_bit(block) for block in pushed},
        rests={
            (block, way): next_bit(way)
            for block in pushed
            for way in STEPS
            if is_bare(board, neighbour(dungeon.blocks[block].place, way))
        },
        holdings=holdings,
        openings=sum(opened.values()),
        carried=sum(bit for name, bit in items.items() if name in rules.items),
        carried_items=[name for name in items if name in rules.items],
        purses={number: purse for alike, purse in purses for number in alike},
    )


def write_down(ledger: Ledger, board: Board, state: State) -> int:
    """Return the bits of a state of play."""
    bits = ledger.carried
    for number in state.taken:
        bits |= ledger.pickups.get(number, 0)
        if board.dungeon.pickups[number].kind == "item":
            bits |= ledger.items.get(board.dungeon.pickups[number].name, 0)
    for gate in state.opened:
        bits |= ledger.opened[gate]
    for gate in state.fallen:
        bits |= ledger.fallen[gate]
    for name in state.on:
        bits |= ledger.on[name]
    for block, way in state.moved:
        bits |= ledger.moved[block] | ledger.rests[block, way]
    return bits


def _takes_something(dungeon: Dungeon, kind: str) -> bool:
    return (kind == "lock" and dungeon.rules.keys_counted) or (kind == "cracked" and dungeon.rules.bombs is not None)


def _items_that_matter(dungeon: Dungeon) -> set[str]:
    names = {name for gate in dungeon.gates if gate.kind == "item" for name in gate.needs}
    if any(WATER in row for floor in dungeon.floors for row in floor.terrain):
        names.add(dungeon.rules.water)
    return names


def _pickups_that_matter(board: Board) -> list[int]:
    """Return the keys, bombs and monsters that can make a difference; items are held by name, not by number."""
    dungeon, rules = board.dungeon, board.dungeon.rules
    colours = {gate.needs[0] for gate in dungeon.gates if gate.kind == "lock" and rules.keys_counted}
    cracked = rules.bombs is not None and any(gate.kind == "cracked" for gate in dungeon.gates)
    guards: set[int] = set()
    for gate in board.meter.each(dungeon.gates, every=10):
        if gate.kind == "soft" and rules.soft == "clear":
            guards |= monsters_in(board, board.rooms[gate.needs[0]])
    return [
        number
        for number, pickup in enumerate(dungeon.pickups)
        if (pickup.kind == "key" and pickup.name in colours) or (pickup.kind == "bombs" and cracked) or number in guards
    ]


def _purse(dungeon: Dungeon, alike: list[int], taken: dict[int, int], opened: dict[int, int]) -> Purse:
    """Return what gates that all take the same are paid from: `taken` are the pickups of it, and their bits."""
    gate, rules = dungeon.gates[alike[0]], dungeon.rules
    by_count: dict[int, int] = {}
    counts: dict[int, int] = {}
    for number, bit in taken.items():
        each = counts[number] = dungeon.pickups[number].count or (
            rules.bombs_per_pickup if gate.kind == "cracked" else 0
        )
        by_count[each] = by_count.get(each, 0) | bit
    return Purse(
        carried=dict(rules.keys).get(gate.needs[0], 0) if gate.kind == "lock" else rules.bombs or 0,
        taken=tuple(sorted(by_count.items())),
        spent=sum(opened[number] for number in alike),
        pickups=counts,
        gates=alike,
    )
