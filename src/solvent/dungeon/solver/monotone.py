"""Does taking something never take access away?

Taking is compared with leaving: for every state that can come about and every move from it that takes something
*delicate*, all that can still be taken, and the goal, if the thing had been left lying, must be so with it in hand too.
Where nothing is delicate that needs no search. Otherwise all states are looked at one by one, if there are not too
many; failing that, only the states right after taking each delicate thing in some way are, in search of one that lost
something.

Why only what is delicate can do harm: a state in which more was taken, and all else is equal, can make every move that
the other can, and the results compare likewise, as long as no requirement asks *not* to have something, or for a room
not to be cleared. Keys and bombs that renew are filled up to a number; so one that is taken for good adds to more if it
is taken after filling up, and is delicate where there is both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dungeon, Have, Not, Pickup, Requirement
from solvent.dungeon.rules import Game, State, inside, resource_of
from solvent.dungeon.solver.accessible import walk_of_plan
from solvent.dungeon.solver.certificates import certify, describe_situations
from solvent.dungeon.solver.collectable import name_all
from solvent.dungeon.solver.derived import requirements, to_any, to_goal_tiles, with_marks
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.situations import Analysis, any_plan, explore_from

MAX_STATES = 20_000
"""How many states are looked at one by one; checking does it again, more slowly."""
MAX_TRIED = 12
"""How many delicate things are tried where there are more states than that."""
MAX_COMPARED = 60
"""How many things may be asked about after taking each of them."""
GOAL = -1
"""Stands for the goal among the numbers of pickups."""


def answer_monotone(dungeon: Dungeon, request: Request, questions: SubQuestions[Dungeon]) -> Finding:
    """Answer the question `monotone`."""
    delicate = delicate_pickups(dungeon)
    if not delicate:
        certificate = certify(dungeon, "monotone", Verdict.YES, "nothing delicate")
        because = "No rule asks not to have something, so having more never takes anything away."
        return Finding(Verdict.YES, certificate, because=because)
    meter = questions.meter
    # What renews is never marked as taken; its mark is.
    marked, _ = with_marks(dungeon, [number for number, pickup in enumerate(dungeon.pickups) if pickup.renews])
    states = _States(Game(marked, meter), meter)
    found = states.find_loss(delicate_pickups(marked))
    stats: dict[str, Any] = {"states": len(states.after), "delicate": len(delicate)}
    if found is None and states.are_all:
        certificate = certify(dungeon, "monotone", Verdict.YES, "all states", count=len(states.after))
        because = f"In each of the {len(states.after):,} states, taking something costs nothing."
        return Finding(Verdict.YES, certificate, because=because, stats=stats)
    if found is not None:
        walk, lost = found
        number = GOAL if lost == GOAL else _number_without_marks(dungeon, lost)
        finding = _certified(dungeon, walk, number, questions)
        if finding is not None:
            return Finding(Verdict.NO, finding.certificate, because=finding.because, stats=stats)
    return _hunt(dungeon, sorted(delicate), questions, stats)


# what is delicate


def delicate_pickups(dungeon: Dungeon) -> frozenset[int]:
    """Return the numbers of the pickups that can take something away when they are taken."""
    unwanted = [part for rule in requirements(dungeon) for part in _unwanted(rule, wanted=True)]
    haves = {(part.what, part.name if part.what != "bombs" else "") for part in unwanted if isinstance(part, Have)}
    rooms = [
        room for room in dungeon.rooms for part in unwanted if isinstance(part, Cleared) and part.room == room.name
    ]
    renewing = {_resource(pickup) for pickup in dungeon.pickups if pickup.renews}

    def is_delicate(pickup: Pickup) -> bool:
        if pickup.kind == "monster":
            return any(inside(pickup.place, room) for room in rooms)
        if (pickup.kind, pickup.name if pickup.kind != "bombs" else "") in haves:
            return True
        return pickup.kind != "item" and not pickup.renews and _resource(pickup) in renewing

    return frozenset(number for number, pickup in enumerate(dungeon.pickups) if is_delicate(pickup))


def _resource(pickup: Pickup) -> str:
    return resource_of(pickup.kind, pickup.name)


def _unwanted(rule: Requirement, *, wanted: bool) -> Iterator[Have | Cleared]:
    """Yield what a requirement asks not to be had or cleared."""
    match rule:
        case Have() | Cleared():
            if not wanted:
                yield rule
        case Not(part):
            yield from _unwanted(part, wanted=not wanted)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _unwanted(part, wanted=wanted)


def left_lying(game: Game, before: State, after: State) -> State:
    """Return the state after a move if nothing had been taken by it."""
    stock = list(before.stock)
    for number in after.opened - before.opened:
        gate = game.dungeon.gates[number]
        resource = game.renewing.get(resource_of(gate.kind, gate.needs[0] if gate.needs else ""))
        if resource is not None:
            stock[resource] -= 1
    return after._replace(taken=before.taken, stock=tuple(stock))


# all states


class _States:
    """Look at all states one by one, and at those that would follow if something had been left lying."""

    def __init__(self, game: Game, meter: Meter) -> None:
        self.game, self.meter = game, meter
        self.after: dict[State, list[State]] = {}
        """What can follow each state in one move."""
        self.parents: dict[State, tuple[State, str] | None] = {}
        """How each state that can come about was found first."""
        self.takings: list[tuple[State, str, State, State]] = []
        """Moves that take something delicate: from where, the move, where to, and the same with it left lying."""
        self.are_all = False

    def find_loss(self, delicate: frozenset[int]) -> tuple[list[str], int] | None:
        """Return a walk of which the last move takes something away, and the number of what; None if none was found."""
        if not self._explore(delicate):
            return None
        had = self._can_be_had()
        self.are_all = True
        for before, move, taken, left in self.meter.each(self.takings):
            lost = had[left] & ~had[taken]
            if lost:
                lowest = (lost & -lost).bit_length() - 1
                number = GOAL if lowest == len(self.game.dungeon.pickups) else lowest
                return [*self._walk_to(before), move], number
        return None

    def _explore(self, delicate: frozenset[int]) -> bool:
        """Find all states; False if there are too many."""
        first = self.game.present_state(self.meter)
        self.parents[first] = None
        for state, moves in self._flood([first]):
            for move, after in moves:
                self.parents.setdefault(after, (state, move))
                if not delicate.isdisjoint(after.taken - state.taken) or self._fills_up(state, after, delicate):
                    left = left_lying(self.game, state, after)
                    if left != after:
                        self.takings.append((state, move, after, left))
        for _ in self._flood([left for *_, left in self.takings]):
            pass
        return len(self.after) <= MAX_STATES

    def _fills_up(self, before: State, after: State, delicate: frozenset[int]) -> bool:
        """Tell whether a move fills up on something delicate that renews."""
        there = self.game.pickups_at.get(after.place, ())
        return left_lying(self.game, before, after).stock != after.stock and not delicate.isdisjoint(there)

    def _flood(self, first: list[State]) -> Iterator[tuple[State, list[tuple[str, State]]]]:
        waiting = deque(first)
        while waiting and len(self.after) <= MAX_STATES:
            state = waiting.popleft()
            if state in self.after:
                continue
            moves = list(self.game.moves(state))
            self.after[state] = [after for _, after in moves]
            self.meter.book(1)
            yield state, moves
            waiting.extend(after for _, after in moves if after not in self.after)

    def _can_be_had(self) -> dict[State, int]:
        """Return for each state what was or can be taken, and whether a goal can be reached, as bits."""
        goal_bit = 1 << len(self.game.dungeon.pickups)
        had: dict[State, int] = {}
        before: dict[State, list[State]] = {state: [] for state in self.after}
        for state, following in self.meter.each(self.after.items()):
            had[state] = sum(1 << number for number in state.taken) | goal_bit * self.game.is_won(state)
            for after in following:
                before[after].append(state)
        waiting = deque(had)
        while waiting:
            self.meter.checkpoint()
            state = waiting.popleft()
            for earlier in before[state]:
                if had[state] & ~had[earlier]:
                    had[earlier] |= had[state]
                    waiting.append(earlier)
        return had

    def _walk_to(self, state: State) -> list[str]:
        moves: list[str] = []
        while (parent := self.parents[state]) is not None:
            state, move = parent
            moves.append(move)
        return moves[::-1]


def _number_without_marks(dungeon: Dungeon, number: int) -> int:
    """Return the number of a pickup, or of the pickup that a mark is for, from its number with marks."""
    shift = 0
    for own, pickup in enumerate(dungeon.pickups):
        if number in (own + shift, own + shift + pickup.renews):
            return own
        shift += pickup.renews
    raise AssertionError("every pickup has a number")


# proofs


def _certified(
    dungeon: Dungeon, walk: list[str], lost: int, questions: SubQuestions[Dungeon]
) -> Finding | None:
    """Return the proof that a walk's last move takes something away, or None if it does not, or the budget ended."""
    from dataclasses import replace

    meter = questions.meter
    changed = dungeon
    if lost != GOAL:
        on_goal = dungeon.pickups[lost].place in dungeon.goals
        changed = to_goal_tiles(dungeon, [lost]) if on_goal else to_any(dungeon, [lost])
    played = replace(changed, played=(*dungeon.played, *walk[:-1]))
    analysis = Analysis.of(ground_level(played, meter), meter)
    game = analysis.ground.game
    before = game.present_state(meter)
    taken = game.step(before, walk[-1])
    assert taken is not None, "the walk was walked before"
    left = left_lying(game, before, taken)
    exploration, reason = explore_from(analysis, taken, meter, questions.request.listen, stop_at_win=True)
    if reason is not None or exploration.first_win >= 0 or game.is_won(taken):
        return None
    states = describe_situations(exploration, range(exploration.count), meter)
    rescue, reason = explore_from(analysis, left, meter, questions.request.listen, stop_at_win=True)
    if reason is not None or rescue.first_win < 0:
        return None
    plan = any_plan(analysis, left, rescue, meter)
    certificate = certify(
        dungeon, "monotone", Verdict.NO, "taken away", walk=walk, lost=lost, states=states, plan=plan
    )
    own = Game(dungeon, meter)
    here = replace(dungeon, played=(*dungeon.played, *walk[:-1]))
    was = Game(here, meter).present_state(meter)
    now = own.step(was, walk[-1])
    assert now is not None
    things = name_all(dungeon, now.taken - was.taken) if now.taken != was.taken else "what renews"
    what = "the goal cannot be reached" if lost == GOAL else f"{name_all(dungeon, [lost])} cannot be had"
    because = f"After taking {things}, {what} any more; with it left lying, it could."
    return Finding(Verdict.NO, certificate, because=because)


def _hunt(
    dungeon: Dungeon, delicate: list[int], questions: SubQuestions[Dungeon], stats: dict[str, Any]
) -> Finding:
    """Take each delicate thing in some way, and look for something that this took away."""
    goals = set(dungeon.goals)
    others = [number for number in range(len(dungeon.pickups)) if number not in delicate][:MAX_COMPARED]
    for number in delicate[:MAX_TRIED]:
        if dungeon.pickups[number].place in goals:
            continue
        finding = questions.ask(to_any(dungeon, [number]), "solvable", proof=False)
        if finding.verdict is Verdict.UNKNOWN:
            return Finding(Verdict.UNKNOWN, reason=finding.reason, stats=stats)
        if finding.verdict is Verdict.NO:
            continue
        walk = _until_taken(dungeon, walk_of_plan(dungeon, finding), number, questions.meter)
        for lost in (GOAL, *others) if walk else ():
            proved = _certified(dungeon, walk, lost, questions)
            if proved is not None:
                return Finding(Verdict.NO, proved.certificate, because=proved.because, stats=stats)
    if questions.is_spent():
        return Finding(Verdict.UNKNOWN, reason=questions.reason, stats=stats)
    why = f"there are more than {MAX_STATES:,} states, and trying the delicate things showed no loss"
    return Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why), stats=stats)


def _until_taken(dungeon: Dungeon, walk: list[str], number: int, meter: Meter) -> list[str]:
    """Return a walk up to where it takes a pickup; empty if it never does."""
    game = Game(dungeon, meter)
    state = game.present_state(meter)
    for count, after in enumerate(meter.each(game.walk(state, walk), every=20), start=1):
        if number in after.taken - state.taken:
            return walk[:count]
        state = after
    return []
