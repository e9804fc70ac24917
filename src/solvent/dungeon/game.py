"""Dungeons as a game to program with: states, moves, and what comes after a move.

    game = Game(solvent.load("level.txt"))
    state = game.start
    for move in game.moves(state):
        following = game.after(state, move)

A state is (p, R, I, B): the position, the resources in hand, what was taken, and what has changed in the dungeon. It
can be a key of a dictionary, and its `repr` pastes back. The rules are those that the solver plays by
(`solvent.dungeon.rules`); the checker has its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.dungeon import rules
from solvent.dungeon.model import STEPS, Dungeon, Place, Requirement
from solvent.dungeon.situations import is_block_walk

__all__ = ["Environment", "Game", "State"]

BOMBS = "bombs"


class Environment(NamedTuple):
    """Hold what has changed in the dungeon."""

    opened: tuple[int, ...] = ()
    """Locks and cracked walls that were opened: numbers in `dungeon.gates`, rising."""
    fallen: tuple[int, ...] = ()
    """Doors that fell shut: numbers in `dungeon.gates`, rising."""
    on: tuple[str, ...] = ()
    """Switches that are on, sorted; of those with no states of their own that stay as they are turned."""
    moved: tuple[tuple[int, str], ...] = ()
    """Blocks that were pushed, by their number in `dungeon.blocks`, with the walk from where they stood: `E`, `SSE`,
    north or south first."""
    dials: tuple[tuple[str, str], ...] = ()
    """Switches with states of their own that are not in the first, with their state; sorted."""
    stock: tuple[tuple[str, int], ...] = ()
    """Resources that renew, such as `bombs`, and how many are in hand; sorted, none of them 0."""


class State(NamedTuple):
    """Hold a position of the game: everything that the rules can tell apart."""

    p: Place
    """Where the player stands: floor, row and column."""
    R: tuple[tuple[str, int], ...] = ()
    """Resources in hand: `bombs`, `key`, `key red` and how many, sorted, none of them 0. Bombs without end are not
    counted. It follows from the other parts."""
    I: tuple[int, ...] = ()  # noqa: E741
    """What was taken: numbers in `dungeon.pickups`, rising."""
    B: Environment = Environment()
    """What has changed in the dungeon."""


class Game:
    """Play a dungeon. It holds nothing that changes: states are passed in and out, so any number of games may go on."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self._game = rules.Game(dungeon)

    def __repr__(self) -> str:
        return f"Game({self.dungeon!r})"

    @property
    def start(self) -> State:
        """Return the state to begin with: the one after the moves that the dungeon says were played."""
        return self._public(self._game.present_state())

    def is_goal(self, state: State) -> bool:
        """Tell whether the game is won."""
        return self._game.is_won(self._inner(state))

    def moves(self, state: State) -> tuple[str, ...]:
        """Return the legal moves: some of N, E, S, W, numbers of ways, `u` and the number of a lever, and `r`.

        After a win there are none.
        """
        return tuple(move for move, _ in self._game.moves(self._inner(state)))

    def after(self, state: State, move: str) -> State:
        """Return the state after a move; one that is not legal raises BadOption, which is a ValueError."""
        inner = self._inner(state)
        after = self._game.step(inner, move) if isinstance(move, str) else None
        if after is None:
            legal = ", ".join(each for each, _ in self._game.moves(inner)) or "none, for the game is over or stuck"
            raise BadOption(f"expected a legal move ({legal}), found {show_value(move)}")
        return self._public(after)

    def successors(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield each legal move with the state after it; cheaper than asking for both."""
        for move, after in self._game.moves(self._inner(state)):
            yield move, self._public(after)

    def play(self, state: State, moves: Iterable[str]) -> State:
        """Return the state after several moves."""
        for move in moves:
            state = self.after(state, move)
        return state

    def items(self, state: State) -> frozenset[str]:
        """Return the names of the items in hand, those carried from the start included."""
        pickups = (self.dungeon.pickups[number] for number in state.I)
        return frozenset(self.dungeon.rules.items).union(each.name for each in pickups if each.kind == "item")

    def count(self, state: State, item: str) -> int:
        """Return how many of an item are in hand; one that is carried from the start counts as one."""
        return self._game.items(self._inner(state), item)

    def switch(self, state: State, name: str) -> str:
        """Return the state of a switch: `off`, `on`, or one of its own; also of one that is held down."""
        if name not in {switch.name for switch in self.dungeon.switches}:
            raise unknown_name("switch", name, sorted({switch.name for switch in self.dungeon.switches}))
        return self._game.switch_state(self._inner(state), name)

    def meets(self, state: State, rule: Requirement | None) -> bool:
        """Tell whether a requirement, such as the `rule` of a gate, holds for a player who stands where the state says.

        None always holds.
        """
        return self._game.meets(self._inner(state), rule)

    def state(self, p: Place, I: Iterable[int] = (), B: Environment | None = None) -> State:  # noqa: E741
        """Make a state from its parts; the resources follow from them. Raises BadOption for parts that cannot be."""
        environment = Environment() if B is None else Environment(*B)
        return self._public(self._inner(State(p, (), tuple(sorted(set(I))), environment), check_resources=False))

    # Between these states and those of the rules

    def _public(self, state: rules.State) -> State:
        return State(
            state.place,
            self._resources(state),
            tuple(sorted(state.taken)),
            Environment(
                tuple(sorted(state.opened)),
                tuple(sorted(state.fallen)),
                tuple(sorted(state.on)),
                tuple((number, walk) for number, walk in enumerate(state.moved) if walk),
                tuple(
                    (dial.switch, dial.states[at])
                    for dial, at in zip(self.dungeon.dials, state.dials, strict=True)
                    if at
                ),
                tuple((name, count) for name, count in zip(self._game.renewing, state.stock, strict=True) if count),
            ),
        )

    def _resources(self, state: rules.State) -> tuple[tuple[str, int], ...]:
        pickups, gates = self.dungeon.pickups, self.dungeon.gates
        play = self.dungeon.rules
        counts = {f"key {colour}".strip(): count for colour, count in play.keys} if play.keys_counted else {}
        if play.bombs is not None:
            counts[BOMBS] = play.bombs
        for pickup in (pickups[number] for number in state.taken):
            if pickup.kind == "key" and play.keys_counted:
                name = f"key {pickup.name}".strip()
                counts[name] = counts.get(name, 0) + pickup.count
            elif pickup.kind == "bombs" and play.bombs is not None:
                counts[BOMBS] += pickup.count or play.bombs_per_pickup
        for gate in (gates[number] for number in state.opened):
            name = BOMBS if gate.kind == "cracked" else f"key {gate.needs[0]}".strip()
            counts[name] = counts.get(name, 0) - 1
        for name, number in self._game.renewing.items():
            if name in counts or (name != BOMBS and play.keys_counted):
                counts[name] = state.stock[number]
        return tuple(sorted((name, count) for name, count in counts.items() if count))

    def _inner(self, state: State, *, check_resources: bool = True) -> rules.State:
        """Return a state as the rules have it; raises BadOption for what no state of this dungeon can be."""
        try:
            place, resources, taken, environment = state
            opened, fallen, on, moved, dials, stock = Environment(*environment)
            pushed, turned, kept = dict(moved), dict(dials), dict(stock)
            inner = rules.State(
                place,
                frozenset(taken),
                frozenset(opened),
                frozenset(fallen),
                frozenset(on),
                tuple(pushed.get(number, "") for number in range(len(self.dungeon.blocks))),
                tuple(dial.states.index(turned.get(dial.switch, dial.states[0])) for dial in self.dungeon.dials),
                tuple(kept.get(name, 0) for name in self._game.renewing),
            )
            known = turned.keys() <= self._game.dial_number.keys() and kept.keys() <= self._game.renewing.keys()
            fits = known and self._fits(inner, pushed)
        except (TypeError, ValueError, IndexError):
            fits = False
        if not fits:
            raise BadOption(f"expected a state (p, R, I, B) of this dungeon, found {show_value(state)}")
        if check_resources and (found := self._resources(inner)) != resources:
            raise BadOption(
                f"expected the resources that follow from the rest, {found!r}, found {show_value(resources)}"
            )
        return inner

    def _fits(self, state: rules.State, pushed: dict[int, str]) -> bool:
        dungeon = self.dungeon
        floor, row, column = state.place
        rows = dungeon.floors[floor].terrain
        switches = {switch.name for switch in dungeon.switches}
        switches -= self._game.dial_number.keys() | self._game.held_plates.keys()
        walks = STEPS if dungeon.rules.push == "once" else None
        return (
            floor >= 0
            and 0 <= row < len(rows)
            and 0 <= column < len(rows[0])
            and all(0 <= number < len(dungeon.pickups) for number in state.taken)
            and all(dungeon.gates[number].kind in ("lock", "cracked") for number in state.opened if number >= 0)
            and all(dungeon.gates[number].kind == "soft" for number in state.fallen if number >= 0)
            and min(state.opened | state.fallen, default=0) >= 0
            and state.on <= switches
            and all(0 <= number < len(dungeon.blocks) for number in pushed)
            and all(is_block_walk(walk) and (walks is None or walk in walks) for walk in pushed.values())
            and all(isinstance(count, int) and count >= 0 for count in state.stock)
        )
