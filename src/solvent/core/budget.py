"""How much work a question may cost, and how to stop it early.

A `Budget` is what the caller allows; a `Meter` is one search's running account of it. Seconds and megabytes depend
on the machine; nodes do not, so tests and anything that must repeat exactly count nodes.

There are three ways to split what is left, and all keep the clock, the memory and the cancellation of the whole:

- `meter.part(...)` for one piece of the search; what it spends is booked in the whole by itself.
- `meter.fork(nodes)` for work that counts nodes of its own, such as searches side by side; nothing is booked.
- `meter.left(...)` as a budget, for a solver that starts an account itself; `solvent.core.subquestions` books that.

And two ways to keep a limit. A search asks `meter.stop_reason()` and returns with what it has. Everything around it,
which has nothing to return when it is cut short (preparing, writing a certificate, checking one), calls
`meter.checkpoint()` or walks over `meter.each(...)`: that raises LimitReached, and `solvent.asking` turns it into the
verdict UNKNOWN, as it does with a MemoryError. Nodes are what a search counts; a checkpoint does not look at them. A
generator counts what it draws with `meter.book(...)`, which does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Cause, Reason
from solvent.core.errors import BadOption, LimitReached, show_value
from solvent.core.memory import free_megabytes, resident_megabytes

T = TypeVar("T")
TRIFLE_MEGABYTES = 1.0
"""What is smaller needs no look at how much memory there is: two system calls, which show in small questions."""
MEMORY_POLL_SECONDS = 0.01
"""How often a checkpoint looks at the memory, which takes a system call."""


class Cancellation:
    """Ask a running search to stop. Thread-safe; once cancelled it stays so."""

    __slots__ = ("_parent", "_requested")

    def __init__(self, parent: Cancellation | None = None) -> None:
        self._requested = False  # a flag that is only ever raised needs no lock
        self._parent = parent

    def cancel(self) -> None:
        """Ask every search that holds this object, or a child of it, to stop soon."""
        self._requested = True

    @property
    def requested(self) -> bool:
        """Tell whether someone asked to stop, here or at the parent."""
        return self._requested or (self._parent is not None and self._parent.requested)

    def child(self) -> Cancellation:
        """Make a cancellation that also stops when this one does, but not the other way round."""
        return Cancellation(self)


class Budget(Struct, frozen=True):
    """Limit a search. Every limit is optional; without any, it runs until it has an answer."""

    seconds: float | None = None
    """Wall-clock seconds."""
    nodes: int | None = None
    """Units of search work; what a node is stands in each domain's documentation."""
    megabytes: float | None = None
    """How much the process may grow while searching."""
    cancellation: Cancellation | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            _require_limit("seconds", self.seconds, (int, float), "a number")
        if self.nodes is not None:
            _require_limit("nodes", self.nodes, (int,), "a whole number")
        if self.megabytes is not None:
            _require_limit("megabytes", self.megabytes, (int, float), "a number")

    def start(self) -> Meter:
        """Start the clock."""
        return Meter(self)


def _require_limit(name: str, limit: object, kinds: tuple[type, ...], wanted: str) -> None:
    if not isinstance(limit, kinds) or isinstance(limit, bool) or not limit >= 0:  # type: ignore[operator]
        raise BadOption(f"{name}: expected {wanted}, zero or more, found {show_value(limit)}")


class Meter:
    """Keep one search's account: when it began, what it spent, whether it must stop."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.nodes = 0
        """Nodes spent so far, by this search and its parts."""
        self.cancellation = budget.cancellation or Cancellation()
        self._whole: Meter | None = None
        self._began = time.monotonic()
        self._megabytes_at_start = resident_megabytes() if budget.megabytes is not None else 0.0
        self._memory_due = self._began

    def part(self, *, nodes: int | None = None, fraction: float = 1.0) -> Meter:
        """Make an account for a part of this search, which books here whatever it spends.

        It may spend this fraction of what is left, or at most so many nodes and the fraction of the seconds. It can
        be cancelled alone.
        """
        seconds, left = self.seconds_left, self.nodes_left
        if nodes is None:
            nodes = None if left is None else int(left * fraction)
        elif left is not None:
            nodes = min(nodes, left)
        if seconds is None or fraction == 1.0:
            seconds = self.budget.seconds
        else:
            seconds = self.elapsed + seconds * fraction
        part = self._split(replace(self.budget, seconds=seconds, nodes=nodes))
        part._whole = self
        return part

    def fork(self, nodes: int | None, *, seconds: float | None = None) -> Meter:
        """Make an account with its own limit of nodes, None for no limit; what it spends is not booked here.

        It ends with this search, or after so many seconds from now. It can be cancelled alone.
        """
        limit = self.budget.seconds
        if seconds is not None:
            limit = self.elapsed + (seconds if limit is None else min(seconds, limit - self.elapsed))
        return self._split(replace(self.budget, seconds=limit, nodes=nodes))

    def left(self, nodes: int | None = None) -> Budget:
        """Return what is left, at most so many nodes of it, as a budget; book here what was spent of it."""
        left = self.nodes_left
        if left is not None:
            nodes = left if nodes is None else min(nodes, left)
        return Budget(
            seconds=self.seconds_left, nodes=nodes, megabytes=self.megabytes_left, cancellation=self.cancellation
        )

    def _split(self, budget: Budget) -> Meter:
        """Return an account with the clock, the memory and the cancellation of this one."""
        twin = Meter.__new__(Meter)
        twin.budget = budget
        twin.nodes = 0
        twin.cancellation = self.cancellation.child()
        twin._whole = None
        twin._began = self._began
        twin._megabytes_at_start = self._megabytes_at_start
        twin._memory_due = self._memory_due
        return twin

    @property
    def elapsed(self) -> float:
        """Return the seconds since the search began."""
        return time.monotonic() - self._began

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds that remain, or None without a limit; never negative."""
        if self.budget.seconds is None:
            return None
        return max(0.0, self.budget.seconds - self.elapsed)

    @property
    def nodes_left(self) -> int | None:
        """Return the nodes that remain, or None without a limit; never negative."""
        if self.budget.nodes is None:
            return None
        return max(0, self.budget.nodes - self.nodes)

    @property
    def megabytes_left(self) -> float | None:
        """Return how much the process may still grow, or None without a limit; never negative."""
        if self.budget.megabytes is None:
            return None
        return max(0.0, self.budget.megabytes - (resident_megabytes() - self._megabytes_at_start))

    def memory_reason(self, megabytes: float, purpose: str) -> Reason | None:
        """Say why something of this size cannot be made, or None if it can. Ask before allocating.

        Without a limit in the budget, what the machine can give is the limit, and a trifle is not worth a look.
        """
        if megabytes < TRIFLE_MEGABYTES and self.budget.megabytes is None:
            return None
        room, free = self.megabytes_left, free_megabytes()
        if megabytes <= (free if room is None else min(room, free)):
            return None
        return Reason(Cause.MEMORY, f"{purpose} needs about {megabytes:.0f} MB")

    def require_memory(self, megabytes: float, purpose: str) -> None:
        """Raise LimitReached if something of this size cannot be made. Call it before allocating."""
        reason = self.memory_reason(megabytes, purpose)
        if reason is not None:
            raise LimitReached(reason)

    def spend(self, nodes: int) -> None:
        """Book work that was done, here and in the search that this is a part of."""
        self.nodes += nodes
        if self._whole is not None:
            self._whole.spend(nodes)

    def book(self, nodes: int) -> None:
        """Book work as `spend` does, and raise LimitReached if a limit is reached by now, that of nodes included."""
        self.spend(nodes)
        reason = self.stop_reason()
        if reason is not None:
            raise LimitReached(reason)

    def stop_reason(self) -> Reason | None:
        """Say why the search must stop now, or None while it may go on."""
        if self.cancellation.requested:
            return Reason(Cause.CANCELLED)
        budget = self.budget
        if budget.nodes is not None and self.nodes >= budget.nodes:
            return Reason(Cause.NODES, f"limit {budget.nodes}")
        if budget.seconds is not None and self.elapsed >= budget.seconds:
            return Reason(Cause.TIME, f"limit {budget.seconds:g} s")
        if budget.megabytes is not None and self.megabytes_left == 0.0:
            return Reason(Cause.MEMORY, f"limit {budget.megabytes:g} MB")
        return None

    def checkpoint(self) -> None:
        """Raise LimitReached if time or memory is used up, or the work was cancelled.

        It takes less than a microsecond: call it in every loop that may take longer than some milliseconds.
        """
        if self.cancellation.requested:
            raise LimitReached(Reason(Cause.CANCELLED))
        budget = self.budget
        if budget.seconds is None and budget.megabytes is None:
            return
        now = time.monotonic()
        if budget.seconds is not None and now - self._began >= budget.seconds:
            raise LimitReached(Reason(Cause.TIME, f"limit {budget.seconds:g} s"))
        if budget.megabytes is not None and now >= self._memory_due:
            self._memory_due = now + MEMORY_POLL_SECONDS
            if self.megabytes_left == 0.0:
                raise LimitReached(Reason(Cause.MEMORY, f"limit {budget.megabytes:g} MB"))

    def each(self, items: Iterable[T], *, every: int = 1000) -> Iterator[T]:
        """Yield the items, with a checkpoint before the first and after every so many."""
        due = 0
        for number, item in enumerate(items):
            if number == due:
                self.checkpoint()
                due += every
            yield item


NO_MORE_MEMORY = Reason(Cause.MEMORY, "the machine has no more")
"""Why work ended that no limit of its own ended."""
UNLIMITED = Budget().start()
"""The account of work that nobody limits."""


def limit_reason(error: LimitReached | MemoryError) -> Reason:
    """Say which limit an error stands for: the one place that decides what running out of memory means."""
    if isinstance(error, LimitReached):
        return error.reason
    return Reason(Cause.MEMORY, str(error)) if str(error) else NO_MORE_MEMORY
