"""Much is counted in little memory."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from solvent.batch.report.sampling import MAX_WORDS, OTHERS, Distribution, Listing, Sample, fair_shares


def spread_of(*values: object) -> Distribution:
    spread = Distribution()
    for value in values:
        spread.add(value)
    return spread


@given(st.lists(st.floats(min_value=1e-6, max_value=1e6), min_size=1, max_size=50), st.sampled_from([0.1, 0.5, 0.9, 1]))
def test_quantiles_are_right_to_three_digits(values: list[float], share: float) -> None:
    exact = sorted(values)[math.ceil(share * len(values)) - 1]
    assert math.isclose(spread_of(*values).quantile(share), exact, rel_tol=0.006)


def test_numbers_of_any_kind_take_bounded_room() -> None:
    spread = spread_of(*(1.000_1**step for step in range(30_000)))
    assert len(spread.numbers) < 2_000
    assert spread.total == 30_000
    assert spread.largest == 1.000_1**29_999


def test_words_are_kept_apart_up_to_a_bound() -> None:
    spread = spread_of(True, False, True, *(f"word {number}" for number in range(1_000)))
    assert (spread.words["yes"], spread.words["no"]) == (2, 1)
    assert len(spread.words) == MAX_WORDS + 1
    assert spread.words[OTHERS] == 1_002 - MAX_WORDS


def test_what_is_no_figure_is_passed_over() -> None:
    spread = spread_of(None, [1], {"a": 2}, math.nan, math.inf, 10**400)
    assert spread.total == 0


@given(st.integers(min_value=0, max_value=2_000), st.integers(min_value=1, max_value=40))
def test_what_is_kept_is_even_and_bounded(count: int, most: int) -> None:
    thinned: Sample[int] = Sample(most)
    for number in range(count):
        thinned.add(number)
    kept = thinned.kept
    assert thinned.seen == count
    assert len(kept) == count if count <= most else most / 2 - 1 <= len(kept) <= most
    assert len({after - before for before, after in itertools.pairwise(kept)}) <= 1
    thinned.thin(3)
    assert len(thinned.kept) == min(3, len(kept))


@given(st.lists(st.integers(min_value=0, max_value=300), min_size=1, max_size=8), st.integers(0, 500))
def test_shares_are_fair(wanted: list[int], most: int) -> None:
    shares = fair_shares(wanted, most)
    assert all(share <= wish for share, wish in zip(shares, wanted, strict=True))
    assert sum(shares) == min(most, sum(wanted))
    for share, wish in zip(shares, wanted, strict=True):
        assert share == wish or share >= max(shares) - 1, "who gets less than wanted gets as much as anybody"


def test_a_listing_counts_what_it_leaves_out() -> None:
    listing: Listing[int] = Listing(2)
    for number in range(5):
        listing.add(number)
    assert (listing.kept, listing.seen, listing.left_out) == ([0, 1], 5, 3)
