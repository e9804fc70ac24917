"""The layered encoding: a formula with a clock, kept as a second opinion.

Time is cut into layers. In each layer any number of disjoint swaps happen at once. A plan of K swaps fits into K
layers, so with that many the formula is exact; fewer layers are tried first, because a plan often fits.
To have one form of each plan, a swap after the first layer must touch a cell that the layer before touched: otherwise
it could have happened earlier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.clauses import ClauseList
from solvent.engine.sat import SatSolver
from solvent.harmony.model import Board, Swap
from solvent.harmony.rules import aligned_pairs
from solvent.harmony.solver.formula_account import pay_for_clauses, solve_formula

MAX_CLAUSES = 4_000_000
"""A formula with more would take gigabytes and minutes to write."""


class LayersResult(Struct, frozen=True):
    """Hold a plan, or that there is none, or why it stopped."""

    plan: tuple[Swap, ...] | None
    impossible: bool
    """True when not even as many layers as swaps were enough."""
    reason: Reason | None
    layers: int


def decide_by_layers(board: Board, meter: Meter, *, listen: Listener = ignore) -> LayersResult:
    """Look for a plan with more and more layers. One clause is one node, a conflict of the SAT solver many."""
    layers = min(board.swaps, max(board.moves) + 2)
    while True:
        listen(Event(Kind.STAGE, f"looking for a plan in {layers} layers", meter.nodes))
        about = about_clauses(board, layers)
        reason = meter.stop_reason()
        if reason is None and about > MAX_CLAUSES:
            reason = Reason(Cause.MEMORY, f"{layers} layers take about {about:,} clauses")
        reason = reason or pay_for_clauses(about, meter, f"writing {layers} layers")
        if reason is not None:
            return LayersResult(None, False, reason, layers)
        formula = _LayeredFormula(board, layers)
        clauses = ClauseList.of(meter.each(formula.clauses()), variables=formula.variables)
        with SatSolver(clauses, with_proof=False) as solver:
            reason = solve_formula(solver, meter, listen=listen)
            if solver.verdict:
                return LayersResult(formula.read_plan(solver.model()), False, None, layers)
        if reason is not None or layers == board.swaps:
            return LayersResult(None, reason is None, reason, layers)
        layers = min(board.swaps, layers + 2 + layers // 4)


def about_clauses(board: Board, layers: int) -> int:
    """Return about how many clauses a formula has, without writing it."""
    cells, most = board.rows * board.cols, max(board.moves)
    pairs = cells * (board.rows + board.cols - 2) // 2
    swaps = 2 * pairs * (board.rows + 2 * most) + cells * (board.rows + board.cols) ** 2 // 2
    return layers * (swaps + 2 * cells * (board.rows + most))


class _LayeredFormula:
    """Number the variables and write the clauses."""

    def __init__(self, board: Board, layers: int) -> None:
        self.board, self.layers = board, layers
        self.cells = range(board.rows * board.cols)
        self.rows = range(board.rows)
        self.most = max(board.moves)
        self.pairs = sorted(aligned_pairs(board.rows, board.cols))
        cells = len(self.cells)
        self._moves_base = (layers + 1) * cells * board.rows
        self._swap_base = self._moves_base + (layers + 1) * cells * self.most
        self._touched_base = self._swap_base + layers * len(self.pairs)
        self.variables = self._touched_base + layers * cells

    def colour(self, layer: int, cell: int, colour: int) -> int:
        """The tile on the cell before the layer has this colour."""
        return 1 + (layer * len(self.cells) + cell) * self.board.rows + colour

    def moves(self, layer: int, cell: int, least: int) -> int:
        """The tile on the cell before the layer has at least this many moves left, 1 or more."""
        return self._moves_base + (layer * len(self.cells) + cell) * self.most + least

    def swap(self, layer: int, pair: int) -> int:
        """The pair of cells is swapped in the layer."""
        return 1 + self._swap_base + layer * len(self.pairs) + pair

    def touched(self, layer: int, cell: int) -> int:
        """The cell is part of a swap in the layer."""
        return 1 + self._touched_base + layer * len(self.cells) + cell

    def clauses(self) -> Iterator[list[int]]:
        yield from self._ends()
        for layer in range(self.layers + 1):
            yield from self._tiles(layer)
        for layer in range(self.layers):
            yield from self._untouched_cells(layer)
            yield from self._swaps(layer)

    def _ends(self) -> Iterator[list[int]]:
        board, cols = self.board, self.board.cols
        for cell in self.cells:
            for colour in self.rows:
                yield [self.colour(0, cell, colour) * (1 if board.colours[cell] == colour else -1)]
            for least in range(1, self.most + 1):
                yield [self.moves(0, cell, least) * (1 if board.moves[cell] >= least else -1)]
            yield [self.colour(self.layers, cell, cell // cols)]
            yield [-self.moves(self.layers, cell, 1)]

    def _tiles(self, layer: int) -> Iterator[list[int]]:
        for cell in self.cells:
            yield [self.colour(layer, cell, colour) for colour in self.rows]
            for one, other in combinations(self.rows, 2):
                yield [-self.colour(layer, cell, one), -self.colour(layer, cell, other)]
            for least in range(1, self.most):
                yield [-self.moves(layer, cell, least + 1), self.moves(layer, cell, least)]
            yield [self.moves(layer, cell, 1), self.colour(layer, cell, cell // self.board.cols)]

    def _untouched_cells(self, layer: int) -> Iterator[list[int]]:
        for cell in self.cells:
            touched = self.touched(layer, cell)
            kept = [(self.colour(layer, cell, c), self.colour(layer + 1, cell, c)) for c in self.rows]
            kept += [(self.moves(layer, cell, n), self.moves(layer + 1, cell, n)) for n in range(1, self.most + 1)]
            for now, then in kept:
                yield [touched, -now, then]
                yield [touched, now, -then]

    def _swaps(self, layer: int) -> Iterator[list[int]]:
        incident: list[list[int]] = [[] for _ in self.cells]
        for number, (a, b) in enumerate(self.pairs):
            swap = self.swap(layer, number)
            incident[a].append(swap)
            incident[b].append(swap)
            for here, there in ((a, b), (b, a)):
                yield [-swap, self.moves(layer, here, 1)]
                for colour in self.rows:
                    yield [-swap, -self.colour(layer, here, colour), self.colour(layer + 1, there, colour)]
                for least in range(1, self.most):
                    now, then = self.moves(layer, here, least + 1), self.moves(layer + 1, there, least)
                    yield [-swap, -now, then]
                    yield [-swap, now, -then]
                yield [-swap, -self.moves(layer + 1, there, self.most)]
            if layer > 0:
                yield [-swap, self.touched(layer - 1, a), self.touched(layer - 1, b)]
        for cell, swaps in enumerate(incident):
            yield [-self.touched(layer, cell), *swaps]
            for swap in swaps:
                yield [-swap, self.touched(layer, cell)]
            for one, other in combinations(swaps, 2):
                yield [-one, -other]

    def read_plan(self, model: Sequence[int]) -> tuple[Swap, ...]:
        """Return the swaps of a satisfying assignment, layer by layer."""
        return tuple(
            pair
            for layer in range(self.layers)
            for number, pair in enumerate(self.pairs)
            if model[self.swap(layer, number)]
        )
