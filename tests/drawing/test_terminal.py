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


def test_an_entry_longer_than_a_line_is_broken_between_words():
    long = "U gate that " + "needs this and that and " * 6 + "no torch"
    key = wrap_key(["a key", long, "| lever", "x torch"]).splitlines()
    assert key[0] == "a key"
    assert key[1].startswith("U gate that needs")
    assert all(line.startswith("  ") for line in key[2:-1])
    assert key[-1] == "| lever   x torch"
    assert all(len(line) <= WIDTH for line in key)
    assert " ".join(" ".join(key[1:-1]).split()) == long
