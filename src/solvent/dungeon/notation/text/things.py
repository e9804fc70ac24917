"""The words for what stands on a tile: terrain, what is taken, plates, blocks, stairs and gates.

A number in the parentheses after a gate, such as `lock (north door #2)` or `lock (#1)`, only tells gates apart that
look alike; it is no part of the name. `barrier SWITCH shut` is a barrier without `open`, for switches whose own name
ends in such a word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from solvent.dungeon.model import FLOOR, NOTHING, WALL, WATER
from solvent.dungeon.notation.ruling import MAX_OF_ANYTHING, is_name
from solvent.dungeon.notation.text.lines import Line

TERRAIN = {
    "floor": FLOOR,
    "wall": WALL,
    "water": WATER,
    "nothing": NOTHING,
    "one-way north": "^",
    "one-way east": ">",
    "one-way south": "v",
    "one-way west": "<",
}
"""Each kind of terrain by its words."""
GATES = {"lock": "lock", "cracked": "cracked", "gate": "item", "barrier": "barrier", "soft": "soft"}
"""Each kind of gate in the model by its word."""
PAIRS = ("stairs", "warp")
"""What joins the two tiles that show the same glyph."""

_PLAIN = ("start", "goal", "monster", "block", *PAIRS)
_NAMED = ("item", "switch")
KNOWN = (*TERRAIN, *_PLAIN, "key", "bombs", *_NAMED, *GATES)
_LIST = f"{', '.join(word for word in KNOWN if not word.startswith('one-way'))} or one-way north"

# Patterns are compiled where they are first used: most dungeons need few of them.
_COUNT = r"(?s:(?:(.*\S)\s+|)x([0-9]+))"
_CALLED = r"\(([^()#]*)(?:#([0-9]{1,6}))?\s*\)$"
_ENDING = r"(?s:(.*\S)\s+(open|shut))"
_WORD = r"[a-z]+(?:-[a-z]+)?"


class Thing(Struct, frozen=True):
    """Hold one thing as it is written."""

    word: str
    """As in `KNOWN`."""
    names: tuple[str, ...] = ()
    """A colour, an item, a switch or a room; several for a gate that needs several items."""
    count: int = 1
    """How many keys or bombs; 0 for bombs without a number."""
    open_at_first: bool = False
    called: str = ""
    """The name of a gate."""
    number: int = 0
    """What tells a gate from others that look like it; 0 for nothing."""


Things = tuple[Thing, ...]

BUILT_IN: Mapping[str, Things] = {
    "#": (Thing("wall"),),
    ".": (Thing("floor"),),
    " ": (Thing("nothing"),),
    "_": (Thing("nothing"),),
    "~": (Thing("water"),),
    "^": (Thing("one-way north"),),
    ">": (Thing("one-way east"),),
    "v": (Thing("one-way south"),),
    "<": (Thing("one-way west"),),
    "@": (Thing("start"),),
    "G": (Thing("goal"),),
    "k": (Thing("key"),),
    "L": (Thing("lock"),),
    "b": (Thing("bombs", count=0),),
    "B": (Thing("cracked"),),
    "m": (Thing("monster"),),
    "o": (Thing("block"),),
}
"""What glyphs mean without a legend."""
FIXED = "#. _"
"""Glyphs that no legend may change."""


def check_name(line: Line, what: str) -> str:
    """Return a name, or refuse what is none."""
    if not is_name(line.text):
        raise line.error(f"{what} of up to 60 letters, digits, blanks, - and '")
    return line.text


def parse_things(line: Line) -> tuple[Thing, ...]:
    """Read things joined by `+`."""
    things = tuple(parse_thing(piece) for piece in line.split("+"))
    terrain = [at for at, thing in enumerate(things) if thing.word in TERRAIN]
    if len(terrain) > 1:
        raise list(line.split("+"))[terrain[1]].error("one kind of terrain on a tile")
    for what, words in (("gate", tuple(GATES)), ("pair of stairs or warps", PAIRS)):
        of_a_kind = [at for at, thing in enumerate(things) if thing.word in words]
        if len(of_a_kind) > 1:
            raise list(line.split("+"))[of_a_kind[1]].error(f"one {what} on a tile")
    return things


def parse_thing(line: Line) -> Thing:
    """Read one thing."""
    found = re.match(_WORD, line.text)
    word = found[0] if found else ""
    rest = line.piece(len(word))
    if word == "one-way":
        direction = f"{word} {rest.text}"
        if direction not in TERRAIN:
            raise rest.error("north, east, south or west after one-way")
        return Thing(direction)
    if word not in KNOWN or (len(line.text) > len(word) and line.text[len(word)] not in " \t("):
        raise line.error(f"a thing: {_LIST}")
    if word in GATES:
        return parse_gate(line)
    if word in ("key", "bombs"):
        return _parse_counted(word, rest)
    if word in _NAMED:
        return Thing(word, (check_name(rest, f"a name for the {word},"),))
    if rest.text:
        raise rest.error(f"nothing after {word}")
    return Thing(word)


def parse_gate(line: Line) -> Thing:
    """Read a gate, with its own name in parentheses if it has one."""
    found = re.match(_WORD, line.text)
    word = found[0] if found else ""
    if word not in GATES:
        raise line.error(f"a gate: {', '.join(GATES)}")
    called, number, rest = "", 0, line.piece(len(word))
    in_parentheses = re.search(_CALLED, rest.text)
    if in_parentheses is not None:
        name = rest.piece(in_parentheses.start(1), in_parentheses.end(1))
        if name.text or in_parentheses[2] is None:
            called = check_name(name, "a name for the gate,")
        number = int(in_parentheses[2] or 0)
        rest = rest.piece(0, in_parentheses.start())
    open_at_first = False
    if word == "barrier" and (ending := re.fullmatch(_ENDING, rest.text)):
        open_at_first = ending[2] == "open"
        rest = rest.piece(0, ending.end(1))
    if word == "cracked":
        if rest.text:
            raise rest.error("nothing after cracked but a name in parentheses")
        names: tuple[str, ...] = ()
    elif word == "gate":
        names = tuple(sorted({check_name(piece, "the name of an item") for piece in rest.split(",")}))
    elif word == "lock" and not rest.text:
        names = ()
    else:
        what = {"lock": "a colour", "barrier": "the name of a switch", "soft": "the name of a room"}[word]
        names = (check_name(rest, what),)
    return Thing(word, names, open_at_first=open_at_first, called=called, number=number)


def _parse_counted(word: str, rest: Line) -> Thing:
    count, name = (0 if word == "bombs" else 1), rest
    if found := re.fullmatch(_COUNT, rest.text):
        count = int(found[2][:9])
        if not 1 <= count <= MAX_OF_ANYTHING:
            raise rest.piece(found.start(2) - 1).error(f"x1 to x{MAX_OF_ANYTHING}")
        name = rest.piece(0, found.end(1) if found[1] else 0)
    if not name.text:
        return Thing(word, count=count)
    if word == "bombs":
        raise name.error("nothing after bombs but how many, such as x4")
    return Thing(word, (check_name(name, "a colour"),), count=count)


def format_thing(thing: Thing) -> str:
    """Write one thing so that reading gives it again."""
    words = [thing.word]
    if thing.names:
        words.append(", ".join(thing.names))
    last = thing.names[-1].rpartition(" ")[2] if thing.names else ""
    if thing.word == "key" and (thing.count != 1 or re.fullmatch(_COUNT, last)):
        words.append(f"x{thing.count}")
    if thing.word == "bombs" and thing.count:
        words.append(f"x{thing.count}")
    if thing.word == "barrier" and (thing.open_at_first or (last in ("open", "shut"))):
        words.append("open" if thing.open_at_first else "shut")
    if thing.called or thing.number:
        words.append(f"({' '.join([thing.called] * bool(thing.called) + [f'#{thing.number}'] * bool(thing.number))})")
    return " ".join(words)


def needs_of(thing: Thing) -> tuple[str, ...]:
    """Return what a gate needs, as the model has it: a plain lock needs a key of no colour."""
    return ("",) if thing.word == "lock" and not thing.names else thing.names
