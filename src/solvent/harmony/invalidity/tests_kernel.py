"""What an invalidity test is, and the chain of them that a search asks and counts.

A test is an object with a name, a reason and one method, `fires`. The depth-first search calls that method in C,
millions of times; `is_invalid` calls the same one on a board. `fires_after` may look at less: it is asked only about
boards one swap after a board on which the test was silent. Tests that users write in Python join through `PythonTest`.
The built-in ones are in the package `builtin`, a file each.

"Live" is a cell whose tile has moves left; any other cell is closed for ever, since its tile never leaves.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence

import cython

from solvent.core.pruning import ask_test
from solvent.harmony.model import Board

if cython.compiled:
    from cython.cimports.solvent.engine.clock import nanoseconds
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
else:
    from solvent.engine.clock import nanoseconds
    from solvent.harmony.invalidity.position_kernel import Position

UNKNOWN_COST = 1000
"""The cost of a test that does not say: one of a user."""
CLOCK_LOOKS = 50
"""How often the clock is looked at to find out how long that takes."""


@cython.cclass
class HarmonyTest:
    """Recognise some boards that cannot be solved. The fields are described in `tests_kernel.pxd`."""

    def __init__(
        self, name: str, reason: str, sound: bool = True, cost: cython.longlong = UNKNOWN_COST, superseded_by: str = ""
    ) -> None:
        self.name = name
        self.reason = reason
        self.sound = sound
        self.cost = cost
        self.superseded_by = superseded_by

    def __repr__(self) -> str:
        return f"<HarmonyTest {self.name}>"

    def is_invalid(self, board: Board, /) -> bool:
        """Tell whether the test proves the board unsolvable."""
        return bool(self.fires(Position(board.rows, board.cols, board.colours, board.moves)))

    def is_invalid_position(self, position: Position, /) -> bool:
        """Tell the same of a position whose counts are up to date."""
        return bool(self.fires(position))

    def is_invalid_after(self, position: Position, a: int, b: int, /) -> bool:
        """Tell the same after a swap of two cells, if the test was silent before it."""
        return bool(self.fires_after(position, a, b))

    def fires(self, position: Position) -> cython.bint:  # noqa: ARG002  (each test has its own)
        """Tell whether the test proves the position unsolvable. When in doubt, False."""
        return False

    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:  # noqa: ARG002
        """Tell the same, where a swap of two cells has just been played and the test was silent before it."""
        return self.fires(position)


@cython.final
@cython.cclass
class PythonTest(HarmonyTest):
    """Ask a test that a user wrote in Python. It is never trusted to prove anything."""

    def __init__(self, test: object, palette: tuple[str, ...]) -> None:
        HarmonyTest.__init__(self, test.name, test.reason)
        self.test = test
        self.palette = palette
        self.error = None

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Show the test the board. What it raises is kept for who runs the search to raise again."""
        fired: cython.bint = False
        with cython.gil:
            if self.error is None:
                try:
                    board = Board(position.rows, position.cols, self.palette, *position.tiles())
                    fired = ask_test(self.test, board)
                except BaseException as error:
                    self.error = error
        return fired


@cython.final
@cython.cclass
class CountedTest:
    """Run a test and those after it until one fires; count, and time. The fields stand in `tests_kernel.pxd`."""

    def __init__(
        self, test: HarmonyTest, following: CountedTest | None, time_every: int, first_depth: int, only_affected: bool
    ) -> None:
        self.test = test
        self.following = following
        self.calls = 0
        self.hits = 0
        self.timed = 0
        self.nanoseconds = 0
        self.time_every = time_every
        self.until_timed = 1
        self.first_depth = first_depth
        self.only_affected = only_affected
        least: cython.longlong = 1_000_000
        for _ in range(CLOCK_LOOKS if following is None else 0):
            began = nanoseconds()
            least = min(least, nanoseconds() - began)
        self.clock_takes = least if following is None else following.clock_takes

    def is_invalid(self, position: Position) -> bool:
        """Tell whether any test proves the position unsolvable, where no swap has been played yet."""
        return bool(self.any_fires(position))

    def repeat(self, position: Position, times: cython.longlong) -> int:
        """Call only the first test so many times, uncounted, to measure what one call takes; returns its hits."""
        hits: cython.longlong = 0
        with cython.nogil:
            for _ in range(times):
                if self.test.fires(position):
                    hits += 1
        return hits

    def repeat_after(self, position: Position, a: cython.longlong, b: cython.longlong, times: cython.longlong) -> int:
        """Do the same for what the search calls after a swap."""
        hits: cython.longlong = 0
        with cython.nogil:
            for _ in range(times):
                if self.test.fires_after(position, a, b):
                    hits += 1
        return hits

    def any_fires(self, position: Position) -> cython.bint:
        """Run the tests in order until one fires; each looks at the whole board."""
        if self.first_depth == 0 and self.fires_now(position, -1, -1):
            return True
        return self.following is not None and self.following.any_fires(position)

    def any_fires_after(
        self, position: Position, a: cython.longlong, b: cython.longlong, depth: cython.longlong
    ) -> cython.bint:
        """Run the tests in order until one fires, after a swap that made the line `depth` swaps long.

        Only what the swap affected needs a look if the test was asked about the board before, and was silent.
        """
        if depth >= self.first_depth:
            if self.only_affected and depth > self.first_depth:
                if self.fires_now(position, a, b):
                    return True
            elif self.fires_now(position, -1, -1):
                return True
        return self.following is not None and self.following.any_fires_after(position, a, b, depth)

    def fires_now(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Call the test, count, and time the call if it is its turn. Without cells, it looks at the whole board."""
        self.calls += 1
        began: cython.longlong = 0
        self.until_timed -= 1
        if self.until_timed == 0:
            began = nanoseconds()
        fired = self.test.fires(position) if a < 0 else self.test.fires_after(position, a, b)
        if self.until_timed == 0:
            self.nanoseconds += max(0, nanoseconds() - began - self.clock_takes)
            self.timed += 1
            self.until_timed = self.time_every
        if fired:
            self.hits += 1
        return fired


def chain_tests(
    tests: Sequence[HarmonyTest],
    time_every: int = 1,
    only_affected: bool = True,
    first_depths: Sequence[int] = (),
) -> CountedTest | None:
    """Return a fresh count for tests in their order, or None if there are none.

    `first_depths` are the depths from which each is asked; from the start, if not given. Tests whose cost is not known
    are timed at every call.
    """
    first: CountedTest | None = None
    for number in range(len(tests) - 1, -1, -1):
        depth = first_depths[number] if first_depths else 0
        every = 1 if tests[number].cost >= UNKNOWN_COST else time_every
        first = CountedTest(tests[number], first, every, depth, only_affected)
    return first
