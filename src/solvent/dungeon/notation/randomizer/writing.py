"""Dungeons of places as logic files: regions with exits, locations and items, and the spheres that follow from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import FLOOR, Dungeon, Gate, Have, Pickup, Requirement, Way
from solvent.dungeon.notation.randomizer.building import plain_needs
from solvent.dungeon.notation.randomizer.reading import parse_logic
from solvent.dungeon.notation.randomizer.rules import is_word_of_rules
from solvent.dungeon.notation.randomizer.shapes import FORMAT, VERSION
from solvent.dungeon.notation.randomizer.spheres import Taking, can_be_compared, find_spheres, requirement_of
from solvent.dungeon.notation.requirements import atoms_of, format_requirement
from solvent.dungeon.notation.ruling import format_rules
from solvent.formats.json_layout import lay_out_json


def format_logic(dungeon: Dungeon) -> str:
    """Write a dungeon of one tile a place; raises BadOption for what a logic file cannot say.

    Places that hang off another, as locations do, are written as its locations. Where that would not give the same
    dungeon again, as the order of gates is another, all places are regions.
    """
    _require_what_logic_says(dungeon)
    for nested in (True, False):
        text = lay_out_json(_Writer(dungeon, nested=nested).file()) + "\n"
        try:
            if parse_logic(text) == dungeon:
                return text
        except ParseError as error:
            if not nested:
                raise BadOption(f"a logic file cannot hold this dungeon: {error}") from None
    raise BadOption("a logic file cannot hold this dungeon: its ways share gates as no entrances do")


def _require_what_logic_says(dungeon: Dungeon) -> None:
    kinds = {gate.kind for gate in dungeon.gates}
    wrong = {
        "maps of more than one tile of floor": any(floor.terrain != (FLOOR,) for floor in dungeon.floors),
        "switches": bool(dungeon.switches),
        "blocks": bool(dungeon.blocks),
        "rooms": bool(dungeon.rooms),
        "closed places": bool(dungeon.closed),
        "gates on tiles": any(gate.cells for gate in dungeon.gates),
        "gates other than locks and those that need items": not kinds <= {"lock", "item", "rule"},
        "bombs and monsters": any(pickup.kind not in ("key", "item") for pickup in dungeon.pickups),
        "goals at the start": dungeon.start in dungeon.goals,
    }
    for what, found in wrong.items():
        if found:
            raise BadOption(f"a logic file cannot hold {what}")


class _Writer:
    """Write one dungeon; `nested`, with its locations and the goal as such."""

    def __init__(self, dungeon: Dungeon, *, nested: bool) -> None:
        self.dungeon = dungeon
        self.nested = nested
        self.names = [floor.name for floor in dungeon.floors]
        self.pickups: dict[int, list[Pickup]] = defaultdict(list)
        for pickup in dungeon.pickups:
            self.pickups[pickup.place[0]].append(pickup)
        self.ways_from: dict[int, list[Way]] = defaultdict(list)
        self.ways_to: dict[int, list[Way]] = defaultdict(list)
        for way in dungeon.ways:
            self.ways_from[way.source[0]].append(way)
            self.ways_to[way.target[0]].append(way)
        self.goal = self._goal_place() if nested else None
        self.region_of = self._locations() if nested else {}
        """The region of each place that is a location."""

    def file(self) -> dict[str, Any]:
        dungeon = self.dungeon
        rules = {name: text for name, text in format_rules(dungeon.rules).items() if name not in ("items", "keys")}
        written: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "title": dungeon.title,
            "start": self.names[dungeon.start[0]],
            "start_inventory": self._inventory(),
            "keys": self._spare_keys(),
            "rules": {**rules, "home": dungeon.rules.home},
            "regions": self._regions(),
            "entrances": [] if self.nested else self._entrances(self._inner_ways()),
            **self._winning(),
            "moves": list(dungeon.played),
        }
        if self.nested and can_be_compared(dungeon):
            written["playthrough"] = self._playthrough()
        kept = ("format", "version", "start", "regions", "goal")
        return {key: value for key, value in written.items() if key in kept or value}

    # which place is what

    def _goal_place(self) -> int | None:
        """Return the place of the goal, if it is one of its own: the last, where nothing lies and no way leads on."""
        last = len(self.names) - 1
        if self.dungeon.goals != ((last, 0, 0),) or self.dungeon.goal_rule is not None:
            return None
        ways = self.ways_to[last]
        sources = {way.source for way in ways}
        is_one = len({way.gate for way in ways}) == 1 and all(way.kind == "door" for way in ways)
        if self.pickups[last] or self.ways_from[last] or not is_one or len(sources) != len(ways):
            return None
        anywhere = self.dungeon.rules.home != "always" and len(ways) > 1
        return last if len(ways) == 1 or anywhere else None

    def _locations(self) -> dict[int, int]:
        """Return the region of each place that is a location: it follows its region, and only that leads there."""
        found: dict[int, int] = {}
        region = 0
        for place in range(len(self.names)):
            into = self.ways_to[place]
            out = [way for way in self.ways_from[place] if way.target[0] != self.goal]
            is_end = place not in (self.dungeon.start[0], *(goal[0] for goal in self.dungeon.goals))
            if (
                is_end
                and place > 0
                and [way.source[0] for way in into] == [region]
                and [(way.target[0], way.gate) for way in out] == [(region, None)]
                and into[0].kind == out[0].kind == "door"
            ):
                found[place] = region
            else:
                region = place
        return found

    def _inner_ways(self) -> list[Way]:
        """Return the ways between regions."""
        apart = {*self.region_of} | ({self.goal} if self.goal is not None else set())
        return [way for way in self.dungeon.ways if way.source[0] not in apart and way.target[0] not in apart]

    # regions, entrances and locations

    def _regions(self) -> dict[str, Any]:
        exits: dict[str, list[dict[str, Any]]] = defaultdict(list)
        if self.nested:
            for entrance in self._entrances(self._inner_ways()):
                exits[entrance.pop("from")].append(entrance)
        inside: dict[int, dict[str, Any]] = defaultdict(dict)
        for place, region in self.region_of.items():
            inside[region][self.names[place]] = self._location(place)
        written = {}
        for place, name in enumerate(self.names):
            if place not in self.region_of and place != self.goal:
                region_fields = {
                    "items": self._items(place),
                    "exits": exits[name],
                    "locations": inside[place],
                }
                written[name] = {key: value for key, value in region_fields.items() if value}
        return written

    def _entrances(self, ways: Sequence[Way]) -> list[dict[str, Any]]:
        """Write ways in the order of their gates, which are numbered as they appear; two as one that share a gate."""
        written: list[dict[str, Any]] = []
        done: set[int] = set()
        order = sorted(range(len(ways)), key=lambda at: (ways[at].gate is None, ways[at].gate or 0, at))
        back = {(way.target, way.source, way.kind, way.gate): at for at, way in enumerate(ways)}
        for at in order:
            if at in done:
                continue
            way = ways[at]
            entrance: dict[str, Any] = {"from": self.names[way.source[0]], "to": self.names[way.target[0]]}
            if way.gate is not None:
                entrance |= self._barrier(self.dungeon.gates[way.gate])
                other = back.get((way.source, way.target, way.kind, way.gate))
                if other is not None and other not in done:
                    entrance["two_way"] = True
                    done.add(other)
            if way.kind != "door":
                entrance["kind"] = way.kind
            done.add(at)
            written.append(entrance)
        return written

    def _location(self, place: int) -> dict[str, Any]:
        items = self._items(place)
        written: dict[str, Any] = {}
        if len(items) == 1 and isinstance(items[0], str):
            written["item"] = items[0]
        elif items:
            written["items"] = items
        gate = self.ways_to[place][0].gate
        return written if gate is None else written | self._barrier(self.dungeon.gates[gate])

    def _items(self, place: int) -> list[Any]:
        return [self._item(pickup) for pickup in self.pickups[place]]

    def _item(self, pickup: Pickup) -> str | dict[str, Any]:
        name = _key_name(pickup.name) if pickup.kind == "key" else pickup.name
        if pickup.count == 1 and pickup.rule is None and not pickup.renews:
            return name
        written: dict[str, Any] = {"item": name, "count": pickup.count}
        if pickup.rule is not None:
            written["rule"] = _rule(pickup.rule)
        return written | ({"renews": True} if pickup.renews else {})

    def _barrier(self, gate: Gate) -> dict[str, Any]:
        named = {"name": gate.name} if gate.name else {}
        if gate.kind == "lock":
            return {**named, "consumes": _key_name(gate.needs[0])}
        rule = requirement_of(gate)
        assert rule is not None, "gates of other kinds were refused"
        as_rule = {"gate": "rule"} if gate.kind == "rule" and plain_needs(rule) else {}
        return {**named, "rule": _rule(rule), **as_rule}

    # the rest

    def _inventory(self) -> dict[str, int]:
        carried = {_key_name(colour): count for colour, count in self.dungeon.rules.keys}
        return carried | dict.fromkeys(self.dungeon.rules.items, 1)

    def _spare_keys(self) -> list[str]:
        """Return the keys that no lock takes, so that nothing else says that they are keys."""
        rules = [gate.rule for gate in self.dungeon.gates] + [pickup.rule for pickup in self.dungeon.pickups]
        rules.append(self.dungeon.goal_rule)
        asked = (atom for rule in rules for atom in atoms_of(rule))
        colours = {atom.name for atom in asked if isinstance(atom, Have) and atom.what == "key"}
        colours |= {pickup.name for pickup in self.dungeon.pickups if pickup.kind == "key"}
        colours |= {colour for colour, _ in self.dungeon.rules.keys}
        colours -= {gate.needs[0] for gate in self.dungeon.gates if gate.kind == "lock"}
        return [_key_name(colour) for colour in sorted(colours)]

    def _winning(self) -> dict[str, Any]:
        if self.goal is None:
            rule = self.dungeon.goal_rule
            goals = {"goals": [self.names[goal[0]] for goal in self.dungeon.goals]}
            return goals if rule is None else {**goals, "goal_rule": _rule(rule)}
        ways = self.ways_to[self.goal]
        source = ways[0].source[0]
        written: dict[str, Any] = {}
        if len(ways) == 1 and (source != self.dungeon.start[0] or self.dungeon.rules.home != "always"):
            written["location" if source in self.region_of else "region"] = self.names[source]
        if ways[0].gate is not None:
            written |= self._barrier(self.dungeon.gates[ways[0].gate])
        written.pop("gate", None)
        return {"goal": {**written, "name": self.names[self.goal]}}

    def _playthrough(self) -> list[dict[str, str]]:
        """Write the spheres of the places where something lies."""
        taking = Taking(frozenset((place, 0, 0) for place in self.region_of if self.pickups[place]))
        spheres = find_spheres(self.dungeon, taking)
        earliest = find_spheres(self.dungeon, taking, earliest=True)
        if not spheres.is_bound or spheres.of != earliest.of:
            return []
        written: list[dict[str, str]] = [{} for _ in range(max(spheres.of.values(), default=0))]
        for place, sphere in sorted(spheres.of.items()):
            first = self.pickups[place[0]][0]
            written[sphere - 1][self.names[place[0]]] = _key_name(first.name) if first.kind == "key" else first.name
        return written


def _rule(rule: Requirement) -> str:
    """Write a rule as text; in parentheses if it would be taken for the name of a kind of rule."""
    if not all(isinstance(atom, Have) and atom.what in ("item", "key") for atom in atoms_of(rule)):
        raise BadOption("a logic file cannot hold rules about bombs, switches or monsters")
    text = format_requirement(rule)
    return f"({text})" if is_word_of_rules(text) else text


def _key_name(colour: str) -> str:
    """Return the name of an item that is a key of this colour."""
    return f"{colour} Key" if colour else "Key"
