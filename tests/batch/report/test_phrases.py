"""Figures in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.batch.report.phrases import (
    duration,
    ending,
    figure,
    moment,
    share,
    short,
    shorten,
    size_in_bytes,
    tick_bytes,
    tick_duration,
)
from solvent.drawing.phrases import counted


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0 s"),
        (0.000_25, "250 µs"),
        (0.999_6e-3, "1.00 ms"),
        (0.0123, "12.3 ms"),
        (0.999_6, "1.00 s"),
        (4.512, "4.51 s"),
        (59.96, "1 min"),
        (200.4, "3 min 20 s"),
        (3599.7, "1 h"),
        (7500, "2 h 5 min"),
        (200_000, "2 d 8 h"),
    ],
)
def test_durations(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@given(st.floats(min_value=1e-6, max_value=1e9))
def test_no_duration_shows_sixty_of_anything(seconds: float) -> None:
    words = duration(seconds).split()
    assert not {"60", "1000"} & set(words)


@pytest.mark.parametrize(
    ("part", "whole", "told"),
    [(0, 0, "–"), (0, 9, "0 %"), (9, 9, "100 %"), (99_999, 100_000, "99.9 %"), (1, 100_000, "0.1 %"), (1, 3, "33.3 %")],
)
def test_a_share_is_never_rounded_to_all_or_nothing(part: int, whole: int, told: str) -> None:
    assert share(part, whole) == told


def test_the_rest() -> None:
    assert (size_in_bytes(812), size_in_bytes(3_400), size_in_bytes(1.2e6)) == ("812 B", "3.4 kB", "1.2 MB")
    assert (tick_bytes(200), tick_bytes(1000), tick_bytes(2.5e6)) == ("200 B", "1 kB", "2.5 MB")
    assert (tick_duration(1e-4), tick_duration(0.3), tick_duration(30), tick_duration(1000)) == (
        "100 µs",
        "300 ms",
        "30 s",
        "1,000 s",
    )
    assert (short(0.05), short(7), short(1500), short(2e7)) == ("0.05", "7", "1.5k", "20M")
    assert (figure(12_841), figure(2.0), figure(0.12345), figure(12345.6)) == ("12,841", "2", "0.123", "12,346")
    assert (counted(1, "file"), counted(1204, "file"), counted(2, "more is", "more are")) == (
        "1 file",
        "1,204 files",
        "2 more are",
    )
    assert moment(0) == "1970-01-01 00:00 UTC"


@given(st.text(min_size=1), st.integers(min_value=4, max_value=30))
def test_short_names_keep_their_ends(text: str, most: int) -> None:
    for shortened in (shorten(text, most), ending(text, most)):
        assert len(shortened) <= most
        assert shortened == text or shortened.endswith(text[-2:])


def test_a_path_is_cut_at_a_slash() -> None:
    assert ending("corpus/levels/world-3/level-17.txt", 18) == "…/level-17.txt"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("zelda/Graph Processed/LoZ_7.dot", "…Processed/LoZ_7.dot"),
        ("corpus/sbl_17-4-unsorted_008.txt", "…17-4-unsorted_008.txt"),
        ("corpus/abcdefghijklmnopqrstuvwxyz.txt", "…jklmnopqrstuvwxyz.txt"),
    ],
)
def test_a_path_without_a_slash_near_is_cut_at_a_word(path: str, shown: str) -> None:
    assert ending(path, 22) == shown
