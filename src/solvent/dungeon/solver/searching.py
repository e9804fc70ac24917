"""Search states one by one for a shortest plan, or for a shortest walk into a state that is lost."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.core.events import Listener
from solvent.core.pruning import InvalidityTest, InvalidityTestCoordinator, TestCount
from solvent.dungeon.invalidity.bounded_supply import BoundedSupply
from solvent.dungeon.invalidity.reverse_reachability import RelaxedReverseReachability
from solvent.dungeon.rules import State
from solvent.dungeon.solver.exploring import FIRST_CHUNK, Exploration
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.guide_kernel import Guide
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.mechanics import FOUND, FULL, LOOKS_A_NODE, NEEDS_TABLE, SEIZE, TAKE, WORKING
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.points import begin_points, distances_to, number_points
from solvent.dungeon.solver.points_kernel import Points
from solvent.dungeon.solver.preferences import Preferences, choose_points, penalties_of, stops_of, weigh_apart
from solvent.dungeon.solver.search_kernel import MAX_PENALTY, SCALE, Search
from solvent.dungeon.solver.state_kernel import PackedState
from solvent.dungeon.solver.watching import watch_states
from solvent.engine.driver import drive

MAX_LANDMARKS = 8


class Lost(Struct, frozen=True):
    """Say which states are lost: those in situations of an exploration that have no rank."""

    exploration: Exploration
    ranks: memoryview
    thorough: bool
    """Whether only players count who take everything within reach first."""


class Parts(Struct, frozen=True):
    """Say which parts of the search to use; with any of them off it finds plans of the same length."""

    macros: bool = True
    plan_heuristic: bool = True
    dominance: bool = True
    reverse: bool = True
    supply: bool = False
    """Whether to skip states behind more gates than there can ever be keys and bombs for."""
    preferences: Preferences = Preferences()
    profile: bool = False
    """Whether to tell how often each cell was expanded and walked over."""


class Walk(Struct, frozen=True):
    """Hold what a search found."""

    moves: list[str] | None
    """None if there is nothing to find, or the budget ended it."""
    reason: Reason | None
    """Why it stopped early; None if it did not."""
    stats: dict[str, Any]
    heat: dict[int, int]
    """How often each cell was expanded, where it was; empty unless asked for."""
    walked: dict[int, int] = {}
    """How often macros that were tried walk over each cell, where they do; empty unless asked for."""
    shortest: bool = True
    """Whether no walk with fewer moves does it."""


def search_walk(
    ground: Ground,
    cell: int,
    state: PackedState,
    parts: Parts,
    meter: Meter,
    listen: Listener,
    *,
    lost: Lost | None = None,
) -> Walk:
    """Search for a shortest walk to a goal; with `lost`, into a state that is."""
    try:
        return _search(ground, cell, state, parts, meter, listen, lost)
    except LimitReached as limit:  # while preparing: what was allowed for the shortest may be less than there is
        return Walk(None, limit.reason, {}, {})


def _search(
    ground: Ground, cell: int, state: PackedState, parts: Parts, meter: Meter, listen: Listener, lost: Lost | None
) -> Walk:
    areas = lost.exploration.areas if lost else None
    preferences = parts.preferences
    stops = stops_of(ground, preferences, meter)
    points = begin_points(ground, cell, macros=parts.macros, areas=areas, stops=stops, meter=meter)
    choose_points(points, ground, cell, preferences, meter)
    if preferences.penalises and lost is None:
        points.penalise(penalties_of(ground, cell, preferences.avoid, meter))
    number_points(points, meter)
    guide = Guide()
    search = Search(points, guide, points.point_at[cell], state, preferences.macro_tries)
    coordinator: InvalidityTestCoordinator[State] | None = None
    if lost is not None:
        situations = lost.exploration.situations
        search.seek_loss(situations.regions, situations.table, lost.ranks, lost.thorough)
    else:
        reverse = RelaxedReverseReachability(ground, meter)
        tests: list[InvalidityTest[State]] = []
        if parts.reverse:
            tests.append(reverse)
            guide.learn_dead_ends(reverse.alive, reverse.item_word, reverse.item_shift)
        if parts.supply:
            supply = BoundedSupply(ground, meter)
            tests.append(supply)
            guide.learn_supply(supply.supplied)
        coordinator = InvalidityTestCoordinator(tests)
        if parts.plan_heuristic:
            away, landmarks = _distances(ground, cell, reverse, meter)
            guide.learn_distances(preferences.alpha, away, landmarks)
            if preferences.alpha != preferences.beta:
                guide.learn_weights(weigh_apart(ground, away, cell, preferences, meter))
        if parts.dominance:
            search.drop_dominated(*_orders(ground))
    # Where nothing leads from here to the goal, the queue never needs to be looked at.
    is_dead_end = not guide.is_alive(cell, state)
    is_short = not is_dead_end and not guide.is_supplied(cell)
    status, reason = WORKING, None
    if not is_dead_end and not is_short:
        status, reason = _drive(ground, search, points, meter, listen, seeking=lost is not None)
    stats: dict[str, Any] = {
        "expanded": search.expanded,
        "points": points.count,
        "macro_attempts": search.attempts,
        "macro_successes": search.successes,
        "macro_failures": search.failures,
        "reverse_pruned": search.dead_ends + is_dead_end,
        "heuristic_pruned": search.out_of_sight,
        "dominance_pruned": search.dominated,
        "max_open": search.longest_queue,
        "peak_megabytes": round(search.bytes / 1e6, 3),
    }
    if coordinator is not None:
        left = search.successes
        for test in coordinator.tests:
            hits = search.dead_ends if isinstance(test, RelaxedReverseReachability) else search.out_of_supply
            coordinator.record(test.name, TestCount(left, hits))
            left -= hits
            if isinstance(test, BoundedSupply):
                stats["supply_pruned"] = search.out_of_supply + is_short
                stats["resource_bounds"] = [bound.as_json() for bound in test.bounds]
        if coordinator.tests:
            stats["invalidity_tests"] = coordinator.as_json()
    if preferences.macro_tries:
        stats["macros_given_up"] = search.given_up
    moves = _moves_to(ground, points, search.way_to(search.found), meter) if status == FOUND else None
    shortest = preferences.finds_shortest
    if moves is not None and points.penalises:
        stats["penalty"] = search.penalty_of(search.found)
        shortest = len(moves) < SCALE // MAX_PENALTY
    heat = search.heat_by_cell() if parts.profile else {}
    walked = search.walks_by_cell(meter.checkpoint) if parts.profile and parts.macros else {}
    return Walk(moves, reason, stats, heat, walked, shortest)


def _drive(
    ground: Ground, search: Search, points: Points, meter: Meter, listen: Listener, *, seeking: bool
) -> tuple[int, Reason | None]:
    """Run the search until it ends or the budget does."""

    def step(limit: int) -> tuple[int, int]:
        status = search.run(limit)
        if status == NEEDS_TABLE:
            meter.require_memory(points.bytes_to_build / 1e6, "going on with more walks")
            points.build(search.wanted)
            return WORKING, search.used + points.looked // LOOKS_A_NODE
        if status == FULL:
            meter.require_memory(2 * search.bytes / 1e6, "going on with more states")
            in_pieces(search.grow, meter)
            return WORKING, search.used
        return status, search.used

    message = "looking for a walk that loses" if seeking else "looking for a shortest plan"
    try:
        watched = watch_states(step, listen, ground, search)
        return drive(watched, meter, first_chunk=FIRST_CHUNK, listen=listen, message=message)
    except LimitReached as limit:
        return WORKING, limit.reason


def _moves_to(ground: Ground, points: Points, way: list[tuple[int, int]], meter: Meter) -> list[str]:
    """Return the moves of a way, every macro walked out tile by tile."""
    moves: list[str] = []
    for start, arc in meter.each(way, every=1):
        leg = [*points.walk_between(start, ground.cells.source[arc]), arc]
        moves += (ground.move_of(step) for step in meter.each(leg))
    return moves


def _distances(
    ground: Ground, cell: int, reverse: RelaxedReverseReachability, meter: Meter
) -> tuple[list[memoryview], list[tuple[int, int]]]:
    """Return how far each cell is from the goal with every gate open, and by way of each item that is needed.

    The second kind is sound: a player who lacks a needed item must still go to where one lies, and then to the goal.
    With it come the word and the mask of having each of these items.
    """
    to_goal = distances_to(ground, (ground.cell(goal) for goal in ground.dungeon.goals), meter=meter)
    away, landmarks = [to_goal], []
    for at in list(ground.layout.items.values())[:MAX_LANDMARKS]:
        sources = [
            effect.node
            for effect in ground.cells.effects
            if effect.kind in (TAKE, SEIZE) and effect.word == at.word and effect.mask == at.mask
        ]
        if not sources or not reverse.is_needed(at, cell):
            continue
        onwards = min(to_goal[source] for source in sources)
        away.append(distances_to(ground, sources, onwards, meter))
        landmarks.append((at.word, at.mask))
    return away, landmarks


def _orders(ground: Ground) -> tuple[PackedState, PackedState]:
    """Return the bits of which more is better, and the bits that must be equal for two states to be compared."""
    layout = ground.layout
    better = bits_of(layout, [*layout.holdings, *layout.opening.values()])
    settings = [*layout.falling.values(), *layout.switches.values(), *layout.dials, *layout.blocks]
    same = bits_of(layout, [*settings, *layout.delicate_things])
    return PackedState(better), PackedState(same)
