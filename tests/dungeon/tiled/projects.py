"""Files that belong to Tiled projects, for tests: a template, classes, and maps of a world."""

from __future__ import annotations

from typing import Any

from dungeon.tiled.maps import with_things

TX = """<?xml version="1.0" encoding="UTF-8"?>
<template>
 <tileset firstgid="1" source="../tiles/things.tsx"/>
 <object name="red key" type="key" gid="3" width="16" height="16">
  <properties><property name="color" value="red"/><property name="count" type="int" value="2"/></properties>
 </object>
</template>
"""
THINGS = """<tileset name="things" tilewidth="16" tileheight="16" tilecount="9" columns="9">
 <tile id="4" type="lock"><properties><property name="color" value="blue"/></properties></tile>
</tileset>"""


def project(*property_types: dict[str, Any]) -> dict[str, Any]:
    return {"folders": ["."], "propertyTypes": [{"id": at, **one} for at, one in enumerate(property_types, 1)]}


def members(**values: Any) -> list[dict[str, Any]]:
    kinds = {bool: "bool", int: "int"}
    return [{"name": name, "type": kinds.get(type(value), "string"), "value": value} for name, value in values.items()]


WEST, EAST = ("####", "#...", "####"), ("####", "...#", "####")


def map_of(rows: tuple[str, ...], *things: dict[str, Any], **changes: Any) -> dict[str, Any]:
    made = with_things(rows=rows, **changes)
    made["layers"][1]["objects"] = list(things)
    return made


def at(name: str, x: int, y: int) -> dict[str, Any]:
    return {"fileName": f"{name}.tmj", "x": x, "y": y, "width": 64, "height": 48}
