"""Look for a way to lose by playing badly, before all situations are looked at.

A player who opens the doors that gain least, and not those on the way to the goal, soon has nothing left to spend. If
an easier dungeon then proves that the goal is out of reach, the play is a walk that loses; the door that lost it is
found by halving. Doors that the loss does not need are then left out again.

Every play takes everything within reach before it goes on, so it is one of a thorough player too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.budget import Meter
from solvent.dungeon.rules import State
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.easier import Decider, Proof
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.mechanics import ILLEGAL, SATURATE, SPEND
from solvent.dungeon.solver.situations import Analysis, begin_from, state_after
from solvent.dungeon.solver.state_kernel import PackedState
from solvent.dungeon.solver.walking import ANY, walk_out

MAX_PLAYS = 40
MAX_DOORS = 400
"""How many doors one play opens at most."""
RANDOM_PLAYS = 6
MAX_LESSONS = 25
"""How often to play again, sparing the doors that were of use the last time."""
MAX_LEFT_OUT = 60
"""How many doors are tried to be left out."""
LOOKS_A_NODE = 100
"""How many moves of a play are looked at for one node."""


class Loss(Struct, frozen=True, eq=False):
    """Hold a walk that loses with its last move, and what shows it."""

    walk: list[str]
    proof: Proof
    """That the goal is out of reach after the walk."""
    rescue: list[str]
    """Moves to a goal from just before the last move; none if there is no move."""


def probe_loss(analysis: Analysis, state: State, decider: Decider, meter: Meter) -> tuple[Loss | None, bool]:
    """Return a way to lose, if one of some bad plays is one, and whether one is; what it costs is bounded.

    Where a play loses and it is not known by which move, there is no way to show, and yet there is one.
    """
    loses = False
    outcome = decider.decide(state)
    if outcome.proof is not None:
        return Loss([], outcome.proof, []), True
    prober = _Prober(analysis, state, decider, meter)
    wanted = frozenset() if outcome.plan is None else prober.gates_on(state, outcome.plan)
    for style in meter.each(prober.styles(wanted), every=1):
        for _ in range(MAX_LESSONS):
            arcs = prober.play(style)
            if not arcs:
                break
            end = prober.after(prober.walk(arcs))
            outcome = decider.decide(end)
            if outcome.proof is not None:
                loss = prober.find_loss(arcs)
                if loss is not None:
                    return loss, True
                loses = True
                break
            # It could still be won: by doors that are better left alone the next time.
            spared = style.spared if outcome.plan is None else style.spared | prober.gates_on(end, outcome.plan)
            if style.seed is not None or spared == style.spared:
                break
            style = replace(style, spared=spared)
    return None, loses


class _Style(Struct, frozen=True):
    """Say how to play."""

    gates: frozenset[int] | None
    """Rows of the gates to spend on; None for all, and for moves that cannot be undone."""
    spared: frozenset[int]
    """Rows of the gates to spend on last."""
    seed: int | None = None
    """Choose at random; None for what gains least."""


class _Prober:
    """Play from one state."""

    def __init__(self, analysis: Analysis, state: State, decider: Decider, meter: Meter) -> None:
        self.analysis, self.state, self.decider, self.meter = analysis, state, decider, meter
        self.ground: Ground = analysis.ground
        self.areas: Areas = analysis.areas()
        self.graph = self.areas.graph
        self.exploration: Exploration = begin_from(analysis, state, meter, stop_at_win=True)
        self.regions = self.exploration.situations.regions
        self.cell, self.words = analysis.locate(state)
        gates = self.ground.gates
        spent_by = [
            tuple(gate for gate in demand.gates if gate >= 0 and gates[gate].kind == SPEND)
            for demand in meter.each(self.graph.demands)
        ]
        demand_of = memoryview(self.graph.demand)
        back = memoryview(self.areas.back)
        self.spending = [
            (arc, spent_by[demand_of[arc]]) for arc in meter.each(range(self.graph.arcs)) if spent_by[demand_of[arc]]
        ]
        self.drops = [
            (arc, ()) for arc in meter.each(range(self.graph.arcs)) if back[arc] == 0 and not spent_by[demand_of[arc]]
        ]
        layout = self.ground.layout
        self.stocks = list(layout.resources.values())
        self.things = bits_of(layout, [*layout.items.values(), *layout.pickups.values()])

    def gates_on(self, state: State, plan: list[str]) -> frozenset[int]:
        """Return the rows of the gates that take something and that a plan from a state goes through, open or not."""
        game, opening = self.ground.game, self.ground.layout.opening
        passed: set[int | None] = set()
        for move, after in zip(plan, self.meter.each(game.walk(state, plan), every=20), strict=True):
            passed.add(game.gate_at.get(after.place))
            if move.isdigit():
                passed.add(game.dungeon.ways[int(move)].gate)
        masks = {(opening[gate].word, opening[gate].mask) for gate in passed if gate is not None and gate in opening}
        return frozenset(
            row for row, gate in enumerate(self.ground.gates) if gate.kind == SPEND and (gate.word, gate.mask) in masks
        )

    def styles(self, wanted: frozenset[int]) -> Iterator[_Style]:
        """Yield ways to play, the most promising first."""
        by_stock: dict[int, set[int]] = {}
        for row, gate in enumerate(self.ground.gates):
            if gate.kind == SPEND:
                by_stock.setdefault(gate.stock, set()).add(row)
        # Where the goal's own doors can be spent on badly, that loses more surely than all others.
        order = sorted(by_stock.values(), key=lambda rows: (rows.isdisjoint(wanted), min(rows)))
        if len(order) > 1:
            yield from (_Style(frozenset(rows), wanted) for rows in order[: MAX_PLAYS // 2])
        yield _Style(None, wanted)
        for seed in range(RANDOM_PLAYS):
            yield _Style(None, frozenset(), seed)
        if len(order) > 1:
            for seed in range(3):
                yield from (_Style(frozenset(rows), frozenset(), seed) for rows in order[: MAX_PLAYS // 6])

    def play(self, style: _Style) -> list[int]:
        """Return the arcs of a play, each of which opens a door or cannot be undone."""
        dice = Random(style.seed)
        candidates = [
            (arc, rows) for arc, rows in self.spending if style.gates is None or not style.gates.isdisjoint(rows)
        ]
        if style.gates is None:
            candidates += self.drops
        arcs: list[int] = []
        node, words = memoryview(self.areas.area_of)[self.cell], self.words.copy()
        seen: set[tuple[int, tuple[int, ...]]] = set()
        for _ in range(MAX_DOORS):
            region = set(self._settle(node, words))
            here = (min(region), words.as_tuple())
            if here in seen:
                break
            seen.add(here)
            options = list(self._options(candidates, region, words))
            if not options:
                break
            if style.seed is not None:
                arc, after = dice.choice(options)[:2]
            else:
                arc, after = min(options, key=lambda option: self._worth(style, words, *option))[:2]
            arcs.append(arc)
            node, words = self.graph.target[arc], after
        return arcs

    def _settle(self, node: int, words: PackedState) -> list[int]:
        """Take everything within reach, and return the areas that are."""
        self.regions.mode = SATURATE
        region = self.regions.find(node, words).tolist()
        self.meter.book(1 + len(region) // LOOKS_A_NODE)
        return region

    def _options(
        self, candidates: Sequence[tuple[int, tuple[int, ...]]], region: set[int], words: PackedState
    ) -> Iterator[tuple[int, PackedState, tuple[int, ...]]]:
        """Yield the moves that spend something or cannot be undone, with what comes of them."""
        graph, gates = self.graph, self.ground.gates
        now = words.as_tuple()
        for arc, rows in self.meter.each(candidates, every=100):
            if graph.source[arc] not in region or graph.is_goal[graph.target[arc]]:
                continue
            if rows and all(now[gates[row].word] & gates[row].mask for row in rows):
                continue
            if not rows and graph.target[arc] in region:
                continue
            after = words.copy()
            if graph.take(arc, words, after) != ILLEGAL:
                yield arc, after, rows

    def _worth(
        self, style: _Style, words: PackedState, arc: int, after: PackedState, rows: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Return what a move gains, the more the later; nothing is spent on what should be spared before all else."""
        rich = after.copy()
        self._settle(self.graph.target[arc], rich)
        had, has = words.as_tuple(), rich.as_tuple()
        in_hand = sum(((has[at.word] & at.mask) - (had[at.word] & at.mask)) >> at.shift for at in self.stocks)
        things = sum((new & ~old & mask).bit_count() for old, new, mask in zip(had, has, self.things, strict=True))
        return (not rows, not style.spared.isdisjoint(rows), in_hand, things, arc)

    def walk(self, arcs: Sequence[int]) -> list[str]:
        """Return the moves of a play."""
        path = [(ANY, arc) for arc in arcs]
        return walk_out(self.exploration, self.cell, self.words, path, self.meter)

    def after(self, moves: Sequence[str]) -> State:
        """Return the state after some moves."""
        return state_after(self.analysis, self.state, moves, self.meter)

    def is_lost(self, arcs: Sequence[int]) -> bool:
        """Tell whether the goal is known to be out of reach after a play."""
        return self.decider.decide(self.after(self.walk(arcs))).proof is not None

    def find_loss(self, arcs: list[int]) -> Loss | None:
        """Return a walk that loses with its last move, from a play that ends lost."""
        arcs = self._up_to_loss(arcs)
        arcs = self._up_to_loss(self._leave_out(arcs))
        moves = self.walk(arcs)
        proof = self.decider.decide(self.after(moves)).proof
        rescue = self.decider.decide(self.after(moves[:-1])).plan
        return None if proof is None or rescue is None else Loss(moves, proof, rescue)

    def _up_to_loss(self, arcs: list[int]) -> list[int]:
        """Return a play without what comes after the move that lost; once the goal is out of reach, it stays so."""
        low, high = 1, len(arcs)
        while low < high:
            middle = (low + high) // 2
            if self.is_lost(arcs[:middle]):
                high = middle
            else:
                low = middle + 1
        return arcs[:low]

    def _leave_out(self, arcs: list[int]) -> list[int]:
        """Return a play that loses as well, without doors that it need not open."""
        for number in range(min(len(arcs) - 2, MAX_LEFT_OUT), -1, -1):
            fewer = arcs[:number] + arcs[number + 1 :]
            if self._can_be_played(fewer) and self.decider.prove_again(self.after(self.walk(fewer))) is not None:
                arcs = fewer
        return arcs

    def _can_be_played(self, arcs: Sequence[int]) -> bool:
        node, words = memoryview(self.areas.area_of)[self.cell], self.words.copy()
        for arc in arcs:
            if self.graph.source[arc] not in self._settle(node, words):
                return False
            after = words.copy()
            if self.graph.take(arc, words, after) == ILLEGAL:
                return False
            node, words = self.graph.target[arc], after
        return True
