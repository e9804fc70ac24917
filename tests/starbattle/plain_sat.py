"""Solve a puzzle with a stock SAT solver and stock cardinality encodings: nothing of ours but the rules, said anew."""

from __future__ import annotations

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Cadical153

from solvent.starbattle.model import CROSS, STAR, Puzzle

Cells = frozenset[int]


def sat_solutions(puzzle: Puzzle, *, most: int) -> list[Cells]:
    """Return up to `most` solutions, in no particular order."""
    size = puzzle.size
    pool = IDPool(start_from=size**2 + 1)
    units: dict[tuple[str, int], list[int]] = {}
    for cell in range(size**2):
        row, col = divmod(cell, size)
        for unit in (("row", row), ("column", col), ("region", puzzle.regions[cell])):
            units.setdefault(unit, []).append(cell + 1)
    found: list[Cells] = []
    with Cadical153() as solver:
        for variables in units.values():
            if len(variables) < puzzle.stars:
                return []
            solver.append_formula(
                CardEnc.equals(variables, bound=puzzle.stars, vpool=pool, encoding=EncType.totalizer).clauses
            )
        for cell in range(size**2):
            row, col = divmod(cell, size)
            for other in range(cell):
                if abs(other // size - row) <= 1 and abs(other % size - col) <= 1:
                    solver.add_clause([-(cell + 1), -(other + 1)])
            if puzzle.marks[cell] in (STAR, CROSS):
                solver.add_clause([cell + 1 if puzzle.marks[cell] == STAR else -(cell + 1)])
        while len(found) < most and solver.solve():
            stars = frozenset(literal - 1 for literal in solver.get_model() if 0 < literal <= size**2)
            found.append(stars)
            solver.add_clause([-(cell + 1) for cell in stars])
    return found
