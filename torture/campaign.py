"""What a campaign is, and the account of what it tried."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

MAX_FAILURES_KEPT = 50
"""Of each campaign; more are counted, but not kept."""
ROUND_FILE = "round"
KINDS = ("wrong", "crashed", "hung", "overrun", "lost")
"""What may go wrong: a wrong certificate or verdict accepted · a traceback or a dead process · no end within a generous
limit · a limit overrun by more than is promised · an answer lost or found twice."""


@dataclass
class Tally:
    """Count what was tried and what went wrong. It is plain data, so that tallies of several processes can be added."""

    tried: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """What was tried, by group, such as the form of a certificate or the format of a file."""
    failures: Counter[str] = field(default_factory=Counter)
    """What went wrong, by kind."""
    examples: list[dict[str, str]] = field(default_factory=list)
    """The first failures: kind, what happened, and what reproduces it."""
    worst: dict[str, float] = field(default_factory=dict)
    """The largest value of each measurement, such as seconds past a limit."""
    accepted: Counter[str] = field(default_factory=Counter)
    """Of what was tried, what was accepted, by group: where nothing ever is, refusing proves nothing."""

    def count(self, group: str, number: int = 1) -> None:
        """Count trials of a group."""
        self.tried += number
        self.counts[group] += number

    def accept(self, group: str, number: int = 1) -> None:
        """Count what was accepted, of trials that were counted."""
        self.accepted[group] += number

    def measure(self, name: str, value: float) -> None:
        """Keep the largest value that was measured."""
        self.worst[name] = max(value, self.worst.get(name, value))

    def fail(self, kind: str, what: str, reproduce: str = "") -> None:
        """Keep a failure."""
        if kind not in KINDS:
            raise ValueError(f"expected one of {', '.join(KINDS)}, found {kind!r}")
        self.failures[kind] += 1
        if len(self.examples) < MAX_FAILURES_KEPT:
            self.examples.append({"kind": kind, "what": what, "reproduce": reproduce})

    def add(self, other: Tally) -> None:
        """Add what another process counted."""
        self.tried += other.tried
        self.counts.update(other.counts)
        self.failures.update(other.failures)
        self.accepted.update(other.accepted)
        self.examples.extend(other.examples[: MAX_FAILURES_KEPT - len(self.examples)])
        for name, value in other.worst.items():
            self.measure(name, value)

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        counters = {"counts": dict(self.counts), "failures": dict(self.failures), "accepted": dict(self.accepted)}
        return {"tried": self.tried, **counters, "examples": list(self.examples), "worst": dict(self.worst)}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Tally:
        """Read what `as_json` wrote."""
        counters = {name: Counter(found[name]) for name in ("counts", "failures", "accepted")}
        return cls(tried=found["tried"], examples=found["examples"], worst=found["worst"], **counters)


@dataclass
class Trial:
    """Hold what one process of a campaign works with."""

    seed: int
    """Different in each process of a run; the same seed and number of rounds tries the same things."""
    deadline: float
    """When to stop, by `time.monotonic()`."""
    folder: Path
    """For files that reproduce failures and for scratch; each process has its own."""
    tally: Tally = field(default_factory=Tally)
    first_round: int = 0
    round: int = 0
    """The round at hand, for what reproduces a failure."""
    max_rounds: int | None = None
    """Stop before this round even if there is time, so that tests can repeat a run exactly."""

    @property
    def seconds_left(self) -> float:
        """Return the seconds until the deadline; never negative."""
        return max(0.0, self.deadline - time.monotonic())

    def rounds(self) -> Iterator[Random]:
        """Yield a source of chance for each round until time is up.

        The number of the round is kept where it can be read when the process hangs or dies; `first_round` begins there.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        number = self.first_round
        with open(self.folder / ROUND_FILE, "w", encoding="ascii", buffering=1) as current:
            while (self.max_rounds is None or number < self.max_rounds) and (
                number == self.first_round or self.seconds_left > 0
            ):
                current.seek(0)
                current.write(f"{number:>20}\n")
                self.round = number
                yield Random(f"{self.seed}:{number}")
                number += 1

    def keep(self, name: str, data: bytes | str) -> str:
        """Write a file that reproduces a failure; returns its path."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
        return str(path)


class Campaign(NamedTuple):
    """Describe a way to try to break Solvent."""

    name: str
    """One word, for `--campaign`."""
    title: str
    """What is tried, for the table."""
    share: float
    """Its part of the time of a run, compared with the other campaigns'."""
    run: Callable[[Trial], None]
    """Try until the trial's time is up. Only bugs of the campaign itself may leave it as exceptions."""
    processes: int = 2
    """How many run side by side; 1 where a campaign starts processes itself."""
