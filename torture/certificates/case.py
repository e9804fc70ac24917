"""What is attacked: an instance, its honest certificates, and somebody who knows what is true of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

Certificate = dict[str, Any]


class CannotJudge(Exception):
    """Say that an instance is too large for brute force after all."""


@dataclass
class Case:
    """Hold an instance to forge certificates for."""

    problem: Any
    judge: Callable[[Certificate], str | None]
    """Say what is false about a certificate that was accepted; None if all it claims is true. May raise CannotJudge."""
    honest: list[Certificate] = field(default_factory=list)
    """Certificates that are true, as far as the solver or the forger can tell."""
    forge: Callable[[Random], Certificate] | None = None
    """Make up a certificate of the right shape."""
    perturb: Callable[[Random], Case] | None = None
    """Return the case of an instance that differs a little, without honest certificates of its own."""
    words: Sequence[str] = ()
    """Words that certificates of this instance may have: moves, cells, names."""


@dataclass(frozen=True)
class Forger:
    """Hold all that is known about attacking the certificates of one domain."""

    domain: str
    make: Callable[[Random], Case]
    group: Callable[[Certificate], str]
    """Name the form of a certificate, with its rule or technique: the groups of the table."""
    groups: Sequence[str]
    """Every group there is; one that is never accepted was never really tested."""
    share: float = 1.0
    """How often its turn comes, compared with the others."""
