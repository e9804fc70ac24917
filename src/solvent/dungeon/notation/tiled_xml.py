"""Tiled maps and tilesets in XML: TMX and TSX.

Document types and entities of one's own are refused before anything is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from solvent.core.errors import ParseError
from solvent.dungeon.notation.editor_objects import Where, with_values
from solvent.dungeon.notation.tiled_json import LoadTileSet, read_value
from solvent.dungeon.notation.tiled_map import (
    FLIPS,
    CellBudget,
    Chunk,
    Gids,
    Layer,
    MapObject,
    Tile,
    TiledMap,
    TileSet,
    check_map,
    from_base64,
    from_csv,
    from_numbers,
)

DEEPEST_ELEMENT = 60


@dataclass(slots=True)
class _Element:
    tag: str
    said: Mapping[str, str]
    line: int
    text: list[str] = field(default_factory=list)
    inner: list[_Element] = field(default_factory=list)

    @property
    def where(self) -> Where:
        return {"line": self.line, "path": f"<{self.tag}>"}

    def all(self, tag: str) -> Iterator[_Element]:
        return (element for element in self.inner if element.tag == tag)

    def first(self, tag: str) -> _Element | None:
        return next(self.all(tag), None)

    def integer(self, name: str, otherwise: int | None = None) -> int:
        number = self.number(name, otherwise)
        if number != int(number):
            raise ParseError(f"{name}: a whole number", self.said[name], **self.where)
        return int(number)

    def number(self, name: str, otherwise: float | None = None) -> float:
        text = self.said.get(name)
        if text is None and otherwise is not None:
            return otherwise
        if text is None:
            raise ParseError(f"the attribute {name}, but it is missing", **self.where)
        try:
            number = float(text)
        except ValueError:
            raise ParseError(f"{name}: a number", text, **self.where) from None
        if not abs(number) <= 1 << 32:
            raise ParseError(f"{name}: a number that is not so large", text, **self.where)
        return number


def read_tmx(text: str, load: LoadTileSet) -> TiledMap:
    """Read a map."""
    root = _read_elements(text, "map", "a Tiled map")
    width, height = root.integer("width"), root.integer("height")
    tile_width, tile_height = root.integer("tilewidth"), root.integer("tileheight")
    check_map(root.said.get("orientation", "orthogonal"), width, height, tile_width, tile_height, root.where)
    tilesets = []
    for tileset in root.all("tileset"):
        first = tileset.integer("firstgid", 1)
        source = tileset.said.get("source")
        tilesets.append(load(source, first, tileset.where) if source else _read_tileset(tileset, first))
    is_infinite = root.said.get("infinite", "0") == "1"
    return TiledMap(
        width=width,
        height=height,
        tile_width=tile_width,
        tile_height=tile_height,
        is_infinite=is_infinite,
        properties=_read_properties(root),
        tilesets=tilesets,
        layers=_read_layers(root, (height, width), CellBudget(), 1),
        where=root.where,
    )


def read_tsx(text: str, first: int) -> TileSet:
    """Read a tileset that is a file of its own."""
    return _read_tileset(_read_elements(text, "tileset", "a Tiled tileset"), first)


def _read_tileset(found: _Element, first: int) -> TileSet:
    return TileSet(
        first, {tile.integer("id"): Tile(_read_class(tile), _read_properties(tile)) for tile in found.all("tile")}
    )


def _read_class(found: _Element) -> str:
    return found.said.get("class") or found.said.get("type") or ""


def _read_properties(found: _Element) -> Mapping[str, Any]:
    properties = found.first("properties")
    said: dict[str, Any] = {}
    for one in properties.all("property") if properties else ():
        type = one.said.get("type", "string")
        value: Any = one.said.get("value", "".join(one.text))
        if type == "bool":
            value = value == "true"
        elif type in ("int", "float"):
            value = one.integer("value") if type == "int" else one.number("value")
        elif type == "object":
            value = "" if value == "0" else value
        elif type == "class":
            continue
        said.setdefault(one.said.get("name", ""), read_value(value, type))
    return with_values(said)


def _read_layers(found: _Element, size: tuple[int, int], budget: CellBudget, depth: int) -> list[Layer]:
    layers = []
    for element in found.inner:
        if element.tag not in ("layer", "objectgroup", "group"):
            continue
        budget.take_layer(depth, element.where)
        name, kind, said = element.said.get("name", ""), element.said.get("class", ""), _read_properties(element)
        if element.tag == "layer":
            layers.append(Layer(name, kind, said, element.where, chunks=_read_chunks(element, size, budget)))
        elif element.tag == "objectgroup":
            objects = [_read_object(thing) for thing in element.all("object")]
            layers.append(Layer(name, kind, said, element.where, objects=objects))
        else:
            inner = _read_layers(element, size, budget, depth + 1)
            layers.append(Layer(name, kind, said, element.where, layers=inner, is_group=True))
    return layers


def _read_chunks(layer: _Element, size: tuple[int, int], budget: CellBudget) -> list[Chunk]:
    data = layer.first("data")
    if data is None:
        raise ParseError("data of a tile layer", **layer.where)
    chunks = list(data.all("chunk"))
    if chunks:
        return [
            Chunk(
                chunk.integer("y"),
                chunk.integer("x"),
                _read_gids(chunk, data, chunk.integer("height"), chunk.integer("width"), budget),
            )
            for chunk in chunks
        ]
    height, width = layer.integer("height", size[0]), layer.integer("width", size[1])
    if not data.inner and not "".join(data.text).strip():
        return []  # an infinite layer on which nothing was drawn
    return [Chunk(0, 0, _read_gids(data, data, height, width, budget))]


def _read_gids(holder: _Element, data: _Element, height: int, width: int, budget: CellBudget) -> Gids:
    budget.take(height, width, holder.where)
    encoding, text = data.said.get("encoding", ""), "".join(holder.text)
    if encoding == "base64":
        return from_base64(text, data.said.get("compression", ""), height, width, holder.where)
    if encoding == "csv":
        return from_csv(text, height, width, holder.where)
    if encoding:
        raise ParseError("tile layers as CSV or base64", encoding, **data.where)
    return from_numbers([tile.integer("gid", 0) for tile in holder.all("tile")], height, width, holder.where)


def _read_object(found: _Element) -> MapObject:
    if "template" in found.said:
        raise ParseError("objects without a template (detach it in Tiled)", found.said["template"], **found.where)
    return MapObject(
        id=found.integer("id", 0),
        name=found.said.get("name", ""),
        kind=_read_class(found),
        x=found.number("x"),
        y=found.number("y"),
        width=found.number("width", 0),
        height=found.number("height", 0),
        rotation=found.number("rotation", 0),
        gid=found.integer("gid", 0) & ~FLIPS & 0xFFFFFFFF,
        properties=_read_properties(found),
        where=found.where,
    )


def _read_elements(text: str, tag: str, what: str) -> _Element:
    """Read XML into elements that know their lines."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ParseError(f"{what} without a document type or entities of its own")
    open_elements: list[_Element] = []
    roots: list[_Element] = []
    parser = expat.ParserCreate("utf-8")

    def begin(name: str, said: dict[str, str]) -> None:
        element = _Element(name, said, parser.CurrentLineNumber)
        (open_elements[-1].inner if open_elements else roots).append(element)
        open_elements.append(element)
        if len(open_elements) > DEEPEST_ELEMENT:
            raise ParseError(f"elements at most {DEEPEST_ELEMENT} deep", **element.where)

    def end(_name: str) -> None:
        open_elements.pop()

    def write(part: str) -> None:
        open_elements[-1].text.append(part)

    def refuse(*_said: Any) -> None:
        raise ParseError(f"{what} without a document type or entities of its own", line=parser.CurrentLineNumber)

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, write
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        # The text is Unicode already, whatever encoding its first line names.
        parser.Parse(text.removeprefix("\ufeff").encode("utf-8"), True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        raise ParseError(f"{what} as XML ({said})", line=error.lineno, column=error.offset + 1) from None
    except UnicodeEncodeError:
        raise ParseError(f"{what} as XML in UTF-8") from None
    if roots[0].tag != tag:
        raise ParseError(f"{what}, which begins with <{tag}>", f"<{roots[0].tag}>", **roots[0].where)
    return roots[0]
