"""Can a player get where the goal cannot be reached any more? If so, by which shortest walk; if not, why never."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.dungeon.rules import State
from solvent.dungeon.solver.certificates import certify, describe_situations
from solvent.dungeon.solver.exploring import GIVES_UP, Exploration, begin, run
from solvent.dungeon.solver.searching import Lost, Parts, search_walk
from solvent.dungeon.solver.situations import Analysis, any_plan, explore_from
from solvent.dungeon.solver.solvable import exploration_stats, merge, part_of, shortest_walk
from solvent.dungeon.solver.surplus import find_surplus
from solvent.dungeon.solver.walking import walk_out

ENOUGH_SITUATIONS = 100_000
"""Once there are so many, one that is lost is enough: the shortest walk would cost more than it is worth."""


def answer_losable(analysis: Analysis, state: State, request: Request, meter: Meter) -> Finding:
    """Answer the question `losable`."""
    ground = analysis.ground
    dungeon = ground.dungeon
    if ground.game.is_won(state):
        certificate = certify(dungeon, "losable", Verdict.NO, "safe", states=[], ranks=[])
        return Finding(Verdict.NO, certificate, because="The goal is reached already.")
    body = find_surplus(ground, analysis.areas()) if request.options["areas"] else None
    if body is not None:
        because = "Every move can be undone, and keys and bombs never run short on the way to the goal."
        certificate = certify(dungeon, "losable", Verdict.NO, "surplus", **body)
        return Finding(Verdict.NO, certificate, because=because, stats={"areas": analysis.areas().graph.nodes})
    thorough = dungeon.rules.player == "thorough"
    cell, words = analysis.locate(state)
    exploration = begin(ground, analysis.areas(), cell, words, saturated=True, watch_loss=not thorough)
    ended, reason = run(exploration, meter, request.listen, enough=_enough)
    stats = exploration_stats(exploration)
    if ended == GIVES_UP:
        exploration = begin(ground, analysis.areas(apart=True), cell, words, saturated=False)
        ended, reason = run(exploration, meter, request.listen, enough=_enough)
        stats = merge(stats, exploration_stats(exploration))
    stats["step_by_step"] = not exploration.saturated
    ranks = exploration.ranks() if reason is None and exploration.expanded == exploration.count else None
    if ranks is None and exploration.first_dead < 0:
        assert reason is not None
        return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
    if ranks is not None:
        stats["lost_situations"] = sum(rank < 0 for rank in ranks)
        if stats["lost_situations"] == 0:
            return _safe(analysis, exploration, ranks, request, stats)
    return _lost(analysis, state, exploration, ranks, request, meter, stats)


def _enough(exploration: Exploration) -> bool:
    return exploration.count > ENOUGH_SITUATIONS and exploration.first_dead >= 0


def _safe(
    analysis: Analysis, exploration: Exploration, ranks: memoryview, request: Request, stats: dict[str, Any]
) -> Finding:
    dungeon = analysis.ground.dungeon
    player = "a player who takes everything within reach" if dungeon.rules.player == "thorough" else "a player"
    because = f"From each of the {exploration.count:,} situations {player} can get into, a way leads to the goal."
    if not request.proof:
        return Finding(Verdict.NO, because=because, stats=stats)
    form = "safe" if exploration.saturated else "safe, step by step"
    states = describe_situations(exploration, range(exploration.count))
    certificate = certify(dungeon, "losable", Verdict.NO, form, states=states, ranks=ranks.tolist())
    return Finding(Verdict.NO, certificate, because=because, stats=stats)


def _lost(
    analysis: Analysis,
    state: State,
    exploration: Exploration,
    ranks: memoryview | None,
    request: Request,
    meter: Meter,
    stats: dict[str, Any],
) -> Finding:
    """Find a walk that loses, what proves that it does, and how the goal could still be reached just before."""
    ground = analysis.ground
    dungeon, game = ground.dungeon, ground.game
    cell, words = analysis.locate(state)
    moves: list[str] | None = None
    shortest = False
    if ranks is not None and request.options["shortest"]:
        parts = Parts(macros=request.options["macros"], dominance=False, reverse=False)
        allowed = part_of(meter, request.options["shortest_nodes"])
        lost = Lost(exploration, ranks, dungeon.rules.player == "thorough")
        walk = search_walk(ground, cell, words, parts, allowed, request.listen, lost=lost)
        stats = merge(stats, walk.stats)
        moves, shortest = walk.moves, walk.moves is not None
        if moves is None and walk.reason is None:
            # No walk gets into the lost situations: exploring left open more than can happen.
            nowhere = Reason(Cause.INCOMPLETE, "no walk leads into the situations that seemed lost")
            return Finding(Verdict.UNKNOWN, reason=nowhere, stats=stats)
    if moves is None:
        dead = exploration.first_dead if exploration.first_dead >= 0 else _nearest_lost(exploration, ranks)
        moves = walk_out(exploration, cell, words, exploration.path_to(dead))
    states = [state, *game.walk(state, moves)]
    if not shortest:
        first, reason = _first_lost(analysis, states, meter, request)
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
        moves, states = moves[:first], states[: first + 1]
    after, reason = explore_from(analysis, states[-1], meter, request.listen, stop_at_win=False)
    if reason is not None:
        return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
    assert after.first_win < 0, "the state at the end of the walk is lost"
    rescue: list[str] = []
    if moves:
        found = shortest_walk(analysis, states[-2], request, meter).moves
        if found is None:
            before, reason = explore_from(analysis, states[-2], meter, request.listen, stop_at_win=True)
            if reason is not None:
                return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
            found = any_plan(analysis, states[-2], before)
        rescue = found
    certificate = certify(
        dungeon,
        "losable",
        Verdict.YES,
        "lost walk",
        walk=moves,
        states=describe_situations(after, range(after.count)),
        rescue=rescue,
    )
    stats |= {"walk_length": len(moves), "shortest": shortest}
    because = _describe_loss(moves, shortest)
    return Finding(Verdict.YES, certificate, because=because, stats=stats)


def _describe_loss(moves: list[str], shortest: bool) -> str:
    if not moves:
        return "It is lost from the start: the goal cannot be reached at all."
    return "" if shortest else "This walk is not proved shortest."


def _nearest_lost(exploration: Exploration, ranks: memoryview | None) -> int:
    """Return the lost situation that the fewest others lie before."""
    assert ranks is not None
    lost = [situation for situation in range(exploration.count) if ranks[situation] < 0]
    return min(lost, key=lambda situation: (len(exploration.path_to(situation)), situation))


def _first_lost(analysis: Analysis, states: list[State], meter: Meter, request: Request) -> tuple[int, Reason | None]:
    """Return after how many moves the goal is out of reach; once it is, it stays so."""
    low, high = 0, len(states) - 1
    while low < high:
        middle = (low + high) // 2
        exploration, reason = explore_from(analysis, states[middle], meter, request.listen, stop_at_win=True)
        if reason is not None:
            return 0, reason
        if exploration.first_win >= 0:
            low = middle + 1
        else:
            high = middle
    return low, None
