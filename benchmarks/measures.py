"""What one run is, and how many of them become a row: quantiles and ratios that do not hide time-outs.

A run without an answer has no time; all that is known is how long it went on. It therefore sorts behind every run with
an answer, and a quantile that falls on it is a lower bound, shown with `>`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from solvent.core.answer import Verdict


@dataclass(frozen=True, slots=True)
class Run:
    """Hold what one contender did on one instance."""

    group: str
    """The class the instance belongs to."""
    instance: str
    contender: str
    verdict: Verdict
    seconds: float
    """Until the answer was checked, or until the contender gave up."""
    certified: bool = False
    check_seconds: float | None = None
    """What checking the certificate alone takes, measured a second time."""
    nodes: int = 0
    answered_by: str | None = None
    reason: str | None = None
    """Why the verdict is UNKNOWN."""
    tests: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Calls, hits and seconds of each invalidity test."""

    @property
    def decided(self) -> bool:
        """Tell whether there is an answer. UNKNOWN is none."""
        return self.verdict is not Verdict.UNKNOWN

    @property
    def measure(self) -> Measure:
        """Return its seconds: a lower bound if there is no answer."""
        return Measure(self.seconds, self.decided)

    def as_json(self) -> dict[str, Any]:
        """Return the run as it stands in the JSON file."""
        return {
            "class": self.group,
            "instance": self.instance,
            "contender": self.contender,
            "verdict": self.verdict.value,
            "certified": self.certified,
            "seconds": round(self.seconds, 6),
            "check_seconds": None if self.check_seconds is None else round(self.check_seconds, 6),
            "nodes": self.nodes,
            "answered_by": self.answered_by if self.decided else None,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class SectionRun(Run):
    """Hold a run of a comparison that has sections; the seconds are the median of its repeats."""

    section: str = ""
    said: frozenset[Verdict] = frozenset()
    """Every verdict it gave, also those that came after the limit."""
    wrong: str | None = None
    """What cannot be right about it."""
    first_seconds: float = 0.0
    """What the first call took: nothing it needs was in the processor's caches."""
    repeats: int = 1

    def as_json(self) -> dict[str, Any]:
        """Return the run as it stands in the JSON file."""
        return (
            {"section": self.section}
            | Run.as_json(self)
            | {"wrong": self.wrong, "first_seconds": round(self.first_seconds, 6), "repeats": self.repeats}
        )


@dataclass(frozen=True, slots=True)
class Measure:
    """Hold a number that may be only a lower bound."""

    value: float
    exact: bool = True

    def as_json(self) -> dict[str, Any]:
        """Return the number and whether it is exact."""
        return {"value": round(self.value, 6), "exact": self.exact}


@dataclass(frozen=True, slots=True)
class Span:
    """Hold a ratio of which only bounds may be known."""

    low: float
    high: float

    def as_json(self) -> dict[str, float | None]:
        """Return both bounds, equal if the ratio is exact; None is no bound."""
        return {"low": round(self.low, 4), "high": None if math.isinf(self.high) else round(self.high, 4)}


def quantile(runs: Sequence[Run], share: float) -> Measure:
    """Return the seconds within which this share of the runs had an answer (nearest rank)."""
    ordered = sorted(runs, key=lambda run: (not run.decided, run.seconds))
    within = ordered[: max(1, math.ceil(share * len(ordered)))]
    # Who gives up early has not been quick, so a bound is never below the times of those who answered.
    return Measure(max(run.seconds for run in within), within[-1].decided)


def ratio(one: Measure, base: Measure) -> Measure | None:
    """Return how many times longer one takes than the base, or None if the base itself is only a bound."""
    if not base.exact or base.value == 0:
        return None
    return Measure(one.value / base.value, one.exact)


def median_of(numbers: Sequence[float]) -> float | None:
    """Return the middle number (the lower of two), or None of nothing."""
    return sorted(numbers)[(len(numbers) - 1) // 2] if numbers else None


def span_between(one: Measure, base: Measure) -> Span:
    """Return how many times longer one takes than the base, or the bounds that are known."""
    value = one.value / base.value
    return Span(value if base.exact else 0.0, value if one.exact else math.inf)


def median_span(spans: Sequence[Span]) -> Span:
    """Return the bounds between which the median of all these ratios lies."""
    low, high = median_of([span.low for span in spans]), median_of([span.high for span in spans])
    return Span(0.0, math.inf) if low is None or high is None else Span(low, high)


SHARES = {"median": 0.5, "p90": 0.9, "max": 1.0}

AnyRun = TypeVar("AnyRun", bound=SectionRun)


def runs_of(runs: Iterable[AnyRun], section: str, group: str, contender: str | None) -> list[AnyRun]:
    """Return what one contender did on one class of a section."""
    return [run for run in runs if (run.section, run.group, run.contender) == (section, group, contender)]


def summarise(runs: Sequence[Run], base: Sequence[Run]) -> dict[str, Any]:
    """Make one row of what a contender did on a class; ratios are to the base on the same instances."""
    verdicts = Counter(run.verdict for run in runs)
    names = {run.instance for run in runs}
    shared = [run for run in base if run.instance in names]
    times = {name: quantile(runs, share) for name, share in SHARES.items()}
    ratios = {name: ratio(times[name], quantile(shared, share)) if shared else None for name, share in SHARES.items()}
    decided = [run for run in runs if run.decided]
    return {
        "class": runs[0].group,
        "contender": runs[0].contender,
        "total": len(runs),
        "solved": len(decided),
        "verdicts": {verdict.value: verdicts[verdict] for verdict in Verdict},
        "uncertified": sum(not run.certified for run in decided),
        "seconds": {name: measure.as_json() for name, measure in times.items()},
        "ratio": {name: measure and measure.as_json() for name, measure in ratios.items()},
        "median_check_seconds": median_of([run.check_seconds for run in runs if run.check_seconds is not None]),
        "median_nodes": median_of([run.nodes for run in runs]),
        "answered_by": dict(Counter(run.answered_by for run in decided if run.answered_by).most_common()),
    }
