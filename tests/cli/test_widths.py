"""Output at 40, 80 and 200 columns: nothing sticks out of a narrow terminal, and a wide one is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from helpers.command import Run
from solvent.batch import library
from solvent.cli import group

WIDTHS = [40, 80, 200]
LONG = "a_folder_with_quite_a_long_name/and_a_level_whose_name_is_no_shorter_than_that.txt"


@pytest.fixture
def at_width(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Run the command on a terminal of so many columns; returns the lines, but for paths, commands and verdicts."""
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))

    def run_at(width: int, *words: str) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(width))
        ran = run(*words)
        assert ran.code in (0, 10)
        left_whole = ("Table: ", "Store: ", "  $ ", "Try: ", "payable: ", "unique: ", "To ", "For ")
        return [line for line in ran.out.splitlines() if not line.startswith(left_whole)]

    return run_at


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "words",
    [
        *([name, "--help"] for name in group.COMMANDS),
        ["--help"],
        ["solve", "payable.txt", "-v"],
        ["solve", "unpayable.txt"],
        ["hint", "payable.txt"],
        ["domains"],
        ["examples"],
        ["audit", "odd-amount", "--as", "coins"],
        ["tour"],
        ["tour", "--all"],
        ["validate", "payable.txt", "unpayable.txt", "--ask", "all"],
    ],
    ids=" ".join,
)
def test_every_line_fits(at_width: Callable[..., list[str]], width: int, words: list[str]) -> None:
    lines = at_width(width, *words)
    assert lines
    assert [line for line in lines if len(line) > width] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_table_uses_what_there_is(at_width: Callable[..., list[str]], width: int) -> None:
    for name in (LONG, "b.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("COINS 5 3 7\nPAY 10\n")
    lines = at_width(width, "validate", ".", "--ask", "all")
    assert max(map(len, lines)) <= width
    assert any(LONG in line for line in lines) == (width == 200)
    assert any("PASS" in line for line in lines)
    assert any(line.endswith("seconds") for line in lines) == (width >= 80)


def test_help_is_wider_on_a_wide_terminal(at_width: Callable[..., list[str]]) -> None:
    narrow, usual, wide = (len(at_width(width, "solve", "--help")) for width in WIDTHS)
    assert narrow > usual > wide
