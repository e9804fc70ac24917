"""Text resources of Godot: sections and values, and broken ones refused with their line."""

from __future__ import annotations

import contextlib
import random

import pytest

from solvent.core.errors import ParseError
from solvent.formats.godot import Call, pair, quote, read_resource

TEXT = """[gd_resource type="TileSet" load_steps=3 format=3 uid="uid://x"]

; a comment
[ext_resource type="Texture2D" path="res://a b.png" id="1_x"]

[sub_resource type="TileSetAtlasSource" id="A"]
texture = ExtResource("1_x")
texture_region_size = Vector2i(8, 8)
0:0/0 = 0
0:0/0/probability = 0.5
0:0/0/flip_h = true
0:0/0/points = PackedVector2Array(-8, -8, 8, -8)
list = [{
"a": "]",
"b": 2
}]

[resource]
name = "say \\"hi\\""
sources/0 = SubResource("A")
"""


def test_sections_have_attributes_and_values():
    head, texture, atlas, resource = read_resource(TEXT, "a resource")
    assert head.attributes == {"type": "TileSet", "load_steps": "3", "format": "3", "uid": "uid://x"}
    assert texture.attributes["path"] == "res://a b.png"
    assert atlas.properties["texture"] == Call("ExtResource", ("1_x",))
    assert atlas.properties["texture_region_size"] == Call("Vector2i", (8, 8))
    assert pair(atlas.properties["texture_region_size"], (0, 0)) == (8, 8)
    assert (atlas.properties["0:0/0"], atlas.properties["0:0/0/probability"]) == (0, 0.5)
    assert atlas.properties["0:0/0/flip_h"] is True
    assert (atlas.line, resource.line) == (6, 18)
    assert resource.properties["name"] == 'say "hi"'
    assert quote('say "hi"') == '"say \\"hi\\""'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\n", "line 1: .*begins with a section"),
        ("[resource]\n\nwhat is this\n", "line 3: .*a section or a property, found 'what is this'"),
        ('[resource]\na = "open\n', "line 2: .*ends too early"),
        ("[resource]\na = [1, 2\n", "line 2: .*ends too early"),
        ("[resource", "a section or a property"),
    ],
)
def test_broken_resources_are_refused_with_their_line(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read_resource(text, "a resource")


def test_hostile_text_never_crashes():
    dice = random.Random(3)
    for _ in range(400):
        text = list(TEXT)
        for _ in range(dice.randint(1, 10)):
            text[dice.randrange(len(text))] = dice.choice(['"', "[", "]", "(", "\n", "=", "\\", "9", ""])
        with contextlib.suppress(ParseError):
            read_resource("".join(text), "a resource")
    read_resource("[a" + ' b="c"' * 20_000 + "]", "a resource")
