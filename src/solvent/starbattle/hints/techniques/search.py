"""Search: no short argument is known, but with the opposite mark every way to go on was tried, and none is left.

This is the last technique, so that there is a next step wherever a cell is forced. Its witness is a refutation of the
board with the opposite mark, which the checker follows line by line. Of the marks that are tried the one refuted with
the fewest positions is offered, and one branch of its search is shown: the one with the shortest contradiction found.

Where a board has several solutions, each that turns up on the way rules out the marks it has: they are not refuted. So
if nothing is offered and no limit was met, no cell of the board is forced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from solvent.starbattle.hints.application import Application, Highlights, OutOfWork, Work
from solvent.starbattle.hints.chains import PATIENT, Chain, find_chain, scratch_of
from solvent.starbattle.hints.chains.explaining import chain_lines
from solvent.starbattle.hints.chains.rules import Memory
from solvent.starbattle.hints.phrases import name_cells
from solvent.starbattle.hints.position import Position, cells_in, position_of, set_of
from solvent.starbattle.model import CROSS, STAR, Puzzle
from solvent.starbattle.solver.counting import count_solutions
from solvent.starbattle.solver.probing import failing_marks

NAME = "search"
TITLE = "Proved by search"
DIFFICULTY = 19.0

MAX_NODES = 400_000
"""Positions that the refutation of one mark may take: some seconds on the largest boards."""
TURNS = ((32, 24), (256, 24), (1_024, 24), (4_096, 24))
"""How many positions each mark may take in a turn, and how many marks are tried; after these all, without haste."""
SHORT = 256
"""Positions up to which it is worth trying all marks of a turn, to find the one that takes the fewest."""
UNITS_A_NODE = 4
"""Units of work for one position."""
BRANCHES = 6
"""Marks that are tried to find a short contradiction to show."""
BRANCH_WORK = 4_000
DEEPEST = 3
"""Further stars after which no branch to show is looked for any more."""


class Refuted(Struct, frozen=True, order=True):
    """Hold a mark that cannot stand."""

    positions: int
    """How many the search took to see it."""
    rank: int
    """Where it came in the order of trying."""
    cell: int
    value: str


def find(position: Position, work: Work, *, nodes: int = MAX_NODES) -> Iterator[Application]:
    """Yield marks with no completion, those first that the search refutes soonest."""
    tried = _Trial(position, work)
    for limit, count in TURNS:
        if limit >= nodes:
            break
        found = tried.turn(limit, count)
        for refuted in sorted(found) if limit <= SHORT else found:
            yield from _applications(position, refuted, work)
    for refuted in tried.turn(nodes, None):
        yield from _applications(position, refuted, work)
    if tried.undecided:
        raise OutOfWork


class _Trial:
    """Try marks, and note which of them a completion is known to have."""

    def __init__(self, position: Position, work: Work) -> None:
        self.position = position
        self.work = work
        cells = sorted(cells_in(position.open), key=lambda cell: (-_pressure(position, cell), cell))
        self.left = [(rank, cell, STAR) for rank, cell in enumerate(cells)]
        self.left += [(len(cells) + rank, cell, CROSS) for rank, cell in enumerate(cells)]
        self.undecided = False
        """True if a limit ended the trial of some mark."""

    def turn(self, limit: int, count: int | None) -> Iterator[Refuted]:
        """Try so many marks, None for all, with so many positions each; yields those that cannot stand."""
        waiting, self.left, self.undecided = self.left, [], False
        known: dict[str, set[int]] = {STAR: set(), CROSS: set()}
        for place, (rank, cell, value) in enumerate(waiting):
            if cell in known[value]:
                continue
            if count == 0:
                self.left += [mark for mark in waiting[place:] if mark[1] not in known[mark[2]]]
                return
            count = None if count is None else count - 1
            supposed = with_mark(self.position.puzzle, cell, value)
            seen = count_solutions(supposed, most=1, keep=1, budget=self.work.budget(limit))
            self.work.spend(UNITS_A_NODE * (1 + seen.nodes))
            for solution in seen.solutions:
                known[STAR].update(solution)
                known[CROSS].update(set(cells_in(self.position.open)).difference(solution))
            if seen.complete and not seen.count:
                yield Refuted(seen.nodes, rank, cell, value)
            elif not seen.count:
                self.undecided = True
                self.left.append((rank, cell, value))


def _pressure(position: Position, cell: int) -> float:
    """Return how hard a star on a cell would press on the units around it: what each loses of its open cells."""
    geometry = position.geometry
    gone = (geometry.touching[cell] | 1 << cell | geometry.cells_of(position.filled_by(cell))) & position.open
    pressure = 0.0
    for unit in {unit for lost in cells_in(gone) for unit in geometry.units_at[lost]}:
        need = position.needs[unit] - (geometry.masks[unit] >> cell & 1)
        if need > 0:
            opened = position.open_in(unit)
            pressure += need * (gone & opened).bit_count() / opened.bit_count()
    return pressure


def with_mark(puzzle: Puzzle, cell: int, value: str) -> Puzzle:
    """Return the puzzle with one mark more."""
    return replace(puzzle, marks=puzzle.marks[:cell] + value + puzzle.marks[cell + 1 :])


def _applications(position: Position, refuted: Refuted, work: Work) -> Iterator[Application]:
    """Yield the application of a mark that cannot stand, once there is a refutation of it that can be checked."""
    from solvent.starbattle.solver.refutation import Refutation, refute

    supposed = with_mark(position.puzzle, refuted.cell, refuted.value)
    meter = work.budget(None).start()
    found = refute(supposed, meter)
    work.spend(UNITS_A_NODE * meter.nodes)
    if isinstance(found, Refutation):
        yield _application(position, refuted, supposed, found.proof)


def _application(position: Position, refuted: Refuted, supposed: Puzzle, proof: str) -> Application:
    star, bit = refuted.value == STAR, 1 << refuted.cell
    cell = name_cells(position, bit)
    shown, marks, units = _shortest_branch(supposed)
    ways = "there is no way to go on." if refuted.positions <= 1 else "every way to go on was tried"
    tried = "" if refuted.positions <= 1 else f" ({refuted.positions} positions), and each fails."
    return Application(
        technique=NAME,
        stars=0 if star else bit,
        crosses=bit if star else 0,
        witness={
            "cell": list(divmod(refuted.cell, position.size)),
            "value": "star" if star else "cross",
            "proof": proof,
        },
        because=f"{'A star on' if star else 'No star on'} {cell} would leave no way to place the others; "
        "that is proved by search, and no short argument is known.",
        proof=(f"Suppose that {cell} {'is a star' if star else 'stays empty'}.", f"Then {ways}{tried}", *shown),
        highlights=Highlights(causes=marks | bit, units=units),
    )


def _shortest_branch(supposed: Puzzle) -> tuple[tuple[str, ...], int, tuple[int, ...]]:
    """Return the lines of one branch with a short contradiction, the cells it marks, and the units it ends in."""
    marked: list[int] = []
    for _ in range(DEEPEST):
        position = position_of(supposed)
        base, memory, work = scratch_of(position), Memory(), Work(BRANCH_WORK)
        found: list[Chain] = []
        try:
            for mark in failing_marks(supposed, STAR)[:BRANCHES]:
                chain = find_chain(base, mark.cell, star=True, memory=memory, work=work, effort=PATIENT)
                found += [] if chain is None else [chain]
        except OutOfWork:
            pass
        if found:
            chain = min(found, key=lambda one: one.order)
            stars = name_cells(position, set_of([*marked, chain.cell]))
            several = "stars" if marked else "a star"
            opening = f"The shortest contradiction found: let {stars} be {several} as well."
            ends = (*chain.end.plus, *chain.end.minus)
            return (opening, *chain_lines(base, chain, memory)), set_of([*marked, chain.cell]), tuple(sorted(ends))
        if not position.open:
            break
        cell = max(cells_in(position.open), key=lambda cell: (_pressure(position, cell), -cell))
        marked.append(cell)
        supposed = with_mark(supposed, cell, STAR)
    return (), 0, ()
