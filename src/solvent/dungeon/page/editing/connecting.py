"""Join tiles by ways, and barriers with the switches that work them."""

from __future__ import annotations

from dataclasses import replace

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import FLOOR, Gate, Place
from solvent.dungeon.notation.text.lines import Line
from solvent.dungeon.notation.text.things import GATES, needs_of, parse_gate
from solvent.dungeon.page.editing.actions import Connect, Disconnect, SetWay
from solvent.dungeon.page.editing.sketch import Sketch, SketchGate, SketchWay, can_stand


def connect(sketch: Sketch, action: Connect) -> None:
    """Join a switch and a barrier, if the tiles have them; else lead a way from one tile to the other."""
    sketch.require([action.at, action.to])
    for one, other in ((action.at, action.to), (action.to, action.at)):
        gate = sketch.gate_at(other)
        switch = next((each.switch for each in sketch.switches if each.place == one), None)
        if gate is not None and gate.gate.kind == "barrier" and switch is not None:
            gate.gate = replace(gate.gate, needs=(switch.name,))
            sketch.notes.append(f"The switch {switch.name!r} works the barrier at {sketch.name(other)} now.")
            return
    gate_made = _gate(sketch, action.gate)
    join_tiles(sketch, action.at, action.to, action.kind, both=action.both, gate=gate_made)


def _gate(sketch: Sketch, words: str) -> SketchGate | None:
    """Read what bars a way; a gate of a name that is there already is that one."""
    if not words.strip():
        return None
    try:
        thing = parse_gate(Line(1, 1, words.strip()))
    except ParseError as error:
        raise BadOption(f"Expected {error.expected}, found {words.strip()!r}.") from None
    gate = Gate(GATES[thing.word], needs_of(thing), (), thing.open_at_first, thing.called, thing.rule)
    like = [each for each in sketch.gates if gate.name and replace(each.gate, cells=()) == gate]
    if not like:
        like = [SketchGate(gate, set())]
        sketch.gates.append(like[0])
    return like[0]


def join_tiles(
    sketch: Sketch, source: Place, target: Place, kind: str, *, both: bool, gate: SketchGate | None = None
) -> None:
    """Lead a way from one tile to another, and back if it goes both ways; floor is laid under its ends."""
    if source == target:
        raise BadOption("A way leads to another tile: choose two.")
    there = {(way.source, way.target) for way in sketch.ways if way.kind == kind}
    wanted = [(source, target), (target, source)][: 1 + both]
    new = [ends for ends in wanted if ends not in there]
    if not new:
        raise BadOption(f"There is a {kind} between these tiles already.")
    for place in (source, target):
        if not can_stand("way", sketch.terrain(place)):
            sketch.lay(place, FLOOR)
    sketch.ways += [SketchWay(one, other, kind, gate) for one, other in new]


def disconnect(sketch: Sketch, action: Disconnect) -> None:
    """Take away the ways of a tile, or those between two tiles."""
    ends = {action.at, action.to} if action.to is not None else None
    gone = [
        way
        for way in sketch.ways
        if (action.at in (way.source, way.target) if ends is None else {way.source, way.target} == ends)
    ]
    if not gone:
        raise BadOption("No way begins or ends there." if ends is None else "No way leads from one to the other.")
    sketch.remove_ways(gone)


def set_way(sketch: Sketch, action: SetWay) -> None:
    """Change the kind of a way, what bars it, and whether it leads back."""
    if action.number >= len(sketch.ways):
        raise BadOption("It is not there any more.")
    way = sketch.ways[action.number]
    backs = [
        each
        for each in sketch.ways
        if (each.source, each.target, each.kind) == (way.target, way.source, way.kind) and each is not way
    ]
    back = next((each for each in backs if each.gate is way.gate), backs[0] if backs else None)
    if back is not None:
        sketch.ways.remove(back)
    way.gate = None
    sketch.drop_empty_gates()
    way.kind, way.gate = action.kind, _gate(sketch, action.gate)
    if action.both:
        sketch.ways.append(SketchWay(way.target, way.source, way.kind, way.gate))
