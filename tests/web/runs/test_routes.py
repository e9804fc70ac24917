"""Stores on the page: rows as the database has them, answers only as the checker has them, troubles in schemas."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from batch.store.making import edit
from helpers.depth import up_to
from solvent.batch.checking import check_store
from solvent.batch.store import Store
from solvent.batch.store.paging import SORT_KEYS, count_rows, page, tally
from solvent.batch.store.reading import Filter, counted_rows, rows
from solvent.core.errors import StoreError
from solvent.web.errors import Refusal
from solvent.web.runs import charts as run_charts
from solvent.web.runs import compare as run_compare
from solvent.web.runs import work as run_work
from solvent.web.runs.schemas import ResultWanted, RowsWanted
from solvent.web.served_files import ServedFile, list_files
from web.served_folder import ServedFolder, make_large_store

LARGE = up_to(20_000, deep=100_000)


def file(path: Path) -> ServedFile:
    return ServedFile("store", path, "my store", path.stat().st_size, 0.0)


@pytest.fixture
def copied(served: ServedFolder, tmp_path: Path) -> Path:
    """A copy of the store, to be spoiled."""
    path = tmp_path / "copy"
    with sqlite3.connect(served.store) as source, sqlite3.connect(path) as target:
        source.backup(target)
    return path


def some_row(path: Path, verdict: str) -> tuple[int, str]:
    with Store.open(path, read_only=True) as store:
        row = next(rows(store, 2, Filter(verdicts=[verdict])))
    assert row.question is not None
    return row.number, row.question


def checked(path: Path, number: int, question: str, run: int = 2) -> Any:
    return json.loads(run_work.check_result(file(path), run, number, ResultWanted(question=question)))


def test_a_store_is_known_by_what_it_holds_and_its_runs_are_counted(served: ServedFolder) -> None:
    (store,) = served.get("runs").json
    assert (store["name"], store["problem"]) == ("results of May", None)
    after, before = store["runs"]
    assert (after["id"], before["id"], after["state"]) == (2, 1, "finished")
    assert after["verdicts"] == {"YES": 4, "NO": 1, "UNREAD": 1, "UNRECOGNISED": 1}
    assert before["verdicts"]["UNKNOWN"] > 0
    about = served.get("about").json
    assert (about["files"], about["runs"]) == (True, True)


def test_a_store_in_a_folder_is_found_and_is_no_file_to_open(served: ServedFolder, tmp_path: Path) -> None:
    shutil.copy(served.store, tmp_path / "validation.db")
    (tmp_path / "other.db").write_text("no database")
    found = list_files([tmp_path])
    assert [place.name for place in found.stores.values()] == ["validation.db"]
    assert [place.name for place in found.files.values()] == ["other.db"]


def test_a_run_is_told_by_domain_and_question(served: ServedFolder) -> None:
    told = served.get(f"runs/{served.store_id}/2").json
    assert {tally["domain"] for tally in told["tallies"]} == {"dungeon", "harmony", "starbattle"}
    harmony = next(tally for tally in told["tallies"] if tally["domain"] == "harmony")
    assert (harmony["YES"], harmony["NO"], harmony["certified"], harmony["passing_verdict"]) == (2, 1, 3, "YES")
    assert told["folder"].endswith("levels/")


@pytest.mark.parametrize("column", sorted(SORT_KEYS))
@pytest.mark.parametrize("descending", [False, True])
def test_every_column_sorts_all_rows(served: ServedFolder, column: str, descending: bool) -> None:
    with Store.open(served.store, read_only=True) as store:
        everything = list(rows(store, 2))
        order = {"sort": column, "descending": descending}
        found = page(store, 2, Filter(), start=0, count=100, **order)
        assert sorted(row.number for row in found) == [row.number for row in everything]
        assert count_rows(store, 2, Filter()) == len(everything)
        in_pages = [row for start in range(0, 10, 3) for row in page(store, 2, Filter(), start=start, count=3, **order)]
        assert in_pages == found
    values = [getattr(row, "verdict" if column == "verdict" else column) for row in found]
    if column in ("seconds", "size"):
        known = [row for row in found if row.answer is not None]
        assert found[: len(known)] == known  # what has no value comes last
        values = values[: len(known)]
        assert values == sorted(values, reverse=descending)


def test_filters_mean_what_they_say(served: ServedFolder) -> None:
    at = f"runs/{served.store_id}/2/rows"

    def listed(query: str) -> list[tuple[str, str]]:
        found = served.get(f"{at}?{query}").json
        assert found["matching"] == len(found["rows"])
        assert found["total"] == 7
        return [(row["name"].rpartition("levels/")[2], row["kind"]) for row in found["rows"]]

    assert listed("verdict=NO") == [("harmony/hopeless.txt", "NO")]
    assert listed("verdict=UNREAD") == [("broken.txt", "UNREAD")]
    assert len(listed("domain=harmony")) == 3
    assert listed("domain=harmony&text=EAS+harm") == [("harmony/easy.txt", "YES")]
    assert listed("text=" + "%25") == []  # a sign of the database's own is a sign like any other
    assert len(listed("question=solvable")) == 5
    assert listed("domain=no%27%20OR%201=1--") == []


def test_the_database_and_the_page_agree_on_kinds(served: ServedFolder) -> None:
    with Store.open(served.store, read_only=True) as store:
        for row in rows(store, 1):
            (found,) = page(store, 1, Filter(kind=row.kind, text=row.name.replace("_", "_")), start=0, count=1)
            assert found == row
        assert sum(one.rows for one in tally(store, 1)) == count_rows(store, 1, Filter())


def test_what_two_runs_are_compared_by_is_what_rows_say(served: ServedFolder) -> None:
    with Store.open(served.store, read_only=True) as store:
        for whole, part in zip(rows(store, 2), counted_rows(store, 2), strict=True):
            assert all(getattr(whole, name) == getattr(part, name) for name in part._fields)


def test_a_result_has_its_instance_and_an_answer_that_was_checked_just_now(served: ServedFolder) -> None:
    number, question = some_row(served.store, "NO")
    at = f"runs/{served.store_id}/2/{number}"
    shown = served.get(f"{at}?question={question}").json
    assert (shown["domain"], shown["claims"]) == ("harmony", "NO")
    assert shown["text"]
    reply = served.get(f"{at}/checked?question={question}").json
    assert reply["accepted"]
    assert reply["answer"]["certified"]
    assert reply["answer"]["verdict"] == "NO"
    assert reply["answer"]["command"].startswith("solvent solve hopeless.txt")


def test_an_unknown_is_handed_out_with_its_reason(served: ServedFolder) -> None:
    with Store.open(served.store, read_only=True) as store:
        row = next(rows(store, 1, Filter(verdicts=["UNKNOWN"])))
    answer = checked(served.store, row.number, row.question or "", run=1)["answer"]
    assert (answer["verdict"], answer["certified"]) == ("UNKNOWN", False)
    assert "nodes" in answer["line"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answer SET verdict = 'YES' WHERE verdict = 'NO'",
        "UPDATE answer SET certificate = NULL, certified = 0, form = NULL WHERE verdict = 'NO'",
        "UPDATE answer SET certificate = x'00' WHERE verdict = 'NO'",
        "UPDATE answer SET seconds = 0.001 WHERE verdict = 'NO'",
        "UPDATE answer SET stats = '[' WHERE verdict = 'NO'",
        "UPDATE answer SET instance = (SELECT id FROM instance ORDER BY id LIMIT 1) WHERE verdict = 'NO'",
        "UPDATE instance SET packed = (SELECT packed FROM instance ORDER BY id LIMIT 1)",
    ],
)
def test_an_answer_that_somebody_edited_is_never_called_checked(copied: Path, statement: str) -> None:
    number, question = some_row(copied, "NO")
    edit(copied, statement)
    if "stats" in statement:  # so much damage that nothing can be shown
        with pytest.raises(StoreError, match="damaged"):
            checked(copied, number, question)
        return
    reply = checked(copied, number, question)
    assert not reply["accepted"]
    assert reply["answer"] is None
    assert reply["violations"]
    with Store.open(copied, read_only=True) as store:
        assert any(not found.accepted for found in check_store(store))


def test_an_answer_about_something_else_is_not_taken_for_one_about_this(copied: Path) -> None:
    number, question = some_row(copied, "NO")
    edit(
        copied,
        "UPDATE run_answer SET answer = (SELECT id FROM answer WHERE verdict = 'YES' LIMIT 1) WHERE number = ?",
        number,
    )
    reply = checked(copied, number, question)
    assert not reply["accepted"]
    assert any("another instance" in violation for violation in reply["violations"])


def listed_problem(path: Path) -> str:
    problem = json.loads(run_work.list_store(file(path)))["problem"]
    assert problem is not None
    assert str(path) not in problem
    return str(problem)


def test_a_store_that_cannot_be_used_says_why_in_its_place(copied: Path, tmp_path: Path) -> None:
    edit(copied, "PRAGMA user_version = 99")
    assert "newer Solvent" in listed_problem(copied)
    other = tmp_path / "other"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE anything (value)")
    assert "another program" in listed_problem(other)
    cut = tmp_path / "cut"
    cut.write_bytes(copied.read_bytes()[:5_000])
    assert listed_problem(cut)


def test_a_damaged_store_says_so_wherever_it_is_shown(copied: Path) -> None:
    whole = json.loads(run_work.list_store(file(copied)))
    assert whole["problem"] is None
    assert json.loads(run_work.show_run(file(copied), 2))["problem"] is None
    edit(copied, "UPDATE item SET name = 'another.txt' WHERE run = 2 AND number = 0")
    problem = listed_problem(copied)
    assert problem == (
        f"{file(copied).name} is damaged: the seal of run 2 does not fit;"
        f" to save what is intact: solvent report {file(copied).name} --rescue NEW_STORE"
    )
    assert json.loads(run_work.list_store(file(copied)))["runs"] == whole["runs"], "what can be read is shown"
    assert json.loads(run_work.show_run(file(copied), 2))["problem"] == problem
    compared = json.loads(run_compare.compare(file(copied), 1, file(copied), 2))
    assert [compared[side]["problem"] for side in ("before", "after")] == [problem, problem]


def test_a_store_that_did_not_change_is_looked_through_once(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    look = Store.require_intact
    monkeypatch.setattr(Store, "require_intact", lambda store, **more: looks.append(store.path) or look(store, **more))
    for _ in range(3):
        run_work.list_store(file(copied))
        run_work.show_run(file(copied), 2)
    assert len(looks) == 1
    edit(copied, "UPDATE answer SET attempts = 9")
    assert listed_problem(copied)
    assert listed_problem(copied)
    assert len(looks) == 2


def test_a_store_that_is_locked_says_so(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_work, "SECONDS_TO_WAIT", 0.1)
    holding = sqlite3.connect(copied, isolation_level=None)
    holding.execute("PRAGMA locking_mode = EXCLUSIVE")
    holding.execute("BEGIN EXCLUSIVE")
    try:
        assert "is being written to" in listed_problem(copied)
    finally:
        holding.close()
    assert json.loads(run_work.list_store(file(copied)))["problem"] is None


def test_a_store_that_is_being_written_is_read_all_the_same(copied: Path) -> None:
    with Store.open(copied) as writing:
        run = writing.begin_run({}, token="live", command="c", solver="s", machine="m")
        shown = json.loads(run_work.list_store(file(copied)))["runs"][0]
        assert (shown["id"], shown["verdicts"]) == (run.id, {})
        assert shown["state"] in ("running", "stopped")  # this very process leads it


def test_a_run_whose_process_is_there_is_running(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(copied, "UPDATE run SET state = 'running' WHERE id = 2")
    assert json.loads(run_work.show_run(file(copied), 2))["state"] == "stopped"
    monkeypatch.setattr(run_work.leader, "is_at_work", lambda _: True)
    assert json.loads(run_work.show_run(file(copied), 2))["state"] == "running"


def test_what_is_not_there_is_missing(served: ServedFolder) -> None:
    store = served.store_id
    for path in (
        "99",
        "99/rows",
        "99/charts",
        "2/999",
        "2/999/checked",
        "x",
        "2/x",
        "9" * 30,
        f"2/compared/{store}/99",
    ):
        assert served.get(f"runs/{store}/{path}").status == 404, path
    assert served.get(f"runs/{store}/2/0?question=none").status == 404
    with pytest.raises(Refusal, match="no instance"):
        run_work.show_result(file(served.store), 2, next(iter(_unread(served.store))), ResultWanted())


def _unread(path: Path) -> list[int]:
    with Store.open(path, read_only=True) as store:
        return [row.number for row in rows(store, 2, Filter(read_as=["unreadable"]))]


def test_charts_lead_to_results_and_hold_no_more_than_shapes(copied: Path) -> None:
    edit(copied, "UPDATE item SET name = name || '<script>alert(1)</script>\"&'' onload='")
    found = json.loads(run_charts.draw_charts(file(copied), 2))
    assert [group["domain"] for group in found["groups"]] == ["dungeon", "harmony", "starbattle"]
    drawn = "".join(chart["svg"] for group in found["groups"] for chart in group["charts"])
    assert "<script" not in drawn
    assert 'href="#/result/store/2/' in drawn
    titles = [chart["title"] for chart in found["groups"][1]["charts"]]
    assert any(title.startswith("Time against") for title in titles)
    assert any(title.startswith("The hardest") for title in titles)


def test_two_runs_are_compared_as_the_report_does(served: ServedFolder) -> None:
    store = served.store_id
    found = served.get(f"runs/{store}/1/compared/{store}/2").json
    gained = next(change for change in found["changes"] if change["change"] == "gained")
    assert gained["seen"] == len(gained["pairs"]) > 0
    assert gained["pairs"][0]["before"]["kind"] == "UNKNOWN"
    assert found["matched"] == 5
    assert "gained" in found["sentence"]
    assert any("limits differ" in warning for warning in found["warnings"])
    assert str(served.store.parent) not in json.dumps([found["warnings"], found["sentence"]])
    backwards = json.loads(run_compare.compare(file(served.store), 2, file(served.store), 1))
    assert {change["change"] for change in backwards["changes"]} >= {"lost"}


def test_a_large_store_stays_in_pages(tmp_path: Path) -> None:
    path = tmp_path / "large"
    make_large_store(path, LARGE)
    (shown,) = json.loads(run_work.list_store(file(path)))["runs"]
    assert shown["verdicts"] == {"YES": LARGE * 9 // 10, "NO": LARGE // 10}
    reply = run_work.list_rows(
        file(path), 1, RowsWanted(verdict="NO", sort="seconds", descending=True, start=LARGE // 20)
    )
    assert len(reply) < 50_000
    found = json.loads(reply)
    assert (found["total"], found["matching"], len(found["rows"])) == (LARGE, LARGE // 10, 50)
    seconds = [row["seconds"] for row in found["rows"]]
    assert seconds == sorted(seconds, reverse=True)
    charts = run_charts.draw_charts(file(path), 1)
    assert len(charts) < 400_000  # marks are thinned out
    (group,) = json.loads(charts)["groups"]
    assert "evenly chosen" in json.dumps(group)
