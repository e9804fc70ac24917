"""The tables at the end of a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from solvent import registry
from solvent.batch.records import Source
from solvent.batch.run import Validation
from solvent.batch.settings import Settings
from solvent.batch.store import Store
from solvent.batch.summary import Summary
from solvent.cli.validate.table import common_folder, say_leftovers, say_sums, say_tables

REAL = registry._added_modules


@pytest.fixture(autouse=True)
def _hostile(hostile_domain: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added_modules", REAL)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "validation.db") as opened:
        yield opened


def validate(store: Store, named: Iterable[tuple[str, str]], *questions: str) -> tuple[int, Summary]:
    summary = Summary()
    sources = [Source(number, name, text=text) for number, (name, text) in enumerate(named)]
    with Validation(sources, Settings(questions=questions), store=store, pool=InlinePool()) as run:
        for result in run:
            summary.add(result)
    return run.run.id, summary


def tables(store: Store, capsys: pytest.CaptureFixture[str], named: Iterable[tuple[str, str]], *questions: str) -> str:
    run, summary = validate(store, named, *questions)
    say_tables(store, run, summary, rest="kept.csv")
    out = capsys.readouterr().out
    assert all(len(line) <= 80 for line in out.split("\n"))
    return out


def test_a_row_for_each_while_they_are_few(store: Store, capsys: pytest.CaptureFixture[str]):
    named = [(f"l/level{number}.txt", f"HOSTILE yes #{number}") for number in range(39)] + [("l/no.txt", "HOSTILE no")]
    out = tables(store, capsys, named)
    assert out.startswith("hostile, in l/\n\ninstance     status  expanded  seconds  length  tries\n")
    assert out.count(" PASS ") == 39
    assert out.index("level9.txt") < out.index("level10.txt") < out.index("no.txt       FAIL")
    assert out.endswith("\n\n  no.txt: It says no.\n\n")


def test_only_what_did_not_pass_and_the_slowest_of_many(store: Store, capsys: pytest.CaptureFixture[str]):
    named = [(f"l/level{number}.txt", f"HOSTILE yes #{number}") for number in range(40)]
    named += [("l/no.txt", "HOSTILE no"), ("l/slow.txt", "HOSTILE slow 0.02"), ("l/unknown.txt", "HOSTILE unknown")]
    out = tables(store, capsys, named)
    failed, slowest = out.split("hostile: the slowest 10 of 43, in l/")
    assert failed.startswith("hostile: 2 of 43 did not pass, in l/\n")
    assert " PASS " not in failed
    assert failed.endswith("  no.txt: It says no.\n  unknown.txt: incomplete (told to)\n\n")
    seconds = [float(found) for found in re.findall(r"\d+\.\d{3}", slowest)]
    assert len(seconds) == 10
    assert seconds == sorted(seconds, reverse=True)


def test_nothing_but_the_slowest_where_all_passed(store: Store, capsys: pytest.CaptureFixture[str]):
    out = tables(store, capsys, [(f"level{number}", f"HOSTILE yes #{number}") for number in range(50)])
    assert out.startswith("hostile: the slowest 10 of 50\n")
    assert "did not pass" not in out


def test_many_that_did_not_pass_are_cut_short(store: Store, capsys: pytest.CaptureFixture[str]):
    out = tables(store, capsys, [(f"level{number}", f"HOSTILE no #{number}") for number in range(100)])
    assert out.startswith("hostile: 100 of 100 did not pass, the first 40\n")
    assert out.split("slowest")[0].count(" FAIL ") == 40
    assert "\n\n  … and 60 more, in kept.csv\n\n  level0: It says no.\n" in out
    assert "  level4: It says no.\n  … and 35 more, in kept.csv\n\n" in out


def test_several_questions_are_named(store: Store, capsys: pytest.CaptureFixture[str]):
    out = tables(store, capsys, [("a", "HOSTILE unknown")], "solvable", "unique")
    assert "question  status" in out
    assert [line.split()[1] for line in out.split("\n")[4:6]] == ["solvable", "unique"]
    assert out.endswith("  a, solvable: incomplete (told to)\n  a, unique: incomplete (told to)\n\n")


@pytest.mark.parametrize("name", ["x" * 200 + "/end.txt", "層" * 60 + "終.txt", "[bold]x[/bold]", "\\n"])
def test_long_and_odd_names_fit(store: Store, capsys: pytest.CaptureFixture[str], name: str):
    from rich.cells import cell_len

    run, summary = validate(store, [(name, "HOSTILE yes"), ("other", "HOSTILE no")])
    say_tables(store, run, summary)
    table = capsys.readouterr().out.split("\n\n  other")[0]
    assert all(cell_len(line) <= 80 for line in table.split("\n"))
    assert name[-8:] in table
    assert " PASS " in table


def test_the_sums_of_each_domain_and_question(store: Store, capsys: pytest.CaptureFixture[str]):
    named = [("a", "HOSTILE yes"), ("b", "HOSTILE no"), ("c", "HOSTILE unknown"), ("d", "HOSTILE bug")]
    _, summary = validate(store, named, "solvable", "unique")
    say_sums(summary)
    out = capsys.readouterr().out.split("\n")
    assert out[0] == "domain   question  answers  PASS  FAIL  UNKNOWN  ERROR  seconds"
    assert out[2].split()[:7] == ["hostile", "solvable", "4", "1", "1", "1", "1"]
    assert out[3].split()[:3] == ["hostile", "unique", "4"]


def test_what_is_left_over_is_counted_and_listed(store: Store, capsys: pytest.CaptureFixture[str]):
    named = [(f"l/notes{number}.md", f"notes {number}") for number in range(8)]
    named += [("l/broken.txt", "HOSTILE nonsense"), ("l/fine.txt", "HOSTILE yes"), ("l/bug.txt", "HOSTILE read-bug")]
    run, summary = validate(store, named, "losable")
    say_leftovers(store, run, summary, rest="kept.csv")
    out = capsys.readouterr().out.split("\n")
    assert out[:8] == [
        "1 instance of hostile not asked: it has none of these questions.",
        "8 files not recognised, in l/",
        *(f"  notes{number}.md" for number in range(5)),
        "  … and 3 more, in kept.csv",
    ]
    assert out[9] == "1 could not be read"
    assert out[10].startswith("  l/broken.txt: ")
    assert out[-4:] == ["1 met a bug while being read", "  l/bug.txt: bug: KeyError: 'a bug, on purpose'", "", ""]


@pytest.mark.parametrize(
    ("names", "folder"),
    [
        (["a/b/c", "a/b/d"], "a/b/"),
        (["a/bc", "a/bd"], "a/"),
        (["/a/b", "/c/d"], "/"),
        (["a/b", "c"], ""),
        (["a/b/c", "a/b"], "a/"),
        (["a/b"], ""),
        ([], ""),
    ],
)
def test_the_folder_that_names_share(names: list[str], folder: str):
    assert common_folder(names) == folder
