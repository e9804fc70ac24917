"""Many small questions out of one budget: what is left of it, and why it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import limit_reason
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.core.events import Event, Kind, ignore
from solvent.core.memory import imports_need_memory

P = TypeVar("P")


class SubQuestions(Generic[P]):
    """Ask a solver one question after the other with what is left of a request's budget."""

    def __init__(
        self,
        request: Request,
        solve: Callable[[P, Request], Finding],
        *,
        options: Mapping[str, Any],
        spent: Callable[[Finding], int],
        share: float = 1.0,
    ) -> None:
        """Begin; `share` is how much of the time may be used, if the rest is needed to check what was found."""
        self.request = request
        self.meter = request.budget.start()
        if share < 1.0:
            self.meter = self.meter.part(nodes=request.budget.nodes, fraction=share)
        self.reason: Reason | None = None
        """Why the work had to end, once it had to."""
        self._solve = solve
        self._options = options
        self._spent = spent

    def is_spent(self) -> bool:
        """Tell whether nothing more may be tried."""
        if self.reason is None:
            reason = self.meter.stop_reason()
            self.reason = None if reason is None else self.with_own_limit(reason)
        return self.reason is not None

    def stop(self, limit: LimitReached) -> Reason:
        """Note that the work had to end for a limit, and return the reason to give for it."""
        reason = self.with_own_limit(limit.reason)
        self.reason = self.reason or reason
        return reason

    def ask(
        self, problem: P, question: str, *, nodes: int | None = None, proof: bool = True, **options: object
    ) -> Finding:
        """Have a question answered with what is left, or with at most so many nodes of it.

        The first answer for which the whole budget was too small ends the work. Running out of `nodes` does not.
        """
        request = Request(
            question, self.meter.left(nodes), proof=proof, options={**self._options, **options}, listen=ignore
        )
        try:
            with imports_need_memory():
                finding = self._solve(problem, request)
        except (LimitReached, MemoryError) as error:
            finding = Finding(Verdict.UNKNOWN, reason=limit_reason(error))
        self.meter.spend(self._spent(finding))
        reason = finding.reason if finding.verdict is Verdict.UNKNOWN else None
        if reason is not None and reason.cause is not Cause.INCOMPLETE and nodes is None:
            reason = self.with_own_limit(reason)
            self.reason = self.reason or reason
            finding = replace(finding, reason=reason)
        return finding

    def with_own_limit(self, reason: Reason) -> Reason:
        """Return a reason that names the limit of the request itself: what was left of it means nothing to a user."""
        if not reason.detail.startswith("limit "):
            return reason
        budget = self.request.budget
        limit, unit = {
            Cause.TIME: (budget.seconds, " s"),
            Cause.NODES: (budget.nodes, ""),
            Cause.MEMORY: (budget.megabytes, " MB"),
        }.get(reason.cause, (None, ""))
        return replace(reason, detail="" if limit is None else f"limit {limit:.12g}{unit}")

    def announce(self, message: str, count: int = 0) -> None:
        """Report what is being done, and how many of it so far."""
        self.request.listen(Event(Kind.PROGRESS if count else Kind.STAGE, message, count))
