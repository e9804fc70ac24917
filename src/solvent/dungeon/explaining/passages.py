"""What lies open to someone who holds this and that, if nothing were ever used up or shut again.

A flood over areas: falling doors, blocks and one-way tiles are passed as if each could be passed on its own. What it
does not reach, nobody reaches; what it reaches, most players do.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from solvent.dungeon.explaining.land import Flags, Land
from solvent.dungeon.solver.ground import (
    BEHIND,
    BLOCK,
    GATE_1,
    GATE_3,
    KIND,
    MASK,
    NEED,
    NEED_OFF,
    NEED_ON,
    NEEDS,
    NEVER,
    PUSH,
    SHUT,
    SOURCE,
    SPEND,
    TARGET,
    WORD,
)
from solvent.dungeon.solver.layout import Field, pack


@dataclass(slots=True)
class Holdings:
    """Hold what can be used: items in hand, gates opened for good, switches that can be worked."""

    items: set[str] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    switches: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Demand:
    """Hold what one row of the table of gates asks for."""

    kind: int
    gate: int = -1
    items: frozenset[str] = frozenset()
    monsters: frozenset[int] = frozenset()
    switch: str = ""


class Passages:
    """Know what each move between areas asks for."""

    def __init__(self, land: Land) -> None:
        self.land = land
        ground, state = land.ground, land.state
        self.graph = land.survey.areas().graph
        self.demands = [_read(land, row) for row in ground.gates.tolist()]
        self.start = int(land.area_of[ground.cell(state.place)])
        words = pack(ground.layout, ground.game, state).tolist()
        self.rested = np.zeros(self.graph.nodes, dtype=np.bool_)
        """Areas on which a block rests by now."""
        for node in np.nonzero(np.diff(self.graph.rest_starts))[0].tolist():
            for word, shift, value in self.graph.rests[
                self.graph.rest_starts[node] : self.graph.rest_starts[node + 1]
            ].tolist():
                if (words[word] >> shift) & 7 == value:
                    self.rested[node] = True
        self.monsters_in: dict[int, set[int]] = defaultdict(set)
        for number, pickup in enumerate(land.dungeon.pickups):
            if pickup.kind == "monster" and ground.cell(pickup.place) >= 0:
                self.monsters_in[int(land.area_of[ground.cell(pickup.place)])].add(number)
        self.arcs = [row[: SOURCE + 1] for row in self.graph.arcs.tolist()]

    def flood(self, held: Holdings, within: Flags | None) -> tuple[set[int], set[int]]:
        """Return the areas that can be got to, and the locks and cracked walls met that are not open.

        With `within`, areas outside are left out: it is known that nobody gets there.
        """
        starts = self.graph.starts
        beaten = set(self.land.state.taken)
        pushed = {number for number, way in enumerate(self.land.state.moved) if way}
        while True:
            before = len(beaten), len(pushed)
            reached: set[int] = {self.start}
            met: set[int] = set()
            waiting = [self.start]
            while waiting:
                here = waiting.pop()
                beaten |= self.monsters_in.get(here, set())
                if self.graph.is_goal[here]:
                    continue
                for arc in self.arcs[starts[here] : starts[here + 1]]:
                    there = arc[TARGET]
                    spent = self._spent_on(arc, held, beaten, pushed)
                    met.update(spent or ())
                    if spent == [] and there not in reached and (within is None or within[there]):
                        if arc[BLOCK] >= 0:
                            pushed.add(arc[BLOCK])
                        reached.add(there)
                        waiting.append(there)
            if before == (len(beaten), len(pushed)):
                return reached, met

    def _spent_on(self, arc: list[int], held: Holdings, beaten: set[int], pushed: set[int]) -> list[int] | None:
        """Return the gates that would have to be opened to make a move, or None if that is not enough."""
        if self.rested[arc[TARGET]]:
            return None
        if arc[BLOCK] >= 0 and arc[BLOCK] not in pushed and (arc[PUSH] == 0 or self.rested[arc[BEHIND]]):
            return None
        spent = []
        state = self.land.state
        for row in arc[GATE_1 : GATE_3 + 1]:
            if row < 0:
                continue
            asks = self.demands[row]
            if asks.kind == SPEND:
                if asks.gate not in held.opened:
                    spent.append(asks.gate)
                continue
            worked = asks.switch in held.switches
            open_to_us = {
                NEED: asks.items <= held.items and asks.monsters <= beaten,
                NEED_ON: worked or asks.switch in state.on,
                NEED_OFF: worked or asks.switch not in state.on,
                SHUT: asks.gate not in state.fallen,
                NEVER: False,
            }[asks.kind]
            if not open_to_us:
                return None
        return spent


def _read(land: Land, row: list[int]) -> _Demand:
    """Translate a row of the table of gates back into things."""
    layout, kind = land.ground.layout, row[KIND]

    def is_field(at: Field) -> bool:
        return at.word == row[WORD] and at.mask == row[MASK]

    if kind in (SPEND, SHUT):
        return _Demand(kind, gate=next(number for number, at in layout.gates.items() if is_field(at)))
    if kind in (NEED_ON, NEED_OFF):
        return _Demand(kind, switch=next(name for name, at in layout.switches.items() if is_field(at)))
    if kind == NEED:
        needs = row[NEEDS:]
        return _Demand(
            kind,
            items=frozenset(name for name, at in layout.items.items() if needs[at.word] & at.mask),
            monsters=frozenset(number for number, at in layout.pickups.items() if needs[at.word] & at.mask),
        )
    return _Demand(kind)
