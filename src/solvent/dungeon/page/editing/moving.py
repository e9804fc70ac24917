"""Carry and copy what stands on tiles, one tile or a rectangle of them."""

from __future__ import annotations

from dataclasses import replace

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import FLOOR, Place
from solvent.dungeon.page.editing.actions import Move, Paste
from solvent.dungeon.page.editing.sketch import Sketch, SketchGate, SketchSwitch, SketchWay, can_stand


def move(sketch: Sketch, action: Move) -> None:
    """Carry all that stands on a tile to another; what stood there goes."""
    sketch.require([action.at, action.to])
    if action.at == action.to:
        raise BadOption("Choose another tile to move it to.")
    kinds = set(_kinds_at(sketch, action.at))
    if not kinds:
        raise BadOption("There is nothing to move on that tile.")
    _make_room(sketch, {action.to}, {action.at})
    if not all(can_stand(kind, sketch.terrain(action.to)) for kind in kinds):
        sketch.lay(action.to, FLOOR)
    carry(sketch, {action.at: action.to})


def _kinds_at(sketch: Sketch, place: Place) -> list[str]:
    kinds = ["start"] * (sketch.start == place) + ["goal"] * (place in sketch.goals)
    kinds += ["pickup" for pickup in sketch.pickups if pickup.place == place]
    kinds += ["gate" for gate in sketch.gates if place in gate.cells]
    kinds += ["lever" if each.switch.kind == "lever" else "switch" for each in sketch.switches if each.place == place]
    kinds += ["block" for block in sketch.blocks if block == place]
    return kinds + ["way" for way in sketch.ways if place in (way.source, way.target)]


def _make_room(sketch: Sketch, targets: set[Place], moving: set[Place]) -> None:
    """Take away what stands where something is carried to, unless it is carried itself."""
    covered = targets - moving
    if sketch.start in covered:
        raise BadOption("The start is there: put it elsewhere first.")
    if covered.issuperset(sketch.goals):
        raise BadOption("The last goal is there: put another one first.")
    sketch.take_away(covered)


def carry(sketch: Sketch, to: dict[Place, Place]) -> None:
    """Give everything on some tiles other places. Levers keep how they are worked."""
    sketch.start = to.get(sketch.start, sketch.start)
    sketch.goals = list(dict.fromkeys(to.get(goal, goal) for goal in sketch.goals))
    sketch.pickups = [replace(pickup, place=to.get(pickup.place, pickup.place)) for pickup in sketch.pickups]
    for gate in sketch.gates:
        gate.cells = {to.get(cell, cell) for cell in gate.cells}
    for each in sketch.switches:
        reach = tuple(to.get(place, place) for place in each.switch.reach)
        each.switch = replace(each.switch, place=to.get(each.place, each.place), reach=reach)
    sketch.blocks = [to.get(block, block) for block in sketch.blocks]
    for way in sketch.ways:
        way.source, way.target = to.get(way.source, way.source), to.get(way.target, way.target)
    itself = [way for way in sketch.ways if way.source == way.target]
    if itself:
        sketch.remove_ways(itself)


def paste(sketch: Sketch, action: Paste) -> None:
    """Copy a rectangle to where its corner then is, or carry it there; what reaches beyond the map is left out."""
    origin = _origin(sketch, action)
    places = origin.rectangle(action.corner, action.height, action.width)
    sketch.require([action.to])
    floor, row, column = action.to
    rows = sketch.floors[floor].rows
    to = {
        (f, r, c): (floor, row + r - action.corner[1], column + c - action.corner[2])
        for f, r, c in places
        if row + r - action.corner[1] < len(rows) and column + c - action.corner[2] < len(rows[0])
    }
    if len(to) < len(places) and action.cut:
        raise BadOption("It does not fit there: it would reach beyond the edge of the map.")
    if len(to) < len(places):
        sketch.notes.append("What reached beyond the edge of the map was left out.")
    terrain = {to[place]: origin.terrain(place) for place in to}
    if action.cut and origin is sketch:
        _make_room(sketch, set(to.values()), set(to))
        for place in to:
            sketch.lay(place, FLOOR)
        for place, letter in terrain.items():
            sketch.lay(place, letter)
        carry(sketch, to)
        return
    _make_room(sketch, set(to.values()), set())
    for place, letter in terrain.items():
        sketch.lay(place, letter)
    _copy(origin, sketch, to)


def _origin(sketch: Sketch, action: Paste) -> Sketch:
    if not action.text:  # a copy is read from what stood there before anything was pasted over it
        return sketch if action.cut else Sketch(sketch.dungeon)
    if action.cut:
        raise BadOption("Only what is in this dungeon can be carried: paste a copy instead.")
    try:
        return Sketch(FORMATS.parse(action.text))
    except ParseError as error:
        raise BadOption(f"What was copied cannot be read: {error}") from None


def _copy(origin: Sketch, sketch: Sketch, to: dict[Place, Place]) -> None:
    """Copy things, and ways with both ends among the tiles. The start is not copied, nor are names of rooms."""
    sketch.goals += [to[goal] for goal in list(origin.goals) if goal in to and to[goal] != sketch.start]
    sketch.goals = list(dict.fromkeys(sketch.goals))
    sketch.pickups += [replace(each, place=to[each.place]) for each in list(origin.pickups) if each.place in to]
    sketch.blocks += [to[block] for block in list(origin.blocks) if block in to]
    for each in list(origin.switches):
        if each.place in to:
            reach = tuple(to[place] for place in each.switch.reach if place in to)
            worked = each.worked or (None if reach else "beside")
            sketch.switches.append(SketchSwitch(replace(each.switch, place=to[each.place], reach=reach), worked))
    copied: dict[int, SketchGate] = {}
    ways = [way for way in origin.ways if way.source in to and way.target in to]
    barring = {id(way.gate) for way in ways}
    for gate in list(origin.gates):
        cells = {to[cell] for cell in gate.cells if cell in to}
        if cells or id(gate) in barring:
            copied[id(gate)] = SketchGate(gate.gate, cells)
    sketch.gates += copied.values()
    sketch.ways += [
        SketchWay(to[way.source], to[way.target], way.kind, None if way.gate is None else copied[id(way.gate)])
        for way in ways
    ]
    known = {dial.switch for dial in sketch.dials} | {each.switch.name for each in sketch.switches}
    sketch.dials += [dial for dial in origin.dials if origin is not sketch and dial.switch not in known]
