"""One pass over the rows keeps sums of all and a bounded number of single rows."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from batch.report.stores import Told, fill
from batch.result_rows import row, unread
from solvent.batch.names import CommonFolder
from solvent.batch.records import ReadAs
from solvent.batch.report import run_statistics
from solvent.batch.report.run_statistics import HARDEST, RunStatistics, gather_of_run, gather_statistics
from solvent.batch.report.sampling import Distribution, Largest, Listing, Sample
from solvent.batch.rows import Row
from solvent.batch.store import Store
from solvent.batch.store.reading import counted_rows, rows, run_row


def gathered(*rows: Row, began: float = 0.0) -> RunStatistics:
    return gather_statistics(iter(rows), began=began)


def test_answers_are_counted_by_domain_and_question() -> None:
    found = gathered(
        row(number=0, verdict="YES", seconds=1.0),
        row(number=1, verdict="NO", certified=False, seconds=0.5),
        row(number=2, verdict="UNKNOWN", certified=False),
        row(number=3, verdict=None, certified=False, error="Traceback"),
        row(number=4, domain="other", question="unique"),
    )
    group = found.groups["hostile", "solvable"]
    assert dict(group.verdicts) == {"YES": 1, "NO": 1, "UNKNOWN": 1, "ERROR": 1}
    assert dict(group.statuses) == {"PASS": 1, "FAIL": 1, "UNKNOWN": 1, "ERROR": 1}
    assert (group.answers, group.certified, group.seconds) == (4, 1, 2.0)
    assert found.domains == ["hostile", "other"]
    assert (found.instances, found.answers, found.rows) == (5, 5, 5)
    assert {status: len(listing.kept) for status, listing in found.failures.items()} == {
        "FAIL": 1,
        "UNKNOWN": 1,
        "ERROR": 1,
    }


def test_a_verdict_that_nobody_knows_is_an_error() -> None:
    assert dict(gathered(row(verdict="MAYBE")).groups["hostile", "solvable"].verdicts) == {"ERROR": 1}


def test_what_was_not_read_or_not_asked_is_no_answer() -> None:
    found = gathered(
        unread(ReadAs.UNREADABLE, "broken", number=0),
        unread(ReadAs.KILLED, "killed", number=1),
        unread(ReadAs.UNRECOGNISED, "", number=2),
        row(number=3, question=None, answer=None, verdict=None),
    )
    assert (found.unread.seen, found.unrecognised.seen, found.not_asked, found.answers) == (2, 1, 1, 0)
    assert found.statuses["ERROR"] == 2, "what cannot be read is an error"
    assert found.instances == 1


def test_two_questions_about_one_instance_are_one_instance() -> None:
    found = gathered(row(number=0, question="losable"), row(number=0, question="solvable"))
    assert (found.instances, found.answers) == (1, 2)


def test_the_hardest_are_the_slowest_of_each_domain_and_the_first_of_equals() -> None:
    rows = [row(number=number, name=f"{number}", seconds=number % 20) for number in range(60)]
    found = gathered(*rows, row(number=60, name="alone", domain="other"))
    assert [entry.row.name for entry in found.hardest["hostile"].kept] == [
        *("19", "39", "59", "18", "38", "58", "17", "37", "57", "16")
    ]
    assert len(found.hardest["hostile"].kept) == HARDEST
    assert [entry.row.name for entry in found.hardest["other"].kept] == ["alone"]


def test_figures_are_those_of_every_answer_and_of_the_survey(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvent.core.domain import ReportColumns

    monkeypatch.setattr(
        run_statistics, "report_columns_by_name", lambda _name: ReportColumns(diagnostics=("backtracks", "way"))
    )
    found = gathered(
        row(stats={"backtracks": 7, "way": "search", "secret": 1}, certificate_bytes=80, expanded=None),
        row(number=1, stats={"backtracks": 9}),
    )
    spreads = found.groups["hostile", "solvable"].distributions
    assert set(spreads) == {"seconds", "length", "expanded", "certificate_bytes", "backtracks", "way"}
    assert (spreads["backtracks"].smallest, spreads["backtracks"].largest) == (7, 9)
    assert dict(spreads["way"].words) == {"search": 1}
    assert spreads["certificate_bytes"].total == spreads["expanded"].total == 1, "what is not there is not zero"


def test_answers_of_earlier_runs_and_second_attempts_are_counted() -> None:
    found = gathered(
        row(finished=98.0), row(number=1, finished=99.0), row(number=2, finished=101.0, attempts=2), began=100.0
    )
    assert (found.known, found.retried) == (2, 1)


@pytest.mark.parametrize(
    ("names", "folder"),
    [
        (["a/b/c.txt", "a/b/d.txt"], "a/b/"),
        (["a/b/c.txt", "a/bb/d.txt"], "a/"),
        (["/x/a.txt", "/y/b.txt"], "/"),
        (["a/b.txt", "c.txt"], ""),
        (["level 1", "level 2"], ""),
    ],
)
def test_the_folder_that_all_names_share(names: list[str], folder: str) -> None:
    shared = CommonFolder()
    for name in names:
        shared.add(name)
    assert shared.folder == folder
    assert [folder + shared.shorten(name) for name in names] == names


def many(count: int) -> Iterator[Row]:
    verdicts = ("YES", "NO", "UNKNOWN", None)
    for number in range(count):
        if number % 11 == 0:
            yield unread(ReadAs.UNREADABLE, "broken " * 20, number=number, name=f"levels/{number}.txt")
        else:
            verdict = verdicts[number % 4]
            yield row(
                number=number,
                name=f"levels/{number}.txt",
                verdict=verdict,
                error="" if verdict else "Traceback",
                size=number + 1,
                seconds=number / 7,
                expanded=number * 3,
                stats={"nodes": number},
                machine=f"machine {number}",
            )


def peak_of(count: int) -> tuple[RunStatistics, int]:
    tracemalloc.start()
    try:
        return gather_statistics(many(count), began=0.0), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, bound in (("MAX_ROWS", 300), ("MAX_DOTS", 300), ("MAX_LISTED", 50), ("MAX_MACHINES", 50)):
        monkeypatch.setattr(run_statistics, name, bound)
    peak_of(100)  # what is kept for ever, such as modules and caches, is no part of it
    _, small = peak_of(1_000)
    found, large = peak_of(4_000)
    assert large < small * 1.7, "figures are rounded to three digits, so there are few more of them"
    assert found.rows == 4_000
    assert len(found.table) == 300
    assert all(len(listing.kept) == 50 for listing in (*found.failures.values(), found.unread))
    assert found.failures["FAIL"].seen > 50
    assert len(found.machines) == 50


def test_a_run_in_a_store_is_counted_as_its_rows_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, bound in (("MAX_ROWS", 9), ("MAX_DOTS", 6), ("MAX_LISTED", 4), ("MAX_SAMPLES", 3)):
        monkeypatch.setattr(run_statistics, name, bound)
    told = [
        Told(
            f"levels/{number}.txt",
            ["YES", "NO", "UNKNOWN", None][number % 4],
            content=number % 31,
            seconds=number / 7,
            certified=number % 3 > 0,
            error="" if number % 4 < 3 else "Traceback",
            stats={"nodes": number, "way": f"{number % 2}", "done": number % 2 == 0},
            read_as=ReadAs.INSTANCE if number % 10 else ReadAs.UNREADABLE,
            size=None if number % 6 == 0 else number % 5,
            machine=f"machine {number % 2}",
            finished=float(number),
        )
        for number in range(60)
    ]
    fill(tmp_path / "a.db", [Told("levels/other.txt", content=3)])
    number = fill(tmp_path / "a.db", [*told, Told("levels/caf\udce9.txt", content=40)])
    with Store.open(tmp_path / "a.db", read_only=True) as store:
        run = run_row(store, number)
        assert picture(gather_of_run(store, run)) == picture(gather_statistics(rows(store, number), began=run.began))
        for whole, part in zip(rows(store, number), counted_rows(store, number), strict=True):
            assert all(getattr(whole, name) == getattr(part, name) for name in (*part._fields, "status"))


def picture(found: RunStatistics) -> object:
    """Return all that was found as plain values that can be compared."""

    def plain(thing: object) -> object:
        if isinstance(thing, Distribution):
            return thing.numbers, thing.words, thing.largest, thing.smallest
        if isinstance(thing, Listing | Largest | Sample):
            return thing.seen, [plain(each) for each in thing.kept]
        if isinstance(thing, CommonFolder):
            return thing.folder
        if isinstance(thing, dict):
            return {key: plain(value) for key, value in thing.items()}
        if isinstance(thing, list):
            return [plain(each) for each in thing]
        if isinstance(thing, Row) or not is_dataclass(thing):
            return thing
        return {field.name: plain(getattr(thing, field.name)) for field in fields(thing)}

    return plain(found)
