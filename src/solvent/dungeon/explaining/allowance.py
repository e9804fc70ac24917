"""One budget for many small questions: what is left of it, and why it ended."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Finding, Reason, Verdict
from solvent.core.budget import Budget, Meter
from solvent.core.domain import Request
from solvent.core.events import Event, Kind, ignore
from solvent.dungeon.model import Dungeon

QUICK: dict[str, Any] = {
    "macros": True,
    "plan_heuristic": True,
    "dominance": True,
    "reverse": True,
    "areas": True,
    "weight": 1.0,
    "shortest": False,
    "shortest_nodes": 20_000,
    "profile": False,
}
"""How questions are asked here: any plan or walk will do."""


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

    def ask(self, dungeon: Dungeon, question: str, *, proof: bool = True) -> Finding:
        """Have a question answered with what is left."""
        from solvent.dungeon.solver import solve

        meter = self.meter
        left = Budget(
            seconds=meter.seconds_left,
            nodes=meter.nodes_left,
            megabytes=meter.megabytes_left,
            cancellation=meter.cancellation,
        )
        finding = solve(dungeon, Request(question, left, proof=proof, options=QUICK, listen=ignore))
        meter.spend(int(finding.stats.get("expanded", 0)))
        if finding.verdict is Verdict.UNKNOWN:
            self.reason = self.reason or finding.reason
        return finding

    def tell(self, message: str, count: int = 0) -> None:
        """Let whoever listens know what is being done."""
        self.request.listen(Event(Kind.PROGRESS if count else Kind.STAGE, message, count))
