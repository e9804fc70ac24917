"""Write our text format, so that reading it gives an equal dungeon.

Built-in glyphs are used where they fit. Others are chosen to remind of what they stand for, and never mean something
other than they do without a legend.
"""

from __future__ import annotations

import string
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from solvent.dungeon.model import NOTHING, STEPS, Dungeon, Gate, Have, Place, Switch, Way
from solvent.dungeon.notation.assembling import tidy_title
from solvent.dungeon.notation.demands import unmet_needs
from solvent.dungeon.notation.requirements import atoms_of, format_requirement
from solvent.dungeon.notation.ruling import format_rules
from solvent.dungeon.notation.switches import places_beside, places_in_sight
from solvent.dungeon.notation.text.things import (
    BUILT_IN,
    GATES,
    PAIRS,
    SIGHT,
    SWITCHES,
    TERRAIN,
    Thing,
    Things,
    format_thing,
)
from solvent.dungeon.rooms import pieces

_TERRAIN_WORDS = {letter: word for word, letter in TERRAIN.items()}
_GATE_WORDS = {kind: word for word, kind in GATES.items()}
_SWITCH_WORDS = {kind: word for word, kind in SWITCHES.items()}
_MAX_PAIRS = 9
"""More stairs than this are easier to find in a list than by digits on the map."""
_LONGEST_LINE = 100
_PUNCTUATION = "!$%&*?/|:;-,'`"


def format_text(dungeon: Dungeon) -> str:
    """Write a dungeon in our text format."""
    contents = _contents(dungeon)
    pairs, ways = _part_pairs(dungeon, contents)
    gate_things = _gate_things(dungeon, contents)
    for number, gate in enumerate(dungeon.gates):
        for cell in gate.cells:
            contents[cell] += (gate_things[number],)
    glyphs = _Glyphs()
    glyph_of: dict[Place, str] = {}
    for number, (one, other) in enumerate(pairs, 1):
        things = contents[one] + (Thing(pairs[one, other]),)
        glyph_of[one] = glyph_of[other] = glyphs.take(things, wishes=str(number))
    in_maps = [place for place in sorted(contents) if not _is_place(dungeon, place[0]) and place not in glyph_of]
    for place in in_maps:
        glyph_of[place] = glyphs.of(contents[place])
    parts = [
        [f"dungeon: {tidy_title(dungeon.title)}".rstrip(), *_rule_lines(dungeon)],
        *_floor_parts(dungeon, contents, glyph_of),
        _listed("legend:", (f"{glyph} = {_join(things)}" for glyph, things in glyphs.legend())),
        _listed("switches:", (f"{dial.switch} = {', '.join(dial.states)}" for dial in dungeon.dials)),
        _listed("rooms:", _room_lines(dungeon)),
        _listed("ways:", _way_lines(dungeon, ways, gate_things)),
        _move_lines(dungeon.played),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _contents(dungeon: Dungeon) -> dict[Place, Things]:
    """Return what stands on each tile that has more than terrain, without gates and stairs."""
    things: defaultdict[Place, list[Thing]] = defaultdict(list)
    things[dungeon.start].append(Thing("start"))
    for goal in dungeon.goals:
        things[goal].append(Thing("goal"))
    for pickup in dungeon.pickups:
        names = (pickup.name,) if pickup.name else ()
        things[pickup.place].append(Thing(pickup.kind, names, pickup.count, rule=pickup.rule, renews=pickup.renews))
    shut = {cell for gate in dungeon.gates for cell in gate.cells}
    for switch in dungeon.switches:
        reach = _reach(dungeon, switch, shut) if switch.kind == "lever" else ()
        word = _SWITCH_WORDS[switch.kind]
        things[switch.place].append(Thing(word, (switch.name,), sets=switch.sets, rule=switch.rule, reach=reach))
    for block in dungeon.blocks:
        things[block.place].append(Thing("block"))
    for gate in dungeon.gates:
        for cell in gate.cells:
            things[cell].extend(())
    for way in dungeon.ways:
        things[way.source].extend(())
        things[way.target].extend(())
    contents = {}
    for place, found in things.items():
        floor, row, column = place
        terrain = dungeon.floors[floor].terrain[row][column]
        bare = () if terrain == TERRAIN["floor"] else (Thing(_TERRAIN_WORDS[terrain]),)
        contents[place] = (*bare, *found)
    return contents


def _reach(dungeon: Dungeon, switch: Switch, shut: set[Place]) -> tuple[str, ...]:
    """Return from where a lever can be worked, in the fewest words."""
    if switch.reach == places_beside(dungeon.floors, switch.place):
        return ()
    if switch.reach == places_in_sight(dungeon.floors, switch.place, shut):
        return (SIGHT,)
    named = (_reference(dungeon, place) for place in switch.reach)
    return tuple(f"{text} 0,0" if text == SIGHT else text for text in named)


def _is_place(dungeon: Dungeon, floor: int) -> bool:
    """Tell whether a floor is a single tile with a name, to be listed under `places:`."""
    terrain = dungeon.floors[floor].terrain
    return len(terrain) == 1 and len(terrain[0]) == 1 and bool(dungeon.floors[floor].name)


def _part_pairs(dungeon: Dungeon, contents: Mapping[Place, Things]) -> tuple[dict[tuple[Place, Place], str], list[Way]]:
    """Return the stairs and warps that a glyph on two tiles can say, and the other ways."""
    counts = Counter(dungeon.ways)
    ends = Counter(place for way in dungeon.ways for place in (way.source, way.target))
    gated = {cell for gate in dungeon.gates for cell in gate.cells}
    pairs: dict[tuple[Place, Place], str] = {}
    for way in dungeon.ways:
        one, other = way.source, way.target
        if (
            one < other
            and way.kind in PAIRS
            and way.gate is None
            and counts[Way(other, one, way.kind)] == 1
            and ends[one] == ends[other] == 2
            and contents[one] == contents[other]
            and not {one, other} & gated
            and not any(_is_place(dungeon, place[0]) for place in (one, other))
        ):
            pairs[one, other] = way.kind
    if len(pairs) > _MAX_PAIRS:
        pairs = {}
    joined = {place for pair in pairs for place in pair}
    return pairs, [way for way in dungeon.ways if way.source not in joined]


def _gate_things(dungeon: Dungeon, contents: Mapping[Place, Things]) -> list[Thing]:
    """Return each gate in words, with a number where the words alone would not tell which gate it is."""
    ways_by_gate: defaultdict[int, list[Way]] = defaultdict(list)
    for way in dungeon.ways:
        if way.gate is not None:
            ways_by_gate[way.gate].append(way)
    things: list[Thing] = []
    named: set[Thing] = set()
    numbers: Counter[Thing] = Counter()
    bare_cells: dict[Place, tuple[Thing, Things]] = {}
    for number, gate in enumerate(dungeon.gates):
        names = tuple(need for need in gate.needs if need)
        thing = Thing(_GATE_WORDS[gate.kind], names, open_at_first=gate.open_at_first, called=gate.name, rule=gate.rule)
        if gate.name:
            unclear = thing in named
            named.add(thing)
        else:
            looks = {cell: (thing, contents[cell]) for cell in gate.cells}
            unclear = not _is_one_piece(gate, contents, ways_by_gate[number]) or any(
                bare_cells.get(beside) == look for cell, look in looks.items() for beside in _beside(cell)
            )
            if not unclear:
                bare_cells.update(looks)
        if unclear:
            numbers[thing] += 1
            # The first of a name has no number, so that the second is 2.
            tag = numbers[thing] + bool(gate.name)
            thing = replace(thing, number=tag)
        things.append(thing)
    return things


def _is_one_piece(gate: Gate, contents: Mapping[Place, Things], ways: Sequence[Way]) -> bool:
    """Tell whether a gate without a name is read as one: cells of one look that touch, or one line under `ways:`."""
    if not gate.cells:
        return len(_way_entries(ways)) == 1
    if ways or len({contents[cell] for cell in gate.cells}) > 1:
        return False
    return len(list(pieces(gate.cells))) == 1


def _beside(place: Place) -> Iterator[Place]:
    floor, row, column = place
    return ((floor, row + down, column + right) for down, right in STEPS.values())


class _Glyphs:
    """Choose glyphs, each once."""

    def __init__(self) -> None:
        self._taken = set(BUILT_IN)
        self._chosen: dict[Things, str] = {things: glyph for glyph, things in BUILT_IN.items() if glyph != "_"}
        self._legend: dict[str, Things] = {}
        self._others = _other_glyphs()
        self._chosen[()] = "."

    def of(self, things: Things) -> str:
        """Return the glyph of what stands on a tile, the same for the same things."""
        if things not in self._chosen:
            self._chosen[things] = self.take(things, wishes=_wishes(things))
        return self._chosen[things]

    def take(self, things: Things, *, wishes: str) -> str:
        """Return a glyph that means these things and was not taken before: one of those wished, or any."""
        glyph = next((wish for wish in wishes if wish not in self._taken), None)
        while glyph is None or glyph in self._taken:
            glyph = next(self._others)
        self._taken.add(glyph)
        self._legend[glyph] = things
        return glyph

    def legend(self) -> list[tuple[str, Things]]:
        """Return the glyphs that need saying, in the order they were chosen."""
        return list(self._legend.items())


def _wishes(things: Things) -> str:
    """Return letters that remind of what stands on a tile, best first: small for what is taken, large for gates."""
    shown = sorted((thing for thing in things if thing.word not in TERRAIN), key=lambda thing: thing.word in GATES)
    wishes = ""
    for thing in shown:
        asked = [atom.name for atom in atoms_of(thing.rule) if isinstance(atom, Have)] if thing.word == "needs" else []
        names = [*thing.names, thing.called, *asked, thing.word]
        spelled = [[letter for letter in name if letter in string.ascii_letters] for name in names]
        # All first letters before any second one.
        letters = "".join(letter for several in zip_longest(*spelled, fillvalue="") for letter in several)
        wishes += letters.upper() + letters.lower() if thing.word in GATES else letters.lower() + letters.upper()
    return wishes


def _other_glyphs() -> Iterator[str]:
    yield from string.ascii_lowercase + string.ascii_uppercase + string.digits + _PUNCTUATION
    for code in range(0xA1, 0x32000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Lu", "Ll", "Lo") and unicodedata.bidirectional(letter) == "L":
            yield letter
    raise AssertionError("a dungeon has fewer kinds of tiles than there are letters")


def _rule_lines(dungeon: Dungeon) -> Iterator[str]:
    rules = format_rules(dungeon.rules)
    if rules:
        yield "rules: " + ", ".join(f"{name}={value}" for name, value in rules.items())
    if dungeon.goal_rule is not None:
        yield f"goal: needs {format_requirement(dungeon.goal_rule)}"
    missing = sorted({need for _, need in unmet_needs(dungeon)})
    if missing:
        yield "missing: " + " + ".join(format_thing(Thing(word, (name,))) for word, name in missing)


def _floor_parts(
    dungeon: Dungeon, contents: Mapping[Place, Things], glyph_of: Mapping[Place, str]
) -> Iterator[list[str]]:
    places: list[str] = []
    for number, floor in enumerate(dungeon.floors):
        if _is_place(dungeon, number):
            things = contents.get((number, 0, 0))
            if things is None:
                terrain = floor.terrain[0]
                things = () if terrain == TERRAIN["floor"] else (Thing(_TERRAIN_WORDS[terrain]),)
            places.append(f"{floor.name}: {_join(things) if things else ''}".rstrip())
            continue
        if places:
            yield _listed("places:", places)
            places = []
        rows = [list(row) for row in floor.terrain]
        for row, letters in enumerate(rows):
            # Editors cut blanks off the ends of lines, so nothing is written in another way there.
            if letters[-1] == NOTHING:
                letters[-1] = "_"
            for column in range(len(letters)):
                letters[column] = glyph_of.get((number, row, column), letters[column])
        yield [f"map {floor.name}:" if floor.name else "map:", *("".join(row) for row in rows)]
    if places:
        yield _listed("places:", places)


def _room_lines(dungeon: Dungeon) -> Iterator[str]:
    for room in dungeon.rooms:
        labels = f": {', '.join(room.labels)}" if room.labels else ""
        floor, row, column = room.corner
        where = f"{row},{column}" if len(dungeon.floors) == 1 else f"{dungeon.floors[floor].name} {row},{column}"
        yield f"{room.name} = {where} {room.height}x{room.width}{labels}"


def _way_entries(ways: Sequence[Way]) -> list[tuple[Way, bool]]:
    """Return the ways as lines say them: each with its way back where there is one like it."""
    rest = Counter(ways)
    entries = []
    for way in ways:
        if rest[way]:
            rest[way] -= 1
            back = Way(way.target, way.source, way.kind, way.gate)
            both = rest[back] > 0
            rest[back] -= both
            entries.append((way, both))
    return entries


def _way_lines(dungeon: Dungeon, ways: Sequence[Way], gate_things: Sequence[Thing]) -> Iterator[str]:
    entries = _way_entries(ways)
    # Gates that bar nothing but ways keep the order in which lines name them first.
    only_ways = [-1 if way.gate is None or dungeon.gates[way.gate].cells else way.gate for way, _ in entries]
    named = list(dict.fromkeys(gate for gate in only_ways if gate >= 0))
    if named != sorted(named):
        order = sorted(range(len(entries)), key=lambda at: only_ways[at])
        entries = [entries[at] for at in order]
    for way, both in entries:
        gate = "" if way.gate is None else f", {format_thing(gate_things[way.gate])}"
        source, target = (_reference(dungeon, place) for place in (way.source, way.target))
        yield f"{source} {'<->' if both else '->'} {target}: {way.kind}{gate}"


def _reference(dungeon: Dungeon, place: Place) -> str:
    floor, row, column = place
    if _is_place(dungeon, floor):
        return dungeon.floors[floor].name
    return f"{row},{column}" if len(dungeon.floors) == 1 else f"{dungeon.floors[floor].name} {row},{column}"


def _move_lines(played: Sequence[str]) -> list[str]:
    """Write letters together, numbers apart, in lines that can be read."""
    words: list[str] = []
    for move in played:
        if words and move.isalpha() and words[-1].isalpha() and len(words[-1]) < _LONGEST_LINE // 2:
            words[-1] += move
        else:
            words.append(move)
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < _LONGEST_LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(word if lines else f"moves: {word}")
    return lines


def _listed(heading: str, entries: Iterator[str] | Sequence[str]) -> list[str]:
    indented = [f"  {entry}" for entry in entries]
    return [heading, *indented] if indented else []


def _join(things: Things) -> str:
    return " + ".join(format_thing(thing) for thing in things) or "floor"
