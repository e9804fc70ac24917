"""Phrases: counts, lists and articles as people write them."""

from __future__ import annotations

import pytest

from solvent.drawing.phrases import capitalised, counted, listed, plural, shorten, with_article


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 boards"), (1, "1 board"), (2, "2 boards"), (1204, "1,204 boards"), (-1, "-1 boards")]
)
def test_counts(number: int, text: str):
    assert counted(number, "board") == text


def test_nouns_that_do_not_end_in_an_s():
    assert counted(2, "entry", "entries") == "2 entries"
    assert (plural(1, "copy", "copies"), plural(3, "copy", "copies")) == ("copy", "copies")


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists(items: list[str], text: str):
    assert listed(items) == text
    assert listed(items, 3) == text


def test_long_lists_are_cut_and_the_rest_is_counted():
    assert listed(list("abcde"), 3) == "a, b and 3 more"
    assert listed(["x"] * 2000, 2) == "x and 1,999 more"
    assert listed(list("ab"), last="or") == "a or b"


@pytest.mark.parametrize(("noun", "text"), [("red key", "a red key"), ("orange key", "an orange key"), ("", "a ")])
def test_articles(noun: str, text: str):
    assert with_article(noun) == text


def test_capitals_and_ellipses():
    assert capitalised("row 2 and Hall") == "Row 2 and Hall"
    assert (shorten("courtyard", 9), shorten("courtyard", 6)) == ("courtyard", "court…")
