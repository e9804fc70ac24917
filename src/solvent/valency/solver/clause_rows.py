"""Gather clauses as rows of numbers, millions of them, a slice at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.engine.clauses import MAX_VARIABLES, ClauseList
from solvent.valency.slices import SLICE, running_total, slices

Numbers = npt.NDArray[np.integer[Any]]
Guards = Any
"""A literal that is added to each clause, 0 for none; one for all of them, or a row with one for each."""

CLAUSES_A_NODE = 1000
"""How many clauses that are written count as one node of the budget."""


class ClauseRows:
    """Hold clauses and number their variables."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.variables = 0
        self._literals: list[npt.NDArray[np.int32]] = []
        self._widths: list[npt.NDArray[np.int32]] = []

    def new_variables(self, count: int) -> int:
        """Number so many variables more; returns the first."""
        first = self.variables + 1
        self.variables += count
        if self.variables > MAX_VARIABLES:
            raise LimitReached(Reason(Cause.MEMORY, f"a formula has over {MAX_VARIABLES:,} variables"))
        return first

    def reserve(self, literals: float) -> None:
        """Make sure that there is room for so many literals more, or raise LimitReached."""
        self.meter.require_memory(8 * literals / 1e6, f"a formula with {literals:,.0f} literals")

    def add_table(self, rows: Numbers, guards: Guards = 0) -> None:
        """Add clauses of one length, one a row."""
        if _are_there(guards):
            column = np.broadcast_to(np.asarray(guards), len(rows))[:, None]
            rows = np.concatenate([rows, column], axis=1, dtype=np.int32, casting="same_kind")
        self._literals.append(rows.astype(np.int32).reshape(-1))
        self._widths.append(np.full(len(rows), rows.shape[1], dtype=np.int32))

    def add(self, literals: Numbers, widths: Numbers, guards: Guards = 0) -> None:
        """Add clauses that stand one after the other, of these lengths."""
        if not _are_there(guards):
            self._literals.append(literals.astype(np.int32, copy=False))
            self._widths.append(widths.astype(np.int32, copy=False))
            return
        ends = np.cumsum(widths + 1) - 1
        guarded = np.empty(len(literals) + len(widths), dtype=np.int32)
        own = np.ones(len(guarded), dtype=np.bool_)
        own[ends] = False
        guarded[own], guarded[ends] = literals, guards
        self._literals.append(guarded)
        self._widths.append((widths + 1).astype(np.int32))

    def add_clause(self, literals: Numbers, guard: int = 0) -> None:
        """Add one clause."""
        self.add_table(np.asarray(literals, dtype=np.int64).reshape(1, -1), guard)

    def take(self) -> ClauseList:
        """Return all clauses since the beginning, or since this was called last."""
        meter = self.meter
        widths = np.empty(sum(map(len, self._widths)), dtype=np.int32)
        _move(self._widths, widths, meter)
        literals = np.empty(sum(map(len, self._literals)), dtype=np.int32)
        self.reserve(len(literals) / 2)
        _move(self._literals, literals, meter)
        meter.spend(len(widths) // CLAUSES_A_NODE)
        return ClauseList(literals, running_total(widths, meter), self.variables)

    def at_most(self, most: int, literals: Numbers, guard: int = 0) -> None:
        """Say that at most so many of the literals are true."""
        count = len(literals)
        if most >= count:
            return
        if most == 0:
            self.add_table(-literals[:, None], guard)
            return
        self.reserve(float(count) * most * 6)
        first = self.new_variables(count * most)
        for part in slices(count, self.meter):
            self.add_table(np.stack([-literals[part], first + most * _within(part)], axis=1), guard)
        for part in slices((count - 1) * most, self.meter):
            variables = first + _within(part)
            self.add_table(np.stack([-variables, variables + most], axis=1), guard)
        for part in slices(count - 1, self.meter):
            last = first + most * _within(part) + most - 1
            self.add_table(np.stack([-literals[1:][part], -last], axis=1), guard)
        for part in slices(count - 1, self.meter, width=most):
            before = first + most * _within(part)[:, None] + np.arange(most - 1)
            repeated = np.repeat(-literals[1:][part], most - 1)
            self.add_table(np.stack([repeated, -before.ravel(), before.ravel() + most + 1], axis=1), guard)

    def at_least(self, least: int, literals: Numbers, guard: int = 0) -> None:
        """Say that at least so many of the literals are true."""
        count = len(literals)
        if least <= 0:
            return
        if least > count:
            self.add_clause(np.empty(0, dtype=np.int64), guard)
            return
        self.reserve(float(count) * least * 6)
        first = self.new_variables(count * least)
        row = np.arange(least)
        self.add_table(np.stack([-(first + row), np.repeat(literals[0], least)], axis=1), guard)
        for part in slices(count - 1, self.meter, width=least):
            before = (first + least * _within(part)[:, None] + row).ravel()
            repeated = np.repeat(literals[1:][part], least)
            self.add_table(np.stack([-(before + least), repeated, before], axis=1), guard)
        self.add_table(-(first + row[1:])[:, None], guard)
        for part in slices(count - 1, self.meter, width=least):
            before = (first + least * _within(part)[:, None] + row[1:]).ravel()
            self.add_table(np.stack([-(before + least), before, before - 1], axis=1), guard)
        self.add_clause(np.array([first + count * least - 1]), guard)


def _are_there(guards: Guards) -> bool:
    return guards != 0 if isinstance(guards, int) else bool(guards.any())


def _within(part: slice) -> npt.NDArray[np.int64]:
    return np.arange(part.start, part.stop)


def _move(pieces: list[npt.NDArray[np.int32]], row: npt.NDArray[np.int32], meter: Meter) -> None:
    """Put pieces one after the other into a row, and let go of each."""
    if len(row) <= SLICE:
        np.concatenate([*pieces, row[:0]], out=row)
        pieces.clear()
    pieces.reverse()
    begin = 0
    while pieces:
        piece = pieces.pop()
        for part in slices(len(piece), meter):
            row[begin + part.start : begin + part.stop] = piece[part]
        begin += len(piece)
