"""What the modules of a node say, as linear equations, of the unknowns around it.

For each edge, and each part of its choices but the first, there is an unknown: 1 if that part is taken, else 0. For
each node and count of which only some of its modules are, there is one too: 1 if the node counts. What the modules of a
node have in common is a law: a sum of its unknowns that is the same whichever of them stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.valency.model import numbers_in

Law = tuple[tuple[int, ...], int]
"""A factor for each unknown of a node, and what the sum then is."""


class Laws:
    """Find the laws of nodes, for remainders by a prime; nodes that are alike are looked at once."""

    def __init__(self, prime: int) -> None:
        self.prime = prime
        self._known: dict[tuple[int, tuple[int, ...]], list[Law]] = {}

    def of(self, possible: int, unknowns: Sequence[int]) -> list[Law]:
        """Return the laws of a node: which modules may stand there, and with which each unknown is 1."""
        key = possible, tuple(mask & possible for mask in unknowns)
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def _find(self, possible: int, unknowns: tuple[int, ...]) -> list[Law]:
        """Go over the unknowns, each as a column of what it is for each module; what depends on others is a law."""
        prime = self.prime
        modules = numbers_in(possible)
        rows = sorted({tuple(mask >> module & 1 for mask in unknowns) for module in modules})
        width = len(unknowns) + 1
        columns = [[1] * len(rows)] + [[row[at] for row in rows] for at in range(len(unknowns))]
        basis: list[tuple[int, list[int], list[int]]] = []
        """Where a column of the basis has a 1, the column, and of which columns it is made."""
        laws = []
        for at, column in enumerate(columns):
            made = [0] * width
            made[at] = 1
            rest = list(column)
            for place, known, known_made in basis:
                factor = rest[place]
                if factor:
                    rest = [(a - factor * b) % prime for a, b in zip(rest, known, strict=True)]
                    made = [(a - factor * b) % prime for a, b in zip(made, known_made, strict=True)]
            place = next((number for number, value in enumerate(rest) if value), -1)
            if place < 0:
                laws.append((tuple(made[1:]), -made[0] % prime))
                continue
            inverse = pow(rest[place], -1, prime)
            basis.append((
                place, [value * inverse % prime for value in rest], [value * inverse % prime for value in made]
            ))  # fmt: skip
        return laws
