"""Weigh sets of units against each other: how many stars one set needs more than another, and where they can go.

All rows, or all columns, or all regions share no cell, so the needs of several of them add up. What two sets share
counts for both. Hence the open cells of `plus` outside `minus` hold as many stars more than the open cells of `minus`
outside `plus` as `plus` needs more stars than `minus`. All counting techniques are special cases of this sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints import flow
from solvent.starbattle.hints.application import Application, Highlights, Why, Work, pairs, unit_keys
from solvent.starbattle.hints.block_reasons import block_reasons
from solvent.starbattle.hints.blocks import Conclusions, apart, blocks_at, cover, tiled_conclusions
from solvent.starbattle.hints.phrases import count_of, name_blocks, name_units
from solvent.starbattle.hints.position import Cells, Geometry, Position, Units, cells_in

MAX_LINES = 4
"""The widest band of lines that is looked at."""
MAX_REGIONS = 3
"""The most regions that are taken together as one shape."""
MAX_BLOCKS = 8
"""A tiling with more blocks is too long to follow."""
MAX_TILINGS = 60
"""How many steps are taken to look for other tilings of an area than the first."""


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

    Every base unit sends the stars it needs to cover units it meets. A tight set is one, and the smallest are those
    reached from one unit; any other is a union of these and says no more than they do.

    A complement says the same the other way round: there, what was base is cover. One of the two
    has at most half of all units, so larger sets are left out. Neighbouring units come first among sets of one size.
    """
    if min(position.needs) < 0:  # too many stars somewhere: needs no longer add up to the same on both sides
        return []
    bases, covers = needing(position, base), needing(position, cover)
    sharing = _share_out(position, bases, covers, work)
    if not isinstance(sharing, flow.Sharing):
        return []
    found: dict[flow.Group, tuple[tuple[int, bool, Units], Containment]] = {}
    for start in range(len(covers)):
        work.spend()
        group = sharing.reach(start, sender=False)
        one = _containment(bases, covers, group)
        count = len(one.base) + len(one.cover)
        if group in found or 2 * count > len(bases) + len(covers):
            continue
        lines = one.base if one.base[0] < 2 * position.size else one.cover
        split = lines[-1] - lines[0] >= len(lines)
        found[group] = ((count, split, (*one.base, *one.cover)), one)
    return [one for _, one in sorted(found.values(), key=lambda pair: pair[0])]


def _containment(bases: Units, covers: Units, group: flow.Group) -> Containment:
    senders, receivers = (cells_in(numbers) for numbers in group)
    return Containment(tuple(bases[number] for number in senders), tuple(covers[number] for number in receivers))


def _share_out(position: Position, bases: Units, covers: Units, work: Work) -> flow.Sharing | flow.Group:
    """Share out the stars; where a base unit meets a cover unit there is always room for one more."""
    work.spend(len(bases))
    areas = [position.open_in(unit) for unit in covers]
    room = []
    for unit in bases:
        here = position.open_in(unit)
        room.append({n: position.needs[covers[n]] + 1 for n, area in enumerate(areas) if area & here})
    return flow.share_out([position.needs[unit] for unit in bases], [position.needs[unit] for unit in covers], room)


def counted_applications(
    position: Position,
    technique: str,
    families: Iterable[tuple[range, range]],
    work: Work,
) -> Iterator[Application]:
    """Yield what the tight sets of some base and cover units say, each that says something new, the smallest first."""
    seen = 0
    for bases, covers in families:
        for one in tight_sets(position, bases, covers, work):
            inside = position.geometry.cells_of(one.base)
            crosses = position.open & position.geometry.cells_of(one.cover) & ~inside
            if crosses & ~seen:
                seen |= crosses
                texts = _describe_containment(position, one)
                highlights = Highlights(causes=position.open & inside, units=(*one.base, *one.cover))
                rest = f"No star is left for {{cells}}, the rest of {these(position, one.cover)}."
                yield Application(
                    technique,
                    0,
                    crosses,
                    _witness(position, one),
                    *texts,
                    reasons=(Why(crosses, rest),),
                    highlights=highlights,
                )


def _witness(position: Position, one: Containment) -> dict[str, Any]:
    """Return a tight set as the checker reads it: lines and regions, or rows and columns with which of them is base."""
    keys = {units[0] // position.size: unit_keys(position, units) for units in (one.base, one.cover)}
    if 2 in keys:
        return {"lines": keys[min(keys)], "regions": keys[2]}
    return {"rows": keys[0], "columns": keys[1], "base": "rows" if one.base[0] < position.size else "columns"}


def _describe_containment(position: Position, one: Containment) -> tuple[str, tuple[str, ...]]:
    """Return why a tight set rules out cells, in one sentence and line by line."""
    base, outer = one.base, one.cover
    stars = count_of(need_of(position, base), "star")
    bases, covers, these_covers = name_units(position, base), name_units(position, outer), these(position, outer)
    needs, its, covers_need = verb(base, "needs", "need"), verb(base, "its", "their"), verb(outer, "needs", "need")
    because = f"{bases} {verb(base, 'has', 'have')} room for {its} {stars} only in {covers}"
    return (
        capitalised(f"{because}, which {covers_need} no more than that."),
        (
            capitalised(f"{bases} still {needs} {stars}."),
            f"All {its} open cells lie in {covers}.",
            capitalised(f"{these_covers} {covers_need} {stars} too, so all of them lie in {bases}."),
        ),
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
        around = geometry.around(position.open_in(unit))
        near[unit] = [other for other in active if other != unit and around & position.open_in(other)]
    groups: list[Units] = [(unit,) for unit in active]
    for _ in range(most):
        yield from groups
        grown = {tuple(sorted((*group, other))) for group in groups for unit in group for other in near[unit]}
        groups = sorted(group for group in grown if len(set(group)) == len(group))


def plus_sets(position: Position, *, crossing: bool = False, most_apart: int = 1) -> Iterator[tuple[Units, range]]:
    """Yield the sets of units a count may start from, small before large, and the units to take away from them.

    With `crossing`, columns are taken away from rows too, and rows from columns. Up to `most_apart` lines need not be
    neighbours.
    """
    geometry = position.geometry
    by_size: list[list[tuple[Units, range]]] = [[] for _ in range(MAX_LINES + 1)]
    for lines, across in ((geometry.rows, geometry.columns), (geometry.columns, geometry.rows)):
        counts = range(2, most_apart + 1)
        far = (chosen for count in counts for chosen in combinations(needing(position, lines), count))
        for chosen in dict.fromkeys((*bands(position, lines), *far)):
            by_size[len(chosen)] += [(chosen, geometry.regions)] + [(chosen, across)] * crossing
    for group in region_groups(position):
        by_size[len(group)] += [(group, geometry.rows), (group, geometry.columns)]
    for sets in by_size:
        yield from sets


# --- areas full of blocks ---------------------------------------------------------------------------------------------


class Tiling(Conclusions, frozen=True):
    """Hold blocks that cover an area with as many stars as there are blocks, and what follows."""

    blocks: tuple[int, ...]


def tile(
    position: Position, area: Cells, count: int, work: Work, *, outside: Cells = 0, most: int = MAX_BLOCKS
) -> Tiling | None:
    """Cover an area with as many blocks as it must hold stars, in the way that says the most; None if nothing follows.

    `outside` are cells known to stay empty if the area is tiled at all.
    """
    work.spend()
    if not 0 < count <= most or area.bit_count() > 4 * count or apart(position.geometry, area).bit_count() > count:
        return None
    work.spend(5 + count)
    first = cover(position.geometry, area, most=count)
    if first is None or len(first) < count:
        return None  # fewer blocks than stars: there is no solution, and nothing to explain
    best, most = None, 0
    tilings = _Tilings(position.geometry, count, MAX_TILINGS)
    for blocks in (first, *tilings.of(area, ())):
        found = tiled_conclusions(position.geometry, position.open, area, blocks)
        crosses = found.crosses | outside
        size = (found.stars | crosses).bit_count()
        if size > most and not found.stars & crosses:
            best, most = Tiling(found.stars, crosses, tuple(sorted(blocks))), size
    work.spend((MAX_TILINGS - tilings.steps) * count // 2)  # the more blocks, the longer each step
    return best


class _Tilings(Struct):
    """Go through the covers of an area by so many blocks; other covers may leave other cells twice or alone."""

    geometry: Geometry
    count: int
    steps: int

    def of(self, area: Cells, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not area:
            yield chosen
            return
        if self.steps <= 0 or len(chosen) + apart(self.geometry, area).bit_count() > self.count:
            return
        self.steps -= 1
        for corner in blocks_at(self.geometry.size)[(area & -area).bit_length() - 1]:
            yield from self.of(area & ~self.geometry.block(corner), (*chosen, corner))


def tiled_application(
    position: Position,
    technique: str,
    tiling: Tiling,
    units: tuple[Units, Units],
    *,
    because: str,
    opening: Sequence[str],
    where: str = "there",
) -> Application:
    """Return the application of a tiled area: some units outside some others.

    `opening` are the lines of proof up to how many stars it holds, and `where` names the area behind them.
    """
    plus, minus = units
    inside, taken = (position.geometry.cells_of(part) for part in units)
    outside = tiling.crosses & taken & ~inside
    one = len(tiling.blocks) == 1
    closing = [
        f"{capitalised(name_blocks(position, tiling.blocks))} {'covers' if one else 'cover'} all open cells {where}.",
        "Two cells of a block touch, so it holds at most one star: "
        + ("here exactly one." if one else "here each holds exactly one, and no star counts for two blocks."),
    ]
    area = position.open & inside & ~taken
    reasons = block_reasons(position, area, tiling.blocks, tiling.stars, tiling.crosses & ~outside)
    if outside:
        lies = f"That is the whole difference, so no star of {name_units(position, minus)} lies on {{cells}}."
        reasons = (*reasons, Why(outside, lies))
    lines = {"lines": unit_keys(position, plus)}
    differing = {"plus": unit_keys(position, plus), "minus": unit_keys(position, minus)}
    return Application(
        technique=technique,
        stars=tiling.stars,
        crosses=tiling.crosses,
        witness={**(differing if minus else lines), "blocks": pairs(tiling.blocks, position.size)},
        because=because,
        proof=(*opening, *closing),
        reasons=reasons,
        highlights=Highlights(causes=position.open & inside & ~taken, units=(*plus, *minus), blocks=tiling.blocks),
    )


# --- phrases ----------------------------------------------------------------------------------------------------------


def verb(units: Units, singular: str, plural: str) -> str:
    """Return the verb or pronoun that agrees with the number of units."""
    return singular if len(units) == 1 else plural


def these(position: Position, units: Units) -> str:
    """Point back at units: `this row`, `these regions`."""
    kind = position.geometry.units[units[0]].kind
    return f"this {kind}" if len(units) == 1 else f"these {kind}s"
