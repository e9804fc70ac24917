"""Guess what a name means, for a first mapping; where more than one meaning is likely, it stays undecided."""

from __future__ import annotations

import re
from collections.abc import Collection

from solvent.dungeon.notation.editor.inventory import ClassSeen, Seen
from solvent.dungeon.notation.editor.objects import plain_word
from solvent.dungeon.notation.editor.raw import terrain_word
from solvent.dungeon.notation.editor.vocabulary import LENIENT, PROPERTIES, decides
from solvent.dungeon.notation.mapping.model import IGNORE, UNDECIDED

_LOOKS = frozenset(
    (
        *("sound", "sounds", "music", "jingle", "playsecretjingle", "volume", "sprite", "image", "picture"),
        *("opacity", "alpha", "scale", "animation", "anim", "flickering", "zindex", "tooltip", "shadow", "particles"),
    )
)
"""Properties that change what a game looks or sounds like, whatever has them."""
_PLAY = frozenset(
    (
        *("life", "lives", "hp", "health", "ammo", "mana", "speed", "tint", "price", "cost", "score", "damage"),
        *("attack", "text", "texts", "description", "comment", "comments", "note", "notes", "dialog", "dialogue"),
        *("message", "facing", "delay", "radius", "intensity", "friction", "density", "bodytype", "patrol"),
        *("awaken", "isawaken", "xp", "exp", "z", "behaviour", "behavior", "ai", "loop", "rotation", "angle"),
        *("floating", "weapon", "team", "faction", "level"),
    )
)
"""Properties that change how hard a game is to play; on what opens or bars a way they may mean more."""
_DECORATION = frozenset(
    (
        *("light", "lights", "lamp", "torch", "sound", "sounds", "music", "ambient", "ambience", "camera", "particle"),
        *("particles", "effect", "decoration", "decorations", "decor", "deco", "shadow", "text", "label", "comment"),
        *("note", "sprite", "flower", "flowers", "cloud", "npc"),
    )
)
"""Classes that nobody runs against and nobody needs."""
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
    "mob": "monster",
    "monsters": "monster",
    "boss": "monster",
    "boulder": "block",
    "pushable": "block",
    "trapdoor": "warp",
}
_TERRAIN = {
    **dict.fromkeys(
        ("stone", "rock", "rocks", "brick", "bricks", "cliff", "mountain", "fence", "tree", "trees"), "wall"
    ),
    **dict.fromkeys(("grass", "dirt", "sand", "path", "road", "desert", "earth", "carpet", "cobblestone"), "floor"),
    **dict.fromkeys(("sea", "ocean", "river", "lake", "deepwater"), "water"),
    **dict.fromkeys(("sky", "air"), "floor"),
}


def guess_class(name: str, account: ClassSeen, there: Collection[str] = ()) -> str:
    """Return what a class of theirs probably is; undecided unless that is plain.

    What is `there` already, a start or a goal, is not guessed once more.
    """
    plain = plain_word(name)
    if plain in _CLASSES:
        return UNDECIDED if _CLASSES[plain] in there else _CLASSES[plain]
    if any(decides(word) for word in account.properties):
        return UNDECIDED
    return IGNORE if plain in _DECORATION else UNDECIDED


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
    is_harmless = plain in _LOOKS or (plain in _PLAY and (kind in LENIENT or kind in ("block", "bombs")))
    return IGNORE if is_harmless else UNDECIDED


def guess_terrain(name: str) -> str | None:
    """Return the terrain that a name of a value, layer or colour probably is."""
    return terrain_word(name) or _TERRAIN.get(plain_word(name))
