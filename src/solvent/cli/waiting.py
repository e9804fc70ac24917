"""Work in a thread while the main one watches: for Ctrl-C, and to show progress on a terminal.

Python delivers Ctrl-C to the main thread only, between two instructions. A main thread inside a kernel would notice
when the kernel returns; one that only waits notices at once.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from solvent.core.events import Event, Kind, Listener
from solvent.core.threads import start_thread

if TYPE_CHECKING:
    from rich.status import Status

    from solvent.core.budget import Budget

Result = TypeVar("Result")

POLL_SECONDS = 0.05
SECONDS_BEFORE_SPINNER = 0.3
SECONDS_TO_WIND_DOWN = 0.08
"""How long cancelled work may take to come back with what it has."""


class Interrupted(KeyboardInterrupt):
    """Say that Ctrl-C ended some work, with what it returned if it ended in time."""

    def __init__(self, results: list[object], *, still_running: bool) -> None:
        super().__init__()
        self.results = results
        """Empty, or the one value the work returned after it was cancelled."""
        self.still_running = still_running


class _Worker(threading.Thread, Generic[Result]):
    def __init__(self, work: Callable[[], Result]) -> None:
        super().__init__(daemon=True, name="solvent-worker")
        self._work = work
        self.results: list[Result] = []
        self.failure: BaseException | None = None
        self.ended = threading.Event()
        """Not `join` and `is_alive`: a thread whose join Ctrl-C broke into counts as ended, although it runs on."""

    def run(self) -> None:
        try:
            self.results.append(self._work())
        except BaseException as failure:  # raised again by the main thread
            self.failure = failure
        finally:
            self.ended.set()


class _News:
    """Keep the latest event, and show it when there is a terminal and time enough to read."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._latest = Event(Kind.STAGE, "working")
        self._began = time.monotonic()
        self._status: Status | None = None

    def listen(self, event: Event) -> None:
        """Take an event from any thread."""
        self._latest = event

    def refresh(self) -> None:
        """Show what is new; called by the main thread only."""
        elapsed = time.monotonic() - self._began
        if not self._terminal or elapsed < SECONDS_BEFORE_SPINNER:
            return
        from rich.console import Console
        from rich.text import Text

        parts = [self._latest.message or "working"]
        if self._latest.nodes:
            parts.append(f"{self._latest.nodes:,} nodes")
        line = Text(" · ".join([*parts, f"{elapsed:.0f} s"]), no_wrap=True, overflow="ellipsis")
        if self._status is None:
            self._status = Console(stderr=True).status(line)
            self._status.start()
        else:
            self._status.update(line)

    def stop(self) -> None:
        """Remove the spinner."""
        if self._status is not None:
            self._status.stop()


def watch(
    work: Callable[[Budget, Listener], Result], budget: Budget | None = None, *, abandon_after: float | None = None
) -> Result:
    """Do the work in a thread and return its result or raise its exception.

    Ctrl-C cancels the budget it gets and raises Interrupted within a fraction of a second, whether the work has stopped
    by then or not. Work that keeps to no budget itself is left alone after
    `abandon_after` seconds, and LimitReached is raised.
    """
    # Here and not above, so that a command's help does without them.
    from msgspec.structs import replace

    from solvent.core.answer import Cause, Reason
    from solvent.core.budget import Budget, Cancellation
    from solvent.core.errors import LimitReached

    cancellation = Cancellation()
    limits = replace(budget or Budget(), cancellation=cancellation)
    news = _News()
    worker = _Worker(lambda: work(limits, news.listen))
    try:
        start_thread(worker)
        deadline = math.inf if abandon_after is None else time.monotonic() + abandon_after
        while not worker.ended.wait(min(POLL_SECONDS, max(0.0, deadline - time.monotonic()))):
            news.refresh()
            if time.monotonic() >= deadline:
                raise LimitReached(Reason(Cause.TIME, f"limit {abandon_after:g} s"))
    except KeyboardInterrupt:
        cancellation.cancel()
        with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C
            worker.ended.wait(SECONDS_TO_WIND_DOWN)
        raise Interrupted(list(worker.results), still_running=not worker.ended.is_set()) from None
    finally:
        news.stop()
    if worker.failure is not None:
        raise worker.failure
    return worker.results[0]
