"""Hints that are never wrong: techniques propose, an exhaustive search verifies, an independent checker follows.

1. `diagnosis` looks first whether the marks are right and the board has one solution.
2. `techniques` propose steps, easiest first; each is a small module with a witness.
3. `verifier` shows a cell only if the opposite has no completion at all, exhaustively.
4. `messages` writes the hint; `asking` has its certificate checked before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.answer import Cause, Reason
from solvent.core.domain import Request
from solvent.core.hints import Hint
from solvent.starbattle.hints.application import Stopped
from solvent.starbattle.hints.diagnosis import diagnose, undecided
from solvent.starbattle.hints.every import every_hint
from solvent.starbattle.hints.messages import describe_step
from solvent.starbattle.hints.position import cells_in, position_of
from solvent.starbattle.hints.practising import practise
from solvent.starbattle.hints.steps import SearchRecord, StepLimits, next_step
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
    limits = StepLimits(
        search_work=request.options["search_work"],
        supposing_work=request.options["supposing_work"],
        verify_nodes=request.options["verify_nodes"],
        every_cell=request.options["all"] or request.path,
        stop=meter.stop_reason,
        meter=meter,
        uniqueness=request.options["uniqueness"] and not request.path,  # a path is graded by logic alone
    )
    verifier = Verifier()
    if request.options["practise"] is not None:
        yield practise(position, request.options["practise"], limits, answer=request.options["answer"])
        return
    if request.options["every"] and not position.complete:
        yield from every_hint(position, verifier, limits)
        return
    while not position.complete:
        record = SearchRecord()
        try:
            step = next_step(position, verifier, limits, record)
        except Stopped as stopped_early:
            yield _cut_short(stopped_early.reason)
            return
        if step is None:
            stopped = meter.stop_reason()
            yield _nothing_found(record, several=news is not None) if stopped is None else _cut_short(stopped)
            return
        yield describe_step(step)
        position = step.taken()
        stopped = None if position.complete else meter.stop_reason()
        if stopped is not None:
            yield _cut_short(stopped)
            return
    certificate = stars_certificate(puzzle, list(cells_in(position.stars)))
    yield Hint("The board is solved.", certificate=certificate, data={"news": "solved"})


def _cut_short(reason: Reason) -> Hint:
    return Hint(f"No further step: {reason}.", narrative="The marks are right so far.", reason=reason)


def _nothing_found(record: SearchRecord, *, several: bool) -> Hint:
    if record.out_of_work or record.inconclusive:
        reason = Reason(Cause.NODES, "allow more work with --supposing-work")
        caption = "No step was found within the work limit."
    else:
        reason = Reason(Cause.INCOMPLETE, "no technique applies")
        caption = "No technique finds a step here."
    narrative = "Where solutions differ, no cell is forced." if several else "The marks are right so far."
    return Hint(caption, narrative=narrative, reason=reason)
