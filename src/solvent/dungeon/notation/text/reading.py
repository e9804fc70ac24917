"""Read our text format: sections into floors, what stands on them, ways and rooms, each known by where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.bare_maps import COLOURS
from solvent.dungeon.model import (
    Block,
    Dial,
    Dungeon,
    Floor,
    Gate,
    Pickup,
    Place,
    Requirement,
    Room,
    Rules,
    Switch,
    Way,
)
from solvent.dungeon.notation.assembling import MAX_THINGS, WAY_KINDS, DungeonParts, assemble
from solvent.dungeon.notation.demands import describe_unmet, unmet_needs
from solvent.dungeon.notation.requirements import parse_requirement
from solvent.dungeon.notation.ruling import parse_rules
from solvent.dungeon.notation.switches import places_beside, places_in_sight
from solvent.dungeon.notation.text.lines import Line, Section, read_sections
from solvent.dungeon.notation.text.things import (
    BUILT_IN,
    EXPECTED_REACH,
    FIXED,
    GATES,
    PAIRS,
    SIGHT,
    SWITCHES,
    TERRAIN,
    Thing,
    Things,
    check_name,
    needs_of,
    parse_gate,
    parse_thing,
    parse_things,
)
from solvent.dungeon.rooms import pieces

# Patterns are compiled where they are first used: most dungeons need few of them.
_LEGEND_LINE = r"(?s:(\S)\s*=(.*))"
_PLACE = r"(?s:(?:(.*\S)\s+)?([0-9]{1,7}),([0-9]{1,7}))"
_SIZE = r"(?s:(.*\S)\s+([0-9]{1,7})x([0-9]{1,7}))"
_ARROW = r"<->|->"
_MOVES = r"[NESWr]|u?[0-9]{1,7}(?![0-9])"


class _Barring(Struct):
    """Gather the cells of one gate; ways name it by its number."""

    thing: Thing
    cells: list[Place] = field(default_factory=list)

    def gate(self) -> Gate:
        thing = self.thing
        cells = tuple(sorted(self.cells))
        return Gate(GATES[thing.word], needs_of(thing), cells, thing.open_at_first, thing.called, thing.rule)


class _Found(Struct):
    """Gather what a text says, and where."""

    floors: list[Floor] = field(default_factory=list)
    floor_rows: list[list[Line]] = field(default_factory=list)
    """Where each row of each floor stands."""
    floor_numbers: dict[int, int] = field(default_factory=dict)
    """By identity: two floors that are equal by mistake stand in two places."""
    starts: list[Place] = field(default_factory=list)
    goals: list[Place] = field(default_factory=list)
    pickups: list[Pickup] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    levers: list[tuple[Thing, Place, Line]] = field(default_factory=list)
    """To be joined to the switches once it is known what they can be worked from, with where they are described."""
    blocks: list[Block] = field(default_factory=list)
    gates: list[_Barring] = field(default_factory=list)
    gate_numbers: dict[Thing, int] = field(default_factory=dict)
    """The number of each gate that has a name or a number of its own."""
    loose_cells: dict[tuple[str, Thing], list[Place]] = field(default_factory=dict)
    """Cells of gates without: by glyph, to be parted into those that touch."""
    pairs: dict[tuple[str, str], list[Place]] = field(default_factory=dict)
    """Tiles with a glyph for stairs or a warp."""
    ways: list[Way] = field(default_factory=list)
    rooms: list[Room] = field(default_factory=list)
    described: dict[object, Line] = field(default_factory=dict)
    """Where a legend or a place says what things need and set, by that."""
    lines: dict[object, Line] = field(default_factory=dict)
    """Where gates without cells, ways, rooms and the moves stand."""

    def add_floor(self, floor: Floor, rows: list[Line]) -> None:
        self.floor_numbers[id(floor)] = len(self.floors)
        self.floors.append(floor)
        self.floor_rows.append(rows)

    def require_few(self, line: Line, at: int = 0) -> None:
        """Refuse what stands at an index of a line if it is one thing of a kind too many."""
        kinds = (self.pickups, self.blocks, self.switches, self.levers, self.goals)
        if any(len(things) > MAX_THINGS for things in kinds):
            raise line.error(f"at most {MAX_THINGS:,} things of one kind", at=at)

    def line_of(self, place: Place) -> Line:
        floor, row, column = place
        line = self.floor_rows[floor][row]
        # A place of which only the name is known stands in a line that is no row.
        return Line(line.number, line.column + column, line.text)

    def describe(self, things: Things, line: Line) -> None:
        """Remember where a line says what things need and set."""
        for thing, piece in zip(things, line.split("+"), strict=False):
            self.described.setdefault(_need_of(thing), piece)

    def locate_need(self, thing: object) -> Mapping[str, Any]:
        """Return where the text says what a thing needs or sets: in the legend, or where it stands."""
        line = self.described.get(_need_of(thing))
        return self.locate(thing) if line is None else {"line": line.number, "column": line.column}

    def locate(self, thing: object) -> Mapping[str, Any]:
        line = self.lines.get(thing)
        if line is None:
            place = thing if isinstance(thing, tuple) else getattr(thing, "place", None)
            if isinstance(thing, Gate) and thing.cells:
                place = thing.cells[0]
            if isinstance(thing, Floor):
                place = self.floor_numbers[id(thing)], 0, 0
            if place is None:
                return {"line": self.lines["end"].number}
            line = self.line_of(place)
        return {"line": line.number, "column": line.column}


def _need_of(thing: object) -> object:
    """Return what a thing needs and sets, the same for one of the text and one of the model."""
    match thing:
        case Thing(word=word) if word in GATES:
            return GATES[word], needs_of(thing), thing.called, thing.rule
        case Thing(word=word) if word in SWITCHES:
            return SWITCHES[word], thing.names, thing.sets, thing.rule
        case Thing(word=word):
            return word, thing.names, thing.rule
        case Gate():
            return thing.kind, thing.needs, thing.name, thing.rule
        case Switch():
            return thing.kind, (thing.name,), thing.sets, thing.rule
        case Pickup():
            return thing.kind, (thing.name,) * bool(thing.name), thing.rule
    return None


def parse_text(text: str) -> Dungeon:
    """Read a dungeon in our text format."""
    sections = read_sections(text)
    found = _Found()
    found.lines["end"] = Line(len(text.splitlines()) + 1, 1, "")
    rules = _read_rules(sections, found)
    legend, legend_lines = _read_legend(sections, found)
    remarks: list[str] = []
    if not sections[0].heading.text:
        legend, remarks = _with_colours(legend, sections[1])
    _read_floors(sections, legend, legend_lines, found)
    _part_loose_cells(found)
    _join_pairs(found, legend_lines)
    floor_numbers = {floor.name: number for number, floor in enumerate(found.floors)}
    for line in _entries(sections, "ways"):
        _read_way(line, floor_numbers, found)
    for line in _entries(sections, "rooms"):
        _read_room(line, floor_numbers, found)
    _set_levers(floor_numbers, found)
    gates = [barring.gate() for barring in found.gates]
    for number, gate in enumerate(gates):
        if not gate.cells:
            found.lines.setdefault(gate, found.lines[number])
    parts = DungeonParts(
        found.floors,
        starts=found.starts,
        goals=found.goals,
        pickups=found.pickups,
        gates=gates,
        switches=found.switches,
        blocks=found.blocks,
        ways=found.ways,
        rooms=found.rooms,
        rules=rules,
        title=sections[0].about.text,
        dials=_read_dials(sections, found),
        goal_rule=_read_goal_rule(sections, found),
        played=_read_moves(sections, found),
        remarks=remarks,
    )
    missing = _read_missing(sections)
    for thing, need in unmet_needs(parts):
        if missing is not None and need not in missing:
            raise ParseError(describe_unmet(parts, thing, need), **found.locate_need(thing))
    return assemble(parts, locate=found.locate, locate_need=found.locate_need, strict=missing is None)


def _entries(sections: Iterable[Section], word: str) -> Iterable[Line]:
    return (line for section in sections if section.word == word for line in section.entries)


def _read_rules(sections: Iterable[Section], found: _Found) -> Rules:
    rules = Rules()
    seen: set[str] = set()
    for section in sections:
        if section.word != "rules":
            continue
        found.lines.setdefault("rules", section.heading)
        for piece in section.about.split(","):
            name, equals, value = piece.text.partition("=")
            name = name.strip()
            if not equals:
                raise piece.error("a rule such as bombs=4")
            if name in seen:
                raise piece.error(f"the rule {name} only once")
            seen.add(name)
            try:
                rules = parse_rules({name: value.strip()}, rules)
            except BadOption as error:
                raise ParseError(f"a known rule and value: {error}", line=piece.number, column=piece.column) from None
    return rules


def _read_legend(sections: Iterable[Section], gathered: _Found) -> tuple[Mapping[str, Things], Mapping[str, Line]]:
    """Return what every glyph means, and where the legend says it."""
    legend = dict(BUILT_IN)
    lines: dict[str, Line] = {}
    for line in _entries(sections, "legend"):
        found = re.fullmatch(_LEGEND_LINE, line.text)
        if found is None:
            raise line.error("a glyph and what it means, such as 'r = key red'")
        glyph = found[1]
        if glyph in FIXED:
            raise line.error("another glyph: # . _ and blanks always mean the same")
        if glyph in lines:
            raise line.error(f"{glyph!r} only once in the legend")
        legend[glyph] = parse_things(line.piece(found.start(2)))
        lines[glyph] = line
        gathered.describe(legend[glyph], line.piece(found.start(2)))
    return legend, lines


def _with_colours(legend: Mapping[str, Things], map: Section) -> tuple[Mapping[str, Things], list[str]]:
    """Return a legend in which letters of a bare map stand for keys and locks of a colour, and remarks that say so."""
    used = set().union(*(row.text for row in map.entries))
    meanings: dict[str, Thing] = {}
    for letter, colour in COLOURS.items():
        meanings |= {letter: Thing("key", (colour,)), letter.upper(): Thing("lock", (colour,))}
    added = {glyph: thing for glyph, thing in meanings.items() if glyph in used and glyph not in legend}
    remarks = [
        f"no legend says what {glyph!r} is: it is a {thing.names[0]} {thing.word}" for glyph, thing in added.items()
    ]
    return {**legend, **{glyph: (thing,) for glyph, thing in added.items()}}, remarks


def _read_floors(
    sections: Iterable[Section], legend: Mapping[str, Things], legend_lines: Mapping[str, Line], found: _Found
) -> None:
    terrain = {glyph: _terrain(things) for glyph, things in legend.items()}
    letters = str.maketrans(terrain)
    # A glyph that only is terrain puts nothing on its tile: most tiles of a map are looked at no further.
    with_things = {glyph for glyph, things in legend.items() if any(thing.word not in TERRAIN for thing in things)}
    for section in sections:
        if section.word == "map":
            floor = len(found.floors)
            rows = _read_rows(section)
            name = check_name(section.about, "a name for the map,") if section.about.text else ""
            for number, row in enumerate(rows):
                if not legend.keys() >= set(row.text):
                    column = next(at for at, glyph in enumerate(row.text) if glyph not in legend)
                    line = Line(row.number, column + 1, row.text[column])
                    raise line.error("a glyph of the legend (a blank line ends a map)")
                for column, glyph in enumerate(row.text):
                    if glyph in with_things:
                        _put(legend[glyph], (floor, number, column), glyph, legend_lines.get(glyph, row), found)
                        found.require_few(row, column)
            found.add_floor(Floor(name, tuple(row.text.translate(letters) for row in rows)), rows)
        elif section.word == "places":
            for line in section.entries:
                _read_place(line, found)


def _terrain(things: Things) -> str:
    return next((TERRAIN[thing.word] for thing in things if thing.word in TERRAIN), TERRAIN["floor"])


def _read_rows(section: Section) -> list[Line]:
    """Return the rows, all equally long; blanks that reach beyond the longest row are not part of the map."""
    if not section.entries:
        raise section.heading.error("rows of a map in the lines below")
    width = max(len(row.text.rstrip()) for row in section.entries)
    for row in section.entries:
        if len(row.text) < width:
            raise ParseError(
                f"a row of {width} tiles like the longest (write _ for nothing at the end of a row), "
                f"but it has {len(row.text)}",
                line=row.number,
                column=len(row.text) + 1,
            )
    return [Line(row.number, row.column, row.text[:width]) for row in section.entries]


def _read_place(line: Line, found: _Found) -> None:
    name, colon, _ = line.text.partition(":")
    if not colon:
        raise line.error("a place and what is there, such as 'Hall: key'")
    check_name(line.piece(0, len(name)), "a name for the place,")
    rest = line.piece(len(name) + 1)
    things = parse_things(rest) if rest.text else ()
    found.describe(things, rest)
    if any(thing.word in PAIRS for thing in things):
        raise rest.error("stairs and warps of places under 'ways:'")
    floor = len(found.floors)
    found.add_floor(Floor(name.strip(), (_terrain(things),)), [line])
    # Each line stands for itself: gates of two places are one only if they are called alike.
    _put(things, (floor, 0, 0), f"place {floor}", line, found)
    found.require_few(line)


def _put(things: Things, place: Place, glyph: str, line: Line, found: _Found) -> None:
    """Put what a glyph stands for, as a line says, on a tile."""
    for thing in things:
        match thing.word:
            case "start":
                found.starts.append(place)
            case "goal":
                found.goals.append(place)
            case "key" | "bombs" | "item" | "monster":
                name = "".join(thing.names)
                found.pickups.append(Pickup(place, thing.word, name, thing.count, thing.rule, thing.renews))
            case "block":
                found.blocks.append(Block(place))
            case "switch" | "held switch":
                found.switches.append(Switch(place, thing.names[0], SWITCHES[thing.word], thing.sets))
            case "lever":
                found.levers.append((thing, place, line))
            case "stairs" | "warp":
                found.pairs.setdefault((glyph, thing.word), []).append(place)
            case word if word in GATES:
                if thing.called or thing.number:
                    found.gates[_gate_number(thing, found)].cells.append(place)
                else:
                    found.loose_cells.setdefault((glyph, thing), []).append(place)


def _gate_number(thing: Thing, found: _Found) -> int:
    """Return the number of a gate; those with a name or number of their own are made only once."""
    if thing.called or thing.number:
        number = found.gate_numbers.setdefault(thing, len(found.gates))
    else:
        number = len(found.gates)
    if number == len(found.gates):
        found.gates.append(_Barring(thing))
    return number


def _part_loose_cells(found: _Found) -> None:
    """Make one gate of all cells that touch and show the same glyph."""
    for (_, thing), cells in found.loose_cells.items():
        found.gates += [_Barring(thing, piece) for piece in pieces(cells)]


def _join_pairs(found: _Found, legend_lines: Mapping[str, Line]) -> None:
    for (glyph, kind), places in found.pairs.items():
        if len(places) != 2:
            line = legend_lines[glyph] if len(places) < 2 else found.line_of(places[2])
            count = "there is only one" if len(places) < 2 else f"there are {len(places)}"
            raise ParseError(
                f"two tiles {glyph!r} for {kind}, but {count}", glyph, line=line.number, column=line.column
            )
        for source, target in (places, reversed(places)):
            way = Way(source, target, kind)
            found.ways.append(way)
            found.lines.setdefault(way, found.line_of(source))


def _read_way(line: Line, floor_numbers: Mapping[str, int], found: _Found) -> None:
    arrow = re.search(_ARROW, line.text)
    colon = line.text.find(":")
    if arrow is None or colon < arrow.end():
        raise line.error("a way such as 'Hall -> Cellar: stairs' or '1,2 <-> 8,9: door, lock'")
    places = (line.piece(0, arrow.start()), line.piece(arrow.end(), colon))
    source, target = (_read_reference(piece, floor_numbers, found.floors) for piece in places)
    comma = line.text.find(",", colon)
    kind = line.piece(colon + 1, comma if comma >= 0 else None)
    if kind.text not in WAY_KINDS:
        raise kind.error(f"a kind of way: {', '.join(WAY_KINDS)}")
    gate = None
    if comma >= 0:
        rest = line.piece(comma + 1)
        gate = _gate_number(parse_gate(rest), found)
        found.lines.setdefault(gate, rest)
    ways = [Way(source, target, kind.text, gate)]
    if arrow[0] == "<->":
        ways.append(Way(target, source, kind.text, gate))
    for way in ways:
        found.ways.append(way)
        found.lines.setdefault(way, line)


def _read_reference(line: Line, floor_numbers: Mapping[str, int], floors: Sequence[Floor]) -> Place:
    """Read which tile is meant: `Hall` for a place, `3,4` on the only floor, or `Cellar 3,4`."""
    found = re.fullmatch(_PLACE, line.text)
    name = line.text if found is None else (found[1] or "")
    if found is not None and not name and len(floors) == 1:
        floor = 0
    elif name in floor_numbers:
        floor = floor_numbers[name]
    else:
        known = "" if not name else ", and nothing is called so"
        raise line.error(f"the name of a place, or a floor's with row and column, such as Cellar 3,4{known}")
    rows = floors[floor].terrain
    if found is None:
        if len(rows) != 1 or len(rows[0]) != 1:
            raise line.error(f"row and column as well, such as {name[:60]} 3,4")
        return floor, 0, 0
    row, column = int(found[2]), int(found[3])
    if row >= len(rows) or column >= len(rows[0]):
        raise line.error(f"a row below {len(rows)} and a column below {len(rows[0])}")
    return floor, row, column


def _read_room(line: Line, floor_numbers: Mapping[str, int], found: _Found) -> None:
    name, equals, rest = line.text.partition("=")
    about, colon, _ = rest.partition(":")
    where = line.piece(len(name) + 1, len(name) + 1 + len(about))
    size = re.fullmatch(_SIZE, where.text)
    if not equals or size is None:
        raise line.error("a room such as 'Hall = 2,3 5x8', with its first row and column, height and width")
    corner = _read_reference(where.piece(0, size.end(1)), floor_numbers, found.floors)
    labels: tuple[str, ...] = ()
    if colon:
        listed = line.piece(len(name) + 1 + len(about) + 1)
        labels = tuple(check_name(piece, "a label") for piece in listed.split(","))
    called = check_name(line.piece(0, len(name)), "a name for the room,")
    room = Room(called, corner, int(size[2]), int(size[3]), labels)
    found.rooms.append(room)
    found.lines.setdefault(room, line)


def _set_levers(floor_numbers: Mapping[str, int], found: _Found) -> None:
    """Find out what each lever can be worked from."""
    shut = {cell for barring in found.gates for cell in barring.cells}
    for thing, place, line in found.levers:
        if not thing.reach:
            reach = places_beside(found.floors, place)
        elif thing.reach == (SIGHT,):
            reach = places_in_sight(found.floors, place, shut)
        else:
            named = [Line(line.number, line.column, text) for text in thing.reach]
            for piece in named:
                if re.fullmatch(_PLACE, piece.text) is None and piece.text not in floor_numbers:
                    raise piece.error(EXPECTED_REACH)
            reach = tuple(_read_reference(piece, floor_numbers, found.floors) for piece in named)
        found.switches.append(Switch(place, thing.names[0], "lever", thing.sets, reach, thing.rule))


def _read_dials(sections: Iterable[Section], found: _Found) -> list[Dial]:
    dials = []
    for line in _entries(sections, "switches"):
        name, equals, _ = line.text.partition("=")
        if not equals:
            raise line.error("a switch and its states, such as 'water = high, middle, low'")
        called = check_name(line.piece(0, len(name)), "the name of a switch,")
        states = tuple(check_name(piece, "a state") for piece in line.piece(len(name) + 1).split(","))
        dials.append(Dial(called, states))
        found.lines.setdefault(dials[-1], line)
    return dials


def _read_goal_rule(sections: Iterable[Section], found: _Found) -> Requirement | None:
    rule: Requirement | None = None
    for section in sections:
        if section.word != "goal":
            continue
        if rule is not None:
            raise section.heading.error("what the goal needs only once")
        line = section.about
        if begins := re.match(r"needs:?(?!\S)", line.text):
            line = line.piece(begins.end())
        found.lines["goal rule"] = line
        rule = parse_requirement(line.text, line=line.number, column=line.column)
    return rule


def _read_missing(sections: Iterable[Section]) -> set[tuple[str, str]] | None:
    """Return the keys and items that gates need although they lie nowhere, or None if the text does not say."""
    missing: set[tuple[str, str]] | None = None
    for section in sections:
        if section.word == "missing":
            missing = missing or set()
            for piece in section.about.split("+"):
                thing = parse_thing(piece)
                if thing.word not in ("key", "item") or not thing.names:
                    raise piece.error("an item or a coloured key that is missing")
                missing.add((thing.word, thing.names[0]))
    return missing


def _read_moves(sections: Iterable[Section], found: _Found) -> list[str]:
    played: list[str] = []
    for line in _entries(sections, "moves"):
        found.lines.setdefault("played", line)
        at = 0
        while at < len(line.text):
            move = re.compile(_MOVES).match(line.text, at)
            if move is not None:
                letter = move[0].rstrip("0123456789")
                number = move[0][len(letter) :]
                played.append(letter + (str(int(number)) if number else ""))
                at = move.end()
            elif line.text[at].isspace():
                at += 1
            else:
                raise line.error("moves: N, E, S, W, r, the number of a way, or u and that of a lever", at=at)
    return played
