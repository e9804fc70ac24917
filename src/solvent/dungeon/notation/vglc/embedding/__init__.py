"""Find out which node is where on a tile map from the two texts alone."""

from __future__ import annotations

from solvent.core.budget import Budget
from solvent.core.errors import ParseError
from solvent.dungeon.notation.vglc.embedding.clauses import TooManyClauses
from solvent.dungeon.notation.vglc.embedding.formula import MatchingFormula
from solvent.dungeon.notation.vglc.graph import Graph
from solvent.dungeon.notation.vglc.matching import Matching
from solvent.dungeon.notation.vglc.tiles import TileMap

USUAL_WORK = 2_500_000
"""How much work to spend on a matching: some five seconds. The largest dungeon of the corpus takes nine tenths of it.

A clause that is written is 1; a conflict of the SAT solver takes the longer the more clauses there are, and is a
thousandth of their number. Counted, so that a map reads the same on any machine.
"""
CONFLICTS_A_CLAUSE = 1000
MAX_CHOICES = 60_000
"""Nodes times rooms; beyond it there would be too many clauses in any case."""


class _Work:
    """Keep account of what is left."""

    def __init__(self, left: int) -> None:
        self.left = left

    def conflicts(self, clauses: int) -> int:
        """Return how many conflicts are left with so many clauses."""
        return max(0, self.left) * CONFLICTS_A_CLAUSE // max(clauses, 1)

    def spend(self, conflicts: int, clauses: int) -> None:
        self.left -= -(-conflicts * clauses // CONFLICTS_A_CLAUSE)


def embed(tiles: TileMap, graph: Graph, *, walls: bool = False, work: int = USUAL_WORK) -> Matching:
    """Return the cheapest matching of a graph and its map, or the best one found; raises ParseError without any.

    `walls`: plain walls may be walked through. Where nothing fits otherwise, they may be in any case, and then any
    number of drawn doors may lead nowhere.
    """
    size = f"{len(graph.nodes)} nodes and {len(tiles.rooms)} rooms"
    too_many = ParseError(f"a matching beside the files: {size} are too many to search for one")
    if len(graph.nodes) * len(tiles.rooms) > MAX_CHOICES:
        raise too_many
    account = _Work(work)
    for through_walls, strict in ((walls, True), (True, True), (True, False)):
        try:
            formula = MatchingFormula(
                tiles, graph, walls=through_walls, strict=strict, max_clauses=max(0, account.left)
            )
        except TooManyClauses:
            if account.left == work:
                raise too_many from None
            account.left = 0
            break
        account.left -= len(formula.clauses)
        found = _cheapest(formula, account)
        if found is not None:
            return found
        if account.left <= 0:
            break
    if account.left <= 0:
        raise ParseError(f"a matching beside the files: none was found for {size} with the work that is spent on it")
    raise ParseError(
        "a graph that fits its map: "
        f"there is no way to put its {len(graph.nodes)} nodes into the {len(tiles.rooms)} rooms that are drawn"
    )


def _cheapest(formula: MatchingFormula, work: _Work) -> Matching | None:
    """Return the best matching that is found, None if there is none or no work is left."""
    from solvent.engine.maxsat import MaxSat

    meter = Budget(nodes=work.conflicts(len(formula.clauses))).start()
    with MaxSat(formula.clauses, formula.costs, formula.variables) as solver:
        best = solver.minimise(meter)
        if best.cost is None:
            work.spend(meter.nodes, len(formula.clauses))
            if not best.proved:
                work.left = 0
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
