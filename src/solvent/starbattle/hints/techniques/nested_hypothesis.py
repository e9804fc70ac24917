"""Suppose a mark, and on the way to the contradiction suppose others, each of which fails by simple steps.

A hypothesis inside is an argument on the board with the supposed mark on it, so what it shows holds in every solution
that has this mark. Apart from that it is a hypothesis like any other. Inside there is none inside again. If it turns
out that none was needed inside, the application is a plain hypothesis.

The solver says first which stars cannot stand, and those it needs the fewest positions for are explained. This is the
last resort: people rarely keep two suppositions in their heads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from solvent.core.budget import Budget
from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.chains import (
    PATIENT,
    STUBBORN,
    Chain,
    Contradiction,
    Move,
    apply,
    assume,
    follow,
    scratch_of,
    trim,
    trim_cells,
)
from solvent.starbattle.hints.chains.explaining import explain
from solvent.starbattle.hints.chains.rules import Memory, Rule
from solvent.starbattle.hints.position import Cells, Position, Scratch, cells_in
from solvent.starbattle.hints.techniques import hypothesis
from solvent.starbattle.model import CROSS, STAR, Puzzle
from solvent.starbattle.solver.counting import count_solutions
from solvent.starbattle.solver.probing import failing_marks

NAME = "nested hypothesis"
TITLE = "Nested hypothesis"
DIFFICULTY = 17.0

NODES = (8, 64)
"""Positions the solver may visit to show that a star cannot stand: first the easy ones, then the others."""
WORK_OF_NODE = 8
MAX_TRIED = 3
"""Stars that are followed before the shortest of the chains found is offered."""
MAX_INSIDE = 8
"""Hypotheses inside one."""
BREADTH = 12
"""Failing marks inside that are explained to choose the plainest."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield nested hypotheses, those first whose star the solver can refute most easily."""
    base = scratch_of(position)
    tried: set[int] = set()
    for nodes in NODES:
        cells = [cell for cell in _impossible_stars(position, nodes, work) if cell not in tried]
        tried.update(cells)
        while cells:
            memory = Memory()

            def find_one(cell: int, memory: Memory = memory) -> Chain | None:
                return _find_nested(position, base, cell, memory, work)

            for chain in hypothesis.shortest_chains(cells[:MAX_TRIED], find_one, []):
                plain = all(move.inner is None for move in chain.moves)
                name = hypothesis.NAME if plain else NAME
                yield explain(position, trim_cells(base, chain, memory), memory, technique=name)
            cells = cells[MAX_TRIED:]


def _impossible_stars(position: Position, nodes: int, work: Work) -> list[int]:
    """Return the open cells on which no solution has a star, as far as so many positions show it; easy ones first."""
    found = []
    for cell in cells_in(position.open):
        seen = count_solutions(_with_marks(position.puzzle, 1 << cell, 0), most=1, keep=0, budget=Budget(nodes=nodes))
        work.spend(WORK_OF_NODE * (1 + seen.nodes))
        if seen.complete and seen.count == 0:
            found.append((seen.nodes, cell))
    return [cell for _, cell in sorted(found)]


def _with_marks(puzzle: Puzzle, stars: Cells, crosses: Cells) -> Puzzle:
    marks = list(puzzle.marks)
    for cell in cells_in(stars):
        marks[cell] = STAR
    for cell in cells_in(crosses):
        marks[cell] = CROSS
    return replace(puzzle, marks="".join(marks))


def _find_nested(position: Position, base: Scratch, cell: int, memory: Memory, work: Work) -> Chain | None:
    """Follow a star by simple steps, and where these end, by the plainest hypothesis there is."""
    board = assume(base, cell, star=True)
    moves: list[Move] = []
    for _ in range(MAX_INSIDE + 1):
        end: Contradiction | None = follow(board, moves, None, memory, work, STUBBORN)
        if end is not None:
            return trim(base, Chain(cell, True, tuple(moves), end), memory, work)
        stars = 1 << cell
        for move in moves:
            stars |= move.stars
        puzzle = _with_marks(position.puzzle, stars, position.unknown & ~board.open & ~stars)
        inner = _plainest_inside(puzzle, board, memory, work)
        if inner is None:
            return None
        bit = 1 << inner.cell
        placed, crossed = apply(board, 0 if inner.star else bit, bit if inner.star else 0)
        moves.append(Move(Rule("hypothesis", ()), placed, crossed, inner))
    return None


def _plainest_inside(puzzle: Puzzle, board: Scratch, memory: Memory, work: Work) -> Chain | None:
    for value in (STAR, CROSS):
        work.spend(5 * board.open.bit_count())
        failing = [mark.cell for mark in failing_marks(puzzle, value)][:BREADTH]
        for effort in (PATIENT, STUBBORN):
            chains = hypothesis.find_chains(board, failing, [], value == STAR, effort, memory, work)
            if chains:
                return chains[0]
    return None
