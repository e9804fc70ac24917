"""The reverse pass: which tiles lead to the goal at all, with which items, if nothing else were ever in the way.

Going backwards over full states cannot be done: there is no list of all states with the goal reached, nor of all ways
to have come by a key. What can be done is to forget enough that few states are left, going forwards, and to mark those
backwards. Here locks, cracked walls, barriers, soft doors and blocks are forgotten: they never bar anyone. Items are
kept. What remains is a tile and a set of items, and every real walk is still a walk there. So a state from which not
even this easier dungeon can be won is lost; the other direction does not hold, and nothing is concluded from it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import State
from solvent.dungeon.solver.ground import (
    BLOCK,
    EFFECT_MASK,
    EFFECT_WORD,
    GATE_1,
    GATE_2,
    GATE_3,
    KIND,
    NEED,
    NEEDS,
    NEVER,
    PUSH,
    SOURCE,
    TAKE,
    TARGET,
    WHAT,
    Ground,
    count_starts,
    survey,
)
from solvent.dungeon.solver.layout import Field, pack
from solvent.engine.jit.kernel import kernel

MOST_ITEMS = 6
"""Sets of more items would cost too much; the others count as held, which only makes it easier to win."""


class RelaxedReverseReachability:
    """Fire where the goal is out of reach even with every lock, wall, barrier and block out of the way."""

    name = "relaxed reverse reachability"
    reason = (
        "A walk to the goal is still a walk if locks, cracked walls, barriers, soft doors and blocks bar nobody. "
        "So if there is none then, from this tile and with the items that can be had, there is none at all."
    )

    def __init__(self, dungeon: Dungeon | Ground) -> None:
        self.ground = dungeon if isinstance(dungeon, Ground) else survey(dungeon)
        layout = self.ground.layout
        fields = list(layout.items.values())
        # Items stand one after the other in a word; those that fell into the next one are left to be held.
        self.fields = [at for at in fields if at.word == fields[0].word][:MOST_ITEMS] if fields else []
        self.hopeful = self._mark()
        """Shape (sets of items, cells): False where the goal is out of reach."""

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
        words = pack(self.ground.layout, self.ground.game, state)
        held = (int(words[self.item_word]) >> self.item_shift) & (len(self.hopeful) - 1)
        return not self.hopeful[held, self.ground.cell(state.place)]

    def is_needed(self, item: Field, cell: int) -> bool:
        """Tell whether nobody who starts from a cell with nothing can do without an item."""
        if item not in self.fields:
            return False
        number = self.fields.index(item)
        barred = self._mark(without=number)
        every = len(barred) - 1
        return not barred[every & ~(1 << number), cell]

    def _mark(self, *, without: int | None = None) -> npt.NDArray[np.bool_]:
        """Mark what leads to a goal; `without` an item, where nobody can ever take it."""
        graph, gates = self.ground.cells, self.ground.gates
        arcs = graph.arcs
        word = self.item_word
        mask = (1 << len(self.fields)) - 1
        can_pass = np.ones(len(arcs), dtype=np.bool_)
        needs = np.zeros(len(arcs), dtype=np.int64)
        item_bits = mask << self.item_shift
        for column in (GATE_1, GATE_2, GATE_3):
            gated = np.nonzero(arcs[:, column] >= 0)[0]
            rows = gates[arcs[gated, column]]
            can_pass[gated[rows[:, KIND] == NEVER]] = False
            needing = rows[:, KIND] == NEED
            needs[gated[needing]] |= (rows[needing, NEEDS + word] & item_bits) >> self.item_shift
        if len(self.ground.blocks):
            can_pass &= (arcs[:, BLOCK] < 0) | np.isin(arcs[:, BLOCK], arcs[arcs[:, PUSH] > 0, BLOCK])
        gives = np.zeros(graph.nodes, dtype=np.int64)
        for cell in np.nonzero(np.diff(graph.effect_starts))[0].tolist():
            for effect in graph.effects[graph.effect_starts[cell] : graph.effect_starts[cell + 1]].tolist():
                if effect[WHAT] == TAKE and effect[EFFECT_WORD] == word:
                    gives[cell] |= (effect[EFFECT_MASK] & item_bits) >> self.item_shift
        if without is not None:
            gives &= ~(1 << without)
        kept = np.nonzero(can_pass)[0]
        kept = kept[np.argsort(arcs[kept, TARGET], kind="stable")]
        hopeful = np.zeros((mask + 1, graph.nodes), dtype=np.bool_)
        _mark_backwards(
            np.ascontiguousarray(arcs[kept, SOURCE]),
            needs[kept],
            count_starts(arcs[kept, TARGET], graph.nodes),
            gives,
            np.nonzero(graph.is_goal)[0],
            hopeful,
        )
        return hopeful


@kernel
def _mark_backwards(sources: Any, needs: Any, starts: Any, gives: Any, goals: Any, hopeful: Any) -> None:
    """Mark in `hopeful` (bool, sets of items × cells) what leads to a goal.

    Arcs are sorted by target: `sources` and `needs` say where each comes from and which items it asks for; `gives` has
    the items that lie on each cell. A set and a cell lead on to the set with what lies on the next cell added.
    """
    sets, cells = hopeful.shape
    queue = np.empty(sets * cells, dtype=np.int64)
    reached, done = 0, 0
    for goal in goals:
        for held in range(sets):
            hopeful[held, goal] = True
            queue[reached] = held * cells + goal
            reached += 1
    while done < reached:
        after, there = queue[done] // cells, queue[done] % cells
        done += 1
        given = gives[there]
        if given & ~after != 0:
            continue  # nobody stands here without having taken it
        for place in range(starts[there], starts[there + 1]):
            here = sources[place]
            # Every set that becomes `after` by what lies here: without any part of what is given.
            part = given
            while True:
                before = after & ~part
                if needs[place] & ~before == 0 and not hopeful[before, here]:
                    hopeful[before, here] = True
                    queue[reached] = before * cells + here
                    reached += 1
                if part == 0:
                    break
                part = (part - 1) & given
