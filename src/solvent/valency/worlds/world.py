"""A world without end, chunk by chunk: what stands in a chunk depends on rules, seed and coordinates alone.

A chunk is made in three layers. First each chunk is filled between its seams, which are strips of a library (see
`seams`). Then the middle of each seam is drawn again, together with a few cells on both sides, while what is around
that stays; then the crossings of seams in the same way. What stood there before always fits, so nothing can fail, and
in the end no cell is left of the strips that the library repeats. No layer looks further than one chunk, so any chunk
can be made alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from msgspec import Struct

from solvent.core.answer import Certificate
from solvent.core.budget import Budget
from solvent.core.errors import CertificateRejected, LimitReached
from solvent.valency.checker.world_chunk import ChunkChecker
from solvent.valency.model import Staging
from solvent.valency.worlds.again import Rim, plan_redraws
from solvent.valency.worlds.between import ChunkFiller
from solvent.valency.worlds.blocks import Block
from solvent.valency.worlds.chunk_task import Cells, ChunkTask
from solvent.valency.worlds.seams import ACROSS_AGAIN, CROSSING, DOWN_AGAIN, FILL, SeamLibrary, draw

KEPT = 2_048
"""How many parts of each layer are kept in case a neighbour needs them: memory does not grow beyond that."""
KEPT_CELLS = 16_000_000
"""How many cells those have together, at most."""

FILL_BUDGET = Budget(nodes=400_000)
"""How hard it is tried to fill a part by its seed; a fill is at hand where that is not enough, which nearly never is.
Counted in nodes, so that it is the same everywhere."""

Place = tuple[int, int]
"""Column and row of a chunk."""
Part = TypeVar("Part")


class Chunk(Struct, frozen=True, eq=False):
    """Hold one chunk of a world."""

    x: int
    """Its column among chunks; negative to the left of the first."""
    y: int
    """Its row among chunks."""
    modules: Cells
    """The module on each cell, by its number in the rules, shape (floors, rows, columns)."""

    @property
    def rows(self) -> list[list[int]]:
        """Return the modules of the lowest floor, row by row."""
        rows: list[list[int]] = self.modules[0].tolist()
        return rows

    def tobytes(self) -> bytes:
        """Return its modules as bytes, two for each, the lower one first: the same wherever it is made."""
        return self.modules.astype("<i2").tobytes()


class World:
    """Make chunks of a world."""

    def __init__(self, task: ChunkTask, library: SeamLibrary, seed: int) -> None:
        """Take what each chunk keeps to, seams that were proved for it, and where choices come from."""
        self.task = task
        self.library = library
        self.seed = seed
        self.stats = {"fills": 0}
        """How many parts were filled."""
        self._filler = ChunkFiller(task)
        kept = max(16, min(KEPT, KEPT_CELLS // (task.width * task.height * task.depth)))
        self._first: _Kept[Cells] = _Kept(self._fill_between, kept)
        self._down: _Kept[Cells] = _Kept(self._draw_down, kept)
        self._across: _Kept[Cells] = _Kept(self._draw_across, kept)
        self._crossing: _Kept[Cells] = _Kept(self._draw_crossing, kept)

    def chunk(self, x: int, y: int) -> Chunk:
        """Make the chunk in a column and row, from nothing but its coordinates."""
        cells = self._first(x, y).copy()
        if self.rims is not None:
            width, height = self.task.width, self.task.height
            for i, j in ((0, 0), (1, 0)):
                self.rims.down.put(cells, self._down(x + i, y + j), (i * width, j * height))
            for i, j in ((0, 0), (0, 1)):
                self.rims.across.put(cells, self._across(x + i, y + j), (i * width, j * height))
            for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
                self.rims.crossing.put(cells, self._crossing(x + i, y + j), (i * width, j * height))
        return Chunk(x, y, cells)

    def chunks(self, at: Place, size: Place) -> Iterator[Chunk]:
        """Make so many columns and rows of chunks, row by row, from the one at the upper left."""
        yield from self.visit((at[0] + i, at[1] + j) for j in range(size[1]) for i in range(size[0]))

    def visit(self, places: Iterable[Place]) -> Iterator[Chunk]:
        """Make chunks in any order; there is no end to how many."""
        return (self.chunk(x, y) for x, y in places)

    @property
    def proof(self) -> tuple[Staging, Certificate]:
        """Return what proves that every chunk can be made: a task and a certificate that it can be filled."""
        return self.task.on_torus(*self.library.period), self.library.certificate()

    def check(self, x: int, y: int) -> None:
        """Have the checker look at a chunk and at its seams; raises CertificateRejected if anything is wrong."""
        violations = self._checker.violations(self.with_rim(x, y))
        if violations:
            raise CertificateRejected(violations)

    @cached_property
    def _checker(self) -> ChunkChecker:
        return ChunkChecker(self.task.staging)

    def with_rim(self, x: int, y: int, rows: int = 1, columns: int = 1) -> Cells:
        """Return a chunk with so many rows and columns of its neighbours on each side."""
        depth, height, width = self.task.shape
        wide = np.empty((depth, 3 * height, 3 * width), dtype=np.int16)
        for j in range(3):
            for i in range(3):
                part = self.chunk(x + i - 1, y + j - 1).modules
                wide[:, j * height : (j + 1) * height, i * width : (i + 1) * width] = part
        return wide[:, height - rows : 2 * height + rows, width - columns : 2 * width + columns].copy()

    # The layers

    @cached_property
    def rims(self) -> _Rims | None:
        """Which cells are drawn again; None where chunks are too small for that."""
        plan = plan_redraws(self.task.width, self.task.height)
        return None if plan is None else _Rims(*(_Redraw(self.task, rim) for rim in plan))

    def _fill_between(self, x: int, y: int) -> Cells:
        """Fill a chunk between its seams; there is always a fill, the library has one."""
        four = self.library.around(self.seed, x, y)
        self.stats["fills"] += 1
        try:
            found = self._filler.fill(self.library, four, draw(self.seed, FILL, x, y), FILL_BUDGET.start())
        except LimitReached:
            return self.library.fills[four]
        if found is None:
            raise AssertionError(f"the seams {four} were proved to have a fill between them")
        return found

    def _draw_down(self, x: int, y: int) -> Cells:
        assert self.rims is not None
        return self._draw_again(self.rims.down, self._first, DOWN_AGAIN, x, y)

    def _draw_across(self, x: int, y: int) -> Cells:
        assert self.rims is not None
        return self._draw_again(self.rims.across, self._first, ACROSS_AGAIN, x, y)

    def _draw_crossing(self, x: int, y: int) -> Cells:
        assert self.rims is not None
        return self._draw_again(self.rims.crossing, self._with_seams, CROSSING, x, y)

    def _with_seams(self, x: int, y: int) -> Cells:
        """Return a chunk as it is before its crossings are drawn again."""
        assert self.rims is not None
        cells = self._first(x, y).copy()
        width, height = self.task.width, self.task.height
        for i in (0, 1):
            self.rims.down.put(cells, self._down(x + i, y), (i * width, 0))
            self.rims.across.put(cells, self._across(x, y + i), (0, i * height))
        return cells

    def _draw_again(self, redraw: _Redraw, before: Callable[[int, int], Cells], what: int, x: int, y: int) -> Cells:
        """Return the cells of a rectangle around a seam or crossing, drawn again where that is possible."""
        stood = redraw.gather(before, x, y)
        self.stats["fills"] += 1
        return redraw.draw(stood, draw(self.seed, what, x, y))


class _Redraw:
    """Draw one kind of rectangle again, its frame staying as it is."""

    def __init__(self, task: ChunkTask, rim: Rim) -> None:
        self.task = task
        self.rim = rim
        self.block = Block(task, rim.width, rim.height)
        rows = np.arange(rim.top, rim.top + rim.height)
        columns = np.arange(rim.left, rim.left + rim.width)
        self.allowed = task.allowed[:, rows[:, None] % task.height, columns % task.width]
        self._chunks = sorted(
            {(c, r) for c in (columns // task.width).tolist() for r in (rows // task.height).tolist()}
        )

    def gather(self, before: Callable[[int, int], Cells], x: int, y: int) -> Cells:
        """Return what stands in the rectangle of a seam, from the chunks that it lies in."""
        stood = np.empty(self.block.shape, dtype=np.int16)
        rim = self.rim
        for c, r in self._chunks:
            left, top = c * self.task.width, r * self.task.height
            x0, x1 = max(rim.left, left), min(rim.left + rim.width, left + self.task.width)
            y0, y1 = max(rim.top, top), min(rim.top + rim.height, top + self.task.height)
            part = before(x + c, y + r)[:, y0 - top : y1 - top, x0 - left : x1 - left]
            stood[:, y0 - rim.top : y1 - rim.top, x0 - rim.left : x1 - rim.left] = part
        return stood

    def draw(self, stood: Cells, seed: int) -> Cells:
        """Return another fill of the rectangle. What is counted in chunks stays where it stands."""
        roots = self.block.roots(self.allowed, stood)
        if self.task.counts:
            from solvent.valency.solver.network import put_modules

            held = stood.reshape(-1).astype(np.int64)
            counted = self.task.counted
            stays = (counted[held >> 6] >> (held & 63).astype(np.uint64)) & np.uint64(1) != 0
            roots[~stays] &= ~counted
            nodes = np.flatnonzero(stays | ~self.block.inside)
            put_modules(roots, nodes, held[nodes])
        try:
            found = self.block.fill(roots, seed, FILL_BUDGET.start())
        except LimitReached:
            return stood
        assert found is not None, "what stood there fits"
        return found

    def put(self, cells: Cells, drawn: Cells, moved: Place) -> None:
        """Put what was drawn into a chunk; `moved` says where the seam's own chunk begins in that one."""
        left, top = self.rim.left + moved[0] + 1, self.rim.top + moved[1] + 1
        inner = drawn[:, 1:-1, 1:-1]
        _, height, width = inner.shape
        x0, x1 = max(0, left), min(self.task.width, left + width)
        y0, y1 = max(0, top), min(self.task.height, top + height)
        if x0 < x1 and y0 < y1:
            cells[:, y0:y1, x0:x1] = inner[:, y0 - top : y1 - top, x0 - left : x1 - left]


class _Rims(Struct, frozen=True, eq=False):
    down: _Redraw
    across: _Redraw
    crossing: _Redraw


class _Kept(Generic[Part]):
    """Keep the parts of a layer that were made last."""

    def __init__(self, make: Callable[[int, int], Part], most: int) -> None:
        self._make = make
        self._most = most
        self._parts: OrderedDict[Place, Part] = OrderedDict()

    def __call__(self, x: int, y: int) -> Part:
        """Return a part, made now unless it was a while ago."""
        if (x, y) in self._parts:
            self._parts.move_to_end((x, y))
            return self._parts[x, y]
        part = self._parts[x, y] = self._make(x, y)
        if len(self._parts) > self._most:
            self._parts.popitem(last=False)
        return part
