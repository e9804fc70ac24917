"""The sound invalidity tests, one small class each, and the count a search keeps of them.

A test is an object with a name, a reason and one method, `fires`. The depth-first search calls that method in C,
millions of times; `is_invalid` calls the same one on a board. "Live" is a cell whose tile has moves left; any other
cell is closed for ever, since its tile never leaves.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence

import cython

from solvent.harmony.model import Board

if cython.compiled:
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
else:
    from solvent.harmony.invalidity.position_kernel import Position


@cython.cclass
class HarmonyTest:
    """Recognise some boards that cannot be solved. The fields are described in `tests_kernel.pxd`."""

    def __init__(self, name: str, reason: str, sound: bool = True) -> None:
        self.name = name
        self.reason = reason
        self.sound = sound

    def __repr__(self) -> str:
        return f"<HarmonyTest {self.name}>"

    def is_invalid(self, board: Board, /) -> bool:
        """Tell whether the test proves the board unsolvable."""
        return bool(self.fires(Position(board.rows, board.cols, board.colours, board.moves)))

    def fires(self, position: Position) -> cython.bint:  # noqa: ARG002  (each test has its own)
        """Tell whether the test proves the position unsolvable. When in doubt, False."""
        return False


@cython.final
@cython.cclass
class CountedTest:
    """Run a test and those after it until one fires, and count. The fields are described in `tests_kernel.pxd`."""

    def __init__(self, test: HarmonyTest, following: CountedTest | None) -> None:
        self.test = test
        self.following = following
        self.calls = 0
        self.hits = 0

    def is_invalid(self, position: Position) -> bool:
        """Tell whether any test proves the position unsolvable."""
        return bool(self.any_fires(position))

    def repeat(self, position: Position, times: cython.longlong) -> int:
        """Call only the first test so many times, uncounted, to measure what one call takes; returns its hits."""
        hits: cython.longlong = 0
        with cython.nogil:
            for _ in range(times):
                if self.test.fires(position):
                    hits += 1
        return hits

    def any_fires(self, position: Position) -> cython.bint:
        """Run the tests in order until one fires."""
        self.calls += 1
        if self.test.fires(position):
            self.hits += 1
            return True
        return self.following is not None and self.following.any_fires(position)


def chain_tests(tests: Sequence[HarmonyTest]) -> CountedTest | None:
    """Return a fresh count for tests in their order, or None if there are none."""
    first: CountedTest | None = None
    for test in reversed(tests):
        first = CountedTest(test, first)
    return first


@cython.final
@cython.cclass
class WrongRowZeroMoves(HarmonyTest):
    """A tile without moves stands in a row that is not its own."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a tile that can no longer move and is not home."""
        cell: cython.longlong = 0
        for row in range(position.rows):
            for _ in range(position.cols):
                if position.moves[cell] == 0 and position.colours[cell] != row:
                    return True
                cell += 1
        return False


WRONG_ROW_ZERO_MOVES = WrongRowZeroMoves(
    "WrongRowZeroMoves",
    "A tile with no moves left never moves again, and this one stands in a row that is not its colour's.",
)


@cython.final
@cython.cclass
class BlockedSwap(HarmonyTest):
    """A tile's last move must bring it home, and the cell it needs is closed."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a tile with one move, not home, whose place in its own row and column is closed."""
        cell: cython.longlong = 0
        for row in range(position.rows):
            for col in range(position.cols):
                home = position.colours[cell]
                if (
                    position.moves[cell] == 1
                    and home != row
                    and home < position.rows
                    and position.moves[home * position.cols + col] == 0
                ):
                    return True
                cell += 1
        return False


BLOCKED_SWAP = BlockedSwap(
    "BlockedSwap",
    "A tile with one move left that is not home must spend it on a swap along its column, into its own row. "
    "The tile on that cell has no moves left, so it stays there for ever.",
)


@cython.final
@cython.cclass
class StuckTile(HarmonyTest):
    """A finished row in which exactly one tile has one move left."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a row whose tiles are all home with no moves left, but for one that has one."""
        for row in range(position.rows):
            total: cython.longlong = 0
            home: cython.bint = True
            for cell in range(row * position.cols, (row + 1) * position.cols):
                if position.colours[cell] != row:
                    home = False
                    break
                total += position.moves[cell]
            if home and total == 1:
                return True
        return False


STUCK_TILE = StuckTile(
    "StuckTile",
    "The tile's one move has no partner in its row, and a swap along the column would leave it, "
    "out of moves, in a row that is not its own.",
)


@cython.final
@cython.cclass
class StuckTiles(HarmonyTest):
    """A finished row in which an odd number of tiles have one move left each."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a row whose tiles are all home, with at most one move each and an odd number of moves together."""
        for row in range(position.rows):
            total: cython.longlong = 0
            settled: cython.bint = True
            for cell in range(row * position.cols, (row + 1) * position.cols):
                if position.colours[cell] != row or position.moves[cell] > 1:
                    settled = False
                    break
                total += position.moves[cell]
            if settled and total % 2 == 1:
                return True
        return False


STUCK_TILES = StuckTiles(
    "StuckTiles",
    "A tile that left the row would be out of moves elsewhere, so none leaves and no other tile gets in. "
    "The moves must be used up in pairs inside the row, and their number is odd.",
)


@cython.final
@cython.cclass
class IsolatedTile(HarmonyTest):
    """A tile has moves left and no other tile to swap with."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a live cell that is the only one in its row and in its column."""
        for row in range(position.rows):
            live: cython.longlong = 0
            place: cython.longlong = -1
            for cell in range(row * position.cols, (row + 1) * position.cols):
                if position.moves[cell] > 0:
                    live += 1
                    place = cell
            if live == 1 and alone_in_column(position, place):
                return True
        return False


ISOLATED_TILE = IsolatedTile(
    "IsolatedTile",
    "Tiles without moves never move, so every other cell in this tile's row and column stays closed: "
    "it can neither move nor be joined, and its moves are never used up.",
)


@cython.final
@cython.cclass
class Stalemate(HarmonyTest):
    """No swap is legal and the board is not solved."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find out that no two live cells share a row or column, though the board is not solved."""
        some_live: cython.bint = False
        for row in range(position.rows):
            live: cython.longlong = 0
            for cell in range(row * position.cols, (row + 1) * position.cols):
                if position.moves[cell] > 0:
                    live += 1
                    if live > 1 or not alone_in_column(position, cell):
                        return False
                    some_live = True
        return some_live or not position.is_home()


STALEMATE = Stalemate(
    "Stalemate",
    "The board is not solved and no swap is legal, so it stays as it is.",
)


@cython.final
@cython.cclass
class LiveParity(HarmonyTest):
    """A live component's moves cannot be used up in pairs."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a component whose moves are odd in number, or where one tile has more than all the others together."""
        position.group_rows()
        for group in range(position.rows):
            total: cython.longlong = 0
            most: cython.longlong = 0
            for row in range(position.rows):
                if position.group_of_row[row] == group:
                    for cell in range(row * position.cols, (row + 1) * position.cols):
                        total += position.moves[cell]
                        most = max(most, position.moves[cell])
            if total % 2 == 1 or 2 * most > total:
                return True
        return False


LIVE_PARITY = LiveParity(
    "LiveParity",
    "Each swap uses up two moves inside one live component, and no tile swaps with itself. "
    "So each component's moves are even in number, and no tile has more than all the others there together.",
)


@cython.final
@cython.cclass
class LiveColours(HarmonyTest):
    """A live component does not hold the tiles it needs."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a component that does not hold as many tiles of a colour as it has cells in that colour's row."""
        position.group_rows()
        for row in range(position.rows):
            position.balance[row] = 0
        for group in range(position.rows):
            for row in range(position.rows):
                if position.group_of_row[row] == group:
                    for cell in range(row * position.cols, (row + 1) * position.cols):
                        if position.moves[cell] == 0:
                            continue
                        if position.colours[cell] >= position.rows:
                            return True
                        position.balance[position.colours[cell]] += 1
                        position.balance[row] -= 1
            for row in range(position.rows):
                if position.balance[row] != 0:
                    return True
        return False


LIVE_COLOURS = LiveColours(
    "LiveColours",
    "Tiles never leave their live component, and in the end each cell of it holds a tile of its row's colour. "
    "So the component must hold exactly as many tiles of each colour as it has cells in that colour's row.",
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def alone_in_column(position: Position, cell: cython.longlong) -> cython.bint:
    """Tell whether no other cell in the column of a cell is live."""
    other = cell % position.cols
    while other < position.cells:
        if other != cell and position.moves[other] > 0:
            return False
        other += position.cols
    return True
