"""What a player must know before any step: that a mark is wrong, or that the board has no solution, or several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec import structs

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.hints import Hint
from solvent.starbattle.cells import format_cell
from solvent.starbattle.hints.application import Application, OutOfWork, Stopped, Work
from solvent.starbattle.hints.chains import find_chain, scratch_of
from solvent.starbattle.hints.chains.explaining import explain
from solvent.starbattle.hints.chains.rules import Memory
from solvent.starbattle.hints.messages import highlights_as_json, reasons_of
from solvent.starbattle.hints.position import Position, position_of
from solvent.starbattle.hints.steps import SEARCH_WORK, SUPPOSING_WORK, SearchRecord, Step, StepLimits, verify
from solvent.starbattle.hints.techniques import BASIC, technique, titles
from solvent.starbattle.hints.verifier import Verifier
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.certificates import refutation_certificate, two_solutions_certificate
from solvent.starbattle.solver.deciding import Decision, decide


def diagnose(puzzle: Puzzle, request: Request, meter: Meter) -> Hint | None:
    """Return the news that comes before any step, or None if the marks are right and lead to one solution."""
    decision = decide(puzzle, 2, meter, proof=False, listen=request.listen)
    if len(decision.solutions) == 2:
        return _several(puzzle, decision)
    if not decision.complete:
        return undecided(decision.reason)
    if decision.solutions:
        return None
    certificate = _refutation(puzzle, decision, meter, request)
    if isinstance(certificate, Reason):
        return undecided(certificate)
    bare = replace(puzzle, marks=UNKNOWN * len(puzzle.marks))
    unmarked = decide(bare, 2, meter, proof=False, listen=request.listen)
    if unmarked.reason is not None:
        return undecided(unmarked.reason)
    if not unmarked.solutions:
        return Hint(
            "This board has no solution, even without marks.",
            narrative="Every way to place the stars breaks a rule.",
            lost=True,
            certificate=certificate,
            data={"news": "no solution"},
        )
    wrong = _first_wrong(puzzle, bare, unmarked, meter, request)
    if isinstance(wrong, Reason):
        return undecided(wrong)
    cell, right = wrong
    step = _why_wrong(right, cell, meter, star=puzzle.marks[cell] == STAR)
    return _wrong_mark(puzzle, cell, step, certificate, alone=unmarked.complete)


def undecided(reason: Reason | None) -> Hint:
    """Return the hint that nothing is known yet."""
    return Hint(
        f"No hint: {reason}.",
        narrative="It is not known whether the marks are right, so no step is shown.",
        reason=reason,
    )


def _several(puzzle: Puzzle, decision: Decision) -> Hint:
    one, other = decision.solutions
    differing = sorted(set(one) ^ set(other))
    cell = format_cell(differing[0], puzzle.size)
    return Hint(
        "This board has more than one solution.",
        narrative=f"Two of them differ in {len(differing)} cells; {cell} is a star in one and empty in the other. "
        "Steps can still be proved where all solutions agree.",
        certificate=two_solutions_certificate(puzzle, one, other),
        data={"news": "several solutions", "differing": [list(divmod(cell, puzzle.size)) for cell in differing]},
    )


def _refutation(puzzle: Puzzle, decision: Decision, meter: Meter, request: Request) -> dict[str, Any] | Reason:
    from solvent.starbattle.solver.refutation import Refutation, refute

    if decision.proof is None:
        found = refute(puzzle, meter, listen=request.listen)
        if isinstance(found, Reason):
            return found
        if not isinstance(found, Refutation):
            raise AssertionError(f"the search overlooked a solution: {found}")
        decision.proof = found.proof
    return refutation_certificate(puzzle, "solvable", proof=decision.proof)


def _first_wrong(
    puzzle: Puzzle, bare: Puzzle, unmarked: Decision, meter: Meter, request: Request
) -> tuple[int, Puzzle] | Reason:
    """Return the first wrong mark in reading order, and the puzzle with right marks only.

    With one solution, a mark against it is wrong. With several, it is the mark after which no solution is left, when
    marks are looked at one after the other.
    """
    marks = list(bare.marks)
    if unmarked.complete:
        stars = set(unmarked.solutions[0])
        wrong = []
        for cell, mark in enumerate(puzzle.marks):
            if mark != UNKNOWN and (mark == STAR) != (cell in stars):
                wrong.append(cell)
            else:
                marks[cell] = mark
        return wrong[0], replace(puzzle, marks="".join(marks))
    for cell, mark in enumerate(puzzle.marks):
        if mark == UNKNOWN:
            continue
        right = replace(puzzle, marks="".join(marks))
        marks[cell] = mark
        decision = decide(replace(puzzle, marks="".join(marks)), 1, meter, proof=False, listen=request.listen)
        if decision.reason is not None:
            return decision.reason
        if not decision.solutions:
            return cell, right
    raise AssertionError("all marks together leave a solution, but they were found not to")


def _wrong_mark(puzzle: Puzzle, cell: int, step: Step | None, certificate: dict[str, Any], *, alone: bool) -> Hint:
    """Return the hint that says which mark is wrong, and why, if a step from the marks that are right shows it.

    With several solutions no mark is wrong `alone`: it is wrong given those before it.
    """
    name = format_cell(cell, puzzle.size)
    star = puzzle.marks[cell] == STAR
    must_be = f"{'cannot' if star else 'must'} be a star"
    must = f"{name} {must_be}"
    if alone:
        caption = f"The mark on {name} is wrong: it {must_be}."
    else:
        caption = f"These marks leave no solution: given the marks before it, {must}."
    application = None if step is None else step.application
    return Hint(
        caption,
        narrative="With it, there is no way left to place the stars." if application is None else application.because,
        where=f"Look at your mark on {name}.",
        technique="" if application is None else titles()[application.technique],
        proof="" if step is None else "\n".join((*step.application.proof, *reasons_of(step), f"So {must}.")),
        lost=True,
        certificate=certificate,
        also=() if step is None else ((step.position.puzzle, step.certificate()),),
        data={
            "news": "wrong mark" if alone else "marks that clash",
            "cell": list(divmod(cell, puzzle.size)),
            "mark": "star" if star else "cross",
            "highlights": highlights_of(puzzle.size, cell, step),
        },
    )


def highlights_of(size: int, cell: int, step: Step | None) -> dict[str, Any]:
    """Point at the wrong mark, and at what shows that it is wrong."""
    pointed = {} if step is None else highlights_as_json(step.position, step.application.highlights)
    return {**pointed, "causes": sorted([*pointed.get("causes", []), list(divmod(cell, size))])}


def _why_wrong(right: Puzzle, cell: int, meter: Meter, *, star: bool) -> Step | None:
    """Return the plainest verified step from the right marks that decides the cell, or None if none is found."""
    position = position_of(right)
    verifier, record = Verifier(), SearchRecord()
    limits = StepLimits(stop=meter.stop_reason, meter=meter)
    try:
        for application in _arguments(position, cell, limits, star=star):
            only = structs.replace(
                application, stars=0 if star else 1 << cell, crosses=1 << cell if star else 0, parts=()
            )
            step = verify(position, only, verifier, limits, record)
            if step is not None:
                return step
    except Stopped:  # that the mark is wrong is proved without it
        return None
    return None


def _arguments(position: Position, cell: int, limits: StepLimits, *, star: bool) -> Iterator[Application]:
    """Yield arguments that the cell is no star, or that it is one: techniques first, then a supposition."""
    try:
        work = Work(SEARCH_WORK, stop=limits.stop, meter=limits.meter)
        for name in BASIC:
            for application in technique(name).find(position, work):
                for part in application.parts or (application,):
                    if (part.crosses if star else part.stars) & 1 << cell:
                        yield part
    except OutOfWork:
        pass
    if not position.open >> cell & 1:
        return
    try:
        memory = Memory()
        work = Work(SUPPOSING_WORK, stop=limits.stop, meter=limits.meter)
        chain = find_chain(scratch_of(position), cell, star=star, memory=memory, work=work)
    except OutOfWork:
        return
    if chain is not None:
        yield explain(position, chain, memory, technique="hypothesis")
