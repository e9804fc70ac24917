"""Tiled files as elements: XML as it is, and JSON, also of versions before 1.2, in the form that the XML has.

An object of a JSON list `tiles` becomes an element `<tile>`, its numbers and texts become attributes. Null is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element, read_elements
from solvent.formats.typed_json import read_json, shape_error

MAX_OBJECTS = 200_000
"""The most objects of a map; one with more is refused before anything is made of them."""

_TILESETS = {"tilesets": "tileset", "tiles": "tile"}
MAP_LISTS: Mapping[str, str] = {
    **_TILESETS,
    "layers": "",  # named by the type of each
    "objects": "object",
    "chunks": "chunk",
    "properties": "property",
    "wangsets": "wangset",
    "wangtiles": "wangtile",
    "colors": "wangcolor",
}
"""The JSON lists that a map is read from, and what their elements are called in XML."""
TERRAIN_LISTS: Mapping[str, str] = {
    **_TILESETS,
    "wangsets": "wangset",
    "wangtiles": "wangtile",
    "colors": "wangcolor",
    "cornercolors": "wangcornercolor",
    "edgecolors": "wangedgecolor",
}
"""The JSON lists that terrain sets are read from."""
_GROUPS = ("properties", "wangsets")
"""Lists that are an element of their own in XML."""
_LAYERS = {"tilelayer": "layer", "objectgroup": "objectgroup", "group": "group", "imagelayer": "imagelayer"}
_LAYER_TEXTS = ("name", "class", "encoding", "compression")
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "map": ("orientation", "staggeraxis", "staggerindex"),
    "tileset": ("name", "source", "image", "objectalignment", "transparentcolor"),
    "tile": ("class", "type", "image"),
    "layer": _LAYER_TEXTS,
    "objectgroup": _LAYER_TEXTS,
    "group": _LAYER_TEXTS,
    "object": ("name", "class", "type", "template"),
    "property": ("name", "type", "propertytype"),
    "wangset": ("name", "type"),
    "wangcolor": ("name",),
    "grid": ("orientation",),
    "imagelayer": ("name", "class"),
}
"""The attributes of elements that are read as texts; those read as numbers are looked at when they are."""
SHAPES = ("ellipse", "point", "polygon", "polyline", "text", "capsule")
"""What an object may be instead of a rectangle or a tile."""
_FLAGS = ("infinite", "hflip", "vflip", "dflip", "rotate")


@dataclass(slots=True)
class JsonElement(Element):
    """Hold an object of JSON as an element; it stands at a JSON path instead of a line."""

    path: str = "$"
    value: Any = None
    """The value of a property or shape, or the numbers of tiles where they are a list."""

    @property
    def where(self) -> Mapping[str, Any]:
        """Return where it stands, as keyword arguments of ParseError."""
        return {"path": self.path}


def read_tiled(text: str, tags: tuple[str, ...], what: str, lists: Mapping[str, str]) -> Element:
    """Read a file and return its root, which has one of the tags; `what` says what it should be: "a Tiled map".

    Of JSON, only `lists` are looked at.
    """
    if not text[:100].lstrip("\ufeff \t\r\n").startswith(("{", "[", '"')):
        _require_few_objects(text.count("<object") - text.count("<objectgroup"))
        return read_elements(text, tags, what)
    values = read_json(text, dict[str, Any], what)
    tag = tags[0] if len(tags) == 1 else "map" if values.get("tilesets") else "tileset"
    try:
        _require_few_objects(_count_objects(values))
        return _element(tag, values, "$", lists)
    except RecursionError:
        raise ParseError(f"{what}, but it is nested too deeply") from None


def _require_few_objects(count: int) -> None:
    if count > MAX_OBJECTS:
        raise ParseError(f"at most {MAX_OBJECTS:,} objects", count)


def _count_objects(values: Mapping[str, Any]) -> int:
    """Count the objects in all layers, as far as they are lists."""
    objects, layers = values.get("objects"), values.get("layers")
    inner = [layer for layer in layers if isinstance(layer, dict)] if isinstance(layers, list) else []
    return (len(objects) if isinstance(objects, list) else 0) + sum(map(_count_objects, inner))


def _element(tag: str, values: Any, path: str, lists: Mapping[str, str]) -> JsonElement:
    attributes: dict[str, str] = {}
    element = JsonElement(tag, attributes, 0, path=path)
    for name, value in _as_written_today(tag, _require(values, dict, "an object", path), path, lists).items():
        here = f"{path}.{name}"
        if name in lists:
            children: list[Element] = [
                (_layer if name == "layers" else _element)(lists[name], one, f"{here}[{at}]", lists)
                for at, one in enumerate(_require(value, list, "a list", here))
            ]
            element.children += [JsonElement(name, {}, 0, [], children, here)] if name in _GROUPS else children
        elif name in ("transformations", "tileoffset", "grid"):
            element.children.append(_element(name, value, here, lists))
        elif name == "value" and tag == "property":
            element.value = value
        elif tag == "object" and name in SHAPES:
            if value:
                element.children.append(JsonElement(name, {}, 0, path=here, value=value))
        elif tag == "template" and name in ("object", "tileset"):
            element.children.append(_element(name, value, here, lists))
        elif name == "data" and "layers" in lists:
            element.text, element.value = _cells(value, here)
        elif name == "image":
            source = _attribute(tag, name, value, here)
            element.children.append(JsonElement("image", {"source": source}, 0, path=here))
        else:
            attributes[name] = _attribute(tag, name, value, here)
    return element


def _as_written_today(tag: str, values: dict[str, Any], path: str, lists: Mapping[str, str]) -> dict[str, Any]:
    """Return an object without null, and with lists where versions before 1.2 had objects, by name or by number."""
    values = {name: value for name, value in values.items() if value is not None}
    if isinstance(values.get("properties"), dict):
        values["properties"] = [{"name": name, "value": value} for name, value in values["properties"].items()]
    tiles, properties = values.get("tiles", {}), values.pop("tileproperties", {}) if "properties" in lists else {}
    if tag != "tileset" or (isinstance(tiles, list) and not properties):
        return values
    if isinstance(tiles, list):
        tiles = {str(tile.get("id")): tile for tile in tiles if isinstance(tile, dict)}
    _require(tiles, dict, "a list", f"{path}.tiles")
    _require(properties, dict, "an object", f"{path}.tileproperties")
    for key in (*tiles, *properties):
        if not (key.isascii() and key.isdigit() and len(key) < 10):
            raise ParseError("tiles by number", key, path=f"{path}.tiles")
    values["tiles"] = [
        {**_require(tiles.get(key, {}), dict, "an object", f"{path}.tiles.{key}"), "id": int(key)}
        | ({"properties": properties[key]} if key in properties else {})
        for key in {**tiles, **properties}
    ]
    return values


def _layer(_tag: str, values: Any, path: str, lists: Mapping[str, str]) -> JsonElement:
    type = _require(values, dict, "an object", path).get("type")
    if not isinstance(type, str) or type not in _LAYERS:
        raise ParseError("a layer: tilelayer, objectgroup, imagelayer or group", type, path=f"{path}.type")
    layer = _element(_LAYERS[type], values, path, lists)
    chunks = list(layer.all("chunk"))
    if type == "tilelayer" and (chunks or values.get("data") is not None):
        encoding = "base64" if layer.attributes.get("encoding") == "base64" else "csv"
        attributes = {"encoding": encoding, "compression": layer.attributes.get("compression", "")}
        layer.children.append(JsonElement("data", attributes, 0, layer.text, chunks, f"{path}.data", layer.value))
    return layer


def _cells(data: Any, path: str) -> tuple[list[str], list[int] | None]:
    """Return the text of encoded tile numbers, or else their list."""
    if isinstance(data, str):
        return [data], None
    try:
        return [], msgspec.convert(data, list[int])
    except msgspec.ValidationError as error:
        raise shape_error(error, "numbers of tiles", data, path) from None


def _require(value: Any, type: type, expected: str, path: str) -> Any:
    if not isinstance(value, type):
        raise ParseError(expected, value, path=path)
    return value


def _attribute(tag: str, name: str, value: Any, path: str) -> str:
    """Return a value as XML would have it; a text where no text belongs stays in quotes, so that it is no number."""
    if name in _FLAGS:
        return str(_require(value, bool, "true or false", path)).lower()
    if name in _TEXTS.get(tag, ()):
        return str(_require(value, str, "a text", path))
    if isinstance(value, list):
        return ",".join(map(str, value)) if name == "wangid" else "a list"
    return "an object" if isinstance(value, dict) else repr(value)
