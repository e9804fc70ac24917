"""Plan what is locked by what, before there is any map.

A *mission* is a tree of areas. A *bar* stands before each area but the first: a lock, a cracked wall, or something that
an item passes. Nothing bars the way inside an area, and no player is ever cut off from an area they have been to.

The bars come in *zones*, one after the other. The last bar of a zone is its exit, behind which the next zone begins,
and it can only be passed once all locks and cracked walls of the zone are open: each holds something that the exit
needs, be it in several steps. So a player who enters a zone has opened everything before it and has no keys left,
whatever they did and in whatever order. Two things follow. If no player can get stuck within any zone, which `zones`
finds out by trying everything, then no player can get stuck at all. And the number of situations a player can be in is
the sum over the zones, not the product, so that a dungeon of hundreds of locks can be proved safe. Only the last zone
may have doors that need not be opened.

A bar may stand in an area of an earlier zone, where it is seen long before it can be passed. A lock does so only if its
colour was never in hand between then and now, so that no earlier key fits it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from solvent.dungeon.generator.zones import ROOT, Bar, Holding, Wish, Zone, draw_zone
from solvent.engine.dice import Dice

MAX_BARS_A_ZONE = 6
MAX_BARS_AT_LAST = 8
"""The last zone may be larger, so that in a small dungeon all can be done in any order."""
LADDER = "ladder"
ITEMS = (
    "lamp", "rope", "hammer", "feather", "bell", "mirror", "horn", "axe", "harp", "gloves",
    "lens", "sickle", "cloak", "anchor", "chisel", "flute", "amulet", "spade", "boots",
)  # fmt: skip


@dataclass(slots=True)
class Area:
    """Hold some rooms with nothing barred between them."""

    parent: int
    """The area on the other side of the bar; -1 for the first."""
    bar: Bar | None
    zone: int
    holds: list[Holding] = field(default_factory=list)
    rooms: int = 1


@dataclass(frozen=True, slots=True)
class Mission:
    """Hold the areas, each after its parent. The goal lies in the last."""

    areas: list[Area]


def plan_mission(dice: Dice, *, rooms: int, locks: int, bombs: int, items: int, flawed: bool) -> Mission | None:
    """Plan a mission; with `flawed`, one in which keys or bombs can be wasted. None if none was found.

    There are at least as many rooms as bars and one more.
    """
    spare = rooms - 1 - locks - bombs - items
    item_bars = items + (dice.below(1 + min(spare // 3, 2 * items)) if items else 0)
    bars = _order_bars(dice, locks, bombs, item_bars, items)
    sizes = _zone_sizes(dice, len(bars))
    if flawed and not sizes:
        return None
    spoiled = dice.choice([len(sizes) - 1, dice.below(len(sizes))]) if flawed else -1
    areas = [Area(-1, None, 0)]
    held: list[set[str]] = []
    root, begin = 0, 0
    for number, size in enumerate(sizes):
        wish = Wish(last=number == len(sizes) - 1, flawed=number == spoiled)
        old = [(index, _held_since(held, area.zone)) for index, area in enumerate(areas) if area.zone < number]
        zone = draw_zone(dice, bars[begin : begin + size], old, wish)
        if zone is None:
            return None
        root = _add_zone(areas, zone, root, number)
        held.append(zone.stocks())
        begin += size
    _drop_single_colour(areas)
    _share_rooms(dice, areas, rooms - len(areas))
    return Mission(areas)


def _order_bars(dice: Dice, locks: int, bombs: int, item_bars: int, items: int) -> list[Bar]:
    """Return the bars in the order in which they can be passed; locks have no colours yet."""
    kinds = dice.shuffled(["lock"] * locks + ["cracked"] * bombs + ["item"] * item_bars)
    if locks and dice.chance(70):  # a lock is the best last door
        kinds.remove("lock")
        kinds.append("lock")
    names = dice.shuffled(ITEMS)
    if dice.chance(75):
        names.insert(dice.below(max(items, 1)), LADDER)
    names = names[:items]
    known: list[str] = []
    left = item_bars
    bars = []
    for kind in kinds:
        if kind != "item":
            bars.append(Bar(kind, ("",) if kind == "lock" else ()))
            continue
        fresh = len(names) > len(known) and (left == len(names) - len(known) or not known or dice.chance(60))
        name = names[len(known)] if fresh else dice.choice(known)
        others = [each for each in known if each not in (name, LADDER)]
        if fresh:
            known.append(name)
        needs = {name}
        if name != LADDER and others and dice.chance(20):
            needs.add(dice.choice(others))
        bars.append(Bar("water" if name == LADDER else "item", tuple(sorted(needs)), name if fresh else ""))
        left -= 1
    return bars


def _zone_sizes(dice: Dice, bars: int) -> list[int]:
    sizes = []
    while bars > MAX_BARS_AT_LAST:
        sizes.append(dice.between(3, MAX_BARS_A_ZONE))
        bars -= sizes[-1]
    return [*sizes, bars] if bars else sizes


def _held_since(held: list[set[str]], zone: int) -> frozenset[str]:
    return frozenset().union(*held[zone:])


def _add_zone(areas: list[Area], zone: Zone, root: int, number: int) -> int:
    """Append the areas of a zone and return the one behind its exit."""
    first = len(areas)
    for place, (bar, parent) in enumerate(zip(zone.bars, zone.parents, strict=True), start=1):
        if parent < ROOT:
            owner = zone.old[-parent - 1]
        else:
            owner = root if parent == ROOT else first + parent - 1
        # what lies behind the exit belongs to the next zone
        areas.append(Area(owner, replace(bar, gives=""), number + (place == len(zone.bars))))
    for place, holding in zone.holdings:
        areas[root if place == ROOT else first + place - 1].holds.append(holding)
    return len(areas) - 1


def _drop_single_colour(areas: list[Area]) -> None:
    """Make all keys plain if they are of one colour."""
    locks = [area.bar for area in areas if area.bar is not None and area.bar.kind == "lock"]
    if len({bar.needs for bar in locks}) != 1:
        return
    for area in areas:
        if area.bar in locks:
            area.bar = replace(area.bar, needs=("",))
        area.holds = [Holding("key") if holding.kind == "key" else holding for holding in area.holds]


def _share_rooms(dice: Dice, areas: list[Area], rooms: int) -> None:
    """Give the areas more rooms, some of them far more than others."""
    appetite = [dice.between(1, 6) for _ in areas]
    appetite[0] += 4
    pool = [index for index, weight in enumerate(appetite) for _ in range(weight)]
    for _ in range(rooms):
        areas[dice.choice(pool)].rooms += 1
