"""Draw dungeons for a terminal, at most 80 columns wide.

A tile is two characters wide where that fits, so that maps keep their shape; wider maps have one character a tile, and
those still too wide are cut into bands. A walk is drawn as arrows, with numbers where something happens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, field

from solvent.drawing.palette import Paint
from solvent.drawing.rulers import text_margin, write_columns, write_row
from solvent.drawing.terminal import WIDTH, Piece, wrap, wrap_key, write_pieces
from solvent.dungeon.drawing.colours import DANGER, GROUND, PLAN, PLAYER, REACH, SEA, STONE
from solvent.dungeon.drawing.doors import Link, sort_ways
from solvent.dungeon.drawing.glyphs import (
    BLOCK,
    DOORWAY,
    FALLEN,
    GOAL,
    HELD_MARK,
    LATER_MARK,
    LEVER_MARK,
    OPEN_GATE,
    RENEWS_MARK,
    STAIRS,
    START,
    WARP,
    WAY_END,
    Glyphs,
    choose_glyphs,
)
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import captions_for, gate_is_open
from solvent.dungeon.events import (
    describe_ends,
    describe_need,
    describe_pickup,
    describe_place,
    describe_switch,
    name_place,
    name_switch,
)
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, RETURN, WALL, WATER, Dungeon, Floor, Place
from solvent.dungeon.rooms import is_room_graph
from solvent.dungeon.rules import Game, beside

MAX_LINES = 40
"""In a list of events or ways; the others are counted."""
MAX_ROWS_IN_BRIEF, ROWS_AROUND = 40, 6
"""Rows up to which a map is drawn whole even in brief, and how many are drawn around a path where it is not."""
RETURN_LINE = "r returns to the start, from anywhere."
MAX_UNRULED = 8
"""Rows and columns up to which a floor has no rulers."""
ARROWS = {(-1, 0): "↑", (0, 1): "→", (1, 0): "↓", (0, -1): "←"}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ"


class Cell(Struct):
    """Hold what is drawn on a tile: the first character always shows, the second where a tile has room for it."""

    signs: list[str] = field(default_factory=list)
    paint: Paint | None = None
    number: int | None = None
    """Of an event there; it takes the place of the signs."""


def draw_lines(dungeon: Dungeon, overlay: Overlay, *, colour: bool, brief: bool = False, bare: bool = False) -> str:
    """Draw the map, or a list of rooms where no more is known of them, and say below what the signs mean.

    In `brief`, of a tall map only the rows around the path of a hint are drawn. A `bare` map has no words.
    """
    head = ([dungeon.title] if dungeon.title else []) + captions_for(dungeon, overlay)
    blocks = ["\n".join(line for text in head for line in wrap(text))] if head else []
    if is_room_graph(dungeon):
        from solvent.dungeon.drawing.listing import list_rooms

        blocks.append(list_rooms(dungeon, overlay))
        blocks.append(RETURN_LINE if dungeon.rules.home == "always" else "")
        blocks.extend(_events(overlay, wide=True))
    else:
        wide = max(len(floor.terrain[0]) * 2 + _margin(floor) for floor in dungeon.floors) <= WIDTH
        glyphs, game = choose_glyphs(dungeon), Game(dungeon)
        _, links = sort_ways(dungeon)
        cells = _fill(dungeon, overlay, glyphs, links)
        used: dict[str, None] = {}
        for floor in range(len(dungeon.floors)):
            rows = _rows_to_show(dungeon, floor, overlay, brief=brief)
            if rows:
                blocks.extend(_bands(dungeon, floor, rows, cells, used, wide=wide, colour=colour))
        if bare:
            return "\n\n".join(blocks[1 if head else 0 :])
        blocks.extend(_events(overlay, wide=wide))
        blocks.append(_key(game, overlay, glyphs, used))
        blocks.append("\n".join(_list_rules(game, overlay, glyphs)))
        if links:
            blocks.append("\n".join(_list_links(dungeon, links)))
    return "\n\n".join(block for block in blocks if block)


# what is on each tile


def _fill(dungeon: Dungeon, overlay: Overlay, glyphs: Glyphs, links: Sequence[Link]) -> dict[Place, Cell]:
    """Return what stands on tiles that are not bare ground; what is found first shows first."""
    cells: dict[Place, Cell] = defaultdict(Cell)

    def add(place: Place, sign: str, paint: Paint | None = None) -> None:
        cell = cells[place]
        cell.signs.append(sign)
        if len(cell.signs) == 1:
            cell.paint = paint

    state, game = overlay.state, Game(dungeon)
    for place in overlay.danger:
        add(place, "!", DANGER)
    add(state.place, START, PLAYER)
    for goal in dungeon.goals:
        add(goal, GOAL, glyphs.paint[GOAL])
    for number, pickup in enumerate(dungeon.pickups):
        if number not in state.taken:
            sign = glyphs.of_pickup(pickup)
            add(pickup.place, sign, glyphs.paint.get(sign))
            if not game.meets(state, pickup.rule):
                add(pickup.place, LATER_MARK)
            elif pickup.renews:
                add(pickup.place, RENEWS_MARK)
    for switch in dungeon.switches:
        sign = glyphs.plate[switch.name]
        add(switch.place, sign, glyphs.paint.get(sign))
        mark = {"lever": LEVER_MARK, "held": HELD_MARK}.get(switch.kind)
        if mark is not None:
            add(switch.place, mark)
    for place in game.block_places(state):
        add(place, BLOCK, glyphs.paint[BLOCK])
    for link in links:
        for place in (link.source, link.target):
            add(place, {"stairs": STAIRS, "warp": WARP}.get(link.kind, WAY_END))
    for number, gate in enumerate(dungeon.gates):
        sign = _gate_sign(game, number, overlay, glyphs)
        for place in gate.cells:
            add(place, sign, glyphs.paint.get(sign))
            if number in overlay.shut:
                add(place, "!", DANGER)
            elif sign == OPEN_GATE and gate.kind == "barrier":
                add(place, glyphs.of_gate(gate))
    _fill_doorways(dungeon, overlay, glyphs, game, cells)
    _fill_walk(overlay, cells)
    for place in overlay.reach:
        if not cells[place].signs:
            cells[place].signs, cells[place].paint = ["+"], REACH
    return cells


def _gate_sign(game: Game, number: int, overlay: Overlay, glyphs: Glyphs) -> str:
    gate = game.dungeon.gates[number]
    if number in overlay.state.fallen:
        return FALLEN
    falls = gate.kind == "soft" and game.rules.soft == "shut"
    return OPEN_GATE if gate_is_open(game, number, overlay.state) and not falls else glyphs.of_gate(gate)


def _fill_doorways(dungeon: Dungeon, overlay: Overlay, glyphs: Glyphs, game: Game, cells: dict[Place, Cell]) -> None:
    """Put doors into the walls between facing tiles; each side shows what bars the way from there."""
    doors, _ = sort_ways(dungeon)
    for door in doors:
        gates = [[gate for gate in some if gate is not None] for some in (door.there, door.back)]
        for near, far in zip(door.near, door.far, strict=True):
            direction = "S" if door.upright else "E"
            between = [beside(near, direction)]
            while beside(between[-1], direction) != far:
                between.append(beside(between[-1], direction))
            for index, place in enumerate(between):
                mine = gates[0] if index * 2 < len(between) else gates[1]
                mine = mine or (gates[0] if len(between) == 1 else [])
                sign, paint = DOORWAY, None
                if mine:
                    sign = _gate_sign(game, mine[0], overlay, glyphs)
                    paint = glyphs.paint.get(sign)
                cells[place].signs.append(sign)
                cells[place].paint = paint or GROUND
                if mine and mine[0] in overlay.shut:
                    cells[place].signs.append("!")


def _fill_walk(overlay: Overlay, cells: dict[Place, Cell]) -> None:
    """Draw arrows along the walk, numbers where something happens, and what a hint points at."""
    lines: list[tuple[Sequence[Place], Paint]] = [(overlay.path, PLAN)]
    walk = overlay.walk
    if walk is not None:
        lines.append((walk.places, DANGER if overlay.lost else PLAN))
    for places, paint in lines:
        returns = walk is not None and places is walk.places
        for number, (here, there) in enumerate(pairwise(places)):
            if returns and walk is not None and walk.moves[number] == RETURN:
                continue
            down, right = there[1] - here[1], there[2] - here[2]
            arrow = ARROWS.get(((down > 0) - (down < 0), (right > 0) - (right < 0)))
            if arrow is None or here[0] != there[0]:
                continue
            if not cells[here].signs or cells[here].signs[0] in ARROWS.values():
                cells[here].signs = [arrow]
                cells[here].paint = paint
    if walk is not None:
        for event in walk.events:
            cell = cells[event.place]
            if cell.number is None:
                cell.number, cell.paint = event.number, DANGER if overlay.lost else PLAN
        if overlay.lost:
            cell = cells[walk.places[-1]]
            cell.signs.insert(0, "X")
            cell.number, cell.paint = None, DANGER
    if overlay.target is not None:
        cell = cells[overlay.target]
        cell.signs.insert(min(1, len(cell.signs)), "*")
        cell.paint = PLAN


# lines


def _bands(
    dungeon: Dungeon,
    floor: int,
    shown: range,
    cells: dict[Place, Cell],
    used: dict[str, None],
    *,
    wide: bool,
    colour: bool,
) -> Iterator[str]:
    """Yield a floor as one block, or as several bands of columns where it is too wide."""
    rows = dungeon.floors[floor].terrain
    across, margin = len(rows[0]), _margin(dungeon.floors[floor])
    width = 2 if wide else 1
    count = -(-across * width // (WIDTH - margin))
    band = -(-across // count)
    for first in range(0, across, band):
        last = min(first + band, across)
        name = dungeon.floors[floor].name
        parts = [name] if name else []
        parts += [f"rows {shown[0]} to {shown[-1]}"] if len(shown) < len(rows) else []
        parts += [f"columns {first} to {last - 1}"] if count > 1 else []
        lines = wrap(", ".join(parts))
        if margin:
            lines.append(write_columns(first, last, margin=margin, width=width))
        for row in shown:
            line = rows[row]
            pieces = [
                _draw_tile(line[column], cells.get((floor, row, column)), used, wide=wide)
                for column in range(first, last)
            ]
            number: list[Piece] = [(write_row(row, margin), None)] if margin else []
            lines.append(write_pieces(number + pieces, colour=colour))
        yield "\n".join(lines)


def _rows_to_show(dungeon: Dungeon, floor: int, overlay: Overlay, *, brief: bool) -> range:
    """Return the rows of a floor to draw: all, or in brief those around the path of a hint."""
    rows = range(len(dungeon.floors[floor].terrain))
    if not brief or not overlay.path or sum(len(storey.terrain) for storey in dungeon.floors) <= MAX_ROWS_IN_BRIEF:
        return rows
    walked = [place[1] for place in overlay.path if place[0] == floor]
    if not walked:
        return range(0)
    return rows[max(0, min(walked) - ROWS_AROUND) : max(walked) + ROWS_AROUND + 1]


def _margin(floor: Floor) -> int:
    """Return the room for the numbers of rows; a floor so small that tiles are counted at a glance has none."""
    rows = floor.terrain
    return text_margin(len(rows)) if max(len(rows), len(rows[0])) > MAX_UNRULED else 0


def _draw_tile(letter: str, cell: Cell | None, used: dict[str, None], *, wide: bool) -> Piece:
    ground: Paint | None = {WALL: STONE, NOTHING: None, WATER: SEA}.get(letter, GROUND)
    if cell is not None and cell.number is not None:
        if wide:
            return (f"{cell.number:<2}" if cell.number < 100 else "**"), cell.paint
        return (_CIRCLED[cell.number - 1] if cell.number <= len(_CIRCLED) else "*"), cell.paint
    if cell is None or not cell.signs:
        bare = NOTHING if letter == NOTHING else letter
        used[bare] = None
        filled = letter in (WALL, WATER)
        return (bare + (bare if filled else " ") if wide else bare), ground
    signs = cell.signs
    if not wide and "!" in signs:
        signs = ["!"]
    if not wide and "*" in signs:
        signs = ["*"]
    shown = signs[: 2 if wide else 1]
    used.update(dict.fromkeys(shown))
    return "".join(shown).ljust(2 if wide else 1), cell.paint or ground


# what stands below the map


def _events(overlay: Overlay, *, wide: bool) -> Iterator[str]:
    if overlay.walk is None or not overlay.walk.events:
        return
    events = overlay.walk.events
    lines = []
    for event in events[:MAX_LINES]:
        circled = not wide and event.number <= len(_CIRCLED)
        number = _CIRCLED[event.number - 1] if circled else f"{event.number:>2}"
        lines.extend(wrap(f"{number} {event.words}", indent="   "))
    if len(events) > MAX_LINES:
        lines.append(f"… and {len(events) - MAX_LINES} more")
    yield "\n".join(lines)


def _key(game: Game, overlay: Overlay, glyphs: Glyphs, used: dict[str, None]) -> str:
    """Return what each sign on the map means."""
    dungeon, opened = game.dungeon, {*_open_gates(game, overlay, glyphs).values()}
    meanings = glyphs.meanings | {
        WATER: f"water (needs {dungeon.rules.water})",
        "!": "beware" if overlay.danger else "in the way",
        "*": "go here",
        "X": "stuck",
        "+": "can be reached",
    }
    meanings |= dict.fromkeys(ONE_WAYS, "one way only") | ({START: "you"} if dungeon.played else {})
    if len(opened) == 1 and "" not in opened:
        meanings[OPEN_GATE] = f"{opened.pop()}, open now"
    signs = [sign for sign in used if sign in meanings and sign not in (WALL, FLOOR, NOTHING, *ARROWS.values())]
    signs.sort(key=lambda sign: (sign not in (START, GOAL), sign.lower(), sign))
    return wrap_key(f"{sign} {meanings[sign]}" for sign in signs)


def _open_gates(game: Game, overlay: Overlay, glyphs: Glyphs) -> dict[int, str]:
    """Return what each gate is that the map shows open, by number; one with a rule with what it needs, others empty."""
    doors, _ = sort_ways(game.dungeon)
    drawn = {gate for door in doors for gate in (*door.there, *door.back) if gate is not None}
    drawn.update(number for number, gate in enumerate(game.dungeon.gates) if gate.cells)
    opened = {}
    for number in sorted(drawn):
        if _gate_sign(game, number, overlay, glyphs) == OPEN_GATE:
            gate = game.dungeon.gates[number]
            opened[number] = glyphs.meanings[glyphs.of_gate(gate)] if gate.kind == "rule" else ""
    return opened


def _list_rules(game: Game, overlay: Overlay, glyphs: Glyphs) -> Iterator[str]:
    """Yield what a letter cannot say: when things appear, how levers and plates work, and what state dials are in."""
    dungeon = game.dungeon
    lines = []
    opened = _open_gates(game, overlay, glyphs)
    if len({*opened.values()}) > 1:
        for number, meaning in opened.items():
            if meaning:
                places = [describe_place(dungeon, cell) for cell in dungeon.gates[number].cells[:1]]
                places += (describe_ends(dungeon, way.source, way.target) for way in dungeon.ways if way.gate == number)
                lines.append(f"{places[0]}: {meaning}, open now")
    for number, pickup in enumerate(dungeon.pickups):
        if number not in overlay.state.taken and (pickup.rule is not None or pickup.renews):
            thing = describe_pickup(pickup, dungeon.rules.bombs_per_pickup)
            lines.append(f"{describe_place(dungeon, pickup.place)}: {thing}")
    named = {dial.switch for dial in dungeon.dials}
    for number, switch in enumerate(dungeon.switches):
        if switch.kind != "plate" or switch.sets or switch.name in named:
            lines.append(f"{describe_place(dungeon, switch.place)}: {describe_switch(switch, number)}")
    for dial in dungeon.dials:
        now = game.switch_state(overlay.state, dial.switch)
        lines.append(f"{name_switch(dial.switch)}: {', '.join(dial.states)}; now {now}")
    for line in lines[:MAX_LINES]:
        yield from wrap(line, indent="  ")
    if len(lines) > MAX_LINES:
        yield f"… and {len(lines) - MAX_LINES} more"
    if dungeon.rules.home == "always":
        yield RETURN_LINE


def _list_links(dungeon: Dungeon, links: Sequence[Link]) -> Iterator[str]:
    """Yield the ways that lead across the map, with the number by which each is a move."""
    for link in links[:MAX_LINES]:
        arrow = "->" if link.back is None else "<->"
        gate = "" if link.gate is None else f", {describe_need(dungeon.gates[link.gate])}"
        numbers = f"{link.number}" if link.back is None else f"{link.number}, back {link.back}"
        ends = f"{name_place(dungeon, link.source, {})} {arrow} {name_place(dungeon, link.target, {})}"
        yield from wrap(f"way {numbers}: {ends}, {link.kind}{gate}", indent="  ")
    if len(links) > MAX_LINES:
        yield f"… and {len(links) - MAX_LINES} more ways"
