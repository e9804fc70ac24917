"""Simple patterns match as Python's own regular expressions do, and hostile ones cost little."""

from __future__ import annotations

import re
from random import Random

import pytest

from solvent.core.errors import ParseError
from solvent.formats.tiled.simple_pattern import parse_pattern

PATTERNS = [
    r"ow-p0*(\d+)-n0*(\d+)-o0000\.tmx",
    r"level_(\d+)_(\d+)",
    r"^(\d+)x(\d+)\.tm[xj]$",
    r"(.*)-(\d{2,3})?",
    r"([a-c]+?)([^0-9]*)(\d*)",
    r"(?:map)(\w)(-)?(\w{1,})",
    r"a(b(c)d*)e",
    r"[]x](1)[\]-](2)",
    "",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_they_match_as_others_do(pattern: str):
    # A group that may be left out as a whole is no simple pattern; here only what is in it may be.
    pattern = pattern.replace(")?", ")")
    mine = parse_pattern(pattern, {})
    dice = Random(7)
    names = ["ow-p01-n002-o0000.tmx", "level_3_14.tmj", "12x7.tmx", "12x7.tmx~", "mapa-bc", "xabcde", "]1-2", ""]
    names += ["".join(dice.choice("abcde01-._x]mp") for _ in range(dice.randint(0, 12))) for _ in range(400)]
    matched = 0
    for name in names:
        found = re.search(pattern, name)
        assert mine.search(name) == (None if found is None else list(found.groups())), name
        matched += found is not None
    assert matched


@pytest.mark.parametrize(
    "pattern", ["a|b", "(a", "a)", "(a+)+", "(?=a)", "a**", r"\1", "[a", "(?P<n>a)", "x" * 201, "*", r"\b"]
)
def test_others_are_refused(pattern: str):
    with pytest.raises(ParseError, match="pattern"):
        parse_pattern(pattern, {"path": "$.regexp"})


def test_hostile_patterns_cost_little():
    hostile = parse_pattern("(a*)(a*)" + "a*" * 90 + "b", {})
    assert hostile.search("a" * 255) is None
    assert hostile.search("a" * 400) is None
