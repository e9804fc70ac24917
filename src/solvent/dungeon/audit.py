"""Put an invalidity test to an exhaustive trial on small levels.

A test gets a dungeon with the moves played in it so far, and may say that the position after them is lost. Each scope
holds every map of some size that can be drawn with the tiles of one mechanic, one start and one goal, maps that are
mirror images of each other once; and of each map every position a player can get into. Which of them can be won is
found by playing: all positions, then backwards from those with the goal reached.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from solvent.core.errors import BadOption
from solvent.core.events import Event, Kind
from solvent.core.pruning import InvalidityTest
from solvent.core.trial import AuditScope, Trial, TrialCount
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    WALL,
    WATER,
    Block,
    Dungeon,
    Floor,
    Gate,
    Pickup,
    Room,
    Rules,
    Switch,
    Way,
)
from solvent.dungeon.rules import Game, State

ROOM = "den"
"""The room that doors belong to: the west half of the map."""
MAX_MAPS = 20_000_000
"""More than this many would take days."""


class _Mechanic(NamedTuple):
    """Hold what the maps of a scope are drawn with."""

    tiles: str
    """Beside start and goal."""
    sizes: tuple[tuple[int, int], ...]
    """Rows and columns of the maps that are gone through unless the user says otherwise."""
    rules: Rules = Rules()


SCOPES = {
    "keys": _Mechanic(".#kL", ((1, 6), (2, 3))),
    "bombs": _Mechanic(".#bB", ((2, 3),), Rules(bombs_per_pickup=1)),
    "items": _Mechanic(".#tTl~", ((1, 5), (2, 3))),
    "one-ways": _Mechanic(".>vkL", ((2, 3),)),
    "switches": _Mechanic(".#sDd", ((2, 3),)),
    "blocks": _Mechanic(".#o", ((2, 4),)),
    "falling doors": _Mechanic(".#SkL", ((2, 3),), Rules(soft="shut")),
    "monsters": _Mechanic(".#Sm", ((2, 3),), Rules(soft="clear")),
    "stairs": _Mechanic(".#w", ((2, 4),)),
}
"""By mechanic. `w` is the end of stairs: of all on a map, the first leads down to the last, and nothing leads back."""
_PICKUPS = {"k": ("key", ""), "b": ("bombs", ""), "t": ("item", "torch"), "l": ("item", "ladder"), "m": ("monster", "")}
_GATES = {
    "L": Gate("lock", ("",)),
    "B": Gate("cracked"),
    "T": Gate("item", ("torch",)),
    "D": Gate("barrier", ("lever",)),
    "d": Gate("barrier", ("lever",), open_at_first=True),
    "S": Gate("soft", (ROOM,)),
}
_MIRRORED = {"across": str.maketrans("<>", "><"), "down": str.maketrans("^v", "v^")}


class LevelTest:
    """Put a test of the solver on trial: it is made for each level, and asked about each position."""

    def __init__(self, made_for: type, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        self._made_for = made_for
        self._level: tuple[Dungeon, InvalidityTest[State], Game] | None = None

    def is_invalid(self, dungeon: Dungeon, /) -> bool:
        """Tell whether the test calls the position after the moves played lost."""
        level = replace(dungeon, played=())
        known = self._level  # positions of one level come one after the other
        if known is None or known[0] != level:
            known = self._level = level, self._made_for(level), Game(level)
        _, test, game = known
        start = game.start_state()
        return test.is_invalid(deque(game.walk(start, dungeon.played), maxlen=1).pop() if dungeon.played else start)


def own_tests() -> list[InvalidityTest[Dungeon]]:
    """Return the tests that the solver prunes with."""
    from solvent.dungeon.invalidity import BoundedSupply, RelaxedReverseReachability

    return [LevelTest(test, test.name, test.reason) for test in (RelaxedReverseReachability, BoundedSupply)]


def named_tests() -> dict[str, InvalidityTest[Dungeon]]:
    """Return the tests that the solver prunes with, by their names and by the options that turn them on or off."""
    tests = own_tests()
    return {test.name: test for test in tests} | dict(zip(("reverse", "supply"), tests, strict=True))


def audit(trial: Trial[Dungeon], *, rows: int | None, cols: int | None, mechanics: str | None) -> Iterator[AuditScope]:
    """Run the test on every position of each scope."""
    if (rows is None) != (cols is None):
        raise BadOption("expected both rows and cols, or neither")
    scopes = []
    for name, mechanic in SCOPES.items():
        if mechanics in (None, name):
            sizes = mechanic.sizes if rows is None or cols is None else ((rows, cols),)
            scopes += [(name, mechanic, size) for size in sizes]
    for name, mechanic, (height, width) in scopes:  # all of them before the first is gone through
        tiles = height * width
        count = tiles * (tiles - 1) * len(mechanic.tiles) ** max(0, tiles - 2)
        if tiles < 2 or count > MAX_MAPS:
            raise BadOption(
                f"{height}×{width} levels of {name}: expected 2 tiles or more, and {MAX_MAPS:,} maps at most"
            )
    for name, mechanic, (height, width) in scopes:
        yield _audit_scope(trial, name, mechanic, (height, width))


def _audit_scope(trial: Trial[Dungeon], name: str, mechanic: _Mechanic, size: tuple[int, int]) -> AuditScope:
    label = f"{size[0]}×{size[1]}, {name}"
    counted = TrialCount(trial)
    counterexample: str | None = None
    shortest: int | None = None
    for count, tiles in enumerate(maps(mechanic.tiles, *size)):
        if count % 50 == 0:
            trial.listen(Event(Kind.PROGRESS, label, counted.examined))
        level = level_of(tiles, size, mechanic.rules)
        positions, left = _positions(level)
        for state, moves in positions.items():
            if state not in left:
                if trial.strength:
                    counted.try_unsolvable(replace(level, played=moves))
            elif counted.fires_on_solvable(replace(level, played=moves)):
                things = sum(letter not in ".#" for letter in tiles) + len(moves)
                if shortest is None or things < shortest:
                    shortest = things
                    counterexample = _describe(replace(level, played=moves), state, left)
    return counted.scope(label, counterexample)


def maps(letters: str, height: int, width: int) -> Iterator[str]:
    """Yield every map with one start and one goal, row by row; of mirror images only the first by the alphabet."""
    count = height * width
    for start in range(count):
        for goal in range(count):
            if goal == start:
                continue
            for others in product(letters, repeat=count - 2):
                tiles = list(others)
                for place, letter in sorted(((start, "@"), (goal, "G"))):
                    tiles.insert(place, letter)
                drawn = "".join(tiles)
                lacks_plate = "s" not in drawn and ("D" in drawn or "d" in drawn)  # no dungeon is read so
                if drawn == min(_mirror_images(drawn, width)) and not lacks_plate:
                    yield drawn


def _mirror_images(tiles: str, width: int) -> Iterator[str]:
    rows = [tiles[first : first + width] for first in range(0, len(tiles), width)]
    if "S" in tiles or "w" in tiles:  # what is west, and which stairs come first, means something
        yield tiles
        return
    across = [row[::-1].translate(_MIRRORED["across"]) for row in rows]
    for each in (rows, across):
        yield "".join(each)
        yield "".join(row.translate(_MIRRORED["down"]) for row in reversed(each))


def level_of(tiles: str, size: tuple[int, int], rules: Rules) -> Dungeon:
    """Return the level that a map shows."""
    height, width = size
    ground = {WALL, NOTHING, FLOOR, WATER, *ONE_WAYS}
    at = {number: (0, number // width, number % width) for number in range(len(tiles))}
    drawn = "".join(letter if letter in ground else FLOOR for letter in tiles)
    ends = [at[number] for number, letter in enumerate(tiles) if letter == "w"]
    return Dungeon(
        floors=(Floor("", tuple(drawn[first : first + width] for first in range(0, len(tiles), width))),),
        start=at[tiles.index("@")],
        goals=(at[tiles.index("G")],),
        pickups=tuple(Pickup(at[n], *_PICKUPS[letter]) for n, letter in enumerate(tiles) if letter in _PICKUPS),
        gates=tuple(replace(_GATES[letter], cells=(at[n],)) for n, letter in enumerate(tiles) if letter in _GATES),
        switches=_switches(tiles, at),
        blocks=tuple(Block(at[n]) for n, letter in enumerate(tiles) if letter == "o"),
        ways=(Way(ends[0], ends[-1]),) if len(ends) > 1 else (),
        rooms=(Room(ROOM, (0, 0, 0), height, (width + 1) // 2),) if "S" in tiles else (),
        rules=rules,
    )


def _switches(tiles: str, at: dict[int, tuple[int, int, int]]) -> tuple[Switch, ...]:
    return tuple(Switch(at[number], "lever") for number, letter in enumerate(tiles) if letter == "s")


def _positions(level: Dungeon) -> tuple[dict[State, tuple[str, ...]], dict[State, str]]:
    """Return every position with the fewest moves that lead to it, and for each that can be won a move to go on with.

    On the goal that is empty.
    """
    game = Game(level)
    start = game.start_state()
    moves: dict[State, tuple[str, ...]] = {start: ()}
    before: dict[State, list[tuple[State, str]]] = defaultdict(list)
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        for move, after in game.moves(state):
            before[after].append((state, move))
            if after not in moves:
                moves[after] = (*moves[state], move)
                waiting.append(after)
    left = {state: "" for state in moves if game.is_won(state)}
    waiting.extend(left)
    while waiting:
        state = waiting.popleft()
        for earlier, move in before[state]:
            if earlier not in left:
                left[earlier] = move
                waiting.append(earlier)
    return moves, left


def _describe(dungeon: Dungeon, state: State, left: dict[State, str]) -> str:
    from solvent.dungeon.notation.text import format_text

    game, plan = Game(dungeon), []
    while left[state]:
        plan.append(left[state])
        after = game.step(state, left[state])
        assert after is not None
        state = after
    solution = f"Solved by {' '.join(plan)}" if plan else "The goal is reached"
    return f"{solution}\n\n{format_text(dungeon)}"
