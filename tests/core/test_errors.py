from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.core.errors import (
    LONGEST_SHOWN_VALUE,
    BadOption,
    CertificateRejected,
    NotRecognised,
    ParseError,
    SolventError,
    UnsoundAnswer,
    show_value,
    unknown_name,
)


def test_the_tree_is_as_drawn():
    for error in (ParseError, BadOption, CertificateRejected):
        assert issubclass(error, SolventError)
    assert issubclass(NotRecognised, ParseError)
    assert issubclass(SolventError, ValueError)
    assert issubclass(UnsoundAnswer, RuntimeError)
    assert not issubclass(UnsoundAnswer, SolventError), "a bug must not be caught as bad input"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ParseError("a digit"), "expected a digit"),
        (ParseError("a digit", "x"), "expected a digit, found 'x'"),
        (ParseError("a digit", None), "expected a digit, found None"),
        (ParseError("a digit", "x", line=2), "line 2: expected a digit, found 'x'"),
        (ParseError("a digit", "x", line=2, column=5), "line 2, column 5: expected a digit, found 'x'"),
        (ParseError("a digit", path="$.rows[3]"), "at $.rows[3]: expected a digit"),
        (ParseError("a digit", line=1, source="board.txt"), "board.txt, line 1: expected a digit"),
    ],
)
def test_a_parse_error_says_what_was_expected_what_stood_there_and_where(error: ParseError, message: str):
    assert str(error) == message


def test_the_source_is_named_once():
    error = ParseError("a digit", line=1).in_source("inner.txt").in_source("outer.txt")
    assert str(error) == "inner.txt, line 1: expected a digit"


@given(st.one_of(st.text(), st.binary(), st.integers(), st.lists(st.text())))
def test_values_are_shown_on_one_short_line(value: object):
    shown = show_value(value)
    assert len(shown) <= LONGEST_SHOWN_VALUE
    assert "\n" not in shown


def test_a_long_value_is_cut():
    assert show_value("A" * 1000).endswith("…")
    assert show_value("short") == "'short'"


def test_one_violation_is_one_line_and_several_are_a_list():
    assert str(CertificateRejected(["step 1: no"])) == "certificate rejected: step 1: no"
    several = CertificateRejected(["first", "second"])
    assert several.violations == ("first", "second")
    assert str(several) == "certificate rejected, 2 violations:\n  - first\n  - second"


def test_an_unknown_name_lists_the_known_ones():
    error = unknown_name("domain", "chess", ["lamps", "beacons"])
    assert isinstance(error, BadOption)
    assert str(error) == "unknown domain 'chess'; there are: lamps, beacons"


@pytest.mark.parametrize(
    "error",
    [
        BadOption("x: expected y"),
        UnsoundAnswer("claims"),
        ParseError("a digit", "x", line=2, column=3, source="board.txt"),
        NotRecognised("an instance"),
        CertificateRejected(["first", "second"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_processes(error: Exception):
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), vars(copied)) == (type(error), str(error), vars(error))
