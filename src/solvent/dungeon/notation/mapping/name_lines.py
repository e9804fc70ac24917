"""From the names that were met in a map to the lines of a first mapping, the obvious ones guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from solvent.drawing.phrases import counted
from solvent.dungeon.notation.editor.inventory import ClassSeen, Inventory, Seen
from solvent.dungeon.notation.editor.objects import find_class
from solvent.dungeon.notation.editor.vocabulary import LENIENT, PROPERTIES, decides
from solvent.dungeon.notation.mapping.guessing import guess_class, guess_property, guess_terrain
from solvent.dungeon.notation.mapping.model import IGNORE, UNDECIDED
from solvent.dungeon.notation.mapping.parsing import TERRAIN_WORDS
from solvent.dungeon.notation.mapping.toml_lines import Line, quoted

_MOST_IDS = 12
_MOST_USED = 6


def lines_of(seen: Inventory) -> Iterator[Line]:
    """Yield a line for each name that can be given a meaning."""
    there = [word for word, is_there in (("start", seen.has_start), ("goal", seen.has_goal)) if is_there]
    for name, account in seen.classes.items():
        yield from _class_lines(name, account, there)
    for layer, values in seen.int_grids.items():
        for name, one in values.items():
            meaning = one.meaning or guess_terrain(name) or UNDECIDED
            yield Line(("int_grid", layer, name), meaning, counted(one.count, "cell"))
    for (_, name), account in seen.nameless.items():
        if name and account.must_be_decided and account.meaning is None:
            yield Line(("names", name, "is"), UNDECIDED, f"{counted(account.count, 'object')} without a class")
            for word, one in account.properties.items():
                yield Line(("names", name, "properties", word), UNDECIDED, f"{_values(one)}; decide first what it is")
    yield from _layer_lines(seen)
    yield from _tile_lines(seen)
    if seen.lacks_tiles:
        yield Line(("map", "empty"), "floor", "there is no tile layer: cells in which nothing was drawn")
    if seen.collision_shapes.count:
        cells = counted(seen.collision_shapes.count, "cell")
        yield Line(("map", "collision_shapes"), "wall", f"tiles with shapes of the collision editor, {cells}")


def _class_lines(name: str, account: ClassSeen, there: Sequence[str]) -> Iterator[Line]:
    kind = account.meaning or guess_class(name, account, there)
    called = f": {', '.join(account.samples)}" if account.samples else ""
    yield Line(("classes", name, "is"), kind, f"{counted(account.count, 'object')}{called}")
    if kind in (IGNORE, UNDECIDED):
        if kind == UNDECIDED:
            for word, one in account.properties.items():
                yield Line(("classes", name, "properties", word), UNDECIDED, f"{_values(one)}; decide its class first")
        return
    for word, one in account.properties.items():
        meaning = one.meaning or guess_property(kind, word, one)
        if meaning == UNDECIDED and (kind in LENIENT or kind in TERRAIN_WORDS) and not decides(word):
            meaning = IGNORE
        choices = ", ".join(_spelt(each) for each in ("name", *PROPERTIES.get(kind, ()))) + ", ignore"
        comment = _values(one) + (f"; can be {choices}" if meaning == UNDECIDED else "")
        yield Line(("classes", name, "properties", word), _spelt(meaning), comment)


def _layer_lines(seen: Inventory) -> Iterator[Line]:
    for name, layer in seen.layers.items():
        if layer.kind == "image":
            yield Line(("layers", name), IGNORE, "an image layer")
        elif layer.kind == "objects" and not layer.has_classes and layer.meaning is None:
            inside = [(called, one) for (where, called), one in seen.nameless.items() if where == name]
            if inside:
                meaning = UNDECIDED if any(one.must_be_decided for _, one in inside) or decides(name) else IGNORE
                count = sum(one.count for _, one in inside)
                called = ", ".join([called for called, _ in inside if called][:4])
                comment = f"{counted(count, 'object')} without a class{f': {called}' if called else ''}"
                yield Line(("layers", name), meaning, comment)
        elif layer.meaning is not None and layer.kind in ("tiles", "objects"):
            is_open = layer.is_floor_by_name and not seen.says_wall
            meaning = UNDECIDED if is_open else layer.meaning
            yield Line(("layers", name), meaning, "for tiles that say nothing themselves")
        elif layer.kind == "tiles" and layer.tiles_without_meaning:
            cells = counted(sum(layer.tiles_without_meaning.values()), "cell")
            if _has_int_walls(seen) and not layer.must_be_decided:
                yield Line(("layers", name), IGNORE, f"tiles on {cells}, taken for decoration")
                continue
            meaning = guess_terrain(name) or UNDECIDED
            yield Line(("layers", name), meaning, f"{cells} whose tiles say nothing; or decide by tiles, below")


def _has_int_walls(seen: Inventory) -> bool:
    """Tell whether values say where the walls are, so that drawn tiles are decoration as a rule."""
    return any(one.meaning == "wall" and one.count for values in seen.int_grids.values() for one in values.values())


def _are_layers_open(seen: Inventory) -> bool:
    return any(layer.must_be_decided for layer in seen.layers.values())


def _tile_lines(seen: Inventory) -> Iterator[Line]:
    for name, values in seen.tile_properties.items():
        for value, one in values.items():
            meaning = one.meaning or (guess_terrain(value) or UNDECIDED if one.must_be_decided else IGNORE)
            yield Line(("tile_properties", name, value), meaning, counted(one.count, "cell"))
    for (name, id), said in seen.contradictions.items():
        yield Line(("tiles", name, str(id)), UNDECIDED, said)
    for name, tiles in seen.tile_sets.items():
        blank = {id: one for id, one in tiles.ids.items() if one.meaning is None}
        if blank and not (_has_int_walls(seen) and not _are_layers_open(seen)):
            most = sorted(blank.items(), key=lambda pair: (-pair[1].count, pair[0]))[:_MOST_USED]
            used = ", ".join(f"{id} ({one.count:,})" for id, one in most)
            comment = f"all tiles not named otherwise: {_ranges(blank)}. On most cells: {used}. "
            example = _ranges([id for id, _ in most[:2]])
            yield Line(
                ("tiles", name, "rest"), UNDECIDED, f'{comment}Some alone:  tiles.{quoted(name)}."{example}" = "wall"'
            )
        if tiles.colours and not any(one.meaning for one in tiles.colours.values()):
            for colour, one in tiles.colours.items():
                meaning = guess_terrain(colour) or UNDECIDED
                yield Line(("wang", name, colour), meaning, f"terrain of {counted(one.count, 'cell')}")
            yield Line(("wang", name, "mixed"), UNDECIDED, "tiles on which these meet")


def _ranges(ids: Iterable[int]) -> str:
    """Return numbers as a mapping has them, such as 0-4, 9."""
    runs: list[tuple[int, int]] = []
    for id in sorted(ids):
        if runs and runs[-1][1] == id - 1:
            runs[-1] = runs[-1][0], id
        else:
            runs.append((id, id))
    shown = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs[:_MOST_IDS])
    return shown + (" and more" if len(runs) > _MOST_IDS else "")


def guess_missing(seen: Inventory, lines: Sequence[Line]) -> Iterator[Line]:
    """Yield lines for objects whose names sound like a start or goal, where no class is one."""
    names = {name for account in seen.classes.values() if account.meaning is None for name in account.samples}
    names |= {name for _, name in seen.nameless if name}
    for word, is_there in (("start", seen.has_start), ("goal", seen.has_goal)):
        if is_there or any(line.meaning == word for line in lines):
            continue
        fitting = [name for name in sorted(names) if (find_class(name) or guess_class(name, ClassSeen())) == word]
        if len(fitting) == 1:
            yield Line(("names", fitting[0], "is"), word, "by the name of the object")


def _values(one: Seen) -> str:
    return f"{counted(one.count, 'time')}: {', '.join(one.samples)}"


def _spelt(word: str) -> str:
    return {"openedby": "opened_by", "twoway": "two_way", "partof": "part_of", "waysonly": "ways_only"}.get(word, word)
