"""The trial of an invalidity test: what it is tried on, what is counted, and what comes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from solvent.core.events import Listener, ignore
from solvent.core.pruning import InvalidityTest, ask_test

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Trial(Generic[State]):
    """Say what to try."""

    test: InvalidityTest[State]
    beside: Sequence[InvalidityTest[State]] = ()
    """Other tests, to find out what each is worth together with this one."""
    strength: bool = True
    """False looks for counterexamples alone."""
    listen: Listener = ignore


@dataclass(frozen=True, slots=True)
class PairStrength:
    """Say what a test is worth together with another, on the unsolvable instances of a scope."""

    other: str
    other_caught: int
    """How many the other test fired on."""
    together: int
    """How many one of the two fired on, or both."""


@dataclass(frozen=True, slots=True)
class AuditScope:
    """Say which small instances an audit went through."""

    label: str
    """For people, such as `2×3, up to 8 swaps`."""
    examined: int
    """How many solvable instances were examined, up to symmetry."""
    false_positives: int
    first_counterexample: str | None
    """The smallest solvable instance the test fired on, with its solution, ready to print."""
    unsolvable: int
    """How many unsolvable instances were examined for the test's strength."""
    caught: int
    """How many of those the test fired on."""
    added: int = 0
    """How many of those none of the tests beside it fired on."""
    pairs: Sequence[PairStrength] = ()
    """What it is worth with each of the tests beside it."""


class TrialCount(Generic[State]):
    """Try a test on the instances of one scope, solvable and not, and count."""

    def __init__(self, trial: Trial[State]) -> None:
        self.trial = trial
        self.examined = self.false_positives = self.unsolvable = self.caught = self.added = 0
        self._others = [[0, 0] for _ in trial.beside]

    def fires_on_solvable(self, state: State) -> bool:
        """Count an instance that can be solved; True is a false positive."""
        self.examined += 1
        fired = ask_test(self.trial.test, state)
        self.false_positives += fired
        return fired

    def try_unsolvable(self, state: State) -> None:
        """Count an instance that cannot be solved."""
        self.unsolvable += 1
        fired = ask_test(self.trial.test, state)
        self.caught += fired
        alone = fired
        for other, counts in zip(self.trial.beside, self._others, strict=True):
            also = bool(other.is_invalid(state))
            alone = alone and not also
            counts[0] += also
            counts[1] += fired or also
        self.added += alone

    def scope(self, label: str, first_counterexample: str | None) -> AuditScope:
        """Return what was counted."""
        pairs = tuple(
            PairStrength(other.name, *counts) for other, counts in zip(self.trial.beside, self._others, strict=True)
        )
        return AuditScope(
            label=label,
            examined=self.examined,
            false_positives=self.false_positives,
            first_counterexample=first_counterexample,
            unsolvable=self.unsolvable,
            caught=self.caught,
            added=self.added,
            pairs=pairs,
        )


def described_pairs(scopes: Sequence[AuditScope]) -> list[dict[str, Any]]:
    """Add up the pairs of all scopes, the strongest first."""
    total: dict[str, list[int]] = {}
    for scope in scopes:
        for pair in scope.pairs:
            entry = total.setdefault(pair.other, [0, 0])
            entry[0] += pair.other_caught
            entry[1] += pair.together
    rows = sorted(total.items(), key=lambda item: -item[1][1])
    return [{"other": name, "other_caught": caught, "together": together} for name, (caught, together) in rows]
