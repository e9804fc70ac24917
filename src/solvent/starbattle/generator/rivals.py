"""Move borders against all solutions seen so far, where a board has much more room than its stars need.

There most borders that spoil one solution bring back another. So every rival, a solution that is not the wanted one,
is remembered with its stars in each region, and of the moves that spoil one, that is taken which leaves fewest valid.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from solvent.core.budget import Meter
from solvent.engine.dice import Dice
from solvent.starbattle.generator.regions import puzzle_of, shake
from solvent.starbattle.model import STAR, UNKNOWN
from solvent.starbattle.rules import sides_of
from solvent.starbattle.solver.counting import Ending, Search

MAX_MOVES = 3_000
"""Border moves before the board is given up."""
MAX_IDLE = 300
"""Border moves without a new rival, after which it is given up: the same few come back for ever."""
MAX_NODES = 20_000
"""Positions to visit in one search of the whole board."""
WINDOWS = 12
"""Parts of the board to search for a rival before it is given up, once the whole board takes too long."""
WINDOW_NODES = 2_000
RIVALS_A_LOOK = 8
NOISE = 20
"""How many moves of a hundred are taken at random."""
GREED = 50
"""How many of a hundred make regions as unequal as they can."""
EXCHANGES = 80
"""How many of a hundred times a rival that cannot be spoiled becomes the wanted solution."""
SMALL_PART = 3
"""Cells that may change hands together without a second thought."""


def outdo_rivals(
    per_unit: int, regions: list[int], stars: Sequence[int], dice: Dice, meter: Meter
) -> tuple[int, ...] | None:
    """Move borders, in place, until one solution is left; return its stars, or None if that does not come about.

    It need not be the solution that was given: where a rival's stars all hold their regions together, no border can
    spoil it, but it may be able to spoil the one that was wanted until then.
    """
    rivals = _Rivals(per_unit, regions, stars)
    looked = 0
    for moved in range(MAX_MOVES):
        if not rivals.valid:
            looked = moved
            status = rivals.look(dice, meter)
            if status is not Ending.FOUND:
                return tuple(sorted(rivals.wanted)) if status is Ending.EXHAUSTED else None
        elif moved - looked > MAX_IDLE:
            return None
        rival = dice.choice(sorted(rivals.valid))
        options = rivals.moves_against(rival, dice)
        if options:
            rivals.move(*_choose(rivals, options, dice))
        elif dice.chance(EXCHANGES):
            rivals.exchange(rival)
        else:
            before = list(regions)
            shake(rivals.size, regions, rivals.wanted, dice, 1)
            rivals.recount(before)
    return None


_Move = tuple[list[int], int]


def _choose(rivals: _Rivals, options: list[_Move], dice: Dice) -> _Move:
    """Choose the move that leaves fewest rivals; of equals a short one, or one from a small to a large region."""
    if dice.chance(NOISE):
        return dice.choice(options)
    if not dice.chance(GREED):
        return min(options, key=lambda move: (rivals.effect(*move), len(move[0])))
    areas, regions = Counter(rivals.regions), rivals.regions
    return min(
        options,
        key=lambda move: (
            rivals.effect(*move),
            len(move[0]) > SMALL_PART,
            areas[regions[move[0][0]]] - areas[move[1]],
        ),
    )


class _Rivals:
    """Remember solutions that are not wanted, and how many stars each has in each region."""

    def __init__(self, per_unit: int, regions: list[int], stars: Sequence[int]) -> None:
        self.per_unit = per_unit
        self.size = math.isqrt(len(regions))
        self.regions = regions
        self.wanted = frozenset(stars)
        self.valid: set[int] = set()
        """The rivals that the regions allow at the moment."""
        self._stars: list[tuple[int, ...]] = []
        self._known: set[tuple[int, ...]] = set()
        self._with_star: list[list[int]] = [[] for _ in regions]
        """The rivals that have a star on a cell."""
        self._counts: list[list[int]] = []
        self._wrong: list[int] = []
        """How many regions of each rival have too many or too few stars."""

    def look(self, dice: Dice, meter: Meter) -> Ending:
        """Look for rivals that the regions allow; EXHAUSTED if there is none, FOUND, or SPENT if that is unknown."""
        board = puzzle_of(self.size, self.per_unit, self.regions)
        found, ending = self._search(Search(board), meter.part(nodes=MAX_NODES))
        meter.book(0)  # if it was not the number of positions that ended it
        if found:
            return Ending.FOUND
        if ending is Ending.EXHAUSTED:
            return ending
        for _ in range(WINDOWS):
            kept = self._outside_a_window(dice)
            marks = "".join(STAR if cell in kept else UNKNOWN for cell in range(len(self.regions)))
            found, _ = self._search(Search(replace(board, marks=marks)), meter.part(nodes=WINDOW_NODES))
            meter.book(0)
            if found:
                return Ending.FOUND
        return Ending.SPENT

    def _outside_a_window(self, dice: Dice) -> set[int]:
        """Return the wanted stars outside some rows that follow each other, or outside some regions."""
        many = self.size // 2 + dice.below(self.size // 3)
        if dice.chance(50):
            top = dice.below(self.size)
            rows = {(top + step) % self.size for step in range(many)}
            return {star for star in self.wanted if star // self.size not in rows}
        some = set(dice.shuffled(range(self.size))[:many])
        return {star for star in self.wanted if self.regions[star] not in some}

    def _search(self, search: Search, meter: Meter) -> tuple[int, Ending]:
        """Add the first few rivals that a search finds, and return how many, and how it ended."""
        added = seen = 0
        while True:
            ending = search.run(seen + 2, meter)  # it keeps the latest two
            for number in range(seen, search.found):
                added += self._add(search.solution(number))
            seen = search.found
            if ending is not Ending.FOUND or added >= RIVALS_A_LOOK:
                return added, ending

    def _add(self, stars: tuple[int, ...]) -> bool:
        if stars in self._known or frozenset(stars) == self.wanted:
            return False
        number = len(self._stars)
        self._stars.append(stars)
        self._known.add(stars)
        counts = [0] * self.size
        for star in stars:
            counts[self.regions[star]] += 1
            self._with_star[star].append(number)
        self._counts.append(counts)
        self._wrong.append(0)
        self.valid.add(number)
        return True

    def moves_against(self, rival: int, dice: Dice) -> list[_Move]:
        """Return each way to hand a star of a rival, and what it cuts off, to a region next door."""
        moves: list[_Move] = []
        for cell in dice.shuffled([star for star in self._stars[rival] if star not in self.wanted]):
            others = sorted({self.regions[side] for side in sides_of(self.size)[cell]} - {self.regions[cell]})
            part = part_without_stars(self.size, self.regions, cell, self.wanted) if others else None
            if part is not None:
                moves += [(part, other) for other in others]
        return moves

    def effect(self, part: list[int], region: int) -> int:
        """Return how many more rivals are valid after a move."""
        more, goal, old = 0, self.per_unit, self.regions[part[0]]
        for rival, stars in Counter(rival for cell in part for rival in self._with_star[cell]).items():
            counts = self._counts[rival]
            wrong = self._wrong[rival] - (counts[old] != goal) - (counts[region] != goal)
            wrong += (counts[old] - stars != goal) + (counts[region] + stars != goal)
            more += (wrong == 0) - (self._wrong[rival] == 0)
        return more

    def move(self, part: list[int], region: int) -> None:
        """Hand a part of one region to another."""
        before = list(self.regions)
        for cell in part:
            self.regions[cell] = region
        self.recount(before)

    def recount(self, before: list[int]) -> None:
        """Count the stars of rivals again, where borders have moved."""
        goal = self.per_unit
        for cell, (old, new) in enumerate(zip(before, self.regions, strict=True)):
            if old == new:
                continue
            for rival in self._with_star[cell]:
                counts = self._counts[rival]
                wrong = self._wrong[rival] - (counts[old] != goal) - (counts[new] != goal)
                counts[old] -= 1
                counts[new] += 1
                self._wrong[rival] = wrong + (counts[old] != goal) + (counts[new] != goal)
                if self._wrong[rival]:
                    self.valid.discard(rival)
                else:
                    self.valid.add(rival)

    def exchange(self, rival: int) -> None:
        """Make a rival that is valid the wanted solution, and the wanted one a rival."""
        stars, wanted = self._stars[rival], tuple(sorted(self.wanted))
        for star in stars:
            self._with_star[star].remove(rival)
        for star in wanted:
            self._with_star[star].append(rival)
        self._known.remove(stars)
        self._known.add(wanted)
        self._stars[rival] = wanted
        self.wanted = frozenset(stars)


def part_without_stars(size: int, regions: Sequence[int], cell: int, stars: frozenset[int]) -> list[int] | None:
    """Return a cell and all that it cuts off from the stars of its region; None if it stands between these."""
    region = regions[cell]
    seen = {cell}
    cut = [cell]
    starred = 0
    for beside in sides_of(size)[cell]:
        if regions[beside] != region or beside in seen:
            continue
        piece = {beside}
        waiting = [beside]
        while waiting:
            for side in sides_of(size)[waiting.pop()]:
                if regions[side] == region and side not in piece and side != cell:
                    piece.add(side)
                    waiting.append(side)
        seen |= piece
        if piece & stars:
            starred += 1
        else:
            cut += sorted(piece)
    return cut if starred == 1 else None
