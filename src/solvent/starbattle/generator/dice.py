"""Random choices from a seed, the same in every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """Draw from a seed. Only `random.random` is used, whose numbers Python promises never to change."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def unit(self) -> float:
        """Draw a number from 0 to 1, 1 excluded."""
        return self._random.random()

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to bound - 1."""
        return int(self._random.random() * bound)

    def choice(self, items: Sequence[Item]) -> Item:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
