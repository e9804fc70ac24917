"""Show that a goal stays within reach whatever a player does, by what a way to it needs and nothing else.

The argument is that of `checker.within_reach`: gates that the way does not need are *forgotten*, so that a player may
have opened any of them or none; what is left are *homes*, situations with those gates shut, from which and their
surroundings every move leads to a home again. Which gates to keep in mind is read off a plan: the keys and bombs it
spends, and the items its gates ask for. If a goal needs items, each is shown to stay within reach, one after the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.model import FLOOR, Dungeon, Floor, Gate, Pickup, Place
from solvent.dungeon.rules import State, resource_of
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.asked_for import is_plain
from solvent.dungeon.solver.certificates import describe_states
from solvent.dungeon.solver.easier import Decider
from solvent.dungeon.solver.ground import Ground, ground_level
from solvent.dungeon.solver.layout import pack, spends
from solvent.dungeon.solver.mechanics import CALM, EXACT, ILLEGAL, NEED, SATURATE, TOGGLE, TOOK
from solvent.dungeon.solver.regions_kernel import Regions
from solvent.dungeon.solver.situations import Analysis
from solvent.dungeon.solver.state_kernel import PackedState

MAX_HOMES = 2_000
MAX_GOALS = 40
"""Goals that are tried one by one."""
MAX_RESOURCES = 10
"""Keys of one colour, or bombs, that are tried one by one."""
MOVES_A_NODE = 20
"""How many moves are looked at for one node."""

Words = tuple[int, ...]


def find_within_reach(decider: Decider, state: State, meter: Meter) -> dict[str, Any] | None:
    """Return the body of a certificate that no player can lose, or None if this argument does not show it."""
    dungeon = decider.analysis.ground.dungeon
    if not is_plain(dungeon):
        return None
    stages: list[dict[str, Any]] = []
    had: list[str] = []
    for item in meter.each(decider.wanted(state), every=1):
        stage = _prove_stage(decider, state, _Stage(item, decider.places_of(item), tuple(had)), meter)
        if stage is None:
            return None
        stages.append(stage)
        had.append(item)
    last = _prove_stage(decider, state, _Stage(None, dungeon.goals, tuple(had)), meter)
    return None if last is None else {"stages": [*stages, last]}


class _Stage(Struct, frozen=True):
    """Say what is to be shown to stay within reach."""

    item: str | None
    goals: tuple[Place, ...]
    had: tuple[str, ...]
    """Items that are in hand by then."""


class _Kept(Struct, frozen=True):
    """Say which gates are not forgotten."""

    resources: frozenset[str]
    items: frozenset[str]

    def forgotten(self, dungeon: Dungeon) -> list[int]:
        """Return the numbers of all others that can be forgotten."""
        return [
            number
            for number, gate in enumerate(dungeon.gates)
            if (
                gate.kind in ("lock", "cracked")
                and resource_of(gate.kind, gate.needs[0] if gate.needs else "") not in self.resources
                and spends(dungeon, number)
            )
            or (gate.kind == "item" and not self.items.issuperset(gate.needs))
        ]


def _prove_stage(decider: Decider, state: State, stage: _Stage, meter: Meter) -> dict[str, Any] | None:
    """Return a stage of a certificate, or None if no choice of gates to forget shows it."""
    for kept in meter.each(_candidates(decider, state, stage), every=1):
        body = _prove(decider.analysis, state, stage, kept, meter)
        if body is not None:
            return body
    return None


def _candidates(decider: Decider, state: State, stage: _Stage) -> Iterator[_Kept]:
    """Yield what to keep in mind: nothing; then what ways to single goals need, the least first; then one resource."""
    had = frozenset(stage.had)
    yield _Kept(frozenset(), had)
    found = {_Kept(frozenset(), had): 0}
    single = [(goal,) for goal in stage.goals[:MAX_GOALS]] if len(stage.goals) > 1 else []
    for goals in (*single, stage.goals):
        kept = _kept_on_plan(decider, state, goals, stage.had)
        if kept is not None:
            found.setdefault(kept, len(kept.resources) + len(kept.items))
    yield from sorted(found, key=lambda kept: found[kept])[1:]
    items = frozenset().union(*(kept.items for kept in found))
    for resource in list(decider.analysis.ground.layout.resources)[:MAX_RESOURCES]:
        kept = _Kept(frozenset([resource]), items)
        if kept not in found:
            yield kept


def _kept_on_plan(decider: Decider, state: State, goals: tuple[Place, ...], had: Sequence[str]) -> _Kept | None:
    """Return what a plan to some goals needs; some items count as had, and what they ask for is not shown again."""
    dungeon, game = decider.analysis.ground.dungeon, decider.analysis.ground.game
    holding = _with_items(decider.analysis, state, had)
    plan = decider.plan_to(holding, goals)
    if plan is None:
        return None
    resources: set[str] = set()
    items: set[str] = set(had)
    here = holding
    for move, after in zip(plan, decider.meter.each(game.walk(holding, plan), every=20), strict=False):
        way = dungeon.ways[int(move)].gate if move.isdigit() else None
        for number in (way, game.gate_at.get(after.place)):
            gate = None if number is None else dungeon.gates[number]
            if gate is not None and gate.kind == "item":
                items.update(gate.needs)
            if gate is not None and number is not None and spends(dungeon, number) and number not in here.opened:
                resources.add(resource_of(gate.kind, gate.needs[0] if gate.needs else ""))
        here = after
    return _Kept(frozenset(resources), frozenset(items))


def _with_items(analysis: Analysis, state: State, items: Sequence[str]) -> State:
    """Return a state with some items in hand as well."""
    pickups = analysis.ground.dungeon.pickups
    wanted = set(items)
    more = (n for n, pickup in enumerate(pickups) if pickup.kind == "item" and pickup.name in wanted)
    return state._replace(taken=state.taken.union(more)) if wanted else state


def _prove(analysis: Analysis, state: State, stage: _Stage, kept: _Kept, meter: Meter) -> dict[str, Any] | None:
    """Return a stage of a certificate with these gates kept in mind, or None if that does not show it."""
    dungeon = analysis.ground.dungeon
    forgotten = kept.forgotten(dungeon)
    harder, openers = _forget(dungeon, stage, forgotten)
    variant = Analysis.of(ground_level(harder, meter), meter)
    for step_by_step in (False, True):
        homes = _Homes(variant, openers, step_by_step, meter)
        # With earlier items carried, a thorough player may have left behind what only these lead to.
        homes.thorough = homes.thorough and not stage.had
        if not homes.explore(state):
            continue
        ranks = homes.ranks()
        if ranks is None:
            return None
        described = describe_states(variant.ground, homes.areas, homes.homes, meter)
        body: dict[str, Any] = {"states": described, "ranks": ranks, "forgotten": forgotten}
        if stage.item is not None:
            body["item"] = stage.item
        if step_by_step:
            body["step_by_step"] = True
        return body
    return None


def _forget(dungeon: Dungeon, stage: _Stage, forgotten: Sequence[int]) -> tuple[Dungeon, list[str]]:
    """Return the dungeon of a stage, and items that no player can get, and that open all forgotten gates.

    They lie on a floor of their own, where nothing leads.
    """
    names = {pickup.name for pickup in dungeon.pickups} | {name for gate in dungeon.gates for name in gate.needs}
    names |= {*dungeon.rules.items, dungeon.rules.water}
    prefix = "open gate "
    while any(name.startswith(prefix) for name in names):
        prefix += "of "
    gates = list(dungeon.gates)
    openers: set[str] = set()
    for number in forgotten:
        gate = gates[number]
        needs = [f"{prefix}with {name}" for name in gate.needs] if gate.kind == "item" else [f"{prefix}{number}"]
        openers.update(needs)
        gates[number] = Gate("item", tuple(sorted(needs)), gate.cells)
    nowhere = (len(dungeon.floors), 0, 0)
    harder = replace(
        dungeon,
        floors=(*dungeon.floors, Floor(prefix, (FLOOR,))),
        pickups=(*dungeon.pickups, *(Pickup(nowhere, "item", opener) for opener in sorted(openers))),
        gates=tuple(gates),
        goals=stage.goals,
        rules=replace(dungeon.rules, items=tuple(sorted({*dungeon.rules.items, *stage.had}))),
        played=(),
    )
    return harder, sorted(openers)


class _Homes:
    """Find the homes of a stage, and how they lead to one another."""

    def __init__(self, analysis: Analysis, openers: Sequence[str], step_by_step: bool, meter: Meter) -> None:
        self.analysis, self.meter, self.step_by_step = analysis, meter, step_by_step
        self.ground: Ground = analysis.ground
        self.areas: Areas = analysis.areas(apart=step_by_step)
        self.graph = self.areas.graph
        self.regions = Regions(self.areas, EXACT if step_by_step else SATURATE)
        layout = self.ground.layout
        self.open = _masks(layout.words, [layout.items[name] for name in openers])
        """All forgotten gates open, by word."""
        self.asks = [self._asks(demand.gates) for demand in self.graph.demands]
        """What moves need to have in hand, by demand and word."""
        self.is_forgotten = [any(mask & self.open[word] for word, mask in asked.items()) for asked in self.asks]
        holdings = [*layout.resources.values(), *layout.items.values(), *layout.pickups.values()]
        self.holdings = _masks(layout.words, holdings)
        self.things = _masks(layout.words, [*layout.items.values(), *layout.pickups.values()])
        self.soft = _masks(layout.words, [*holdings, *layout.opening.values()])
        """All that may change by a move that is undone by another."""
        self.lies: dict[int, dict[int, int]] = {}
        for effect in self.graph.effects:
            if effect.kind != TOGGLE:
                there = self.lies.setdefault(effect.node, {})
                there[effect.word] = there.get(effect.word, 0) | effect.mask
        self.plates = {effect.node for effect in self.graph.effects if effect.kind == TOGGLE}
        self.thorough = self.ground.dungeon.rules.player == "thorough"
        self.homes: list[tuple[int, Words]] = []
        self.number: dict[tuple[int, Words], int] = {}
        self.next: list[set[int]] = []
        self.wins: list[bool] = []
        self.spare = PackedState([0] * layout.words)

    def _asks(self, gates: Sequence[int]) -> dict[int, int]:
        bits: dict[int, int] = {}
        for row in gates:
            if row >= 0 and self.ground.gates[row].kind == NEED:
                for word, mask in self.ground.gates[row].needs:
                    bits[word] = bits.get(word, 0) | mask
        return bits

    def explore(self, state: State) -> bool:
        """Find all homes; returns whether that was possible without leaving things behind, and not too much."""
        cell = self.ground.cell(state.place)
        words = pack(self.ground.layout, self.ground.game, state)
        self._home(memoryview(self.areas.area_of)[cell], words.as_tuple())
        number = 0
        while number < len(self.homes):
            if len(self.homes) > MAX_HOMES or not self._expand(number):
                return False
            number += 1
        return True

    def ranks(self) -> list[int] | None:
        """Return how many others may lie between each home and a goal; None if from some no way leads there."""
        before: list[list[int]] = [[] for _ in self.homes]
        for number, others in enumerate(self.next):
            for other in others:
                before[other].append(number)
        ranks = [0 if wins else -1 for wins in self.wins]
        waiting = deque(number for number, wins in enumerate(self.wins) if wins)
        while waiting:
            number = waiting.popleft()
            for earlier in before[number]:
                if ranks[earlier] < 0:
                    ranks[earlier] = ranks[number] + 1
                    waiting.append(earlier)
        return None if min(ranks) < 0 else ranks

    def _home(self, node: int, words: Words) -> int:
        """Return the number of the home that a state completes to, which is added if it is new."""
        state = PackedState(words)
        region = self.regions.find(node, state)
        home = (min(region), state.as_tuple())
        number = self.number.setdefault(home, len(self.homes))
        if number == len(self.homes):
            self.homes.append(home)
            self.next.append(set())
            self.wins.append(False)
        return number

    def _expand(self, number: int) -> bool:
        """Find where moves from a home and its surroundings lead; returns False if something may be left behind."""
        node, words = self.homes[number]
        known = set(self.regions.find(node, PackedState(words)))
        moves, around = self._look_around(known, words)
        left = {} if self.step_by_step else self._lying(around, words)
        together = not left or not self._needs_any(known, words, left)
        for arc, after, is_undone in moves:
            here, there = self.graph.source[arc], self.graph.target[arc]
            is_known = here in known and not self.is_forgotten[self.graph.demand[arc]]
            if self.graph.is_goal[there]:
                self.wins[number] = self.wins[number] or is_known
                continue
            if is_undone:
                if after == words:
                    continue
                reached = self._home(node, after)
            elif is_known and together and there in known and after == words:
                continue
            else:
                changes = any((a ^ b) & ~mask for a, b, mask in zip(after, words, self.holdings, strict=True))
                if left and not (self.thorough and changes):
                    return False
                reached = self._home(there, after)
            if is_known:
                self.next[number].add(reached)
        return True

    def _look_around(self, region: set[int], words: Words) -> tuple[list[tuple[int, Words, bool]], set[int]]:
        """Return the moves from the surroundings of a home, and the areas that these are.

        With each move, what comes of it, and whether it is undone by another.
        """
        now = PackedState(self._opened(words))
        around, waiting = set(region), list(region)
        moves: list[tuple[int, Words, bool]] = []
        booked = 0
        while waiting:
            here = waiting.pop()
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                if self.graph.take(arc, now, self.spare) == ILLEGAL:
                    continue
                after = self._shut(self.spare.as_tuple())
                there = self.graph.target[arc]
                is_undone = not self.graph.is_goal[there] and self._is_undone(arc, words, after)
                moves.append((arc, after, is_undone))
                if is_undone and after == words and there not in around:
                    around.add(there)
                    waiting.append(there)
            if len(moves) > booked + MOVES_A_NODE:
                self.meter.book((len(moves) - booked) // MOVES_A_NODE)
                booked = len(moves)
        self.meter.book(1)
        return moves, around

    def _opened(self, words: Words) -> Words:
        return tuple(word | mask for word, mask in zip(words, self.open, strict=True))

    def _shut(self, words: Words) -> Words:
        return tuple(word & ~mask for word, mask in zip(words, self.open, strict=True))

    def _is_undone(self, arc: int, words: Words, after: Words) -> bool:
        """Tell whether a step straight back undoes a move."""
        graph = self.graph
        here, there = graph.source[arc], graph.target[arc]
        if there in self.plates or any((a ^ b) & ~mask for a, b, mask in zip(after, words, self.soft, strict=True)):
            return False
        asked = self.asks[graph.demand[arc]]
        now = PackedState(self._opened(after))
        for back in range(graph.first_arc[there], graph.first_arc[there + 1]):
            if graph.target[back] != here:
                continue
            found = self.lies.get(there, {})
            if any(
                mask & ~(asked.get(word, 0) | found.get(word, 0) | self._sure(here, word))
                for word, mask in self.asks[graph.demand[back]].items()
            ):
                continue
            if graph.take(back, now, self.spare) in (CALM, TOOK):
                return True
        return False

    def _sure(self, area: int, word: int) -> int:
        if word >= self.areas.sure_words:
            return 0
        sure: int = memoryview(self.areas.sure)[area, word]
        return sure

    def _lying(self, areas: set[int], words: Words) -> dict[int, int]:
        """Return what lies in some areas and is in hand, by word."""
        lying: dict[int, int] = {}
        for node in areas:
            for word, mask in self.lies.get(node, {}).items():
                if mask & words[word]:
                    lying[word] = lying.get(word, 0) | (mask & words[word])
        return lying

    def _needs_any(self, region: set[int], words: Words, left: dict[int, int]) -> bool:
        """Tell whether walking about a region needs any of these things."""
        for node in region:
            for arc in range(self.graph.first_arc[node], self.graph.first_arc[node + 1]):
                needed = self.asks[self.graph.demand[arc]]
                if (
                    self.graph.target[arc] in region
                    and any(mask & left.get(word, 0) for word, mask in needed.items())
                    and all(mask & ~words[word] == 0 for word, mask in needed.items())
                ):
                    return True
        return False


def _masks(words: int, fields: Sequence[Any]) -> Words:
    masks = [0] * words
    for at in fields:
        masks[at.word] |= at.mask
    return tuple(masks)
