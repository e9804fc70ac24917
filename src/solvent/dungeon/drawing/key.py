"""Say what a drawing shows: the lines above it, the list of events and signs beside it, a description in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from solvent.drawing.legend import LONGEST_LINE, Entry
from solvent.drawing.markup import Markup
from solvent.drawing.palette import INK, Paint
from solvent.drawing.paper import Lettering
from solvent.drawing.phrases import counted, listed, with_article
from solvent.drawing.shapes import badge, circle, path, put, rect
from solvent.dungeon.conditions import describe_presence
from solvent.dungeon.drawing.colours import DANGER, GROUND, PLAN, REACH, SEA, STONE, sphere_tint
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import Names, captions_for, names_in
from solvent.dungeon.drawing.switches import ON_OFF, draw_far_mark, far_places, looks_of, states_of
from solvent.dungeon.drawing.things import (
    draw_absent,
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
    draw_player,
    draw_renewal,
    draw_start,
    letters,
)
from solvent.dungeon.drawing.walk import draw_return, no_return_bars, walk_paint
from solvent.dungeon.events import describe_need, describe_pickup, describe_switch, name_pickup, name_switch
from solvent.dungeon.model import ONE_WAYS, WATER, Dungeon, Gate, Switch
from solvent.dungeon.notation.requirements import describe_requirement

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


def signs_on_map(dungeon: Dungeon) -> Iterator[tuple[str, str]]:
    """Yield what each sign on a dungeon's map means, and the sign, around the origin."""
    words, sign = "", ""
    for entry in _signs(replace(dungeon, played=()), on_map=True):
        if entry.sample == " ":  # the line goes on
            words += f" {entry.text}"
            continue
        if words:
            yield words, sign
        words, sign = entry.text, str(entry.sample)
    yield words, sign


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
        ("Pickups", Counter(describe_pickup(pickup, dungeon.rules.bombs_per_pickup) for pickup in dungeon.pickups)),
        ("Gates", Counter(describe_need(gate) for gate in dungeon.gates)),
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
    rule = dungeon.goal_rule
    if rule is None:
        yield Entry("goal", draw_goal())
    else:
        yield from _lines(f"goal: needs {describe_requirement(rule)}", draw_goal(shut=True))
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
    yield from _signs_of_pickups(dungeon)
    gates: dict[tuple[str, tuple[str, ...], str], Gate] = {}
    for gate in dungeon.gates:
        number = "" if gate.rule is None else names.rule_numbers[gate.rule].zfill(9)
        gates.setdefault((gate.kind, () if gate.kind == "soft" else gate.needs, number), gate)
    for key in sorted(gates):
        yield from _lines(
            _describe_gate(gates[key], dungeon, names), draw_gate(gates[key], names, 30, 30, opened=False)
        )
    yield from _signs_of_switches(dungeon, names)
    if dungeon.blocks:
        pushed = {"once": "can be pushed once", "on": "can be pushed on", "never": "stands fast"}[dungeon.rules.push]
        back = ", is back once its room is left" if dungeon.rules.blocks == "reset" else ""
        yield from _lines(f"block ({pushed}{back})", draw_block())
    if dungeon.rules.home == "always":
        yield Entry("you can return to the start from anywhere", draw_return())
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


def _lines(text: str, sign: Markup) -> Iterator[Entry]:
    """Yield an entry in as many lines as its words take: rules are to be read in full."""
    first, *rest = wrap(text, LONGEST_LINE) or [""]
    yield Entry(first, sign)
    yield from (Entry(line, " ") for line in rest)


def _signs_of_pickups(dungeon: Dungeon) -> Iterator[Entry]:
    """Yield what the looks of pickups mean that appear or come back, and what they wait for."""
    bombs = dungeon.rules.bombs_per_pickup
    names = names_in(dungeon)
    appearing = {(pickup.kind, pickup.name, pickup.count, pickup.rule): pickup for pickup in dungeon.pickups}
    for pickup in appearing.values():
        if pickup.rule is not None:
            words = f"{name_pickup(pickup, bombs)}: {describe_presence(pickup.rule)}"
            yield from _lines(words, draw_absent(pickup, names))
    if any(pickup.renews for pickup in dungeon.pickups):
        yield Entry("comes back: fills up again", put(draw_renewal(), 11, 11, size=1.3))


def _signs_of_switches(dungeon: Dungeon, names: Names) -> Iterator[Entry]:
    """Yield each kind of plate and lever of each switch, and the states of dials."""
    seen: dict[tuple[str, str, str], Switch] = {}
    for switch in dungeon.switches:
        seen.setdefault((switch.name, switch.kind, switch.sets), switch)
    for (name, _, _), switch in sorted(seen.items()):
        states = states_of(dungeon, name)
        sign = looks_of(dungeon, switch, names.switch_letters[name])[states[0]]
        words = describe_switch(switch)
        yield from _lines(words if states == ON_OFF else f"{words} ({', '.join(states)})", sign)
    if any(True for _ in far_places(dungeon)):
        yield Entry("a lever can be worked from here", put(draw_far_mark(), -16, -16, size=1.5))


def _describe_gate(gate: Gate, dungeon: Dungeon, names: Names) -> str:
    rules, needs = dungeon.rules, listed(gate.needs)
    if gate.kind == "lock":
        return f"{needs} lock: takes {with_article(needs)} key" if needs else "lock: takes a key"
    if gate.kind == "cracked":
        return "cracked wall: takes a bomb" if rules.bombs is not None else "cracked wall (bombs without end)"
    if gate.kind == "item":
        return f"gate: needs {needs}"
    if gate.kind == "barrier":
        return f"barrier of {name_switch(needs)}"
    if gate.kind == "rule":
        if gate.rule is None:
            return gate.name or "gate"
        return f"{names.rule_gates[gate.rule]}: needs {describe_requirement(gate.rule)}"
    return _SOFT[rules.soft]


def _patch(paint: Paint) -> Markup:
    return rect(-13, -13, 26, 26, rx=3, fill=paint, stroke="#8A8A86")
