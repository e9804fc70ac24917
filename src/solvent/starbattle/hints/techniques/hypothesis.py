"""Suppose a mark, follow simple steps, and come to a contradiction; so the opposite holds.

Every step of the chain is an application of a simpler technique on the board with the marks made so far, the supposed
one among them, so it holds in every solution that has the supposed mark. At the end some units need more stars than
they have room for: each 2×2 block holds one star at most, and fewer blocks cover all their open cells than stars are
needed. So no solution has the supposed mark.

Which marks fail is found out first, by probing them all with the counts of the solver. Only the most promising of those
are explained, and the one with the shortest explanation comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from solvent.starbattle.hints.application import Application, OutOfWork, Work
from solvent.starbattle.hints.chains import (
    PATIENT,
    QUICK,
    STUBBORN,
    Chain,
    Effort,
    find_chain,
    scratch_of,
    trim_cells,
)
from solvent.starbattle.hints.chains.explaining import explain
from solvent.starbattle.hints.chains.rules import Memory
from solvent.starbattle.hints.position import Position, Scratch
from solvent.starbattle.model import CROSS, STAR
from solvent.starbattle.solver.probing import failing_marks

NAME = "hypothesis"
TITLE = "Hypothesis"
DIFFICULTY = 16.0

AT_A_TIME = 24
"""How many failing marks are explained patiently before the shortest of these explanations is offered."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield hypotheses that fail: stars first, then crosses, of each those first that a quick look explains."""
    base, memory = scratch_of(position), Memory()
    for value in (STAR, CROSS):
        work.spend(5 * position.open.bit_count())
        failing = [mark.cell for mark in failing_marks(position.puzzle, value) if position.open >> mark.cell & 1]
        for effort in (QUICK, PATIENT, STUBBORN):
            unexplained: list[int] = []
            at_a_time = len(failing) if effort is QUICK else AT_A_TIME
            while failing:
                chains = find_chains(base, failing[:at_a_time], unexplained, value == STAR, effort, memory, work)
                failing = failing[at_a_time:]
                for chain in chains:
                    yield explain(position, trim_cells(base, chain, memory), memory, technique=NAME)
            failing = unexplained


def find_chains(
    base: Scratch, cells: Sequence[int], unexplained: list[int], star: bool, effort: Effort, memory: Memory, work: Work
) -> list[Chain]:
    """Return the chains for marks on some cells, the shortest first, and note the cells that have none."""

    def find_one(cell: int) -> Chain | None:
        return find_chain(base, cell, star=star, memory=memory, work=work, effort=effort)

    return shortest_chains(cells, find_one, unexplained)


def shortest_chains(
    cells: Sequence[int], find_one: Callable[[int], Chain | None], unexplained: list[int]
) -> list[Chain]:
    """Return the chains that are found for some cells, the shortest first, and note the cells that have none.

    If the work runs out, the chains found until then are returned, if there are any.
    """
    chains: list[Chain] = []
    for cell in cells:
        try:
            chain = find_one(cell)
        except OutOfWork:
            if chains:
                break
            raise
        if chain is None:
            unexplained.append(cell)
        else:
            chains.append(chain)
    return sorted(chains, key=lambda chain: chain.order)
