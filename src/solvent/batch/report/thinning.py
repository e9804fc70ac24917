"""Keep at most so many of a stream of things: the first of them, or some that are evenly spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


def fair_shares(wanted: Sequence[int], most: int) -> list[int]:
    """Divide `most` among those who want some: nobody gets more than wanted, and who wants little gets all of it."""
    shares = [0] * len(wanted)
    left = most
    waiting = sorted(range(len(wanted)), key=lambda place: wanted[place])
    for position, place in enumerate(waiting):
        shares[place] = min(wanted[place], left // (len(waiting) - position))
        left -= shares[place]
    return shares


class Listing(Generic[Thing]):
    """Take things one by one, keep the first of them, and count all."""

    def __init__(self, most: int) -> None:
        self.kept: list[Thing] = []
        self.seen = 0
        self._most = most

    def add(self, thing: Thing) -> None:
        """Take one more."""
        self.seen += 1
        if len(self.kept) < self._most:
            self.kept.append(thing)

    @property
    def left_out(self) -> int:
        """Return how many are not kept."""
        return self.seen - len(self.kept)


class Thinned(Generic[Thing]):
    """Take things one by one and keep a bounded number of them, spread evenly from the first to the last.

    Every one is kept at first; when there are too many, every second of them, then every fourth, and so on.
    """

    def __init__(self, most: int) -> None:
        self.kept: list[Thing] = []
        self.seen = 0
        self._most = max(1, most)
        self._step = 1

    def add(self, thing: Thing) -> None:
        """Take one more."""
        if self.seen % self._step == 0:
            if len(self.kept) == self._most:
                del self.kept[1::2]
                self._step *= 2
            if self.seen % self._step == 0:
                self.kept.append(thing)
        self.seen += 1

    def thin(self, most: int) -> None:
        """Keep no more than this, still evenly."""
        if len(self.kept) > most:
            self.kept = [self.kept[index * len(self.kept) // most] for index in range(most)]
