"""What an audit of an invalidity test went through."""

from __future__ import annotations

from dataclasses import dataclass


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
