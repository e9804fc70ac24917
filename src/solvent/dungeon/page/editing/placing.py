"""Put things on tiles and take them away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import FLOOR, Gate, Pickup, Place, Switch
from solvent.dungeon.notation.text.lines import Line
from solvent.dungeon.notation.text.things import (
    GATES,
    PAIRS,
    PICKUPS,
    SIGHT,
    SWITCHES,
    TERRAIN,
    Thing,
    needs_of,
    parse_thing,
)
from solvent.dungeon.page.editing.actions import Erase, Put
from solvent.dungeon.page.editing.connecting import join_tiles
from solvent.dungeon.page.editing.painting import keep_ends, lay_terrain
from solvent.dungeon.page.editing.sketch import BESIDE, Sketch, SketchGate, SketchSwitch, can_stand
from solvent.dungeon.rooms import pieces

_LYING = ("key", "bombs", "item")


def read_thing(words: str) -> Thing:
    """Read something in the words of the text format, or say what is wrong with them."""
    try:
        return parse_thing(Line(1, 1, words.strip()))
    except ParseError as error:
        raise BadOption(f"Expected {error.expected}, found {words.strip()!r}.") from None


def gate_of(thing: Thing) -> Gate:
    """Return a gate of the model, with no cells yet."""
    return Gate(GATES[thing.word], needs_of(thing), (), thing.open_at_first, thing.called, thing.rule)


def put(sketch: Sketch, action: Put) -> None:
    """Put something on tiles."""
    sketch.require(action.at)
    places = list(dict.fromkeys(action.at))
    thing = read_thing(action.thing)
    word = thing.word
    if word in TERRAIN:
        lay_terrain(sketch, set(places), TERRAIN[word])
    elif word == "start":
        _put_start(sketch, places[-1])
    elif word == "goal":
        _put_goals(sketch, places)
    elif word == "block":
        for place in _ready(sketch, places, "block"):
            sketch.take_away({place}, what=frozenset(("pickup", "gate", "switch", "block")))
            sketch.blocks.append(place)
    elif word in PICKUPS:
        _put_pickups(sketch, places, thing, add=action.add)
    elif word in SWITCHES:
        _put_switches(sketch, places, thing, add=action.add)
    elif word in GATES:
        _put_gate(sketch, places, gate_of(thing))
    elif word in PAIRS:
        if len(places) != 2:
            raise BadOption(f"A {word} needs two ends: choose the tile it leads from, then the one it leads to.")
        join_tiles(sketch, places[0], places[1], word, both=True)


def _ready(sketch: Sketch, places: list[Place], kind: str) -> list[Place]:
    """Lay floor where something of a kind could not stand; return the tiles without those that are not free for it."""
    ends = {sketch.start, *sketch.goals} if kind in ("block", "gate") else set()
    free = [place for place in places if place not in ends]
    if not free:
        raise BadOption(f"The start or a goal is there: a {kind} cannot be on the same tile.")
    for place in free:
        if not can_stand(kind, sketch.terrain(place)):
            sketch.lay(place, FLOOR)
    if kind != "block":
        sketch.take_away(set(free), what=frozenset(("block",)))
    return free


def _put_start(sketch: Sketch, place: Place) -> None:
    if place in sketch.goals:
        raise BadOption("A goal is there: the start cannot be on the same tile.")
    _ready(sketch, [place], "start")
    sketch.take_away({place}, what=frozenset(("gate",)))
    sketch.start = place


def _put_goals(sketch: Sketch, places: list[Place]) -> None:
    if sketch.start in places and len(places) == 1:
        raise BadOption("The start is there: a goal cannot be on the same tile.")
    chosen = [place for place in places if place != sketch.start]
    _ready(sketch, chosen, "goal")
    sketch.take_away(set(chosen), what=frozenset(("gate",)))
    sketch.goals += [place for place in chosen if place not in sketch.goals]


def _put_pickups(sketch: Sketch, places: list[Place], thing: Thing, *, add: bool) -> None:
    for place in _ready(sketch, places, "pickup"):
        if not add:
            alike = ("monster",) if thing.word == "monster" else _LYING
            sketch.pickups = [each for each in sketch.pickups if each.place != place or each.kind not in alike]
        sketch.pickups.append(pickup_of(thing, place))


def pickup_of(thing: Thing, place: Place) -> Pickup:
    """Return a pickup of the model."""
    return Pickup(place, thing.word, "".join(thing.names), thing.count, thing.rule, thing.renews)


def _put_switches(sketch: Sketch, places: list[Place], thing: Thing, *, add: bool) -> None:
    kind = SWITCHES[thing.word]
    if kind == "held" or any(each.switch.kind == "held" for each in sketch.switches if each.switch.name in thing.names):
        others = [
            each
            for each in sketch.switches
            if each.switch.name in thing.names
            and (each.switch.kind == "held") != (kind == "held")
            and (add or each.place not in places)
        ]
        if others:
            raise BadOption(
                f"The switch {thing.names[0]!r} has a plate at {sketch.name(others[0].place)} of another kind: all "
                "plates of a switch are to be held, or none. Choose another name."
            )
    for place in _ready(sketch, places, "lever" if kind == "lever" else "switch"):
        sketch.switches = [
            each
            for each in sketch.switches
            if each.place != place or (add and (each.switch.name, each.switch.kind) != (thing.names[0], kind))
        ]
        sketch.switches.append(switch_of(sketch, thing, place))


def switch_of(sketch: Sketch, thing: Thing, place: Place) -> SketchSwitch:
    """Return a plate or a lever."""
    switch = Switch(place, thing.names[0], SWITCHES[thing.word], thing.sets, (), thing.rule)
    if switch.kind != "lever":
        return SketchSwitch(switch)
    if not thing.reach:
        return SketchSwitch(switch, BESIDE)
    if thing.reach == (SIGHT,):
        return SketchSwitch(switch, SIGHT)
    return SketchSwitch(replace(switch, reach=tuple(_read_place(sketch, text, place[0]) for text in thing.reach)))


def _read_place(sketch: Sketch, text: str, floor: int) -> Place:
    name, _, at = text.strip().rpartition(" ")
    row, comma, column = at.partition(",")
    named = [number for number, storey in enumerate(sketch.floors) if name and storey.name == name]
    if not comma or not row.isdecimal() or not column.isdecimal() or (name and not named):
        raise BadOption(f"Expected tiles such as 3,4; 3,5 for a lever to be worked from, found {text!r}.")
    place = (named[0] if named else floor, int(row[:7]), int(column[:7]))
    sketch.require([place])
    return place


def _put_gate(sketch: Sketch, places: list[Place], gate: Gate) -> None:
    """Make one gate of the tiles that touch, and of a like gate beside them; one of a name joins all of that name."""
    free = _ready(sketch, places, "gate")
    sketch.take_away(set(free), what=frozenset(("gate",)))
    for piece in pieces(sorted(free)):
        cells = set(piece)
        around = {(f, r + down, c + right) for f, r, c in cells for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        like = [
            each
            for each in sketch.gates
            if replace(each.gate, cells=()) == gate and (gate.name or (each.cells & around))
        ]
        if like:
            like[0].cells |= cells
        else:
            sketch.gates.append(SketchGate(gate, cells))


def erase(sketch: Sketch, action: Erase) -> None:
    """Take things off tiles, or one thing."""
    if action.what:
        _erase_one(sketch, action.what, action.number)
        return
    sketch.require(action.at)
    places = set(action.at)
    kept = keep_ends(sketch, places, always=False)
    goals = [goal for goal in sketch.goals if goal in kept]
    sketch.take_away(places)
    sketch.goals += goals
    sketch.removed.kinds["goal"] -= len(goals)
    sketch.removed.kinds = +sketch.removed.kinds
    if sketch.start in places and not sketch.removed.kinds:
        raise BadOption("The start cannot be erased: put it elsewhere.")
    if not sketch.removed.kinds:
        raise BadOption("The last goal stays: put another one first." if goals else "There is nothing to erase there.")


def _erase_one(sketch: Sketch, what: str, number: int) -> None:
    lists: dict[str, list[Any]] = {
        "pickup": sketch.pickups,
        "gate": sketch.gates,
        "switch": sketch.switches,
        "block": sketch.blocks,
        "goal": sketch.goals,
        "way": sketch.ways,
    }
    things = lists[what]
    if number >= len(things):
        raise BadOption("It is not there any more.")
    if what == "way":
        sketch.remove_ways([sketch.ways[number]])
    elif what == "goal" and len(sketch.goals) == 1:
        raise BadOption("The last goal stays: put another one first.")
    elif what == "gate":
        gone = sketch.gates[number]
        for way in sketch.ways:
            way.gate = None if way.gate is gone else way.gate
        gone.cells.clear()
    else:
        del things[number]
