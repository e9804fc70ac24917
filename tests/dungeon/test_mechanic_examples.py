"""The examples of each mechanic, held against brute force."""

from __future__ import annotations

import re

import pytest
from torture.judges.dungeon import verdict

from helpers.examples import examples_of
from solvent.dungeon.formats import sniff_text
from solvent.dungeon.notation.text import parse_text

MECHANICS = r"^goal:|\bneeds\b|lever|held|renewing|\bwhen\b|home=|push=on|blocks=|\bsets\b"
EXAMPLES = {
    each.name: each.text
    for each in examples_of("dungeon")
    if sniff_text(each.text) and re.search(MECHANICS, each.text, re.MULTILINE)
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_expected_is_true(name: str):
    dungeon = parse_text(EXAMPLES[name])
    expected = re.findall(r"^# Expected: (\w+) (YES|NO)$", EXAMPLES[name], re.MULTILINE)
    assert len(expected) == 5
    for question, answer in expected:
        assert verdict(dungeon, question) == (answer == "YES")
