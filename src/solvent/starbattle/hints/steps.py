"""The next step: the easiest technique that has one, each cell of it verified by exhaustive search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from solvent.core.answer import Cause, Reason, Verdict
from solvent.core.budget import Budget, Meter
from solvent.proof.certificate import make_certificate
from solvent.starbattle.hints.application import Application, OutOfWork, Stopped, Work, pairs
from solvent.starbattle.hints.position import Position, cells_in
from solvent.starbattle.hints.techniques import BASIC, LAST, SUPPOSING, technique
from solvent.starbattle.hints.verifier import Status, Verification, Verifier
from solvent.starbattle.model import CROSS, STAR, Puzzle

if TYPE_CHECKING:
    from solvent.starbattle.hints.techniques.uniqueness import OnlySolution

SEARCH_WORK = 10_000
"""What looking for one step may cost by default, in units of some 3 µs: about 30 ms."""
SUPPOSING_WORK = 40_000
"""What supposing may cost on top, where looking alone found nothing: about an eighth of a second; and a third of it for
a supposition within a supposition."""
SEARCH_NODES = 40
"""How many times as many positions as a verification the search may take that is a step of its own."""


class Step(Struct, frozen=True):
    """Hold one step whose cells have all been verified."""

    position: Position
    """The board before the step."""
    application: Application
    stars: tuple[int, ...]
    crosses: tuple[int, ...]
    verifications: tuple[Verification, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells it decides."""
        return tuple(sorted((*self.stars, *self.crosses)))

    def certificate(self) -> dict[str, Any]:
        """Return what the checker needs to accept the step."""
        size = self.position.size
        return make_certificate(
            self.position.puzzle.domain,
            "forced",
            Verdict.YES,
            "explained step",
            technique=self.application.technique,
            stars=pairs(self.stars, size),
            crosses=pairs(self.crosses, size),
            witness=dict(self.application.witness),
        )

    def taken(self) -> Position:
        """Return the position after the step."""
        return self.position.marked(stars=self.stars, crosses=self.crosses)


class StepLimits(Struct, frozen=True):
    """Say how much work a step may cost; the same limits give the same step on any machine."""

    search_work: int = SEARCH_WORK
    supposing_work: int = SUPPOSING_WORK
    verify_nodes: int = 10_000
    every_cell: bool = False
    """True verifies every cell of an application, False stops at the first that is proved."""
    supposing: tuple[str, ...] = SUPPOSING
    """Which techniques that suppose something may be used."""
    searching: bool = True
    """False leaves out what is proved by search alone."""
    stop: Callable[[], Reason | None] | None = None
    """Says why to stop at once, if there is a reason. Then nothing is shown."""
    meter: Meter | None = None
    """Where all work is booked as nodes, and whose limits end a check."""
    uniqueness: bool = False
    """True also argues that there is only one solution, before anything is supposed."""


class SearchRecord(Struct):
    """Say what became of proposals that were not shown, for the record."""

    out_of_work: bool = False
    """True if a limit ended the search before every technique was tried."""
    disproved: int = 0
    """Proposed cells that turned out not to be forced. There should never be one."""
    inconclusive: int = 0
    """Proposed cells that the verifier could not decide within its budget."""


def next_step(position: Position, verifier: Verifier, limits: StepLimits, record: SearchRecord) -> Step | None:
    """Return the first verified step of the easiest technique that has one, or None; raises Stopped."""
    for application in _applications(position, limits, record):
        step = verify(position, application, verifier, limits, record)
        if step is not None:
            return step
    return None


def verify(
    position: Position, application: Application, verifier: Verifier, limits: StepLimits, record: SearchRecord
) -> Step | None:
    """Keep the cells of an application that the verifier proves; None if there is none."""
    if application.parts and not limits.every_cell:
        alone = (verify(position, part, verifier, limits, record) for part in application.parts)
        return next((step for step in alone if step is not None), None)
    nodes = limits.verify_nodes * (SEARCH_NODES if application.technique == LAST else 1)
    stars: list[int] = []
    crosses: list[int] = []
    proved: list[Verification] = []
    proposed = [(cell, STAR) for cell in cells_in(application.stars)]
    proposed += [(cell, CROSS) for cell in cells_in(application.crosses)]
    for cell, value in proposed:
        verification = verifier.verify(position.puzzle, cell, value, nodes=nodes, meter=limits.meter)
        if verification.status is Status.PROVED:
            (stars if value == STAR else crosses).append(cell)
            proved.append(verification)
            if not limits.every_cell:
                break
        elif verification.status is Status.DISPROVED:
            record.disproved += 1
        elif verification.reason is not None and verification.reason.cause is not Cause.NODES:
            raise Stopped(verification.reason)  # another machine might have proved it, and shown it
        else:
            _stop_if_spent(limits)  # with more nodes it might have been shown
            record.inconclusive += 1
    if not proved:
        return None
    return Step(position, application, tuple(stars), tuple(crosses), tuple(proved))


def _stop_if_spent(limits: StepLimits) -> None:
    reason = None if limits.stop is None else limits.stop()
    if reason is not None:
        raise Stopped(reason)


def _applications(position: Position, limits: StepLimits, record: SearchRecord) -> Iterator[Application]:
    """Yield proposals, easiest technique first, within the limits."""
    work = _work(limits.search_work, limits)
    try:
        for name in BASIC:
            yield from technique(name).find(position, work)
    except OutOfWork:
        record.out_of_work = True
    if limits.uniqueness:
        yield from _by_uniqueness(position, limits, record)
    for depth, name in enumerate(limits.supposing):
        try:
            yield from technique(name).find(position, _work(limits.supposing_work // (1 + 2 * depth), limits))
        except OutOfWork:
            record.out_of_work = True
    if limits.searching and limits.supposing_work:
        yield from _by_search(position, limits, record)


def _work(allowed: int, limits: StepLimits) -> Work:
    return Work(allowed, stop=limits.stop, meter=limits.meter)


def _by_search(position: Position, limits: StepLimits, record: SearchRecord) -> Iterator[Application]:
    from solvent.starbattle.hints.techniques.search import find

    try:
        yield from find(position, Work(stop=limits.stop, meter=limits.meter), nodes=SEARCH_NODES * limits.verify_nodes)
    except OutOfWork:
        record.out_of_work = True


def _by_uniqueness(position: Position, limits: StepLimits, record: SearchRecord) -> Iterator[Application]:
    from solvent.starbattle.hints.techniques.uniqueness import find, prove_only_solution

    def prove(puzzle: Puzzle) -> OnlySolution | None:
        whole = limits.meter or Budget().start()
        return prove_only_solution(puzzle, meter=whole.part(nodes=limits.verify_nodes))

    try:
        yield from find(position, _work(limits.search_work, limits), only_solution=prove)
    except OutOfWork:
        record.out_of_work = True
