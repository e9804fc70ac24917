"""All steps that can be taken now, technique by technique; suppositions and search only where nothing else is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from msgspec import structs

from solvent.core.answer import Cause, Reason
from solvent.core.hints import Hint
from solvent.starbattle.hints.application import OutOfWork, Stopped, Work
from solvent.starbattle.hints.messages import describe_step
from solvent.starbattle.hints.position import Position
from solvent.starbattle.hints.steps import SearchRecord, Step, StepLimits, next_step, verify
from solvent.starbattle.hints.techniques import BASIC, SUPPOSING, technique
from solvent.starbattle.hints.verifier import Verifier

MAX_SUPPOSED = 8
"""Suppositions that are shown; there are often very many, and the shortest come first."""


def every_hint(position: Position, verifier: Verifier, limits: StepLimits) -> Iterator[Hint]:
    """Yield a hint for each step there is, easiest technique first, none of them taken; raises nothing."""
    limits = structs.replace(limits, every_cell=True)
    record = SearchRecord()
    found = 0
    try:
        for step in available_steps(position, verifier, limits, record):
            found += 1
            yield _as_alternative(step)
        if not found:
            last = next_step(position, verifier, limits, record)
            if last is not None:
                yield _as_alternative(last)
                return
    except Stopped as stopped:
        yield _cut_short(stopped.reason)
        return
    if not found:
        yield _nothing()


def available_steps(position: Position, verifier: Verifier, limits: StepLimits, record: SearchRecord) -> Iterator[Step]:
    """Yield each verified step of each technique; a few suppositions after those that look at the board as it is.

    A step is left out if an easier technique decides all its cells.
    """
    decided = 0
    for name in (*BASIC, *SUPPOSING):
        supposes = name in SUPPOSING
        allowed = limits.supposing_work if supposes else limits.search_work
        work = Work(allowed, stop=limits.stop, meter=limits.meter)
        easier = decided
        try:
            proposals = technique(name).find(position, work)
            for application in islice(proposals, MAX_SUPPOSED) if supposes else proposals:
                if not (application.stars | application.crosses) & ~easier:
                    continue
                step = verify(position, application, verifier, limits, record)
                if step is not None:
                    decided |= application.stars | application.crosses
                    yield step
        except OutOfWork:
            record.out_of_work = True


def _as_alternative(step: Step) -> Hint:
    """Write the hint for a step that is one of several."""
    return replace(describe_step(step), alternative=True)


def _cut_short(reason: Reason) -> Hint:
    return Hint(f"No further step: {reason}.", narrative="The marks are right so far.", reason=reason)


def _nothing() -> Hint:
    return Hint(
        "No cell is forced here.",
        narrative="Where solutions differ, no cell is forced.",
        reason=Reason(Cause.INCOMPLETE, "no technique applies"),
    )
