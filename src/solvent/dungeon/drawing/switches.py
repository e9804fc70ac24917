"""Draw switches as small SVG signs: plates to step on, plates to hold down, levers; each in every state it can have.

The shape says how it is worked, the letter which switch it is. It is filled while the switch is on, or in the state
that this plate or lever sets. Below it stands the state it sets, or the present one of a switch with states of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.markup import Markup, join
from solvent.drawing.palette import WHITE
from solvent.drawing.shapes import Outlined, circle, path, rect, write_outlined
from solvent.dungeon.drawing.colours import LEVER
from solvent.dungeon.drawing.things import draw_plate, letters
from solvent.dungeon.events import is_near
from solvent.dungeon.model import Dungeon, Place, Switch

ON_OFF = ("off", "on")
LONGEST_NOTE = 6
"""Letters of a state that are written below a sign."""


def states_of(dungeon: Dungeon, name: str) -> tuple[str, ...]:
    """Return the states of a switch, the first one first."""
    return next((dial.states for dial in dungeon.dials if dial.switch == name), ON_OFF)


def looks_of(dungeon: Dungeon, switch: Switch, letter: str) -> dict[str, Markup]:
    """Return how a plate or a lever looks in each state of its switch."""
    states = states_of(dungeon, switch.name)
    return {state: draw_switch(switch, letter, state, is_dial=states != ON_OFF) for state in states}


def draw_switch(switch: Switch, letter: str, state: str, *, is_dial: bool) -> Markup:
    """Draw a plate or a lever while its switch is in a state."""
    on = state == (switch.sets or "on") if is_dial or not switch.sets else state == "on"
    draw = {"plate": draw_plate, "held": draw_held_plate, "lever": draw_lever}[switch.kind]
    note = f"→{switch.sets}" if switch.sets else state if is_dial else ""
    return draw(letter, on=on) + _write_note(note)


def draw_held_plate(letter: str, *, on: bool) -> Markup:
    """Draw a plate that must be held down: a square one."""
    fill, ink = (LEVER, WHITE) if on else (WHITE, LEVER)
    rim = rect(-12.5, -12.5, 25, 25, rx=4, fill=WHITE, stroke=LEVER, stroke_width=1.8)
    plate = rect(-8.5, -8.5, 17, 17, rx=2, fill=fill, stroke=LEVER, stroke_width=1.8, stroke_dasharray="4 2")
    return rim + plate + letters(letter, 0, 4, 11 if len(letter) == 1 else 8.5, ink)


def draw_lever(letter: str, *, on: bool) -> Markup:
    """Draw a lever: a box with a handle that leans left while it is off, and right while it is on."""
    fill, ink = (LEVER, WHITE) if on else (WHITE, LEVER)
    lean = 8 if on else -8
    handle = path(f"M0 0L{lean} -11", stroke=WHITE, stroke_width=6, stroke_linecap="round")
    handle += path(f"M0 0L{lean} -11", stroke=LEVER, stroke_width=3, stroke_linecap="round")
    knob = circle(lean, -11, 3.4, fill=fill, stroke=LEVER, stroke_width=1.8)
    box = rect(-11, -2, 22, 15, rx=3, fill=fill, stroke=LEVER, stroke_width=1.8)
    return handle + knob + box + letters(letter, 0, 9.5, 11 if len(letter) == 1 else 8.5, ink)


def _write_note(note: str) -> Markup:
    if not note:
        return Markup("")
    short = note if len(note) <= LONGEST_NOTE + 1 else f"{note[:LONGEST_NOTE]}…"
    return join(write_outlined([Outlined(short, 0, 20)], 9, fill=LEVER, bold=True, text_anchor="middle"))


def far_places(dungeon: Dungeon) -> Iterator[Place]:
    """Yield the places from which a lever can be worked that is not beside them."""
    found = {place for lever in dungeon.switches for place in lever.reach if not is_near(lever.place, place)}
    yield from sorted(found)


def draw_far_mark() -> Markup:
    """Draw that a lever can be worked from here: a dot in the corner of the tile."""
    return circle(11, 11, 2.6, fill=LEVER, stroke=WHITE, stroke_width=1)
