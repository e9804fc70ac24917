"""What can be put into a dungeon: each kind with its group, its name, its key on the keyboard, and its sign."""

from __future__ import annotations

from functools import cache
from typing import Any

from solvent.drawing.markup import Markup
from solvent.drawing.shapes import path, rect
from solvent.dungeon.drawing.colours import GROUND, SEA, STONE, STONE_EDGE
from solvent.dungeon.drawing.signs import Names
from solvent.dungeon.drawing.switches import draw_held_plate, draw_lever
from solvent.dungeon.drawing.things import (
    TILE,
    draw_block,
    draw_bomb,
    draw_end,
    draw_gate,
    draw_goal,
    draw_item,
    draw_key,
    draw_monster,
    draw_one_way,
    draw_plate,
    draw_start,
)
from solvent.dungeon.model import STEPS, Gate

_NAMES = Names({"": (255, 255, 255)}, {"": ""}, {"?": ""}, {"?": ""}, {}, {})
_DIRECTIONS = {"N": "north", "E": "east", "S": "south", "W": "west"}
_BRUSHES = (
    ("Ground", "floor", "Floor", "1"),
    ("Ground", "wall", "Wall", "2"),
    ("Ground", "nothing", "Nothing", "3"),
    ("Ground", "water", "Water", "4"),
    *(("Ground", f"one-way {name}", f"One way {name}", "5678"[at]) for at, name in enumerate(_DIRECTIONS.values())),
    ("Player", "start", "Start", "a"),
    ("Player", "goal", "Goal", "g"),
    ("Keys and locks", "key", "Key", "k"),
    ("Keys and locks", "lock", "Lock", "l"),
    ("Keys and locks", "bombs", "Bombs", "b"),
    ("Keys and locks", "cracked", "Cracked wall", "c"),
    ("Keys and locks", "item", "Item", "i"),
    ("Keys and locks", "gate", "Item gate", "j"),
    ("Keys and locks", "needs", "Rule gate", "n"),
    ("Switches", "switch", "Plate", "p"),
    ("Switches", "held switch", "Held plate", "h"),
    ("Switches", "lever", "Lever", "v"),
    ("Switches", "barrier", "Barrier", "w"),
    ("Creatures and blocks", "monster", "Monster", "m"),
    ("Creatures and blocks", "soft", "Soft door", "d"),
    ("Creatures and blocks", "block", "Block", "o"),
    ("Ways", "stairs", "Stairs", "t"),
    ("Ways", "warp", "Warp", "z"),
    ("Ways", "door", "Doorway", "y"),
    ("Ways", "passage", "Passage", "u"),
)


@cache
def list_palette() -> list[dict[str, Any]]:
    """Return everything a designer places, in the order of a palette."""
    signs = _signs()
    return [
        {"group": group, "word": word, "name": name, "key": key, "sign": str(signs[word])}
        for group, word, name, key in _BRUSHES
    ]


def _signs() -> dict[str, Markup]:
    def tile(fill: Any, **more: Any) -> Markup:
        return rect(-TILE / 2, -TILE / 2, TILE, TILE, fill=fill, **more)

    def slab(kind: str, *needs: str) -> Markup:
        return draw_gate(Gate(kind, needs), _NAMES, TILE, TILE, opened=False)

    edge = {"stroke": STONE_EDGE, "stroke_width": 1.5}
    ground = tile(GROUND, **edge)
    return {
        "floor": ground,
        "wall": tile(STONE, **edge),
        "nothing": rect(-14, -14, 28, 28, fill="none", stroke=STONE, stroke_width=1.5, stroke_dasharray="4 3"),
        "water": tile(SEA, **edge) + path("M-11 1q5.5 -6 11 0t11 0", stroke=(75, 130, 171), stroke_width=2),
        **{f"one-way {_DIRECTIONS[step]}": ground + draw_one_way(step) for step in STEPS},
        "start": draw_start(),
        "goal": draw_goal(),
        "key": draw_key((255, 255, 255), ""),
        "lock": slab("lock", ""),
        "bombs": draw_bomb(),
        "cracked": slab("cracked"),
        "item": draw_item(""),
        "gate": slab("item", "?"),
        "needs": slab("rule"),
        "switch": draw_plate("", on=False),
        "held switch": draw_held_plate("", on=False),
        "lever": draw_lever("", on=False),
        "barrier": slab("barrier", "?"),
        "monster": draw_monster(),
        "soft": slab("soft", "?"),
        "block": draw_block(),
        **{kind: draw_end(kind) for kind in ("stairs", "warp", "door", "passage")},
    }
