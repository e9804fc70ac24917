"""A dungeon with every gate open that can ever open: its tiles, and the steps and ways between them.

Left out are gates and water that need an item which lies nowhere, and blocks that no push can move. This states again
what the solver's estimate rests on, by the rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import NOTHING, STEPS, WALL, WATER, Dungeon, Place
from solvent.dungeon.rules import Game, beside


class OpenGround:
    """Hold the tiles one can stand on, numbered from 0, and the moves between them."""

    def __init__(self, dungeon: Dungeon, game: Game, start: Place, meter: Meter = UNLIMITED) -> None:
        self.dungeon, self.game = dungeon, game
        self.places = sorted({start, *meter.each(self._standable())})
        """The tiles by number."""
        self.number = {place: number for number, place in enumerate(self.places)}
        """The numbers of tiles."""
        found = {pickup.name for pickup in dungeon.pickups if pickup.kind == "item"}
        self._items = found.union(dungeon.rules.items)
        self._crosses = dungeon.rules.water in self._items
        self._moving = {number for number in range(len(dungeon.blocks)) if self._can_be_pushed(number)}
        self.walks: list[list[tuple[int, str]]] = [self._walks_from(place) for place in meter.each(self.places)]
        """Steps from each tile: where they lead, and the letter."""
        self.ways: list[list[tuple[int, str]]] = [self._ways_from(place) for place in meter.each(self.places)]
        """Ways from each tile: where they lead, and the number."""

    def _standable(self) -> Iterator[Place]:
        rules = self.dungeon.rules
        barred = {WALL, NOTHING, *([WATER] if rules.crossing == "one" else [])}
        for floor, storey in enumerate(self.dungeon.floors):
            for row, line in enumerate(storey.terrain):
                for column, letter in enumerate(line):
                    place = (floor, row, column)
                    if letter not in barred and not (rules.push == "never" and place in self.game.block_at):
                        yield place

    def _can_be_pushed(self, block: int) -> bool:
        """Tell whether some step walks against a block and there is bare floor behind it.

        Blocks that are pushed on may make room for each other: each of them counts as one that moves.
        """
        if self.dungeon.rules.push == "on":
            return True
        target = self.dungeon.blocks[block].place
        for direction in STEPS if self.dungeon.rules.push == "once" else ():
            down, right = STEPS[direction]
            here = (target[0], target[1] - down, target[2] - right)
            leads_there = here in self.number and self.game.landing(here, direction) == (target, self._is_water(target))
            if leads_there and self.game.is_bare(beside(target, direction)):
                return True
        return False

    def _is_water(self, place: Place) -> bool:
        return self.game.terrain(place) == WATER

    def _walks_from(self, place: Place) -> list[tuple[int, str]]:
        walks = []
        for direction in STEPS:
            found = self.game.landing(place, direction)
            if found is None or found[0] not in self.number:
                continue
            target, wet = found
            if (self._crosses or not wet) and self._may_be_entered(target):
                walks.append((self.number[target], direction))
        return walks

    def _ways_from(self, place: Place) -> list[tuple[int, str]]:
        ways = []
        for number in self.game.ways_from.get(place, ()):
            way = self.dungeon.ways[number]
            if way.target in self.number and self._may_be_passed(way.gate) and self._may_be_entered(way.target):
                ways.append((self.number[way.target], str(number)))
        return ways

    def _may_be_entered(self, place: Place) -> bool:
        block = self.game.block_at.get(place)
        return self._may_be_passed(self.game.gate_at.get(place)) and (block is None or block in self._moving)

    def _may_be_passed(self, gate: int | None) -> bool:
        return (
            gate is None
            or self.dungeon.gates[gate].kind != "item"
            or self._items.issuperset(self.dungeon.gates[gate].needs)
        )
