"""Terrain sets of Tiled: who may touch whom by colours, weights, pictures out of a sheet, and files that are wrong."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from solvent.core.errors import BadOption, ParseError
from solvent.valency.model import Rules, numbers_in
from solvent.valency.notation.pictures import beside, read_png, write_png
from solvent.valency.notation.wang import parse_wang
from solvent.valency.rules import modules_named

SIDES = ("right", "down", "left", "up")


def names_beside(rules: Rules, key: str, side: str) -> set[str]:
    module = next(module for module in rules.modules if module.key == key)
    return {rules.modules[number].key for number in numbers_in(module.bonds[0].neighbours[SIDES.index(side)] or 0)}


def tsx(*wangsets: str, more: str = "") -> str:
    """Write a tileset of 2 × 2 tiles of 4 pixels."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tileset version="1.10" name="land" tilewidth="4" tileheight="4" tilecount="16" columns="2">\n'
        f' <image source="land.png" width="8" height="8"/>\n{more}<wangsets>{"".join(wangsets)}</wangsets>\n</tileset>'
    )


def wangset(kind: str, *tiles: str, name: str = "land", colours: int = 2) -> str:
    said = "".join(f'<wangcolor name="c{i}" color="#ff0000" tile="-1" probability="1"/>' for i in range(colours))
    rows = "".join(f'\n<wangtile tileid="{number}" wangid="{ids}"/>' for number, ids in enumerate(tiles))
    return f'<wangset name="{name}" type="{kind}" tile="-1">{said}{rows}</wangset>'


def corner(top_right: int, bottom_right: int, bottom_left: int, top_left: int) -> str:
    return f"0,{top_right},0,{bottom_right},0,{bottom_left},0,{top_left}"


def edge(top: int, right: int, bottom: int, left: int) -> str:
    return f"{top},0,{right},0,{bottom},0,{left},0"


def test_corner_sets():
    """A complete set of two terrains: two of four corners are shared along each side."""
    tiles = list(product((1, 2), repeat=4))
    rules = parse_wang(tsx(wangset("corner", *(corner(*tile) for tile in tiles))))
    assert rules.name == "land"
    assert [module.key for module in rules.modules] == [str(number) for number in range(16)]
    for number, (top_right, bottom_right, bottom_left, _) in enumerate(tiles):
        right = {str(i) for i, tile in enumerate(tiles) if (tile[3], tile[2]) == (top_right, bottom_right)}
        down = {str(i) for i, tile in enumerate(tiles) if (tile[3], tile[0]) == (bottom_left, bottom_right)}
        assert names_beside(rules, str(number), "right") == right
        assert names_beside(rules, str(number), "down") == down
        assert len(right) == len(down) == 4
        for there in right:
            assert str(number) in names_beside(rules, there, "left")


def test_edge_sets():
    tiles = list(product((1, 2), repeat=4))
    rules = parse_wang(tsx(wangset("edge", *(edge(*tile) for tile in tiles))))
    for number, (_, right, bottom, _) in enumerate(tiles):
        assert names_beside(rules, str(number), "right") == {str(i) for i, tile in enumerate(tiles) if tile[3] == right}
        assert names_beside(rules, str(number), "down") == {str(i) for i, tile in enumerate(tiles) if tile[0] == bottom}


def test_mixed_sets_compare_corners_and_edges():
    tiles = ("1,1,1,1,1,1,1,1", "1,1,2,1,1,1,2,1", "1,2,1,1,1,1,1,2")
    rules = parse_wang(tsx(wangset("mixed", *tiles)))
    assert names_beside(rules, "0", "right") == {"0"}
    assert names_beside(rules, "1", "right") == {"1"}
    assert names_beside(rules, "2", "right") == {"2"}
    assert names_beside(rules, "0", "down") == {"0", "1"}
    assert names_beside(rules, "2", "down") == {"0", "1"}
    assert names_beside(rules, "2", "up") == set()
    assert rules.modules[2].bonds[0].boundary_mask == 0b1000


def test_no_colour_stands_beside_no_colour():
    """A path that ends in nothing is not cut off, unless no colour is to mean any."""
    text = tsx(wangset("corner", corner(0, 1, 0, 0), corner(0, 0, 1, 0), corner(1, 1, 1, 1), corner(0, 0, 0, 0)))
    rules = parse_wang(text)
    assert names_beside(rules, "0", "right") == {"1"}
    assert names_beside(rules, "3", "right") == {"0", "3"}
    assert names_beside(parse_wang(text, unset_is_any=True), "0", "right") == {"0", "1", "2", "3"}
    # Where a corner set says something about edges, it does not matter.
    other = text.replace("0,1,0,1,0,1,0,1", "1,1,1,1,1,1,1,1")
    assert parse_wang(other).modules[2].bonds == rules.modules[2].bonds


def test_which_set():
    text = tsx(wangset("edge", edge(1, 1, 1, 1), name="roads"), wangset("corner", corner(1, 1, 2, 2), name="coast"))
    remarks: list[str] = []
    assert len(parse_wang(text, remark=remarks.append).modules[0].bonds) == 1
    assert remarks == ["The terrain set 'roads' is used; there are also: coast."]
    assert names_beside(parse_wang(text, subset="roads"), "0", "right") == {"0"}
    assert names_beside(parse_wang(text, subset="coast", remark=remarks.append), "0", "right") == set()
    assert len(remarks) == 1
    with pytest.raises(BadOption, match="unknown terrain set 'hills'; there are: roads, coast"):
        parse_wang(text, subset="hills")


def test_weights_and_classes():
    text = tsx(
        wangset("corner", corner(1, 1, 1, 1), corner(1, 2, 2, 1), corner(2, 2, 2, 2)).replace(
            'tile="-1" probability="1"', 'tile="-1" probability="0.5"', 1
        ),
        more='<transformations hflip="1" vflip="0" rotate="0"/><tile id="0" class="grass"/>'
        '<tile id="1" type="shore" probability="0.25"/><tile id="2" probability="0"/>',
    )
    remarks: list[str] = []
    modules = parse_wang(text, remark=remarks.append).modules
    assert [(module.key, module.name, module.weight) for module in modules] == [
        ("0", "grass", 0.5**4),
        ("1", "shore", 0.25 * 0.5**2),
        ("2", "2", 0),
    ]
    assert remarks == ["The tileset lets Tiled turn or flip its tiles; here they stand as they are drawn."]


def test_a_class_that_reads_like_the_number_of_a_tile_means_the_class():
    text = tsx(
        wangset("corner", *(corner(n, n, n, n) for n in (1, 2, 1))),
        more='<tile id="0" class="2"/><tile id="1" class="2"/>',
    )
    rules = parse_wang(text)
    assert [module.key for module in rules.modules] == ["0", "1", "tile 2"]
    assert modules_named(rules, "2") == [0, 1, 2]
    assert modules_named(rules, "tile 2") == [2]


def tsj(**changes: Any) -> dict[str, Any]:
    return {
        "name": "land",
        "image": "land.png",
        "tilewidth": 4,
        "tileheight": 4,
        "columns": 2,
        "tiles": [{"id": 1, "type": "shore", "probability": 0.5}],
        "wangsets": [
            {
                "name": "land",
                "type": "corner",
                "colors": [{"name": "a", "probability": 1}, {"name": "b", "probability": 1}],
                "wangtiles": [
                    {"tileid": 0, "wangid": [0, 1, 0, 1, 0, 1, 0, 1]},
                    {"tileid": 1, "wangid": [0, 1, 0, 2, 0, 2, 0, 1]},
                    {"tileid": 2, "wangid": [0, 2, 0, 2, 0, 2, 0, 2]},
                ],
            }
        ],
        **changes,
    }


def test_the_same_in_json_and_in_a_map():
    xml = tsx(
        wangset("corner", corner(1, 1, 1, 1), corner(1, 2, 2, 1), corner(2, 2, 2, 2)),
        more='<tile id="1" type="shore" probability="0.5"/>',
    )
    rules = parse_wang(xml)
    assert names_beside(rules, "0", "down") == {"0", "1"}
    assert parse_wang(json.dumps(tsj())).modules == rules.modules
    assert parse_wang(json.dumps({"layers": [], "tilesets": [{"firstgid": 1, **tsj()}]})).modules == rules.modules
    inside = xml.partition("\n")[2].replace("<tileset ", '<tileset firstgid="1" ')
    assert parse_wang(f"<map>{inside}</map>").modules == rules.modules
    with pytest.raises(ParseError, match=r"the tileset's own file: land\.tsx"):
        parse_wang('<map><tileset firstgid="1" source="land.tsx"/></map>')


def test_files_of_older_versions():
    """Before 1.5 a tile's colours were one hexadecimal number, and corners and edges had colours of their own."""
    text = tsx(
        '<wangset name="old"><wangcornercolor probability="0.5"/><wangcornercolor probability="1"/>'
        '<wangtile tileid="0" wangid="0x10101010"/><wangtile tileid="1" wangid="0x10202010"/></wangset>'
    )
    rules = parse_wang(text)
    assert names_beside(rules, "0", "down") == {"0", "1"}
    assert names_beside(rules, "1", "right") == {"1"}
    assert [module.weight for module in rules.modules] == [0.5**4, 0.5**2]
    flipped = text.replace('tileid="1"', 'tileid="1" hflip="true"')
    with pytest.raises(ParseError, match="tiles that are not flipped"):
        parse_wang(flipped)


# Pictures


def sheet(margin: int = 0, spacing: int = 0) -> bytes:
    """Paint four tiles in two rows, each in its own colour."""
    side = 2 * margin + 8 + spacing
    pixels = np.full((side, side, 4), 255, dtype=np.uint8)
    for number in range(4):
        x, y = (margin + place * (4 + spacing) for place in (number % 2, number // 2))
        pixels[y : y + 4, x : x + 4, :3] = 10 * number + 10
    return write_png(pixels)


@pytest.mark.parametrize(("margin", "spacing"), [(0, 0), (3, 0), (2, 1)])
@pytest.mark.parametrize("columns", [2, 0])
def test_pictures_out_of_a_sheet(tmp_path: Path, margin: int, spacing: int, columns: int):
    (tmp_path / "land.png").write_bytes(sheet(margin, spacing))
    text = json.dumps(tsj(margin=margin, spacing=spacing, columns=columns))
    modules = parse_wang(text, read_beside=beside(tmp_path / "land.tsj")).modules
    assert [module.look.colour for module in modules] == ["#0a0a0a", "#141414", "#1e1e1e"]
    for number, module in enumerate(modules):
        pixels = read_png(module.look.picture, module.key)
        assert pixels.shape == (4, 4, 4)
        assert (pixels[..., 0] == 10 * number + 10).all()


def test_pictures_of_their_own(tmp_path: Path):
    (tmp_path / "shore.png").write_bytes(write_png(np.full((4, 4, 4), 255, dtype=np.uint8)))
    remarks: list[str] = []
    text = json.dumps(tsj(image="", tiles=[{"id": 1, "image": "shore.png"}, {"id": 2, "image": "gone.png"}]))
    modules = parse_wang(text, read_beside=beside(tmp_path / "x.tsj"), remark=remarks.append).modules
    assert [module.look.colour for module in modules] == ["", "#ffffff", ""]
    assert remarks == ["Modules have no pictures, for lack of a PNG file beside the tileset: gone.png."]


def test_a_sheet_that_is_too_small(tmp_path: Path):
    (tmp_path / "land.png").write_bytes(write_png(np.zeros((4, 8, 4), dtype=np.uint8)))
    with pytest.raises(ParseError, match=r"land\.png: expected a picture that holds tile 2, found '8x4'"):
        parse_wang(json.dumps(tsj()), read_beside=beside(tmp_path / "land.tsj"))


def spoiled(**changes: Any) -> str:
    return json.dumps(tsj(wangsets=[{**tsj()["wangsets"][0], **changes}]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a Tiled tileset as XML"),
        ("{", "a Tiled tileset as JSON"),
        ("{}", "a terrain set .*but there is none"),
        ("<tileset/>", "a terrain set .*but there is none"),
        ("<set/>", "begins with <tileset> or <map>, found '<set>'"),
        (json.dumps(tsj(wangsets=7)), r"at \$\.wangsets: expected a list, found 7"),
        (json.dumps(tsj(tilewidth=0)), "at least 1 pixel wide"),
        (json.dumps(tsj(spacing=-1)), "at least 1 pixel wide"),
        (json.dumps(tsj(tiles=[{"id": 0, "probability": -1}])), "probability: a number that is not below 0"),
        (spoiled(type="round"), "type: corner, edge or mixed, found 'round'"),
        (spoiled(wangtiles=[]), "1 to 4096 tiles in a terrain set, found 0"),
        (spoiled(wangtiles=[{"tileid": 0, "wangid": [0] * 7}]), r"wangtiles\[0\]: expected wangid: eight"),
        (spoiled(wangtiles=[{"tileid": 0, "wangid": [3] * 8}]), "wangid: colours from 0 to 2, found 3"),
        (spoiled(wangtiles=[{"tileid": -1, "wangid": [0] * 8}]), "tileid: the number of a tile, found -1"),
        (spoiled(wangtiles=[{"tileid": 0, "wangid": [0] * 8}] * 2), "tile 0 once in the terrain set"),
        (spoiled(colors=[{"probability": 0}] * 2), "a tile whose probability is above 0"),
        (tsx(wangset("edge", "1,2,x")), "line 5.*wangid: eight whole numbers, found '1,2,x'"),
        (tsx(wangset("edge", "0x1ffffffff")), "wangid: eight whole numbers"),
        (tsx('<wangset><wangtile wangid="0"/></wangset>'), "the attribute tileid"),
    ],
)
def test_files_that_are_wrong(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        parse_wang(text)


@pytest.mark.parametrize("text", [json.dumps(tsj()), tsx(wangset("corner", corner(1, 1, 1, 1), corner(2, 2, 2, 2)))])
def test_spoiled_texts_raise_only_parse_errors(text: str):
    dice, refused = Random(5), 0
    for _ in range(400):
        at, length = dice.randrange(len(text)), dice.choice((1, 1, 3, 40))
        spoiled = text[:at] + dice.choice(("", "-", '"', "9", "null", "{", "<", "\0", " ")) + text[at + length :]
        try:
            parse_wang(spoiled)
        except ParseError:
            refused += 1
    assert refused > 200
