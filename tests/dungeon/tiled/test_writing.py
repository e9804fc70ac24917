"""Every dungeon survives being written as a Tiled map and read again."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from dataclasses import replace

import pytest

from dungeon.editor_dungeons import wild_dungeon, with_moves
from dungeon.tiled.maps import BARE_FLOOR, NO_WALLS, WRITERS
from solvent.core.errors import BadOption
from solvent.dungeon.formats import sniff_ldtk, sniff_tmj, sniff_tmx
from solvent.dungeon.model import Floor
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.tiled.reading import parse_tiled
from solvent.dungeon.notation.tiled.writing import format_tmj, format_tmx


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_every_dungeon_can_be_written_and_read(format: str, first: int):
    write, read = WRITERS[format]
    for seed in range(first, first + 10):
        dungeon = wild_dungeon(seed)
        dungeon = with_moves(dungeon, seed) if seed % 2 else dungeon
        text = write(dungeon)
        assert read(text, None) == dungeon
        assert set(read(text, None).remarks) <= {NO_WALLS, BARE_FLOOR}
        assert write(read(text, None)) == text


@pytest.mark.parametrize("format", WRITERS)
def test_own_files_are_told_apart(format: str):
    text = WRITERS[format][0](wild_dungeon(3))
    assert (sniff_tmj(text), sniff_tmx(text), sniff_ldtk(text)) == (format == "tmj", format == "tmx", False)


@pytest.mark.parametrize(
    "text", ["", "{", "<", "{}", "[[1,2],[2,1]]", '{"colorRegions": [[1]]}', "dungeon: x", "<svg><map/></svg>", "\0"]
)
def test_other_texts_are_left_to_others(text: str):
    assert not sniff_tmj(text)
    assert not sniff_tmx(text)


@pytest.mark.parametrize("format", WRITERS)
def test_a_title_no_file_can_hold(format: str):
    with pytest.raises(BadOption, match="title"):
        WRITERS[format][0](replace(wild_dungeon(0), title="\x01"))


def test_tmx_holds_a_picture_of_its_tiles():
    text = format_tmx(wild_dungeon(0))
    found = re.search(r'<data encoding="base64">(.*?)</data>', text)
    assert found
    png = base64.b64decode(found[1])
    assert png.startswith(b"\x89PNG")
    at, names = 8, []
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        body = png[at + 4 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(body),)
        names.append(body[:4])
        if body[:4] == b"IDAT":
            assert len(zlib.decompress(body[4:])) == 16 * (7 * 16 + 1)
        at += 12 + length
    assert names == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


def test_floors_lie_side_by_side_and_do_not_overlap():
    floors = [Floor(f"f{n}", (" ." * n,) * (10 - n)) for n in range(1, 9)]
    dungeon = assemble(DungeonParts(floors, starts=[(0, 0, 1)], goals=[(7, 1, 1)]))
    boxes = [
        (thing["x"] // 16, thing["y"] // 16, thing["width"] // 16, thing["height"] // 16)
        for thing in json.loads(format_tmj(dungeon))["layers"][1]["objects"]
        if thing["type"] == "floor"
    ]
    cells = [(x + i, y + j) for x, y, w, h in boxes for i in range(w) for j in range(h)]
    assert len(boxes) == 8
    assert len(cells) == len(set(cells))
    assert parse_tiled(format_tmj(dungeon), None) == dungeon
