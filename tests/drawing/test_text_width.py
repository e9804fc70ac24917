"""Widths of texts: never less than what usual fonts need, and texts that are cut fit."""

from __future__ import annotations

import pytest

from solvent.drawing.text_width import fit_text, text_width, wrap_text

# Advance widths of DejaVu Sans, the widest of the fonts a reader is likely to have, in parts of its size.
DEJAVU = {"the boss room": 7.17, "WWW": 2.96, "iiii": 1.11, "Observatory 12": 7.77}


@pytest.mark.parametrize("text", DEJAVU)
def test_no_text_is_wider_than_it_is_taken_for(text: str):
    assert DEJAVU[text] * 10 <= text_width(text, 10) <= DEJAVU[text] * 10 * 1.25
    assert text_width(text, 10, bold=True) > text_width(text, 10)


def test_wide_and_combining_letters():
    assert text_width("宝物", 10) >= 20
    assert text_width("e\N{COMBINING ACUTE ACCENT}", 10) == text_width("e", 10)


def test_what_does_not_fit_ends_in_an_ellipsis():
    assert fit_text("hall", 100, 10) == "hall"
    cut = fit_text("a very long name of a room", 60, 10)
    assert cut.endswith("…")
    assert text_width(cut, 10) <= 60
    assert fit_text("hall", 0, 10) == "…"


def test_lines_are_broken_at_blanks_and_the_last_is_cut():
    lines = wrap_text("enemy, puzzle, mini-boss, treasure, secret", 90, 10, lines=2)
    assert lines[0] == "enemy, puzzle,"
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(text_width(line, 10) <= 90 for line in lines)
    assert wrap_text("", 70, 10, lines=2) == []
