"""Find out whether taking something never takes access away.

Taking is compared with leaving. For every state that can come about and every move from it that takes something
*delicate*: if it had been left lying, with all else as it is, whatever could be taken from there on, and the goal, must
be within reach with it in hand too, or be in hand. Where nothing is delicate that needs no search. Otherwise all states
are looked at one by one, if there are not too many; failing that, only the states right after taking each delicate
thing in some way are, in search of one that lost something.

A pickup is delicate if it matters, and (a) some requirement asks not to have it, or for its room not to be cleared; or
(b) others of its keys or bombs renew: these fill up to a number, so it adds more if it is taken after filling up; or
(c) something delicate is there only while a rule holds that asks about it. A state in which more was taken that is not
delicate, and all else is equal, can make every move that the other can, and the results compare likewise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import counted
from solvent.dungeon.derived import GOAL, about, rule_on_arrival, to_any, with_marks
from solvent.dungeon.events import name_all
from solvent.dungeon.model import Cleared, Dungeon, Have, Pickup
from solvent.dungeon.requirements import Leaf, leaves_of, requirements_of
from solvent.dungeon.rules import Game, State, inside, resource_of
from solvent.dungeon.solver.accessible import walk_of_plan
from solvent.dungeon.solver.certificates import certify, describe_situations
from solvent.dungeon.solver.collectable import NOT_ALWAYS_ON_GOAL
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.searching import Parts, search_walk
from solvent.dungeon.solver.situations import Analysis, explore_from

MAX_STATES = 20_000
"""How many states are looked at one by one; checking does it again, more slowly."""
MAX_TRIED = 12
"""How many delicate things are tried where there are more states than that."""
MAX_COMPARED = 60
"""How many things may be asked about after taking each of them."""


def answer_monotone(dungeon: Dungeon, _request: Request, questions: SubQuestions[Dungeon]) -> Finding:
    """Answer the question `monotone`."""
    delicate = delicate_pickups(dungeon)
    if not delicate:
        certificate = certify(dungeon, "monotone", Verdict.YES, "nothing delicate")
        because = "No rule forbids having something, so having more never takes anything away."
        return Finding(Verdict.YES, certificate, because=because)
    states = _States(dungeon, questions.meter)
    is_lost = False
    stats: dict[str, Any] = {"delicate": len(delicate)}
    for walk, lost in islice(states.find_losses(delicate), MAX_COMPARED):
        is_lost = True
        finding = _certified(dungeon, walk, lost, questions)
        if finding is not None:
            stats["states"] = len(states.after)
            return Finding(Verdict.NO, finding.certificate, because=finding.because, stats=stats)
    stats["states"] = len(states.after)
    if is_lost:
        reason = questions.reason or questions.meter.stop_reason() or Reason(Cause.INCOMPLETE, NOT_ALWAYS_ON_GOAL)
        return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
    if states.are_all:
        certificate = certify(dungeon, "monotone", Verdict.YES, "all states", count=len(states.after))
        because = f"Taking something never costs anything ({counted(len(states.after), 'state')} compared)."
        return Finding(Verdict.YES, certificate, because=because, stats=stats)
    return _hunt(dungeon, sorted(delicate), questions, stats)


# what is delicate


def delicate_pickups(dungeon: Dungeon) -> frozenset[int]:
    """Return the numbers of the pickups that can take something away when they are taken."""
    leaves = [leaf for rule in requirements_of(dungeon) for leaf in leaves_of(rule)]
    feared = [leaf for leaf, wanted in leaves if not wanted]
    renewing = {_resource(pickup) for pickup in dungeon.pickups if pickup.renews}
    matter = [number for number in range(len(dungeon.pickups)) if _matters(dungeon, number, leaves)]
    found = {number for number in matter if _resource(dungeon.pickups[number]) in renewing}
    before = -1
    while len(found) > before:
        before = len(found)
        asked = [leaf for number in found for leaf, _ in leaves_of(dungeon.pickups[number].rule)]
        looked_at = dict.fromkeys((*feared, *asked))
        found |= {number for number in matter if any(_is_about(dungeon, leaf, number) for leaf in looked_at)}
    return frozenset(number for number in found if not dungeon.pickups[number].renews)


def _resource(pickup: Pickup) -> str:
    return resource_of(pickup.kind, pickup.name) if pickup.kind in ("key", "bombs") else ""


def _is_about(dungeon: Dungeon, leaf: Leaf, number: int) -> bool:
    """Tell whether a pickup can make a part of a requirement hold."""
    pickup = dungeon.pickups[number]
    if isinstance(leaf, Have):
        return leaf.what == pickup.kind and (leaf.what == "bombs" or leaf.name == pickup.name)
    rooms = (room for room in dungeon.rooms if isinstance(leaf, Cleared) and room.name == leaf.room)
    return pickup.kind == "monster" and any(inside(pickup.place, room) for room in rooms)


def _matters(dungeon: Dungeon, number: int, leaves: list[tuple[Leaf, bool]]) -> bool:
    """Tell whether anything asks for a pickup, or is paid with it."""
    rules, pickup = dungeon.rules, dungeon.pickups[number]
    if (pickup.kind == "key" and not rules.keys_counted) or (pickup.kind == "bombs" and rules.bombs is None):
        return False
    if any(_is_about(dungeon, leaf, number) for leaf, _ in leaves):
        return True
    if pickup.kind == "key":
        return any(gate.kind == "lock" and gate.needs[0] == pickup.name for gate in dungeon.gates)
    if pickup.kind == "bombs":
        return any(gate.kind == "cracked" for gate in dungeon.gates)
    # Items and monsters that only gates and water ask for, and nothing else, never do harm.
    return False


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

    def __init__(self, dungeon: Dungeon, meter: Meter) -> None:
        self.meter = meter
        # What renews is never marked as taken: it is played with marks, which are taken off after each move.
        renewing = [number for number, pickup in enumerate(dungeon.pickups) if pickup.renews]
        marked, _ = with_marks(dungeon, renewing)
        self.game = Game(marked, meter)
        shift, marks = 0, []
        self.numbers: dict[int, int] = {}
        """For each number with marks the number of the pickup that it is, or is the mark of."""
        for number, pickup in enumerate(dungeon.pickups):
            self.numbers[number + shift] = number
            if pickup.renews:
                marks.append(number + shift)
                shift += 1
                self.numbers[number + shift] = number
        self.marks = frozenset(marks)
        self.after: dict[State, list[tuple[State, frozenset[int]]]] = {}
        """What can follow each state in one move, and the marks that the move takes."""
        self.parents: dict[State, tuple[State, str] | None] = {}
        """How each state that can come about was found first."""
        self.takings: list[tuple[State, str, State, State]] = []
        """Moves that take something delicate: from where, the move, where to, and the same with it left lying."""
        self.are_all = False

    def find_losses(self, delicate: frozenset[int]) -> Iterator[tuple[list[str], int]]:
        """Yield walks of which the last move takes something away, and what; none if there are too many states."""
        if not self._explore(delicate):
            return
        had = self._can_be_had()
        self.are_all = True
        for before, move, taken, left in self.meter.each(self.takings):
            lost = had[left] & ~had[taken]
            while lost:
                lowest = (lost & -lost).bit_length() - 1
                lost &= lost - 1
                yield [*self._walk_to(before), move], self.numbers.get(lowest, GOAL)

    def _explore(self, delicate: frozenset[int]) -> bool:
        """Find all states; False if there are too many."""
        feared = {number for number, own in self.numbers.items() if own in delicate}
        first = self._without_marks(self.game.present_state(self.meter))
        self.parents[first] = None
        for state, moves in self._flood([first]):
            for move, after in moves:
                self.parents.setdefault(after, (state, move))
                if not feared.isdisjoint(after.taken - state.taken):
                    self.takings.append((state, move, after, left_lying(self.game, state, after)))
        for _ in self._flood([left for *_, left in self.takings]):
            pass
        return len(self.after) <= MAX_STATES

    def _without_marks(self, state: State) -> State:
        return state if self.marks.isdisjoint(state.taken) else state._replace(taken=state.taken - self.marks)

    def _flood(self, first: list[State]) -> Iterator[tuple[State, list[tuple[str, State]]]]:
        waiting = deque(first)
        while waiting and len(self.after) <= MAX_STATES:
            state = waiting.popleft()
            if state in self.after:
                continue
            moves, following = [], []
            for move, after in self.game.moves(state):
                moves.append((move, self._without_marks(after)))
                following.append((moves[-1][1], after.taken & self.marks))
            self.after[state] = following
            self.meter.book(1)
            yield state, moves
            waiting.extend(after for after, _ in following if after not in self.after)

    def _can_be_had(self) -> dict[State, int]:
        """Return for each state what was or can be taken, and whether a goal can be reached, as bits."""
        goal_bit = 1 << len(self.game.dungeon.pickups)
        had: dict[State, int] = {}
        before: dict[State, list[State]] = {state: [] for state in self.after}
        for state, following in self.meter.each(self.after.items()):
            had[state] = _bits(state.taken) | goal_bit * self.game.is_won(state)
            for after, marks in following:
                before[after].append(state)
                had[state] |= _bits(marks)
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


def _bits(numbers: frozenset[int]) -> int:
    return sum(1 << number for number in numbers)


# proofs


def _certified(dungeon: Dungeon, walk: list[str], lost: int, questions: SubQuestions[Dungeon]) -> Finding | None:
    """Return the proof that a walk's last move takes something away, or None if it does not, or the budget ended."""
    meter = questions.meter
    if lost != GOAL:
        pickup = dungeon.pickups[lost]
        if pickup.place in dungeon.goals and pickup.rule is not None and rule_on_arrival(dungeon, lost) is None:
            return None  # a plan that ends there need not take it
    changed = about(dungeon, [] if lost == GOAL else [lost])
    played = replace(changed, played=(*dungeon.played, *walk[:-1]))
    analysis = Analysis.of(ground_level(played, meter), meter)
    game = analysis.ground.game
    before = game.present_state(meter)
    taken = game.step(before, walk[-1])
    assert taken is not None, "the walk was walked before"
    left = left_lying(game, before, taken)
    if lost != GOAL and len(changed.pickups) > len(dungeon.pickups):
        # What renews may have been taken before; this is about having it from here on.
        taken, left = (state._replace(taken=state.taken - {lost}) for state in (taken, left))
    exploration, reason = explore_from(analysis, taken, meter, questions.request.listen, stop_at_win=True)
    if reason is not None or exploration.first_win >= 0 or game.is_won(taken):
        return None
    states = describe_situations(exploration, range(exploration.count), meter)
    # Step by step, and without what rests on everything being taken where a player stands: here it is not.
    cell, words = analysis.locate(left)
    plan = search_walk(analysis.ground, cell, words, Parts(reverse=False), meter, questions.request.listen).moves
    if plan is None:
        return None
    certificate = certify(dungeon, "monotone", Verdict.NO, "taken away", walk=walk, lost=lost, states=states, plan=plan)
    own = Game(dungeon, meter)
    here = replace(dungeon, played=(*dungeon.played, *walk[:-1]))
    was = Game(here, meter).present_state(meter)
    now = own.step(was, walk[-1])
    assert now is not None
    things = name_all(dungeon, now.taken - was.taken)
    what = "the goal cannot be reached" if lost == GOAL else f"{name_all(dungeon, [lost])} cannot be had"
    because = f"After taking {things}, {what} any more."
    return Finding(Verdict.NO, certificate, because=because)


def _hunt(dungeon: Dungeon, delicate: list[int], questions: SubQuestions[Dungeon], stats: dict[str, Any]) -> Finding:
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
