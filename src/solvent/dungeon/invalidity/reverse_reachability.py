"""The reverse pass: which tiles lead to the goal at all, with which items, if nothing else were ever in the way.

Going backwards over full states cannot be done: there is no list of all states with the goal reached, nor of all ways
to have come by a key. What can be done is to forget enough that few states are left, going forwards, and to mark those
backwards. Here locks, cracked walls, barriers, soft doors and blocks are forgotten: they never bar anyone. Items are
kept. What remains is a tile and a set of items, and every real walk is still a walk there. So a state from which not
even this easier dungeon can be won is lost; the other direction does not hold, and nothing is concluded from it.
"""

from __future__ import annotations

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.invalidity.reverse_kernel import ReversePass
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import State
from solvent.dungeon.solver.ground import Ground, ground_level
from solvent.dungeon.solver.layout import Field, pack
from solvent.dungeon.solver.mechanics import NEED, SEIZE, TAKE, Demand
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.points import can_be_met

MAX_ITEMS = 6
"""Sets of more items would cost too much; the others count as held, which only makes it easier to win."""


class RelaxedReverseReachability:
    """Fire where the goal is out of reach even with every lock, wall, barrier and block out of the way."""

    name = "relaxed reverse reachability"
    reason = (
        "A walk to the goal is still a walk if locks, cracked walls, barriers, soft doors and blocks bar no player. "
        "So if there is none then, from this tile and with the items that can be had, there is none at all."
    )

    def __init__(self, dungeon: Dungeon | Ground, meter: Meter = UNLIMITED) -> None:
        self.ground = dungeon if isinstance(dungeon, Ground) else ground_level(dungeon, meter)
        self.meter = meter
        layout = self.ground.layout
        # What appears by a rule may not be had by a player who stands where it lies: such items are left to be held.
        appearing = {pickup.name for pickup in self.ground.dungeon.pickups if pickup.rule is not None}
        fields = [at for name, at in layout.items.items() if name not in appearing]
        # Items stand one after the other in a word; those that fell into the next one are left to be held.
        self.fields = [at for at in fields if at.word == fields[0].word][:MAX_ITEMS] if fields else []
        self.every_item = (1 << len(self.fields)) - 1
        """The set of all items that count."""
        self.alive = self._mark()
        """Shape (sets of items, cells): 0 where the goal is out of reach."""

    @property
    def item_word(self) -> int:
        """Return which word of a state holds the items."""
        return self.fields[0].word if self.fields else 0

    @property
    def item_shift(self) -> int:
        """Return where the first item stands in its word."""
        return self.fields[0].shift if self.fields else 0

    def is_invalid(self, state: State, /) -> bool:
        """Tell whether the state is lost for certain."""
        words = pack(self.ground.layout, self.ground.game, state).as_tuple()
        held = (words[self.item_word] >> self.item_shift) & self.every_item
        return not self.alive[held, self.ground.cell(state.place)]

    def is_needed(self, item: Field, cell: int) -> bool:
        """Tell whether every plan from a cell, starting with nothing, needs an item."""
        if item not in self.fields:
            return False
        number = self.fields.index(item)
        barred = self._mark(without=number)
        return not barred[self.every_item & ~(1 << number), cell]

    def _mark(self, *, without: int | None = None) -> memoryview:
        """Mark what leads to a goal; `without` an item, where no player can ever take it."""
        cells = self.ground.cells
        to_be_had = self.every_item if without is None else self.every_item & ~(1 << without)
        gives = bytearray(cells.nodes)
        for effect in cells.effects:
            if effect.kind in (TAKE, SEIZE) and effect.word == self.item_word:
                gives[effect.node] |= (effect.mask >> self.item_shift) & to_be_had
        needs = [self._items_asked(demand) for demand in cells.demands]
        self.meter.require_memory((cells.nodes << len(self.fields)) / 1e6, "the reverse pass")
        marking = ReversePass(cells, can_be_met(self.ground), needs, gives, len(self.fields))
        in_pieces(marking.run, self.meter)
        return marking.table()

    def _items_asked(self, demand: Demand) -> int:
        """Return the items that a move asks for, as a set."""
        asked = 0
        for gate in demand.gates:
            if gate >= 0 and self.ground.gates[gate].kind == NEED:
                asked |= dict(self.ground.gates[gate].needs).get(self.item_word, 0) >> self.item_shift
        return asked & self.every_item
