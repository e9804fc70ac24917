"""The short tour over all that is installed: one page, and each of its four sights is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.command import Run
from helpers.command import empty_folder as empty_folder
from helpers.command import run as run
from solvent.core.answer import Verdict
from solvent.registry import all_domains

MAX_LINES = 40
PAINTED = re.compile(r"\x1b\[48;2;(\d+;\d+;\d+)m")


def test_stops_have_places_of_their_own_and_show_every_kind_of_answer() -> None:
    places, shown = [], []
    for domain in all_domains():
        for example in domain.examples():
            if example.tour is not None:
                places.append(example.tour.place)
                shown += [
                    (domain.questions[question].passing_verdict, example.expected[question])
                    for question in example.tour.questions
                ]
    assert sorted(places) == list(range(1, len(places) + 1))
    for kind in ((Verdict.YES, Verdict.YES), (Verdict.YES, Verdict.NO), (Verdict.NO, Verdict.YES)):
        assert kind in shown


@pytest.mark.parametrize("colour", ["", "1"])
def test_the_short_tour_is_one_page(run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch, colour: str) -> None:
    monkeypatch.setenv("FORCE_COLOR", colour)
    ran = run("tour")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert len(plain.splitlines()) <= MAX_LINES
    assert max(map(len, plain.splitlines())) <= 80
    for sight in ("reach the goal", " NO.", "you lose.", "Fix: ", "YES. 273 nodes filled."):
        assert sight in plain
    lines = ran.out.splitlines()
    below = next(number for number, line in enumerate(lines) if "273 nodes filled." in line)
    paints = {paint for line in lines[below - 7 : below] for paint in PAINTED.findall(line)}
    assert len(paints) >= 5 if colour else not paints
