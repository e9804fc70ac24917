"""Hints for a player: the next thing to do on the way to the goal, what not to do, or the news that all is lost.

1. `steps` divides a plan into steps, one for each thing that happens, and says what each is for.
2. `dangers` looks around for what would lose the game for good, and proves it.
3. `phrases` has the phrases for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from solvent.core.answer import Certificate, Finding, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.core.hints import Hint
from solvent.drawing.phrases import capitalised, counted
from solvent.dungeon.describe_certificate import format_run
from solvent.dungeon.events import describe_ends, describe_rooms
from solvent.dungeon.hints.dangers import Danger, describe_warnings, find_dangers
from solvent.dungeon.hints.phrases import describe_action, describe_direction
from solvent.dungeon.hints.steps import HintStep, Section, divide, follow_steps, pickups_that_matter
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import State
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.situations import Analysis
from solvent.dungeon.solver.solvable import answer_solvable


def hints(dungeon: Dungeon, request: Request) -> Iterator[Hint]:
    """Yield the steps of a shortest plan, in order, or the one hint that says why there is none.

    The first step comes with warnings; with `path`, each does, about the dungeon as it stands then.
    """
    meter = request.budget.start()
    try:
        found = Analysis.of(ground_level(dungeon, meter), meter)
        state = found.ground.game.present_state(meter)
        finding = answer_solvable(found, state, request, meter)
    except LimitReached as limit:
        finding = Finding(Verdict.UNKNOWN, reason=limit.reason)
    if finding.verdict is Verdict.YES and finding.certificate is not None:
        if not finding.certificate["plan"]:
            yield Hint("The goal is reached.", certificate=finding.certificate, data={"news": "won"})
        else:
            yield from _steps(found, state, finding.certificate, request, meter)
    elif finding.verdict is Verdict.NO:
        yield _lost(found, finding, request, meter)
    else:
        yield Hint(
            f"No hint: {finding.reason}.",
            narrative="Whether the goal can still be reached is not known.",
            reason=finding.reason,
        )


SHARE_FOR_DANGERS = 0.5
"""How much of the time that is left may go into looking for what to warn of; the rest is for checking."""


def _steps(found: Analysis, state: State, certificate: Certificate, request: Request, meter: Meter) -> Iterator[Hint]:
    dungeon = found.ground.dungeon
    matter = pickups_that_matter(found.ground.game, found.ground.layout)
    plan = certificate["plan"]
    steps = divide(found.ground.game, state, plan, matter, meter)
    for number, step in enumerate(follow_steps(found.ground.game, state, plan, steps, matter, meter)):
        dangers: list[Danger] = []
        if number == 0 or request.path:
            now = replace(dungeon, played=(*dungeon.played, *plan[: steps[number].begin]))
            allowed = meter.part(nodes=meter.nodes_left, fraction=SHARE_FOR_DANGERS)
            dangers = find_dangers(found, now, step.states[0], matter, request, allowed)
        yield _step_hint(dungeon, steps, number, step, dangers, certificate if number == 0 or dangers else None)


def _step_hint(
    dungeon: Dungeon,
    steps: Sequence[Section],
    number: int,
    step: HintStep,
    dangers: Sequence[Danger],
    certificate: Certificate | None,
) -> Hint:
    run = format_run(step.moves)
    warnings = [f"Careful! {warning}" for warning in describe_warnings(dangers)]
    highlights: dict[str, Any] = {
        "path": [list(place) for place in step.places],
        "target": list(step.places[-1]),
    }
    if dangers:
        highlights["danger"] = [list(place) for place in dict.fromkeys(danger.place for danger in dangers)]
    rooms = describe_rooms(dungeon, step.places)
    if len(step.moves) == 1 and describe_ends(dungeon, *step.places) in step.action:
        rooms = ""  # said already
    return Hint(
        f"{capitalised(step.action)}: {f'{rooms} ({run})' if rooms else run}",
        move=run,
        narrative="\n".join([" ".join(_narrate(steps, number, step.purpose)), *warnings]).strip(),
        where=describe_direction(dungeon, step.places[0], step.places[-1]),
        certificate=certificate,
        also=tuple((danger.instance, danger.certificate) for danger in dangers),
        data={
            "step": number + 1,
            "steps": len(steps),
            "moves": list(step.moves),
            "event": step.action,
            "dangers": [
                {
                    "walk": list(danger.walk),
                    "place": list(danger.place),
                    "event": danger.action,
                    "after": danger.first,
                    "because": danger.because,
                }
                for danger in dangers
            ],
            "highlights": highlights,
        },
    )


def _narrate(steps: Sequence[Section], number: int, purpose: str) -> Iterator[str]:
    """Yield sentences on why to take a step, and on what comes after it."""
    if purpose:
        yield purpose
    after = len(steps) - number - 1
    if after:
        yield f"Next: {steps[number + 1].action}."
        moves = steps[-1].end - steps[number].end
        leads = "leads" if after == 1 else "lead"
        yield f"After this, {counted(after, 'more step')} ({counted(moves, 'move')}) {leads} to the goal."


def _lost(found: Analysis, finding: Finding, request: Request, meter: Meter) -> Hint:
    """Say that the goal cannot be reached any more, what bars the way, and which move is to blame."""
    try:
        blame, also, data = _blame(found, request, meter)
    except LimitReached:
        blame, also, data = "", (), {}
    because, proofs = _find_reason(found.ground.dungeon, request, meter)
    because = because or finding.because
    gap = "\n" if "\n" in because else " "
    return Hint(
        "This is lost: the goal cannot be reached from here.",
        narrative=f"{because}{gap}{blame}".strip(),
        lost=True,
        certificate=finding.certificate,
        also=(*also, *proofs),
        data={"news": "lost", "because": because, **data},
    )


SHARE_FOR_REASON = 0.3
"""How much of the time that is left may go into finding out why all is lost."""


def _find_reason(
    dungeon: Dungeon, request: Request, meter: Meter
) -> tuple[str, tuple[tuple[Dungeon, Certificate], ...]]:
    """Return why the goal is out of reach, in a sentence or more, with the proofs; nothing if that takes too long."""
    from solvent.dungeon.explaining import make_questions
    from solvent.dungeon.explaining.land import look_at
    from solvent.dungeon.explaining.reach import explore_reach
    from solvent.dungeon.explaining.reasons import find_reasons
    from solvent.dungeon.explaining.why import describe_causes

    allowed = meter.part(fraction=SHARE_FOR_REASON).left()
    questions = make_questions(structs.replace(request, budget=allowed))
    try:
        land = look_at(dungeon, questions.meter)
        reasons, proofs = find_reasons(land, explore_reach(land, questions), questions)
    except LimitReached:
        return "", ()
    finally:
        meter.spend(questions.meter.nodes)
    return "\n".join(describe_causes(reasons)), tuple(proofs)


def _blame(
    found: Analysis, request: Request, meter: Meter
) -> tuple[str, tuple[tuple[Dungeon, Certificate], ...], dict[str, Any]]:
    """Find the move played after which the goal was out of reach; once it is, it stays so. Words, proofs and data."""
    dungeon, game = found.ground.dungeon, found.ground.game
    played = dungeon.played

    def after(count: int) -> State:
        state = game.start_state()
        for reached in meter.each(game.walk(game.start_state(), played[:count]), every=20):
            state = reached
        return state

    quickly = structs.replace(request, options={**request.options, "areas": True, "shortest": False})
    findings: dict[int, Finding] = {}
    low, high = 0, len(played)
    while low < high:
        middle = (low + high) // 2
        findings[middle] = answer_solvable(found, after(middle), quickly, meter)
        if findings[middle].verdict is Verdict.UNKNOWN:
            return "", (), {}
        if findings[middle].verdict is Verdict.YES:
            low = middle + 1
        else:
            high = middle
    also = tuple(
        (replace(dungeon, played=played[:number]), certificate)
        for number in (low - 1, low)
        if number in findings and (certificate := findings[number].certificate) is not None
    )
    if low == 0:
        return "It was lost from the start.", also, {"lost_by": 0}
    matter = pickups_that_matter(game, found.ground.layout)
    action = describe_action(game, after(low - 1), played[low - 1], after(low), matter)
    back = len(played) - low + 1
    blame = (
        f"Move {low:,} of {len(played):,} lost it, {played[low - 1]}: {action}. "
        f"Take back {'that move' if back == 1 else f'{back:,} moves'} and the goal is within reach again."
    )
    return blame, also, {"lost_by": low, "take_back": back}
