"""Draw the things of a dungeon as small SVG signs, each around the origin and about 28 wide on a tile of 32.

Each kind has a shape of its own; colours and letters only say which one of its kind it is.
"""

from __future__ import annotations

from solvent.drawing.markup import Child, Markup, join
from solvent.drawing.palette import BLACK, FAINT_INK, GOLD, INK, WHITE, Paint, ink_on, mix
from solvent.drawing.shapes import (
    Outlined,
    circle,
    group,
    label,
    path,
    put,
    rect,
    star_points,
    write_outlined,
    write_point,
)
from solvent.dungeon.drawing.colours import BEAST, DANGER, LEVER, PLAYER, RULED, STONE, STONE_EDGE, TREASURE
from solvent.dungeon.drawing.signs import Names
from solvent.dungeon.model import Gate, Pickup

TILE = 32
"""The side of a tile."""

_STAR = f"M{'L'.join(map(write_point, star_points(13, inner=0.43)))}z"
_TURNS = {"N": 0, "E": 90, "S": 180, "W": 270}


def letters(text: str, x: float, y: float, size: float, fill: Paint) -> Markup:
    """Draw a short name, its middle at x and its foot at y."""
    return label(text, x, y, size, bold=True, text_anchor="middle", fill=fill)


# what lies and stands on tiles


def draw_pickup(pickup: Pickup, names: Names) -> Markup:
    """Draw a key, bombs, an item or a monster."""
    if pickup.kind == "monster":
        return draw_monster()
    if pickup.kind == "key":
        sign = draw_key(names.key_paints[pickup.name], names.key_letters[pickup.name])
    elif pickup.kind == "bombs":
        sign = draw_bomb()
    else:
        sign = draw_item(names.item_letters[pickup.name])
    return sign + _count(pickup) + (draw_renewal() if pickup.renews else "")


def draw_absent(pickup: Pickup, names: Names) -> Markup:
    """Draw a pickup that is not there yet: faint, in a dashed ring."""
    ring = circle(0, 0, 14.5, fill="none", stroke=FAINT_INK, stroke_width=1.5, stroke_dasharray="4 3")
    return ring + put(draw_pickup(pickup, names), 0, 0, size=0.8, faint=True)


def draw_renewal() -> Markup:
    """Draw that something comes back: a round arrow in the corner."""
    arc = "M-14.5 -9.5a5 5 0 1 0 3 -4.5"
    drawn = path(arc, stroke=WHITE, stroke_width=4.5) + path(arc, stroke=PLAYER, stroke_width=2)
    return drawn + path("M-13.5 -17.5L-9 -14L-14 -11z", fill=PLAYER, stroke=WHITE, stroke_width=0.6)


def draw_key(paint: Paint, letter: str) -> Markup:
    """Draw a key: a ring with its colour's letter, a shaft and two teeth."""
    if letter:
        hole = letters(letter, -6, -1.3 + 4, 9 if len(letter) == 1 else 7, ink_on(paint))
    else:
        hole = circle(-6.5, -1, 2.6, fill=WHITE, stroke=INK)
    shaft = path("M-.5 -3.2H13.5V6.5H10V1.2H7.5V5H4.5V1.2H-.5z", fill=paint, stroke=INK, stroke_width=1.3)
    return shaft + circle(-6, -1, 7.2, fill=paint, stroke=INK, stroke_width=1.3) + hole


def draw_bomb() -> Markup:
    """Draw a round bomb with a burning fuse."""
    return (
        circle(-1, 3, 9, fill=INK)
        + path("M3 -5q3 -6 8 -4", stroke=INK, stroke_width=2.2)
        + circle(11.5, -9, 2.6, fill="#EC9420")
        + path("M-6 0a6 6 0 0 1 4 -3", stroke=WHITE, stroke_width=1.6)
    )


def draw_item(letter: str) -> Markup:
    """Draw an item: a gem with its letter."""
    gem = path("M0 -13L13 0L0 13L-13 0z", fill=TREASURE, stroke=INK, stroke_width=1.3)
    return gem + letters(letter, 0, 4.3, 12 if len(letter) == 1 else 9.5, WHITE)


def draw_monster() -> Markup:
    """Draw a monster: two eyes and two horns."""
    body = "M-10 11V-4L-9 -12L-4.5 -8.5H4.5L9 -12L10 -4V11L6.7 7.5L3.3 11L0 7.5L-3.3 11L-6.7 7.5z"
    eyes = circle(-4, -1, 2.4, fill=WHITE) + circle(4, -1, 2.4, fill=WHITE)
    return path(body, fill=BEAST, stroke=INK, stroke_width=1.2) + eyes


def draw_block() -> Markup:
    """Draw a block to push."""
    box = rect(-13, -13, 26, 26, rx=3, fill="#C9B79C", stroke=INK, stroke_width=1.5)
    grooves = "M-8 -8H8V8H-8z M-13 -13L-8 -8M13 -13L8 -8M13 13L8 8M-13 13L-8 8"
    return box + path(grooves, stroke="#7A6648", stroke_width=1.5)


def draw_plate(letter: str, *, on: bool) -> Markup:
    """Draw the plate of a switch, filled while it is on."""
    fill, ink = (LEVER, WHITE) if on else (WHITE, LEVER)
    rim = circle(0, 0, 12.5, fill=WHITE, stroke=LEVER, stroke_width=1.8)
    plate = circle(0, 0, 9, fill=fill, stroke=LEVER, stroke_width=1.8)
    return rim + plate + letters(letter, 0, 4, 11 if len(letter) == 1 else 8.5, ink)


def draw_start() -> Markup:
    """Draw where the game begins: a ring around the player's figure."""
    ring = circle(0, 0, 13.5, fill=WHITE, stroke=PLAYER, stroke_width=2.2)
    return ring + group(_figure(), transform="scale(.8)")


def draw_player() -> Markup:
    """Draw where the player is now."""
    return group(_figure(), stroke=WHITE, stroke_width=5, stroke_linejoin="round") + _figure()


def draw_goal(*, shut: bool = False) -> Markup:
    """Draw a goal: a star; one that cannot be entered yet is hollow."""
    if shut:
        return path(_STAR, fill=WHITE, stroke=INK, stroke_width=1.8, stroke_linejoin="round", stroke_dasharray="4 2")
    return path(_STAR, fill=GOLD, stroke=INK, stroke_width=1.5, stroke_linejoin="round")


def draw_one_way(direction: str) -> Markup:
    """Draw a tile that is walked in one direction."""
    turn = f"rotate({_TURNS[direction]})"
    return path("M-8 2L0 -6L8 2M-8 10L0 2L8 10", transform=turn, stroke=FAINT_INK, stroke_width=3)


def draw_end(kind: str) -> Markup:
    """Draw the end of a way: three steps for stairs, rings for a warp, else an arch."""
    if kind == "stairs":
        steps = path("M-12 11V4H-4V-3H4V-10H12V11z", fill=WHITE, stroke=INK, stroke_width=1.6)
        return steps + path("M-4 11V4M4 11V-3", stroke=INK, stroke_width=1)
    if kind == "warp":
        rings = ((12, WHITE), (7.5, "#D9E6F2"), (3, INK))
        return join(circle(0, 0, radius, fill=fill, stroke=INK, stroke_width=1.6) for radius, fill in rings)
    return path("M-9 11V-3a9 9 0 0 1 18 0V11z", fill="#D8D2C4", stroke=INK, stroke_width=1.6)


def draw_cross() -> Markup:
    """Draw where a player is stuck."""
    return join(
        path("M-9 -9L9 9M9 -9L-9 9", stroke=paint, stroke_width=width, stroke_linecap="round")
        for paint, width in ((WHITE, 9), (DANGER, 5))
    )


def _figure() -> Markup:
    return path("M-8 12a8 9 0 0 1 5 -11.5a5.6 5.6 0 1 1 6 0a8 9 0 0 1 5 11.5z", fill=PLAYER)


def _count(pickup: Pickup) -> Markup:
    if pickup.count <= 1:
        return Markup("")
    return join(write_outlined([Outlined(f"×{pickup.count}", 15, 14)], 10, fill=INK, bold=True, text_anchor="end"))


# gates


def draw_gate(gate: Gate, names: Names, width: float, height: float, *, opened: bool, marked: bool = False) -> Markup:
    """Draw a gate as a slab of some size around the origin, with the sign of its kind in the middle.

    An open one is an outline; a marked one has a warning rim.
    """
    paint, edge = _slab_paints(gate, names)
    x, y = -width / 2 + 1.5, -height / 2 + 1.5
    box = x, y, width - 3, height - 3
    sign: Child = draw_badge(gate, names)
    if opened:
        slab = rect(*box, rx=3, fill=WHITE, fill_opacity=0.6, stroke=edge, stroke_width=1.5, stroke_dasharray="4 3")
        sign = group(sign, opacity=0.4)
    else:
        slab = rect(*box, rx=3, fill=paint, stroke=edge, stroke_width=2) + _texture(gate, width, height)
        sign = group(sign, transform=f"scale({min(width, height, 44) / TILE:g})")
    rim = None
    if marked:
        rim = rect(x - 3, y - 3, width + 3, height + 3, rx=6, fill="none", stroke=DANGER, stroke_width=3.5)
    return join([slab, sign, rim])


def draw_badge(gate: Gate, names: Names) -> Markup:
    """Draw the sign of a gate's kind alone, for the middle of a slab or of a line."""
    if gate.kind == "lock":
        paint = names.key_paints[gate.needs[0]]
        letter = names.key_letters[gate.needs[0]]
        hole = path("M0 -7a4.4 4.4 0 0 1 2.4 8L4 9H-4L-2.4 1A4.4 4.4 0 0 1 0 -7z", fill=ink_on(paint))
        if not letter:
            return hole
        return put(hole, -5, 0) + letters(letter, 5.5, 4.5, 12 - 2 * len(letter), ink_on(paint))
    if gate.kind == "cracked":
        return path("M-3 -14L3 -6L-4 1L4 7L-1 14", stroke=INK, stroke_width=2.6)
    if gate.kind == "item":
        shown = gate.needs[:2]
        size = 0.8 if len(shown) == 1 else 0.55
        return join(
            put(draw_item(names.item_letters[need]), (index - (len(shown) - 1) / 2) * 15, 0, size=size)
            for index, need in enumerate(shown)
        )
    if gate.kind == "barrier":
        letter = names.switch_letters[gate.needs[0]]
        disc = circle(0, 0, 8.5, fill=WHITE, stroke=LEVER, stroke_width=2)
        return disc + letters(letter, 0, 4, 11 if len(letter) == 1 else 8, LEVER)
    if gate.kind == "rule":
        number = "" if gate.rule is None else names.rule_numbers[gate.rule]
        scroll = path("M-9.5 -11H9.5L12 -8V11H-9.5z", fill=WHITE, stroke=RULED, stroke_width=1.8)
        return scroll + letters(number, 1, 5, 14 if len(number) == 1 else 11, RULED)
    return path("M-8 -5H8M-8 0H8M-8 5H8", stroke=INK, stroke_width=2.6)


def edge_paint(gate: Gate, names: Names) -> Paint:
    """Return the paint of a line on which a gate stands."""
    return _slab_paints(gate, names)[1]


def _slab_paints(gate: Gate, names: Names) -> tuple[Paint, Paint]:
    if gate.kind == "lock":
        paint = names.key_paints[gate.needs[0]]
        return paint, mix(paint, BLACK, 0.55)
    if gate.kind == "cracked":
        return mix(STONE, WHITE, 0.45), STONE_EDGE
    if gate.kind == "item":
        return mix(TREASURE, WHITE, 0.75), TREASURE
    if gate.kind == "barrier":
        return mix(LEVER, WHITE, 0.7), LEVER
    if gate.kind == "rule":
        return mix(RULED, WHITE, 0.6), RULED
    return (207, 203, 192), FAINT_INK


def _texture(gate: Gate, width: float, height: float) -> Markup:
    """Draw bars over the slab of a gate that has some: upright for items, slanted for a switch."""
    if gate.kind not in ("item", "barrier"):
        return Markup("")
    slant = 5 if gate.kind == "barrier" else 0
    top, bottom = -height / 2 + 3, height / 2 - 3
    count = max(2, int(width // 9))
    xs = [(index + 0.5) * (width - 4) / count - width / 2 + 2 for index in range(count)]
    bars = "".join(f"M{x + slant:.1f} {top:g}L{x - slant:.1f} {bottom:g}" for x in xs)
    return path(bars, stroke=TREASURE if gate.kind == "item" else LEVER, stroke_width=1.8, opacity=0.55)
