"""Explore a dungeon by situations: decide whether it can be finished, and which situations are lost.

A *situation* is a region, a set of areas one can walk about in without changing anything, together with what was
taken, opened, switched and pushed. Taking is *saturated*: everything in the region counts as taken.

Why that is right for finishing: having more never bars a way (fact 1), and whoever can walk to a thing and back gives
nothing up by fetching it (fact 2). So if the goal can be reached at all, it can be reached by someone who always takes
everything first.

Why it needs care for losing: a player may leave something behind. If every move can be undone, or everything left
behind can be fetched afterwards all the same, no harm is done: whatever the player's state, it can still become the
saturated one. The kernel watches for moves of which that is not certain. Where there is one, the dungeon is explored
again *step by step*: taking something is then a move like any other, nothing is saturated, and the result is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener
from solvent.dungeon.solver.areas import Areas
from solvent.dungeon.solver.exploring_kernel import (
    COLUMNS,
    CONTROL,
    COUNT,
    EDGE_COUNT,
    EDGES,
    EXHAUSTED,
    EXPANDED,
    FIRST_DEAD,
    FIRST_EDGE,
    FIRST_WIN,
    FULL,
    GENTLE,
    LOSSY,
    NODE,
    OPENERS,
    OVERLOOK,
    PARENT,
    SATURATE,
    SATURATED,
    SCRATCH_ROWS,
    STACKED,
    STOP_AT_WIN,
    VIA,
    WATCH_LOSS,
    WINS,
    complete,
    explore,
    rank_situations,
)
from solvent.dungeon.solver.ground import Ground, Ints
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.state_table import find_slot, refill_slots, slots_for
from solvent.engine.driver import WORKING, drive

NOBODY = -1
ENOUGH = 100
"""A status beside those of the kernel."""


@dataclass(slots=True, eq=False)
class Exploration:
    """Hold the situations found so far, and how they lead to one another."""

    ground: Ground
    areas: Areas
    memory: Ints
    slots: Ints
    stack: Ints
    edges: npt.NDArray[np.int32]
    scratch: Ints
    marks: Ints
    lists: Ints
    control: Ints

    @property
    def count(self) -> int:
        """Return how many situations there are."""
        return int(self.control[COUNT])

    @property
    def expanded(self) -> int:
        """Return how many situations were expanded."""
        return int(self.control[EXPANDED])

    @property
    def first_win(self) -> int:
        """Return a situation from which a move ends on a goal, or -1."""
        return int(self.control[FIRST_WIN])

    @property
    def first_dead(self) -> int:
        """Return a situation from which nothing leads anywhere, or -1."""
        return int(self.control[FIRST_DEAD])

    @property
    def saturated(self) -> bool:
        """Tell whether everything in a region counts as taken."""
        return int(self.control[SATURATED]) == SATURATE

    @property
    def bytes(self) -> int:
        """Return the memory it all takes."""
        return self.memory.nbytes + self.slots.nbytes + self.stack.nbytes + self.edges.nbytes

    def words(self, situation: int) -> Ints:
        """Return the packed state of a situation, without its place."""
        return self.memory[situation, : self.ground.layout.words]

    def column(self, situation: int, column: int) -> int:
        """Return one of the columns after the words."""
        return int(self.memory[situation, self.ground.layout.words + column])

    def node(self, situation: int) -> int:
        """Return the smallest area of a situation's region."""
        return self.column(situation, NODE)

    def successors(self, situation: int) -> list[int]:
        """Return the situations that an expanded one leads to."""
        first = self.column(situation, FIRST_EDGE)
        return [int(there) for there in self.edges[first : first + max(0, self.column(situation, EDGES))]]

    def path_to(self, situation: int) -> list[tuple[int, int]]:
        """Return the way to a situation from the first: pairs of a situation and the arc that leads on from it."""
        path = []
        while (parent := self.column(situation, PARENT)) != NOBODY:
            path.append((parent, self.column(situation, VIA)))
            situation = parent
        return path[::-1]

    def winning_arc(self, situation: int) -> int | None:
        """Return an arc from a situation that ends on a goal, if there is one."""
        arc = self.column(situation, WINS)
        return arc - 1 if arc else None

    def ranks(self) -> Ints:
        """Return for each situation how many others lie between it and a winning move, -1 if it is lost."""
        ranks = np.empty(self.count, dtype=np.int64)
        rank_situations(self.memory, self.edges, self.count, self.ground.layout.words, ranks)
        return ranks

    def region(self, situation: int) -> list[int]:
        """Return the areas of a situation's region."""
        own = self.words(situation).copy()
        size, _ = self._complete(self.node(situation), own)
        return sorted(int(area) for area in self.lists[1, :size])

    def region_of_state(self, cell: int, words: Ints) -> list[int]:
        """Return the areas one can walk to and back from with what is held now, taking nothing."""
        mode = int(self.control[SATURATED])
        self.control[SATURATED] = OVERLOOK
        size, _ = self._complete(int(self.areas.area_of[cell]), words.copy())
        self.control[SATURATED] = mode
        return [int(area) for area in self.lists[1, :size]]

    def expand(self, limit: int) -> tuple[int, int]:
        """Expand up to so many situations; return the kernel's status and how many it were."""
        own = (self.memory, self.slots, self.stack, self.edges, self.scratch, self.marks, self.lists, self.control)
        status, used = explore(*(*self._graph(), self.areas.sure, *own, limit))
        return int(status), int(used)

    def _complete(self, node: int, words: Ints) -> tuple[int, int]:
        """Make `words` those of the full situation around an area; return the size of its region and its first area."""
        tools = (self.scratch[GENTLE - 1], self.marks, self.lists, self.control)
        size, smallest = complete(*(*self._graph(), node, words, *tools))
        return int(size), int(smallest)

    def _graph(self) -> tuple[Any, ...]:
        graph, ground, areas = self.areas.graph, self.ground, self.areas
        return (
            graph.arcs, graph.starts, areas.incoming, areas.incoming_starts, ground.gates, ground.blocks,
            ground.stocks, graph.effects, graph.effect_starts, graph.rests, graph.rest_starts, graph.is_goal,
        )  # fmt: skip


def begin(
    ground: Ground,
    areas: Areas,
    cell: int,
    words: Ints,
    *,
    saturated: bool,
    watch_loss: bool = False,
    stop_at_win: bool = False,
) -> Exploration:
    """Prepare an exploration from one state."""
    width = ground.layout.words
    room = 1024 + 2 * len(areas.graph.arcs)
    exploration = Exploration(
        ground,
        areas,
        np.zeros((room, width + COLUMNS), dtype=np.int64),
        np.zeros(slots_for(room), dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros(4 * room, dtype=np.int32),
        np.zeros((SCRATCH_ROWS, width), dtype=np.int64),
        np.zeros((3, areas.graph.nodes), dtype=np.int64),
        np.zeros((3, areas.graph.nodes), dtype=np.int64),
        np.zeros(CONTROL, dtype=np.int64),
    )
    layout = ground.layout
    opening = [at for number, at in layout.gates.items() if ground.dungeon.gates[number].kind != "soft"]
    gentle = [*layout.resources.values(), *layout.items.values(), *layout.pickups.values(), *opening]
    exploration.scratch[GENTLE] = bits_of(layout, gentle)
    monsters = [at for number, at in layout.pickups.items() if ground.dungeon.pickups[number].kind == "monster"]
    exploration.scratch[OPENERS] = bits_of(layout, [*layout.items.values(), *monsters])
    control = exploration.control
    control[FIRST_DEAD] = control[FIRST_WIN] = NOBODY
    control[SATURATED], control[WATCH_LOSS] = saturated, watch_loss
    control[STOP_AT_WIN] = stop_at_win
    own = words.copy()
    _, node = exploration._complete(int(areas.area_of[cell]), own)
    exploration.memory[0, :width] = own
    exploration.memory[0, width + NODE] = node
    exploration.memory[0, width + PARENT] = exploration.memory[0, width + VIA] = NOBODY
    exploration.memory[0, width + EDGES] = -1
    exploration.slots[find_slot(exploration.memory, exploration.slots, own, node)] = 1
    control[COUNT] = control[STACKED] = 1
    return exploration


EXPLORED, STOPPED, GIVES_UP = "explored", "stopped", "gives up"
"""How an exploration ended: nothing is left to expand; what it was to stop at was found; a move may give up what was
not taken."""


def run(
    exploration: Exploration,
    meter: Meter,
    listen: Listener,
    *,
    enough: Callable[[Exploration], bool] = lambda _exploration: False,
) -> tuple[str, Reason | None]:
    """Expand until it ends or the budget does; the reason is None unless the budget ended it.

    `enough` is looked at from time to time, and ends it like something that was found.
    """

    def step(limit: int) -> tuple[int, int]:
        if enough(exploration):
            return ENOUGH, 0
        status, used = exploration.expand(limit)
        if status == FULL:
            _grow(exploration)
            return WORKING, used
        return status, used

    status, reason = drive(step, meter, first_chunk=2048, listen=listen, message="exploring situations")
    if reason is not None:
        return STOPPED, reason
    return {EXHAUSTED: EXPLORED, LOSSY: GIVES_UP}.get(status, STOPPED), None


def _grow(exploration: Exploration) -> None:
    """Make everything twice as large."""
    each = exploration
    each.memory = np.concatenate([each.memory, np.zeros_like(each.memory)])
    each.stack = np.concatenate([each.stack, np.zeros_like(each.stack)])
    if 2 * int(each.control[EDGE_COUNT]) > len(each.edges):
        each.edges = np.concatenate([each.edges, np.zeros_like(each.edges)])
    slots = slots_for(len(each.memory))
    if slots > len(each.slots):
        each.slots = np.zeros(slots, dtype=np.int64)
        refill_slots(each.memory, each.slots, each.count, each.ground.layout.words)
