"""Which changes could let a dungeon be finished, and which could keep it from being lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solvent.core.subquestions import SubQuestions
from solvent.dungeon.explaining.candidates import (
    breaches,
    find_touched,
    free_tiles,
    put_down,
    spots_in,
    two_ways,
    wanted_things,
    without_blocks,
    without_gates,
)
from solvent.dungeon.explaining.changes import Change, same_move
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.explaining.reach import Reach, cells_after, is_winnable
from solvent.dungeon.explaining.spheres import cells_of
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.solver.flags import Flags, chosen
from solvent.dungeon.solver.obstacles import cells_towards_goal, obstacles_between

OTHER_ROOMS = 3
"""In how many rooms beside obstacles things are tried, other than where the player is."""


def changes_to_finish(land: Land, reach: Reach) -> list[Change]:
    """Return changes that might let the goal be reached. One more thing helps most where it can be had at once."""
    ground, home = land.ground, cells_of(land, reach.home)
    towards = cells_towards_goal(ground, meter=land.meter)
    touched = find_touched(land, reach.cells)
    beyond = cells_towards_goal(ground, reach.cells, meter=land.meter)
    barring = obstacles_between(ground, reach.cells, beyond, land.meter)
    rooms = dict.fromkeys(land.area_of[ground.cell(obstacle.place)] for obstacle in barring)
    others = spots_in(land, [area for area in rooms if area not in reach.home][:OTHER_ROOMS])
    things = wanted_things(land, touched, land.state)
    changes = [
        *put_down(land, things, [_home_spot(land, reach), *others], home),
        *two_ways(land, reach.cells),
        *without_blocks(land, reach.cells),
        *without_gates(land, touched.gates),
    ]
    if not towards[ground.cell(land.state.place)]:
        changes += breaches(land, reach.cells)
    return _mildest_first(changes)


def _home_spot(land: Land, reach: Reach) -> Place:
    """Return a tile that the player can walk to and back at once."""
    here = land.area_of[land.ground.cell(land.state.place)]
    spots = spots_in(land, [here, *sorted(reach.home - {here})])
    return spots[0] if spots else land.state.place


class Sieve:
    """Hold the changes that could keep a dungeon from being lost, by the walks known to lose in it.

    A fix must do something about every such walk. One more thing must lie on the walk or where it can be got to
    afterwards; a gate or block must have been passed, or be met afterwards. Each walk that is found leaves fewer.
    """

    def __init__(self, land: Land, reach: Reach, walk: list[str], questions: SubQuestions[Dungeon]) -> None:
        self.land, self.reach, self.questions = land, reach, questions
        self.thorough = land.dungeon.rules.player == "thorough"
        first, self._tiles = self._changes(walk)
        self._left = first
        self.fewest = first
        """The changes that could help against one of the walks, the one against which the fewest could."""

    def __iter__(self) -> Iterator[Change]:
        """Yield the changes that are left, the mildest first; more may drop out meanwhile."""
        yield from self._first_of(lambda: self._left)

    def on_every_tile(self) -> Iterator[Change]:
        """Yield the same things put on every tile: whether one can be missed is a matter of tiles, not of areas."""
        yield from self._first_of(lambda: self._tiles)

    def _first_of(self, left: Callable[[], list[Change]]) -> Iterator[Change]:
        """Yield what is left, one after the other; what drops out meanwhile is never yielded."""
        done: set[Change] = set()
        while True:
            found = next((change for change in self.land.meter.each(left()) if change not in done), None)
            if found is None:
                return
            done.add(found)
            yield found

    def add(self, changed: Dungeon, walk: list[str]) -> None:
        """Learn from a walk that loses in a changed dungeon, if it can be walked here as well, and loses."""
        if self.thorough:
            return  # who is thorough here may not be so there
        moves = [same_move(move, changed, self.land.dungeon) for move in walk]
        game = self.land.ground.game
        known = [move for move in moves if move is not None]
        end, made = self.land.state, 0
        for state in self.land.meter.each(game.walk(self.land.state, known), every=20):
            end, made = state, made + 1
        if len(known) < len(walk) or made < len(walk) or game.is_won(end):
            return
        if is_winnable(self.land, end, self.questions):
            return
        helping, tiles = self._changes(known)
        self.fewest = min(self.fewest, helping, key=len)
        here, there = set(helping), set(tiles)
        self._left = [change for change in self._left if change in here]
        self._tiles = [change for change in self._tiles if change in there]

    def _changes(self, walk: list[str]) -> tuple[list[Change], list[Change]]:
        """Return what could help against one walk: by areas, and by tiles."""
        land, home = self.land, cells_of(self.land, self.reach.home)
        game = land.ground.game
        end = land.state
        passed = [land.ground.cell(end.place)]
        for state in land.meter.each(game.walk(land.state, walk), every=20):
            end = state
            passed.append(land.ground.cell(end.place))
        if self.thorough:  # anything within reach may keep those from losing who take all they can
            near = after = self.reach.cells
        else:
            after = cells_after(land, end, self.questions)
            near = _with(after, passed)
        touched = find_touched(land, after)
        things = wanted_things(land, touched, land.state if self.thorough else end)
        gates = {*touched.gates, *(end.opened - land.state.opened), *(end.fallen - land.state.fallen)}
        moved = [number for number, way in enumerate(end.moved) if way != land.state.moved[number]]
        area_of = land.area_of
        areas = sorted({area_of[cell] for cell in land.meter.each(chosen(near))})
        away = [area for area in areas if area not in self.reach.home]
        last = area_of[passed[-1]]
        away.sort(key=lambda area: area != last)
        # Where the player is, one spot is nearly as good as any other: the others come last.
        spots = spots_in(land, [*away, *sorted(self.reach.home.intersection(areas))])
        by_areas = [
            *put_down(land, things, list(dict.fromkeys([_home_spot(land, self.reach), *spots])), home),
            *two_ways(land, near),
            *without_blocks(land, near, moved),
            *without_gates(land, gates),
        ]
        tiles = free_tiles(land, chosen(near), near_blocks=True)
        return _mildest_first(by_areas), put_down(land, things, tiles, home)


def _with(cells: Flags, more: list[int]) -> Flags:
    together = cells.copy()
    for cell in more:
        together[cell] = 1
    return together


def _mildest_first(changes: list[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: change.mildness)
