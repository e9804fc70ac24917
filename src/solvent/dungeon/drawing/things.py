"""Draw the things of a dungeon as small SVG signs, each around the origin and about 28 wide on a tile of 32.

Each kind has a shape of its own; colours and letters only say which one of its kind it is.
"""

from __future__ import annotations

import math

from solvent.core.paint import INK, WHITE, Paint, as_hex, ink_on, mix
from solvent.dungeon.drawing.colours import (
    BEAST,
    DANGER,
    FAINT_INK,
    GOLD,
    LEVER,
    PLAYER,
    STONE,
    STONE_EDGE,
    TREASURE,
)
from solvent.dungeon.drawing.phrases import escape
from solvent.dungeon.drawing.signs import Names
from solvent.dungeon.model import Gate, Pickup

TILE = 32
"""The side of a tile."""

_INK, _WHITE = as_hex(INK), as_hex(WHITE)
_STAR = "L".join(
    f"{math.sin(point * math.pi / 5) * reach:.1f} {-math.cos(point * math.pi / 5) * reach:.1f}"
    for point, reach in ((point, 13 if point % 2 == 0 else 5.6) for point in range(10))
)
_TURNS = {"N": 0, "E": 90, "S": 180, "W": 270}


def put(sign: str, x: float, y: float, *, size: float = 1, faint: bool = False, title: str = "") -> str:
    """Place a sign on the picture."""
    scale = "" if size == 1 else f" scale({size:g})"
    opacity = ' opacity="0.3"' if faint else ""
    tooltip = f"<title>{escape(title)}</title>" if title else ""
    return f'<g transform="translate({x:g} {y:g}){scale}"{opacity}>{tooltip}{sign}</g>'


def letters(text: str, x: float, y: float, size: float, fill: str) -> str:
    """Draw a short name, its middle at x and its foot at y."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="bold" text-anchor="middle" '
        f'fill="{fill}">{escape(text)}</text>'
    )


# what lies and stands on tiles


def draw_pickup(pickup: Pickup, names: Names) -> str:
    """Draw a key, bombs, an item or a monster."""
    if pickup.kind == "key":
        count = f"×{pickup.count}" if pickup.count > 1 else ""
        return draw_key(names.key_paints[pickup.name], names.key_letters[pickup.name]) + _count(count)
    if pickup.kind == "bombs":
        return draw_bomb() + _count(f"×{pickup.count}" if pickup.count > 1 else "")
    if pickup.kind == "item":
        return draw_item(names.item_letters[pickup.name])
    return draw_monster()


def draw_key(paint: Paint, letter: str) -> str:
    """Draw a key: a ring with its colour's letter, a shaft and two teeth."""
    fill = as_hex(paint)
    hole = (
        letters(letter, -6, -1.3 + 4, 9 if len(letter) == 1 else 7, as_hex(ink_on(paint)))
        if letter
        else f'<circle cx="-6.5" cy="-1" r="2.6" fill="{_WHITE}" stroke="{_INK}"/>'
    )
    return (
        f'<path d="M-.5 -3.2H13.5V6.5H10V1.2H7.5V5H4.5V1.2H-.5z" fill="{fill}" stroke="{_INK}" stroke-width="1.3"/>'
        f'<circle cx="-6" cy="-1" r="7.2" fill="{fill}" stroke="{_INK}" stroke-width="1.3"/>{hole}'
    )


def draw_bomb() -> str:
    """Draw a round bomb with a burning fuse."""
    return (
        f'<circle cx="-1" cy="3" r="9" fill="{_INK}"/><path d="M3 -5q3 -6 8 -4" fill="none" stroke="{_INK}" '
        'stroke-width="2.2"/><circle cx="11.5" cy="-9" r="2.6" fill="#EC9420"/>'
        '<path d="M-6 0a6 6 0 0 1 4 -3" fill="none" stroke="#FFFFFF" stroke-width="1.6"/>'
    )


def draw_item(letter: str) -> str:
    """Draw an item: a gem with its letter."""
    return (
        f'<path d="M0 -13L13 0L0 13L-13 0z" fill="{as_hex(TREASURE)}" stroke="{_INK}" stroke-width="1.3"/>'
        + letters(letter, 0, 4.3, 12 if len(letter) == 1 else 9.5, _WHITE)
    )


def draw_monster() -> str:
    """Draw a monster: two eyes and two horns."""
    return (
        f'<path d="M-10 11V-4L-9 -12L-4.5 -8.5H4.5L9 -12L10 -4V11L6.7 7.5L3.3 11L0 7.5L-3.3 11L-6.7 7.5z" '
        f'fill="{as_hex(BEAST)}" stroke="{_INK}" stroke-width="1.2"/>'
        f'<circle cx="-4" cy="-1" r="2.4" fill="{_WHITE}"/><circle cx="4" cy="-1" r="2.4" fill="{_WHITE}"/>'
    )


def draw_block() -> str:
    """Draw a block to push."""
    return (
        f'<rect x="-13" y="-13" width="26" height="26" rx="3" fill="#C9B79C" stroke="{_INK}" stroke-width="1.5"/>'
        '<path d="M-8 -8H8V8H-8z M-13 -13L-8 -8M13 -13L8 -8M13 13L8 8M-13 13L-8 8" fill="none" stroke="#7A6648" '
        'stroke-width="1.5"/>'
    )


def draw_plate(letter: str, *, on: bool) -> str:
    """Draw the plate of a switch, filled while it is on."""
    paint = as_hex(LEVER)
    fill, ink = (paint, _WHITE) if on else (_WHITE, paint)
    return (
        f'<circle r="12.5" fill="{_WHITE}" stroke="{paint}" stroke-width="1.8"/>'
        f'<circle r="9" fill="{fill}" stroke="{paint}" stroke-width="1.8"/>'
        + letters(letter, 0, 4, 11 if len(letter) == 1 else 8.5, ink)
    )


def draw_start() -> str:
    """Draw where the game begins: a ring around the player's figure."""
    return (
        f'<circle r="13.5" fill="{_WHITE}" stroke="{as_hex(PLAYER)}" stroke-width="2.2"/>'
        + f'<g transform="scale(.8)">{_figure()}</g>'
    )


def draw_player() -> str:
    """Draw where the player is now."""
    return f'<g stroke="{_WHITE}" stroke-width="5" stroke-linejoin="round">{_figure()}</g>{_figure()}'


def draw_goal() -> str:
    """Draw a goal: a star."""
    return f'<path d="M{_STAR}z" fill="{as_hex(GOLD)}" stroke="{_INK}" stroke-width="1.5" stroke-linejoin="round"/>'


def draw_stairs() -> str:
    """Draw the end of stairs: three steps."""
    return (
        f'<path d="M-12 11V4H-4V-3H4V-10H12V11z" fill="{_WHITE}" stroke="{_INK}" stroke-width="1.6"/>'
        f'<path d="M-4 11V4M4 11V-3" stroke="{_INK}" stroke-width="1"/>'
    )


def draw_warp() -> str:
    """Draw the end of a warp: rings."""
    return "".join(
        f'<circle r="{radius}" fill="{fill}" stroke="{_INK}" stroke-width="1.6"/>'
        for radius, fill in ((12, _WHITE), (7.5, "#D9E6F2"), (3, _INK))
    )


def draw_passage() -> str:
    """Draw the end of a door or a passage whose other end is elsewhere: an arch."""
    return f'<path d="M-9 11V-3a9 9 0 0 1 18 0V11z" fill="#D8D2C4" stroke="{_INK}" stroke-width="1.6"/>'


def draw_one_way(direction: str) -> str:
    """Draw a tile that is walked in one direction."""
    return (
        f'<path transform="rotate({_TURNS[direction]})" d="M-8 2L0 -6L8 2M-8 10L0 2L8 10" fill="none" '
        f'stroke="{as_hex(FAINT_INK)}" stroke-width="3"/>'
    )


def draw_end(kind: str) -> str:
    """Draw the end of a way of some kind."""
    return {"stairs": draw_stairs, "warp": draw_warp}.get(kind, draw_passage)()


def draw_cross() -> str:
    """Draw where a player is stuck."""
    return "".join(
        f'<path d="M-9 -9L9 9M9 -9L-9 9" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        for colour, width in ((_WHITE, 9), (as_hex(DANGER), 5))
    )


def _figure() -> str:
    return f'<path d="M-8 12a8 9 0 0 1 5 -11.5a5.6 5.6 0 1 1 6 0a8 9 0 0 1 5 11.5z" fill="{as_hex(PLAYER)}"/>'


def _count(text: str) -> str:
    if not text:
        return ""
    return (
        f'<text x="15" y="14" font-size="10" font-weight="bold" text-anchor="end" fill="{_INK}" stroke="{_WHITE}" '
        f'stroke-width="3" paint-order="stroke">{text}</text>'
    )


# gates


def draw_gate(gate: Gate, names: Names, width: float, height: float, *, opened: bool, marked: bool = False) -> str:
    """Draw a gate as a slab of some size around the origin, with the sign of its kind in the middle.

    An open one is an outline; a marked one has a warning rim.
    """
    paint, edge = _slab_paints(gate, names)
    x, y = -width / 2 + 1.5, -height / 2 + 1.5
    box = f'x="{x:g}" y="{y:g}" width="{width - 3:g}" height="{height - 3:g}" rx="3"'
    if opened:
        slab = f'<rect {box} fill="{_WHITE}" fill-opacity="0.6" stroke="{edge}" stroke-width="1.5" '
        slab += 'stroke-dasharray="4 3"/>'
    else:
        slab = f'<rect {box} fill="{paint}" stroke="{edge}" stroke-width="2"/>' + _texture(gate, width, height)
    rim = ""
    if marked:
        rim = (
            f'<rect x="{x - 3:g}" y="{y - 3:g}" width="{width + 3:g}" height="{height + 3:g}" rx="6" fill="none" '
            f'stroke="{as_hex(DANGER)}" stroke-width="3.5"/>'
        )
    size = min(width, height, 44) / TILE
    sign = draw_badge(gate, names)
    return slab + (f'<g opacity="0.4">{sign}</g>' if opened else f'<g transform="scale({size:g})">{sign}</g>') + rim


def draw_badge(gate: Gate, names: Names) -> str:
    """Draw the sign of a gate's kind alone, for the middle of a slab or of a line."""
    if gate.kind == "lock":
        paint = names.key_paints[gate.needs[0]]
        letter = names.key_letters[gate.needs[0]]
        ink = as_hex(ink_on(paint))
        hole = f'<path d="M0 -7a4.4 4.4 0 0 1 2.4 8L4 9H-4L-2.4 1A4.4 4.4 0 0 1 0 -7z" fill="{ink}"/>'
        if not letter:
            return hole
        return f'<g transform="translate(-5 0)">{hole}</g>' + letters(letter, 5.5, 4.5, 12 - 2 * len(letter), ink)
    if gate.kind == "cracked":
        return f'<path d="M-3 -14L3 -6L-4 1L4 7L-1 14" fill="none" stroke="{_INK}" stroke-width="2.6"/>'
    if gate.kind == "item":
        shown = gate.needs[:2]
        size = 0.8 if len(shown) == 1 else 0.55
        return "".join(
            put(draw_item(names.item_letters[need]), (index - (len(shown) - 1) / 2) * 15, 0, size=size)
            for index, need in enumerate(shown)
        )
    if gate.kind == "barrier":
        letter = names.switch_letters[gate.needs[0]]
        lever = as_hex(LEVER)
        return f'<circle r="8.5" fill="{_WHITE}" stroke="{lever}" stroke-width="2"/>' + letters(
            letter, 0, 4, 11 if len(letter) == 1 else 8, lever
        )
    return f'<path d="M-8 -5H8M-8 0H8M-8 5H8" stroke="{_INK}" stroke-width="2.6"/>'


def badge_on_line(gate: Gate, names: Names, *, opened: bool, marked: bool = False) -> str:
    """Draw the sign of a gate on a small slab of its own, for the middle of a line."""
    return draw_gate(gate, names, 28, 28, opened=opened, marked=marked)


def edge_paint(gate: Gate, names: Names) -> str:
    """Return the paint of a line on which a gate stands."""
    return _slab_paints(gate, names)[1]


def _slab_paints(gate: Gate, names: Names) -> tuple[str, str]:
    if gate.kind == "lock":
        paint = names.key_paints[gate.needs[0]]
        return as_hex(paint), as_hex(mix(paint, (0, 0, 0), 0.55))
    if gate.kind == "cracked":
        return as_hex(mix(STONE, WHITE, 0.45)), as_hex(STONE_EDGE)
    if gate.kind == "item":
        return as_hex(mix(TREASURE, WHITE, 0.75)), as_hex(TREASURE)
    if gate.kind == "barrier":
        return as_hex(mix(LEVER, WHITE, 0.7)), as_hex(LEVER)
    return "#CFCBC0", as_hex(FAINT_INK)


def _texture(gate: Gate, width: float, height: float) -> str:
    """Draw bars over the slab of a gate that has some: upright for items, slanted for a switch."""
    if gate.kind not in ("item", "barrier"):
        return ""
    paint = as_hex(TREASURE if gate.kind == "item" else LEVER)
    slant = 5 if gate.kind == "barrier" else 0
    top, bottom = -height / 2 + 3, height / 2 - 3
    count = max(2, int(width // 9))
    xs = [(index + 0.5) * (width - 4) / count - width / 2 + 2 for index in range(count)]
    bars = "".join(f"M{x + slant:.1f} {top:g}L{x - slant:.1f} {bottom:g}" for x in xs)
    return f'<path d="{bars}" stroke="{paint}" stroke-width="1.8" opacity="0.55"/>'
