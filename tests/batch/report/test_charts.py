"""Charts are well-formed SVG, stay within their frames, and show everything they are given."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.batch.report.charts.bars import Ranked, draw_ranking, draw_shares
from solvent.batch.report.charts.frame import HEIGHT, WIDTH, Axis, Dot, draw_scatter
from solvent.batch.report.charts.histogram import draw_histogram, draw_words
from solvent.batch.report.charts.marks import KINDS, SHAPES, legend
from solvent.batch.report.charts.scales import linear, logarithmic, tight_logarithmic
from solvent.batch.report.phrases import short
from solvent.batch.report.sampling import Distribution

positive = st.floats(min_value=1e-5, max_value=1e7)


@given(st.lists(positive, min_size=1, max_size=20))
def test_every_value_has_its_place(values: list[float]) -> None:
    for scale in (
        logarithmic(values, smallest=1e-4),
        tight_logarithmic(values, smallest=1e-4),
        linear(min(values), max(values)),
    ):
        places = [scale.place(value) for value in sorted(values)]
        assert places == sorted(places)
        assert all(0 <= place <= 1 for place in places)
        assert 2 <= len(scale.ticks) <= 12
        assert all(-1e-9 <= scale.place(tick) <= 1 + 1e-9 for tick in scale.ticks)
        assert all(math.isclose(scale.place(scale.value(place)), place, abs_tol=1e-9) for place in places)


def test_without_values_there_still_is_a_scale() -> None:
    assert logarithmic([], smallest=1e-4).ticks
    assert tight_logarithmic([], smallest=1).ticks


def numbers(svg: str, attribute: str) -> list[float]:
    return [float(found) for found in re.findall(rf'\b{attribute}="(-?[\d.]+)"', svg)]


def scatter(*dots: Dot, **more: object) -> str:
    across = tight_logarithmic([dot.x for dot in dots], smallest=1)
    up = logarithmic([dot.y for dot in dots], smallest=1e-4)
    return draw_scatter(dots, Axis(across, "cells", short), Axis(up, "time", short), label="all", **more)  # type: ignore[arg-type]


@given(st.lists(st.tuples(positive, positive, st.sampled_from(KINDS)), min_size=1, max_size=12))
def test_every_dot_is_in_the_chart(given: list[tuple[float, float, str]]) -> None:
    svg = scatter(*(Dot(x, y, kind, "a dot") for x, y, kind in given))
    root = ElementTree.fromstring(svg)
    marks = list(root.iter("use"))
    assert sorted(mark.get("href", "") for mark in marks) == sorted(f"#mark-{kind}" for _, _, kind in given)
    assert all(0 <= float(mark.get("x", "")) <= WIDTH and 0 <= float(mark.get("y", "")) <= HEIGHT for mark in marks)


def test_a_dot_is_a_link_with_a_tooltip() -> None:
    svg = scatter(Dot(4, 0.1, "YES", "a < b", "#row-7"), Dot(9, 1.0, "NO", "b"))
    root = ElementTree.fromstring(svg)
    links = list(root.iter("a"))
    assert [link.get("href") for link in links] == ["#row-7"]
    assert links[0].findtext("title") == "a < b"
    assert links[0].get("tabindex") == "-1"


def test_higher_is_slower_and_the_limit_is_drawn_where_it_is() -> None:
    svg = scatter(Dot(4, 0.001, "YES", "quick"), Dot(4, 5.0, "YES", "slow"), limit=5.0)
    quick, slow = numbers("".join(re.findall("<use[^>]*>", svg)), "y")
    assert slow < quick
    (line,) = re.findall(r'<line [^>]*class="limit"/>', svg)
    assert numbers(line, "y1") == [slow]
    assert 'class="limit"' not in scatter(Dot(4, 0.001, "YES", "quick"), limit=60.0)


def test_each_kind_has_its_own_shape() -> None:
    assert len(set(SHAPES.values())) == len(KINDS)
    assert [kind for kind in KINDS if kind in legend(["NO", "UNKNOWN", "NO"])] == ["NO", "UNKNOWN"]


figures = st.lists(
    st.one_of(st.integers(-50, 50), st.integers(0, 10**12), st.floats(0, 1e6), st.floats(-5, 5)),
    min_size=2,
    max_size=40,
)


@given(figures)
def test_a_histogram_counts_everything(values: list[float]) -> None:
    spread = Distribution()
    for value in values:
        spread.add(value)
    svg = draw_histogram(spread, title="", write=short, label="all")
    root = ElementTree.fromstring(svg)
    counted = [
        int((group.findtext("title") or "").split()[0].replace(",", ""))
        for group in root.iter("g")
        if group.find("rect") is not None
    ]
    assert sum(counted) == len(values)
    assert all(0 <= x <= 300 for x in numbers(svg, "x1") + numbers("".join(re.findall("<rect[^>]*>", svg)), "x"))
    assert len(counted) <= 60


def test_zero_has_a_bar_of_its_own_beside_powers_of_ten() -> None:
    spread = Distribution()
    for value in [0] * 7 + [1, 10, 1000, 5000, 90_000]:
        spread.add(value)
    svg = draw_histogram(spread, title="", write=short, label="all")
    assert "<title>7 of 0</title>" in svg
    assert ">0</text>" in svg


def test_whole_numbers_of_a_small_range_have_a_bar_each() -> None:
    spread = Distribution()
    for value in [3, 3, 4, 6]:
        spread.add(value)
    assert re.findall(r"<title>(.*?)</title>", draw_histogram(spread, title="", write=short, label="")) == [
        "2 of 3",
        "1 of 4",
        "1 of 6",
    ]


def test_words_are_ranked_and_the_rest_is_summed() -> None:
    spread = Distribution()
    for number in range(12):
        for _ in range(20 - number):
            spread.add(f"way {number}")
    titles = re.findall(r"<title>(.*?)</title>", draw_words(spread, label=""))
    assert titles[0] == "way 0: 20"
    assert titles[-1] == "4 others: 42"


@pytest.mark.parametrize("counts", [{"YES": 99_999, "NO": 1}, {"YES": 1, "NO": 1, "UNKNOWN": 10**6, "ERROR": 2}])
def test_the_smallest_share_can_be_seen(counts: dict[str, int]) -> None:
    svg = draw_shares(counts, label="all")
    widths = numbers("".join(re.findall("<rect[^>]*>", svg)), "width")
    assert len(widths) == len(counts)
    assert min(widths) >= 3
    assert sum(widths) < 261


def test_a_ranking_shows_each_bar_and_where_it_leads() -> None:
    svg = draw_ranking(
        [Ranked("a/b.txt", 3.0, "3.00 s", "YES", "#row-1"), Ranked("c.txt", 0.0, "0 s", "NO")], label="hardest"
    )
    root = ElementTree.fromstring(svg)
    assert [link.get("href") for link in root.iter("a")] == ["#row-1"]
    widths = numbers("".join(re.findall("<rect[^>]*>", svg)), "width")
    assert widths[0] > 50 > widths[1] >= 3
