"""Count how often work looks whether it must stop, and stop it at one of these looks."""

from __future__ import annotations

from solvent.core.budget import Cancellation


class CountedLooks(Cancellation):
    """A cancellation that is asked for after so many looks at it, or never."""

    __slots__ = ("allowed", "looks")

    def __init__(self, allowed: int | None = None) -> None:
        super().__init__()
        self.allowed = allowed
        self.looks = 0

    @property
    def requested(self) -> bool:
        """Count a look, and tell whether there were too many."""
        self.looks += 1
        return self.allowed is not None and self.looks > self.allowed
