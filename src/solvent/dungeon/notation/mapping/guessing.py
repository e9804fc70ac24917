"""Guess what a name means, for a first mapping; where more than one meaning is likely, it stays undecided."""

from __future__ import annotations

import re

from solvent.dungeon.notation.editor.inventory import ClassSeen, Seen
from solvent.dungeon.notation.editor.objects import plain_word
from solvent.dungeon.notation.editor.raw import terrain_word
from solvent.dungeon.notation.editor.vocabulary import PROPERTIES, decides, is_like_a_class
from solvent.dungeon.notation.mapping.model import IGNORE, UNDECIDED

_DECORATION = frozenset(
    [
        "life",
        "lives",
        "hp",
        "health",
        "ammo",
        "mana",
        "speed",
        "sound",
        "sounds",
        "music",
        "sprite",
        "image",
        "picture",
        "tint",
        "opacity",
        "alpha",
        "scale",
        "price",
        "cost",
        "score",
        "damage",
        "attack",
        "text",
        "texts",
        "description",
        "comment",
        "comments",
        "note",
        "notes",
        "dialog",
        "dialogue",
        "message",
        "script",
        "animation",
        "anim",
        "facing",
        "delay",
        "radius",
        "intensity",
        "flickering",
        "friction",
        "density",
        "bodytype",
        "patrol",
        "jingle",
        "playsecretjingle",
        "awaken",
        "isawaken",
        "xp",
        "exp",
        "level",
        "depth",
        "z",
        "zindex",
        "id",
        "uid",
        "tooltip",
        "tag",
        "tags",
        "behaviour",
        "behavior",
        "ai",
        "loop",
        "volume",
        "rotation",
        "angle",
        "floating",
        "weapon",
        "map",
        "scene",
        "team",
        "faction",
    ]
)
"""Properties that change what a game looks or sounds like, or how hard it is to play, but not what opens what."""
_CLASSES = {
    "hero": "start",
    "heroine": "start",
    "startpoint": "start",
    "startingpoint": "start",
    "playerspawn": "start",
    "entrance": "start",
    "goalpoint": "goal",
    "endpoint": "goal",
    "victory": "goal",
    "treasure": "goal",
    "npc": IGNORE,
    "mob": "monster",
    "monsters": "monster",
    "boss": "monster",
    "lever": "switch",
    "boulder": "block",
    "pushable": "block",
    "trapdoor": "warp",
    "ladder": IGNORE,
}
_TERRAIN = {
    **dict.fromkeys(
        ("stone", "rock", "rocks", "brick", "bricks", "cliff", "mountain", "fence", "tree", "trees"), "wall"
    ),
    **dict.fromkeys(("grass", "dirt", "sand", "path", "road", "desert", "earth", "carpet", "cobblestone"), "floor"),
    **dict.fromkeys(("sea", "ocean", "river", "lake", "deepwater"), "water"),
    **dict.fromkeys(("sky", "air"), "floor"),
}


def guess_class(name: str, account: ClassSeen) -> str:
    """Return what a class of theirs probably is; undecided where it may open or bar a way."""
    plain = plain_word(name)
    if plain in _CLASSES:
        return _CLASSES[plain]
    if decides(name) or is_like_a_class(name) or any(decides(word) for word in account.properties):
        return UNDECIDED
    return IGNORE


def guess_property(kind: str, name: str, seen: Seen) -> str:
    """Return what a property of theirs probably is on a class of ours."""
    plain = plain_word(name)
    known = PROPERTIES.get(kind, ())
    if kind == "item" and plain in ("type", "itemtype", "kind", "itemname"):
        return "name"
    if kind == "key" and plain in ("type", "keytype", "kind"):
        return "color"
    if "opens" in known and plain in ("targets", "target", "opens", "doors", "door", "ontrigger"):
        return "opens" if seen.samples and "a link" in seen.samples[0] else UNDECIDED
    if "openedby" in known and re.fullmatch(r"(un)?lock(ed)?(with|by|key|item|type)?|needs?|keytype", plain):
        return "openedby"
    if "color" in known and plain in ("tint", "hue", "shade"):
        return UNDECIDED
    return IGNORE if plain in _DECORATION else UNDECIDED


def guess_terrain(name: str) -> str | None:
    """Return the terrain that a name of a value, layer or colour probably is."""
    return terrain_word(name) or _TERRAIN.get(plain_word(name))
