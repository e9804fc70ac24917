"""Areas: tiles that are one place to a walking player, so that states of many tiles become states of few areas.

Two tiles belong to one area if steps lead from each to the other that ask for nothing and do nothing. A tile on which
something happens beside taking things (a goal, a plate, a block or where one can come to rest) is an area of its own.
With `apart`, so is each tile with something to take that matters: then an area says exactly what was taken.

Whether a move between areas is *calm*, changing nothing but the place, is nearly always a question of some bits being
set and others not; those are worked out in `areas_kernel`, so that no search need play the move to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.solver.areas_kernel import Areas, Asked, Joining
from solvent.dungeon.solver.crossings_kernel import Crossings
from solvent.dungeon.solver.graph_kernel import Graph
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.mechanics import NEED, NEED_OFF, NEVER, NOTHING_ASKED, RULE, SHUT, Demand, GateRow
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.state_kernel import BitRows, PackedState
from solvent.dungeon.solver.sure_kernel import SureThings
from solvent.engine.arrays import SHORT, row_of

__all__ = ["Areas", "contract", "sure_things"]


def contract(ground: Ground, *, apart: bool, meter: Meter = UNLIMITED) -> Areas:
    """Divide the cells into areas."""
    cells = ground.cells
    meter.checkpoint()
    joining = Joining(cells, apart)
    in_pieces(joining.join, meter)
    area_of = memoryview(joining.area_of)
    meter.require_memory((40 * joining.count + 40 * cells.arcs) / 1e6, "the graph of areas")
    graph = Graph(
        cells.mechanics,
        joining.count,
        (effect._replace(node=area_of[effect.node]) for effect in cells.effects),
        (rest._replace(node=area_of[rest.node]) for rest in cells.rests),
        {area_of[ground.cell(goal)] for goal in ground.dungeon.goals},
    )
    numbers = {NOTHING_ASKED: 0}
    number_of = []  # for each demand between cells, the one between areas
    for demand in meter.each(cells.demands):
        moved = demand._replace(behind=area_of[demand.behind]) if demand.behind >= 0 else demand
        number_of.append(numbers.setdefault(moved, len(numbers)))
    # Of arcs that ask for the same between the same areas, the first is enough.
    crossings = Crossings(joining, row_of(number_of, SHORT), len(numbers), ground.moves)
    sorting = (crossings.sort_by_move, crossings.sort_by_target, crossings.sort_by_source)
    for step in (*sorting[1:], crossings.drop_alike, *sorting):
        meter.checkpoint()
        step()
    meter.checkpoint()
    *rows, cell_arc = crossings.rows()
    graph.lay_arcs(crossings.count, *rows)
    graph.set_demands(list(numbers))
    meter.checkpoint()
    areas = Areas(joining, graph, cell_arc, _asked(ground.gates, list(numbers), meter), apart)
    in_pieces(areas.mark, meter)
    areas.learn_sure_things(*sure_things(ground, areas, lying=True, meter=meter))
    return areas


def _asked(gates: Sequence[GateRow], demands: Sequence[Demand], meter: Meter) -> Asked:
    """Return which bits must be set, and which not, for moves with these demands to be calm."""

    def met(demand: Demand) -> Iterator[GateRow]:
        return (gates[number] for number in demand.gates if number >= 0)

    wanted: list[tuple[tuple[int, int], ...]] = []
    unwanted: list[tuple[tuple[int, int], ...]] = []
    never, tries = bytearray(len(demands)), bytearray(len(demands))
    for number, demand in enumerate(meter.each(demands)):
        rows = list(met(demand))
        never[number] = any(row.kind in (SHUT, NEVER) for row in rows)
        tries[number] = bool(demand.actions) or any(row.kind == RULE for row in rows)
        # A switch that must be on, or a gate that was opened before, is a bit like that of something held.
        pairs = [
            pair
            for row in rows
            if row.kind not in (SHUT, NEVER, NEED_OFF, RULE)
            for pair in (row.needs if row.kind == NEED else ((row.word, row.mask),))
        ]
        wanted.append(_joined(pairs))
        unwanted.append(_joined([(row.word, row.mask) for row in rows if row.kind == NEED_OFF]))
    meter.checkpoint()
    return Asked(BitRows(wanted), BitRows(unwanted), never, tries)


def _joined(pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return pairs of a word and a mask, one for each word."""
    if len(pairs) < 2:
        return tuple(pairs)
    masks: dict[int, int] = {}
    for word, mask in pairs:
        masks[word] = masks.get(word, 0) | mask
    return tuple(sorted(masks.items()))


def sure_things(ground: Ground, areas: Areas, *, lying: bool, meter: Meter = UNLIMITED) -> tuple[memoryview, int]:
    """Return for each area and word the bits of what a player always has there, and of how many words that is.

    Without `lying`, only what was asked for on the way counts, not what lies there. See `sure_kernel`.
    """
    layout = ground.layout
    fields = [*layout.items.values(), *layout.pickups.values(), *layout.opening.values()]
    words = max((at.word + 1 for at in fields), default=0)
    meter.require_memory(8 * words * areas.graph.nodes / 1e6, "what a player is sure to have in each area")
    start = memoryview(areas.area_of)[ground.cell(ground.dungeon.start)]
    sure = SureThings(areas, start, PackedState(bits_of(layout, fields)), words, lying)
    in_pieces(sure.run, meter)
    return sure.table(), words
