"""How contenders take turns on an instance, how often each repeats it, and what its repeats amount to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from benchmarks.measures import median_of
from solvent.core.answer import Verdict

OVER = "over the limit"

Anyone = TypeVar("Anyone")


def take_turns(contenders: Sequence[Anyone], index: int) -> list[Anyone]:
    """Return the contenders in the order for one instance: another one first, and every other time backwards."""
    first = index % len(contenders)
    turned = [*contenders[first:], *contenders[:first]]
    return turned if index % 2 == 0 else turned[::-1]


@dataclass(frozen=True, slots=True)
class Repeats:
    """Say how often a contender repeats an instance."""

    enough_seconds: float = 0.02
    """Until it has worked on it for so long."""
    short_seconds: float = 0.2
    """Who is quicker than this repeats it at least `fewest` times."""
    fewest: int = 3
    most: int | None = 20
    """And nobody more often than that; None for any number."""

    def are_enough(self, times: Sequence[float]) -> bool:
        """Tell whether these times are enough; none never are."""
        if not times:
            return False
        if len(times) == self.most:
            return True
        return sum(times) >= self.enough_seconds and (times[0] >= self.short_seconds or len(times) >= self.fewest)


class Outcome(Protocol):
    """Know what one repeat came to."""

    @property
    def verdict(self) -> Verdict:
        """Say the answer."""
        ...

    @property
    def reason(self) -> str | None:
        """Say why it is UNKNOWN."""
        ...

    @property
    def certified(self) -> bool:
        """Tell whether the answer was checked."""
        ...


@dataclass(frozen=True, slots=True)
class Together:
    """Hold what the repeats of one instance amount to."""

    typical: float
    """The median of the seconds."""
    verdict: Verdict
    seconds: float
    """As `typical`, but at least the limit if it is over."""
    over: bool
    """Whether there is no answer within the limit."""
    certified: bool
    reason: str | None
    said: frozenset[Verdict]


def sum_up(times: Sequence[float], outcomes: Sequence[Outcome], limit: float) -> Together:
    """Make one result of all repeats. An answer that comes after the limit is over the limit like no answer."""
    typical = median_of(times)
    assert typical is not None  # there is at least one
    undecided = next((outcome for outcome in outcomes if outcome.verdict is Verdict.UNKNOWN), None)
    late = typical > limit
    over = undecided is not None or late
    return Together(
        typical=typical,
        verdict=Verdict.UNKNOWN if over else outcomes[0].verdict,
        seconds=max(typical, limit) if over else typical,
        over=over,
        certified=outcomes[0].certified and not over,
        reason=undecided.reason if undecided is not None else OVER if late else None,
        said=frozenset(outcome.verdict for outcome in outcomes),
    )
