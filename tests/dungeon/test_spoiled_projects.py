"""Projects of several files, spoiled at random: reading them raises nothing but ParseError, and reads no other file."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solvent
from dungeon.test_ldtk import entity
from dungeon.test_ldtk_worlds import GOAL, LEFT, RIGHT, START, placed, world
from dungeon.tiled.maps import thing, with_things
from dungeon.tiled.projects import EAST, THINGS, TX, WEST, at, map_of, members, project
from helpers.depth import up_to
from solvent.core.errors import ParseError
from solvent.core.file_access import confined

ODD: list[Any] = [
    *(None, True, 0, -1, 2**31, 10**30, 1e308, 1.5, [], {}, [1], {"x": 1}, [[[1]]]),
    *("", "x", "..", "/etc/passwd", "../../../etc/passwd", "a\0b", "é" * 99, "1,2", "isometric", "zlib", "\ud800"),
]
SCRAPS = (
    "<",
    "&",
    '"',
    "]]>",
    "<!ENTITY a 'b'>",
    "<!DOCTYPE map [",
    "{",
    "}",
    "99999999999",
    "nan",
    "<object/>",
    "../",
)
LEVEL = placed("C", LEFT, 0, 0, START, GOAL)
FILES: dict[str, Any] = {
    "map.tmj": with_things(
        {"id": 9, "template": "key.tx", "x": 16, "y": 32},
        {"id": 14, "x": 20, "y": 20, "type": "place", "polygon": [{"x": 0, "y": 0}, {"x": 3, "y": 4}]},
        thing("warp", 1, id=13, target=[3]),
    ),
    "key.tx": TX.replace("../tiles/", ""),
    "things.tsx": THINGS,
    "a.tiled-project": project({"name": "key", "type": "class", "members": members(count=1)}),
    "objecttypes.xml": '<objecttypes><objecttype name="a"><property name="n" default="1"/></objecttype></objecttypes>',
    "my.world": {"maps": [at("west", 0, 0), at("east", 64, 0)], "patterns": [{"regexp": r"w(\d*)-(\d+)\.tmj"}]},
    "west.tmj": map_of(WEST, thing("start", 1, id=1)),
    "east.tmj": map_of(EAST, thing("goal", 2, id=1)),
    "p.ldtk": world(
        placed("A", LEFT, 0, 0, START, entity("Warp", 2, iid="w", target=["far"])),
        placed("B", RIGHT, 64, 0, GOAL, entity("Place", 1, iid="far")),
    ),
    "q.ldtk": world({**LEVEL, "layerInstances": None, "externalRelPath": "q/C.ldtkl"}),
    "q/C.ldtkl": LEVEL,
}
OPENED = ("map.tmj", "my.world", "p.ldtk", "q.ldtk", "q/C.ldtkl")


def write(folder: Path, name: str, made: Any) -> None:
    text = made if isinstance(made, str) else json.dumps(made)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))


def changed(made: Any, dice: Random) -> Any:
    """Return a value with something in it removed, doubled or replaced."""
    whole = node = copy.deepcopy(made)
    while True:
        key = dice.choice(list(node)) if isinstance(node, dict) else dice.randrange(len(node))
        if isinstance(node[key], dict | list) and node[key] and dice.random() < 0.85:
            node = node[key]
            continue
        if dice.random() < 0.3:
            del node[key]
        elif isinstance(node, list) and dice.random() < 0.3:
            node.append(copy.deepcopy(node[key]))
        else:
            node[key] = dice.choice(ODD)
        return whole


def spoiled(text: str, dice: Random) -> str:
    place = dice.randrange(len(text))
    return text[:place] + dice.choice(SCRAPS) + text[place + dice.randint(0, 9) :]


@pytest.mark.parametrize("name", FILES)
def test_spoiled_files_raise_only_parse_errors(name: str, tmp_path: Path):
    dice = Random(name)
    for other, made in FILES.items():
        write(tmp_path, other, made)
    opened = [root for root in OPENED if Path(root).parts[0].split(".")[0] == Path(name).parts[0].split(".")[0]]
    opened = opened or (["my.world"] if name in ("west.tmj", "east.tmj") else ["map.tmj"])
    refused = []
    with confined([tmp_path]):
        for root in opened:
            solvent.load(tmp_path / root)
        for _ in range(up_to(40, deep=120)):
            made = FILES[name]
            is_text = isinstance(made, str) or dice.random() < 0.2
            write(
                tmp_path,
                name,
                spoiled(made if isinstance(made, str) else json.dumps(made), dice) if is_text else changed(made, dice),
            )
            for root in opened:
                try:
                    solvent.load(tmp_path / root)
                except ParseError as error:
                    refused.append(str(error))
    assert refused
    assert not any("root:" in message for message in refused)
