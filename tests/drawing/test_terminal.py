"""Lines for a terminal: colours only add escape codes, and nothing in a name can move the cursor."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from solvent.drawing.palette import WHITE
from solvent.drawing.terminal import TIE, WIDTH, plain, wrap, wrap_key, write_pieces

RED = (184, 32, 13)


def test_pieces_of_one_paint_share_their_codes():
    line = write_pieces([("a", None), ("b", RED), ("c", RED), ("d", None)], colour=True)
    assert line == "a\x1b[48;2;184;32;13m\x1b[38;2;255;255;255mbc\x1b[0md"
    assert write_pieces([("x", WHITE, RED)], colour=True).startswith("\x1b[48;2;255;255;255m\x1b[38;2;184;32;13m")


@given(st.lists(st.tuples(st.text("ab ", max_size=4), st.sampled_from([None, RED, WHITE]))))
def test_colour_only_adds_codes(pieces: list[tuple[str, tuple[int, int, int] | None]]):
    plainly, coloured = (write_pieces(pieces, colour=colour) for colour in (False, True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).rstrip() == plainly
    assert not plainly.endswith(" ")


@given(st.text())
def test_no_text_can_move_the_cursor(text: str):
    assert plain(text).isprintable()
    assert all(line.isprintable() for line in wrap(text))


def test_lines_are_not_broken_at_ties_or_hyphens():
    assert wrap(f"aa bb{TIE}cc-dd", 9, indent=" ") == ["aa", " bb cc-dd"]
    key = wrap_key(f"{letter} meaning of it" for letter in "abcdefghij")
    assert all(len(line) <= WIDTH and not line.endswith(("meaning", "of")) for line in key.splitlines())
