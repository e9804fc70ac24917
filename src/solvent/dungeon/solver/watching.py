"""Show a search while it goes on: which tiles it expands, and which situations it finds.

Kernels know nothing of it. What they count is read between two calls; while somebody watches, the first calls are
short, so that a search of a few milliseconds can be seen step by step, and the later ones are as long as ever. However
the work is cut, the result is the same.

Each event of the kind WATCH has `steps`, in their order. A step is either

- `tiles`: floor, row, column and how often it was expanded more, since the step before; or
- `situation`: its number `id` among those of one exploration, `search`; `from`, the one it was found from; `depth`,
  how many lie before it; `at`, a place in it; `did`, what led to it; `have`, what is in hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from solvent.core.events import Event, Kind, Listener
from solvent.drawing.phrases import listed
from solvent.dungeon.events import count_resource, describe_gate
from solvent.dungeon.rules import Game, State, resource_of
from solvent.dungeon.situations import state_of_situation
from solvent.dungeon.solver.mechanics import NOBODY, WORKING

if TYPE_CHECKING:
    from solvent.dungeon.solver.exploring import Exploration
    from solvent.dungeon.solver.ground import Ground
    from solvent.dungeon.solver.search_kernel import Search

SECONDS_BETWEEN_EVENTS = 0.12
MAX_SHORT_CALLS = 600
"""So many calls are short; each is a step to look at."""
GROWTH = 1.012
"""How much longer each short call is than the one before: a long search is soon seen as a whole."""
MAX_SITUATIONS = 200
"""Situations that are shown of one exploration."""
SECONDS_A_LOOK = 0.25
"""Between two looks at the counts, once calls are long."""

Step = Callable[[int], tuple[int, int]]


class Watcher:
    """Hear of a search, and pass on what it looks at to those who listen."""

    def __init__(self, listen: Listener) -> None:
        """Pass on to a listener, which hears all other events as well."""
        self._listen = listen
        self._steps: list[dict[str, Any]] = []
        self._sent = time.monotonic()
        self._searches = 0

    def __call__(self, event: Event) -> None:
        """Pass an event on."""
        self._listen(event)

    def add(self, **step: Any) -> None:
        """Note a step; what is noted is sent a few times a second."""
        self._steps.append(step)
        if time.monotonic() - self._sent >= SECONDS_BETWEEN_EVENTS:
            self.send()

    def send(self) -> None:
        """Send what was noted."""
        if self._steps:
            self._listen(Event(Kind.WATCH, "watching", data={"steps": self._steps}))
        self._steps = []
        self._sent = time.monotonic()

    def next_search(self) -> int:
        """Return a number for an exploration."""
        self._searches += 1
        return self._searches


def watch_states(step: Step, listen: Listener, ground: Ground, search: Search) -> Step:
    """Return a step that tells which tiles are expanded; the step itself if nobody watches."""
    if not isinstance(listen, Watcher):
        return step
    seen: dict[int, int] = {}

    def look() -> None:
        counts = search.heat_by_cell()
        more = [[*ground.place(cell), n - seen.get(cell, 0)] for cell, n in counts.items() if n != seen.get(cell, 0)]
        seen.update(counts)
        if more:
            listen.add(tiles=more)

    return _in_short_calls(step, look, listen)


def watch_situations(step: Step, listen: Listener, exploration: Exploration) -> Step:
    """Return a step that tells which situations are found; the step itself if nobody watches."""
    if not isinstance(listen, Watcher):
        return step
    shown = _Situations(exploration, listen.next_search())

    def look() -> None:
        for found in shown.new():
            listen.add(situation=found)

    return _in_short_calls(step, look, listen)


def _in_short_calls(step: Step, look: Callable[[], None], watcher: Watcher) -> Step:
    calls, size, looked = 0, 1.0, time.monotonic()

    def watched(limit: int) -> tuple[int, int]:
        nonlocal calls, size, looked
        is_short = calls < MAX_SHORT_CALLS
        calls += 1
        status, used = step(min(limit, int(size)) if is_short else limit)
        size *= GROWTH
        if is_short or status != WORKING or time.monotonic() - looked >= SECONDS_A_LOOK:
            look()
            looked = time.monotonic()
        if status != WORKING:
            watcher.send()
        return status, used

    return watched


class _Situations:
    """Tell the situations of an exploration, each once."""

    def __init__(self, exploration: Exploration, search: int) -> None:
        self._exploration = exploration
        self._search = search
        self._told: list[tuple[int, State]] = []
        """The depth of each that was told, and a state of it."""

    def new(self) -> list[dict[str, Any]]:
        """Return those that were found since the last call, up to the most that are shown."""
        from solvent.dungeon.solver.certificates import describe_situations

        exploration = self._exploration
        game = exploration.ground.game
        numbers = range(len(self._told), min(exploration.count, MAX_SITUATIONS))
        found = []
        for number, described in zip(numbers, describe_situations(exploration, numbers), strict=True):
            state = state_of_situation(game, described, "states")
            parent = exploration.situations.parent_of(number)[0]
            before = None if parent == NOBODY else self._told[parent]
            self._told.append((0 if before is None else before[0] + 1, state))
            found.append(
                {
                    "search": self._search,
                    "id": number,
                    "from": None if before is None else parent,
                    "depth": self._told[-1][0],
                    "at": described["at"],
                    "did": "" if before is None else _did(game, before[1], state),
                    "have": _have(game, state),
                }
            )
        return found


def _did(game: Game, before: State, after: State) -> str:
    """Say what led from a situation to another."""
    dungeon = game.dungeon
    deeds = [f"open {describe_gate(dungeon, number)}" for number in sorted(after.opened - before.opened)]
    deeds += [f"{describe_gate(dungeon, number)} falls shut" for number in sorted(after.fallen - before.fallen)]
    if after.moved != before.moved:
        deeds.append("push a block")
    deeds += [f"switch {name}" for name in sorted(after.on ^ before.on)]
    if after.dials != before.dials:
        deeds.append("work a lever")
    return listed(deeds) or "walk on, with no way back"


def _have(game: Game, state: State) -> str:
    """Say what is in hand."""
    pickups = game.dungeon.pickups
    colours = sorted({pickup.name for pickup in pickups if pickup.kind == "key"} | {key for key, _ in game.rules.keys})
    keys = [count_resource(resource_of("key", each), n) for each in colours if (n := game.keys(state, each)) > 0]
    bombs = game.bombs(state)
    items = sorted(
        {*game.rules.items, *(pickups[number].name for number in state.taken if pickups[number].kind == "item")}
    )
    return listed([*keys, *([count_resource("bombs", bombs)] if bombs else []), *items]) or "nothing"
