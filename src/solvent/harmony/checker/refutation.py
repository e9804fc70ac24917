"""Check a refutation: write down, clause by clause, what holds in every solution, and follow the proof that it cannot.

The statements are about the swaps of the followed tiles: those of one live component with at most `most_moves` moves.
A tile's swaps are its events, numbered tile by tile, and its instants are the times between them: before its first
swap, after its first, …, after its last. The tiles count in the order of their cells. With E events, I instants and
C cells on the board, the variables are, in this order:

    stands(instant, cell)   I × C of them: the instant's tile stands on that cell then
    before(e, f)            E × E: event e happens no later than event f
    same(e, f)              E × E: e and f are two halves of one swap; only e < f is used
    anonymous(e)            E: the other half of e belongs to a tile that is not followed

If the board has a solution, reading these off it satisfies every clause below. So if the clauses cannot all be
satisfied, there is no solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.arrays import SHORT, new_row
from solvent.engine.clauses import ClauseList
from solvent.harmony.checker.statements_kernel import StatementWriter
from solvent.harmony.checker.tiles import Tiles, live_groups, play_forced
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_cell
from solvent.proof.rup import refutation_violations

MAX_EVENTS = 200
"""Beyond this there would be too many clauses; a certificate that asks for it is refused."""

MAX_CLAUSES = 12_000_000
"""The same, for boards so large that a few swaps reach many cells. A few bytes can ask for this much: it takes some
seconds and the better part of a gigabyte."""


class Body(msgspec.Struct):
    """Hold the part of the certificate that is the refutation."""

    component: list[str]
    """The cells of the live component it is about."""
    most_moves: int
    """Tiles with more moves than this are not followed."""
    proof: str
    """A refutation in DRUP text."""
    forced: list[str] = []  # msgspec copies it
    """Forced swaps, played first."""


def check(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the proof does not refute the board, or an empty list."""
    body = msgspec.convert(certificate, Body)
    statements = make_statements(board, body, meter)
    if isinstance(statements, str):
        return [statements]
    return refutation_violations(statements.formula(meter), body.proof, meter)


def make_statements(board: Board, body: Body, meter: Meter = UNLIMITED) -> Statements | str:
    """Return what holds in every solution, or why there is no telling by this certificate."""
    tiles = play_forced(board, body.forced, meter)
    if isinstance(tiles, str):
        return tiles
    cells = frozenset(parse_cell(cell, board.rows, board.cols) for cell in meter.each(body.component))
    if not cells or live_groups(tiles, board.cols).get(min(cells)) != cells:
        return f"{', '.join(body.component) or '(none)'} is not a live component of the board"
    events = sum(tiles[cell][1] for cell in cells if tiles[cell][1] <= body.most_moves)
    if events > MAX_EVENTS:
        return f"expected at most {MAX_EVENTS} swaps to follow, found {events}"
    statements = Statements(tiles, sorted(cells), body.most_moves, board.cols, meter)
    clauses = statements.about_clauses()
    if clauses > MAX_CLAUSES:
        return f"expected at most {MAX_CLAUSES:,} clauses, found about {clauses:,}"
    return statements


class Statements:
    """Write down what holds in every solution."""

    def __init__(
        self, tiles: Tiles, component: list[int], most_moves: int, cols: int, meter: Meter = UNLIMITED
    ) -> None:
        self.cells = len(tiles)
        self.cols = cols
        self.followed = [cell for cell in component if tiles[cell][1] <= most_moves]
        self.all_followed = len(self.followed) == len(component)
        self.in_rows, self.in_columns = _lines(component, cols)
        self.reachable: list[int] = []
        """[instant]: the cells its tile can stand on, one bit each."""
        self.events: list[tuple[int, int, int]] = []
        """Tile, and the instants before and after."""
        for tile in meter.each(self.followed, every=1):
            first = len(self.reachable)
            self.reachable.extend(self.where(tile, *tiles[tile], meter))
            self.events.extend((tile, instant, instant + 1) for instant in range(first, len(self.reachable) - 1))

    def where(self, tile: int, colour: int, moves: int, meter: Meter) -> list[int]:
        """Return the cells a tile can stand on after each of its swaps, if it is to end in its row."""
        reachable = [1 << tile]
        for _ in meter.each(range(moves), every=10):
            reachable.append(self.one_step_from(reachable[-1]))
        reachable[-1] &= self.in_rows.get(colour, 0)
        for number in meter.each(range(moves - 1, -1, -1), every=10):
            reachable[number] &= self.one_step_from(reachable[number + 1])
        return reachable

    def one_step_from(self, cells: int) -> int:
        """Return the cells of the component that share a row or a column with another cell that is one of these."""
        reached = 0
        for line in (*self.in_rows.values(), *self.in_columns.values()):
            inside = cells & line
            if inside:
                reached |= line if inside & (inside - 1) else line & ~inside  # a single cell does not reach itself
        return reached

    def about_clauses(self) -> int:
        """Tell about how many clauses there will be."""
        shared = Counter(cell for cells in self.reachable for cell in _members(cells))
        sizes = [cells.bit_count() for cells in self.reachable]
        pairs = sum(size**2 for size in sizes) + sum(count**2 for count in shared.values())
        exchanges = sum(sizes[earlier] + sizes[later] for _, earlier, later in self.events)
        return pairs // 2 + len(self.events) * exchanges + len(self.events) ** 3

    def stands(self, instant: int, cell: int) -> int:
        """Number a variable."""
        return 1 + instant * self.cells + cell

    def before(self, e: int, f: int) -> int:
        """Number a variable."""
        return 1 + len(self.reachable) * self.cells + e * len(self.events) + f

    def same(self, e: int, f: int) -> int:
        """Number a variable."""
        return self.before(min(e, f), max(e, f)) + len(self.events) ** 2

    def anonymous(self, e: int) -> int:
        """Number a variable."""
        return self.before(0, 0) + 2 * len(self.events) ** 2 + e

    def formula(self, meter: Meter = UNLIMITED) -> ClauseList:
        """Gather all clauses: count them, and write them into memory of that size."""
        writer = self._writer(meter)
        self._go_through(writer, meter)
        clauses, length = writer.clause_count, writer.literal_count
        meter.require_memory((8 * clauses + 4 * length) / 1e6, "writing down the clauses")
        literals, starts = new_row(length, SHORT), new_row(clauses + 1)
        writer.begin_writing(literals, starts)
        self._go_through(writer, meter)
        return ClauseList(literals[:length], starts, self.anonymous(len(self.events)) - 1)

    def _writer(self, meter: Meter) -> StatementWriter:
        owners = [0] * len(self.reachable)
        for tile, earlier, later in self.events:
            owners[earlier] = owners[later] = tile
        earlier_instants = [earlier for _, earlier, _ in self.events]
        writer = StatementWriter(self.cells, self.cols, self.all_followed, owners, earlier_instants)
        for instant, cells in enumerate(meter.each(self.reachable, every=10)):
            writer.set_places(instant, list(_members(cells)))
        for e in meter.each(range(len(self.events)), every=1):
            for f in range(e + 1, len(self.events)):
                (one, *first), (other, *second) = self.events[e], self.events[f]
                if one != other and self.can_swap(*first, *second):
                    writer.set_swap(e, f)
        return writer

    def _go_through(self, writer: StatementWriter, meter: Meter) -> None:
        """Count the clauses, or write them, with a look at the clock after each event and instant."""
        for statement, numbers in self.statements(writer):
            for number in meter.each(numbers, every=1):
                statement(number)

    def statements(self, writer: StatementWriter) -> list[tuple[Callable[[int], None], range]]:
        """Return what writes down each kind of statement, in order, and the instants or events it is about."""
        events, instants = range(len(self.events)), range(len(self.reachable))
        return [
            (writer.one_place_at_a_time, instants),
            (writer.along_lines, events),
            (writer.own_order, events),
            (writer.swaps, events),
            (writer.has_partner, events),
            (writer.one_tile_to_a_cell, instants),
            (writer.transitive_order, events),
        ]

    def can_swap(self, one_from: int, one_to: int, other_from: int, other_to: int) -> bool:
        """Tell whether two tiles can have exchanged cells: each can arrive where the other left, along one line."""
        left = self.reachable[one_from] & self.reachable[other_to]
        arrived = self.reachable[one_to] & self.reachable[other_from]
        return left != 0 and arrived & self.one_step_from(left) != 0


def _lines(component: list[int], cols: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the cells of a component in each row and in each column, one bit each."""
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    for cell in component:
        row, column = divmod(cell, cols)
        rows[row] = rows.get(row, 0) | 1 << cell
        columns[column] = columns.get(column, 0) | 1 << cell
    return rows, columns


def _members(cells: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    for number, bit in enumerate(reversed(f"{cells:b}")):
        if bit == "1":
            yield number
