"""How far a run has come."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

SECONDS_OF_MEMORY = 20.0
"""The rate is that of the recent past, not of the whole run: a run of mixed domains changes its pace."""


@dataclass(slots=True)
class Progress:
    """Hold how far a run has come at one moment."""

    total: int | None
    """How many sources there are; None while that is unknown."""
    done: int = 0
    """Sources that are through: read and asked all there was to ask, or found to hold no instance."""
    known: int = 0
    """Answers that the store had already."""
    verdicts: Counter[str] = field(default_factory=Counter)
    """How many YES, NO and UNKNOWN, and ERROR where a bug kept the solver from any."""
    unrecognised: int = 0
    unreadable: int = 0
    running: Sequence[tuple[str, float]] = ()
    """What workers are at, and for how many seconds, slowest first."""
    elapsed: float = 0.0
    solving_seconds: float = 0.0
    """Time that workers spent on instances, summed over workers."""
    rate: float = 0.0
    """Sources a second, in the recent past."""

    @property
    def answered(self) -> int:
        """Return how many answers there are, those that were known already included."""
        return self.verdicts.total()

    @property
    def seconds_left(self) -> float | None:
        """Guess how long it will still take; None while there is nothing to go by."""
        if self.total is None or self.rate <= 0:
            return None
        return max(0, self.total - self.done) / self.rate


@dataclass(slots=True)
class RunCounter:
    """Count while a run goes on."""

    counts: Progress
    """What is counted, without what is worked out for each snapshot."""
    _began: float = field(default_factory=time.monotonic)
    _marks: deque[tuple[float, int]] = field(default_factory=deque)

    def snapshot(self, running: Sequence[tuple[str, float]]) -> Progress:
        """Return how far the run has come now."""
        verdicts = self.counts.verdicts.copy()
        return replace(self.counts, verdicts=verdicts, running=running, elapsed=self.elapsed, rate=self._rate())

    @property
    def elapsed(self) -> float:
        """Return the seconds since the run began."""
        return time.monotonic() - self._began

    def _rate(self) -> float:
        now = time.monotonic()
        if not self._marks or now - self._marks[-1][0] > 0.5:
            self._marks.append((now, self.counts.done))
        while len(self._marks) > 2 and now - self._marks[0][0] > SECONDS_OF_MEMORY:
            self._marks.popleft()
        then, before = self._marks[0]
        return (self.counts.done - before) / (now - then) if now > then else 0.0
