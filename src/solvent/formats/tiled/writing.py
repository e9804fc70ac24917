"""Write Tiled maps: the objects of a map in JSON (TMJ), and the same map in XML (TMX)."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import escape

from solvent.formats.tiled.model import ObjectLink

VERSIONS = {"version": "1.10", "tiledversion": "1.10.2"}
"""The version of the format, and of the program that is said to have written it."""
_TYPES = {bool: "bool", int: "int", float: "float"}
_QUOTES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def to_properties(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return values as custom properties, sorted by name."""
    return [
        {"name": name, "type": "object", "value": int(value.id)}
        if isinstance(value, ObjectLink)
        else {"name": name, "type": _TYPES.get(type(value), "string"), "value": value}
        for name, value in sorted(values.items())
    ]


def to_xml(map: Mapping[str, Any], picture: bytes | None = None) -> str:
    """Write a map that is given as in JSON.

    A tileset without a file and a picture of its own has this one, its tiles in a row, inside the map.
    """
    attributes = ("version", "tiledversion", "orientation", "renderorder", "width", "height", "tilewidth", "tileheight")
    staggered = [name for name in ("hexsidelength", "staggeraxis", "staggerindex") if name in map]
    opening = _attributes(map, attributes) + ' infinite="0"' + _attributes(map, staggered)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<map{opening}{_attributes(map, ('nextlayerid', 'nextobjectid'))}>",
        *_properties(map, " "),
    ]
    for tileset in map["tilesets"]:
        lines += _tileset(tileset, picture)
    for layer in map["layers"]:
        if layer["type"] == "tilelayer":
            width, numbers = layer["width"], layer["data"]
            rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
            hidden = "" if layer.get("visible", True) else ' visible="0"'
            shown = _attributes(layer, ("id", "name", "width", "height"))
            lines += [f" <layer{shown}{hidden}>", '  <data encoding="csv">']
            lines += [",\n".join(",".join(str(number) for number in row) for row in rows), "  </data>", " </layer>"]
        else:
            lines.append(f" <objectgroup{_attributes(layer, ('draworder', 'id', 'name'))}>")
            for one in layer["objects"]:
                names = ("id", *(("name",) if one["name"] else ()), "type", "x", "y", "width", "height")
                lines += _element("object", _attributes(one, names), _properties(one, "   "), "  ")
            lines.append(" </objectgroup>")
    return "\n".join([*lines, "</map>"]) + "\n"


def _tileset(tileset: Mapping[str, Any], picture: bytes | None) -> list[str]:
    if "source" in tileset:
        return [f" <tileset{_attributes(tileset, ('firstgid', 'source'))}/>"]
    is_held = picture is not None and "image" not in tileset
    columns = tileset["tilecount"] if is_held else tileset.get("columns", 0)
    names = ("firstgid", "name", "tilewidth", "tileheight", "spacing", "margin", "tilecount")
    given = {"spacing": 0, "margin": 0}
    shown = _attributes(tileset, (name for name in names if tileset.get(name, 0) != given.get(name)))
    lines = [f' <tileset{shown} columns="{columns}">']
    offset = tileset.get("tileoffset")
    if offset:
        lines.append(f"  <tileoffset{_attributes(offset, ('x', 'y'))}/>")
    if "image" in tileset:
        size = {"source": tileset["image"], "width": tileset["imagewidth"], "height": tileset["imageheight"]}
        known = (name for name in ("source", "width", "height") if size[name])
        lines.append(f"  <image{_attributes(size, known)}/>")
    elif picture is not None:
        lines += [
            f'  <image format="png" width="{tileset["tilewidth"] * columns}" height="{tileset["tileheight"]}">',
            f'   <data encoding="base64">{base64.b64encode(picture).decode()}</data>',
            "  </image>",
        ]
    for tile in tileset.get("tiles", ()):
        inner = _properties(tile, "   ")
        if "image" in tile:
            inner.append(f"   <image{_attributes({'source': tile['image']}, ('source',))}/>")
        names_of_tile = ("id", "type") if "type" in tile else ("id",)
        lines += _element("tile", _attributes(tile, names_of_tile), inner, "  ")
    return [*lines, " </tileset>"]


def _element(tag: str, attributes: str, inner: list[str], indent: str) -> list[str]:
    if not inner:
        return [f"{indent}<{tag}{attributes}/>"]
    return [f"{indent}<{tag}{attributes}>", *inner, f"{indent}</{tag}>"]


def _attributes(values: Mapping[str, Any], names: Iterable[str]) -> str:
    return "".join(f' {name}="{escape(str(values[name]), _QUOTES)}"' for name in names)


def _properties(holder: Mapping[str, Any], indent: str) -> list[str]:
    lines = []
    for one in holder.get("properties", ()):
        value = str(one["value"]).lower() if one["type"] == "bool" else one["value"]
        names = ("name", "value") if one["type"] == "string" else ("name", "type", "value")
        lines.append(f"{indent} <property{_attributes({**one, 'value': value}, names)}/>")
    return [f"{indent}<properties>", *lines, f"{indent}</properties>"] if lines else []
