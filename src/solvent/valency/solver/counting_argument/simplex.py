"""Find by what linear equations over numbers from 0 are to be multiplied so that their sum cannot hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.budget import Meter

Reals = npt.NDArray[np.float64]
TINY = 1e-9
"""What is taken for 0."""
NUDGE = 1e-6
"""How far right sides are moved, each differently, so that no step stands still."""
WORTH_A_PROOF = 1e-3
"""What must be missing at the end: more than all nudges together explain."""


def contradicting_factors(matrix: Reals, right: Reals, work: int, meter: Meter) -> Reals | None:
    """Return factors y with y·matrix ≤ 0 and y·right > 0, about; None if there are none, or it takes too much work.

    The first phase of the simplex method: each equation begins with what is missing in it, and steps make that less.
    The factors at its end are those of the equations in what is still missing. They are only as exact as floats.
    """
    rows, columns = matrix.shape
    signs = np.where(right < 0, -1.0, 1.0)
    table = np.empty((rows + 1, columns + 1))
    table[:rows, :columns] = matrix * signs[:, None]
    table[:rows, columns] = right * signs + NUDGE * (1 + np.arange(rows) * 0.6180339887498949 % 1) / max(1, rows)
    table[rows] = -table[:rows].sum(axis=0)
    basis = np.full(rows, -1)
    """The unknown that each row tells; -1 for what is missing in it."""
    while True:
        meter.checkpoint()
        entering = int(np.argmin(table[rows, :columns])) if columns else 0
        if not columns or table[rows, entering] >= -TINY:
            break
        column = table[:rows, entering]
        able = np.flatnonzero(column > TINY)
        if not len(able):
            return None  # only rounding makes it so
        leaving = int(able[np.argmin(table[able, columns] / column[able])])
        table[leaving] /= table[leaving, entering]
        touched = np.flatnonzero(np.abs(table[:, entering]) > TINY)
        touched = touched[touched != leaving]
        work -= (len(touched) + 1) * (columns + 1)
        if work < 0:
            return None
        table[touched] -= table[touched, entering][:, None] * table[leaving]
        basis[leaving] = entering
    if -table[rows, columns] < WORTH_A_PROOF:
        return None
    return _factors_at(matrix * signs[:, None], basis) * signs


def _factors_at(matrix: Reals, basis: npt.NDArray[np.int64]) -> Reals:
    """Return y with y·column = 0 for each unknown that a row tells, and 1 where something is still missing."""
    rows = len(basis)
    square = np.zeros((rows, rows))
    told = np.flatnonzero(basis >= 0)
    square[told] = matrix[:, basis[told]].T
    missing = np.flatnonzero(basis < 0)
    square[missing, missing] = 1.0
    costs = np.zeros(rows)
    costs[missing] = 1.0
    try:
        return np.asarray(np.linalg.solve(square, costs))
    except np.linalg.LinAlgError:
        return np.zeros(rows)
