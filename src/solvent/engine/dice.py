"""Random choices from a seed, the same in every version of Python and on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from solvent.core.budget import UNLIMITED, Meter

Item = TypeVar("Item")
DRAWS_A_LOOK = 64
"""How many draws there are between two looks at the limits."""


class Dice:
    """Draw from a seed. Only `random.random` is used, whose numbers Python promises never to change.

    Every draw is a node of the meter, which ends the work by LimitReached and changes nothing else.
    """

    def __init__(self, seed: int | str, meter: Meter = UNLIMITED) -> None:
        self._random = random.Random(seed)
        self.meter = meter
        """For those who work on for a while without drawing."""
        self._draws_to_look = DRAWS_A_LOOK

    def unit(self) -> float:
        """Draw a number from 0 to 1, 1 excluded."""
        self._draws_to_look -= 1
        if not self._draws_to_look:
            self._draws_to_look = DRAWS_A_LOOK
            if self.meter is not UNLIMITED:
                self.meter.book(DRAWS_A_LOOK)
        return self._random.random()

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to bound - 1."""
        return int(self.unit() * bound)

    def between(self, least: int, most: int) -> int:
        """Draw a whole number from least to most."""
        return least + self.below(most - least + 1)

    def chance(self, percent: int) -> bool:
        """Say yes this many times out of a hundred."""
        return self.below(100) < percent

    def choice(self, items: Sequence[Item]) -> Item:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Draw a position, each as likely as its weight says; at least one weight is not 0."""
        left = self.below(sum(weights))
        for position, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return position
        raise ValueError(f"expected a weight above 0, found {list(weights)}")

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
