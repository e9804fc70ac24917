"""JSON with comments and last commas, made strict without moving anything."""

from __future__ import annotations

import json

import pytest

from solvent.formats.relaxed_json import to_strict_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n "b": [1, 2,],}', {"a": 1, "b": [1, 2]}),
        ('{"a": "// no comment, ]" /* a\nlong, } one */}', {"a": "// no comment, ]"}),
        ('["a\\"//", ] ', ['a"//']),
        ("[1,// last\n]", [1]),
        ("[[1, /* a */ /* b */ ] , // c\n ]", [[1]]),
        ('{"a": [1,], "b": {"c": 2,},}', {"a": [1], "b": {"c": 2}}),
        ("{}", {}),
    ],
)
def test_comments_and_last_commas_go(text: str, value: object):
    strict = to_strict_json(text)
    assert json.loads(strict) == value
    assert len(strict) == len(text)
    assert strict.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", ['[1, "open', "[1, /* open ]", '[1,] "\\'])
def test_what_does_not_end_stays_for_the_reader_to_refuse(text: str):
    with pytest.raises(ValueError, match=r"line 1 column \d"):
        json.loads(to_strict_json(text))


def test_hostile_text_takes_no_time():
    assert len(to_strict_json('"a' + '\\"' * 50_000)) == 100_002
    assert len(to_strict_json(",/*" * 20_000)) == 60_000
    assert len(to_strict_json('"' * 50_001)) == 50_001
    assert len(to_strict_json("," * 50_000 + " " * 50_000)) == 100_000
