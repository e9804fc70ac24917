"""The words for what stands on a tile: terrain, what is taken, plates, blocks, stairs and gates.

Names that would be read in another way stand in quotes: `item "x2"`, `lever "the one that sets me free" sets on`.

A number in the parentheses after a gate, such as `lock (north door #2)` or `lock (#1)`, only tells gates apart that
look alike; it is no part of the name. `barrier SWITCH shut` is a barrier without `open`, for switches whose own name
ends in such a word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.dungeon.model import FLOOR, NOTHING, WALL, WATER, Requirement
from solvent.dungeon.notation.requirements import format_requirement, parse_requirement, read_requirement
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
GATES = {"lock": "lock", "cracked": "cracked", "gate": "item", "barrier": "barrier", "soft": "soft", "needs": "rule"}
"""Each kind of gate in the model by its word."""
PAIRS = ("stairs", "warp")
"""What joins the two tiles that show the same glyph."""

PICKUPS = ("key", "bombs", "item", "monster")
SWITCHES = {"switch": "plate", "held switch": "held", "lever": "lever"}
"""Each kind of switch in the model by its words."""
SIGHT = "sight"
"""From where a lever can be worked, if not from beside it."""
EXPECTED_REACH = "sight, or tiles such as 3,4; 3,5, after from"

_PLAIN = ("start", "goal", "block", *PAIRS)
KNOWN = (*TERRAIN, *_PLAIN, *PICKUPS, *SWITCHES, *GATES)
_LIST = f"{', '.join(word for word in KNOWN if not word.startswith('one-way'))} or one-way north"

# Patterns are compiled where they are first used: most dungeons need few of them.
_COUNT = r"(?s:(?:(.*\S)\s+|)x([0-9]+))"
_RENEWING = r"(?s:(?:(.*\S)\s+|)renewing)"
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
    rule: Requirement | None = None
    """What a gate or a lever needs, or when a pickup is there."""
    renews: bool = False
    sets: str = ""
    """The state that a plate or a lever sets."""
    reach: tuple[str, ...] = ()
    """From where a lever can be worked: `sight`, or places; none for beside it."""


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
    if word == "held" and (found := re.match(r"(?:switch|plate)(?!\S)", rest.text)):
        return _parse_switch("held switch", rest.piece(found.end()))
    ends = " \t(:" if word == "needs" else " \t("
    if word not in KNOWN or (len(line.text) > len(word) and line.text[len(word)] not in ends):
        raise line.error(f"a thing: {_LIST}")
    if word in GATES:
        return parse_gate(line)
    if word in PICKUPS:
        return _parse_pickup(word, rest)
    if word in SWITCHES:
        return _parse_switch(word, rest)
    if rest.text:
        hint = " (a line 'goal: needs …' says what goals need)" if word == "goal" else ""
        raise rest.error(f"nothing after {word}{hint}")
    return Thing(word)


def parse_gate(line: Line) -> Thing:
    """Read a gate, with its own name in parentheses if it has one."""
    found = re.match(_WORD, line.text)
    word = found[0] if found else ""
    if word not in GATES:
        raise line.error(f"a gate: {', '.join(GATES)}")
    called, number, rest = "", 0, line.piece(len(word))
    rule: Requirement | None = None
    if word == "needs":
        if rest.text.startswith(":"):
            rest = rest.piece(1)
        rule, end = read_requirement(rest.text, line=rest.number, column=rest.column)
        rest = rest.piece(end)
        if rest.text and re.match(_CALLED, rest.text) is None:
            raise rest.error("a name for the gate in parentheses, or an operator before them")
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
    if word == "needs":
        names: tuple[str, ...] = ()
    elif word == "cracked":
        if rest.text:
            raise rest.error("nothing after cracked but a name in parentheses")
        names = ()
    elif word == "gate":
        names = tuple(sorted({check_name(piece, "the name of an item") for piece in rest.split(",")}))
    elif word == "lock" and not rest.text:
        names = ()
    else:
        what = {"lock": "a colour", "barrier": "the name of a switch", "soft": "the name of a room"}[word]
        names = (check_name(rest, what),)
    return Thing(word, names, open_at_first=open_at_first, called=called, number=number, rule=rule)


def _parse_pickup(word: str, line: Line) -> Thing:
    """Read what follows the word: `NAME xCOUNT renewing when RULE`, each of them if there is one."""
    rest, when = _cut(line, "when")
    rule = None if when is None else parse_requirement(when.text, line=when.number, column=when.column)
    count, renews = (0 if word == "bombs" else 1), False
    if found := re.fullmatch(_RENEWING, rest.text):
        renews, rest = True, rest.piece(0, found.end(1) if found[1] else 0)
    if (found := re.fullmatch(_COUNT, rest.text)) and (found[1] or word != "item") and word != "monster":
        count = int(found[2][:9])
        if not 1 <= count <= MAX_OF_ANYTHING:
            raise rest.piece(found.start(2) - 1).error(f"x1 to x{MAX_OF_ANYTHING}")
        rest = rest.piece(0, found.end(1) if found[1] else 0)
    if rest.text and word in ("bombs", "monster"):
        raise rest.error("nothing after bombs but how many, such as x4" if word == "bombs" else "nothing after monster")
    names: tuple[str, ...] = ()
    if rest.text or word == "item":
        names = (_unquoted_name(rest, "a colour" if word == "key" else "a name for the item,"),)
    return Thing(word, names, count, rule=rule, renews=renews)


def _parse_switch(word: str, line: Line) -> Thing:
    """Read what follows the word: `NAME sets STATE`, and for a lever `from PLACES needs RULE`."""
    rest = line
    rule: Requirement | None = None
    reach: tuple[str, ...] = ()
    if word == "lever":
        rest, needs = _cut(rest, "needs")
        if needs is not None:
            rule = parse_requirement(needs.text, line=needs.number, column=needs.column)
        rest, places = _cut(rest, "from")
        if places is not None:
            reach = tuple(_without_comma(piece).text for piece in places.split(";"))
            if not all(reach):
                raise places.error(EXPECTED_REACH)
            if reach == ("beside",):
                reach = ()
    rest, state = _cut(rest, "sets")
    name = _unquoted_name(_without_comma(rest), f"a name for the {word},")
    sets = "" if state is None else _unquoted_name(_without_comma(state), "a state of the switch")
    return Thing(word, (name,), sets=sets, rule=rule, reach=reach)


def _cut(line: Line, word: str) -> tuple[Line, Line | None]:
    """Return what stands before a word and after it, which follows something and is not in quotes; None without it."""
    for found in re.finditer(rf'"[^"]*"|(?<!\S){word}:?(?!\S)', line.text):
        if not found[0].startswith('"') and (found.start() or word == "when"):
            return line.piece(0, found.start()), line.piece(found.end())
    return line, None


def _without_comma(line: Line) -> Line:
    return line.piece(0, -1) if line.text.endswith(",") else line


def _unquoted_name(line: Line, what: str) -> str:
    is_quoted = len(line.text) > 1 and line.text[0] == line.text[-1] == '"'
    return check_name(Line(line.number, line.column + 1, line.text[1:-1]) if is_quoted else line, what)


def format_thing(thing: Thing) -> str:
    """Write one thing so that reading gives it again."""
    if thing.word in ("key", "item", *SWITCHES):
        plain = _format(thing, "")
        return plain if _is_read_as(plain, thing) else _format(thing, '"')
    return _format(thing, "")


def _is_read_as(text: str, thing: Thing) -> bool:
    try:
        return parse_thing(Line(1, 1, text)) == thing
    except ParseError:
        return False


def _format(thing: Thing, quote: str) -> str:
    words = [thing.word]
    if thing.names:
        words.append(f"{quote}{', '.join(thing.names)}{quote}")
    last = thing.names[-1].rpartition(" ")[2] if thing.names else ""
    if thing.word in ("key", "item") and (thing.count != 1 or (thing.word == "key" and re.fullmatch(_COUNT, last))):
        words.append(f"x{thing.count}")
    if thing.word == "bombs" and thing.count:
        words.append(f"x{thing.count}")
    if thing.word == "barrier" and (thing.open_at_first or (last in ("open", "shut"))):
        words.append("open" if thing.open_at_first else "shut")
    if thing.renews:
        words.append("renewing")
    if thing.sets:
        words += ["sets", f"{quote}{thing.sets}{quote}"]
    if thing.reach:
        words += ["from", "; ".join(thing.reach)]
    if thing.rule is not None:
        rule = format_requirement(thing.rule)
        words += [rule] if thing.word == "needs" else ["needs" if thing.word == "lever" else "when", rule]
    if thing.called or thing.number:
        words.append(f"({' '.join([thing.called] * bool(thing.called) + [f'#{thing.number}'] * bool(thing.number))})")
    return " ".join(words)


def needs_of(thing: Thing) -> tuple[str, ...]:
    """Return what a gate needs, as the model has it: a plain lock needs a key of no colour."""
    return ("",) if thing.word == "lock" and not thing.names else thing.names
