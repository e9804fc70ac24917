"""Can a player get where the goal cannot be reached any more? If so, by which shortest walk; if not, why never."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.dungeon.rules import State
from solvent.dungeon.solver.asked_for import is_plain, only_grows_at_home
from solvent.dungeon.solver.certificates import certify, describe_situations
from solvent.dungeon.solver.exploring import EXPLORED, GIVES_UP, Exploration, begin, run
from solvent.dungeon.solver.preferences import Preferences
from solvent.dungeon.solver.searching import Lost, Parts, search_walk
from solvent.dungeon.solver.situations import Analysis, any_plan, explore_from, state_after
from solvent.dungeon.solver.solvable import exploration_stats, merge, part_of, quick_part, shortest_walk
from solvent.dungeon.solver.surplus import find_surplus
from solvent.dungeon.solver.walking import walk_out
from solvent.dungeon.solver.work_by_tile import profile_stats

if TYPE_CHECKING:
    from solvent.dungeon.solver.easier import Decider

ENOUGH_SITUATIONS = 100_000
"""Once there are so many, one that is lost is enough: the shortest walk would cost more than it is worth."""


def answer_losable(analysis: Analysis, state: State, request: Request, meter: Meter) -> Finding:
    """Answer the question `losable`."""
    ground = analysis.ground
    dungeon = ground.dungeon
    if ground.game.is_won(state):
        certificate = certify(dungeon, "losable", Verdict.NO, "safe", states=[], ranks=[])
        return Finding(
            Verdict.NO,
            certificate,
            because="The goal is reached already.",
            stats=profile_stats(analysis, request.options),
        )
    if only_grows_at_home(dungeon):
        finding = _plan_from_home(analysis, request, meter)
        if finding is not None:
            return finding
    plain = request.options["areas"] and is_plain(dungeon)
    body = find_surplus(ground, analysis.areas(), meter) if plain else None
    if body is not None:
        because = "Every move can be undone, and keys and bombs never run short on the way to the goal."
        certificate = certify(dungeon, "losable", Verdict.NO, "surplus", **body)
        found = {"areas": analysis.areas().graph.nodes, **profile_stats(analysis, request.options)}
        return Finding(Verdict.NO, certificate, because=because, stats=found)
    thorough = dungeon.rules.player == "thorough"
    cell, words = analysis.locate(state)
    # Where what was left behind may be gone later, or count at another gate, only single steps tell what can be lost.
    saturated = thorough or ground.layout.asked.only_grows
    areas = analysis.areas(apart=not saturated)
    watches = saturated and not thorough
    exploration = begin(ground, areas, cell, words, saturated=saturated, watch_loss=watches, meter=meter)
    stats: dict[str, Any] = {}
    allowed, is_quick = quick_part(meter), True
    while True:
        ended, reason = run(exploration, allowed, request.listen, enough=_enough)
        if ended == GIVES_UP:
            stats = merge(stats, exploration_stats(exploration))
            exploration = begin(ground, analysis.areas(apart=True), cell, words, saturated=False, meter=meter)
        elif reason is not None and is_quick and meter.stop_reason() is None:
            finding = _answer_easier(_Losing(analysis, state, request, meter), exploration_stats(exploration))
            if finding is not None:
                return finding
            allowed, is_quick = meter, False
        else:
            break
    stats = merge(stats, exploration_stats(exploration))
    stats["step_by_step"] = not exploration.saturated
    stats |= profile_stats(analysis, request.options, [exploration])
    if reason is not None and (exploration.first_dead < 0 or meter.stop_reason() is not None):
        return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
    ranks = exploration.ranks(meter) if ended == EXPLORED else None
    if ranks is not None:
        stats["lost_situations"] = ranks.lost
        if ranks.lost == 0 and exploration.saturated and ground.layout.asked.pickups_vanish:
            # What a thorough player would take may be gone before they come to it; all single steps cover that too.
            exploration = begin(ground, analysis.areas(apart=True), cell, words, saturated=False, meter=meter)
            ended, reason = run(exploration, meter, request.listen)
            if reason is not None:
                return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
            ranks = exploration.ranks(meter)
            if ranks.lost > 0:
                careless = Reason(Cause.INCOMPLETE, "only a player who leaves things lying may be able to lose")
                return Finding(Verdict.UNKNOWN, reason=careless, stats=stats)
        if ranks.lost == 0:
            return _safe(analysis, exploration, ranks.row(), request, meter, stats)
    lost = None if ranks is None else Lost(exploration, ranks.row(), thorough)
    return _lost(_Losing(analysis, state, request, meter), exploration, lost, stats)


def _plan_from_home(analysis: Analysis, request: Request, meter: Meter) -> Finding | None:
    """Answer by a plan that works whenever a player goes back to the start; None if there is no plan at all."""
    dungeon, start = analysis.ground.dungeon, analysis.ground.game.start_state()
    exploration, reason = explore_from(analysis, start, meter, request.listen, stop_at_win=True)
    if reason is not None:
        return Finding(Verdict.UNKNOWN, reason=reason, stats=exploration_stats(exploration))
    if exploration.first_win < 0:
        return None
    plan = any_plan(analysis, start, exploration, meter)
    certificate = certify(dungeon, "losable", Verdict.NO, "plan from home", plan=plan)
    because = "Nothing is ever used up, and from the start, where a player can always return, a plan leads to the goal."
    stats = exploration_stats(exploration) | profile_stats(analysis, request.options, [exploration])
    return Finding(Verdict.NO, certificate, because=because, stats=stats)


def _answer_easier(losing: _Losing, stats: dict[str, Any]) -> Finding | None:
    """Answer by bad plays and easier dungeons, if that is possible within some effort."""
    from solvent.dungeon.solver.easier import Decider
    from solvent.dungeon.solver.probing import probe_loss

    analysis, request = losing.analysis, losing.request
    dungeon = analysis.ground.dungeon
    meter = part_of(losing.meter, PROBE_NODES, 0.4)
    decider = Decider.of(analysis, request, meter)
    if decider is None:
        return None
    try:
        loss, loses = probe_loss(analysis, losing.state, decider, meter)
    except LimitReached:
        loss, loses = None, False
    if loss is None:
        return None if loses else _answer_within_reach(losing, decider, stats)
    exploration = loss.proof.exploration
    stats = merge(stats, exploration_stats(exploration)) | profile_stats(analysis, request.options)
    stats |= {"walk_length": len(loss.walk), "shortest": not loss.walk, "waived": len(loss.proof.waived)}
    certificate = certify(
        dungeon,
        "losable",
        Verdict.YES,
        "lost walk",
        walk=loss.walk,
        states=describe_situations(exploration, range(exploration.count), losing.meter),
        rescue=loss.rescue,
        waived=loss.proof.waived,
    )
    return Finding(Verdict.YES, certificate, because=_describe_loss(loss.walk, not loss.walk), stats=stats)


def _answer_within_reach(losing: _Losing, decider: Decider, stats: dict[str, Any]) -> Finding | None:
    """Answer that the goal stays within reach, if that can be shown within some effort."""
    from solvent.dungeon.solver.within_reach import find_within_reach

    analysis, request = losing.analysis, losing.request
    decider.meter = part_of(losing.meter, PROBE_NODES, 0.5)
    try:
        body = find_within_reach(decider, losing.state, decider.meter)
    except LimitReached:
        body = None
    if body is None:
        return None
    stats |= profile_stats(analysis, request.options)
    stats["homes"] = sum(len(stage["states"]) for stage in body["stages"])
    certificate = certify(analysis.ground.dungeon, "losable", Verdict.NO, "within reach", **body)
    because = "Whatever a player does, the way to the goal stays open."
    return Finding(Verdict.NO, certificate, because=because, stats=stats)


PROBE_NODES = 100_000
"""How many nodes to spend on bad plays and easier dungeons before all situations are looked at."""


def _enough(exploration: Exploration) -> bool:
    return exploration.count > ENOUGH_SITUATIONS and exploration.first_dead >= 0


def _safe(
    analysis: Analysis,
    exploration: Exploration,
    ranks: memoryview,
    request: Request,
    meter: Meter,
    stats: dict[str, Any],
) -> Finding:
    dungeon = analysis.ground.dungeon
    player = "a player who takes everything within reach" if dungeon.rules.player == "thorough" else "a player"
    because = f"From each of the {exploration.count:,} situations {player} can get into, a way leads to the goal."
    if exploration.count == 1:
        because = "Only one situation is possible, and a move from it reaches the goal."
    if not request.proof:
        return Finding(Verdict.NO, because=because, stats=stats)
    form = "safe" if exploration.saturated else "safe, step by step"
    states = describe_situations(exploration, range(exploration.count), meter)
    certificate = certify(dungeon, "losable", Verdict.NO, form, states=states, ranks=ranks.tolist())
    return Finding(Verdict.NO, certificate, because=because, stats=stats)


class _Losing(Struct, frozen=True, eq=False):
    """Hold what a walk that loses is looked for with."""

    analysis: Analysis
    state: State
    """Where it begins."""
    request: Request
    meter: Meter

    def explore(self, state: State, *, stop_at_win: bool) -> tuple[Exploration, Reason | None]:
        """Explore what can follow a state."""
        return explore_from(self.analysis, state, self.meter, self.request.listen, stop_at_win=stop_at_win)

    def after(self, moves: list[str], count: int) -> State:
        """Return the state after so many of the moves."""
        return state_after(self.analysis, self.state, moves[:count], self.meter)


def _lost(losing: _Losing, exploration: Exploration, lost: Lost | None, stats: dict[str, Any]) -> Finding:
    """Find a walk that loses, what proves that it does, and how the goal could still be reached just before."""
    analysis, request, meter = losing.analysis, losing.request, losing.meter
    dungeon = analysis.ground.dungeon
    cell, words = analysis.locate(losing.state)
    moves: list[str] | None = None
    shortest = False
    if lost is not None and request.options["shortest"]:
        preferences = Preferences.of(request.options)
        parts = Parts(
            request.options["macros"],
            dominance=False,
            reverse=False,
            preferences=preferences,
            profile=request.options["profile"],
        )
        allowed = part_of(meter, request.options["shortest_nodes"])
        walk = search_walk(analysis.ground, cell, words, parts, allowed, request.listen, lost=lost)
        stats = merge(stats, walk.stats) | profile_stats(analysis, request.options, [exploration], walk)
        moves, shortest = walk.moves, walk.moves is not None
        if moves is None and walk.reason is None:
            # No walk gets into the lost situations: exploring left open more than can happen.
            nowhere = Reason(Cause.INCOMPLETE, "no walk leads into the situations that seemed lost")
            return Finding(Verdict.UNKNOWN, reason=nowhere, stats=stats)
    if moves is None:
        dead = exploration.first_dead if exploration.first_dead >= 0 else _nearest_lost(exploration, lost, meter)
        moves = walk_out(exploration, cell, words, exploration.path_to(dead), meter)
    if not shortest:
        first, reason = _first_lost(losing, moves)
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
        moves = moves[:first]
    after, reason = losing.explore(losing.after(moves, len(moves)), stop_at_win=False)
    if reason is not None:
        return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
    assert after.first_win < 0, "the state at the end of the walk is lost"
    rescue: list[str] = []
    if moves:
        before = losing.after(moves, len(moves) - 1)
        found = shortest_walk(analysis, before, request, meter).moves
        if found is None:
            exploration, reason = losing.explore(before, stop_at_win=True)
            if reason is not None:
                return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
            found = any_plan(analysis, before, exploration, meter)
        rescue = found
    certificate = certify(
        dungeon,
        "losable",
        Verdict.YES,
        "lost walk",
        walk=moves,
        states=describe_situations(after, range(after.count), meter),
        rescue=rescue,
    )
    stats |= {"walk_length": len(moves), "shortest": shortest}
    because = _describe_loss(moves, shortest)
    return Finding(Verdict.YES, certificate, because=because, stats=stats)


def _describe_loss(moves: list[str], shortest: bool) -> str:
    if not moves:
        return "It is lost from the start: the goal cannot be reached at all."
    return "" if shortest else "This walk is not proved shortest."


def _nearest_lost(exploration: Exploration, lost: Lost | None, meter: Meter) -> int:
    """Return the lost situation that the fewest others lie before."""
    assert lost is not None
    parent_of = exploration.situations.parent_of
    best, nearest = -1, 0
    before = array("i", [0])  # for each situation how many others lie before it; what led to it came earlier
    for situation in meter.each(range(exploration.count)):
        if situation:
            before.append(before[parent_of(situation)[0]] + 1)
        if lost.ranks[situation] < 0 and (best < 0 or before[situation] < nearest):
            best, nearest = situation, before[situation]
    return best


def _first_lost(losing: _Losing, moves: list[str]) -> tuple[int, Reason | None]:
    """Return after how many moves the goal is out of reach; once it is, it stays so."""
    low, high = 0, len(moves)
    while low < high:
        middle = (low + high) // 2
        exploration, reason = losing.explore(losing.after(moves, middle), stop_at_win=True)
        if reason is not None:
            return 0, reason
        if exploration.first_win >= 0:
            low = middle + 1
        else:
            high = middle
    return low, None
