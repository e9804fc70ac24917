"""Practise a technique: walk to a position where it is the easiest that helps, and keep the answer back."""

from __future__ import annotations

from msgspec import structs

from solvent.core.answer import Cause, Reason
from solvent.core.hints import Hint
from solvent.drawing.phrases import counted
from solvent.starbattle.hints.application import Stopped
from solvent.starbattle.hints.messages import describe_step
from solvent.starbattle.hints.position import Position, cells_in
from solvent.starbattle.hints.steps import SearchRecord, Step, StepLimits, next_step
from solvent.starbattle.hints.techniques import titles
from solvent.starbattle.hints.verifier import Verifier


def practise(position: Position, technique: str, limits: StepLimits, *, answer: bool) -> Hint:
    """Return the position to practise on, from here on; with `answer` also the step that was meant."""
    limits = structs.replace(limits, every_cell=True)
    verifier = Verifier()
    taken = 0
    while not position.complete:
        try:
            step = next_step(position, verifier, limits, SearchRecord())
        except Stopped as stopped:
            return Hint(f"No position found: {stopped.reason}.", reason=stopped.reason)
        if step is None:
            break
        if step.application.technique == technique:
            return _exercise(step, taken, answer=answer)
        position = step.taken()
        taken += 1
    return Hint(
        f"This board never needs {titles()[technique]}.",
        narrative=f'To make one that does: solvent generate starbattle --technique "{technique}"',
        reason=Reason(Cause.INCOMPLETE, "no step of the path uses it"),
    )


def _exercise(step: Step, taken: int, *, answer: bool) -> Hint:
    """Write the exercise: where the board stands and what to look for, but not where."""
    title = titles()[step.application.technique]
    puzzle = step.position.puzzle
    data = {
        "practise": step.application.technique,
        "title": title,
        "taken": taken,
        "marks": puzzle.marks,
        "open": [list(divmod(cell, puzzle.size)) for cell in cells_in(step.position.open)],
    }
    told = describe_step(step) if answer else None
    narrative = f"{counted(taken, 'step')} taken so far. Nothing easier helps here."
    return Hint(
        f"Your turn: find the step by {title}." if told is None else told.caption,
        narrative=narrative,
        technique=title,
        proof="" if told is None else told.proof,
        also=() if told is None else ((puzzle, step.certificate()),),
        position=puzzle,
        data=data if told is None else {**data, **told.data},
    )
