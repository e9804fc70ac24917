"""The rules as clauses: satisfied by the solutions that keep the marks, and by nothing else.

Variable `cell + 1` says that a star stands on the cell. The clauses, in this order:

1. No two stars touch: one clause for each pair of touching cells.
2. Every unit has exactly k stars, by a counter: each row, each column, from PAIRS_FROM_STARS stars on each two
   neighbouring rows and each two neighbouring columns (2k stars), and each region.
3. Every mark, as a clause of one literal.
4. If other stars than some given ones are looked for: one of the given ones is missing.

A counter goes through a sequence of places, each with room for at most one star:

- in a row or column, the cells, in order;
- in two neighbouring lines, the two cells side by side, in order;
- in a region, blocks: the first cell that is in no block yet takes the cells of the region that are in no block yet
  from the 2×2 cells with it in the upper left corner, and so on.

A place of several cells has a variable of its own, "a star stands on one of them". For lines, stars on two places one
after the other would touch (and where the places have variables of their own, clauses say so), so i places hold at most
ceil(i / 2) stars; in a region they hold at most i. The counter's variables reach(i, j) say "at least j stars stand on
the first i places". Those whose value follows from the room before and behind have no number: reach(i, j) is true if
j = 0 or the places behind have no room for k - j + 1 stars, and false if j > k or the first i have no room for j.
If all places together have no room for k, there is an empty clause instead of the counter.

That the pairs of lines and the room are counted is no new rule. It follows from the others, and makes refutations much
shorter: two neighbouring lines of 17 cells have room for 9 stars and want 8, so there are few ways.

The numbers: first the cells, then counter by counter its places that need one, in order, and reach(1, 1), reach(1, 2),
…, reach(2, 1), …, as far as they have a number. They follow from the puzzle alone, because the checker writes the same
clauses in its own way and a refutation speaks of variables by number.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise

from msgspec import Struct, field

from solvent.engine.arrays import SHORT, SIGNED
from solvent.engine.clauses import ClauseList
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle
from solvent.starbattle.rules import lines_of, neighbours_of, regions_of
from solvent.starbattle.solver.encoding_kernel import CounterTemplate

PAIRS_FROM_STARS = 4
"""From this many stars on, pairs of lines are counted too: boards with fewer are refuted before that pays."""


def encode(puzzle: Puzzle, *, other_than: Sequence[int] | None = None) -> ClauseList:
    """Return the clauses that the solutions satisfy; with `other_than`, without the solution on those cells."""
    clauses = _encode_lines(puzzle.size, puzzle.stars).copy()
    for region in regions_of(puzzle.size, puzzle.regions):
        clauses.count(_blocks(region.cells, puzzle.size), puzzle.stars, spread=1)
    if puzzle.marks != UNKNOWN * len(puzzle.marks):
        marked = [(cell + 1, mark) for cell, mark in enumerate(puzzle.marks) if mark != UNKNOWN]
        clauses.add([[variable if mark == STAR else -variable] for variable, mark in marked])
    if other_than is not None:
        clauses.add([[-(cell + 1) for cell in other_than]])
    return clauses.formula()


class _Clauses(Struct, eq=False):
    """Gather clauses, in pieces of memory that are joined in the end."""

    variables: int
    """The last variable that has a number by now."""
    length: int = 0
    """How many literals there are by now."""
    literals: list[bytearray | array[int] | memoryview] = field(default_factory=list)
    """The literals of all clauses, 32 bits each."""
    ends: list[bytearray | array[int] | memoryview] = field(default_factory=list)
    """Where each clause ends in them, 64 bits each."""

    def add(self, clauses: list[list[int]]) -> None:
        """Add clauses one by one."""
        literals = array(SHORT, list(chain.from_iterable(clauses)))
        self.literals.append(literals)
        self.ends.append(array(SIGNED, list(accumulate(map(len, clauses), initial=self.length))[1:]))
        self.length += len(literals)

    def count(self, places: Sequence[tuple[int, ...]], stars: int, *, spread: int) -> None:
        """Add the clauses of one counter; its own variables come after those that there are already."""
        template = _count(tuple(map(len, places)), stars, spread)
        cells = memoryview(array(SHORT, list(chain.from_iterable(places))))
        self.literals.append(template.literals_for(cells, self.variables))
        self.ends.append(template.ends_for(self.length))
        self.length += template.length
        self.variables += template.own

    def copy(self) -> _Clauses:
        """Return the same clauses, to go on with."""
        return _Clauses(self.variables, self.length, self.literals[:], self.ends[:])

    def join(self) -> None:
        """Make one piece of all."""
        self.literals, self.ends = [bytearray().join(self.literals)], [bytearray().join(self.ends)]

    def formula(self) -> ClauseList:
        """Return all clauses."""
        literals = memoryview(bytearray().join(self.literals)).cast("i")
        starts = memoryview(bytearray().join([array(SIGNED, [0]), *self.ends])).cast("q")
        return ClauseList(literals, starts, self.variables)


@functools.lru_cache(maxsize=16)
def _encode_lines(size: int, stars: int) -> _Clauses:
    """Return what does not depend on the regions: touching cells, and the counters of rows, columns and their pairs."""
    clauses = _Clauses(size * size)
    touching = [(cell, other) for cell, around in enumerate(neighbours_of(size)) for other in around if cell < other]
    clauses.add([[-(cell + 1), -(other + 1)] for cell, other in touching])
    rows, columns = ([line.cells for line in lines_of(size) if line.kind == kind] for kind in ("row", "column"))
    for line in rows + columns:
        clauses.count([(cell,) for cell in line], stars, spread=2)
    if stars >= PAIRS_FROM_STARS:
        for one, other in [*pairwise(rows), *pairwise(columns)]:
            clauses.count(list(zip(one, other, strict=True)), 2 * stars, spread=2)
    clauses.join()
    return clauses


def _blocks(cells: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Cut a region into blocks of touching cells."""
    squares = _squares(size)
    left = set(cells)
    blocks = []
    for cell in cells:
        if cell in left:
            block = tuple([other for other in squares[cell] if other in left])
            left.difference_update(block)
            blocks.append(block)
    return blocks


@functools.lru_cache(maxsize=32)
def _squares(size: int) -> list[tuple[int, ...]]:
    """Return for each cell the 2×2 cells with it in the upper left corner; those below the board are in no region."""
    return [
        (cell, cell + 1, cell + size, cell + size + 1) if (cell + 1) % size else (cell, cell + size)
        for cell in range(size * size)
    ]


@functools.lru_cache(maxsize=4096)
def _count(widths: tuple[int, ...], stars: int, spread: int) -> CounterTemplate:
    """Return the clauses of a counter over places of so many cells.

    Most counters of a board are alike, and of the next board too.
    """
    cells = sum(widths)
    last = cells
    clauses: list[list[int]] = []
    if (len(widths) + spread - 1) // spread < stars:
        return CounterTemplate(cells, 0, [[]])
    places: list[int] = []
    cell = 0
    for width in widths:
        inside = list(range(cell + 1, cell + width + 1))
        cell += width
        if width > 1:
            last += 1
            clauses.append([-last, *inside])
            clauses.extend([-one, last] for one in inside)
            if spread == 2 and places:
                clauses.append([-places[-1], -last])
        places.append(last if width > 1 else inside[0])
    reach, last = _number_reach(len(places), stars, spread, last)
    for i, place in enumerate(places, start=1):
        for j in range(1, stars + 2):
            before, here, one_less = reach[i - 1][j], reach[i][j], reach[i - 1][j - 1]
            clauses.extend(_clause((-1, before), (1, here)))  # what was reached stays reached
            clauses.extend(_clause((-1, one_less), (1, here), also=-place))
            clauses.extend(_clause((1, before), (-1, here), also=place))
            clauses.extend(_clause((-1, here), (1, one_less)))  # one place adds at most one
    return CounterTemplate(cells, last - cells, clauses)


def _number_reach(places: int, stars: int, spread: int, last: int) -> tuple[list[list[int | bool]], int]:
    """Return reach(i, j) as a number or, where it is known, as a truth; and the last number given."""
    reach: list[list[int | bool]] = []
    for i in range(places + 1):
        room_before, room_behind = (i + spread - 1) // spread, (places - i + spread - 1) // spread
        row: list[int | bool] = []
        for j in range(stars + 2):
            if j > min(stars, room_before):
                row.append(False)
            elif j <= max(0, stars - room_behind):
                row.append(True)
            else:
                last += 1
                row.append(last)
        reach.append(row)
    return reach, last


def _clause(*statements: tuple[int, int | bool], also: int = 0) -> Iterator[list[int]]:
    """Yield a clause of statements with their signs and a literal, unless something known satisfies it."""
    literals = [also] if also else []
    for sign, statement in statements:
        if isinstance(statement, bool):
            if statement == (sign > 0):
                return
        else:
            literals.append(sign * statement)
    yield literals
