"""What every writer of findings is given, and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solvent.batch.findings.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Hold what is known of a run as a whole."""

    version: str
    """That of Solvent."""
    timestamp: str
    """When the run began, such as `2026-03-01T12:00:00`, in UTC."""
    state: str = "finished"
    """finished, interrupted or running, as the store has it."""
    exit_code: int | None = None
    """What the command is about to exit with, if this is known."""
    command: str = ""
    remarks: Sequence[tuple[str, str, int]] = ()
    """What reading assumed: the domain, the sentence, and of how many files."""


class Writer(Protocol):
    """Write entries as they come; nothing but what one entry needs is held."""

    def add(self, entry: Entry) -> None:
        """Take the next entry."""

    def end(self) -> None:
        """Write what is left."""
