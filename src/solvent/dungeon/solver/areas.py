"""Areas: tiles that are one place to whoever walks, so that states of many tiles become states of few areas.

Two tiles belong to one area if steps lead from each to the other that ask for nothing and do nothing. A tile on which
something happens beside taking things (a goal, a plate, a block or where one can come to rest) is an area of its own.
With `apart`, so is each tile with something to take that matters: then an area says exactly what was taken.

Whether a move between areas is *calm*, changing nothing but the place, is nearly always a question of some bits being
set and others not; those are worked out here, so that kernels need not play the move to know.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvent.dungeon.solver.ground import (
    ARC_COLUMNS,
    BEHIND,
    BLOCK,
    EFFECT_MASK,
    EFFECT_WORD,
    GAIN,
    GATE_1,
    GATE_2,
    GATE_3,
    KIND,
    MASK,
    MOVE,
    NEED,
    NEED_OFF,
    NEED_ON,
    NEEDS,
    NEVER,
    PUSH,
    SHUT,
    SOURCE,
    SPEND,
    TAKE,
    TARGET,
    TOGGLE,
    WHAT,
    WORD,
    Graph,
    Ground,
    Ints,
    count_starts,
    mark_free_arcs,
    sort_by_node,
)
from solvent.dungeon.solver.layout import bits_of
from solvent.engine.jit.kernel import kernel

# Columns of the arcs between areas, after those of all arcs.
CALM, BACK, SWIFT, MUST_SET = range(ARC_COLUMNS, ARC_COLUMNS + 4)
"""CALM: one of the words below. BACK: 1 if an arc leads straight back that is calm whenever this one is. SWIFT: 1 if
besides that the move spends something on a single gate, and no arc that this gate bars leads elsewhere. From MUST_SET
on: the bits of each word that must be set for a move to be calm, then those that must not be."""
ALWAYS, IF_BITS, NEVER_CALM, TRY = range(4)
"""TRY: blocks are in the way of an answer; play the move."""


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Hold the graph of areas, and how it belongs to the graph of cells."""

    graph: Graph
    """Its arcs have the columns CALM and MUST_SET beside those that all arcs have."""
    area_of: Ints
    """The area of each cell."""
    cell_arc: Ints
    """For each arc between areas, one of the arcs between cells that it stands for."""
    incoming: Ints
    """Arcs between areas, sorted by target."""
    incoming_starts: Ints
    first_cell: Ints
    """The first cell of each area."""
    sure: Ints
    """Shape (areas, words): bits of what whoever stands in an area is sure to hold or have opened."""


def contract(ground: Ground, *, apart: bool) -> Areas:
    """Divide the cells into areas."""
    cells = ground.cells
    arcs = cells.arcs
    alone = cells.is_goal | (np.diff(cells.rest_starts) > 0)
    owners = np.repeat(np.arange(cells.nodes), np.diff(cells.effect_starts))
    lonely = np.ones(len(owners), dtype=np.bool_) if apart else cells.effects[:, WHAT] == TOGGLE
    alone[owners[lonely]] = True
    alone[arcs[arcs[:, BLOCK] >= 0, TARGET]] = True
    # A tile with something to take is no obstacle here, though the step onto it does something.
    asks_nothing = (arcs[:, GATE_1 : GATE_3 + 1] == -1).all(axis=1) & (arcs[:, BLOCK] == -1)
    joins = asks_nothing & ~alone[arcs[:, SOURCE]] & ~alone[arcs[:, TARGET]]
    area_of = np.empty(cells.nodes, dtype=np.int64)
    count = int(_join(arcs, cells.starts, joins, area_of))
    crossing = np.nonzero(~(asks_nothing & (area_of[arcs[:, SOURCE]] == area_of[arcs[:, TARGET]])))[0]
    between = arcs[crossing].copy()
    for column in (SOURCE, TARGET):
        between[:, column] = area_of[between[:, column]]
    pushes = between[:, PUSH] > 0
    between[pushes, BEHIND] = area_of[between[pushes, BEHIND]]
    kept = first_of_each(between[:, (SOURCE, TARGET, GATE_1, GATE_2, GATE_3, BLOCK, PUSH, BEHIND)])
    between, crossing = between[kept], crossing[kept]
    order = np.lexsort((between[:, MOVE], between[:, TARGET], between[:, SOURCE]))
    between, crossing = np.ascontiguousarray(between[order]), crossing[order]
    is_goal = np.zeros(count, dtype=np.bool_)
    is_goal[area_of[cells.is_goal]] = True
    effects = [(int(area_of[owner]), *row) for owner, row in zip(owners.tolist(), cells.effects.tolist(), strict=True)]
    rest_owners = np.repeat(np.arange(cells.nodes), np.diff(cells.rest_starts))
    rests = [(int(area_of[owner]), *row) for owner, row in zip(rest_owners.tolist(), cells.rests.tolist(), strict=True)]
    graph = Graph(
        count,
        between,
        count_starts(between[:, SOURCE], count),
        *sort_by_node(effects, count, 5),
        *sort_by_node(rests, count, 3),
        is_goal,
    )
    mark_free_arcs(graph, harmless=() if apart else (TAKE, GAIN))
    graph = replace(graph, arcs=np.ascontiguousarray(np.hstack([between, _calm_columns(ground, graph, apart)])))
    incoming = np.argsort(between[:, TARGET], kind="stable").astype(np.int64)
    first_cell = np.full(count, -1, dtype=np.int64)
    numbers = np.arange(cells.nodes)[::-1]
    first_cell[area_of[numbers]] = numbers
    sure = sure_things(ground, graph, area_of, lying=True)
    return Areas(graph, area_of, crossing, incoming, count_starts(between[incoming, TARGET], count), first_cell, sure)


def sure_things(ground: Ground, graph: Graph, area_of: Ints, *, lying: bool) -> Ints:
    """Return for each area the bits of what nobody gets there without.

    It lies on the area's only tile, or every move there asks for it or comes from where it is sure to be held. Who is
    past the water has what crosses it, who is past a corridor has taken what lies in it, and who is past the only lock
    has opened it. Without `lying`, only what was asked for on the way counts, not what lies there.
    """
    layout = ground.layout
    width = layout.words
    opening = [at for number, at in layout.gates.items() if ground.dungeon.gates[number].kind != "soft"]
    holdings = bits_of(layout, [*layout.items.values(), *layout.pickups.values(), *opening])
    gained = np.zeros((graph.nodes, width), dtype=np.int64)
    small = np.bincount(area_of, minlength=graph.nodes) == 1
    for node in np.nonzero(np.diff(graph.effect_starts))[0].tolist():
        for effect in graph.effects[graph.effect_starts[node] : graph.effect_starts[node + 1]].tolist():
            if lying and small[node] and effect[WHAT] != TOGGLE:
                gained[node, effect[EFFECT_WORD]] |= effect[EFFECT_MASK]
    needs = np.zeros((len(graph.arcs), width), dtype=np.int64)
    for column in (GATE_1, GATE_2, GATE_3):
        gated = np.nonzero(graph.arcs[:, column] >= 0)[0]
        gates = ground.gates[graph.arcs[gated, column]]
        needing, spending = gates[:, KIND] == NEED, gates[:, KIND] == SPEND
        needs[gated[needing]] |= gates[needing, NEEDS:]
        needs[gated[spending], gates[spending, WORD]] |= gates[spending, MASK]
    sure = np.tile(holdings, (graph.nodes, 1))
    start = int(area_of[ground.cell(ground.dungeon.start)])
    sure[start] = gained[start]
    if graph.nodes and len(graph.arcs):
        _spread_sure(graph.arcs, graph.starts, needs, gained, start, sure)
    return sure


@kernel
def _spread_sure(arcs: Any, starts: Any, needs: Any, gained: Any, start: Any, sure: Any) -> None:
    """Take from `sure` (int64, shape (areas, words)) what some way to an area does not give, until nothing changes."""
    nodes, width = sure.shape
    waiting, is_waiting = np.empty(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.bool_)
    waiting[0], count = start, 1
    is_waiting[start] = True
    while count > 0:
        count -= 1
        here = waiting[count]
        is_waiting[here] = False
        for arc in range(starts[here], starts[here + 1]):
            there = arcs[arc, TARGET]
            changed = False
            for word in range(width):
                kept = sure[there, word] & (sure[here, word] | needs[arc, word] | gained[there, word])
                changed = changed or kept != sure[there, word]
                sure[there, word] = kept
            if changed and not is_waiting[there]:
                is_waiting[there] = True
                waiting[count] = there
                count += 1


def _calm_columns(ground: Ground, graph: Graph, apart: bool) -> Ints:
    """Return the columns CALM and MUST_SET for every arc between areas."""
    width = ground.layout.words
    first = MUST_SET - CALM
    columns = np.zeros((len(graph.arcs), first + 2 * width), dtype=np.int64)
    must_set, must_not = columns[:, first : first + width], columns[:, first + width :]
    never = graph.is_goal[graph.arcs[:, TARGET]].copy()
    rows = np.arange(len(graph.arcs))
    for column in (GATE_1, GATE_2, GATE_3):
        gated = rows[graph.arcs[:, column] >= 0]
        gates = ground.gates[graph.arcs[gated, column]]
        kinds, word, mask = gates[:, KIND], gates[:, WORD], gates[:, MASK]
        needing = kinds == NEED
        must_set[gated[needing]] |= gates[needing, NEEDS:]
        for table, wanted in ((must_set, SPEND), (must_set, NEED_ON), (must_not, NEED_OFF)):
            chosen = kinds == wanted
            table[gated[chosen], word[chosen]] |= mask[chosen]
        never[gated[(kinds == SHUT) | (kinds == NEVER)]] = True
    for node in np.nonzero(np.diff(graph.effect_starts))[0].tolist():
        into = graph.arcs[:, TARGET] == node
        for effect in graph.effects[graph.effect_starts[node] : graph.effect_starts[node + 1]].tolist():
            if effect[WHAT] == TOGGLE:
                never |= into
            elif apart:
                must_set[into, effect[EFFECT_WORD]] |= effect[EFFECT_MASK]
    rested = np.diff(graph.rest_starts) > 0
    blocked = (graph.arcs[:, BLOCK] >= 0) | rested[graph.arcs[:, TARGET]]
    columns[:, 0] = np.where(never, NEVER_CALM, np.where(blocked, TRY, np.where(columns.any(axis=1), IF_BITS, ALWAYS)))
    _mark_back(graph, columns)
    _mark_swift(ground, graph, columns)
    return columns


def _mark_back(graph: Graph, columns: Ints) -> None:
    """Fill in the column BACK: the arc back asks for no bit that the arc itself does not ask for."""
    bits = columns[:, MUST_SET - CALM :]
    clear = columns[:, 0] <= IF_BITS
    leading: dict[tuple[int, int], list[int]] = {}
    ends = list(zip(graph.arcs[:, SOURCE].tolist(), graph.arcs[:, TARGET].tolist(), strict=True))
    for arc in np.nonzero(clear)[0].tolist():
        leading.setdefault(ends[arc], []).append(arc)
    for arc in np.nonzero(clear)[0].tolist():
        here, there = ends[arc]
        for back in leading.get((there, here), ()):
            if not (bits[back] & ~bits[arc]).any():
                columns[arc, BACK - CALM] = 1


def _mark_swift(ground: Ground, graph: Graph, columns: Ints) -> None:
    """Fill in the column SWIFT."""
    arcs = graph.arcs
    barred: dict[int, list[int]] = {}
    for arc in np.nonzero((arcs[:, GATE_1 : GATE_3 + 1] >= 0).any(axis=1))[0].tolist():
        for gate in arcs[arc, GATE_1 : GATE_3 + 1].tolist():
            if gate >= 0:
                barred.setdefault(gate, []).append(arc)
    for gate, members in barred.items():
        ends = [(int(arcs[arc, SOURCE]), int(arcs[arc, TARGET])) for arc in members]
        together = len({there for _, there in ends}) == 1 or len({frozenset(pair) for pair in ends}) == 1
        if ground.gates[gate, KIND] == SPEND and together:
            for arc in members:
                alone = sorted(arcs[arc, GATE_1 : GATE_3 + 1].tolist()) == [-1, -1, gate]
                columns[arc, SWIFT - CALM] = alone and columns[arc, BACK - CALM]


def first_of_each(rows: Ints) -> Ints:
    """Return the number of the first of each kind of row."""
    first: dict[bytes, int] = {}
    solid = np.ascontiguousarray(rows)
    width = solid.shape[1] * solid.itemsize
    data = solid.tobytes()
    for number in range(len(solid)):
        first.setdefault(data[number * width : (number + 1) * width], number)
    return np.fromiter(first.values(), dtype=np.int64, count=len(first))


@kernel
def _join(arcs: Any, starts: Any, joins: Any, area_of: Any) -> Any:
    """Number the components of arcs that join (bool) both ways, in the order of their first nodes; return how many."""
    nodes = len(starts) - 1
    for node in range(nodes):
        area_of[node] = node
    for arc in range(len(arcs)):
        one, other = arcs[arc, SOURCE], arcs[arc, TARGET]
        if not joins[arc] or one > other:
            continue
        both = False
        for back in range(starts[other], starts[other + 1]):
            both = both or (joins[back] and arcs[back, TARGET] == one)
        if not both:
            continue
        while area_of[one] != one:
            area_of[one] = area_of[area_of[one]]
            one = area_of[one]
        while area_of[other] != other:
            area_of[other] = area_of[area_of[other]]
            other = area_of[other]
        if one < other:
            area_of[other] = one
        elif other < one:
            area_of[one] = other
    count = 0
    for node in range(nodes):  # a root is the smallest of its component, so it comes before the others
        root = area_of[node]
        if root == node:
            area_of[node] = -1 - count
            count += 1
        else:
            while root >= 0 and area_of[root] >= 0:
                root = area_of[root]
            area_of[node] = area_of[root] if root >= 0 else root
    for node in range(nodes):
        area_of[node] = -1 - area_of[node]
    return count
