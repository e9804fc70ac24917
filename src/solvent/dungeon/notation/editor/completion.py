"""The end of reading a file of a level editor: what the mapping adds is laid down, what is undecided is refused."""

from __future__ import annotations

from solvent.core.errors import ParseError, UndecidedNames
from solvent.dungeon.model import NOTHING, WALL
from solvent.dungeon.notation.editor.account import describe_ground, remarks_of, undecided_of
from solvent.dungeon.notation.editor.names import Names
from solvent.dungeon.notation.editor.objects import WAY_CLASSES, EditorMap, PlacedObject, clean_name
from solvent.dungeon.notation.editor.vocabulary import PROPERTIES
from solvent.dungeon.notation.mapping.parsing import letter_of
from solvent.formats.companion_files import Where

_MOST_LISTED = 12


def finish_reading(names: Names, found: EditorMap) -> None:
    """Lay down what the mapping adds; refuse what is undecided, all at once, and say what was left out."""
    found.left_out |= names.left_out
    _paint_objects(found)
    _put_places(names, found)
    undecided = undecided_of(names.seen, names.mapping)
    has_walls = _has_walls(names, found)
    lacking = [
        word for word in ("start", "goal") if found.floors and not any(thing.kind == word for thing in found.objects)
    ]
    if undecided or not has_walls:
        ground = [] if has_walls else [_lack_of_walls(found), *describe_ground(names.seen)]
        error = UndecidedNames(
            [*undecided, *ground, *map(_say_lack, lacking)],
            names.command(),
            mapping=names.mapping.source,
            expected="" if undecided else f"something that says where the walls are, but there is {ground[0]}",
        )
        error.is_text_alone = names.path is None
        raise error
    if lacking:
        advice = f"{_HOW_TO_ADD.format(lacking[0])}; or '{names.command()}' writes a mapping, which can name one"
        raise ParseError(f"a {lacking[0]}, but there is none ({advice})", **found.where)
    found.remarks[:0] = remarks_of(names.seen, names.mapping)


_HOW_TO_ADD = "put an object on its tile whose class, or whose name, is {}"


def _say_lack(word: str) -> str:
    return f"no {word}: {_HOW_TO_ADD.format(word)}"


def _lack_of_walls(found: EditorMap) -> str:
    if not any(WALL in row for floor in found.floors for row in floor.grid):
        return "no wall anywhere"
    bare = [floor.name for floor in found.floors if floor.name and not any(WALL in row for row in floor.grid)]
    return f"no wall on some floor{': ' if bare else ''}{', '.join(bare[:_MOST_LISTED])}"


def placed_kinds(names: Names, found: EditorMap) -> set[str]:
    """Return the classes of things that the mapping puts on this map."""
    known = {None, *found.levels, *(floor.name for floor in found.floors)}
    return {place.is_ for place in names.mapping.places if names.is_this_file(place.file) and place.level in known}


def _put_places(names: Names, found: EditorMap) -> None:
    for place in names.mapping.places:
        if not names.is_this_file(place.file):
            continue
        where: Where = {"path": place.path, "source": names.mapping.source or None}
        floor, top, left, height, width = _find_level(found, place.level, where)
        row, column = top + place.row, left + place.column
        if place.row + place.height > height or place.column + place.width > width:
            expected = f"a place inside its level of {height} rows and {width} columns"
            raise ParseError(expected, f"row {place.row}, column {place.column}", **where)
        letter = letter_of(place.is_)
        if letter is not None:
            for line in found.floors[floor].grid[row : row + place.height]:
                line[column : column + place.width] = [letter] * place.width
            names.seen.says_wall = names.seen.says_wall or letter == WALL
            continue
        known = PROPERTIES[place.is_]
        for word in place.properties:
            if word not in known:
                raise ParseError(f"a property that a {place.is_} has: {', '.join(known) or 'none'}", word, **where)
        names.seen.has_start = names.seen.has_start or place.is_ == "start"
        names.seen.has_goal = names.seen.has_goal or place.is_ == "goal"
        found.objects.append(
            PlacedObject(
                id=f"mapping {place.path}",
                kind=place.is_,
                name=clean_name(place.name),
                floor=floor,
                corner=(row, column),
                height=place.height,
                width=place.width,
                centre=(row + place.height // 2, column + place.width // 2),
                properties=dict(place.properties),
                where=where,
            )
        )


def _has_walls(names: Names, found: EditorMap) -> bool:
    """Tell whether each floor in play has a wall, or it is said that it needs none; else answers are about nothing."""
    bare = [grid for grid in _grids_in_play(found) if not any(WALL in row for row in grid)]
    if not bare:
        return True
    is_all = not any(WALL in row for floor in found.floors for row in floor.grid)
    what = "Nothing on this map is a wall" if is_all else "A floor has no wall"
    if str(found.settings.get("walls", "")).lower() == "none" or names.mapping.walls == "none":
        by = "the file" if names.mapping.walls is None else f"the mapping ({names.mapping.source})"
        found.remarks.append(f"{what}; {by} says that this is meant.")
        return True
    undecided = any(layer.tiles_without_meaning or layer.is_floor_by_name for layer in names.seen.layers.values())
    if all(any(NOTHING in row for row in grid) for grid in bare) and not undecided:
        found.remarks.append(f"{what}; only cells without a tile keep a player in.")
        return True
    return False


def _grids_in_play(found: EditorMap) -> list[list[list[str]]]:
    """Return the floors of more than one cell that have the start or a goal, and those that ways may lead to."""
    is_joined = any(thing.kind in WAY_CLASSES for thing in found.objects)
    used = {
        thing.floor
        for thing in found.objects
        if thing.kind in ("start", "goal") or (is_joined and thing.kind != "room")
    }
    grids = [floor.grid for at, floor in enumerate(found.floors) if at in used or len(found.floors) == 1]
    return [grid for grid in grids if len(grid) * len(grid[0] if grid else ()) > 1]


def _paint_objects(found: EditorMap) -> None:
    """Lay down objects that are terrain."""
    kept = []
    for thing in found.objects:
        letter = letter_of(thing.kind)
        if letter is None:
            kept.append(thing)
            continue
        for floor, row, column in thing.cells():
            found.floors[floor].grid[row][column] = letter
    found.objects[:] = kept


def _find_level(found: EditorMap, level: str | None, where: Where) -> tuple[int, int, int, int, int]:
    """Return the floor of a level, where on it the level begins, and its size."""
    if level is not None and level in found.levels:
        return found.levels[level]
    whole = [
        (number, 0, 0, len(floor.grid), len(floor.grid[0]) if floor.grid else 0)
        for number, floor in enumerate(found.floors)
        if level is None or floor.name == clean_name(level)
    ]
    if level is None and len(whole) > 1:
        raise ParseError("level: which one is meant, since there are several", **where)
    if not whole:
        known = ", ".join([*found.levels, *(floor.name for floor in found.floors if floor.name)][:_MOST_LISTED])
        advice = " (if it is in another file, add  file = ...)"
        raise ParseError(f"the name of a level{': ' if known else ''}{known}{advice}", level, **where)
    return whole[0]
