"""The two lines that show how far a run has come."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace

import pytest
from rich.console import Console

from solvent.batch.progress import Progress
from solvent.cli.validate.progress import ProgressLines, describe, draw_progress, shortened

BEGUN = Progress(
    total=1000,
    done=250,
    known=0,
    verdicts=Counter({"YES": 220, "UNKNOWN": 3, "NO": 17}),
    unrecognised=8,
    unreadable=2,
    running=[("levels/deep/down/tloz9_2.txt", 41.3), ("b", 1.0)],
    elapsed=10.0,
    solving_seconds=9.0,
    rate=25.0,
)


def drawn(progress: Progress, width: int = 80) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(draw_progress(progress, width))
    lines = [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]
    assert all(len(line) <= width for line in lines)
    return lines


def test_how_much_how_fast_how_long_and_what_came_of_it():
    first, second = drawn(BEGUN)
    assert first.strip("━╸╺ ") == "250/1,000  25/s  30 s left"
    assert second == "YES 220 · NO 17 · UNKNOWN 3 · unreadable 2 · levels/deep/down/tloz9_2.txt 41 s …"


def test_the_slowest_is_named_after_a_while():
    calm = replace(BEGUN, unrecognised=0, unreadable=0)
    assert drawn(calm)[1] == "YES 220 · NO 17 · UNKNOWN 3 · levels/deep/down/tloz9_2.txt 41 s"
    assert drawn(replace(calm, running=[("b", 1.0)]))[1] == "YES 220 · NO 17 · UNKNOWN 3"


def test_nobody_knows_how_many_there_are():
    assert drawn(replace(BEGUN, total=None))[0] == "250 done  25/s  10 s"


def test_no_guess_before_there_is_something_to_go_by():
    assert drawn(replace(BEGUN, elapsed=1.0))[0].endswith(" 250/1,000  25/s  1 s")
    assert drawn(replace(BEGUN, rate=0.0))[0].endswith(" 250/1,000  10 s")
    assert drawn(replace(BEGUN, rate=2.5, done=1000))[0].endswith(" 1,000/1,000  2.5/s  10 s")


def test_at_the_very_beginning():
    nothing = replace(BEGUN, done=0, verdicts={}, unrecognised=0, unreadable=0, running=[], elapsed=0.1, rate=0.0)
    assert drawn(nothing)[1] == "reading"


@pytest.mark.parametrize("width", [20, 30, 40, 60])
def test_a_narrow_terminal_still_shows_two_lines(width: int):
    assert len(drawn(BEGUN, width)) <= 3


def test_where_nobody_looks_nothing_is_shown(capsys: pytest.CaptureFixture[str]):
    with ProgressLines(shown=False) as lines:
        lines.listen(BEGUN)
        lines.note("a worker was refused")
    assert capsys.readouterr() == ("", "a worker was refused\n")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (41.3, "41 s"),
        (59.7, "1 min 0 s"),
        (200, "3 min 20 s"),
        (7_500, "2 h 5 min"),
        (4e6, "1,111 h 6 min"),
    ],
)
def test_how_long_in_words(seconds: float, words: str):
    assert describe(seconds) == words


@pytest.mark.parametrize(
    ("name", "short"), [("abc", "abc"), ("abcdef", "…cdef"), ("日本語", "…本語"), ("日本", "日本"), ("", "")]
)
def test_names_lose_their_front(name: str, short: str):
    assert shortened(name, 5) == short
