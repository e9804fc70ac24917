"""What went wrong, as a reply: a status and one object that says why."""

from __future__ import annotations

from concurrent.futures import CancelledError
from typing import Any

import msgspec

from solvent.batch.names import valid_text
from solvent.batch.workers.jobs import WorkerLost
from solvent.core.errors import (
    BadOption,
    CertificateRejected,
    GenerationFailed,
    LimitReached,
    ParseError,
    StoreError,
    show_value,
)
from solvent.web import schemas

SECONDS_TO_COME_BACK = 2
"""How long a client that was turned away is asked to wait."""


class Refusal(Exception):
    """Say why a request gets no reply of the kind it asked for."""

    def __init__(self, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        # What an instance holds, and a message quotes, need not be text that can be sent.
        self.failure = schemas.Failure(kind=kind, message=valid_text(message), **more)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it come from a worker with everything it says."""
        return Refusal, (self.failure.kind, self.failure.message), self.__dict__

    @property
    def status(self) -> int:
        """Return the HTTP status."""
        return schemas.STATUS[self.failure.kind]


class Busy(Refusal):
    """Say that there is too much to do at the moment."""

    def __init__(self) -> None:
        super().__init__("busy", "Many people are solving at once just now. Please try again in a moment.")


def refusal_for(error: BaseException) -> Refusal:
    """Return what to reply to an error; anything that is not the user's making is a bug, and says no more than that."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, ParseError):
        where = schemas.Where(line=error.line, column=error.column, path=error.path)
        known = where if where != schemas.Where() else None
        return Refusal("instance", str(error), where=known, value=_shown(error.value))
    if isinstance(error, msgspec.ValidationError | msgspec.DecodeError):
        return Refusal("request", f"the request is not as described: {error}")
    for kind, types in _KINDS.items():
        if isinstance(error, types):
            return Refusal(kind, str(error))
    if isinstance(error, WorkerLost):
        if error.kind == "stopped":
            return Refusal("stopped", "The work was stopped.")
        return Refusal("killed", f"This took more than it may here ({error.detail}), and was stopped.")
    if isinstance(error, CancelledError):
        return Refusal("stopped", "The work was stopped.")
    if isinstance(error, RecursionError):
        return Refusal("instance", "it is nested too deeply to be read")
    return Refusal("bug", "Something went wrong in Solvent itself. The terminal it was started from says what.")


_KINDS: dict[str, type[Exception]] = {
    "option": BadOption,
    "generation": GenerationFailed,
    "certificate": CertificateRejected,
    "store": StoreError,
    "limit": LimitReached,
}


def _shown(value: object) -> str | None:
    return None if value is None else show_value(value)
