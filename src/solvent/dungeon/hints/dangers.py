"""Find what a player could do now, or after one more thing, that loses the game for good, and prove it.

From where the player is, *strolling* reaches the tiles one can walk to and back from without changing anything. Each
move that leaves them is tried: if the goal cannot be reached after it, it is a danger. From the others one strolls
again, once. A danger is only shown with its proof, so whatever cannot be decided quickly is left out; that nothing is
shown does not mean that nothing can go wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct, field

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.drawing.phrases import capitalised
from solvent.dungeon.hints.phrases import describe_action
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rules import Game, State
from solvent.dungeon.solver.certificates import certify, describe_situations
from solvent.dungeon.solver.exploring import EXPLORED, Exploration, begin, run
from solvent.dungeon.solver.obstacles import describe_obstacles
from solvent.dungeon.solver.situations import Analysis, any_plan, explore_from
from solvent.dungeon.solver.solvable import part_of

MAX_DANGERS = 4
"""Warnings at once; more would not be read."""
MAX_TRIES = 300
"""Moves of which it is found out whether they lose."""
MAX_TILES = 20_000
"""Tiles that are strolled over in all."""
MAX_SITUATIONS = 5_000
"""Situations of one proof; a longer one costs more to check than the warning is worth."""
MAX_NODES_FOR_RESCUE = 100_000
"""Situations visited to show that the goal was still within reach a move earlier."""


class Danger(Struct, frozen=True):
    """Hold a walk whose last move loses the game."""

    walk: tuple[str, ...]
    place: Place
    """Where it ends."""
    first: str
    """What must be done before, as an order; empty if nothing."""
    action: str
    """What the last move does, as an order."""
    because: str
    """What bars the way to the goal then."""
    instance: Dungeon
    certificate: Certificate
    """The proof, about that instance."""


def describe_warnings(dangers: Sequence[Danger]) -> list[str]:
    """Return the warnings as sentences; what loses for the same reason is one warning."""
    groups: dict[tuple[str, str], list[str]] = {}
    for danger in dangers:
        groups.setdefault((danger.first, danger.because), []).append(danger.action)
    warnings = []
    for (first, because), actions in groups.items():
        either = " or ".join(actions)
        warning = f"If you {first} and then {either}, you lose." if first else f"{capitalised(either)} and you lose."
        warnings.append(f"{warning} {because}")
    return warnings


class _Outlook(Struct):
    """Hold what is known so far of the states that were tried."""

    analysis: Analysis
    dungeon: Dungeon
    matter: frozenset[int]
    request: Request
    meter: Meter
    known: dict[tuple[tuple[int, ...], int], Exploration | None] = field(default_factory=dict)
    """By situation: what proves that it is lost; None if it is not, or if that is not known."""
    open: set[tuple[tuple[int, ...], int]] = field(default_factory=set)
    """Situations from which the goal can be reached."""
    tries: int = 0
    tiles: int = 0

    @property
    def game(self) -> Game:
        return self.analysis.ground.game

    @property
    def is_over(self) -> bool:
        """Tell whether enough was tried."""
        stopped = self.meter.stop_reason() is not None
        return stopped or self.tries >= MAX_TRIES or self.tiles >= MAX_TILES

    def situation(self, state: State) -> tuple[Exploration, tuple[tuple[int, ...], int]]:
        """Return an exploration that has not begun, and what tells its first situation from others."""
        cell, words = self.analysis.locate(state)
        exploration = begin(
            self.analysis.ground,
            self.analysis.areas(),
            cell,
            words,
            saturated=True,
            stop_at_win=True,
            meter=self.meter,
        )
        return exploration, (exploration.words(0), exploration.node(0))

    def proof_of_loss(self, state: State) -> tuple[Exploration | None, bool]:
        """Return what proves that a state is lost, if it is; and whether it is known to be open."""
        exploration, key = self.situation(state)
        if key not in self.known:
            self.tries += 1
            allowed = part_of(self.meter, MAX_SITUATIONS)
            ended, reason = run(exploration, allowed, self.request.listen)
            lost = reason is None and ended == EXPLORED and exploration.first_win < 0
            self.known[key] = exploration if lost else None
            if exploration.first_win >= 0:
                self.open.add(key)
        return self.known[key], key in self.open


class _Exit(Struct, frozen=True):
    """Hold a move that leaves the tiles one strolls over."""

    walk: tuple[str, ...]
    before: State
    after: State


def find_dangers(
    analysis: Analysis, dungeon: Dungeon, state: State, matter: frozenset[int], request: Request, meter: Meter
) -> list[Danger]:
    """Return the nearest dangers from a state in which the goal can be reached, as far as they are found quickly.

    The dungeon is that of the analysis with the moves played that lead to this state.
    """
    dangers: list[Danger] = []
    try:
        for danger in _look_around(_Outlook(analysis, dungeon, matter, request, meter), state):
            dangers.append(danger)
    except LimitReached:
        pass  # what was found in time is proved
    return dangers


def _look_around(outlook: _Outlook, state: State) -> Iterator[Danger]:
    """Yield dangers as they are found."""
    matter = outlook.matter
    _, here = outlook.situation(state)
    outlook.known[here] = None  # the plan is the proof
    outlook.open.add(here)
    warned: set[object] = set()
    strolled: set[State] = set()
    level: list[tuple[tuple[str, ...], str, State]] = [((), "", state)]
    for _ in range(2):
        beyond: list[tuple[tuple[str, ...], str, State]] = []
        for walk, first, begun in level:
            for leaving in _exits(outlook, begun, strolled):
                if outlook.is_over or len(warned) >= MAX_DANGERS:
                    return
                proof, is_open = outlook.proof_of_loss(leaving.after)
                moves = (*walk, *leaving.walk)
                if proof is not None and _change(leaving) not in warned:
                    danger = _danger(outlook, proof, moves, leaving, first)
                    if danger is not None:
                        yield danger
                        warned.add(_change(leaving))
                elif is_open:
                    beyond.append(
                        (moves, "" if _only_walks(leaving, matter) else _describe(outlook, leaving), leaving.after)
                    )
        level = beyond


def _change(leaving: _Exit) -> object:
    """Return what a move changes, or where it leads if it changes nothing; two that open one gate are the same."""
    before, after = leaving.before, leaving.after
    if before[2:] == after[2:]:
        return after.place
    turned = after.on ^ before.on, after.dials, after.stock
    return after.opened - before.opened, after.fallen - before.fallen, turned, after.moved


def _only_walks(leaving: _Exit, matter: frozenset[int]) -> bool:
    return _essence(leaving.before, matter)[1:] == _essence(leaving.after, matter)[1:]


def _describe(outlook: _Outlook, leaving: _Exit) -> str:
    return describe_action(outlook.game, leaving.before, leaving.walk[-1], leaving.after, outlook.matter)


def _exits(outlook: _Outlook, state: State, strolled: set[State]) -> Iterator[_Exit]:
    """Yield the moves that leave the tiles one can stroll over, nearest first; nothing where one strolled before."""
    game, matter = outlook.game, outlook.matter
    essence = _essence(state, matter)
    if essence in strolled:
        return
    came: dict[Place, tuple[Place, str] | None] = {state.place: None}
    backwards: dict[Place, list[Place]] = {}
    moves: list[tuple[Place, str, State, bool]] = []
    for place in (queue := [state.place]):  # grows while it is walked through
        outlook.tiles += 1
        for move, after in game.moves(state._replace(place=place)):
            calm = not game.is_won(after) and _essence(after, matter)[1:] == essence[1:]
            moves.append((place, move, after, calm))
            if not calm:
                continue
            backwards.setdefault(after.place, []).append(place)
            if after.place not in came:
                came[after.place] = place, move
                queue.append(after.place)
        if outlook.is_over:
            return
    back = {state.place}
    for place in (queue := [state.place]):
        for source in backwards.get(place, ()):
            if source not in back:
                back.add(source)
                queue.append(source)
    strolled.update(essence._replace(place=place) for place in back)
    for place, move, after, calm in moves:
        if place in back and not game.is_won(after) and not (calm and after.place in back):
            yield _Exit((*_walk_to(place, came), move), state._replace(place=place), after)


def _walk_to(place: Place, came: Mapping[Place, tuple[Place, str] | None]) -> list[str]:
    walk = []
    while (step := came[place]) is not None:
        place, move = step
        walk.append(move)
    return walk[::-1]


def _essence(state: State, matter: frozenset[int]) -> State:
    """Return a state without what was taken and makes no difference."""
    return state._replace(taken=state.taken & matter)


def _danger(outlook: _Outlook, proof: Exploration, walk: tuple[str, ...], leaving: _Exit, first: str) -> Danger | None:
    """Return a danger with its proof; None if the budget ends before that is written."""
    dungeon = outlook.dungeon
    states: list[dict[str, Any]] = describe_situations(proof, range(proof.count), outlook.meter)
    instance = dungeon
    if dungeon.rules.player == "thorough":
        # The walk may leave things behind, and then it is not such a player's loss; but it is lost all the same.
        instance = replace(dungeon, played=(*dungeon.played, *walk))
        certificate = certify(dungeon, "solvable", Verdict.NO, "closed set", states=states)
    else:
        allowed = part_of(outlook.meter, MAX_NODES_FOR_RESCUE)
        exploration, reason = explore_from(
            outlook.analysis, leaving.before, allowed, outlook.request.listen, stop_at_win=True
        )
        if reason is not None:
            return None
        rescue = any_plan(outlook.analysis, leaving.before, exploration, allowed)
        certificate = certify(
            dungeon, "losable", Verdict.YES, "lost walk", walk=list(walk), states=states, rescue=rescue
        )
    because = describe_obstacles(proof, leaving.after, outlook.meter)
    return Danger(walk, leaving.after.place, first, _describe(outlook, leaving), because, instance, certificate)
