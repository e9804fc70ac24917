"""Add up linear equations until all unknowns are gone and something is left: remainders of whole numbers, exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from solvent.core.budget import Meter


class TooMuchWorkError(Exception):
    """Say that a sum would take more work than it is worth."""


class _Pivot(NamedTuple):
    """Hold an equation that tells an unknown by others that come without one."""

    terms: dict[int, int]
    """Its coefficients, 1 at the unknown that it tells."""
    constant: int
    number: int
    """The equation it was made from."""
    scale: int
    """By what that was multiplied at the end."""
    taken: list[tuple[int, int]]
    """The unknowns whose equations were taken from it before, and how often."""


class Elimination:
    """Hold equations, sum of coefficient times unknown = constant, for remainders by a prime number."""

    def __init__(self, prime: int, work: int, meter: Meter) -> None:
        self.prime = prime
        self.work = work
        """How many coefficients may be added to others."""
        self.meter = meter
        self._pivots: dict[int, _Pivot] = {}
        self._added = 0

    def add(self, terms: Mapping[int, int], constant: int) -> dict[int, int] | None:
        """Add an equation.

        If it contradicts those before, returns by what each equation is to be multiplied (by its number, in the order
        added) so that the sum has no unknowns but a constant. Raises TooMuchWorkError.
        """
        prime, number = self.prime, self._added
        self._added += 1
        row = {unknown: factor % prime for unknown, factor in terms.items() if factor % prime}
        taken: list[tuple[int, int]] = []
        waiting = [unknown for unknown in row if unknown in self._pivots]
        while waiting:
            unknown = waiting.pop()
            factor = row.get(unknown, 0)
            if not factor:
                continue
            pivot = self._pivots[unknown]
            taken.append((unknown, factor))
            constant -= factor * pivot.constant
            self._spend(len(pivot.terms))
            for other, its_factor in pivot.terms.items():
                before = row.get(other, 0)
                now = (before - factor * its_factor) % prime
                if now:
                    row[other] = now
                    if not before and other in self._pivots:
                        waiting.append(other)
                elif before:
                    del row[other]
        constant %= prime
        if not row:
            return self._trace(number, taken) if constant else None
        # The youngest unknown: few equations know it yet.
        youngest = max(row)
        scale = pow(row[youngest], -1, prime)
        told = {unknown: factor * scale % prime for unknown, factor in row.items()}
        self._pivots[youngest] = _Pivot(told, constant * scale % prime, number, scale, taken)
        return None

    def _trace(self, number: int, taken: list[tuple[int, int]]) -> dict[int, int]:
        """Return how often each of the first equations is in a sum, which is known by those made of them."""
        prime = self.prime
        factors = {number: 1}
        owed: dict[int, int] = {}
        for unknown, factor in taken:
            owed[unknown] = (owed.get(unknown, 0) - factor) % prime
        # A pivot is only made of those that were there before it, so going back settles each one once.
        for unknown in reversed(self._pivots):
            factor = owed.pop(unknown, 0)
            if not factor:
                continue
            pivot = self._pivots[unknown]
            factor = factor * pivot.scale % prime
            factors[pivot.number] = factor
            self._spend(len(pivot.taken))
            for other, its_factor in pivot.taken:
                owed[other] = (owed.get(other, 0) - factor * its_factor) % prime
        return factors

    def _spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise TooMuchWorkError
        self.meter.checkpoint()
