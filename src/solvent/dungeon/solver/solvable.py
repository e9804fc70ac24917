"""Can the goal be reached? First by areas whether at all, then state by state for a shortest plan.

Where there are more situations than can be looked at quickly, easier dungeons are tried before the rest of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.core.answer import Finding, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.dungeon.rules import State
from solvent.dungeon.solver.certificates import certify, describe_situations
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.preferences import Preferences
from solvent.dungeon.solver.searching import Parts, Walk, search_walk
from solvent.dungeon.solver.situations import Analysis, any_plan, begin_from, explore_from, explore_on
from solvent.dungeon.solver.work_by_tile import profile_stats

if TYPE_CHECKING:
    from solvent.dungeon.solver.easier import Proof


def answer_solvable(analysis: Analysis, state: State, request: Request, meter: Meter) -> Finding:
    """Answer the question `solvable`."""
    ground, options = analysis.ground, request.options
    dungeon = ground.dungeon
    stats: dict[str, Any] = {}
    if ground.game.is_won(state):
        return _won(analysis, [], {**stats, **profile_stats(analysis, options), "shortest": True}, "")
    exploration: Exploration | None = None
    if options["areas"]:
        exploration = begin_from(analysis, state, meter, stop_at_win=True)
        reason = explore_on(exploration, quick_part(meter), request.listen)
        if reason is not None and meter.stop_reason() is None:
            finding = _answer_easier(analysis, state, request, meter, exploration_stats(exploration))
            if finding is not None:
                return finding
            reason = explore_on(exploration, meter, request.listen)
        stats |= exploration_stats(exploration) | profile_stats(analysis, options, [exploration])
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
        if exploration.first_win < 0:
            return _barred(analysis, exploration, state, request, meter, stats)
        if not options["shortest"]:
            plan = any_plan(analysis, state, exploration, meter)
            return _won(analysis, plan, {**stats, "shortest": False}, _NOT_SHORTEST)
    walk = shortest_walk(analysis, state, request, meter)
    stats = merge(stats, walk.stats)
    stats |= profile_stats(analysis, options, [] if exploration is None else [exploration], walk)
    if walk.moves is not None:
        because = "" if walk.shortest else _NOT_SHORTEST
        return _won(analysis, walk.moves, {**stats, "shortest": walk.shortest}, because)
    if walk.reason is None and exploration is None:  # every state was looked at, but that proves nothing to others
        exploration, reason = explore_from(analysis, state, meter, request.listen, stop_at_win=True)
        stats = merge(stats, exploration_stats(exploration))
        stats |= profile_stats(analysis, options, [exploration], walk)
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
        assert exploration.first_win < 0, f"areas and states disagree about {dungeon.title!r}"
        return _barred(analysis, exploration, state, request, meter, stats)
    if exploration is None:
        return Finding(Verdict.UNKNOWN, reason=walk.reason, stats=stats)
    assert walk.reason is not None, f"areas and states disagree about {dungeon.title!r}"
    plan = any_plan(analysis, state, exploration, meter)
    return _won(analysis, plan, {**stats, "shortest": False}, _NOT_SHORTEST)


def _answer_easier(
    analysis: Analysis, state: State, request: Request, meter: Meter, stats: dict[str, Any]
) -> Finding | None:
    """Answer by easier dungeons, if that is possible within some effort."""
    from solvent.dungeon.solver.easier import Decider

    options = request.options
    decider = Decider.of(analysis, request, meter)
    if decider is None:
        return None
    try:
        outcome = decider.decide(state, shortest=options["shortest"], is_hard=True)
    except LimitReached:
        return None
    stats |= profile_stats(analysis, options)
    if outcome.proof is not None:
        return _barred_easier(analysis, outcome.proof, request, meter, stats)
    if outcome.plan is None:
        return None
    if outcome.shortest or not options["shortest"]:
        because = "" if outcome.shortest else _NOT_SHORTEST
        return _won(analysis, outcome.plan, {**stats, "shortest": outcome.shortest}, because)
    walk = shortest_walk(analysis, state, request, meter)
    stats = merge(stats, walk.stats) | profile_stats(analysis, options, walk=walk)
    if walk.moves is not None and walk.shortest:
        return _won(analysis, walk.moves, {**stats, "shortest": True}, "")
    plan = outcome.plan if walk.moves is None else min(outcome.plan, walk.moves, key=len)
    return _won(analysis, plan, {**stats, "shortest": False}, _NOT_SHORTEST)


QUICK_NODES = 20_000
"""How many nodes to explore before easier dungeons are tried; nearly all dungeons need fewer."""


SHARE_FOR_QUICK = 0.2
"""How much of the time that is left may go into that."""


def quick_part(meter: Meter) -> Meter:
    """Return a meter for a first try, which leaves most of the time for others."""
    return part_of(meter, QUICK_NODES, SHARE_FOR_QUICK)


_NOT_SHORTEST = "This plan is not proved shortest."


def shortest_walk(analysis: Analysis, state: State, request: Request, meter: Meter) -> Walk:
    """Search for a shortest plan within the effort that the options allow for one."""
    options = request.options
    cell, words = analysis.locate(state)
    parts = Parts(
        options["macros"],
        options["plan_heuristic"],
        options["dominance"],
        options["reverse"],
        options["supply"],
        Preferences.of(options),
        options["profile"],
    )
    most = options["shortest_nodes"] if options["areas"] else None
    return search_walk(analysis.ground, cell, words, parts, part_of(meter, most), request.listen)


SHARE_FOR_SHORTEST = 0.7
"""How much of the time that is left may go into looking for the shortest; the rest is for any, and for its proof."""


def part_of(meter: Meter, nodes: int | None, share: float = SHARE_FOR_SHORTEST) -> Meter:
    """Return a meter for at most so many nodes; if fewer are left, nothing is held back."""
    left = meter.nodes_left
    if nodes is None or (left is not None and left <= nodes):
        return meter
    return meter.part(nodes=nodes, fraction=share)


def _won(analysis: Analysis, moves: list[str], stats: dict[str, Any], because: str) -> Finding:
    dungeon = analysis.ground.dungeon
    certificate = certify(dungeon, "solvable", Verdict.YES, "plan", plan=moves)
    return Finding(Verdict.YES, certificate, because=because, stats={"plan_length": len(moves), **stats})


def _barred(
    analysis: Analysis, exploration: Exploration, state: State, request: Request, meter: Meter, stats: dict[str, Any]
) -> Finding:
    from solvent.dungeon.solver.obstacles import describe_obstacles

    because = describe_obstacles(exploration, state, meter)
    if not request.proof:
        return Finding(Verdict.NO, because=because, stats=stats)
    states = describe_situations(exploration, range(exploration.count), meter)
    certificate = certify(analysis.ground.dungeon, "solvable", Verdict.NO, "closed set", states=states)
    return Finding(Verdict.NO, certificate, because=because, stats=stats)


def _barred_easier(analysis: Analysis, proof: Proof, request: Request, meter: Meter, stats: dict[str, Any]) -> Finding:
    because = describe_waived(proof)
    stats = merge(stats, exploration_stats(proof.exploration)) | {"waived": len(proof.waived)}
    if not request.proof:
        return Finding(Verdict.NO, because=because, stats=stats)
    states = describe_situations(proof.exploration, range(proof.exploration.count), meter)
    body = {"states": states, "waived": proof.waived}
    certificate = certify(analysis.ground.dungeon, "solvable", Verdict.NO, "closed set", **body)
    return Finding(Verdict.NO, certificate, because=because, stats=stats)


def describe_waived(proof: Proof) -> str:
    """Say what a proof by an easier dungeon shows."""
    from solvent.drawing.phrases import counted

    doors = counted(len(proof.waived), "lock or cracked wall", "locks and cracked walls")
    return f"Even with {doors} open from the start, no way leads to the goal."


def exploration_stats(exploration: Exploration) -> dict[str, Any]:
    """Return what an exploration counted."""
    return {
        "expanded": exploration.expanded,
        "situations": exploration.count,
        "areas": exploration.areas.graph.nodes,
        "peak_megabytes": round(exploration.situations.bytes / 1e6, 3),
    }


def merge(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the counts of two searches together."""
    together = {**one, **other}
    for name in ("expanded", "situations", "peak_megabytes"):
        if name in one and name in other:
            together[name] = round(one[name] + other[name], 3)
    return together
