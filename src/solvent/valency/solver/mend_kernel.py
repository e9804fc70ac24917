"""Mend a contradiction where it arose: nodes around it start again.

`roots` (nodes, words): what was possible before anything was chosen. `failures` (nodes): contradictions at each node so
far. `rank` (nodes): the place of each node in the order of choosing. `ball`, `mark`, `away` (nodes): nodes that were
gathered, when each was gathered, and how far from the middle it is.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.bits import popcount
from solvent.engine.jit.kernel import kernel
from solvent.valency.solver.state_kernel import (
    LAST_CHOICE,
    MARK,
    NARROWEST,
    PLACE,
    POINTER,
    REPAIRS,
    WIDEST,
    enqueue,
    touch,
)


@kernel
def mend(
    counters: Any,
    domains: Any,
    sizes: Any,
    roots: Any,
    queue: Any,
    queued: Any,
    touched: Any,
    is_touched: Any,
    arc_start: Any,
    near_end: Any,
    arc_target: Any,
    rank: Any,
    stale: Any,
    settled: Any,
    region_of: Any,
    counts: Any,
    failures: Any,
    ball: Any,
    mark: Any,
    away: Any,
) -> Any:
    """Start again around a contradiction: every node within a radius, and those its choices had narrowed.

    The radius grows with the contradictions there have been nearby. Where one comes back, its cause may lie far away:
    the last choice certainly has a part in it, so its surroundings start again as well. Returns False when the radius
    would be too wide.
    """
    place = counters[PLACE]
    counters[REPAIRS] += 1
    failures[place] += 1
    narrow = counters[NARROWEST]
    count = gather(counters, place, narrow, arc_start, near_end, arc_target, ball, mark, away)
    nearby = 0
    for index in range(count):
        nearby += failures[ball[index]]
    radius = narrow + nearby // 2
    if radius > counters[WIDEST]:
        return False
    count = gather(counters, place, radius, arc_start, near_end, arc_target, ball, mark, away)
    if nearby > 1:
        last = counters[LAST_CHOICE]
        count = gather_more(counters, last, radius, count, arc_start, near_end, arc_target, ball, mark, away)
    reset(
        counters,
        count,
        domains,
        sizes,
        roots,
        queue,
        queued,
        touched,
        is_touched,
        arc_start,
        arc_target,
        rank,
        stale,
        settled,
        region_of,
        counts,
        ball,
        mark,
    )
    return True


@kernel
def gather(
    counters: Any,
    place: Any,
    radius: Any,
    arc_start: Any,
    near_end: Any,
    arc_target: Any,
    ball: Any,
    mark: Any,
    away: Any,
) -> Any:
    """Write all nodes within a radius into `ball`, nearest first; returns how many."""
    counters[MARK] += 1
    return gather_more(counters, place, radius, 0, arc_start, near_end, arc_target, ball, mark, away)


@kernel
def gather_more(
    counters: Any,
    place: Any,
    radius: Any,
    count: Any,
    arc_start: Any,
    near_end: Any,
    arc_target: Any,
    ball: Any,
    mark: Any,
    away: Any,
) -> Any:
    """Add all nodes within a radius to the first `count` nodes of `ball`; returns how many there are then."""
    now = counters[MARK]
    if mark[place] == now:
        return count
    done = count
    ball[count], mark[place], away[place] = place, now, 0
    count += 1
    while done < count:
        node = ball[done]
        done += 1
        if away[node] >= radius:
            continue
        for arc in range(arc_start[node], near_end[node]):
            other = arc_target[arc]
            if mark[other] != now:
                mark[other] = now
                away[other] = away[node] + 1
                ball[count] = other
                count += 1
    return count


@kernel
def reset(
    counters: Any,
    count: Any,
    domains: Any,
    sizes: Any,
    roots: Any,
    queue: Any,
    queued: Any,
    touched: Any,
    is_touched: Any,
    arc_start: Any,
    arc_target: Any,
    rank: Any,
    stale: Any,
    settled: Any,
    region_of: Any,
    counts: Any,
    ball: Any,
    mark: Any,
) -> None:
    """Give the first `count` nodes of `ball` back what they began with, and have them and their neighbours looked at.

    Open nodes that were narrowed by them start again too, as far as the narrowing went; what the others still say
    is then propagated back into them.
    """
    words = domains.shape[1]
    now = counters[MARK]
    done = 0
    while done < count:
        node = ball[done]
        done += 1
        for arc in range(arc_start[node], arc_start[node + 1]):
            other = arc_target[arc]
            if mark[other] != now and sizes[other] > 1:
                narrowed = False
                for word in range(words):
                    narrowed = narrowed or domains[other, word] != roots[other, word]
                if narrowed:
                    mark[other] = now
                    ball[count] = other
                    count += 1
    for index in range(count):
        node = ball[index]
        size = 0
        for word in range(words):
            domains[node, word] = roots[node, word]
            size += popcount(roots[node, word])
        sizes[node] = size
        counters[POINTER] = min(counters[POINTER], rank[node])
        if settled[node] >= 0:
            counts[region_of[node], settled[node]] -= 1
            counts[region_of[node], -1] -= 1
            settled[node] = -1
        touch(counters, touched, is_touched, node)
    for index in range(count):
        node = ball[index]
        enqueue(counters, queue, queued, node)
        stale[node] = 1
        for arc in range(arc_start[node], arc_start[node + 1]):
            enqueue(counters, queue, queued, arc_target[arc])
            stale[arc_target[arc]] = 1
