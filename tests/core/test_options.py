from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.core.errors import BadOption
from solvent.core.options import Option, resolve_options

ROWS = Option("rows", 3, "rows", minimum=1, maximum=9)
SHARE = Option("share", 0.5, "share", type=float, minimum=0, maximum=1)
METHOD = Option("method", "fast", "method", type=str, choices=("fast", "slow"))
LOUD = Option("loud", False, "loud", type=bool)
LIMIT = Option("limit", None, "limit")


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        (ROWS, 1, 1),
        (ROWS, 9, 9),
        (ROWS, "4", 4),
        (SHARE, 1, 1),
        (SHARE, "0.25", 0.25),
        (METHOD, "slow", "slow"),
        (LOUD, True, True),
        (LIMIT, None, None),
        (LIMIT, -5, -5),
    ],
)
def test_accepts(option: Option, value: object, accepted: object):
    assert option.accept(value) == accepted


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (ROWS, 0, "rows: expected at least 1, found 0"),
        (ROWS, 10, "rows: expected at most 9, found 10"),
        (ROWS, "9" * 400, f"rows: expected at most 9, found {'9' * 59}…"),
        (ROWS, "-" + "9" * 400, f"rows: expected at least 1, found -{'9' * 58}…"),
        (ROWS, "many", "rows: expected a whole number, found 'many'"),
        (ROWS, 2.5, "rows: expected a whole number, found 2.5"),
        (ROWS, True, "rows: expected a whole number, found True"),
        (SHARE, 1.5, "share: expected at most 1, found 1.5"),
        (SHARE, [], "share: expected a number, found []"),
        (SHARE, True, "share: expected a number, found True"),
        (METHOD, "sly", "unknown method 'sly'; there are: fast, slow"),
        (METHOD, 3, "method: expected text, found 3"),
        (LOUD, 1, "loud: expected true or false, found 1"),
    ],
)
def test_refuses_and_says_why(option: Option, value: object, message: str):
    with pytest.raises(BadOption) as caught:
        option.accept(value)
    assert str(caught.value) == message


@given(st.one_of(st.integers(), st.floats(), st.text(), st.booleans(), st.lists(st.integers(), max_size=2)))
def test_whatever_comes_is_in_range_or_refused(value: object):
    try:
        accepted = ROWS.accept(value)
    except BadOption:
        return
    assert type(accepted) is int
    assert 1 <= accepted <= 9


def test_settling_fills_in_defaults_in_declared_order():
    settled = resolve_options([ROWS, METHOD, LIMIT], {"method": "slow"})
    assert settled == {"rows": 3, "method": "slow", "limit": None}
    assert list(settled) == ["rows", "method", "limit"]


def test_settling_refuses_unknown_names_and_bad_values():
    with pytest.raises(BadOption, match="unknown option 'cols'; there are: rows"):
        resolve_options([ROWS], {"cols": 3})
    with pytest.raises(BadOption, match="there are: none"):
        resolve_options([], {"cols": 3})
    with pytest.raises(BadOption, match="rows: expected at most 9"):
        resolve_options([ROWS], {"rows": 99})
