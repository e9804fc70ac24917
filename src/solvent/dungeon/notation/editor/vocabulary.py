"""Our words for what stands on a map: which properties each class has, other words for them, and which words matter.

A name that no table here holds is left to the project's mapping. Whether it may be left out with a remark, or has to be
decided first, follows from `decides`: whatever sounds like doors, keys or walls may change the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from solvent.dungeon.notation.editor.objects import ALIASES, CLASSES, GATE_CLASSES, WAY_CLASSES, plain_word

_OPENERS = ("color", "requires", "openedby", "consumes", "switch", "open", "room", "needs")
_PARTS = ("partof", "waysonly", "order")

PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "start": (),
    "goal": ("needs",),
    "monster": ("when",),
    "block": (),
    "place": (),
    "key": ("color", "count", "when", "renews"),
    "bombs": ("count", "when", "renews"),
    "item": ("item", "count", "when"),
    "switch": ("switch", "opens", "sets", "states", "held"),
    "lever": ("switch", "opens", "sets", "states", "needs", "reach"),
    "relay": ("opens",),
    "oneway": ("direction",),
    "room": ("labels", "order"),
    "lock": ("color", "count", "requires", "openedby", "consumes", "needs", *_PARTS),
    "cracked": _PARTS,
    "gate": ("requires", "openedby", "consumes", "needs", *_PARTS),
    "barrier": ("switch", "open", *_PARTS),
    "soft": ("room", *_PARTS),
    **dict.fromkeys(WAY_CLASSES, ("target", "twoway", "gate", "locked", "count", *_OPENERS)),
    "way": ("target", "twoway", "gate", "locked", "count", *_OPENERS, "kind"),
    "door": ("target", "twoway", "gate", "locked", "count", *_OPENERS, *_PARTS),
}
"""What is understood on each class, by `plain_word`; `name` is understood on all."""

LENIENT = ("monster", "room", "place")
"""Classes on which a property we do not know is worth a remark only, unless it sounds as if it decided something."""

_COLOUR_WORDS = [f"{thing}{word}" for thing in ("", "key", "lock", "door") for word in ("color", "colour")]
_OPENED_WORDS = (
    *("lockedwith", "lockedby", "openedby", "openedwith", "openswith", "unlockedby", "unlockedwith", "unlockswith"),
    *("requiredkey", "requireskey", "requirekey", "neededkey", "needskey", "needkey", "keyneeded", "keyrequired"),
    *("key", "keyname", "keyid", "requireditem", "requiresitem", "neededitem", "needsitem"),
)
SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(_COLOUR_WORDS, "color"),
    **dict.fromkeys(_OPENED_WORDS, "openedby"),
    **dict.fromkeys(("islocked",), "locked"),
    **dict.fromkeys(("requiresitems", "requireditems"), "requires"),
    **dict.fromkeys(("destination", "leadsto", "teleportto", "warpto"), "target"),
    **dict.fromkeys(("amount", "quantity"), "count"),
    **dict.fromkeys(("appears", "appearswhen", "appearsif", "appearsonce"), "when"),
    **dict.fromkeys(("renewing", "renewable", "respawns"), "renews"),
    **dict.fromkeys(("reachablefrom", "workedfrom"), "reach"),
}
"""Other words that mean one thing only, on the classes that have that property."""

OUR_PROPERTIES = (
    *("name", "color", "count", "item", "requires", "opened_by", "consumes", "locked", "switch", "opens", "open"),
    *("room", "target", "two_way", "kind", "gate", "direction", "labels", "part_of", "ways_only", "order"),
    *("needs", "when", "renews", "sets", "states", "held", "reach"),
)
"""What a mapping may call a property."""

WALL_FLAGS: Mapping[str, bool] = {
    **dict.fromkeys(("solid", "collides", "collidable", "collision", "blocked", "impassable", "obstacle"), True),
    **dict.fromkeys(("walkable", "passable", "iswalkable"), False),
    **dict.fromkeys(("issolid", "iswall"), True),
}
"""Properties of tiles that are true or false, and which of the two is a wall; the other is floor."""

BOOKKEEPING = ("modulekey", "moduleweight", "moduletags")
"""Properties in which generators of tiles note where a tile comes from; they mean nothing in a game."""
FILL_NOTES = ("seed", "resolved", "unsolvable", "null", "minimumsmet")
"""Properties of a map in which they note how it was filled."""

_ROOTS = (
    *("door", "lock", "gate", "barrier", "switch", "lever", "wall", "teleport", "portal", "chest", "bomb", "require"),
    *("collision", "obstacle", "solid", "boundar"),
)
_WORDS = frozenset(
    [
        "key",
        "keys",
        "button",
        "plate",
        "trigger",
        "block",
        "blocks",
        "blocked",
        "solid",
        "start",
        "spawn",
        "player",
        "hero",
        "goal",
        "exit",
        "finish",
        "end",
        "item",
        "items",
        "boss",
        "bound",
        "bounds",
        "water",
        "lava",
        "pit",
        "hole",
        "trap",
        "spike",
        "spikes",
        "warp",
        "stair",
        "stairs",
        "ladder",
        "oneway",
        "way",
        "secret",
        "cracked",
        "breakable",
        "needs",
        "need",
        "open",
        "opens",
        "opened",
        "close",
        "closed",
        "target",
        "targets",
        "destination",
        "drop",
        "drops",
        "loot",
        "loots",
        "reward",
        "gives",
        "contains",
        "content",
        "contents",
        "inventory",
        "bridge",
        "fence",
        "cliff",
        "collision",
        "collide",
        "collides",
        "walk",
        "walkable",
        "passable",
        "obstacle",
        "crate",
        "boulder",
        "pushable",
        "floor",
        "ground",
        "entrance",
        "victory",
        "win",
        "raft",
        "boat",
        "swim",
        "climb",
        "jump",
        "unlock",
    ]
)


def decides(name: str) -> bool:
    """Tell whether a name sounds as if what it means could change a verdict."""
    plain = plain_word(name)
    if any(root in plain for root in _ROOTS):
        return True
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+", name)
    return any(part.lower() in _WORDS for part in parts) or plain in _WORDS


def is_like_a_class(name: str) -> bool:
    """Tell whether a name is nearly one of our classes, and so perhaps one that is mistyped."""
    import difflib

    return bool(difflib.get_close_matches(plain_word(name)[:40], (*CLASSES, *ALIASES), n=1, cutoff=0.75))


def understood(kind: str, word: str) -> str | None:
    """Return which of our properties a plain word means on a class; None if it means none."""
    if word == "name":
        return word
    word = SYNONYMS.get(word, word)
    return word if word in PROPERTIES.get(kind, ()) else None


def our_property(text: str) -> str | None:
    """Return one of our properties as its plain word, however it is spelt; None if there is none such."""
    plain = plain_word(text)
    plain = {"colour": "color", "requiredby": "requires"}.get(plain, plain)
    return plain if plain in {plain_word(word) for word in OUR_PROPERTIES} else None


def is_gate_or_way(kind: str) -> bool:
    """Tell whether a class bars or is a way."""
    return kind in (*GATE_CLASSES, *WAY_CLASSES)
