"""Draw one zone of a mission: a few bars, where they stand, and where what they need lies.

Drawn at random and then tried out: all orders in which the bars of a zone can be opened are few enough to look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from solvent.engine.dice import Dice

ROOT = 0
"""The area in which a zone begins, among the areas of the zone; area n lies behind its bar n, counted from 1."""
TRIES = 60
CHOICES = 8
"""Zones to find before the one with most freedom is taken: most of those drawn have little."""
OLD_PERCENT = 18
"""How many bars of a hundred stand in an earlier zone, if they can."""
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "teal", "pink")
BOMBS = "bombs"
"""What cracked walls take, as if it were a colour; no colour of keys has this name."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Hold what stands between two areas."""

    kind: str
    """`lock`, `cracked`, `item`, or `water`, which the ladder crosses."""
    needs: tuple[str, ...]
    """The colour of a lock, or the items."""
    gives: str = ""
    """The item among those it needs that lies in this zone; empty if all are in hand by now."""

    @property
    def stock(self) -> str | None:
        """Return what it takes, by the names above, or None if it takes nothing."""
        return self.needs[0] if self.kind == "lock" else BOMBS if self.kind == "cracked" else None


@dataclass(frozen=True, slots=True)
class Holding:
    """Hold something that lies in an area."""

    kind: str
    """As a pickup: `key`, `bombs` or `item`."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """Say what a zone should be like."""

    last: bool
    """Behind its exit lies the goal, so that other bars may be left alone."""
    flawed: bool
    """Something can be wasted so that the exit stays shut for good."""


@dataclass(frozen=True, slots=True)
class Zone:
    """Hold the bars of a zone, the last of them its exit."""

    bars: tuple[Bar, ...]
    parents: tuple[int, ...]
    """The area of the zone each bar stands in; below 0 for one of an earlier zone: -1 - its position in `old`."""
    holdings: tuple[tuple[int, Holding], ...]
    """What lies in which area of the zone."""
    old: tuple[int, ...]
    """Areas of earlier zones, as the mission numbers them."""

    def stocks(self) -> set[str]:
        """Return what may be in hand at some time in this zone."""
        return {bar.stock for bar in self.bars if bar.stock is not None}


Old = Sequence[tuple[int, frozenset[str]]]
"""Areas of earlier zones, each with all that was in hand at some time since."""


def draw_zone(dice: Dice, bars: Sequence[Bar], old: Old, wish: Wish) -> Zone | None:
    """Draw a zone with these bars, in an order in which they can be passed; colours of locks are chosen here.

    None if no flawed one was found; one without a flaw always is.
    """
    found: list[tuple[int, Zone]] = []
    for _ in range(TRIES):
        zone = _draw(dice, bars, old, flawed=wish.flawed)
        outlook = look_ahead(zone)
        if outlook.passable and outlook.losable == wish.flawed and (outlook.forced or wish.last):
            found.append((outlook.positions, zone))
            if len(found) == CHOICES:
                break
    if not found:
        return None if wish.flawed else _line_up(dice, bars)
    zone = max(found, key=lambda pair: pair[0])[1]
    return _add_spares(dice, zone) if wish.last and not wish.flawed else zone


def _draw(dice: Dice, bars: Sequence[Bar], old: Old, *, flawed: bool) -> Zone:
    palette = ["", "", *dice.shuffled(COLOURS)[:2]]
    drawn: list[Bar] = []
    parents: list[int] = []
    visited: list[int] = []
    for place, bar in enumerate(bars):
        is_exit = place == len(bars) - 1
        colours = palette[2:] if is_exit and len(bars) > 1 and not flawed else palette
        seen_before: frozenset[str] | None = None
        # What is in hand already would pass a bar in an earlier zone too soon.
        if old and (bar.stock is not None or bar.gives) and dice.chance(OLD_PERCENT):
            area, seen_before = dice.choice(old)
            if bar.kind == "lock":
                colours = [colour for colour in COLOURS if colour not in seen_before]
            if (bar.kind == "lock" and not colours) or bar.stock in seen_before - {""}:
                seen_before, colours = None, palette
            else:
                visited.append(area)
        if bar.kind == "lock":
            bar = replace(bar, needs=(dice.choice(colours),))
        drawn.append(bar)
        parents.append(dice.below(place + 1) if seen_before is None else -len(visited))
    used = {parent for parent in parents if parent > ROOT}
    holdings: list[tuple[int, Holding]] = []
    for place in range(len(drawn) - 1, -1, -1):
        holding = _what_opens(drawn[place])
        if holding is not None:
            filled = {area for area, _ in holdings}
            weights = [
                3 if area == ROOT else 12 if area not in used and area not in filled else 2 for area in range(place + 1)
            ]
            holdings.append((dice.weighted(weights), holding))
    if flawed and dice.chance(60):  # one key too few is easily wasted
        alike = Counter(holding for _, holding in holdings)
        spare = [pair for pair in holdings if alike[pair[1]] > 1]
        if spare:
            holdings.remove(dice.choice(spare))
    return Zone(tuple(drawn), tuple(parents), tuple(holdings[::-1]), tuple(visited))


def _line_up(dice: Dice, bars: Sequence[Bar]) -> Zone:
    """Return the zone in which each area holds what opens the next bar, and that bar: there is nothing to go wrong."""
    drawn = [replace(bar, needs=(dice.choice(("", *COLOURS)),)) if bar.kind == "lock" else bar for bar in bars]
    found = [(place, _what_opens(bar)) for place, bar in enumerate(drawn)]
    holdings = tuple((place, holding) for place, holding in found if holding is not None)
    return Zone(tuple(drawn), tuple(range(len(drawn))), holdings, ())


def _what_opens(bar: Bar) -> Holding | None:
    if bar.kind == "lock":
        return Holding("key", bar.needs[0])
    if bar.kind == "cracked":
        return Holding("bombs")
    return Holding("item", bar.gives) if bar.gives else None


def _add_spares(dice: Dice, zone: Zone) -> Zone:
    """Put something into the areas that have nothing to offer. Having more never bars a way, so no harm is done."""
    filled = {area for area, _ in zone.holdings} | set(zone.parents)
    stocks = [bar for bar in zone.bars if bar.stock is not None]
    spares = []
    for area in range(1, len(zone.bars)):
        if area not in filled and stocks:
            holding = _what_opens(dice.choice(stocks))
            assert holding is not None
            spares.append((area, holding))
    return replace(zone, holdings=(*zone.holdings, *spares))


@dataclass(frozen=True, slots=True)
class Outlook:
    """Say what can happen in a zone."""

    passable: bool
    """The exit can be passed."""
    forced: bool
    """By then all that can be opened is open."""
    losable: bool
    """Something can be opened so that the exit cannot be passed any more."""
    positions: int
    """How many sets of bars can be open at some time."""


def look_ahead(zone: Zone) -> Outlook:
    """Try everything: the bars that were opened, as bits, tell all that matters."""
    count = len(zone.bars)
    spending = sum(1 << place for place, bar in enumerate(zone.bars) if bar.stock is not None)
    ahead: dict[int, list[int]] = {}
    wins: set[int] = set()
    waiting = [0]
    while waiting:
        opened = waiting.pop()
        if opened in ahead:
            continue
        reached, stock = _take_stock(zone, opened)
        ahead[opened] = []
        if reached >> count & 1:
            wins.add(opened)
            continue
        for place, bar in enumerate(zone.bars):
            stands_before = zone.parents[place] < ROOT or reached >> zone.parents[place] & 1
            if bar.stock is not None and not opened >> place & 1 and stands_before and stock[bar.stock] > 0:
                ahead[opened].append(opened | 1 << place)
        waiting += ahead[opened]
    saved = set(wins)
    for opened in sorted(ahead, reverse=True):  # opening adds bits, so what follows is larger
        if any(after in saved for after in ahead[opened]):
            saved.add(opened)
    return Outlook(0 in saved, all(opened == spending for opened in wins), len(saved) < len(ahead), len(ahead))


def _take_stock(zone: Zone, opened: int) -> tuple[int, Counter[str]]:
    """Return which areas can be reached, as bits, and what is in hand."""
    reached = 1
    items: set[str] = set()
    missing = {bar.gives for bar in zone.bars if bar.gives}
    while True:
        items = {held.name for area, held in zone.holdings if held.kind == "item" and reached >> area & 1}
        before = reached
        for place, bar in enumerate(zone.bars):
            if zone.parents[place] < ROOT or reached >> zone.parents[place] & 1:
                passes = opened >> place & 1 if bar.stock is not None else not (missing - items).intersection(bar.needs)
                reached |= bool(passes) << (place + 1)
        if reached == before:
            break
    stock: Counter[str] = Counter()
    for area, holding in zone.holdings:
        if reached >> area & 1 and holding.kind != "item":
            stock[BOMBS if holding.kind == "bombs" else holding.name] += 1
    for place, bar in enumerate(zone.bars):
        if bar.stock is not None and opened >> place & 1:
            stock[bar.stock] -= 1
    return reached, stock
