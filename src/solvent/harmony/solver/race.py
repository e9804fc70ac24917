"""Annealing and the order encoding side by side: the first to answer wins, the same one every time.

Annealing is quick to find plans and cannot prove NO. The order encoding proves NO, and sometimes finds a plan. A NO is
the order encoding's alone. For a YES, which plan is returned must not depend on which thread got more of the machine,
so the two are compared by work done, not by the clock: the order encoding's plan counts only if annealing has none
after `head_start` proposals. In real time that gives annealing a few times as long.
"""

from __future__ import annotations

import queue
import threading
from typing import Any

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.core.events import Listener
from solvent.harmony.model import Board
from solvent.harmony.solver.annealing import AnnealingResult, find_plan
from solvent.harmony.solver.escalation import OrderResult, Pace, decide_by_order
from solvent.harmony.solver.reduction import keep_component

PROPOSALS_PER_TICK = 20
FIRST_TICKS = 100_000
PROPOSALS_PER_CLAUSE = 3
"""Proposals annealing makes before a formula is written, for each of its clauses."""
POLL_SECONDS = 0.005
SECONDS_TO_STOP = 0.02


class RaceResult(Struct, frozen=True):
    """Hold how both parts ended; at least one has an answer, or both have a reason."""

    annealing: AnnealingResult | None
    order: OrderResult | None
    proposals: int
    conflicts: int
    winner: str | None
    """`annealing` or `order`, or None if neither has an answer."""


class _Part:
    """Run one solver in a thread of its own and keep what it returns or raises."""

    def __init__(self, name: str, news: queue.SimpleQueue[str], run: Any) -> None:
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False

        def work() -> None:
            try:
                self.result = run()
            except BaseException as error:  # handed to the thread that waits
                self.error = error
            finally:
                self.done = True
                news.put(name)

        self.thread = threading.Thread(target=work, name=f"solvent-{name}", daemon=True)
        self.thread.start()

    def take(self) -> Any:
        """Return the result, or raise what the solver raised."""
        if self.error is not None:
            raise self.error
        return self.result


class _BesideAnnealing(Pace):
    """Let annealing go ahead while it may still be quick: large formulas take the machine from it."""

    def __init__(self, annealing: Meter, order: Meter) -> None:
        self.ticks = 0
        self._annealing, self._order = annealing, order
        self._stopped = threading.Event()

    def publish(self, ticks: int) -> None:
        self.ticks = ticks

    def wait(self, clauses: int) -> None:
        while self._annealing.nodes < PROPOSALS_PER_CLAUSE * clauses and self._order.stop_reason() is None:
            if self._stopped.wait(POLL_SECONDS):
                return

    def stop(self) -> None:
        """Wait no more: annealing has ended, or the answer is not needed."""
        self._stopped.set()


def run_race(
    board: Board, component: tuple[int, ...], meter: Meter, *, seed: int, proof: bool, listen: Listener
) -> RaceResult:
    """Decide one live component with both parts at once."""
    news: queue.SimpleQueue[str] = queue.SimpleQueue()
    annealing_meter, order_meter = meter.fork(meter.budget.nodes), meter.fork(meter.budget.nodes)
    pace = _BesideAnnealing(annealing_meter, order_meter)
    annealing = _Part(
        "annealing",
        news,
        lambda: find_plan(keep_component(board, component), annealing_meter, seed=seed, listen=listen),
    )
    order = _Part(
        "order",
        news,
        lambda: decide_by_order(board, component, order_meter, proof=proof, listen=listen, pace=pace),
    )
    try:
        while True:
            # Looked at first: a part that ends while the winner is being judged is judged in the next round.
            both_ended = annealing.done and order.done
            if annealing.done:
                pace.stop()
            winner = _winner(annealing, order, annealing_meter, pace.ticks)
            if winner is not None or both_ended:
                return RaceResult(
                    annealing.take() if annealing.done else None,
                    order.take() if order.done else None,
                    annealing_meter.nodes,
                    order_meter.nodes,
                    winner,
                )
            try:
                news.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
    finally:
        pace.stop()
        for part, part_meter in ((annealing, annealing_meter), (order, order_meter)):
            part_meter.cancellation.cancel()
            part.thread.join(SECONDS_TO_STOP)


def head_start(ticks: int) -> int:
    """Return how many proposals annealing may make before a plan found with this many ticks counts."""
    return PROPOSALS_PER_TICK * (FIRST_TICKS + ticks)


def _winner(annealing: _Part, order: _Part, annealing_meter: Meter, ticks: int) -> str | None:
    """Return whose answer counts, or None while that is open.

    `ticks` is what the order encoding has done so far, so it can only end with as many or more.
    """
    ended = annealing.done  # before the count is read, which is final once it has ended
    proposals = annealing_meter.nodes
    planned = ended and annealing.error is None and annealing.result.plan is not None
    if not order.done:
        return "annealing" if planned and proposals <= head_start(ticks) else None
    result: OrderResult = order.take()
    if result.refutation is not None:
        return "order"
    if result.plan is None:
        return "annealing" if planned else None
    if planned:
        return "annealing" if proposals <= head_start(result.ticks) else "order"
    return "order" if ended or proposals > head_start(result.ticks) else None
