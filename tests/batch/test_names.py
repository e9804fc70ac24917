"""Names and messages that can be written anywhere."""

from __future__ import annotations

import pytest

from solvent.batch.names import name_of_path, one_line, valid_text


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("levels/a 1.txt", "levels/a 1.txt"),
        ("Ebene ä/日本.txt", "Ebene ä/日本.txt"),
        ("a\nb\t.txt", "a\\nb\\t.txt"),
        (b"caf\xe9.txt".decode("utf-8", "surrogateescape"), "caf\\xe9.txt"),
        ("\ud800.txt", "\\ud800.txt"),
        ("\x1b[2J.txt", "\\x1b[2J.txt"),
        ("\u202etxt.exe", "\\u202etxt.exe"),  # would turn the text around
    ],
)
def test_a_name_is_one_line_of_text(path: str, name: str):
    assert name_of_path(path) == name
    assert name.isprintable()
    name.encode()


def test_a_valid_text_keeps_its_lines():
    assert valid_text("one\ntwo ä") == "one\ntwo ä"
    assert valid_text("one\n\udcff") == "one\n\\xff"


def test_a_line_is_one():
    assert one_line("  one\n  two\tthree \x07") == "one two three \\x07"
