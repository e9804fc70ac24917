"""Say what a drawing shows: the lines above it, the list of events and signs beside it, a description in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from solvent.drawing.legend import Entry
from solvent.drawing.markup import Markup
from solvent.drawing.palette import INK, Paint
from solvent.drawing.paper import Lettering
from solvent.drawing.phrases import counted, with_article
from solvent.drawing.shapes import badge, circle, path, rect
from solvent.dungeon.drawing.colours import DANGER, GROUND, PLAN, REACH, SEA, STONE, sphere_tint
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import captions_for, names_in
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
    letters,
)
from solvent.dungeon.drawing.walk import no_return_bars, walk_paint
from solvent.dungeon.events import name_gate, name_pickup, name_switch
from solvent.dungeon.model import ONE_WAYS, WATER, Dungeon, Gate

MAX_SPHERES = 20
"""In the list of spheres; the others are counted."""
MAX_EVENTS = 60
"""In the list beside a walk; the others are counted."""
_SOFT = {
    "open": "shutter (always open)",
    "clear": "shutter: no way out while monsters are there",
    "shut": "shutter: falls shut behind you",
}


def lettering_for(
    dungeon: Dungeon,
    overlay: Overlay,
    *,
    on_map: bool = True,
    numbers: Sequence[int] | None = None,
    more: Sequence[Entry] = (),
) -> Lettering:
    """Return all that is written around a drawing.

    `numbers` gives for each number of moves made the number that the drawing shows for it; without, events have the
    numbers they have along the walk. `more` stands at the end of the legend.
    """
    return Lettering(
        name="Dungeon",
        title=dungeon.title,
        captions=captions_for(dungeon, overlay),
        description=describe(dungeon, overlay),
        legend=[
            *_events(overlay, numbers),
            *_signs_of_overlay(dungeon, overlay),
            *_signs(dungeon, on_map=on_map),
            *more,
        ],
    )


def _events(overlay: Overlay, numbers: Sequence[int] | None) -> Iterator[Entry]:
    """Yield what happens in a walk, and the heading of what follows."""
    walk = overlay.walk
    if walk is None or not walk.events:
        return
    yield Entry("What happens")
    for event in walk.events[:MAX_EVENTS]:
        number = event.number if numbers is None else numbers[event.move]
        yield Entry(event.words, badge(str(number), walk_paint(overlay.lost), size=1.3))
    if len(walk.events) > MAX_EVENTS:
        yield Entry(f"… and {len(walk.events) - MAX_EVENTS} more", " ")
    yield Entry("Signs")


def describe(dungeon: Dungeon, overlay: Overlay) -> str:
    """Describe what a drawing shows, for those who cannot see it."""
    rooms = f"{counted(len(dungeon.rooms), 'room')}, " if dungeon.rooms else ""
    floors, gates = counted(len(dungeon.floors), "floor"), counted(len(dungeon.gates), "gate")
    sentences = [f"A dungeon with {floors}, {rooms}{gates}."]
    for heading, names in (
        ("Pickups", Counter(name_pickup(pickup, dungeon.rules.bombs_per_pickup) for pickup in dungeon.pickups)),
        ("Gates", Counter(name_gate(gate) for gate in dungeon.gates)),
    ):
        if names:
            sentences.append(f"{heading}: {', '.join(f'{name} ({count})' for name, count in sorted(names.items()))}.")
    sentences.extend(captions_for(dungeon, overlay))
    if overlay.walk is not None:
        sentences.append(f"Moves: {' '.join(overlay.walk.moves)}.")
        sentences.extend(f"{event.number}: {event.words}." for event in overlay.walk.events)
    return " ".join(sentences)


def _signs_of_overlay(dungeon: Dungeon, overlay: Overlay) -> Iterator[Entry]:
    if dungeon.played:
        yield Entry(f"the player, after {counted(len(dungeon.played), 'move')}", draw_player())
    if overlay.lost and overlay.walk is not None:
        if overlay.walk.moves:
            yield Entry("the fatal move", no_return_bars())
        yield Entry("stuck", draw_cross())
    for number, sphere in enumerate(overlay.spheres[:MAX_SPHERES]):
        text = f"sphere {number}: {sphere.means}" if sphere.means else f"sphere {number}"
        yield Entry(text, _patch(sphere_tint(number)) + letters(str(number), 0, 6, 17, INK))
    if len(overlay.spheres) > MAX_SPHERES:
        yield Entry(f"… and {len(overlay.spheres) - MAX_SPHERES} more spheres", " ")
    if overlay.reach:
        yield Entry("what can still be reached" if overlay.walk else "what can be reached", _patch(REACH))
    if overlay.shut:
        yield Entry(
            "what stands in the way", rect(-13, -13, 26, 26, rx=6, fill="none", stroke=DANGER, stroke_width=3.5)
        )
    if overlay.danger:
        dashes = {"stroke": DANGER, "stroke_width": 3, "stroke_dasharray": "6 4"}
        yield Entry("beware", rect(-13, -13, 26, 26, rx=5, fill="#F6DFD6", **dashes))
    if overlay.target is not None:
        yield Entry("go here", circle(0, 0, 12, fill="none", stroke=PLAN, stroke_width=4))


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
        yield Entry(_describe_gate(gates[key], dungeon), draw_gate(gates[key], names, 30, 30, opened=False))
    for name in sorted({switch.name for switch in dungeon.switches}):
        yield Entry(name_switch(name), draw_plate(names.switch_letters[name], on=False))
    if dungeon.blocks:
        pushed = "can be pushed once" if dungeon.rules.push == "once" else "stands fast"
        yield Entry(f"block ({pushed})", draw_block())
    kinds = {way.kind for way in dungeon.ways}
    for kind in ("stairs", "warp"):
        if kind in kinds:
            yield Entry(kind, draw_end(kind))
    if letters & {*ONE_WAYS}:
        yield Entry("one way only", _patch(GROUND) + draw_one_way("E"))
    if WATER in letters:
        yield Entry(f"water (cross it with the {dungeon.rules.water})", _patch(SEA))
    if on_map and "passage" in kinds:
        wall = path("M-13 -8H13M-13 8H13", stroke=STONE, stroke_width=3, stroke_dasharray="5 4")
        yield Entry("a wall one can walk through", wall)


def _describe_gate(gate: Gate, dungeon: Dungeon) -> str:
    rules, needs = dungeon.rules, ", ".join(gate.needs)
    if gate.kind == "lock":
        return f"{needs} lock: takes {with_article(needs)} key" if needs else "lock: takes a key"
    if gate.kind == "cracked":
        return "cracked wall: takes a bomb" if rules.bombs is not None else "cracked wall (bombs without end)"
    if gate.kind == "item":
        return f"gate: needs {needs}"
    if gate.kind == "barrier":
        return f"barrier of {name_switch(needs)}"
    return _SOFT[rules.soft]


def _patch(paint: Paint) -> Markup:
    return rect(-13, -13, 26, 26, rx=3, fill=paint, stroke="#8A8A86")
