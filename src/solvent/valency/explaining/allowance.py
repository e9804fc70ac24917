"""One budget for many small questions: what is left of it, and why it ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Budget, Meter
from solvent.core.domain import Request
from solvent.core.events import Event, Kind, ignore
from solvent.valency.model import Staging


class Allowance:
    """Share out the budget of one request."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.meter: Meter = request.budget.start()
        self.reason: Reason | None = None
        """Why the work had to end, once it had to."""

    def is_spent(self) -> bool:
        """Tell whether nothing more may be tried."""
        self.reason = self.reason or self.meter.stop_reason()
        return self.reason is not None

    def share(self, nodes: int | None = None) -> Budget:
        """Return what is left, at most so many nodes of it."""
        meter = self.meter
        left = meter.nodes_left
        return Budget(
            seconds=meter.seconds_left,
            nodes=nodes if left is None else left if nodes is None else min(left, nodes),
            megabytes=meter.megabytes_left,
            cancellation=meter.cancellation,
        )

    def ask(self, staging: Staging, question: str, *, nodes: int | None = None, **options: Any) -> Finding:
        """Have a question answered with what is left, or with at most so many nodes of it."""
        from solvent.valency.solver import solve

        settled = {**self.request.options, "trace": False, **options}
        finding = solve(staging, Request(question, self.share(nodes), options=settled, listen=ignore))
        self.meter.spend(_spent(finding))
        reason = finding.reason if finding.verdict is Verdict.UNKNOWN else None
        if reason is not None and reason.cause is not Cause.INCOMPLETE and nodes is None:
            self.reason = self.reason or self._own(reason)
            finding = replace(finding, reason=self._own(reason))
        return finding

    def _own(self, reason: Reason) -> Reason:
        """Return a reason with the limit of the request itself; what was left of it means nothing to anyone."""
        if not reason.detail.startswith("limit "):
            return reason
        budget = self.request.budget
        limit, unit = {
            Cause.TIME: (budget.seconds, " s"),
            Cause.NODES: (budget.nodes, ""),
            Cause.MEMORY: (budget.megabytes, " MB"),
        }.get(reason.cause, (None, ""))
        return replace(reason, detail="" if limit is None else f"limit {limit:.12g}{unit}")

    def tell(self, message: str, count: int = 0) -> None:
        """Let whoever listens know what is being done."""
        self.request.listen(Event(Kind.PROGRESS if count else Kind.STAGE, message, count))


def _spent(finding: Finding) -> int:
    """Return the nodes an answer cost; where the solver does not say, what it counted on the way."""
    stats = finding.stats
    return int(stats.get("nodes", stats.get("choices", 0) + stats.get("removed", 0)))
