"""Tiled maps for tests: small ones, objects on them, and a map as people draw them."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from pathlib import Path
from typing import Any

from solvent.dungeon.model import Dungeon, Floor, Gate, Pickup
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.tiled.reading import parse_tiled
from solvent.dungeon.notation.tiled.writing import format_tmj, format_tmx

NO_WALLS = "Nothing on this map is a wall; the file says that this is meant."


BARE_FLOOR = "A floor has no wall; the file says that this is meant."


WITHOUT_WALLS = [{"name": "walls", "value": "none"}]


WRITERS = {"tmj": (format_tmj, parse_tiled), "tmx": (format_tmx, parse_tiled)}


TSX = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="dungeon" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="dungeon.png" width="128" height="16"/>
 <tile id="0"><properties><property name="walk" type="bool" value="true"/></properties></tile>
 <tile id="1"><properties><property name="walk" type="bool" value="false"/></properties></tile>
 <tile id="2"><properties><property name="terrain" value="water"/></properties></tile>
 <tile id="4" type="key"><properties><property name="color" value="red"/></properties></tile>
</tileset>
"""


TMX = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="7" height="4"
 tilewidth="16" tileheight="16" infinite="0" nextlayerid="5" nextobjectid="20">
 <editorsettings><export target="x.json" format="json"/></editorsettings>
 <properties>
  <property name="bombs" type="int" value="2"/>
  <property name="music" value="cave.ogg"/>
  <property name="title" value="Cave &amp; lake"/>
 </properties>
 <tileset firstgid="1" source="tiles/dungeon.tsx"/>
 <imagelayer id="9" name="sky"><image source="sky.png"/></imagelayer>
 <layer id="1" name="ground" width="7" height="4">
  <data encoding="csv">
1,1,1,1,1,1,1,
1,1,1,3,1,1,1,
1,1,1,3,1,1,1,
1,1,1,1,1,1,0
</data>
 </layer>
 <group id="7" name="above">
 <layer id="2" name="Walls" width="7" height="4">
  <data>
   <tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2147483650"/><tile gid="2"/><tile gid="2"/>
   <tile gid="0"/><tile gid="0"/><tile gid="0"/><tile gid="0"/><tile gid="2"/><tile gid="0"/><tile gid="2"/>
   <tile gid="0"/><tile gid="0"/><tile gid="4"/><tile/><tile gid="2"/><tile gid="0"/><tile gid="2"/>
   <tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile/>
  </data>
 </layer>
 </group>
 <layer id="6" name="light" class="ignore" width="7" height="4"><data encoding="csv">
9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9</data></layer>
 <objectgroup id="3" name="things">
  <object id="1" name="hero" type="Start" x="8" y="24"><point/></object>
  <object id="2" gid="2147483653" x="16" y="32" width="16" height="16"/>
  <object id="3" name="Red Door" type="lock" x="64" y="16" width="16" height="16">
   <properties><property name="color" value="red"/></properties>
  </object>
  <object id="4" class="goal" x="84" y="20" width="4" height="4"><ellipse/></object>
  <object id="5" type="warp" x="80" y="32" width="16" height="16">
   <properties><property name="target" type="object" value="6"/></properties>
  </object>
  <object id="6" type="place" x="0" y="32" width="16" height="16"/>
  <object id="7" type="item" name="ladder" x="20" y="36" width="8" height="8"/>
  <object id="8" x="0" y="0"><text>only words</text></object>
  <object id="9" type="oneway" x="16" y="32" width="16" height="16">
   <properties><property name="direction" value="up"/></properties>
  </object>
 </objectgroup>
</map>
"""


def write_tiles(folder: Path) -> Path:
    (folder / "tiles").mkdir()
    (folder / "tiles" / "dungeon.tsx").write_text(TSX)
    return folder / "map.tmx"


def tmj(**changes: Any) -> dict[str, Any]:
    """Return a small map as Tiled saves it: start, key, lock and goal in a corridor between walls."""
    tiles = [
        {"id": 0, "properties": [{"name": "walk", "type": "bool", "value": True}]},
        {"id": 1, "properties": [{"name": "walk", "type": "bool", "value": False}]},
    ]
    objects = [
        {"id": 1, "name": "", "type": "start", "x": 16, "y": 16, "width": 16, "height": 16, "rotation": 0},
        {"id": 2, "name": "", "type": "key", "x": 32, "y": 16, "width": 16, "height": 16},
        {"id": 3, "name": "", "type": "lock", "x": 48, "y": 16, "width": 16, "height": 16},
        {"id": 4, "name": "", "type": "goal", "x": 72, "y": 24, "width": 0, "height": 0, "point": True},
    ]
    made: dict[str, Any] = {
        "type": "map",
        "version": "1.10",
        "orientation": "orthogonal",
        "width": 6,
        "height": 3,
        "tilewidth": 16,
        "tileheight": 16,
        "infinite": False,
        "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 16, "tileheight": 16, "tiles": tiles}],
        "layers": [
            {"type": "tilelayer", "name": "map", "width": 6, "height": 3, "data": [*[2] * 7, *[1] * 4, *[2] * 7]},
            {"type": "objectgroup", "name": "objects", "objects": objects},
        ],
    }
    return {**made, **changes}


def parse(map: dict[str, Any], path: Path | None = None) -> Dungeon:
    return parse_tiled(json.dumps(map), path)


def thing(
    kind: str, column: float, row: float = 1, /, *, id: int, name: str = "", size: tuple[float, float] = (1, 1), **said
):
    """Return an object; a number for a property of type object is given as a list."""
    properties = [
        {"name": word, "type": "object", "value": value[0]}
        if isinstance(value, list)
        else {
            "name": word,
            "type": {bool: "bool", int: "int", float: "float"}.get(type(value), "string"),
            "value": value,
        }
        for word, value in said.items()
    ]
    height, width = size
    box = {"x": column * 16, "y": row * 16, "width": width * 16, "height": height * 16}
    return {"id": id, "name": name, "type": kind, **box, "properties": properties}


def with_things(*things: dict[str, Any], rows: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    """Return the small map with more objects, or with other rows of tiles."""
    map = tmj(**changes)
    if rows:
        map["width"], map["height"] = len(rows[0]), len(rows)
        map["layers"][0] |= {
            "width": len(rows[0]),
            "height": len(rows),
            "data": [" .#".index(c) for c in "".join(rows)],
        }
    map["layers"][1]["objects"] += things
    return map


CORRIDOR = assemble(
    DungeonParts(
        [Floor("", ("######", "#....#", "######"))],
        starts=[(0, 1, 1)],
        goals=[(0, 1, 4)],
        pickups=[Pickup((0, 1, 2), "key")],
        gates=[Gate("lock", ("",), ((0, 1, 3),))],
    )
)


def packed(numbers: list[int], compression: str) -> str:
    data = struct.pack(f"<{len(numbers)}I", *numbers)
    pack = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}[compression]
    return base64.b64encode(pack(data)).decode()
