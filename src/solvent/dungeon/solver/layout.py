"""How a state is packed: fixed bit fields in a few 64-bit words, so that kernels can hash, compare and change it.

A state is s = (p, R, I, B): position, resources, items and flags, environment. The position is kept beside the words.
Fields are given out in this order and never cross from one word to the next:
- R: for each resource (plain keys, each colour, bombs) how many are in hand, but never more than there are gates left
  to spend them on and requirements ask for, which is as good and makes states equal that are as good;
- I: a bit for each item that matters, and for each pickup that matters, items included where they are counted;
- B: a bit for each lock, cracked wall and falling door, a bit or the number of its state for each switch, and for each
  block the number of the place it was pushed to, 0 where it stood.
What does not matter (see `matters`) gets no field at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import STEPS, WATER, Dungeon
from solvent.dungeon.rules import BOMBS, Game, Monsters, State, beside, resource_of, walk_between
from solvent.dungeon.solver.asked_for import AskedFor, asked_for
from solvent.dungeon.solver.state_kernel import PackedState

BITS_IN_A_WORD = 60
DIRECTIONS = tuple(STEPS)


class Field(Struct, frozen=True):
    """Say where some bits of a state stand."""

    word: int
    shift: int
    bits: int

    @property
    def mask(self) -> int:
        """Return the field's bits where they stand in the word."""
        return ((1 << self.bits) - 1) << self.shift

    def value(self, word: int) -> int:
        """Return the number that a word holds in the field."""
        return (word & self.mask) >> self.shift


class Layout(Struct):
    """Hold the field of everything that matters in a dungeon."""

    resources: dict[str, Field] = field(default_factory=dict)
    """By `key COLOUR` or `bombs`."""
    spenders: dict[str, list[int]] = field(default_factory=dict)
    """For each resource the gates it is spent on."""
    items: dict[str, Field] = field(default_factory=dict)
    pickups: dict[int, Field] = field(default_factory=dict)
    """Keys, bombs and monsters by number."""
    gates: dict[int, Field] = field(default_factory=dict)
    """Locks, cracked walls and doors that fall shut, by number."""
    opening: dict[int, Field] = field(default_factory=dict)
    """Those of them that open, once and for all."""
    falling: dict[int, Field] = field(default_factory=dict)
    """Those of them that fall shut."""
    switches: dict[str, Field] = field(default_factory=dict)
    """Those that are on or off; plates that must be held down have no field."""
    dials: list[Field] = field(default_factory=list)
    blocks: list[Field] = field(default_factory=list)
    block_walks: list[tuple[str, ...]] = field(default_factory=list)
    """For each block the walks to where it can be pushed: its field holds the number of one, plus 1."""
    asked: AskedFor = field(default_factory=AskedFor)
    """What requirements ask for."""
    delicate: set[int] = field(default_factory=set)
    """Pickups that matter and may be worse to have than to leave, by number."""
    words: int = 1

    @property
    def holdings(self) -> list[Field]:
        """Return the fields of items and pickups of which more is never worse."""
        items = [at for name, at in self.items.items() if name not in self.asked.unwanted_items]
        return items + [at for number, at in self.pickups.items() if number not in self.delicate]

    @property
    def delicate_things(self) -> list[Field]:
        """Return the fields of the items and pickups that may be worse to have, and of stocks that go with them."""
        items = [at for name, at in self.items.items() if name in self.asked.unwanted_items]
        stocks = [at for name, at in self.resources.items() if self.is_delicate(name)]
        return items + stocks + [at for number, at in self.pickups.items() if number in self.delicate]

    def is_delicate(self, resource: str) -> bool:
        """Tell whether more of a resource may be worse, or how much there is does not follow from what was taken."""
        return resource in self.asked.renewing or resource in self.asked.unwanted_resources


def spends(dungeon: Dungeon, number: int) -> bool:
    """Tell whether passing a gate for the first time costs something."""
    kind = dungeon.gates[number].kind
    return (kind == "lock" and dungeon.rules.keys_counted) or (kind == "cracked" and dungeon.rules.bombs is not None)


def items_asked_for(dungeon: Dungeon) -> set[str]:
    """Return the items that some gate, requirement or water asks for."""
    names = {need for gate in dungeon.gates if gate.kind == "item" for need in gate.needs}
    names.update(asked_for(dungeon).items)
    if any(WATER in row for floor in dungeon.floors for row in floor.terrain):
        names.add(dungeon.rules.water)
    return names


def items_that_matter(dungeon: Dungeon) -> list[str]:
    """Return the items that are asked for, can be found, and are not carried from the start."""
    found = {pickup.name for pickup in dungeon.pickups if pickup.kind == "item"}
    return sorted((items_asked_for(dungeon) & found) - set(dungeon.rules.items))


def rooms_to_clear(dungeon: Dungeon) -> set[str]:
    """Return the rooms whose monsters keep a soft door shut."""
    if dungeon.rules.soft != "clear":
        return set()
    return {gate.needs[0] for gate in dungeon.gates if gate.kind == "soft"}


def plan_layout(dungeon: Dungeon, meter: Meter = UNLIMITED) -> Layout:
    """Give every part of the state that matters a field."""
    layout = Layout()
    allot = _Allotment()
    for number, gate in enumerate(dungeon.gates):
        if spends(dungeon, number):
            resource = resource_of(gate.kind, gate.needs[0] if gate.needs else "")
            layout.spenders.setdefault(resource, []).append(number)
    layout.asked = asked = asked_for(dungeon)
    for resource in asked.resources:
        if is_counted(dungeon, resource):
            layout.spenders.setdefault(resource, [])
    for resource, gates in layout.spenders.items():
        layout.resources[resource] = allot((len(gates) + asked.resources.get(resource, 0)).bit_length())
    # Items that appear by a rule come last: the reverse pass looks at the others, which must stand side by side.
    appearing = {pickup.name for pickup in dungeon.pickups if pickup.rule is not None}
    for name in sorted(items_that_matter(dungeon), key=lambda name: (name in appearing, name)):
        layout.items[name] = allot(1)
    to_clear, monsters = rooms_to_clear(dungeon) | asked.rooms, Monsters(dungeon)
    guards: set[int] = set()
    for room in meter.each(dungeon.rooms, every=1):
        if room.name in to_clear:
            guards.update(monsters.inside(room))
    for number, pickup in enumerate(dungeon.pickups):
        if pickup.kind == "monster":
            matters = number in guards
        elif pickup.kind == "item":
            matters = asked.items.get(pickup.name, 0) > 1
        else:
            matters = not pickup.renews and resource_of(pickup.kind, pickup.name) in layout.resources
        if matters:
            layout.pickups[number] = allot(1)
    _find_delicate(dungeon, layout, monsters, meter)
    for number, gate in enumerate(dungeon.gates):
        if spends(dungeon, number) or (gate.kind == "soft" and dungeon.rules.soft == "shut"):
            layout.gates[number] = (layout.falling if gate.kind == "soft" else layout.opening)[number] = allot(1)
    with_states = {dial.switch for dial in dungeon.dials}
    for switch in dungeon.switches:
        if switch.kind != "held" and switch.name not in layout.switches and switch.name not in with_states:
            layout.switches[switch.name] = allot(1)
    layout.dials = [allot((len(dial.states) - 1).bit_length()) for dial in dungeon.dials]
    if dungeon.rules.push != "never" and dungeon.blocks:
        game = Game(dungeon, meter)
        for block in meter.each(range(len(dungeon.blocks)), every=1):
            walks = _walks_of(game, block, meter)
            layout.block_walks.append(walks)
            layout.blocks.append(allot(len(walks).bit_length()))
    layout.words = allot.words
    return layout


def _find_delicate(dungeon: Dungeon, layout: Layout, monsters: Monsters, meter: Meter) -> None:
    """Find the delicate things, and what makes them appear, until there are no more."""
    asked, asked_items = layout.asked, items_asked_for(dungeon)
    rooms = {room.name: room for room in dungeon.rooms}
    waiting = {
        number
        for number, pickup in enumerate(dungeon.pickups)
        if number in layout.pickups
        or (pickup.kind == "item" and pickup.name in asked_items)
        or (pickup.renews and resource_of(pickup.kind, pickup.name) in layout.resources)
    }
    found = True
    while found:
        meter.checkpoint()
        lurking = {number for name in asked.uncleared_rooms for number in monsters.inside(rooms[name])}
        more = {
            number
            for number in waiting
            if number in lurking or asked.is_delicate(dungeon.pickups[number].kind, dungeon.pickups[number].name)
        }
        waiting -= more
        layout.delicate |= more & layout.pickups.keys()
        rules = [dungeon.pickups[number].rule for number in sorted(more)]
        found = any(rule is not None for rule in rules)
        for rule in rules:
            if rule is not None:
                asked.mark_delicate(rule)


def is_counted(dungeon: Dungeon, resource: str) -> bool:
    """Tell whether it matters how many there are of a resource."""
    return dungeon.rules.bombs is not None if resource == BOMBS else dungeon.rules.keys_counted


def _walks_of(game: Game, block: int, meter: Meter) -> tuple[str, ...]:
    """Return the walks to all places that a block may ever be pushed to, and be on after a push."""
    home = game.dungeon.blocks[block].place
    if game.rules.push == "once":
        return tuple(direction for direction in DIRECTIONS if game.is_bare(beside(home, direction)))
    seen, waiting = {home}, [home]
    for place in meter.each(waiting, every=100):
        for direction in DIRECTIONS:
            there = beside(place, direction)
            if there not in seen and game.takes_block(block, there):
                seen.add(there)
                waiting.append(there)
    return tuple(walk_between(home, place) for place in sorted(seen - {home}))


class _Allotment:
    """Hand out fields one after the other."""

    def __init__(self) -> None:
        self.words, self._used = 1, 0

    def __call__(self, bits: int) -> Field:
        if self._used + bits > BITS_IN_A_WORD:
            self.words, self._used = self.words + 1, 0
        given = Field(self.words - 1, self._used, bits)
        self._used += bits
        return given


def pack(layout: Layout, game: Game, state: State) -> PackedState:
    """Return the words of a state."""
    words = [0] * layout.words
    dungeon = game.dungeon

    def put(at: Field, value: int) -> None:
        words[at.word] |= value << at.shift

    keys, items = _in_hand(game, state)
    for resource, at in layout.resources.items():
        left = sum(number not in state.opened for number in layout.spenders[resource])
        left += layout.asked.resources.get(resource, 0)
        if resource in game.renewing:
            in_hand: int | None = state.stock[game.renewing[resource]]
        else:
            in_hand = game.bombs(state) if resource == BOMBS else keys.get(resource.removeprefix("key").strip(), 0)
        put(at, min(left, in_hand if in_hand is not None else left))
    for name, at in layout.items.items():
        put(at, name in items)
    for number, at in layout.pickups.items():
        put(at, number in state.taken)
    for number, at in layout.gates.items():
        put(at, number in state.opened or number in state.fallen)
    for name, at in layout.switches.items():
        put(at, name in state.on)
    for number, at in enumerate(layout.dials):
        put(at, state.dials[number])
    for number, at in enumerate(layout.blocks):
        walk = state.moved[number]
        put(at, 1 + layout.block_walks[number].index(walk) if walk else 0)
    assert len(dungeon.blocks) >= len(layout.blocks)
    return PackedState(words)


def _in_hand(game: Game, state: State) -> tuple[dict[str, int], set[str]]:
    """Return how many keys of each colour are in hand, and the items: `Game.keys` and `holds` for all of them."""
    pickups, gates = game.dungeon.pickups, game.dungeon.gates
    keys, items = dict(game.rules.keys), set(game.rules.items)
    for pickup in (pickups[number] for number in state.taken):
        if pickup.kind == "key":
            keys[pickup.name] = keys.get(pickup.name, 0) + pickup.count
        elif pickup.kind == "item":
            items.add(pickup.name)
    for gate in (gates[number] for number in state.opened):
        if gate.kind == "lock":
            keys[gate.needs[0]] = keys.get(gate.needs[0], 0) - 1
    return keys, items


def bits_of(layout: Layout, fields: Sequence[Field]) -> tuple[int, ...]:
    """Return a mask of some fields, word by word."""
    mask = [0] * layout.words
    for at in fields:
        mask[at.word] |= at.mask
    return tuple(mask)


def pairs_of(fields: Iterable[Field]) -> tuple[tuple[int, int], ...]:
    """Return a mask of some fields as pairs of a word and the bits in it, without the words that have none."""
    masks: dict[int, int] = {}
    for at in fields:
        masks[at.word] = masks.get(at.word, 0) | at.mask
    return tuple(sorted(masks.items()))
