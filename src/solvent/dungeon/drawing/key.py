"""Say what a drawing shows: the lines above it, the list of events and signs beside it, a description in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from solvent.core.paint import as_hex
from solvent.dungeon.drawing.colours import DANGER, GROUND, PLAN, REACH, SEA, STONE
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.paper import Entry, badge
from solvent.dungeon.drawing.signs import captions_for, count, names_in
from solvent.dungeon.drawing.things import (
    draw_block,
    draw_bomb,
    draw_cross,
    draw_end,
    draw_gate,
    draw_goal,
    draw_item,
    draw_key,
    draw_monster,
    draw_one_way,
    draw_plate,
    draw_player,
    draw_start,
)
from solvent.dungeon.drawing.walk import no_return_bars, walk_paint
from solvent.dungeon.events import name_gate, name_pickup
from solvent.dungeon.model import ONE_WAYS, WATER, Dungeon, Gate

MAX_EVENTS = 60
"""In the list beside a walk; the others are counted."""
_SOFT = {
    "open": "shutter (always open)",
    "clear": "shutter: no way out while monsters are there",
    "shut": "shutter: falls shut behind you",
}


def panel_for(dungeon: Dungeon, overlay: Overlay, *, on_map: bool = True) -> list[Entry]:
    """Return the lines beside a drawing: what happens in its walk, and what its signs mean."""
    entries: list[Entry] = []
    walk = overlay.walk
    if walk is not None and walk.events:
        paint = walk_paint(overlay.lost)
        entries.append(Entry("What happens"))
        entries += [Entry(event.words, badge(str(event.number), paint, size=1.3)) for event in walk.events[:MAX_EVENTS]]
        if len(walk.events) > MAX_EVENTS:
            entries.append(Entry(f"… and {len(walk.events) - MAX_EVENTS} more", " "))
    signs = [*_signs_of_overlay(dungeon, overlay), *_signs(dungeon, on_map=on_map)]
    if entries:
        entries.append(Entry("Signs"))
    return entries + signs


def describe(dungeon: Dungeon, overlay: Overlay) -> str:
    """Say in words what a drawing shows, for those who cannot see it."""
    rooms = f"{count(len(dungeon.rooms), 'room')}, " if dungeon.rooms else ""
    said = [f"A dungeon with {count(len(dungeon.floors), 'floor')}, {rooms}{count(len(dungeon.gates), 'gate')}."]
    counts = Counter(name_pickup(pickup, dungeon.rules.bombs_per_pickup) for pickup in dungeon.pickups)
    if counts:
        said.append("Pickups: " + ", ".join(f"{words} ({count})" for words, count in sorted(counts.items())) + ".")
    gates = Counter(name_gate(gate) for gate in dungeon.gates)
    if gates:
        said.append("Gates: " + ", ".join(f"{words} ({count})" for words, count in sorted(gates.items())) + ".")
    said.extend(captions_for(dungeon, overlay))
    if overlay.walk is not None:
        said.append(f"Moves: {' '.join(overlay.walk.moves)}.")
        said.extend(f"{event.number}: {event.words}." for event in overlay.walk.events)
    return " ".join(said)


def _signs_of_overlay(dungeon: Dungeon, overlay: Overlay) -> Iterator[Entry]:
    if dungeon.played:
        yield Entry(f"the player, after {count(len(dungeon.played), 'move')}", draw_player())
    if overlay.lost and overlay.walk is not None:
        if overlay.walk.moves:
            yield Entry("the step that cannot be made good", no_return_bars())
        yield Entry("stuck", draw_cross())
    if overlay.reach:
        yield Entry("what can still be reached" if overlay.walk else "what can be reached", _patch(as_hex(REACH)))
    if overlay.shut:
        rim = f'<rect x="-13" y="-13" width="26" height="26" rx="6" fill="none" stroke="{as_hex(DANGER)}" '
        yield Entry("what stands in the way", rim + 'stroke-width="3.5"/>')
    if overlay.danger:
        look = f'stroke="{as_hex(DANGER)}" stroke-width="3" stroke-dasharray="6 4"'
        yield Entry("beware", f'<rect x="-13" y="-13" width="26" height="26" rx="5" fill="#F6DFD6" {look}/>')
    if overlay.target is not None:
        look = f'fill="none" stroke="{as_hex(PLAN)}" stroke-width="4"'
        yield Entry("go here", f'<circle r="12" {look}/>')


def _signs(dungeon: Dungeon, *, on_map: bool) -> Iterator[Entry]:
    names = names_in(dungeon)
    if not dungeon.played:
        yield Entry("start", draw_start())
    yield Entry("goal", draw_goal())
    letters = {letter for floor in dungeon.floors for line in floor.terrain for letter in line}
    pickups = {(pickup.kind, pickup.name) for pickup in dungeon.pickups}
    for colour in sorted(name for kind, name in pickups if kind == "key"):
        yield Entry(f"{colour} key".strip(), draw_key(names.key_paints[colour], names.key_letters[colour]))
    if ("bombs", "") in pickups:
        yield Entry("bombs", draw_bomb())
    for item in sorted(name for kind, name in pickups if kind == "item"):
        yield Entry(item, draw_item(names.item_letters[item]))
    if ("monster", "") in pickups:
        yield Entry("monster", draw_monster())
    gates: dict[tuple[str, tuple[str, ...]], Gate] = {}
    for gate in dungeon.gates:
        gates.setdefault((gate.kind, () if gate.kind == "soft" else gate.needs), gate)
    for key in sorted(gates):
        yield Entry(_gate_words(gates[key], dungeon), draw_gate(gates[key], names, 30, 30, opened=False))
    for name in sorted({switch.name for switch in dungeon.switches}):
        yield Entry(f"switch {name}", draw_plate(names.switch_letters[name], on=False))
    if dungeon.blocks:
        pushed = "can be pushed once" if dungeon.rules.push == "once" else "stands fast"
        yield Entry(f"block ({pushed})", draw_block())
    kinds = {way.kind for way in dungeon.ways}
    for kind in ("stairs", "warp"):
        if kind in kinds:
            yield Entry(kind, draw_end(kind))
    if letters & {*ONE_WAYS}:
        yield Entry("one way only", _patch(as_hex(GROUND)) + draw_one_way("E"))
    if WATER in letters:
        yield Entry(f"water (cross it with the {dungeon.rules.water})", _patch(as_hex(SEA)))
    if on_map and "passage" in kinds:
        look = f'stroke="{as_hex(STONE)}" stroke-width="3" stroke-dasharray="5 4"'
        yield Entry("a wall one can walk through", f'<path d="M-13 -8H13M-13 8H13" {look}/>')


def _gate_words(gate: Gate, dungeon: Dungeon) -> str:
    rules, needs = dungeon.rules, ", ".join(gate.needs)
    if gate.kind == "lock":
        return f"{needs} lock: takes a {needs} key" if needs else "lock: takes a key"
    if gate.kind == "cracked":
        return "cracked wall: takes a bomb" if rules.bombs is not None else "cracked wall (bombs without end)"
    if gate.kind == "item":
        return f"gate: needs {needs}"
    if gate.kind == "barrier":
        return f"barrier of switch {needs}"
    return _SOFT[rules.soft]


def _patch(colour: str) -> str:
    return f'<rect x="-13" y="-13" width="26" height="26" rx="3" fill="{colour}" stroke="#8A8A86"/>'
