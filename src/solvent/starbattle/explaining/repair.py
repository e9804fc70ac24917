"""The fewest cells to give to other regions so that a board has exactly one solution.

Boards are tried by the number of changed cells: all with one, then all with two, and so on. A set of changes grows cell
by cell, and most sets need not be looked at:

- A placing of stars stays a solution as long as none of its cells changes its region: each region then has the same
  stars as before. So where the board so far has several solutions, any further changes that leave only one must change
  a cell with a star in all of them but one. Only those cells are tried next, and if the cells still to be changed
  cannot be in that many solutions, nothing is.
- Where the board so far has no solution, every cell near enough to another region is tried; but where counting shows
  why, only what takes a cell from one of the regions to blame or gives them one.
- Cells that a set did not begin with, because it was looked at before, are not tried again in the sets after it.

So when a number is done without a repair, none with that many cells exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.starbattle.explaining.borders import Borders
from solvent.starbattle.explaining.candidates import solutions_of
from solvent.starbattle.explaining.near_repair import near_repair
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.shortage import why_unsolvable

SOLUTIONS_LOOKED_AT = 24
"""How many solutions of a board are compared to see which cells could help; more only leave out more."""
MAX_BOARDS = 150_000
"""Boards to try where no budget says how many."""
SHARE_FOR_ONE = 0.4
"""How much of the time may go to changes of a single cell, before a quick look for more of them."""
SHARE_FOR_A_LOOK = 0.6
"""How much of what is left may go to that quick look."""
SHARE_TO_IMPROVE = 0.3
"""How much of the time what a quick look found may be improved."""


@dataclass(slots=True)
class Repair:
    """Hold what was found, and what was ruled out."""

    changes: dict[int, int] | None = None
    """The new region of each changed cell, by the old numbers; None if no repair was found."""
    excluded: int = 0
    """No repair changes this many cells or fewer: every such set of changes was ruled out."""
    boards: int = 0
    """How many boards were looked at."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Why those were no repairs: `several solutions`, `no solution`, `broken region`."""
    reason: Reason | None = None
    """Why the search ended early, if it did."""

    @property
    def is_fewest(self) -> bool:
        """Tell whether every smaller set of changes was ruled out."""
        return self.changes is not None and self.excluded == len(self.changes) - 1


def find_repair(puzzle: Puzzle, meter: Meter, *, max_boards: int = MAX_BOARDS, max_cells: int | None = None) -> Repair:
    """Look for the fewest changes that leave a board one solution; marks are left aside.

    The board must not have exactly one solution already. Where the budget ends the search, what a quick look found is
    returned, and `excluded` says what is known all the same.
    """
    return _Search(puzzle, meter, max_boards).run(max_cells)


class _Search:
    def __init__(self, puzzle: Puzzle, meter: Meter, max_boards: int) -> None:
        self.puzzle = puzzle
        self.meter = meter
        self.max_boards = max_boards
        self.borders = Borders(puzzle.size, puzzle.regions)
        self.found = Repair()

    def run(self, max_cells: int | None) -> Repair:
        """Try one cell; take a quick look; then two cells and so on, up to one less than what the look found."""
        found = self.found
        try:
            if self._one_is_enough():
                return found
            found.changes = near_repair(self.puzzle, self.borders, self.meter.part(fraction=SHARE_FOR_A_LOOK))
            self.meter.book(0)  # which ends all, if more than this part is spent
            self._improve()
            limit = self.puzzle.size**2 if found.changes is None else len(found.changes) - 1
            for cells in range(found.excluded + 1, (limit if max_cells is None else min(limit, max_cells)) + 1):
                changes = self._extend({}, set(), cells)
                if changes is not None:
                    found.changes = changes
                    break
                found.excluded = cells
        except LimitReached as limit_reached:
            found.reason = limit_reached.reason
        return found

    def _one_is_enough(self) -> bool:
        """Tell whether a single cell was found that repairs the board; where none does, that is noted."""
        whole = self.meter
        self.meter = whole.part(fraction=SHARE_FOR_ONE)
        try:
            self.found.changes = self._extend({}, set(), 1)
            self.found.excluded = 0 if self.found.changes else 1
        except LimitReached:
            whole.book(0)  # which ends all, if more than this part is spent
            self.found.outcomes.clear()  # they are tried again, all of them
        finally:
            self.meter = whole
        return self.found.changes is not None

    def _improve(self) -> None:
        """Replace any two changes by one, as long as that leads to a repair; this only lowers what is to be proved."""
        whole, boards, outcomes = self.meter, self.found.boards, self.found.outcomes.copy()
        self.meter = whole.part(fraction=SHARE_TO_IMPROVE)
        try:
            changes = self.found.changes
            while changes is not None and len(changes) > 1:
                self.found.changes = changes
                pairs = combinations(sorted(changes), 2)
                left = ({cell: new for cell, new in changes.items() if cell not in pair} for pair in pairs)
                changes = next((better for each in left if (better := self._extend(each, set(), 1)) is not None), None)
        except LimitReached:
            whole.book(0)  # which ends all, if more than this part is spent
        finally:
            self.meter, self.found.boards = whole, boards
            self.found.outcomes = outcomes

    def _extend(self, changes: dict[int, int], settled: set[int], left: int) -> dict[int, int] | None:
        """Return the first repair that makes exactly `left` changes more, beside the settled cells, or None."""
        regions = self.borders.with_changes(changes)
        if left == 0:
            return changes if self._is_repair(changes, regions) else None
        solutions = self._solutions(regions, SOLUTIONS_LOOKED_AT)
        settled = settled | set(changes)
        blamed = frozenset() if solutions else self._blamed(regions)
        for cell in self._cells_to_try(solutions, settled, left):
            is_free = not blamed or regions[cell] in blamed
            for region in self.borders.targets(cell, changes, left - 1):
                if not is_free and region not in blamed:
                    continue
                found = self._extend({**changes, cell: region}, settled, left - 1)
                if found is not None:
                    return found
            if is_free:  # else it may go to a region not to blame, beside another cell
                settled.add(cell)
        return None

    def _blamed(self, regions: tuple[int, ...]) -> frozenset[int]:
        """Return regions of which one has to gain or lose a cell before the board has a solution; if none, any may."""
        why = why_unsolvable(replace(self.puzzle, regions=regions, marks=UNKNOWN * len(regions)))
        return frozenset() if why is None else frozenset(why.regions)

    def _cells_to_try(self, solutions: list[tuple[int, ...]], settled: set[int], left: int) -> list[int]:
        """Return cells of which any repair changes one, in rising order of how little they promise."""
        if len(solutions) < 2:
            return [cell for cell in range(len(self.puzzle.regions)) if cell not in settled]
        shares = Counter(cell for solution in solutions for cell in solution if cell not in settled)
        to_hit = len(solutions) - 1
        most = shares.most_common()
        if sum(share for _, share in most[:left]) < to_hit:
            return []
        if left == 1:
            return [cell for cell, share in most if share >= to_hit]
        # One of any two solutions has to go: the two with the fewest stars between them leave the least to try.
        first = set(solutions[0]) - settled
        pair = min((first | (set(other) - settled) for other in solutions[1:]), key=len)
        return sorted(pair, key=lambda cell: (-shares[cell], cell))

    def _is_repair(self, changes: Mapping[int, int], regions: tuple[int, ...]) -> bool:
        if not self.borders.allow(changes, regions):
            self.found.outcomes["broken region"] += 1
            return False
        count = len(self._solutions(regions, 2))
        if count != 1:
            self.found.outcomes["several solutions" if count else "no solution"] += 1
        return count == 1

    def _solutions(self, regions: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
        """Return up to so many solutions of a board; all of them if they are fewer."""
        self.found.boards += 1
        if self.found.boards > self.max_boards:
            raise LimitReached(Reason(Cause.NODES, f"limit {self.max_boards} boards"))
        if self.found.boards % 256 == 0:
            self.meter.book(0)
        return solutions_of(self.puzzle, regions, most, self.meter)
