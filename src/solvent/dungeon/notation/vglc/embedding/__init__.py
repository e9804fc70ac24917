"""Find out which node is where on a tile map from the two texts alone."""

from __future__ import annotations

from solvent.core.budget import Budget, Meter
from solvent.core.errors import ParseError
from solvent.dungeon.notation.vglc.embedding.formula import MatchingFormula
from solvent.dungeon.notation.vglc.graph import Graph
from solvent.dungeon.notation.vglc.matching import Matching
from solvent.dungeon.notation.vglc.tiles import TileMap

USUAL_BUDGET = Budget(seconds=20)
MAX_CHOICES = 60_000
"""Nodes times rooms; beyond it the formula alone would take minutes to write."""


def embed(tiles: TileMap, graph: Graph, *, walls: bool = False, budget: Budget = USUAL_BUDGET) -> Matching:
    """Return the cheapest matching of a graph and its map, or the best one found; raises ParseError without any.

    `walls`: plain walls may be walked through. Where nothing fits otherwise, they may be in any case, and then any
    number of drawn doors may lead nowhere.
    """
    if len(graph.nodes) * len(tiles.rooms) > MAX_CHOICES:
        raise ParseError(
            f"a matching beside the files: {len(graph.nodes)} nodes and {len(tiles.rooms)} rooms are too many"
        )
    meter = budget.start()
    for through_walls, strict in ((walls, True), (True, True), (True, False)):
        formula = MatchingFormula(tiles, graph, walls=through_walls, strict=strict)
        found = _cheapest(formula, meter)
        if found is not None:
            return found
        if meter.stop_reason() is not None:
            raise ParseError(
                f"a matching beside the files: none was found in {budget.seconds:g} seconds"
                if budget.seconds
                else "a matching beside the files: none was found within the budget"
            )
    raise ParseError(
        "a graph that fits its map: "
        f"there is no way to put its {len(graph.nodes)} nodes into the {len(tiles.rooms)} rooms that are drawn"
    )


def _cheapest(formula: MatchingFormula, meter: Meter) -> Matching | None:
    from solvent.engine.maxsat import MaxSat

    with MaxSat(formula.clauses, formula.costs, formula.variables) as solver:
        best = solver.minimise(meter)
        if best.cost is None:
            return None
        found = _read(formula, best.true)
        cost = f"{best.cost / 20:g}"
        if not best.proved:
            low = f"{best.bound / 20:g}"
            remarks = [f"which node is which room was found from the texts: cost {cost}; the least is at least {low}"]
        else:
            remarks = [f"which node is which room was found from the texts: cost {cost}, and no other costs less"]
            solver.forbid([formula.in_room[node, at] for node, at in found.rooms.items()])
            second = solver.minimise(meter)
            if second.cost is not None:
                other = _read(formula, second.true)
                moved = ", ".join(node for node, at in found.rooms.items() if other.rooms[node] != at)
                remarks.append(f"another matching costs the same: in it, the rooms of {moved} differ")
            elif not second.proved:
                remarks.append("whether another matching costs the same was not found out in time")
    return Matching(found.rooms, found.basements, found.parts, tuple(remarks))


def _read(formula: MatchingFormula, true: frozenset[int]) -> Matching:
    """Return the matching that a solution of the formula means."""
    rooms = {node: at for (node, at), variable in formula.in_room.items() if variable in true}
    parts = {node: part for (node, _, part), variable in formula.at.items() if variable in true and part is not None}
    return Matching(rooms, formula.basements, {node: part for node, part in parts.items() if _shares(node, rooms)})


def _shares(node: str, rooms: dict[str, tuple[int, int]]) -> bool:
    return sum(at == rooms[node] for at in rooms.values()) > 1
