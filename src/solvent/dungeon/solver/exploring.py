"""Explore a dungeon by situations: decide whether it can be finished, and which situations are lost.

A *situation* is a region, a set of areas one can walk about in without changing anything, together with what was
taken, opened, switched and pushed. Taking is *saturated*: everything in the region counts as taken.

Why that is right for finishing: having more never bars a way (fact 1), and a player who can walk to a thing and back
gives nothing up by fetching it (fact 2). So if the goal can be reached at all, a player who always takes everything
first reaches it.

Why it needs care for losing: a player may leave something behind. If every move can be undone, or everything left
behind can be fetched afterwards all the same, no harm is done: whatever the player's state, it can still become the
saturated one. The kernel watches for moves of which that is not certain. Where there is one, the dungeon is explored
again *step by step*: taking something is then a move like any other, nothing is saturated, and the result is exact.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.core.events import Listener
from solvent.dungeon.rules import resource_of
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.exploring_kernel import Situations
from solvent.dungeon.solver.flags import Flags
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.mechanics import (
    EXACT,
    EXHAUSTED,
    FULL,
    LOOKS_A_CALL,
    LOOKS_A_NODE,
    LOSSY,
    NOBODY,
    OVERLOOK,
    SATURATE,
    WORKING,
)
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.ranks_kernel import Ranks
from solvent.dungeon.solver.regions_kernel import Regions
from solvent.dungeon.solver.state_kernel import PackedState
from solvent.dungeon.solver.watching import watch_situations
from solvent.engine.driver import drive

ENOUGH = 100
"""A status beside those of the kernel."""

FIRST_CHUNK = 256
"""Nodes to expand before the budget is looked at for the first time."""


class Exploration(Struct, frozen=True, eq=False):
    """Hold the situations found so far, and what they are situations of."""

    ground: Ground
    areas: Areas
    situations: Situations

    @property
    def count(self) -> int:
        """Return how many situations there are."""
        return self.situations.table.size

    @property
    def expanded(self) -> int:
        """Return how many situations were expanded."""
        return self.situations.expanded

    @property
    def first_win(self) -> int:
        """Return a situation from which a move ends on a goal, or -1."""
        return self.situations.first_win

    @property
    def first_dead(self) -> int:
        """Return a situation from which nothing leads anywhere, or -1."""
        return self.situations.first_dead

    @property
    def saturated(self) -> bool:
        """Tell whether everything in a region counts as taken."""
        return self.situations.regions.mode == SATURATE

    def words(self, situation: int) -> tuple[int, ...]:
        """Return the packed state of a situation, without its place."""
        return self.situations.table.words_of(situation)

    def node(self, situation: int) -> int:
        """Return the smallest area of a situation's region."""
        return self.situations.table.place_of(situation)

    def path_to(self, situation: int) -> list[tuple[int, int]]:
        """Return the way to a situation from the first: pairs of a situation and the arc that leads on from it."""
        path = []
        while (before := self.situations.parent_of(situation))[0] != NOBODY:
            path.append(before)
            situation = before[0]
        return path[::-1]

    def ranks(self, meter: Meter = UNLIMITED) -> Ranks:
        """Find for each situation how many others lie between it and a winning move."""
        ranks = Ranks(self.situations)
        spend_on(ranks.run, meter)
        return ranks

    def region(self, situation: int) -> memoryview:
        """Return the areas of a situation's region, until the next region is asked for."""
        return self.situations.regions.find(self.node(situation), PackedState(self.words(situation)))

    def region_of_state(self, cell: int, state: PackedState) -> memoryview:
        """Return the areas one can walk to and back from with what is held now, taking nothing; likewise."""
        regions = self.situations.regions
        mode = regions.mode
        regions.mode = OVERLOOK
        region = regions.find(memoryview(self.areas.area_of)[cell], state.copy())
        regions.mode = mode
        return region


def begin(
    ground: Ground,
    areas: Areas,
    cell: int,
    state: PackedState,
    *,
    saturated: bool,
    watch_loss: bool = False,
    stop_at_win: bool = False,
    meter: Meter = UNLIMITED,
) -> Exploration:
    """Prepare an exploration from one state."""
    meter.require_memory(40 * areas.graph.nodes / 1e6, "exploring situations")
    layout = ground.layout
    stocks = [at for resource, at in layout.resources.items() if not layout.is_delicate(resource)]
    gentle = [*stocks, *layout.holdings, *layout.opening.values()]
    openers = [*layout.items.values(), *(at for number, at in layout.pickups.items() if _opens_ways(ground, number))]
    regions = Regions(areas, SATURATE if saturated else EXACT)
    situations = Situations(regions, PackedState(bits_of(layout, gentle)), PackedState(bits_of(layout, openers)))
    situations.begin(memoryview(areas.area_of)[cell], state, stop_at_win, watch_loss)
    spend_on(situations.place_first, meter)
    return Exploration(ground, areas, situations)


def _opens_ways(ground: Ground, number: int) -> bool:
    """Tell whether having a pickup may open a way, other than by being spent."""
    pickup = ground.dungeon.pickups[number]
    return pickup.kind in ("monster", "item") or resource_of(pickup.kind, pickup.name) in ground.layout.asked.resources


def spend_on(run: Callable[[int], bool], meter: Meter) -> None:
    """Call `run(looks)` until it says that all is done, and book what it takes as nodes."""
    while not run(LOOKS_A_CALL):
        meter.spend(LOOKS_A_CALL // LOOKS_A_NODE)
        reason = meter.stop_reason()
        if reason is not None:
            raise LimitReached(reason)


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
    situations = exploration.situations

    def step(limit: int) -> tuple[int, int]:
        if enough(exploration):
            return ENOUGH, 0
        status = situations.run(limit)
        if status == FULL:
            meter.require_memory(2 * situations.bytes / 1e6, "going on with more situations")
            in_pieces(situations.grow, meter)
            return WORKING, situations.used
        return status, situations.used

    try:
        watched = watch_situations(step, listen, exploration)
        status, reason = drive(watched, meter, first_chunk=FIRST_CHUNK, listen=listen, message="exploring situations")
    except LimitReached as limit:
        return STOPPED, limit.reason
    if reason is not None:
        return STOPPED, reason
    return {EXHAUSTED: EXPLORED, LOSSY: GIVES_UP}.get(status, STOPPED), None


def mark_reached(exploration: Exploration, areas: Flags, first: int, meter: Meter = UNLIMITED) -> int:
    """Mark the areas that situations from number `first` on can get to, goals included; return how many there are.

    Pass what was returned as `first` to go on once more were found.
    """
    situations = exploration.situations
    while first < exploration.count:
        meter.checkpoint()
        first = situations.regions.mark_reached(situations.table, first, exploration.count, areas, LOOKS_A_CALL)
    return first


def reached_cells(exploration: Exploration, meter: Meter = UNLIMITED) -> Flags:
    """Return which cells a player can ever stand on, as far as the exploration went."""
    areas = bytearray(exploration.areas.graph.nodes)
    mark_reached(exploration, areas, 0, meter)
    return exploration.areas.cells_of(areas)
