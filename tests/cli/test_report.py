"""`solvent report`: pages, comparisons, and instances taken out of a store."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from batch.report.pages import Page
from batch.store.making import edit, forge
from helpers.command import Ran, Run
from solvent.batch import rows as rows_module
from solvent.batch.records import Source
from solvent.batch.run import Validation
from solvent.batch.settings import Limits, RunOptions, Settings
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run, rows


@pytest.fixture(autouse=True)
def _forget_report_columns() -> None:
    rows_module.report_columns_by_name.cache_clear()


def validate(path: str, *, settings: Settings | None = None, sources: list[Source] | None = None) -> int:
    """Run the real loop over the two purses of every test, in this process; returns the number of the run."""
    given = sources or [Source(0, "payable.txt", path="payable.txt"), Source(1, "unpayable.txt", path="unpayable.txt")]
    settings = settings or Settings(limits=Limits(seconds=5))
    with (
        Store.open(path) as store,
        Validation(given, settings, store=store, pool=InlinePool(), options=RunOptions(command="validate .")) as run,
    ):
        list(run)
        return run.run.id


@pytest.fixture
def store() -> str:
    Path("results").mkdir()
    validate("results/validation.db")
    return "results/validation.db"


def page_at(path: str) -> Page:
    page = Page(Path(path).read_text(encoding="utf-8"))
    page.require()
    return page


def test_the_page_stands_beside_the_store(run: Run, store: str) -> None:
    ran = run("report", store)
    assert (ran.code, ran.err) == (0, "")
    assert "Run 1 of results/validation.db: finished." in ran.out
    assert "1 of 2 answers passes; 1 fails." in ran.out
    assert ran.out.splitlines()[-1].startswith("Page: results/report.html (")
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "solvent solve unpayable.txt --as coins --ask payable --seconds 5" in page_at("results/report.html").words


def test_the_commands_on_the_page_give_the_same_verdict(run: Run, store: str) -> None:
    run("report", store)
    page = page_at("results/report.html")
    commands = [text for text in page.text if text.startswith("solvent solve")]
    assert len(commands) == 1
    ran = run(*shlex.split(commands[0])[1:])
    assert ran.code == 10
    assert "payable: NO" in ran.out


def test_an_instance_of_a_line_comes_back_out_of_the_store(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    validate("lines.db", sources=[Source(0, "lines:1", text="COINS 1 2\nPAY 9\n", line=1)])
    run("report", "lines.db", "-o", "lines.html")
    (command,) = [text for text in page_at("lines.html").text if "--extract" in text]
    out, _, solve = command.partition(" | ")
    extracted = run(*shlex.split(out)[1:])
    assert extracted == Ran(0, "COINS 1 2\nPAY 9\n", "")
    Path("again.txt").write_text(extracted.out)
    ran = run(*("again.txt" if word == "-" else word for word in shlex.split(solve)[1:]))
    assert ran.code == 10


def test_extracting_to_a_file_and_what_is_not_there(run: Run, store: str) -> None:
    with Store.open(store, create=False, read_only=True) as opened:
        hash = next(rows(opened, newest_run(opened).id)).instance or ""
    assert run("report", store, "--extract", hash, "-o", "out.txt") == Ran(0, "", "")
    assert Path("out.txt").read_text() == "COINS 5 3 7\nPAY 10\n"
    assert run("report", store, "--extract", hash, "-o", "out.txt") == Ran(0, "", ""), "it is there already"
    ran = run("report", store, "--extract", hash, "-o", "unpayable.txt")
    assert ran == Ran(30, "", "solvent: unpayable.txt exists and holds something else; choose another name with -o\n")
    assert "PAY 10" not in Path("unpayable.txt").read_text()
    ran = run("report", store, "--extract", "0000000000")
    assert (ran.code, ran.out) == (30, "")
    assert "no instance whose hash begins with 0000000000" in ran.err
    assert run("report", store, "--extract", "xyz").code == 30


def test_the_whole_table_as_csv(run: Run, store: str) -> None:
    ran = run("report", store, "--csv", "table.csv")
    assert "Table: table.csv" in ran.out
    assert Path("table.csv").read_text().splitlines()[1].startswith("payable.txt,coins,payable,PASS,")


def test_as_json(run: Run, store: str) -> None:
    ran = run("report", store, "--json")
    assert (ran.code, ran.err) == (0, "")
    said = json.loads(ran.out)
    assert (said["run"], said["instances"], said["page"]) == (1, 2, "results/report.html")
    assert said["answers"][0]["verdicts"] == {"YES": 1, "NO": 1}
    assert Path("results/report.html").exists()


def test_the_page_to_standard_output(run: Run, store: str) -> None:
    ran = run("report", store, "-o", "-")
    assert ran.code == 0
    Page(ran.out).require()
    assert not Path("results/report.html").exists()


@pytest.mark.parametrize("name", ["validation.db", "validation.db-wal", "link.db"])
def test_no_store_is_ever_overwritten(run: Run, store: str, name: str) -> None:
    os.symlink("validation.db", "results/link.db")
    kept = Path(store).read_bytes()
    for words in (("-o", f"results/{name}"), ("--csv", f"results/{name}")):
        ran = run("report", store, *words)
        assert ran.code == 2
        assert "would destroy the store" in ran.err
    assert run("report", "results/link.db", "-o", f"results/{name}").code == 2
    assert Path(store).read_bytes() == kept


def test_no_file_of_others_is_written_over(run: Run, store: str) -> None:
    validate(store)
    mine = ["results/report.html", "results/comparison.html", "mine.html", "mine.txt", "mine.csv"]
    for name in mine:
        Path(name).write_text("mine\n")
    for words, name, option in (
        ([], "results/report.html", "-o"),
        (["--against", "1"], "results/comparison.html", "-o"),
        (["-o", "mine.html"], "mine.html", "-o"),
        (["--against", "1", "-o", "mine.txt"], "mine.txt", "-o"),
        (["-o", "new.html", "--csv", "mine.csv"], "mine.csv", "--csv"),
        (["-o", "new.html", "--csv", "mine.txt"], "mine.txt", "--csv"),
    ):
        ran = run("report", store, *words)
        assert (ran.code, ran.out) == (30, "")
        assert ran.err.startswith(f"solvent: {name} exists and is no ")
        assert ran.err.endswith(f"; choose another name with {option}\n")
    assert {Path(name).read_text() for name in mine} == {"mine\n"}
    assert not Path("new.html").exists()


def test_a_page_or_table_of_ours_is_replaced_whatever_its_name(run: Run, store: str) -> None:
    for words in ([], ["-o", "page", "--csv", "table"]):
        assert [run("report", store, *words).code for _ in range(2)] == [0, 0]
    Path("empty.html").touch()
    assert run("report", store, "-o", "empty.html").code == 0
    validate(store)
    assert run("report", store, "--against", "1", "-o", "page").code == 0
    assert "Two runs compared" in page_at("page").words
    assert run("report", store, "-o", "table").code == 30, "a table is no page"


def test_a_page_that_cannot_be_written(run: Run, store: str) -> None:
    ran = run("report", store, "-o", "nowhere/page.html")
    assert (ran.code, ran.out) == (30, "")
    assert ran.err.startswith("solvent: cannot write nowhere/page.html: ")


def test_what_is_no_store(run: Run) -> None:
    for name in ("payable.txt", "gone.db"):
        ran = run("report", name)
        assert (ran.code, ran.out) == (30, "")
        assert ran.err.count("\n") == 1
        assert not Path("gone.db").exists()


def test_a_run_by_its_number(run: Run, store: str) -> None:
    validate(store, settings=Settings(questions=("unique",), limits=Limits(seconds=5)))
    assert "unique" in run("report", store).out
    assert "unique" not in run("report", store, "--run", "1").out
    ran = run("report", store, "--run", "7")
    assert ran.code == 30
    assert "there is no run 7" in ran.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("a.db", "b.db", "c.db"),
        ("a.db", "--fail-on", "lost"),
        ("a.db", "--fail-on", "gained"),
        ("a.db", "b.db", "--thumbnails", "3"),
        ("a.db", "b.db", "--csv", "x.csv"),
        ("a.db", "--thumbnails", "-1"),
        ("a.db", "--extract", "f0", "--run", "1"),
        ("a.db", "b.db", "--extract", "f0"),
        ("a.db", "-o", "-", "--json"),
        ("a.db", "--csv", "-"),
        ("a.db", "--csv", "same", "-o", "same"),
    ],
)
def test_usage(run: Run, words: tuple[str, ...]) -> None:
    ran = run("report", *words)
    assert (ran.code, ran.no_answer) == (2, True)
    assert ran.err.endswith("see 'solvent report --help'\n")


def test_two_stores_are_compared(run: Run, store: str) -> None:
    validate("later.db")
    ran = run("report", store, "later.db", "--fail-on", "lost")
    assert (ran.code, ran.err) == (0, "")
    assert "Run 1 of later.db against run 1 of results/validation.db." in ran.out
    assert "No verdict changed among the 2 answers that both runs have." in ran.out
    assert ran.out.splitlines()[-1].startswith("Page: comparison.html (")
    page_at("comparison.html")


def test_a_lost_verdict_can_fail_a_build(run: Run, store: str) -> None:
    lazy = Settings(limits=Limits(seconds=5), options={"coins": {"give_up": True}})
    validate("later.db", settings=lazy)
    ran = run("report", store, "later.db", "--fail-on", "lost", "-o", "c.html")
    assert ran.code == 10
    assert "lost: payable.txt, payable: YES before, UNKNOWN after." in ran.out
    assert "The options or rules differ." in ran.out
    assert run("report", store, "later.db", "-o", "c.html").code == 0, "only whoever asks for it"
    assert run("report", "later.db", store, "-o", "c.html", "--fail-on", "lost").code == 0, "gained is no loss"


def test_a_contradiction_is_alarming(run: Run, store: str) -> None:
    validate("later.db")
    forge(Path("later.db"), "UPDATE answer SET verdict = 'NO' WHERE verdict = 'YES'")
    ran = run("report", store, "later.db", "--fail-on", "lost")
    assert ran.code == 10
    assert "contradicted: payable.txt, payable: YES before, NO after." in ran.out
    assert "one of the two solvers is wrong" in " ".join(ran.out.split())


def test_two_runs_of_one_store(run: Run, store: str) -> None:
    validate(store, settings=Settings(limits=Limits(seconds=6)))
    ran = run("report", store, "--run", "2", "--against", "1", "--json")
    said = json.loads(ran.out)
    assert (ran.code, said["matched"], said["same_verdict"], said["page"]) == (0, 2, 2, "results/comparison.html")
    assert said["warnings"][0].startswith("The limits differ")
    assert "\n\n\n" not in run("report", store, "--run", "2", "--against", "1").out
    ran = run("report", store, "--against", "2")
    assert ran.code == 2
    assert "cannot be compared with itself" in ran.err
    assert run("report", store, store).code == 2


def test_a_damaged_store_is_not_reported_on(run: Run, store: str) -> None:
    edit(Path(store), "UPDATE item SET name = 'others.txt' WHERE number = 0")
    for words in ((store,), (store, store, "--run", "1")):
        ran = run("report", *words)
        assert (ran.code, ran.out) == (30, "")
        assert ran.err == (
            f"solvent: {store} is damaged: the seal of run 1 does not fit;"
            f" to save what is intact: solvent report {store} --rescue NEW_STORE\n"
        )


def test_what_is_intact_is_saved(run: Run, store: str) -> None:
    edit(Path(store), "UPDATE answer SET seconds = 9 WHERE verdict = 'NO'")
    before = Path(store).read_bytes()
    assert run("report", store, "--rescue", "saved/new.db") == Ran(
        0,
        f"Saved to saved/new.db; {store} is as it was:\n"
        "  1 answer, 1 lost\n"
        "  2 instances, none lost\n"
        "  1 run, none lost\n"
        "One run lacks some of its answers now and counts as interrupted.\n"
        "What is lost is solved again, and nothing else, when you give the command of the\n"
        "  run once more with --store saved/new.db.\n",
        "",
    )
    assert Path(store).read_bytes() == before
    assert os.listdir("saved") == ["new.db"]
    assert run("check", "--store", "saved/new.db").code == 0
    with Store.open("saved/new.db", read_only=True) as saved:
        assert [(row.name, row.verdict) for row in rows(saved, 1)] == [("payable.txt", "YES"), ("unpayable.txt", None)]
        assert newest_run(saved).state == "interrupted"
    validate("saved/new.db")
    with Store.open("saved/new.db", read_only=True) as saved:
        assert [row.verdict for row in rows(saved, 1)] == ["YES", "NO"], "the run is continued"
        assert newest_run(saved).state == "finished"
        assert list(saved.query("SELECT count(*) FROM answer")) == [(2,)]


def test_saving_as_json_and_what_it_refuses(run: Run, store: str) -> None:
    ran = run("report", store, "--rescue", "new.db", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == {
        "store": store,
        "rescued": "new.db",
        "answers": 2,
        "answers_lost": 0,
        "instances": 2,
        "instances_lost": 0,
        "runs": 1,
        "runs_lost": 0,
        "runs_with_gaps": 0,
    }
    Path("notes.txt").write_text("no store at all")
    for words, told in (
        ((store, "--rescue", "new.db"), "new.db exists already; choose another name for the new store"),
        (("gone.db", "--rescue", "other.db"), "there is no store gone.db"),
        ((".", "--rescue", "other.db"), ". is a folder, not a store of results"),
        (("notes.txt", "--rescue", "other.db"), "there is nothing in notes.txt that could be saved"),
        ((store, "--rescue", "notes.txt/other.db"), f"cannot copy {store} to notes.txt/other.db: "),
    ):
        ran = run("report", *words)
        assert (ran.code, ran.out) == (30, ""), words
        assert ran.err.startswith(f"solvent: {told}"), ran.err
    for words in (("--run", "1"), ("-o", "x"), ("--csv", "x.csv"), ("--extract", "a"), (store,), ("--thumbnails", "1")):
        ran = run("report", store, "--rescue", "other.db", *words)
        assert (ran.code, ran.out) == (2, "")
        assert "--rescue takes one store and --json, nothing else" in ran.err
    assert not Path("other.db").exists()
