"""The comparison of learned exclusion with plain rejection: that its figures follow from its runs, and its example."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.wishes import LEARNED, PLAIN, Try, describe, level_sets, measure, report

TRIES = [
    Try("a", LEARNED, 0, 2, True, 0.5),
    Try("a", LEARNED, 1, 4, True, 1.5),
    Try("a", PLAIN, 0, 300, True, 2.0),
    Try("a", PLAIN, 1, 1000, False, 9.0),
]


def test_figures_follow_from_the_runs() -> None:
    learned, plain = report(TRIES)["summary"]
    assert (learned["made"], learned["of"], learned["median_tries"], learned["max_seconds"]) == (2, 2, 3, 1.5)
    assert (plain["made"], plain["of"], plain["mean_tries"], plain["max_tries"]) == (1, 2, 650, 1000)
    assert ">650.0" in describe(plain), "levels that were given up make it a lower bound"
    assert ">" not in describe(learned)


@pytest.mark.slow
def test_plain_rejection_needs_a_hundred_times_as_many_tries_for_rubble(tmp_path: Path) -> None:
    *ours, rubble = level_sets(tmp_path)
    assert [one.name for one in ours] == ["vaults", "island", "cavern"]
    learned = measure(rubble, 0, LEARNED)
    assert learned.made
    assert not measure(rubble, 0, PLAIN, most=100 * learned.tried).made
