"""Hints that are never wrong: techniques propose, an exhaustive search verifies, an independent checker follows.

1. `diagnosis` looks first whether the marks are right and the board has one solution.
2. `techniques` propose steps, easiest first; each is a small module with a witness.
3. `verifier` shows a cell only if the opposite has no completion at all, exhaustively.
4. `telling` writes the hint; `asking` has its certificate checked before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.answer import Cause, Reason
from solvent.core.domain import Hint, Request
from solvent.starbattle.hints.diagnosis import diagnose, undecided
from solvent.starbattle.hints.position import cells_in, position_of
from solvent.starbattle.hints.steps import Allowance, Looked, next_step
from solvent.starbattle.hints.telling import tell
from solvent.starbattle.hints.verifier import Verifier
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.certificates import stars_certificate


def hints(puzzle: Puzzle, request: Request) -> Iterator[Hint]:
    """Yield step after step, each as if the ones before it were taken, or what must be known first."""
    meter = request.budget.start()
    stopped = meter.stop_reason()
    if stopped is not None:
        yield undecided(stopped)
        return
    position = position_of(puzzle)
    news = diagnose(puzzle, request, meter)
    if news is not None:
        yield news
        if news.lost or news.reason is not None:
            return
    allowance = Allowance(
        search_work=request.options["search_work"],
        supposing_work=request.options["supposing_work"],
        verify_nodes=request.options["verify_nodes"],
        every_cell=request.options["all"] or request.path,
        uniqueness=request.options["uniqueness"] and not request.path,  # a path is graded by logic alone
    )
    verifier = Verifier()
    while not position.complete:
        looked = Looked()
        step = next_step(position, verifier, allowance, looked)
        if step is None:
            yield _nothing_found(looked, several=news is not None)
            return
        yield tell(step)
        stopped = meter.stop_reason()
        if stopped is not None:
            yield undecided(stopped)
            return
        position = step.taken()
    certificate = stars_certificate(puzzle, list(cells_in(position.stars)))
    yield Hint("The board is solved.", certificate=certificate, data={"news": "solved"})


def _nothing_found(looked: Looked, *, several: bool) -> Hint:
    if looked.out_of_work or looked.inconclusive:
        reason = Reason(Cause.NODES, "no step was found within the work allowed for one")
    else:
        reason = Reason(Cause.INCOMPLETE, "no technique applies")
    narrative = "Where solutions differ, no cell is forced." if several else "The marks are right so far."
    return Hint(f"No hint: {reason}.", narrative=narrative, reason=reason)
