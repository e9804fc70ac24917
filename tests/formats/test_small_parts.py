"""Lines with their numbers, JSON for people, and pictures of the same bytes everywhere."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from solvent.formats.json_layout import LONGEST_LINE, lay_out_json
from solvent.formats.lines import numbered_lines
from solvent.formats.png import PALETTE, write_png


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_any_system(end: str):
    assert list(numbered_lines(f"\ufeffa{end}{end}b")) == [(1, "a"), (2, ""), (3, "b")]
    assert list(numbered_lines("")) == [(1, "")]


def test_laid_out_json_is_the_same_json_in_short_lines():
    value = {"width": 40, "data": list(range(400)), "names": [f"name {number}" for number in range(60)], "none": {}}
    text = lay_out_json(value)
    assert json.loads(text) == value
    assert max(len(line.removesuffix(",")) for line in text.split("\n")) <= LONGEST_LINE
    assert "\n  40, 41, 42," in text


def test_a_picture_is_read_as_it_was_written():
    from PIL import Image

    data = write_png((2, 2), PALETTE, bytes([0, 0, 1, 0, 1, 0]), [(b"PLTE", bytes([9, 8, 7, 1, 2, 3]))])
    with Image.open(BytesIO(data)) as picture:
        pixels = picture.convert("RGB")
        assert [pixels.getpixel((x, y)) for y in range(2) for x in range(2)] == [
            *((9, 8, 7), (1, 2, 3)),
            *((1, 2, 3), (9, 8, 7)),
        ]
