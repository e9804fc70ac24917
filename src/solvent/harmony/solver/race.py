"""Annealing and the order encoding side by side: the first to answer wins, the same one every time.

Annealing is quick to find plans and cannot prove NO. The order encoding proves NO, and sometimes finds a plan. A NO is
the order encoding's alone. For a YES, which plan is returned must not depend on which thread got more of the machine,
so the two are compared by work done, not by the clock: the order encoding's plan counts only if annealing has none
after `head_start` proposals. In real time that gives annealing about as long.

A limit of nodes is one limit for both. Each gets half; if the order encoding ends without an answer and has some left,
annealing goes on with that. How far the loser got depends on the machine, so it is booked as if it had done as much as
the winner.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter, limit_reason
from solvent.core.errors import LimitReached
from solvent.core.events import Listener
from solvent.core.threads import start_thread
from solvent.harmony.model import Board
from solvent.harmony.solver.annealing import Annealer, AnnealingResult
from solvent.harmony.solver.escalation import OrderResult, Pace, decide_by_order
from solvent.harmony.solver.reduction import keep_component

Result = TypeVar("Result", AnnealingResult, OrderResult)

PROPOSALS_PER_NODE = 4
"""Proposals that annealing makes in about the time of one node of the order encoding, or a little longer."""
FIRST_NODES = 500_000
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


class _Part(Generic[Result]):
    """Run one solver in a thread of its own and keep what it returns or raises."""

    def __init__(
        self,
        name: str,
        news: queue.SimpleQueue[str],
        run: Callable[[], Result],
        cut_short: Callable[[Reason], Result],
    ) -> None:
        self.result: Result | None = None
        self.error: BaseException | None = None
        self.done = False

        def work() -> None:
            try:
                self.result = run()
            except (LimitReached, MemoryError) as error:  # the other one may still have what it needs
                self.result = cut_short(limit_reason(error))
            except BaseException as error:  # handed to the thread that waits
                self.error = error
            finally:
                self.done = True
                news.put(name)

        self.thread = threading.Thread(target=work, name=f"solvent-{name}", daemon=True)
        start_thread(self.thread)

    def take(self) -> Result:
        """Return the result, or raise what the solver raised."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


class _BesideAnnealing(Pace):
    """Let annealing go ahead while it may still be quick: large formulas take the machine from it."""

    def __init__(self, annealing: Meter, order: Meter) -> None:
        self.nodes = 0
        self._annealing, self._order = annealing, order
        self._stopped = threading.Event()

    def publish(self, nodes: int) -> None:
        self.nodes = nodes

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
    """Decide one live component with both parts at once, and book what that took."""
    left = meter.nodes_left
    annealer = Annealer(keep_component(board, component), seed=seed)
    annealing_meter = meter.fork(None if left is None else left - left // 2)
    order_meter = meter.fork(None if left is None else left // 2)
    pace = _BesideAnnealing(annealing_meter, order_meter)
    news: queue.SimpleQueue[str] = queue.SimpleQueue()
    threads: list[threading.Thread] = []
    try:
        annealing = _Part(
            "annealing",
            news,
            lambda: annealer.run(annealing_meter, listen=listen),
            lambda reason: AnnealingResult(None, reason, 0, 0),
        )
        threads.append(annealing.thread)
        order = _Part(
            "order",
            news,
            lambda: decide_by_order(board, component, order_meter, proof=proof, listen=listen, pace=pace),
            lambda reason: OrderResult(reason=reason, nodes=order_meter.nodes),
        )
        threads.append(order.thread)
        result = _watch(annealing, order, annealing_meter, pace, news)
    finally:
        pace.stop()
        annealing_meter.cancellation.cancel()
        order_meter.cancellation.cancel()
        for thread in threads:
            thread.join(SECONDS_TO_STOP)
    if result.winner is not None:
        work = result.proposals if result.winner == "annealing" else order_meter.nodes
        meter.spend(2 * work if left is None else min(left, 2 * work))
        return result
    meter.spend(result.proposals + order_meter.nodes)
    return _go_on_alone(annealer, result, meter, listen)


def _watch(
    annealing: _Part[AnnealingResult],
    order: _Part[OrderResult],
    annealing_meter: Meter,
    pace: _BesideAnnealing,
    news: queue.SimpleQueue[str],
) -> RaceResult:
    """Wait until one part has won, or both have ended."""
    while True:
        # Looked at first: a part that ends while the winner is being judged is judged in the next round.
        both_ended = annealing.done and order.done
        if annealing.done:
            pace.stop()
        winner = _winner(annealing, order, annealing_meter, pace.nodes)
        if winner is not None or both_ended:
            ended = order.take() if order.done else None
            return RaceResult(
                annealing.take() if annealing.done else None,
                ended,
                annealing_meter.nodes,
                0 if ended is None else ended.conflicts,
                winner,
            )
        try:
            news.get(timeout=POLL_SECONDS)
        except queue.Empty:
            continue


def _go_on_alone(annealer: Annealer, result: RaceResult, meter: Meter, listen: Listener) -> RaceResult:
    """Let annealing use the nodes that the order encoding has left."""
    assert result.annealing is not None
    only_out_of_nodes = result.annealing.reason is not None and result.annealing.reason.cause is Cause.NODES
    if not only_out_of_nodes or meter.stop_reason() is not None:
        return result
    part = meter.part()
    annealing = annealer.run(part, listen=listen)
    winner = None if annealing.plan is None else "annealing"
    return replace(result, annealing=annealing, proposals=result.proposals + part.nodes, winner=winner)


def head_start(nodes: int) -> int:
    """Return how many proposals annealing may make before a plan that took the order encoding so many nodes counts."""
    return PROPOSALS_PER_NODE * (FIRST_NODES + nodes)


def _winner(
    annealing: _Part[AnnealingResult], order: _Part[OrderResult], annealing_meter: Meter, nodes: int
) -> str | None:
    """Return whose answer counts, or None while that is open.

    `nodes` is what the order encoding has done so far, so it can only end with as many or more.
    """
    ended = annealing.done  # before the count is read, which is final once it has ended
    proposals = annealing_meter.nodes
    planned = ended and annealing.error is None and annealing.take().plan is not None
    if not order.done:
        return "annealing" if planned and proposals <= head_start(nodes) else None
    result = order.take()
    if result.refutation is not None:
        return "order"
    if result.plan is None:
        return "annealing" if planned else None
    if planned:
        return "annealing" if proposals <= head_start(result.nodes) else "order"
    return "order" if ended or proposals > head_start(result.nodes) else None
