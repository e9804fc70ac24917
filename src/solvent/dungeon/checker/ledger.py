"""Write everything but the player's place as one number: a bit for each thing that can be held, opened or changed.

A test of a whole situation is then mostly one comparison, `bits & care == want`. Only what matters has a bit: whatever
else is taken has no effect on any rule. What has more than two states, as a dial or a block that is pushed on and on,
has a field of several bits.

*Holdings* are the bits of ordinary things, of which more never bars anything; all other bits are the *surroundings*,
where delicate things belong too (see `delicate`).

How many are in hand of a resource that renews is written down up to the number of its gates that are still shut and the
most that any requirement asks for. More is as good: however they are spent, each gate takes one and is open from then
on, and there are enough left for every requirement. To spend, find or renew some and then leave out what is too many
comes to the same as to leave it out before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.checker.board import (
    Board,
    State,
    count_of,
    find_walk,
    follow_walk,
    monsters_in,
    name_resource,
    neighbour,
    takes_block,
    terrain_at,
)
from solvent.dungeon.checker.delicate import find_delicate
from solvent.dungeon.checker.requirements import all_rules, carried, leaves
from solvent.dungeon.model import NOTHING, ONE_WAYS, STEPS, WALL, WATER, Cleared, Dungeon, Have, Place, SwitchAt

BYTES_A_REST = 300
"""What a place where a block may come to rest takes in memory."""


class Field(Struct, frozen=True):
    """Hold where a number is written."""

    shift: int
    mask: int
    """All bits of it, where they are."""


class Stock(Struct, frozen=True, eq=False):
    """Hold where it is written how many are in hand of a resource that renews."""

    field: Field
    gates: int
    """Bits of the gates that each take one."""
    asked: int
    """The most that any requirement asks for."""


class Purse(Struct, frozen=True, eq=False):
    """Hold what counts the keys of one colour, the bombs, or the items of one name."""

    carried: int
    taken: tuple[tuple[int, int], ...]
    """(how many each, bits of the pickups)."""
    spent: int
    """Bits of the gates that each took one."""
    pickups: dict[int, int]
    """Numbers of the pickups, and how many each."""
    gates: list[int]
    """Numbers of the gates."""


class Ledger(Struct, frozen=True):
    """Hold which bit stands for what."""

    items: dict[str, int]
    """By name."""
    pickups: dict[int, int]
    """Keys, bombs and monsters that matter, by number; and items of which several are asked for."""
    opened: dict[int, int]
    """Gates that take a key or a bomb, by number."""
    fallen: dict[int, int]
    """Soft-locked doors that fall shut, by number."""
    on: dict[str, int]
    """Switches by name, those of barriers without a plate too (they are never on)."""
    moved: dict[int, int]
    """Where blocks can be pushed once, those that have been, by number, whichever way."""
    rests: dict[tuple[int, str], int]
    """Where a block has been pushed to, by its number and the walk there. Either a bit of its own, or a number in the
    field of the block; 0 there says that it stands where it stood at first."""
    dials: dict[str, Field]
    """The number of the state, of switches that have states of their own."""
    turned: dict[tuple[str, str], int]
    """The bits of their states, but for the first of each, which is 0."""
    stock: dict[str, Stock]
    """Resources that renew and matter."""
    places: dict[int, Field]
    """Where blocks can be pushed on and on, the number of the place of each."""
    blocks_on: dict[Place, list[tuple[int, int, int]]]
    """Where blocks can be, the number of each that can be there: it is while `bits & care == want`."""
    holdings: int
    """All bits of ordinary things that can be taken."""
    openings: int
    """All bits of `opened`."""
    carried: int
    """Items that are held from the beginning."""
    carried_items: list[str]
    """Their names."""
    purses: dict[int, Purse]
    """What a gate that takes a key or a bomb is paid from, by number, if that does not renew."""
    stock_of: dict[int, Stock]
    """What it is paid from if that renews."""
    hands: dict[str, Purse]
    """What requirements count: resources that do not renew, and items by `item` and name."""
    guards: dict[str, int]
    """The monsters of rooms that requirements ask about."""
    asked_openings: int
    """Bits of gates that take something which requirements ask about."""
    renewing: frozenset[int]
    """Numbers of the pickups that renew and matter."""


def in_hand(purse: Purse, bits: int) -> int:
    """Return how many keys of a colour, bombs, or items of a name there are."""
    found = purse.carried - (bits & purse.spent).bit_count()
    for each, pickups in purse.taken:
        found += each * (bits & pickups).bit_count()
    return found


def read_field(field: Field, bits: int) -> int:
    """Return the number in a field."""
    return (bits & field.mask) >> field.shift


def write_field(field: Field, bits: int, number: int) -> int:
    """Return the bits with another number in a field."""
    return (bits & ~field.mask) | (number << field.shift)


def most_that_matter(stock: Stock, bits: int) -> int:
    """Return up to which number it matters how many are in hand."""
    return (stock.gates & ~bits).bit_count() + stock.asked


def write_stock(stock: Stock, bits: int, number: int) -> int:
    """Return the bits with another number in hand, as far as it matters."""
    return write_field(stock.field, bits, min(number, most_that_matter(stock, bits)))


class _Asked(Struct, frozen=True):
    """Hold what requirements ask about."""

    items: dict[str, int]
    """By name, the most that are asked for."""
    resources: dict[str, int]
    """Keys and bombs alike, where they are counted."""
    rooms: set[str]
    switches: set[str]


class _Bits:
    """Give out bits one after the other."""

    def __init__(self, meter: Meter) -> None:
        self._free = count()
        self._meter = meter

    def next(self) -> int:
        """Return the next free bit."""
        bit = next(self._free)
        if bit % 100 == 0:
            self._meter.checkpoint()
        return 1 << bit

    def field(self, most: int) -> Field:
        """Return a field for numbers up to one that is given."""
        bits = [self.next() for _ in range(most.bit_length())]
        return Field(bits[0].bit_length() - 1, sum(bits)) if bits else Field(0, 0)


def open_ledger(board: Board) -> Ledger:
    """Give a bit to everything that matters."""
    dungeon, rules, meter = board.dungeon, board.dungeon.rules, board.meter
    # The number of a bit is as long as there are bits before it.
    most = len(dungeon.pickups) + len(dungeon.gates) + len(dungeon.switches) + 5 * len(dungeon.blocks)
    meter.require_memory(most * most / 16 / 1e6, "a bit for everything that matters")
    free = _Bits(meter)
    asked = _what_is_asked(board)
    paid: dict[str, list[int]] = {}
    for number, gate in enumerate(dungeon.gates):
        if _takes_something(dungeon, gate.kind):
            paid.setdefault(name_resource(gate.kind, gate.needs[0] if gate.needs else ""), []).append(number)
    resources = sorted(paid.keys() | asked.resources.keys())

    items = {name: free.next() for name in sorted(_items_that_matter(dungeon) | asked.items.keys())}
    matter = list(_pickups_that_matter(board, asked, set(resources)))
    renewing = frozenset(number for number in matter if dungeon.pickups[number].renews)
    pickups = {
        number: free.next() for number in matter if number not in renewing and _has_own_bit(board, number, asked)
    }
    delicate, delicate_items = find_delicate(board, matter)
    opened = {number: free.next() for number in sorted(number for gates in paid.values() for number in gates)}
    falling = [n for n, gate in enumerate(dungeon.gates) if gate.kind == "soft" and rules.soft == "shut"]
    fallen = {number: free.next() for number in falling}
    on = {name: free.next() for name in sorted(_switches_that_turn(board, asked))}
    moved, rests, places = _give_places(board, free)
    dials = {name: free.field(len(states) - 1) for name, states in sorted(board.dials.items())}
    stock: dict[str, Stock] = {}
    for resource in meter.each(resources, every=100):
        if resource in board.renewing:
            gates, most_asked = paid.get(resource, []), max(asked.resources.get(resource, 0), 0)
            field = free.field(len(gates) + most_asked)
            stock[resource] = Stock(field, sum(opened[number] for number in gates), most_asked)
    purses: dict[str, Purse] = {}
    by_name: dict[str, dict[int, int]] = {}
    for number, bit in pickups.items():
        by_name.setdefault(_counted_as(board, number), {})[number] = bit
    for name in meter.each((*resources, *(f"item {item}" for item in asked.items)), every=100):
        if name not in board.renewing:
            gates = paid.get(name, [])
            begin = carried(dungeon, name) if name in resources else int(name.removeprefix("item ") in rules.items)
            purses[name] = _purse(board, begin, by_name.get(name, {}), {number: opened[number] for number in gates})
    holdings = sum(bit for number, bit in pickups.items() if number not in delicate)
    holdings += sum(bit for name, bit in items.items() if name not in delicate_items)
    return Ledger(
        items=items,
        pickups=pickups,
        opened=opened,
        fallen=fallen,
        on=on,
        moved=moved,
        rests=rests,
        dials=dials,
        turned={
            (name, state): number << field.shift
            for name, field in dials.items()
            for number, state in enumerate(board.dials[name])
            if number
        },
        stock=stock,
        places=places,
        blocks_on=_find_blocks_on(board, moved, rests, places),
        holdings=holdings,
        openings=sum(opened.values()),
        carried=sum(bit for name, bit in items.items() if name in rules.items),
        carried_items=[name for name in items if name in rules.items],
        purses={number: purses[name] for name, gates in paid.items() if name in purses for number in gates},
        stock_of={number: stock[name] for name, gates in paid.items() if name in stock for number in gates},
        hands=purses,
        guards={room: sum(pickups[number] for number in monsters_in(board, board.rooms[room])) for room in asked.rooms},
        asked_openings=sum(opened[n] for name, gates in paid.items() if name in asked.resources for n in gates),
        renewing=renewing,
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
    for block, walk in state.moved:
        bits |= ledger.moved.get(block, 0) | ledger.rests[block, walk]
    for switch, now in state.dials:
        bits |= ledger.turned[switch, now]
    for resource, number in state.stock:
        if resource in ledger.stock:
            bits = write_stock(ledger.stock[resource], bits, number)
    return bits


def _takes_something(dungeon: Dungeon, kind: str) -> bool:
    return (kind == "lock" and dungeon.rules.keys_counted) or (kind == "cracked" and dungeon.rules.bombs is not None)


def _what_is_asked(board: Board) -> _Asked:
    asked = _Asked({}, {}, set(), set())
    rules = board.dungeon.rules
    for rule in board.meter.each(all_rules(board.dungeon), every=50):
        for leaf, _ in leaves(rule):
            match leaf:
                case Have("item", name, number):
                    asked.items[name] = max(number, asked.items.get(name, 1))
                case Have(what, name, number):
                    if rules.keys_counted if what == "key" else rules.bombs is not None:
                        resource = name_resource(what, name)
                        asked.resources[resource] = max(number, asked.resources.get(resource, 0))
                case Cleared(room):
                    asked.rooms.add(room)
                case SwitchAt(switch):
                    asked.switches.add(switch)
    return asked


def _items_that_matter(dungeon: Dungeon) -> set[str]:
    names = {name for gate in dungeon.gates if gate.kind == "item" for name in gate.needs}
    if any(WATER in row for floor in dungeon.floors for row in floor.terrain):
        names.add(dungeon.rules.water)
    return names


def _pickups_that_matter(board: Board, asked: _Asked, resources: set[str]) -> Iterator[int]:
    """Yield the pickups that can make a difference."""
    dungeon, rules = board.dungeon, board.dungeon.rules
    items = _items_that_matter(dungeon) | asked.items.keys()
    rooms = set(asked.rooms)
    rooms.update(gate.needs[0] for gate in dungeon.gates if gate.kind == "soft" and rules.soft == "clear")
    guards: set[int] = set()
    for room in board.meter.each(rooms, every=10):
        guards |= monsters_in(board, board.rooms[room])
    for number, pickup in enumerate(board.meter.each(dungeon.pickups)):
        if pickup.kind == "item":
            matters = pickup.name in items
        elif pickup.kind == "monster":
            matters = number in guards
        else:
            matters = name_resource(pickup.kind, pickup.name) in resources
        if matters:
            yield number


def _has_own_bit(board: Board, number: int, asked: _Asked) -> bool:
    """Tell whether a pickup has a bit of its own: items are held by name, unless several are asked for."""
    pickup = board.dungeon.pickups[number]
    return pickup.kind != "item" or asked.items.get(pickup.name, 1) > 1


def _counted_as(board: Board, number: int) -> str:
    pickup = board.dungeon.pickups[number]
    if pickup.kind in ("item", "monster"):
        return f"{pickup.kind} {pickup.name}"
    return name_resource(pickup.kind, pickup.name)


def _switches_that_turn(board: Board, asked: _Asked) -> set[str]:
    """Return the switches that are on or off, and not for being held."""
    names = {switch.name for switch in board.dungeon.switches} | asked.switches
    names.update(gate.needs[0] for gate in board.dungeon.gates if gate.kind == "barrier")
    return names - board.held_plates.keys() - board.dials.keys()


def _purse(board: Board, begin: int, taken: dict[int, int], opened: dict[int, int]) -> Purse:
    """Return what is counted together: `taken` and `opened` are the pickups and gates of it, and their bits."""
    by_count: dict[int, int] = {}
    counts: dict[int, int] = {}
    for number, bit in taken.items():
        each = counts[number] = count_of(board.dungeon, board.dungeon.pickups[number])
        by_count[each] = by_count.get(each, 0) | bit
    return Purse(begin, tuple(sorted(by_count.items())), sum(opened.values()), counts, list(opened))


def _give_places(board: Board, free: _Bits) -> tuple[dict[int, int], dict[tuple[int, str], int], dict[int, Field]]:
    """Give bits to blocks that were pushed, and to where they were pushed to; or to the numbers of their places."""
    rule, blocks = board.dungeon.rules.push, board.dungeon.blocks
    rests: dict[tuple[int, str], int] = {}
    if rule == "once":
        moved = {block: free.next() for block in range(len(blocks))}
        for block in moved:
            for way in STEPS:
                if takes_block(board, block, neighbour(blocks[block].place, way)):
                    rests[block, way] = free.next()
        return moved, rests, {}
    places: dict[int, Field] = {}
    for block in range(len(blocks)) if rule == "on" else ():
        reached = sorted(_pushed_to(board, block))
        board.meter.require_memory(BYTES_A_REST * (len(rests) + len(reached)) / 1e6, "where blocks can be pushed to")
        places[block] = free.field(len(reached))
        for number, place in enumerate(board.meter.each(reached), start=1):
            rests[block, find_walk(blocks[block].place, place)] = number << places[block].shift
    return {}, rests, places


def _pushed_to(board: Board, block: int) -> Iterable[Place]:
    """Return the places that a block could be pushed to if the player could get behind it anywhere, bar the first."""
    home = board.dungeon.blocks[block].place
    reached, waiting = {home}, [home]
    while waiting:
        place = waiting.pop()
        for direction, (south, east) in STEPS.items():
            stand = terrain_at(board, (place[0], place[1] - south, place[2] - east))
            target = neighbour(place, direction)
            if (
                target not in reached
                and stand not in (WALL, NOTHING)
                and ONE_WAYS.get(stand, direction) == direction
                and takes_block(board, block, target)
            ):
                reached.add(target)
                waiting.append(target)
                if len(reached) % 500 == 0:
                    board.meter.checkpoint()
    return reached - {home}


def _find_blocks_on(
    board: Board, moved: dict[int, int], rests: dict[tuple[int, str], int], places: dict[int, Field]
) -> dict[Place, list[tuple[int, int, int]]]:
    """Return where blocks can be, and while which bits say so."""
    found: dict[Place, list[tuple[int, int, int]]] = {}
    blocks = board.dungeon.blocks
    for number, block in enumerate(blocks):
        care = places[number].mask if number in places else moved.get(number, 0)
        found.setdefault(block.place, []).append((number, care, 0))
    for (number, walk), bits in board.meter.each(rests.items()):
        care = places[number].mask if number in places else bits
        place = follow_walk(blocks[number].place, walk)
        found.setdefault(place, []).append((number, care, bits))
    return found
