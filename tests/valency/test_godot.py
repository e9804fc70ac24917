"""Godot tilesets in by their terrains, and fills out as scenes that Godot opens."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solvent
from solvent.core.errors import BadOption, ParseError, SolventError
from solvent.formats.godot import read_resource
from solvent.valency.art import HEXAGONAL, ISOMETRIC, ORTHOGONAL, STAGGERED, turn_bits
from solvent.valency.authoring import RuleBook
from solvent.valency.exports import export
from solvent.valency.formats import FORMATS
from solvent.valency.generator import generate
from solvent.valency.model import HEX, Graph, Lattice, Staging
from solvent.valency.notation.godot import parse_godot
from solvent.valency.notation.pictures import write_png
from valency.map_files import tmx, write_map

CORNERS = ("top_left_corner", "top_right_corner", "bottom_right_corner", "bottom_left_corner")
SIDES = ("top_side", "right_side", "bottom_side", "left_side")
DIAMOND = ("top_left_side", "top_right_side", "bottom_right_side", "bottom_left_side")
ROWS = ("right_side", "bottom_right_side", "bottom_left_side", "left_side", "top_left_side", "top_right_side")
COLUMNS = ("bottom_side", "bottom_right_side", "bottom_left_side", "top_side", "top_left_side", "top_right_side")


def tres(bits: tuple[str, ...], mode: int, resource: str = "", more: str = "") -> str:
    """Return a tileset with a tile for each way to give its bits one of two terrains, in rows of eight."""
    lines = []
    for number in range(2 ** len(bits)):
        at = f"{number % 8}:{number // 8}/0"
        lines += [f"{at} = 0", f"{at}/terrain_set = 0", f"{at}/terrain = {number & 1}"]
        lines += [f"{at}/terrains_peering_bit/{bit} = {number >> place & 1}" for place, bit in enumerate(bits)]
    return (
        '[gd_resource type="TileSet" load_steps=3 format=3]\n\n'
        '[ext_resource type="Texture2D" path="res://art/land.png" id="1"]\n\n'
        '[sub_resource type="TileSetAtlasSource" id="A"]\ntexture = ExtResource("1")\n'
        "texture_region_size = Vector2i(8, 8)\n" + "\n".join(lines) + f"\n{more}\n"
        f"[resource]\ntile_size = Vector2i(8, 8)\nterrain_set_0/mode = {mode}\n{resource}\n"
        'terrain_set_0/terrain_0/name = "water"\nterrain_set_0/terrain_1/name = "grass"\n'
        'sources/3 = SubResource("A")\n'
    )


def write_tileset(folder: Path, text: str) -> Path:
    pixels = np.zeros((64, 64, 4), dtype=np.uint8)
    for number in range(64):
        row, column = divmod(number, 8)
        pixels[row * 8 : row * 8 + 8, column * 8 : column * 8 + 8] = (number * 4, 255 - number * 4, 128, 255)
    (folder / "land.png").write_bytes(write_png(pixels))
    path = folder / "land.tres"
    path.write_text(text)
    return path


def fill(staging: Staging) -> Any:
    answer = solvent.ask(staging, seconds=60)
    assert answer.verdict is solvent.Verdict.YES
    return answer


def read_cells(scene: str) -> dict[tuple[int, int], tuple[int, int, int, int]]:
    """Return the cells of the only layer of a scene: source, atlas column and row, alternative."""
    [packed] = re.findall(r'tile_map_data = PackedByteArray\("([^"]*)"\)', scene)
    data = base64.b64decode(packed)
    assert data[:2] == b"\0\0"
    return {(x, y): (source, *rest) for x, y, source, *rest in struct.iter_unpack("<hhHHHH", data[2:])}


def test_peering_bits_of_corners_are_rules(tmp_path: Path):
    staging = generate(seed=1, rules=str(write_tileset(tmp_path, tres(CORNERS, 1))), grid="7x6")
    assert len(staging.rules.modules) == 16
    assert {module.name for module in staging.rules.modules} == {"water", "grass"}
    assert all(module.look.picture for module in staging.rules.modules)
    scene = export(staging, fill(staging), "tscn").decode()
    assert '[ext_resource type="TileSet" path="land.tres" id="1_tiles"]' in scene
    cells = read_cells(scene)
    assert set(cells) == {(x, y) for x in range(7) for y in range(6)}
    assert {source for source, *_ in cells.values()} == {3}
    # Where four cells meet, all have the same terrain at that corner.
    terrain = {at: [(row * 8 + column) >> place & 1 for place in range(4)] for at, (_, column, row, _) in cells.items()}
    for x in range(6):
        for y in range(5):
            top_left = terrain[x, y][2]
            assert terrain[x + 1, y][3] == terrain[x, y + 1][1] == terrain[x + 1, y + 1][0] == top_left


def test_peering_bits_of_sides_are_rules():
    rules = parse_godot(tres(SIDES, 2), None)
    for number, module in enumerate(rules.modules):
        right = module.bonds[0].neighbours[0] or 0
        down = module.bonds[0].neighbours[1] or 0
        for other in range(16):
            assert (right >> other & 1) == ((number >> 1 & 1) == (other >> 3 & 1))
            assert (down >> other & 1) == ((number >> 2 & 1) == (other & 1))


@pytest.mark.parametrize(
    ("bits", "resource", "orientation"),
    [
        (SIDES, "", ORTHOGONAL),
        (DIAMOND, "tile_shape = 1\ntile_layout = 5", ISOMETRIC),
        (DIAMOND, "tile_shape = 1", STAGGERED),
        (ROWS, "tile_shape = 3", HEXAGONAL),
        (COLUMNS, "tile_shape = 3\ntile_offset_axis = 1", HEXAGONAL),
    ],
)
def test_every_shape_of_tile_fills_and_agrees_on_the_screen(tmp_path: Path, bits, resource, orientation):
    """Sides agree with the cell that Godot shows on that side."""
    staging = generate(seed=3, rules=str(write_tileset(tmp_path, tres(bits, 2, resource))), grid="6x6")
    assert staging.rules.art is not None
    assert staging.rules.art.orientation == orientation
    assert isinstance(staging.cluster, Graph if orientation == STAGGERED else Lattice)
    assert not isinstance(staging.cluster, Lattice) or (staging.cluster.kind == HEX) == (orientation == HEXAGONAL)
    cells = read_cells(export(staging, fill(staging), "tscn").decode())
    by_columns = "offset_axis" in resource
    places = {at: _on_screen(at, orientation, by_columns) for at in cells}
    there = {place: at for at, place in places.items()}
    checked = 0
    for at, (_, column, row, _) in cells.items():
        for place, bit in enumerate(bits):
            dx, dy = _side(bit, orientation, by_columns)
            other = there.get((places[at][0] + dx, places[at][1] + dy))
            if other is None:
                continue
            back = bits.index(_opposite(bit))
            _, column_there, row_there, _ = cells[other]
            assert (row * 8 + column) >> place & 1 == (row_there * 8 + column_there) >> back & 1
            checked += 1
    assert checked >= 100


def _on_screen(at: tuple[int, int], orientation: str, by_columns: bool) -> tuple[int, int]:
    """Return the middle of a cell in half cells, as Godot's documentation describes each layout."""
    x, y = at
    if orientation == ISOMETRIC:
        return x - y, x + y
    if orientation == ORTHOGONAL:
        return 2 * x, 2 * y
    return (2 * x, 2 * y + x % 2) if by_columns else (2 * x + y % 2, 2 * y if orientation == HEXAGONAL else y)


def _side(bit: str, orientation: str, by_columns: bool) -> tuple[int, int]:
    right, left, top, bottom = ("right" in bit, "left" in bit, "top" in bit, "bottom" in bit)
    dx, dy = right - left, bottom - top
    if orientation == ORTHOGONAL:
        return 2 * dx, 2 * dy
    if orientation in (ISOMETRIC, STAGGERED):
        return dx, dy
    if by_columns:
        return 2 * dx, dy if dx else 2 * dy
    return dx if dy else 2 * dx, 2 * dy


def _opposite(bit: str) -> str:
    swapped = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
    return "_".join(swapped.get(word, word) for word in bit.split("_"))


def test_alternatives_keep_their_number_and_flips(tmp_path: Path):
    more = "0:0/1 = 1\n0:0/1/flip_h = true\n0:0/1/terrain_set = 0\n0:0/1/terrain = 0\n0:0/1/probability = 1000.0\n"
    more += "".join(f"0:0/1/terrains_peering_bit/{bit} = 0\n" for bit in SIDES)
    staging = generate(seed=1, rules=str(write_tileset(tmp_path, tres(SIDES, 2, "", more))), grid="6x6")
    module = next(module for module in staging.rules.modules if module.key == "0:0/1")
    assert (module.look.mirrored, module.look.quarter_turns) == (True, 0)
    assert (3, 0, 0, 1) in read_cells(export(staging, fill(staging), "tscn").decode()).values()


def test_a_map_of_tiled_goes_to_godot_with_its_picture_and_flips(tmp_path: Path):
    path = write_map(tmp_path, tmx([[[1, 2 | turn_bits(1, False)], [1, 2 | turn_bits(1, False)]]]))
    staging = generate(seed=1, rules=str(path), grid="2x2")
    scene = export(staging, fill(staging), "tscn").decode()
    assert '[ext_resource type="Texture2D" path="four.png"' in scene
    assert "texture_region_size = Vector2i(8, 8)" in scene
    # Turned once anticlockwise: transposed, then mirrored top to bottom.
    assert read_cells(scene)[1, 0] == (0, 1, 0, (1 << 14) | (1 << 13))
    names = [section.attributes.get("type") for section in read_resource(scene, "a scene")]
    assert names.count("TileMapLayer") == 1
    assert names.count("TileSet") == 1


def test_modules_with_their_own_pictures_come_with_them():
    pixels = np.full((4, 4, 4), 255, dtype=np.uint8)
    book = RuleBook("square", name="a/b").module("x", picture=write_png(pixels)).module("y", colour="#ff0000")
    staging = book.on_grid(3, 2, picks={(0, 0): "y"})
    scene = export(staging, fill(staging), "tscn").decode()
    assert '"format": "RGBA8", "height": 4' in scene
    assert '[node name="a_b" type="Node2D"]' in scene
    assert read_cells(scene)[0, 0] == (0, 1, 0, 0)
    graph = RuleBook(["a"]).module("x").on_graph(2, [(0, 1, "a", "a")])
    with pytest.raises(BadOption, match="lattices only"):
        export(graph, fill(graph), "tscn")


REFUSED = {
    "no terrain": (lambda text: re.sub(r"terrain_set_0/.*\n", "", text), r"a tileset with a terrain set"),
    "no tiles": (
        lambda text: text.replace("/terrain_set = 0", "/terrain_set = 1"),
        r"1 to 4096 tiles in a terrain set",
    ),
    "no atlas": (lambda text: text.replace("sources/3", "sorces/3"), r"a tileset with an atlas"),
    "no source": (lambda text: text.replace('id="A"', 'id="B"'), r"a source that the file has, found 'A'"),
    "a shape": (lambda text: text.replace("tile_size", "tile_shape = 2\ntile_size"), r"tile_shape: 0 .*found 2"),
    "a layout": (
        lambda text: text.replace("tile_size", "tile_shape = 1\ntile_layout = 3\ntile_size"),
        r"tile_layout.*found 3",
    ),
    "a mode": (lambda text: text.replace("mode = 2", "mode = 7"), r"mode: 0 .*found 7"),
    "a bit": (
        lambda text: text.replace("right_side = 1", "rite_side = 1", 1),
        r"a peering bit of such tiles: .*rite_side",
    ),
    "a weight": (lambda text: text.replace("0:0/0 = 0", "0:0/0 = 0\n0:0/0/probability = -1"), r"probability.*found -1"),
    "another resource": (lambda text: text.replace('type="TileSet" load', 'type="Theme" load'), r"gd_resource|a task"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_missing_is_named(case: str, tmp_path: Path, run: Any):
    change, message = REFUSED[case]
    path = write_tileset(tmp_path, change(tres(SIDES, 2)))
    done = run("generate", "valency", str(path), "--grid", "3x3")
    assert done.code == 30
    assert re.search(message, done.err), done.err


def test_a_tileset_is_detected_and_put_on_a_usual_grid(tmp_path: Path):
    path = write_tileset(tmp_path, tres(SIDES, 2).replace("[resource]", "[resource]\nterrain_set_4/mode = 0"))
    assert FORMATS.sniff(path.read_text())
    staging = FORMATS.parse(path.read_text(), path)
    assert "The terrain set 0 is used; there are also: 4." in staging.remarks
    assert not FORMATS.sniff('[gd_scene format=3]\n[node name="a"]')
    with pytest.raises(SolventError, match="terrain set"):
        parse_godot(path.read_text(), path, subset="9")
    with pytest.raises(ParseError):
        parse_godot('[gd_resource type="TileSet"]', None)
