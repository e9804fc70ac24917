"""The page about one run, from a store."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from batch.report.pages import Page
from batch.report.stores import Told, fill
from solvent.batch.records import ReadAs
from solvent.batch.report import run_page, run_statistics
from solvent.batch.report.run_page import make_report
from solvent.batch.settings import Limits, Settings
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run

HOSTILE = "</td><script>alert('x')</script>\"&<img src=x onerror=alert(1)>.txt"


def page_of(path: Path, told: list[Told], **more: object) -> Page:
    settings = more.pop("settings", None)
    state = more.pop("state", "finished")
    fill(path / "v.db", told, settings=settings, state=state)  # type: ignore[arg-type]
    with Store.open(path / "v.db", create=False, read_only=True) as store:
        page = Page(make_report(store, newest_run(store), **more).page)  # type: ignore[arg-type]
    page.require()
    return page


MIXED = [
    Told("boards/good.txt", content=1, seconds=0.02, because="A plan was found."),
    Told("boards/bad.txt", "NO", content=2, seconds=3.0, because="Nothing moves."),
    Told("boards/slow.txt", "UNKNOWN", content=3, seconds=60.0, detail="limit 60 s"),
    Told("boards/killed.txt", "UNKNOWN", content=4, seconds=130.0, cause="KILLED", detail="over 130 s"),
    Told("boards/bug.txt", None, content=5, error="Traceback (most recent call last):\nValueError: <oops>"),
    Told("boards/broken.txt", read_as=ReadAs.UNREADABLE, message="boards/broken.txt, line 3: expected a row"),
    Told("boards/notes.md", read_as=ReadAs.UNRECOGNISED, message="no domain knows it"),
    Told("many.jsonl:3", "NO", content=6, path="many.jsonl"),
]


def test_a_run_of_all_kinds(tmp_path: Path) -> None:
    page = page_of(tmp_path, MIXED)
    assert "1 of 6 answers passes; 2 fail, 2 unknown, 1 in error. 1 source could not be read." in page.words
    for told in (
        "Nothing moves.",
        "out of time (limit 60 s)",
        "killed (over 130 s)",
        "bug: ValueError: <oops>",
        "line 3: expected a row",
        "notes.md",
        "60 s for each answer",
        "solvent validate boards",
        "a machine",
        "0.1.0+aaaa",
        "solvent solve boards/bad.txt --as harmony --ask solvable --seconds 60",
        "--extract",
    ):
        assert told in page.words, told
    rows = [attributes for attributes in page.all("tr") if str(attributes.get("id", "")).startswith("row-")]
    assert len(rows) == 8
    assert [row.get("data-status") for row in rows] == [
        *("PASS", "FAIL", "UNKNOWN", "UNKNOWN", "ERROR", "ERROR", None, "FAIL")
    ]


def test_a_drawing_stands_on_the_page_once_and_shows_the_board(tmp_path: Path) -> None:
    page = page_of(tmp_path, MIXED)
    sources = [str(image["src"]) for image in page.all("img") if image["src"] != "data:,"]
    assert len(sources) == len(set(sources)) == 6, "one for each instance"
    for source in sources:
        svg = base64.b64decode(source.removeprefix("data:image/svg+xml;base64,"))
        assert svg.startswith(b"<svg")
    assert any(attributes.get("class") == "to-drawing" for attributes in page.all("a")), "the hardest are among them"


def test_nothing_a_file_or_a_message_says_becomes_markup(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        [
            Told(HOSTILE, "NO", content=1, because=HOSTILE, stats={"answered_by": HOSTILE}),
            Told(f"2{HOSTILE}", "UNKNOWN", content=2, detail=HOSTILE, stats={"answered_by": "</svg>"}),
            Told(f"3{HOSTILE}", None, content=3, error=f"Traceback\n{HOSTILE}"),
            Told(f"4{HOSTILE}", read_as=ReadAs.UNREADABLE, message=HOSTILE),
            Told(f"5{HOSTILE}", read_as=ReadAs.UNRECOGNISED, message=HOSTILE),
            Told(f"6{HOSTILE}", content=6, machine=HOSTILE, solver=HOSTILE),
        ],
        settings=Settings(questions=(HOSTILE,), rules={HOSTILE: HOSTILE}),
    )
    assert "<script>alert" not in page.source
    assert "onerror" not in {name for _, attributes in page.elements for name in attributes}
    assert page.words.count("<script>alert('x')</script>") > 10


def test_only_a_bug_has_a_traceback(tmp_path: Path) -> None:
    refused = "unknown solver 'magic'; there are: dfs"
    page = page_of(tmp_path, [Told("a", None, content=1, error=refused)])
    assert refused in page.words
    assert "Traceback" not in page.words
    assert "Traceback" in page_of(tmp_path, MIXED).words


def test_a_bug_of_the_reader_is_told_apart_from_a_broken_file(tmp_path: Path) -> None:
    trace = "Traceback (most recent call last):\n  File \"a.py\", line 7, in size\nKeyError: 'wide'\n"
    page = page_of(tmp_path, [*MIXED, Told("boards/odd.txt", read_as=ReadAs.BUG, message=trace)])
    assert "1 source could not be read. 1 source met a bug while being read." in page.words
    assert "Unreadable: 1" in page.words
    at = page.words.index("Bugs while reading: 1")
    assert "ERROR a bug while readingbug: KeyError: 'wide'TracebackTraceback (most recent" in page.words[at:]
    assert "solvent solve boards/odd.txt" in page.words
    assert page.words.count("line 7, in size") == 1, "the whole of it only under details"
    rows = [row for row in page.all("tr") if row.get("data-status") == "ERROR"]
    assert len(rows) == 3


def test_only_bugs_while_reading_lead_to_them(tmp_path: Path) -> None:
    page = page_of(tmp_path, [Told("a", read_as=ReadAs.BUG, message="Traceback (most recent call last):\nKeyError")])
    assert page.all("a").count({"href": "#unread"}) == 2  # the contents, and the card of errors


def test_without_any_answer_there_still_is_a_page(tmp_path: Path) -> None:
    assert "There are no answers in this run." in page_of(tmp_path, [], state="running").words
    page = page_of(tmp_path, [Told("x", read_as=ReadAs.UNRECOGNISED)], state="interrupted")
    assert "interrupted; the same command again goes on with it" in page.words


def test_all_as_hoped(tmp_path: Path) -> None:
    page = page_of(tmp_path, [Told("a", content=1), Told("b", content=2)])
    assert "All 2 answers pass." in page.words
    assert "Not passed" not in page.words


def test_limits_options_and_missing_proofs_are_told(tmp_path: Path) -> None:
    given = Settings(
        limits=Limits(seconds=None, nodes=5_000, kill_above=400),
        proof=False,
        options={"harmony": {"seed": 3}},
        rules={"walls": "soft"},
    )
    page = page_of(tmp_path, [Told("a", certified=False)], settings=given)
    assert "5,000 nodes for each answer" in page.words
    assert "ended after 600 s or above 400 MB" in page.words
    assert "verdicts may come without certificate" in page.words
    assert "rule walls=soft, harmony: seed=3" in page.words
    assert "0 of 1 YES and NO" in page.words


def test_a_domain_that_is_not_installed_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from solvent import registry
    from solvent.batch import rows

    fill(tmp_path / "v.db", MIXED)
    monkeypatch.setattr(registry, "BUILTIN_DOMAINS", ())
    monkeypatch.setattr(registry, "_loaded", {})
    rows.report_columns_by_name.cache_clear()
    try:
        with Store.open(tmp_path / "v.db", create=False, read_only=True) as store:
            made = make_report(store, newest_run(store))
    finally:
        rows.report_columns_by_name.cache_clear()
    Page(made.page).require()
    assert made.drawings == 0
    assert made.drawings_left_out == 6


def test_a_damaged_instance_or_certificate_costs_its_drawing_only(tmp_path: Path) -> None:
    import sqlite3

    fill(tmp_path / "v.db", [Told("a", content=1), Told("b", content=2), Told("c", content=3)])
    with sqlite3.connect(tmp_path / "v.db") as database:
        database.execute("UPDATE instance SET packed = x'00' WHERE id = 1")
        database.execute("UPDATE answer SET certificate = x'00' WHERE instance = 2")
    database.close()
    with Store.open(tmp_path / "v.db", create=False, read_only=True) as store:
        made = make_report(store, newest_run(store))
    Page(made.page).require()
    assert (made.drawings, made.drawings_left_out) == (1, 2)


def test_drawings_are_bounded_and_what_is_left_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [Told(f"{number}", content=number) for number in range(6)]
    assert len([image for image in page_of(tmp_path, told, drawings=0).all("img") if image["src"] != "data:,"]) == 0
    page = page_of(tmp_path, told, drawings=4)
    assert len([image for image in page.all("img") if image["src"] != "data:,"]) == 4
    assert "4 drawings are on this page; 2 more" in page.words
    monkeypatch.setattr("solvent.batch.report.drawings.MAX_BYTES", 20_000)
    page = page_of(tmp_path, told)
    drawn = [str(image["src"]) for image in page.all("img") if image["src"] != "data:,"]
    assert 0 < sum(map(len, drawn)) < 20_000


def test_a_long_table_is_cut_and_links_lead_only_to_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_statistics, "MAX_ROWS", 5)
    monkeypatch.setattr(run_statistics, "MAX_LISTED", 3)
    monkeypatch.setattr(run_page, "MAX_DOTS", 4)
    told = [
        Told(f"{number}", "NO" if number % 2 else "YES", content=number, seconds=number + 1) for number in range(12)
    ]
    page = page_of(tmp_path, told)
    assert "The first 5 of 12 rows." in page.words
    assert "--run 1 --csv table.csv" in page.words
    assert "3 more are in the whole table" in page.words
    assert "4 of 12 answers, evenly chosen." in page.words


def test_answers_of_an_earlier_run_are_told(tmp_path: Path) -> None:
    page = page_of(tmp_path, [Told("a", content=1, finished=5.0), Told("b", content=2, finished=4e9)])
    assert "1 answer came from an earlier run" in page.words
