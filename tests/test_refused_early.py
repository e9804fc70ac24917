"""A file that is too large is refused from its first lines: what it costs does not grow with what comes after."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from solvent.core.errors import ParseError
from solvent.dungeon.notation.text import lines as dungeon_lines
from solvent.formats.lines import numbered_lines
from solvent.harmony import positions
from solvent.registry import get_domain

ROWS = 1_000_000
DUNGEON = "dungeon: tall\n\nlegend:\n  # = wall\n  . = floor\n\nmap:\n" + "#.......#\n" * ROWS
HARMONY = "ROWS 2\nCOLS 2\nBOARD\n" + "RED A1 1\n" * ROWS


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the lines that are read."""
    read: list[int] = []

    def counting(text: str):
        for line in numbered_lines(text):
            read.append(line[0])
            yield line

    monkeypatch.setattr(dungeon_lines, "numbered_lines", counting)
    monkeypatch.setattr(positions, "numbered_lines", counting)
    return read


@pytest.mark.parametrize(
    ("domain", "text", "expected", "most"),
    [
        pytest.param("dungeon", DUNGEON, "at most 1,000,000 tiles", 112_000, id="dungeon"),
        pytest.param("harmony", HARMONY, "at most 250,000 lines", 251_000, id="harmony"),
    ],
)
def test_the_rest_of_a_huge_file_is_not_read(seen: list[int], domain: str, text: str, expected: str, most: int):
    parse: Callable[[str], object] = get_domain(domain).parse
    with pytest.raises(ParseError, match=expected):
        parse(text)
    assert 1000 < max(seen) < most
