"""Find up to one or two solutions, or that there is none other, by turns of search and of learning.

The kernel decides nearly every board within a few thousand positions. A few large ones would take it hundreds of
thousands, and most of those a CDCL solver decides soon, because it learns from its mistakes. Neither is always the
faster one, so they take turns that grow. Turns are counted in work, not in seconds: the answer is the same everywhere.
"""

from __future__ import annotations

from msgspec import Struct

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.counting import Ending, Search

POSITIONS_FIRST_TURN = 16_000
CONFLICTS_FIRST_TURN = 40_000
GROWTH = 4
"""How much longer each turn is than the one before."""


class Decision(Struct):
    """Hold what was found out."""

    solutions: list[tuple[int, ...]]
    complete: bool = False
    """True if there is no solution beside these."""
    proof: str | None = None
    """What refutes any other solution, if the CDCL solver found that out and was asked for it."""
    cases: list[int] | None = None
    """The cases that leave no other solution, if the search found that out and was asked for them."""
    reason: Reason | None = None
    """Why nothing more is known, if the budget was spent first."""
    positions: int = 0
    conflicts: int = 0


def decide(puzzle: Puzzle, most: int, meter: Meter, *, proof: bool, listen: Listener = ignore) -> Decision:
    """Look for up to `most` solutions, at least one of them and at most two; a proof says that there is no other."""
    decision = Decision([])
    search = Search(puzzle, by_cases=proof)
    positions, conflicts = POSITIONS_FIRST_TURN, CONFLICTS_FIRST_TURN
    while True:
        if _search(search, most, meter, decision, positions, listen):
            return decision
        if _learn(puzzle, most, meter, decision, conflicts, proof, listen):
            return decision
        positions, conflicts = positions * GROWTH, conflicts * GROWTH


def _search(search: Search, most: int, meter: Meter, decision: Decision, positions: int, listen: Listener) -> bool:
    """Let the kernel have a turn; True if all is decided or the budget is spent."""
    pause = decision.positions + positions
    known = search.found
    while True:
        ending = search.run(known + most - len(decision.solutions), meter, pause=pause, listen=listen)
        decision.positions = search.nodes
        before, known = known, search.found
        for number in range(before, known):
            found = search.solution(number)
            if found not in decision.solutions:  # the CDCL solver may have found it before
                decision.solutions.append(found)
        if ending is Ending.PAUSED:
            return False
        if ending is not Ending.FOUND or len(decision.solutions) >= most:
            decision.complete = ending is Ending.EXHAUSTED
            if decision.complete and search.by_cases:
                decision.cases = search.cases()
            decision.reason = search.reason
            return True


def _learn(
    puzzle: Puzzle, most: int, meter: Meter, decision: Decision, conflicts: int, proof: bool, listen: Listener
) -> bool:
    """Let the CDCL solver have a turn; True if all is decided or the budget is spent."""
    from solvent.starbattle.solver.refutation import Refutation, refute

    while True:
        turn = meter.part(nodes=conflicts)
        other_than = decision.solutions[0] if decision.solutions else None
        found = refute(puzzle, turn, other_than=other_than, proof=proof, listen=listen)
        decision.conflicts += turn.nodes
        if isinstance(found, Refutation):
            decision.complete = True
            decision.proof = found.proof if proof else None
            return True
        if isinstance(found, tuple):
            decision.solutions.append(found)
            if len(decision.solutions) == most:
                return True
            continue
        decision.reason = meter.stop_reason() or (None if found.cause is Cause.NODES else found)
        return decision.reason is not None
