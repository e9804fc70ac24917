"""The objects of a Tiled map: with what their templates, tiles and classes say, and placed as on an orthogonal map."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.companion_files import Companion, Where
from solvent.formats.tiled.cells import FLIPS
from solvent.formats.tiled.model import MapObject, TileSet
from solvent.formats.tiled.parsing import MAP_LISTS, SHAPES, JsonElement, read_tiled
from solvent.formats.tiled.properties import ObjectTypes, read_kind, read_properties
from solvent.formats.tiled.tilesets import TileFinder, TileSetReader

MAX_TEMPLATES = 1_000
_TEMPLATE = Companion("template", (".tx", ".tj", ".json", ".xml"))
_MAX_POINTS = 100_000
_FAR = float(1 << 32)


class Projection(Struct, frozen=True):
    """Know how a map shows its grid: the size of its tiles in pixels, and whether it is isometric."""

    tile_width: int
    tile_height: int
    is_isometric: bool


class _Template(Struct, frozen=True):
    """Hold the object that a template has; its tile is numbered as in the map."""

    element: Element
    properties: Mapping[str, Any]
    gid: int


class ObjectReader:
    """Read the objects of a map; templates are looked for beside the file that holds them, and read once."""

    def __init__(self, path: Path | None, types: ObjectTypes, tilesets: TileSetReader, projection: Projection) -> None:
        self.path = path
        self.types = types
        self.tilesets = tilesets
        self.projection = projection
        self._templates: dict[str, _Template] = {}
        self._finder = TileFinder(tilesets.tilesets)

    def read(self, element: Element, offset: tuple[float, float]) -> MapObject:
        """Read an object in a layer that is shifted by some pixels."""
        source = element.attributes.get("template")
        template = self._template(source, element.where) if source else None
        merged = element if template is None else _merge(element, template.element)
        own = read_properties(element, self.types)
        gid = element.integer("gid", 0) & ~FLIPS & 0xFFFFFFFF
        if not gid and template is not None and "gid" not in element.attributes:
            gid = template.gid
        tileset = self._find_tileset(gid, element.where)
        tile = tileset.tiles.get(gid - tileset.first) if tileset is not None else None
        kind = read_kind(merged) or (tile.kind if tile is not None else "")
        properties = {
            **self.types.defaults(kind),
            **(tile.properties if tile is not None else {}),
            **(template.properties if template is not None else {}),
            **own,
        }
        shape = next((shape for shape in SHAPES if merged.first(shape) is not None), "")
        x, y, width, height, rotation = self._place(merged, shape, tileset)
        return MapObject(
            id=element.integer("id", 0),
            name=merged.attributes.get("name", ""),
            kind=kind,
            x=x + offset[0],
            y=y + offset[1],
            width=width,
            height=height,
            rotation=rotation,
            gid=gid,
            properties=properties,
            where=element.where,
            shape="" if gid else shape,
        )

    def _find_tileset(self, gid: int, where: Where) -> TileSet | None:
        if len(self._finder.tilesets) != len(self.tilesets.tilesets):  # a template brought another
            self._finder = TileFinder(self.tilesets.tilesets)
        return self._finder.tileset(gid, where) if gid else None

    # Templates

    def _template(self, source: str, where: Where) -> _Template:
        if source not in self._templates:
            if len(self._templates) >= MAX_TEMPLATES:
                raise ParseError(f"at most {MAX_TEMPLATES:,} templates", source, **where)
            place = _TEMPLATE.find(self.path, source, where)
            text = _TEMPLATE.read(self.path, source, where)
            try:
                self._templates[source] = self._read_template(text, place)
            except ParseError as error:
                raise error.in_source(source) from None
        return self._templates[source]

    def _read_template(self, text: str, path: Path) -> _Template:
        root = read_tiled(text, ("template",), "a Tiled template", MAP_LISTS)
        element, tileset = root.first("object"), root.first("tileset")
        if element is None:
            raise ParseError("an object in the template, but there is none", **root.where)
        if element.attributes.get("template"):
            raise ParseError("a template without a template of its own", element.attributes["template"], **root.where)
        gid = element.integer("gid", 0) & ~FLIPS & 0xFFFFFFFF
        if gid:
            if tileset is None:
                raise ParseError("the tileset of the template's tile, but there is none", gid, **element.where)
            gid += self.tilesets.first_of_template(tileset, path) - tileset.integer("firstgid", 1)
        return _Template(element, read_properties(element, self.types), gid)

    # Places

    def _place(self, element: Element, shape: str, tileset: TileSet | None) -> tuple[float, float, float, float, float]:
        """Return the place, size and rotation of an object on an orthogonal map."""
        x, y = element.number("x"), element.number("y")
        width, height = element.number("width", 0), element.number("height", 0)
        rotation = element.number("rotation", 0)
        if tileset is not None:
            size = (width or tileset.tile_width, height or tileset.tile_height)  # before 0.12 tiles had their own
            return self._place_tile((x, y), size, rotation, tileset.alignment)
        if shape in ("polygon", "polyline"):
            left, top, right, bottom = _box_of_points(element, shape, rotation)
            x, y, width, height, rotation = x + left, y + top, right - left, bottom - top, 0.0
        if self.projection.is_isometric:  # both axes are measured in heights of tiles
            stretch = self.projection.tile_width / self.projection.tile_height
            x, width = x * stretch, width * stretch
        return x, y, width, height, rotation

    def _place_tile(
        self, origin: tuple[float, float], size: tuple[float, float], rotation: float, alignment: str
    ) -> tuple[float, float, float, float, float]:
        """Place a tile by its lower left corner, whichever point of it was at the origin."""
        width, height = size
        if alignment in ("", "unspecified"):
            alignment = "bottom" if self.projection.is_isometric else "bottomleft"
        across = 0.0 if "left" in alignment else width if "right" in alignment else width / 2
        up = 0.0 if "bottom" in alignment else height if "top" in alignment else height / 2
        if not self.projection.is_isometric:
            angle = math.radians(rotation)
            x = origin[0] - across * math.cos(angle) - up * math.sin(angle)
            y = origin[1] - across * math.sin(angle) + up * math.cos(angle)
            return x, y, width, height, rotation
        # The picture stands on the screen, and its foot is a diamond as wide as the picture: the lower corner of the
        # diamond is in the middle of the picture's lower edge.
        tile_width, tile_height = self.projection.tile_width, self.projection.tile_height
        right, down = (width / 2 - across) / tile_width, up / tile_height
        column, row = origin[0] / tile_height + right + down, origin[1] / tile_height + down - right
        foot = width / tile_width
        return (column - foot) * tile_width, row * tile_height, width, foot * tile_height, 0.0


def _merge(element: Element, template: Element) -> Element:
    """Return an object with what its template says where it says nothing itself."""
    attributes = {**template.attributes, **element.attributes}
    if read_kind(element):
        attributes = {name: text for name, text in attributes.items() if name not in ("class", "type")}
        attributes["class"] = read_kind(element)
    shapes = [child for child in element.children if child.tag in SHAPES]
    children = shapes or [child for child in template.children if child.tag in SHAPES]
    if isinstance(element, JsonElement):
        return JsonElement(element.tag, attributes, 0, [], children, element.path)
    return Element(element.tag, attributes, element.line, [], children)


def _box_of_points(element: Element, shape: str, rotation: float) -> tuple[float, float, float, float]:
    """Return the edges of the box around a polygon or line, turned as it is, from the place of its object."""
    angle = math.radians(rotation)
    points = [
        (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
        for x, y in _read_points(element, shape)
    ]
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _read_points(element: Element, shape: str) -> list[tuple[float, float]]:
    holder = element.first(shape)
    if holder is None:
        return []
    if isinstance(holder, JsonElement):
        listed = holder.value if isinstance(holder.value, list) else []
        pairs = [(one.get("x"), one.get("y")) if isinstance(one, dict) else (None, None) for one in listed]
    else:
        words = holder.attributes.get("points", "").split()
        pairs = [(x, y) for x, _, y in (word.partition(",") for word in words)]
    try:
        if len(pairs) > _MAX_POINTS:
            raise ValueError
        points = [(float(x), float(y)) for x, y in pairs]  # type: ignore[arg-type]
        if not all(abs(part) <= _FAR for point in points for part in point):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise ParseError(f"the points of a {shape}, such as 0,0 16,0 16,16", **holder.where) from None
    return points
