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
from collections.abc import Iterator
from itertools import chain, combinations, permutations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.arrays import longer_row
from solvent.engine.clauses import ClauseList
from solvent.harmony.checker.tiles import Tiles, live_group, play_forced
from solvent.harmony.checker.transitivity_kernel import Transitivity
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_cell
from solvent.proof.rup import refutation_violations

MAX_EVENTS = 200
"""Beyond this the clauses would not fit into memory; a certificate that asks for it is refused."""

MAX_CLAUSES = 32_000_000
"""The same, for boards so large that a few swaps reach many cells."""


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
    tiles = play_forced(board, body.forced)
    if isinstance(tiles, str):
        return [tiles]
    cells = {parse_cell(cell, board.rows, board.cols) for cell in body.component}
    if not cells or tiles[min(cells)][1] == 0 or live_group(tiles, min(cells), board.cols) != cells:
        return [f"{', '.join(body.component) or '(none)'} is not a live component of the board"]
    events = sum(tiles[cell][1] for cell in cells if tiles[cell][1] <= body.most_moves)
    if events > MAX_EVENTS:
        return [f"expected at most {MAX_EVENTS} swaps to follow, found {events}"]
    statements = Statements(tiles, sorted(cells), body.most_moves, board.cols)
    if statements.about_clauses() > MAX_CLAUSES:
        return [f"expected at most {MAX_CLAUSES:,} clauses, found about {statements.about_clauses():,}"]
    return refutation_violations(statements.formula(), body.proof, meter)


class Statements:
    """Write down what holds in every solution."""

    def __init__(self, tiles: Tiles, component: list[int], most_moves: int, cols: int) -> None:
        self.cells = len(tiles)
        self.followed = [cell for cell in component if tiles[cell][1] <= most_moves]
        self.all_followed = len(self.followed) == len(component)
        self.lines = {
            a: {b for b in component if a != b and (a // cols == b // cols or a % cols == b % cols)} for a in component
        }
        self.reachable: list[set[int]] = []
        """[instant]: the cells its tile can stand on."""
        self.events: list[tuple[int, int, int]] = []
        """Tile, and the instants before and after."""
        for tile in self.followed:
            first = len(self.reachable)
            self.reachable.extend(self.where(tile, *tiles[tile], cols))
            self.events.extend((tile, instant, instant + 1) for instant in range(first, len(self.reachable) - 1))

    def where(self, tile: int, colour: int, moves: int, cols: int) -> list[set[int]]:
        """Return the cells a tile can stand on after each of its swaps, if it is to end in its row."""
        reachable = [{tile}]
        for _ in range(moves):
            reachable.append(set().union(*(self.lines[cell] for cell in reachable[-1])))
        reachable[-1] = {cell for cell in reachable[-1] if cell // cols == colour}
        for number in range(moves - 1, -1, -1):
            reachable[number] = {cell for cell in reachable[number] if self.lines[cell] & reachable[number + 1]}
        return reachable

    def about_clauses(self) -> int:
        """Tell about how many clauses there will be."""
        shared = Counter(cell for cells in self.reachable for cell in cells)
        pairs = sum(len(cells) ** 2 for cells in self.reachable) + sum(count**2 for count in shared.values())
        exchanges = sum(len(self.reachable[earlier]) + len(self.reachable[later]) for _, earlier, later in self.events)
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

    def formula(self) -> ClauseList:
        """Gather all clauses."""
        variables = self.anonymous(len(self.events)) - 1
        few = ClauseList.of(
            chain(
                self.one_place_at_a_time(),
                self.along_lines(),
                self.own_order(),
                self.swaps(),
                self.one_tile_to_a_cell(),
            ),
            variables=variables,
        )
        return self.with_transitivity(few)

    def one_place_at_a_time(self) -> Iterator[list[int]]:
        """At each instant a tile stands on one of its cells, and not on two."""
        for instant, cells in enumerate(self.reachable):
            yield [self.stands(instant, cell) for cell in cells]
            for one, other in combinations(cells, 2):
                yield [-self.stands(instant, one), -self.stands(instant, other)]

    def along_lines(self) -> Iterator[list[int]]:
        """A swap takes a tile from a cell to another one in its row or column."""
        for _, earlier, later in self.events:
            for here, there in ((earlier, later), (later, earlier)):
                for cell in self.reachable[here]:
                    steps = self.reachable[there] & self.lines[cell]
                    yield [-self.stands(here, cell), *(self.stands(there, step) for step in steps)]

    def own_order(self) -> Iterator[list[int]]:
        """A tile's events happen one after the other."""
        for e, f in combinations(range(len(self.events)), 2):
            if self.events[e][0] == self.events[f][0]:
                yield [self.before(e, f)]
                yield [-self.before(f, e)]

    def with_transitivity(self, few: ClauseList) -> ClauseList:
        """Add: if e is no later than f and f no later than g, then e is no later than g."""
        events = len(self.events)
        triples = events * (events - 1) * (events - 2)
        length = len(few.literals) + 3 * triples
        literals = longer_row(few.literals, length)
        starts = longer_row(few.starts, len(few.starts) + triples)
        Transitivity(events, self.before(0, 0), literals, starts).write(len(few), len(few.literals))
        return ClauseList(literals[:length], starts, few.variables)

    def swaps(self) -> Iterator[list[int]]:
        """Two events of different tiles happen at once exactly if they are one swap; then the tiles exchange cells."""
        partners: list[list[int]] = [[] for _ in self.events]
        for e, f in combinations(range(len(self.events)), 2):
            (one, one_from, one_to), (other, other_from, other_to) = self.events[e], self.events[f]
            if one == other:
                continue
            if not self.can_swap(one_from, one_to, other_from, other_to):
                yield [-self.before(e, f), -self.before(f, e)]
                continue
            partners[e].append(self.same(e, f))
            partners[f].append(self.same(e, f))
            yield [-self.same(e, f), self.before(e, f)]
            yield [-self.same(e, f), self.before(f, e)]
            yield [self.same(e, f), -self.before(e, f), -self.before(f, e)]
            for here, there in ((one_from, other_to), (other_to, one_from), (one_to, other_from), (other_from, one_to)):
                for cell in self.reachable[here]:
                    if cell in self.reachable[there]:
                        yield [-self.same(e, f), -self.stands(here, cell), self.stands(there, cell)]
                    else:
                        yield [-self.same(e, f), -self.stands(here, cell)]
        for e, choices in enumerate(partners):
            yield choices if self.all_followed else [*choices, self.anonymous(e)]

    def can_swap(self, one_from: int, one_to: int, other_from: int, other_to: int) -> bool:
        """Tell whether two tiles can have exchanged cells: each can arrive where the other left, along one line."""
        return any(
            self.lines[cell] & self.reachable[one_to] & self.reachable[other_from]
            for cell in self.reachable[one_from] & self.reachable[other_to]
        )

    def one_tile_to_a_cell(self) -> Iterator[list[int]]:
        """If two tiles stand on the same cell, one leaves it no later than the other arrives."""
        arrival = {later: e for e, (_, _, later) in enumerate(self.events)}
        departure = {earlier: e for e, (_, earlier, _) in enumerate(self.events)}
        owner = {instant: tile for tile, *instants in self.events for instant in instants}
        for one, other in combinations(range(len(self.reachable)), 2):
            if owner[one] == owner[other]:
                continue
            one_after_the_other = [
                self.before(departure[leaving], arrival[coming])
                for leaving, coming in permutations((one, other))
                if leaving in departure and coming in arrival
            ]
            for cell in self.reachable[one] & self.reachable[other]:
                yield [-self.stands(one, cell), -self.stands(other, cell), *one_after_the_other]
