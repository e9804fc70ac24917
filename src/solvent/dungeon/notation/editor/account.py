"""Put into words what was not understood in a file of a level editor: what has to be decided, and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from solvent.drawing.phrases import counted
from solvent.dungeon.notation.editor.inventory import ClassSeen, Inventory, LayerSeen, Seen
from solvent.dungeon.notation.mapping.model import IGNORE, NameMapping

MAX_NAMES, MAX_IDS = 60, 12
"""How many names and tile ids a sentence lists."""


def undecided_of(seen: Inventory, mapping: NameMapping) -> list[str]:
    """Return every name that may decide a verdict and has no meaning yet, in words."""
    return [
        *(f"class {name} ({_uses(one)})" for name, one in seen.classes.items() if _open(one)),
        *(
            f"objects without a class: {_called(layer, name)} ({_uses(one, names=False)})"
            for (layer, name), one in seen.nameless.items()
            if _open(one)
        ),
        *(
            f"property {word} of {holder} ({_values(one)})"
            for holder, account in _holders(seen)
            if account.meaning not in (None, IGNORE)
            for word, one in account.properties.items()
            if _open(one)
        ),
        *(
            f"tile property {name} = {value} ({counted(one.count, 'cell')})"
            for name, values in seen.tile_properties.items()
            for value, one in values.items()
            if _open(one)
        ),
        *(f"tile {id} of {tile_set}: {said}" for (tile_set, id), said in seen.contradictions.items()),
        *(
            f"IntGrid value {name} of layer {layer} ({counted(one.count, 'cell')})"
            for layer, values in seen.int_grids.items()
            for name, one in values.items()
            if _open(one)
        ),
        *(
            f"tile layer {name} ({_tiles(one)})"
            for name, one in seen.layers.items()
            if _open(one) and one.tiles_without_meaning
        ),
        *(
            ["no tile layer: map.empty says what a cell is in which nothing was drawn"]
            if seen.lacks_tiles and mapping.empty is None
            else []
        ),
        *(
            [f"tiles with collision shapes ({counted(seen.collision_shapes.count, 'cell')}): walls or not"]
            if seen.collision_shapes.count and mapping.collision_shapes is None
            else []
        ),
    ]


def remarks_of(seen: Inventory, mapping: NameMapping) -> list[str]:
    """Return a sentence for each kind of name that was left out or taken for something by assumption."""
    return [sentence for sentence in _remarks(seen, mapping) if sentence]


def describe_ground(seen: Inventory) -> list[str]:
    """Return what was found where walls should have been: layers, tile sets, values."""
    return [
        *(
            f"layer {name} ({one.kind}{f', read as {one.meaning}' if one.meaning else ''})"
            for name, one in seen.layers.items()
        ),
        *(
            f"tile set {name}: {counted(sum(one.meaning is None for one in tiles.ids.values()), 'tile id')} of "
            f"{len(tiles.ids)} in use without a meaning"
            for name, tiles in seen.tile_sets.items()
        ),
        *(
            f"IntGrid layer {layer}: {', '.join(f'{name} is {one.meaning}' for name, one in values.items())}"
            for layer, values in seen.int_grids.items()
        ),
        'a map that is meant to have no walls needs the line  map.walls = "none"  in a mapping',
    ]


def _remarks(seen: Inventory, mapping: NameMapping) -> Iterator[str]:
    if mapping.source:
        yield f"Read with the mapping {mapping.source}."
    if seen.ignored_objects:
        yield f"Left out, as the file or the mapping says: {counted(seen.ignored_objects, 'object')}."
    classes = [f"{name} ({one.count})" for name, one in seen.classes.items() if one.meaning is None and one.count]
    yield _sentence("The mapping leaves out:", _ignored(seen) if mapping.source else [])
    yield _sentence("Left out, since nothing says what they are: objects of class", classes)
    nameless = [
        f"{_called(layer, name)} ({one.count})" for (layer, name), one in seen.nameless.items() if one.meaning is None
    ]
    yield _sentence("Left out, since they have no class: objects", nameless)
    properties = [
        f"{word} of {holder} ({_values(one)})"
        for holder, account in _holders(seen)
        if account.meaning not in (None, IGNORE)
        for word, one in account.properties.items()
        if one.meaning is None
    ]
    yield _sentence("Not understood, and left out: properties", properties)
    tiles = [
        f"{name} = {value} ({counted(one.count, 'cell')})"
        for name, values in seen.tile_properties.items()
        for value, one in values.items()
        if one.meaning is None
    ]
    yield _sentence("Not understood, and left out: tile properties", tiles)
    yield _sentence(
        "Not understood, and left out: properties of the map",
        [f"{name} ({_values(one)})" for name, one in seen.settings.items()],
    )
    yield _sentence(
        "Not understood, and left out: properties of layers",
        [f"{name} ({_values(one)})" for name, one in seen.layer_properties.items()],
    )
    yield from _layer_remarks(seen)
    yield _sentence("Outlines are read as the box around them:", list(dict.fromkeys(seen.outlines)))
    missing = [str(gid) for gid in sorted(seen.missing_tiles)]
    yield _sentence("No tile set has the tiles with these numbers; they are read as floor:", missing)


def _ignored(seen: Inventory) -> list[str]:
    """Return what the mapping says is to be ignored, in words."""
    return [
        *(f"class {name} ({one.count})" for name, one in seen.classes.items() if one.meaning == IGNORE and one.count),
        *(
            f"objects {_called(layer, name)} ({one.count})"
            for (layer, name), one in seen.nameless.items()
            if one.meaning == IGNORE
        ),
        *(
            f"property {word} of {holder} ({_values(one)})"
            for holder, account in _holders(seen)
            if account.meaning not in (None, IGNORE)
            for word, one in account.properties.items()
            if one.meaning == IGNORE
        ),
        *(f"layer {name}" for name, one in seen.layers.items() if one.meaning == IGNORE and one.kind != "image"),
    ]


def _layer_remarks(seen: Inventory) -> Iterator[str]:
    blank = [f"{name} ({_tiles(one)})" for name, one in seen.layers.items() if one.tiles_without_meaning]
    yield _sentence("Tiles that say nothing about walking are floor, or what lies below them: in layer", blank)
    taken = [
        f"{name} of {layer} as {one.meaning}"
        for layer, values in seen.int_grids.items()
        for name, one in values.items()
        if one.meaning is not None and one.is_by_layer and one.count
    ]
    yield _sentence("IntGrid values that are read as their layer is called:", taken)
    hidden = [
        name for name, one in seen.layers.items() if one.is_hidden and one.meaning != IGNORE and one.kind != "image"
    ]
    yield _sentence("Read although hidden: layer", hidden)
    ruled = [name for name, one in seen.layers.items() if one.ruled_cells and one.kind != "IntGrid"]
    yield _sentence("Left out: tiles that rules drew, in layer", ruled)
    hidden_objects = [f"{called} ({count})" if count > 1 else called for called, count in seen.hidden_objects.items()]
    yield _sentence("Read although hidden: object", hidden_objects)
    images = [name for name, one in seen.layers.items() if one.kind == "image" and one.meaning != IGNORE]
    yield _sentence("Left out: image layer", images)


def _holders(seen: Inventory) -> Iterator[tuple[str, ClassSeen]]:
    yield from seen.classes.items()
    for (layer, name), one in seen.nameless.items():
        yield _called(layer, name), one


def _open(one: Seen) -> bool:
    return one.meaning is None and one.must_be_decided


def _called(layer: str, name: str) -> str:
    inside = f" in layer {layer}" if layer else ""
    return f"{name!r}{inside}" if name else f"without a name{inside}"


def _uses(one: Seen, *, names: bool = True) -> str:
    called = f": {', '.join(map(repr, one.samples))}" if names and one.samples else ""
    return f"{counted(one.count, 'object')}{called}"


def _values(one: Seen) -> str:
    return ", ".join(one.samples) + (", …" if one.count > len(one.samples) >= 4 else "")


def _tiles(one: LayerSeen) -> str:
    ids = sorted({id for _, id in one.tiles_without_meaning})
    cells = sum(one.tiles_without_meaning.values())
    return f"{counted(cells, 'cell')}, tile ids {_listed(map(str, ids), MAX_IDS)}"


def _sentence(opening: str, names: Sequence[str]) -> str:
    return f"{opening} {_listed(names)}." if names else ""


def _listed(names: Iterable[str], most: int = MAX_NAMES) -> str:
    every = list(names)
    more = len(every) - most
    return ", ".join(every) if more <= 0 else f"{', '.join(every[:most])} and {more} more"
