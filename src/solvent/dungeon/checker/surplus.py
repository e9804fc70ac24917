"""Check that keys and bombs never run short where they are needed, so that no player can lose.

*Everything can be undone.* There is nothing to switch, push or shut, so what is held and opened only ever grows; and
after every move there is a move straight back, or a walk back, that needs no more than the move itself, what was found
there, or what a player who makes it is sure to have. Then a player can always walk back the whole way and from there to
wherever the doors opened so far and the items held let them; and may be taken to have collected all that lies there.
See `zones` for the zones and doors that make up what is *reached*.

*Lower bounds.* `least` of a gate is the minimum of what can be in hand of what it takes while it is shut, over all that
may be reached and opened by then: see `dominance` and `attainable` for what is known of that, and `shortage` for the
minimum.

*Ways.* Each zone but the first has a last zone that every way to it leads through. A door leads from there straight
into it, or a detour does: through other zones. Zone by zone that makes a way from the start to any zone.

*Never stuck.* The certificate lists things to fetch in order; the goal comes after all of them. Take the first that is
not reached: what is listed before it is. On the way to it take the last zone that is reached: no zone behind it is, so
the door after it is shut. The items it needs are listed before. If it takes something, `least` says that it can be
opened, for only sets count that hold that zone and all listed before, and neither what follows on the detour nor what
needs it. So one more door can be opened, again and again, until the goal is entered. A goal ends the game: it is no
part of a zone, what lies there is of no use, and a door that only leads onto goals wastes nothing. Where a goal can be
entered at once, there is nothing to show.

The time grows with the size of the map, times the number of colours that are needed; where doors lie in circles, times
the number of doors on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import inf

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.dungeon.checker.areas import area_at, tile_at
from solvent.dungeon.checker.attainable import imply_more
from solvent.dungeon.checker.certificate_schema import SurplusBody
from solvent.dungeon.checker.dominance import find_groups
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.play import lay_out, position, show_place
from solvent.dungeon.checker.shortage import Shortages, add_inside, begin_inside, find_least, look_for_shortages
from solvent.dungeon.checker.situations import MAX_VIOLATIONS_LISTED
from solvent.dungeon.checker.zones import Door, Zones, find_zones
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why keys or bombs might run short, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, SurplusBody)
    board = lay_out(dungeon, meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    if start.place in board.goals:
        return ["the game is won already, so nothing can run short"]
    if body.goal not in board.goals:
        return [f"expected a goal, found {show_value(body.goal)}"]
    zones = find_zones(build_maze(board))
    if isinstance(zones, str):
        return [f"does not apply: {zones}"]
    areas = zones.maze.areas
    entries = zones.onto_goals.get(area_at(areas, tile_at(areas.tiles, body.goal)) or 0, set())
    if not entries:
        return [f"no way leads to the goal at {show_place(dungeon, body.goal)}"]
    groups = find_groups(zones)
    faults = _fewest_faults(look_for_shortages(zones, groups), body, entries)
    if faults:  # there is more to know, but it takes longer to find out
        faults = _fewest_faults(look_for_shortages(zones, imply_more(zones, groups)), body, entries)
    return faults


def _fewest_faults(shortages: Shortages, body: SurplusBody, entries: set[tuple[int, Door]]) -> list[str]:
    """Return what is wrong; where the goal can be entered in several ways, one of them is enough."""
    fewest: list[str] | None = None
    for zone, door in shortages.zones.maze.meter.each(sorted(entries), every=1):
        faults = _Proof(shortages, body).faults(zone, door)
        if fewest is None or len(faults) < len(fewest):
            fewest = faults
        if not fewest:
            break
    return fewest or []


class _Proof:
    """Follow the ways that a certificate speaks of."""

    def __init__(self, shortages: Shortages, body: SurplusBody) -> None:
        self.shortages, self.body = shortages, body
        self.zones: Zones = shortages.zones
        self.meter = self.zones.maze.meter
        self.stated = dict(body.least)
        self.listed_items = 0
        for name, _ in self.meter.each(body.items):
            self.listed_items |= self.zones.maze.ledger.items.get(name, 0)
        self.found: list[str] = []
        """What is wrong."""
        self.least: dict[int, float] = {}
        """What can be in hand at least before each gate on the way."""
        self.inside = begin_inside(shortages.groups)
        """What is reached for sure, now that what is listed so far was fetched."""
        self.detours: dict[int, list[int]] = {}
        """The zones on each detour, by the last."""
        self._read_detours()

    def faults(self, zone: int, entry: Door) -> list[str]:
        """Return what is wrong with the certificate if the goal is entered from a zone in this way."""
        ledger, found = self.zones.maze.ledger, self.found
        held = needed = 0
        walked, fetched = {0}, set()
        for name, number in self.meter.each(self.body.items, every=20):
            if len(found) >= MAX_VIOLATIONS_LISTED:
                return [*found, "and more"]
            place = self._zone_of_pickup(name, number)
            if isinstance(place, str):
                found.append(place)
                continue
            on_the_way = self._walk_to(place, walked)
            if on_the_way & ~held:
                shown = self._names(on_the_way & ~held)
                found.append(f"the way to {show_value(name)} needs {shown}, not listed before it")
            is_item = self.zones.maze.board.dungeon.pickups[number].kind == "item"
            if number in fetched or (is_item and held & ledger.items[name]):
                found.append(f"{show_value(name)} is listed twice")
            needed |= on_the_way
            held |= ledger.items[name] if is_item else 0
            fetched.add(number)
            add_inside(self.shortages.groups, self.inside, place)
        needed |= entry.needs | self._walk_to(zone, walked)
        self._meet(entry, zone, ())
        if needed & ~held:
            found.append(f"{self._names(needed & ~held)}: needed, but not listed")
        if held & ~needed:
            found.append(f"{self._names(held & ~needed)}: listed, but not needed")
        if self.detours.keys() - walked:
            found.append("a detour is listed that no way takes")
        found += islice(_faults_of_least(self.body.least, self.least), MAX_VIOLATIONS_LISTED + 1)
        return found[:MAX_VIOLATIONS_LISTED] + ["and more"] * (len(found) > MAX_VIOLATIONS_LISTED)

    def _walk_to(self, zone: int, walked: set[int]) -> int:
        """Return the items that the way from the start to a zone needs; find the least before the gates on it.

        The way to zones that were walked to before was looked at then, so it begins at the last of those.
        """
        needs, looked = 0, 0
        while zone not in walked:
            walked.add(zone)
            looked += 1
            if looked % 1000 == 0:
                self.meter.checkpoint()
            needs |= self._enter(zone)
            zone = self.shortages.groups.above[zone]
        return needs

    def _enter(self, zone: int) -> int:
        """Return the items needed to get into a zone from the last one that every way leads through."""
        needs = 0
        way = [self.shortages.groups.above[zone], *self.detours.get(zone, [zone])]
        for step, (near, far) in enumerate(pairwise(way), start=1):
            doors = self.zones.doors.get((near, far), set())
            if not doors:
                where = "on along a detour" if zone in self.detours else "into a zone on the way"
                self.found.append(f"no door leads straight {where}")
                continue
            door = min(doors, key=self._preference) if len(doors) > 1 else next(iter(doors))
            needs |= door.needs
            self._meet(door, near, way[step:])
        return needs

    def _preference(self, door: Door) -> tuple[bool, bool, int, int, tuple[str, ...]]:
        """Put first what the certificate allows for, then what takes nothing, then what needs little."""
        unlisted = door.needs & ~self.listed_items != 0 or not self.stated.keys() >= set(door.gates)
        names = tuple(name for name, bit in self.zones.maze.ledger.items.items() if bit & door.needs)
        return len(door.gates) > 1, unlisted, len(door.gates), len(names), (*map(str, door.gates), *names)

    def _meet(self, door: Door, near: int, beyond: Sequence[int]) -> None:
        """Find the least in hand before a door that takes something, while no zone behind it is reached."""
        if len(door.gates) > 1:
            self.found.append(f"gates {', '.join(map(str, door.gates))} are met at once")
        for gate in door.gates:
            least = find_least(self.shortages, self.inside, gate, near, beyond)
            self.least[gate] = min(least, self.least.get(gate, inf))

    def _read_detours(self) -> None:
        for places in self.meter.each(self.body.detours, every=20):
            way: list[int] = []
            for place in places:
                zone = self.zones.zone_at(place)
                if zone is None:
                    self.found.append(f"a detour leads by {show_value(place)}, which is not in any zone")
                    break
                way += [zone] if way[-1:] != [zone] else []
            else:
                if not way or way[-1] in self.detours:
                    self.found.append("a detour is empty, or leads where another does")
                else:
                    self.detours[way[-1]] = way

    def _zone_of_pickup(self, name: str, number: int) -> int | str:
        maze = self.zones.maze
        pickups = maze.board.dungeon.pickups
        if not 0 <= number < len(pickups) or pickups[number].name != name:
            return f"pickup {show_value(number)} is not the item {show_value(name)}"
        zone = self.zones.zone_at(pickups[number].place)
        matters = name in maze.ledger.items if pickups[number].kind == "item" else number in maze.ledger.pickups
        if zone is None or not matters:
            return f"pickup {number}, {show_value(name)}, cannot be reached or does not matter"
        return zone

    def _names(self, items: int) -> str:
        names = (name for name, bit in self.zones.maze.ledger.items.items() if bit & items)
        shown = list(islice(names, MAX_VIOLATIONS_LISTED + 1))
        return ", ".join(shown[:MAX_VIOLATIONS_LISTED]) + ", and more" * (len(shown) > MAX_VIOLATIONS_LISTED)


def _faults_of_least(listed: Sequence[tuple[int, int]], least: dict[int, float]) -> Iterator[str]:
    if any(one[0] >= other[0] for one, other in pairwise(listed)):
        yield "least is not sorted, or lists a gate twice"
    numbers = {number for number, _ in listed}
    for number, stated in listed:
        if number not in least:
            yield f"gate {show_value(number)} is listed, but no way leads through it, or it takes nothing"
        elif stated > least[number]:
            yield f"gate {number}: least is {least[number]}, not {show_value(stated)}"
        elif stated < 1:
            yield f"gate {number}: there may be nothing left to open it with"
    for number in sorted(least):
        if number not in numbers:
            yield f"gate {number} is on the way, but not listed"
