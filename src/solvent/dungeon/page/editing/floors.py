"""Change the storeys: their size, their names, how many there are, and the rooms on them."""

from __future__ import annotations

from dataclasses import replace

from solvent.core.errors import BadOption
from solvent.dungeon.model import Place, Room
from solvent.dungeon.notation.ruling import is_name
from solvent.dungeon.notation.text.things import TERRAIN
from solvent.dungeon.page.editing.actions import AddFloor, RemoveFloor, RemoveRoom, RenameFloor, Resize, SetRoom
from solvent.dungeon.page.editing.level import MAX_TILES
from solvent.dungeon.page.editing.moving import carry
from solvent.dungeon.page.editing.properties import rename_room
from solvent.dungeon.page.editing.sketch import Sketch, Storey

MAX_SIDE = 1_000
MAX_EDITED_TILES = MAX_TILES
_NAMES = "up to 60 letters, digits, spaces, - and '"


def resize(sketch: Sketch, action: Resize) -> None:
    """Add rows and columns at the sides, or take them away; nothing that stands there goes unless that is wanted."""
    storey = _storey(sketch, action.floor)
    height = len(storey.rows) + action.north + action.south
    width = len(storey.rows[0]) + action.west + action.east
    if min(height, width) < 1:
        raise BadOption("A floor has at least one row and one column.")
    if max(height, width) > MAX_SIDE or _tiles(sketch) - _area(storey) + height * width > MAX_EDITED_TILES:
        raise BadOption(f"That is too large: {MAX_SIDE:,} rows or columns, {MAX_EDITED_TILES:,} tiles in all at most.")
    old = {
        (action.floor, row, column): (action.floor, row + action.north, column + action.west)
        for row in range(len(storey.rows))
        for column in range(len(storey.rows[0]))
    }
    gone = {place for place, (_, row, column) in old.items() if not (0 <= row < height and 0 <= column < width)}
    _require_ends(sketch, gone, "Move it first.")
    sketch.take_away(gone)
    if sketch.removed.kinds and not action.cut:
        raise BadOption(f"That would cut off {sketch.removed}. Allow that, or move them first.")
    letter = TERRAIN[action.terrain]
    rows = [[letter] * width for _ in range(height)]
    to: dict[Place, Place] = {}
    for place, (floor, row, column) in old.items():
        if place not in gone:
            rows[row][column] = storey.rows[place[1]][place[2]]
            to[place] = (floor, row, column)
    storey.rows = rows
    for each in sketch.switches:
        each.switch = replace(each.switch, reach=tuple(place for place in each.switch.reach if place not in gone))
    carry(sketch, to)
    sketch.rooms = [
        kept
        for room in sketch.rooms
        if (kept := _resized(room, action, height, width) if room.corner[0] == action.floor else room) is not None
    ]


def _resized(room: Room, action: Resize, height: int, width: int) -> Room | None:
    floor, top, left = room.corner
    top, left = top + action.north, left + action.west
    bottom, right = min(top + room.height, height), min(left + room.width, width)
    top, left = max(top, 0), max(left, 0)
    if bottom <= top or right <= left:
        return None
    return replace(room, corner=(floor, top, left), height=bottom - top, width=right - left)


def _storey(sketch: Sketch, floor: int) -> Storey:
    if floor >= len(sketch.floors):
        raise BadOption("There is no such floor.")
    return sketch.floors[floor]


def _area(storey: Storey) -> int:
    return len(storey.rows) * len(storey.rows[0])


def _tiles(sketch: Sketch) -> int:
    return sum(_area(storey) for storey in sketch.floors)


def _require_ends(sketch: Sketch, gone: set[Place], hint: str) -> None:
    if sketch.start in gone:
        raise BadOption(f"The start is there. {hint}")
    if gone.issuperset(sketch.goals):
        raise BadOption(f"The last goal is there. {hint}")


def add_floor(sketch: Sketch, action: AddFloor) -> None:
    """Add a storey; with more than one, each has a name."""
    name = _free_name(sketch, action.name)
    if _tiles(sketch) + action.rows * action.columns > MAX_EDITED_TILES:
        raise BadOption(f"That is too large: {MAX_EDITED_TILES:,} tiles in all at most.")
    if len(sketch.floors) == 1 and not sketch.floors[0].name:
        sketch.floors[0].name = "Ground floor" if name != "Ground floor" else "First floor"
        sketch.notes.append(f"The floor that was there is called {sketch.floors[0].name!r} now.")
    letter = TERRAIN[action.terrain]
    sketch.floors.append(Storey(name, [[letter] * action.columns for _ in range(action.rows)]))


def rename_floor(sketch: Sketch, action: RenameFloor) -> None:
    """Give a storey another name; the only one may have none."""
    storey = _storey(sketch, action.floor)
    name = action.name.strip()
    alone = len(sketch.floors) == 1
    storey.name = "" if alone and not name else _free_name(sketch, name, but=storey)


def _free_name(sketch: Sketch, name: str, but: Storey | None = None) -> str:
    name = name.strip()
    if not is_name(name):
        raise BadOption(f"A floor needs a name: {_NAMES}.")
    if any(storey.name == name for storey in sketch.floors if storey is not but):
        raise BadOption(f"There is a floor {name!r} already.")
    return name


def remove_floor(sketch: Sketch, action: RemoveFloor) -> None:
    """Take a storey away, with what stands on it and the ways that lead there."""
    storey = _storey(sketch, action.floor)
    number = action.floor
    if len(sketch.floors) == 1:
        raise BadOption("The only floor stays.")
    gone = {(number, row, column) for row in range(len(storey.rows)) for column in range(len(storey.rows[0]))}
    _require_ends(sketch, gone, "Put it on another floor first.")
    sketch.take_away(gone)
    for each in sketch.switches:
        each.switch = replace(each.switch, reach=tuple(place for place in each.switch.reach if place not in gone))
    sketch.rooms = [room for room in sketch.rooms if room.corner[0] != number]
    to = {
        (floor, row, column): (floor - 1, row, column)
        for floor, each in enumerate(sketch.floors)
        if floor > number
        for row in range(len(each.rows))
        for column in range(len(each.rows[0]))
    }
    del sketch.floors[number]
    carry(sketch, to)
    sketch.rooms = [
        replace(room, corner=(room.corner[0] - (room.corner[0] > number), *room.corner[1:])) for room in sketch.rooms
    ]


def set_room(sketch: Sketch, action: SetRoom) -> None:
    """Name a rectangle, or change a room."""
    sketch.rectangle(action.corner, action.height, action.width)
    name, labels = action.name.strip(), [label.strip() for label in action.labels if label.strip()]
    for text in (name, *labels):
        if not is_name(text):
            raise BadOption(f"A room needs a name, and its labels too: {_NAMES}.")
    room = Room(name, action.corner, action.height, action.width, tuple(labels))
    names = [each.name for each in sketch.rooms]
    if name in names and name != action.was:
        raise BadOption(f"There is a room {name!r} already.")
    if not action.was:
        sketch.rooms.append(room)
        return
    if action.was not in names:
        raise BadOption(f"There is no room {action.was!r}.")
    sketch.rooms[names.index(action.was)] = room
    if name != action.was:
        rename_room(sketch, action.was, name)


def remove_room(sketch: Sketch, action: RemoveRoom) -> None:
    """Let a room have no name."""
    rooms = [room for room in sketch.rooms if room.name != action.name]
    if len(rooms) == len(sketch.rooms):
        raise BadOption(f"There is no room {action.name!r}.")
    sketch.rooms = rooms
