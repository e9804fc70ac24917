"""Decide by easier dungeons, in which some locks and cracked walls stand open and take nothing.

Whatever can be done in the dungeon can be done in the easier one (see `checker.waiving` for the argument). So if the
easier one cannot be finished, neither can the dungeon, and its few situations are the proof. And if the easier one has
a plan that can be paid for in the dungeon as it is, that is a plan; if it was a shortest one there, it is here.

It begins with every such gate waived. As long as the plan found costs more than there is, the gates on it that what ran
short was spent on are taken seriously from then on. Parts of a dungeon that do not matter are never looked at.

A goal that needs many items is reached by getting one after the other, each as if it were the goal. That may spend on
one what another needs; then nothing is concluded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from msgspec import Struct, field

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.dungeon.model import Dungeon, Gate, Pickup, Place
from solvent.dungeon.rules import State, resource_of
from solvent.dungeon.solver.asked_for import asked_for
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.layout import items_asked_for, spends
from solvent.dungeon.solver.searching import Parts, search_walk
from solvent.dungeon.solver.situations import Analysis, any_plan, explore_from, state_after

MAX_ROUNDS = 60
"""How often to take more gates seriously before it is given up."""
NODES_A_LOOK = 5_000
"""Nodes for exploring an easier dungeon, and as many for a plan in it."""
NODES_AS_IT_IS = 10_000
"""Nodes for exploring the dungeon as it is."""
MAX_GATES_AT_ONCE = 24
"""If what up to so many gates take ran short three times, all of them are taken seriously."""
MAX_ITEMS = 40
"""Items that are looked at one by one, whether the goal needs them."""


class Proof(Struct, frozen=True, eq=False):
    """Hold situations of an easier dungeon that no move leaves and that have no goal."""

    exploration: Exploration
    waived: list[int]
    """Numbers of the gates that are waived, sorted."""


class Outcome(Struct, frozen=True, eq=False):
    """Hold a plan, or a proof that there is none, or neither."""

    plan: list[str] | None = None
    shortest: bool = False
    """Whether no plan has fewer moves."""
    proof: Proof | None = None

    @property
    def decided(self) -> bool:
        """Tell whether there is either."""
        return self.plan is not None or self.proof is not None


UNDECIDED = Outcome()


def waivable_gates(dungeon: Dungeon) -> list[int]:
    """Return the gates that may be waived: none where a requirement asks how many keys or bombs are in hand."""
    if asked_for(dungeon).resources:
        return []
    return [number for number in range(len(dungeon.gates)) if spends(dungeon, number)]


class Decider(Struct, eq=False):
    """Decide whether a goal can be reached from states of one dungeon."""

    analysis: Analysis
    request: Request
    meter: Meter
    waivable: frozenset[int]
    _easier: dict[tuple[frozenset[int], tuple[Place, ...]], Analysis] = field(default_factory=dict)
    _needed: list[str] | None = None
    last_proof: frozenset[int] | None = None
    """The gates waived in the last proof: the same may do for another state."""

    @classmethod
    def of(cls, analysis: Analysis, request: Request, meter: Meter) -> Decider | None:
        """Return what decides, or None if no gate can be waived."""
        waivable = waivable_gates(analysis.ground.dungeon)
        return cls(analysis, request, meter, frozenset(waivable)) if waivable else None

    def decide(self, state: State, *, shortest: bool = False, is_hard: bool = False) -> Outcome:
        """Return a plan from a state, or a proof that there is none, or neither; what it costs is bounded.

        With `is_hard`, it is not tried in the dungeon as it is.
        """
        proof = self.prove_again(state)
        if proof is not None:
            return Outcome(proof=proof)
        wanted = self.wanted(state)
        outcome = UNDECIDED
        if len(wanted) > 1:
            outcome = self._one_by_one(state, wanted)
        if not outcome.decided:
            outcome = self._refine(state, self.analysis.ground.dungeon.goals, shortest=shortest)
        if not outcome.decided and not is_hard:
            outcome = self._explore(state)
        if outcome.proof is not None and outcome.proof.waived:
            self.last_proof = frozenset(outcome.proof.waived)
        return outcome

    def prove_again(self, state: State) -> Proof | None:
        """Return a proof that the goal is out of reach, if the gates waived in the last proof give one here too."""
        if self.last_proof is None:
            return None
        outcome = self._look(state, self.last_proof - state.opened, self.analysis.ground.dungeon.goals)
        return None if outcome is None else outcome.proof

    def easier(self, waived: frozenset[int], goals: tuple[Place, ...]) -> Analysis:
        """Return the easier dungeon in which these gates are waived, with these goals."""
        found = self._easier.get((waived, goals))
        if found is None:
            dungeon = self.analysis.ground.dungeon
            if len(self._easier) >= 20:
                self._easier.clear()
            found = Analysis.of(ground_level(make_easier(dungeon, waived, goals), self.meter), self.meter)
            self._easier[waived, goals] = found
        return found

    def plan_to(self, state: State, goals: tuple[Place, ...]) -> list[str] | None:
        """Return a plan from a state to one of some places, or None if none was found."""
        return self._refine(state, goals).plan

    def _part(self) -> Meter:
        return self.meter.part(nodes=NODES_A_LOOK, fraction=0.3)

    def _look(self, state: State, waived: frozenset[int], goals: tuple[Place, ...]) -> Outcome | None:
        """Return a proof that no goal can be reached with these gates waived; None if one can; or neither."""
        easier = self.easier(waived, goals)
        try:
            exploration, reason = explore_from(easier, state, self._part(), self.request.listen, stop_at_win=True)
        except LimitReached as limit:
            reason = limit.reason
        self._stop_if_over(reason)
        if reason is not None:
            return UNDECIDED
        return None if exploration.first_win >= 0 else Outcome(proof=Proof(exploration, sorted(waived)))

    def _refine(self, state: State, goals: tuple[Place, ...], *, shortest: bool = False) -> Outcome:
        """Take ever more gates seriously until the easier dungeon tells what is true of the dungeon."""
        waived = self.waivable - state.opened  # what was paid is paid: else there would be more in hand
        game = self.analysis.ground.game
        ran_short: dict[str, int] = defaultdict(int)
        for _ in self.meter.each(range(MAX_ROUNDS), every=1):
            outcome = self._look(state, waived, goals)
            if outcome is not None:
                return outcome
            easier = self.easier(waived, goals)
            plan, is_shortest = self._plan(easier, state, shortest=shortest)
            made = list(self.meter.each(game.walk(state, plan), every=20))
            # The game may be over before, on another goal.
            if len(made) == len(plan) or (made and game.is_won(made[-1])):
                return Outcome(plan[: len(made)], is_shortest)
            serious: set[int] = set()
            for resource, gates in gates_to_pay(self.analysis, easier, state, plan).items():
                ran_short[resource] += 1
                every = self.analysis.ground.layout.spenders[resource]
                all_of_them = ran_short[resource] > 2 and len(every) <= MAX_GATES_AT_ONCE
                serious |= waived.intersection(every if all_of_them else gates)
            if not serious:  # what renews is not counted here, so it may not be known what ran short
                return UNDECIDED
            waived -= serious
        return UNDECIDED

    def _explore(self, state: State) -> Outcome:
        """Try it in the dungeon as it is."""
        allowed = self.meter.part(nodes=NODES_AS_IT_IS, fraction=0.3)
        exploration, reason = explore_from(self.analysis, state, allowed, self.request.listen, stop_at_win=True)
        self._stop_if_over(reason)
        if reason is not None:
            return UNDECIDED
        if exploration.first_win < 0:
            return Outcome(proof=Proof(exploration, []))
        return Outcome(any_plan(self.analysis, state, exploration, self.meter))

    def _plan(self, easier: Analysis, state: State, *, shortest: bool) -> tuple[list[str], bool]:
        """Return a plan of an easier dungeon that goes few ways round, and whether it is a shortest one."""
        if shortest:
            from solvent.dungeon.solver.solvable import shortest_walk

            walk = shortest_walk(easier, state, self.request, self.meter)
        else:
            cell, words = easier.locate(state)
            walk = search_walk(easier.ground, cell, words, Parts(), self._part(), self.request.listen)
        self._stop_if_over(walk.reason)
        if walk.moves is not None:
            return walk.moves, walk.shortest
        exploration, reason = explore_from(easier, state, self.meter, self.request.listen, stop_at_win=True)
        if reason is not None:
            raise LimitReached(reason)
        return any_plan(easier, state, exploration, self.meter), False

    def _one_by_one(self, state: State, wanted: list[str]) -> Outcome:
        """Get the items that the goal needs one after the other, and then the goal."""
        game = self.analysis.ground.game
        goals = self.analysis.ground.dungeon.goals
        plan: list[str] = []
        here = state
        for name in self.meter.each(wanted, every=1):
            if game.holds(here, name):
                continue
            places = self.places_of(name)
            outcome = self._refine(here, places)
            if outcome.proof is not None and plan:
                outcome = self._refine(state, places)
                if outcome.plan is not None:
                    return UNDECIDED  # what was spent on the others would have been needed for this one
            if outcome.proof is not None:
                # Without this item the goal is out of reach, even with more gates waived.
                found = self._look(state, frozenset(outcome.proof.waived), goals)
                return UNDECIDED if found is None else found
            if outcome.plan is None:
                return UNDECIDED
            plan += outcome.plan
            here = state_after(self.analysis, here, outcome.plan, self.meter)
            if game.is_won(here):
                return Outcome(plan)
        outcome = self._refine(here, goals)
        return UNDECIDED if outcome.plan is None else Outcome(plan + outcome.plan)

    def places_of(self, item: str) -> tuple[Place, ...]:
        """Return where an item lies, and the goals: reaching either is enough."""
        dungeon = self.analysis.ground.dungeon
        places = {pickup.place for pickup in dungeon.pickups if pickup.kind == "item" and pickup.name == item}
        return tuple(sorted(places.union(dungeon.goals)))

    def wanted(self, state: State) -> list[str]:
        """Return the items that are needed and not in hand; what every plan from the present needs, later ones do."""
        if self._needed is None:
            self._needed = list(self._find_needed(state))
        return [name for name in self._needed if not self.analysis.ground.game.holds(state, name)]

    def _find_needed(self, state: State) -> Iterable[str]:
        dungeon = self.analysis.ground.dungeon
        names = sorted(items_asked_for(dungeon) - set(dungeon.rules.items))
        if not 2 <= len(names) <= MAX_ITEMS:
            return
        easy = make_easier(dungeon, self.waivable, dungeon.goals)
        for name in self.meter.each(names, every=1):
            if self.analysis.ground.game.holds(state, name):
                continue
            without = Analysis.of(ground_level(_without(easy, name), self.meter), self.meter)
            try:
                exploration, reason = explore_from(without, state, self._part(), self.request.listen, stop_at_win=True)
            except LimitReached as limit:
                reason = limit.reason
            self._stop_if_over(reason)
            if reason is None and exploration.first_win < 0:
                yield name

    def _stop_if_over(self, reason: Reason | None) -> None:
        """Raise LimitReached if the whole of the budget is used up, not just a part of it."""
        if reason is not None:
            over = self.meter.stop_reason()
            if over is not None:
                raise LimitReached(over)


def make_easier(dungeon: Dungeon, waived: Iterable[int], goals: tuple[Place, ...]) -> Dungeon:
    """Return the dungeon with some gates open from the start, and other goals; all keep their numbers."""
    gates = list(dungeon.gates)
    for number in waived:
        gates[number] = Gate("item", (), gates[number].cells)
    return replace(dungeon, gates=tuple(gates), goals=goals, played=())


def _without(dungeon: Dungeon, item: str) -> Dungeon:
    """Return the dungeon with something of no use in the place of an item."""
    pickups = (
        Pickup(pickup.place, "item", "") if pickup.kind == "item" and pickup.name == item else pickup
        for pickup in dungeon.pickups
    )
    return replace(dungeon, pickups=tuple(pickups))


def gates_to_pay(analysis: Analysis, easier: Analysis, state: State, plan: list[str]) -> dict[str, list[int]]:
    """Return for each resource that runs short on a plan of an easier dungeon the gates it was to be spent on."""
    dungeon, game = analysis.ground.dungeon, analysis.ground.game
    resource_by_gate = {
        number: resource for resource, numbers in analysis.ground.layout.spenders.items() for number in numbers
    }
    in_hand = {
        resource: (game.bombs(state) or 0) if resource == "bombs" else game.keys(state, resource[4:])
        for resource in analysis.ground.layout.resources
    }
    opened = set(state.opened)
    used: dict[str, list[int]] = defaultdict(list)
    short: set[str] = set()
    before = state
    walk = easier.ground.game.walk(state, plan)
    for move, after in zip(plan, analysis.meter.each(walk, every=20), strict=True):
        way = dungeon.ways[int(move)].gate if move.isdigit() else None
        for gate in dict.fromkeys((way, game.gate_at.get(after.place))):
            resource = resource_by_gate.get(gate) if gate is not None else None
            if gate is None or resource is None or gate in opened:
                continue
            opened.add(gate)
            used[resource].append(gate)
            if in_hand[resource] < 1:
                short.add(resource)
            in_hand[resource] -= 1
        if after.taken is not before.taken:
            for number in after.taken - before.taken:
                pickup = dungeon.pickups[number]
                resource = resource_of(pickup.kind, pickup.name)
                if pickup.kind in ("key", "bombs") and resource in in_hand:
                    in_hand[resource] += pickup.count or (
                        dungeon.rules.bombs_per_pickup if pickup.kind == "bombs" else 0
                    )
        before = after
    return {resource: used[resource] for resource in sorted(short)}
