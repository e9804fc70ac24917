"""Typed JSON: an error says what was expected, shows what was found, and says where."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from solvent.core.errors import ParseError
from solvent.formats import typed_json
from solvent.formats.typed_json import read_json, shape_error


class Point(msgspec.Struct, forbid_unknown_fields=True):
    x: int
    names: list[str] = []
    near: list[Point] | None = None


def test_what_fits_is_read():
    assert read_json('\ufeff{"x": 3, "near": [{"x": 1}]}', Point, "a point") == Point(3, near=[Point(1)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"x": "3"}', r"^at \$\.x: expected a whole number, found '3'$"),
        ('{"x": 1, "near": [{"x": 2}, {"x": 2.5}]}', r"^at \$\.near\[1\]\.x: expected a whole number, found 2\.5$"),
        ('{"x": 1, "near": 4}', r"at \$\.near: expected a list, found 4"),
        ('{"x": 1, "names": ["a", null]}', r"at \$\.names\[1\]: expected a text, found None"),
        ("[]", r"at \$: expected an object \(a point\), found \[\]"),
        ('{"names": []}', r"at \$: expected the key 'x', but it is missing"),
        ('{"x": 1, "z": 2}', r"at \$: expected only keys that mean something here, found 'z'"),
        ('{\n "x": 1,\n "y" 2}', r"line 3, column 6: expected a point as JSON \(JSON is malformed"),
        ("", "line 1, column 1: expected a point as JSON, but the file ends too early"),
        ('{"x": 1,\n "y"', "line 2, column 5: expected a point as JSON, but the file ends too early"),
        ('"\ud800"', "expected a point as JSON in UTF-8"),
        ('{"x": 1, "near": [' * 100_000, "expected a point as JSON, but it is nested too deeply"),
    ],
)
def test_what_does_not_fit_is_named(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read_json(text, Point, "a point")


def test_a_text_that_is_too_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(typed_json, "LARGEST_TEXT", 1 << 20)
    with pytest.raises(ParseError, match="a list of at most 1 million letters"):
        read_json("[" + " " * (1 << 20) + "]", list[Any], "a list")


def test_data_that_were_decoded_already():
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert({"x": [1]}, Point)
    error = shape_error(caught.value, "a point", {"x": [1]}, "$.points[2]")
    assert str(error) == "at $.points[2].x: expected a whole number, found [1]"
