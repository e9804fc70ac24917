"""The bounded supply: where the goal lies behind more gates of one kind than there can ever be keys for.

The reverse pass gives a player keys and bombs without end. That is one over-approximation; this is a tighter one. Each
resource has a bound, all that is carried and all that lies anywhere, and no player ever opens more gates with it. So
from a tile all of whose ways to the goal lead through more of them, nothing leads there at all. It stays an
over-approximation: whether the keys can be got at, in which order, and what else is in the way is forgotten, and only
sets that are too large may prune.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.invalidity.supply_kernel import UNREACHED, GateCount
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import BOMBS, State
from solvent.dungeon.solver.ground import FIRST_WAY, Ground, ground_level
from solvent.dungeon.solver.points import can_be_met


class ResourceBound(Struct, frozen=True):
    """Hold the most of a resource that there can ever be, and why nothing is lost by it."""

    resource: str
    """`bombs`, `key` or `key COLOUR`."""
    supply: int
    """All that is carried at the start and all that lies in the dungeon."""
    gates: int
    """How many gates it is spent on, once each."""

    @property
    def reason(self) -> str:
        """Say why the bound holds for every player."""
        return (
            f"Each gate takes one {self.resource} once and stays open. There are {self.supply:,} in all, so no player "
            f"ever opens more than {self.supply:,} of the {self.gates:,} gates."
        )

    @property
    def matters(self) -> bool:
        """Tell whether there are more gates than can be opened."""
        return self.gates > self.supply

    def as_json(self) -> dict[str, Any]:
        """Return it as it appears in an answer's stats."""
        return {"resource": self.resource, "supply": self.supply, "gates": self.gates}


def bounds_of(ground: Ground) -> list[ResourceBound]:
    """Return the bound of each resource that is counted."""
    dungeon, layout = ground.dungeon, ground.layout
    supply = {f"key {colour}".strip(): count for colour, count in dungeon.rules.keys}
    if dungeon.rules.bombs is not None:
        supply[BOMBS] = dungeon.rules.bombs
    for pickup in dungeon.pickups:
        if pickup.kind == "key":
            name = f"key {pickup.name}".strip()
            supply[name] = supply.get(name, 0) + pickup.count
        elif pickup.kind == "bombs":
            supply[BOMBS] = supply.get(BOMBS, 0) + (pickup.count or dungeon.rules.bombs_per_pickup)
    return [
        ResourceBound(name, supply.get(name, 0), len(gates))
        for name, gates in layout.spenders.items()
        if name not in layout.asked.renewing  # there is no end of them
    ]


class BoundedSupply:
    """Fire where every way to the goal leads through more gates of one kind than can ever be opened."""

    name = "bounded supply"
    reason = (
        "A gate that takes a key or a bomb takes one, so no more of them can be opened than there are keys or bombs, "
        "carried and lying about. Behind more of them than that, with all else open, no player ever gets."
    )

    def __init__(self, dungeon: Dungeon | Ground, meter: Meter = UNLIMITED) -> None:
        self.ground = dungeon if isinstance(dungeon, Ground) else ground_level(dungeon, meter)
        self.bounds = bounds_of(self.ground)
        """What is known of each resource."""
        nodes = self.ground.cells.nodes
        self.supplied = bytearray(b"\1") * max(1, nodes)
        """1 for each cell from which the goal is not out of reach by this test."""
        for bound in self.bounds:
            meter.checkpoint()
            if bound.matters:
                self._mark(bound, meter)

    def is_invalid(self, state: State, /) -> bool:
        """Tell whether the state is lost for certain."""
        return not self.supplied[self.ground.cell(state.place)]

    def _mark(self, bound: ResourceBound, meter: Meter) -> None:
        ground, dungeon = self.ground, self.ground.dungeon
        gates = ground.layout.spenders[bound.resource]
        number = {gate: index for index, gate in enumerate(gates)}
        cells_of: list[list[int]] = [[] for _ in gates]
        for gate, index in meter.each(number.items()):
            cells_of[index] = [cell for place in dungeon.gates[gate].cells if (cell := ground.cell(place)) >= 0]
        ways_of: list[list[int]] = [[] for _ in gates]
        move, first = memoryview(ground.cells.move), memoryview(ground.cells.first_arc)
        for way, each in enumerate(meter.each(dungeon.ways)):
            if each.gate in number and (cell := ground.cell(each.source)) >= 0:
                arcs = range(first[cell], first[cell + 1])
                ways_of[number[each.gate]] += [arc for arc in arcs if move[arc] == FIRST_WAY + way]
        counting = GateCount(ground.cells, can_be_met(ground), cells_of, ways_of)
        counting.run()
        needed = counting.row()
        # A player may stand on a gate without having paid for it: where the game begins.
        on_gate = {cell for cells in cells_of for cell in cells}
        for cell in meter.each(range(ground.cells.nodes)):
            if needed[cell] < UNREACHED and needed[cell] - (cell in on_gate) > bound.supply:
                self.supplied[cell] = 0
