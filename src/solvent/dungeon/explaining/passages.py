"""What lies open to a player who holds this and that, if nothing were ever used up or shut again.

A flood over areas: falling doors, blocks and one-way tiles are passed as if each could be passed on its own. What it
does not reach, no player reaches; what it reaches, most players do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from solvent.dungeon.explaining.land import Land
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.solver.flags import Flags
from solvent.dungeon.solver.layout import Layout, pack
from solvent.dungeon.solver.mechanics import NEED, NEED_OFF, NEED_ON, NEVER, RULE, SHUT, SPEND, Demand, GateRow


@dataclass(slots=True)
class Holdings:
    """Hold what can be used: items in hand, gates opened for good, states that switches can be brought into."""

    items: set[str] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    states: set[tuple[str, str]] = field(default_factory=set)
    """Switches and the states they can be brought into; the one each is in need not be here."""
    taken: set[int] = field(default_factory=set)
    """Pickups, by number."""


@dataclass(frozen=True, slots=True)
class _Demand:
    """Hold what one row of the table of gates asks for."""

    kind: int
    gate: int = -1
    items: frozenset[str] = frozenset()
    monsters: frozenset[int] = frozenset()
    switch: str = ""
    rule: Requirement | None = None


class Passages:
    """Know what each move between areas asks for."""

    def __init__(self, land: Land) -> None:
        self.land = land
        ground, state = land.ground, land.state
        self.graph = land.analysis.areas().graph
        things = _Things(ground.layout, {number: rule for (rule, _), number in ground.requirements.numbers.items()})
        self.demands = [things.read(row) for row in land.meter.each(ground.gates)]
        area_of = land.area_of
        self.start = area_of[ground.cell(state.place)]
        words = pack(ground.layout, ground.game, state).as_tuple()
        self.rested = {
            rest.node
            for rest in self.graph.rests
            if rest.value and (at := ground.layout.blocks[rest.block]).value(words[at.word]) == rest.value
        }
        """Areas on which a block rests by now."""
        self.monsters_in: dict[int, set[int]] = defaultdict(set)
        for number, pickup in enumerate(land.dungeon.pickups):
            if pickup.kind == "monster" and ground.cell(pickup.place) >= 0:
                self.monsters_in[area_of[ground.cell(pickup.place)]].add(number)
        self.target, self.demand_of = memoryview(self.graph.target), memoryview(self.graph.demand)
        """For each arc where it leads, and which demand it has."""
        self.first_move = memoryview(self.graph.first_arc)
        self.is_goal = bytes(self.graph.is_goal)

    def flood(self, held: Holdings, within: Flags | None) -> tuple[set[int], set[int]]:
        """Return the areas that can be got to, and the locks and cracked walls met that are not open.

        With `within`, areas outside are left out: it is known that no player gets there.
        """
        beaten = set(self.land.state.taken) | held.taken
        pushed = {number for number, way in enumerate(self.land.state.moved) if way}
        demands, meter = self.graph.demands, self.land.meter
        while True:
            before = len(beaten), len(pushed)
            reached: set[int] = {self.start}
            met: set[int] = set()
            waiting = [self.start]
            looked = 0
            while waiting:
                looked += 1
                if looked % 200 == 0:
                    meter.checkpoint()
                here = waiting.pop()
                beaten |= self.monsters_in.get(here, set())
                if self.is_goal[here]:
                    continue
                for arc in range(self.first_move[here], self.first_move[here + 1]):
                    there, demand = self.target[arc], demands[self.demand_of[arc]]
                    spent = self._spent_on(there, demand, held, beaten, pushed)
                    met.update(spent or ())
                    if spent == [] and there not in reached and (within is None or within[there]):
                        if demand.block >= 0:
                            pushed.add(demand.block)
                        reached.add(there)
                        waiting.append(there)
            if before == (len(beaten), len(pushed)):
                return reached, met

    def _spent_on(
        self, there: int, demand: Demand, held: Holdings, beaten: set[int], pushed: set[int]
    ) -> list[int] | None:
        """Return the gates that would have to be opened to make a move, or None if that is not enough."""
        free = self.land.dungeon.rules.push == "on"  # blocks come and go: none of them bars for good
        if there in self.rested and not free:
            return None
        if (
            not free
            and demand.block >= 0
            and demand.block not in pushed
            and (demand.behind < 0 or demand.behind in self.rested)
        ):
            return None
        spent = []
        state = self.land.state
        for row in demand.gates:
            if row < 0:
                continue
            asks = self.demands[row]
            if asks.kind == SPEND:
                if asks.gate not in held.opened:
                    spent.append(asks.gate)
                continue
            open_to_us = {
                NEED: asks.items <= held.items and asks.monsters <= beaten,
                NEED_ON: (asks.switch, "on") in held.states or asks.switch in state.on,
                NEED_OFF: (asks.switch, "off") in held.states or asks.switch not in state.on,
                SHUT: asks.gate not in state.fallen,
                NEVER: False,
                RULE: asks.rule is None or self.may_hold(asks.rule, held, beaten),
            }[asks.kind]
            if not open_to_us:
                return None
        return spent

    def may_hold(self, rule: Requirement, held: Holdings, beaten: set[int], *, wanted: bool = True) -> bool:
        """Tell whether a requirement could hold for a player who has all this, if nothing that was had is ever gone.

        Without `wanted`, tell whether it could fail to hold, now or as long as something is left alone.
        """
        match rule:
            case Not(part):
                return self.may_hold(part, held, beaten, wanted=not wanted)
            case AllOf(parts) | AnyOf(parts):
                every = all if isinstance(rule, AllOf) == wanted else any
                return every(self.may_hold(part, held, beaten, wanted=wanted) for part in parts)
            case SwitchAt(switch, at):
                return any((state == at) == wanted for state in self._states_of(switch, held))
        return self._may_have(rule, held, beaten) if wanted else self._may_lack(rule)

    def _states_of(self, switch: str, held: Holdings) -> Iterator[str]:
        """Yield the states a switch can be in: that of now, and those that something within reach brings it into."""
        game = self.land.ground.game
        yield game.switch_state(self.land.state, switch)
        yield from (state for name, state in held.states if name == switch)
        if switch in game.held_plates:
            yield "off"  # it comes up by itself

    def _may_have(self, rule: Have | Cleared, held: Holdings, beaten: set[int]) -> bool:
        game, state = self.land.ground.game, self.land.state
        match rule:
            case Cleared(room):
                return beaten.issuperset(game.monsters_of(room))
            case Have("item", name, count):
                return game.items(state._replace(taken=state.taken | held.taken), name) >= count
            case Have(what, name, count):
                carried = game.bombs(state) if what == "bombs" else game.keys(state, name)
                if carried is None or (what == "key" and not game.rules.keys_counted):
                    return True
                return carried + self._found(what, name, held) >= count

    def _may_lack(self, rule: Have | Cleared) -> bool:
        """Tell whether something could be missing: items and beaten monsters stay, keys and bombs can be spent."""
        game, state = self.land.ground.game, self.land.state
        match rule:
            case Cleared(room):
                return not state.taken.issuperset(game.monsters_of(room))
            case Have("item", name, count):
                return game.items(state, name) < count
        return True

    def _found(self, what: str, name: str, held: Holdings) -> int:
        rules = self.land.dungeon.rules
        return sum(
            pickup.count or rules.bombs_per_pickup
            for number, pickup in enumerate(self.land.dungeon.pickups)
            if pickup.kind == what and number in held.taken and (what == "bombs" or pickup.name == name)
        )


class _Things:
    """Know which thing each bit of a state stands for, by word and mask."""

    def __init__(self, layout: Layout, rules: dict[int, Requirement]) -> None:
        self.rules = rules
        self.gates = {(at.word, at.mask): number for number, at in layout.gates.items()}
        self.switches = {(at.word, at.mask): name for name, at in layout.switches.items()}
        self.items = {(at.word, at.mask): name for name, at in layout.items.items()}
        self.pickups = {(at.word, at.mask): number for number, at in layout.pickups.items()}

    def read(self, row: GateRow) -> _Demand:
        """Translate a row of the table of gates back into things."""
        if row.kind in (SPEND, SHUT):
            return _Demand(row.kind, gate=self.gates[row.word, row.mask])
        if row.kind in (NEED_ON, NEED_OFF):
            return _Demand(row.kind, switch=self.switches[row.word, row.mask])
        if row.kind == RULE:
            return _Demand(row.kind, rule=self.rules[row.rule])
        bits = [(word, bit) for word, mask in row.needs for bit in _single_bits(mask)]
        return _Demand(
            row.kind,
            items=frozenset(self.items[bit] for bit in bits if bit in self.items),
            monsters=frozenset(self.pickups[bit] for bit in bits if bit in self.pickups),
        )


def _single_bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
