"""Highlights: what is no list or number is left out or refused, and nothing outside gets through."""

from __future__ import annotations

import pytest

from solvent.core.errors import ParseError
from solvent.drawing.highlights import are_numbers, expect_list, is_number, items_in, numbers_in


def test_whole_numbers_alone_are_numbers():
    assert [is_number(value) for value in (3, 0, True, 1.0, "1", None)] == [True, True, False, False, False, False]
    assert are_numbers([1, 2], 2)
    assert not are_numbers([1, True], 2)
    assert not are_numbers([1, 2, 3], 2)
    assert not are_numbers("12", 2)


def test_what_is_no_list_holds_nothing():
    assert list(items_in([1, 2])) == [1, 2]
    assert list(items_in("abc")) == list(items_in(None)) == list(items_in({"a": 1})) == []
    with pytest.raises(ParseError, match="a list of moves"):
        expect_list("abc", "a list of moves", "plan")


def test_numbers_outside_are_refused_and_others_found_once():
    assert numbers_in([3, 1, "x", True, 3], 4, "a node", "nodes") == [3, 1]
    for outside in (-1, 4):
        with pytest.raises(ParseError, match="a node"):
            numbers_in([0, outside], 4, "a node", "nodes")
