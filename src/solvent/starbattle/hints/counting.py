"""Weigh sets of units against each other: how many stars one set needs more than another, and where they can go.

All rows, or all columns, or all regions share no cell, so the needs of several of them add up. What two sets share
counts for both. Hence the open cells of `plus` outside `minus` hold as many stars more than the open cells of `minus`
outside `plus` as `plus` needs more stars than `minus`. All counting techniques are special cases of this sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.starbattle.hints.application import Application, Highlights, Work, unit_keys
from solvent.starbattle.hints.blocks import Tiled, apart, cover, tiled_conclusions
from solvent.starbattle.hints.phrases import capitalised, say_blocks, say_count, say_tiled, say_units
from solvent.starbattle.hints.position import Cells, Position, cells_in

Units = tuple[int, ...]
"""Numbers of units in the geometry, rising."""

MAX_LINES = 4
"""The widest band of lines that is looked at."""
MAX_REGIONS = 3
"""The most regions that are taken together as one shape."""
MAX_BLOCKS = 8
"""Nobody follows a tiling with more blocks."""
MAX_TILINGS = 60
"""How many steps are taken to look for other tilings of an area than the first."""


def cells_of(position: Position, units: Iterable[int]) -> Cells:
    """Return all cells of some units."""
    gathered = 0
    for unit in units:
        gathered |= position.geometry.masks[unit]
    return gathered


def need_of(position: Position, units: Iterable[int]) -> int:
    """Return how many stars some units still need together."""
    return sum(position.needs[unit] for unit in units)


def needing(position: Position, units: Iterable[int]) -> Units:
    """Return those units that still need a star."""
    return tuple(unit for unit in units if position.needs[unit] > 0)


# --- one set inside another -------------------------------------------------------------------------------------------


class Containment(Struct, frozen=True):
    """Hold units whose open cells all lie in other units."""

    base: Units
    cover: Units


def tight_sets(position: Position, base: Sequence[int], cover: Sequence[int], work: Work) -> list[Containment]:
    """Return the smallest sets of base units that lie in cover units which need no more stars than they do.

    Share out the stars: every base unit sends as many as it needs to cover units it meets, every cover unit takes as
    many as it needs. Follow the arrows from a base unit to all it meets, and from a cover unit to those it takes stars
    from. A set no arrow leaves is tight, and each tight set is one, however the stars were shared out. The smallest are
    those reached from one unit; any other is a union of these and says no more than they do.

    What a set says is said by its complement the other way round, too: there, what was base is cover. One of the two
    has at most half of all units, so larger sets are left out. Neighbouring units come first among sets of one size.
    """
    if min(position.needs) < 0:  # too many stars somewhere: needs no longer add up to the same on both sides
        return []
    graph = _share_out(position, base, cover, work)
    if isinstance(graph, Containment):
        return []
    found: dict[tuple[int, int], tuple[tuple[int, bool, Units], Containment]] = {}
    for start in range(len(graph.cover)):
        work.spend()
        bases, covers = graph.reach(start)
        if (bases, covers) in found or 2 * (bases.bit_count() + covers.bit_count()) > len(graph.base) + len(
            graph.cover
        ):
            continue
        one = Containment(
            tuple(graph.base[i] for i in cells_in(bases)), tuple(graph.cover[i] for i in cells_in(covers))
        )
        lines = one.base if one.base[0] < 2 * position.size else one.cover
        split = lines[-1] - lines[0] >= len(lines)
        found[bases, covers] = ((len(one.base) + len(one.cover), split, (*one.base, *one.cover)), one)
    return [one for _, one in sorted(found.values(), key=lambda pair: pair[0])]


def shortfall(position: Position, base: Sequence[int], cover: Sequence[int], work: Work) -> Containment | None:
    """Return base units that lie in cover units which need fewer stars than they do, or None if no such set exists.

    There is room for too few stars then: the position has no solution.
    """
    graph = _share_out(position, base, cover, work)
    return graph if isinstance(graph, Containment) else None


class _Sharing(Struct, frozen=True):
    """Hold how the stars of base units can be shared out among cover units; sets are bits by place in the tuples."""

    base: Units
    cover: Units
    meets: list[int]
    """For each base unit the cover units it shares open cells with."""
    takes: list[int]
    """For each cover unit the base units it takes stars from."""

    def reach(self, start: int) -> tuple[int, int]:
        """Return the base and cover units that can be reached from a cover unit."""
        bases, covers, fresh = 0, 1 << start, 1 << start
        while fresh:
            new_bases = 0
            for number in cells_in(fresh):
                new_bases |= self.takes[number]
            new_bases &= ~bases
            bases |= new_bases
            fresh = 0
            for number in cells_in(new_bases):
                fresh |= self.meets[number]
            fresh &= ~covers
            covers |= fresh
        return bases, covers


def _share_out(position: Position, base: Sequence[int], cover: Sequence[int], work: Work) -> _Sharing | Containment:
    """Share out the stars, or return the base units that cannot send all of theirs and what they meet."""
    bases, covers = needing(position, base), needing(position, cover)
    masks = [position.open_in(unit) for unit in covers]
    meets = []
    for unit in bases:
        here = position.open_in(unit)
        meets.append(sum(1 << number for number, mask in enumerate(masks) if mask & here))
    sent = [[0] * len(covers) for _ in bases]
    takes = [0] * len(covers)
    free = [position.needs[unit] for unit in covers]
    for number, unit in enumerate(bases):
        work.spend()
        for _ in range(position.needs[unit]):
            blocked = _send_one(number, meets, takes, sent, free)
            if blocked is not None:
                return Containment(
                    tuple(bases[i] for i in cells_in(blocked[0])), tuple(covers[i] for i in cells_in(blocked[1]))
                )
    return _Sharing(bases, covers, meets, takes)


def _send_one(
    start: int, meets: list[int], takes: list[int], sent: list[list[int]], free: list[int]
) -> tuple[int, int] | None:
    """Send one more star from a base unit, rerouting others; returns all that was reached if no place was found."""
    came_from: dict[int, int] = {}  # cover unit: the base unit it was reached from
    freed_by: dict[int, int] = {}  # base unit: the cover unit that would give a star back to it
    waiting, seen_bases, seen_covers = [start], 1 << start, 0
    for number in waiting:
        fresh = meets[number] & ~seen_covers
        seen_covers |= fresh
        for target in cells_in(fresh):
            came_from[target] = number
            if free[target]:
                free[target] -= 1
                while True:
                    giver = came_from[target]
                    sent[giver][target] += 1
                    takes[target] |= 1 << giver
                    if giver == start:
                        return None
                    target = freed_by[giver]
                    sent[giver][target] -= 1
                    if not sent[giver][target]:
                        takes[target] &= ~(1 << giver)
            for other in cells_in(takes[target] & ~seen_bases):
                seen_bases |= 1 << other
                freed_by[other] = target
                waiting.append(other)
    return seen_bases, seen_covers


def counted(
    position: Position, technique: str, one: Containment, witness: Mapping[str, Any], seen: Cells
) -> Application | None:
    """Return what a tight set says, or None if that is nothing but cells seen before."""
    base, outer = one.base, one.cover
    inside = cells_of(position, base)
    crosses = position.open & cells_of(position, outer) & ~inside
    if not crosses & ~seen:
        return None
    stars = say_count(need_of(position, base), "star")
    these = kind_of(position, outer)
    bases, covers = say_units(position, base), say_units(position, outer)
    its = "its" if len(base) == 1 else "their"
    return Application(
        technique=technique,
        stars=0,
        crosses=crosses,
        witness=witness,
        because=capitalised(
            f"{bases} {verb(base, 'has', 'have')} room for {its} {stars} only in {covers}, "
            f"which {verb(outer, 'needs', 'need')} no more than that."
        ),
        proof=(
            capitalised(f"{bases} still {verb(base, 'needs', 'need')} {stars}."),
            f"All {its} open cells lie in {covers}.",
            capitalised(f"{these} {verb(outer, 'needs', 'need')} {stars} too, so all of them lie in {bases}."),
            f"No star is left for the rest of {these}.",
        ),
        highlights=Highlights(causes=position.open & inside, units=(*base, *outer)),
    )


# --- sets of units people see -----------------------------------------------------------------------------------------


def bands(position: Position, lines: range, most: int = MAX_LINES) -> Iterator[Units]:
    """Yield the bands of up to so many neighbouring rows or columns that need stars, the narrowest first.

    A line that has all its stars is no gap: its neighbours on both sides count as one band with it.
    """
    active = needing(position, lines)
    for width in range(1, min(most, len(active)) + 1):
        for first in range(len(active) - width + 1):
            yield active[first : first + width]


def region_groups(position: Position, most: int = MAX_REGIONS) -> Iterator[Units]:
    """Yield the sets of up to so many regions whose open cells touch, the smallest first."""
    geometry = position.geometry
    active = needing(position, geometry.regions)
    near: dict[int, list[int]] = {}
    for unit in active:
        around = 0
        for cell in cells_in(position.open_in(unit)):
            around |= geometry.touching[cell]
        near[unit] = [other for other in active if other != unit and around & position.open_in(other)]
    groups: list[Units] = [(unit,) for unit in active]
    for _ in range(most):
        yield from groups
        grown = {tuple(sorted((*group, other))) for group in groups for unit in group for other in near[unit]}
        groups = sorted(group for group in grown if len(set(group)) == len(group))


def plus_sets(position: Position) -> Iterator[tuple[Units, range]]:
    """Yield the sets of units a count may start from, small before large, and the units to take away from them."""
    geometry = position.geometry
    by_size: list[list[tuple[Units, range]]] = [[] for _ in range(MAX_LINES + 1)]
    for lines in (geometry.rows, geometry.columns):
        for band in bands(position, lines):
            by_size[len(band)].append((band, geometry.regions))
    for group in region_groups(position):
        by_size[len(group)].append((group, geometry.rows))
        by_size[len(group)].append((group, geometry.columns))
    for sets in by_size:
        yield from sets


# --- areas full of blocks ---------------------------------------------------------------------------------------------


class Tiling(Struct, frozen=True):
    """Hold blocks that cover an area with as many stars as there are blocks, and what follows."""

    blocks: tuple[int, ...]
    stars: Cells
    crosses: Cells


def tile(
    position: Position, area: Cells, count: int, work: Work, *, outside: Cells = 0, most: int = MAX_BLOCKS
) -> Tiling | None:
    """Cover an area with as many blocks as it must hold stars, in the way that says the most; None if nothing follows.

    `outside` are cells known to stay empty if the area is tiled at all.
    """
    work.spend()
    if not 0 < count <= most or area.bit_count() > 4 * count or apart(position.geometry, area) > count:
        return None
    work.spend(5 + count)
    first = cover(position.geometry, area, most=count)
    if first is None or len(first) < count:
        return None  # fewer blocks than stars: there is no solution, and nothing to explain
    best, most = None, 0
    tilings = _Tilings(position, count, MAX_TILINGS)
    for blocks in (first, *tilings.of(area, ())):
        told = tiled_conclusions(position, area, blocks)
        found = Tiled(told.stars, told.crosses | outside)
        size = (found.stars | found.crosses).bit_count()
        if size > most and not found.stars & found.crosses:
            best, most = Tiling(tuple(sorted(blocks)), found.stars, found.crosses), size
    work.spend((MAX_TILINGS - tilings.steps) * count // 2)  # the more blocks, the longer each step
    return best


class _Tilings(Struct):
    """Go through the covers of an area by so many blocks; other covers may leave other cells twice or alone."""

    position: Position
    count: int
    steps: int

    def of(self, area: Cells, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        geometry = self.position.geometry
        if not area:
            yield chosen
            return
        if self.steps <= 0 or len(chosen) + apart(geometry, area) > self.count:
            return
        self.steps -= 1
        row, col = divmod((area & -area).bit_length() - 1, geometry.size)
        for top in (row, row - 1):
            for left in (col, col - 1):
                if top >= 0 and left >= 0:
                    corner = top * geometry.size + left
                    yield from self.of(area & ~geometry.block(corner), (*chosen, corner))


def tiled_application(
    position: Position,
    technique: str,
    tiling: Tiling,
    plus: Units,
    minus: Units,
    witness: Mapping[str, Any],
    *,
    because: str,
    opening: Sequence[str],
) -> Application:
    """Return the application of a tiled area; `opening` are the lines of proof up to how many stars it holds."""
    blocks = capitalised(say_blocks(position, tiling.blocks))
    one = len(tiling.blocks) == 1
    outside = tiling.crosses & cells_of(position, minus) & ~cells_of(position, plus)
    closing = (
        f"{blocks} {'covers' if one else 'cover'} all open cells there.",
        "Two cells of a block touch, so it holds at most one star: "
        + ("here exactly one." if one else "here each holds exactly one, and no star counts for two blocks."),
        *say_tiled(bool(tiling.stars), bool(tiling.crosses & ~outside)),
        *(["That is all they may have more, so nothing stands where the others reach beyond them."] if outside else []),
    )
    area = position.open & cells_of(position, plus) & ~cells_of(position, minus)
    return Application(
        technique=technique,
        stars=tiling.stars,
        crosses=tiling.crosses,
        witness=witness,
        because=because,
        proof=(*opening, *closing),
        highlights=Highlights(causes=area, units=(*plus, *minus), blocks=tiling.blocks),
    )


def area_witness(position: Position, plus: Units, minus: Units, tiling: Tiling) -> dict[str, Any]:
    """Return the witness of a tiled area."""
    size = position.size
    return {
        "plus": unit_keys(position, plus),
        "minus": unit_keys(position, minus),
        "blocks": [list(divmod(corner, size)) for corner in tiling.blocks],
    }


# --- words ------------------------------------------------------------------------------------------------------------


def verb(units: Units, singular: str, plural: str) -> str:
    """Return the word that agrees with the number of units."""
    return singular if len(units) == 1 else plural


def kind_of(position: Position, units: Units) -> str:
    """Say what units are, to point back at them: `this row`, `these regions`."""
    kind = position.geometry.units[units[0]].kind
    return f"this {kind}" if len(units) == 1 else f"these {kind}s"
