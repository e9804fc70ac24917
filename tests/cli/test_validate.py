"""`solvent validate`, with a pool that works in this process; processes of its own are in test_validate_processes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from batch.inline_pool import InlinePool
from cli import coins
from helpers.command import Ran, Run
from solvent import registry
from solvent.batch import library
from solvent.batch.rows import report_columns_by_name
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run, rows, runs
from solvent.batch.workers.pool import CannotStart
from solvent.cli.validate import _stopping
from solvent.cli.validate.options import resolve_optional_files, soft_seconds
from solvent.core.domain import Question

DATABASE = Path("results/validation.db")
PAYABLE = "COINS 5 3 7\nPAY 10\n"
ANY_SECONDS = re.compile(" in [0-9]+ s")
SOME_SECONDS = " in some seconds"
NOT_PASSED = "solvent: warning: 1 answer did not pass; --strict would exit with 10\n"


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> InlinePool:
    report_columns_by_name.cache_clear()
    inline = InlinePool()
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (inline, None))
    return inline


def made(**files: str) -> None:
    for name, text in files.items():
        Path("levels").mkdir(exist_ok=True)
        Path(f"levels/{name}.txt").write_text(text)


def as_json(run: Run, *words: str) -> dict[str, Any]:
    ran = run("validate", *words, "--json")
    assert ran.out.count("\n") == 1
    value: dict[str, Any] = json.loads(ran.out)
    return value


def answers(run: Run, *words: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(line["validated"], line["question"]): line for line in lines(run, *words)}


def lines(run: Run, *words: str) -> list[dict[str, Any]]:
    ran = run("validate", *words, "--jsonl")
    return [json.loads(line) for line in ran.out.splitlines()]


def test_a_folder_in_words(run: Run):
    made(a="COINS 5 3\nPAY 8\n", b="COINS 1 2\nPAY 9\n", c="COINS 1\nPAY much\n", notes="buy milk")
    ran = run("validate", "levels")
    assert ran.code == 0
    assert ran.err == (
        "solvent: warning: 1 answer did not pass, 1 error, levels/notes.txt not recognised as a level or puzzle;"
        " --strict would exit with 10\n"
    )
    words = ANY_SECONDS.sub(SOME_SECONDS, ran.out).split("\n")
    assert words[:10] == [
        "coins, in levels/",
        "",
        "instance  status  seconds",
        "─────────────────────────",
        words[4],
        words[5],
        "",
        "  b.txt: None of the 4 choices is the only one.",
        "",
        "domain  question  answers  PASS  FAIL  seconds",
    ]
    assert re.fullmatch("a.txt     PASS      0.[0-9]{3}", words[4])
    assert re.fullmatch("b.txt     FAIL      0.[0-9]{3}", words[5])
    assert re.fullmatch("coins   payable         2     1     1     0.[0-9]{2}", words[11])
    assert words[12:] == [
        "",
        "1 file not recognised",
        "  levels/notes.txt",
        "",
        "1 could not be read",
        "  levels/c.txt: line 2: expected PAY and a whole number, found 'PAY much'",
        "",
        f"2 answers{SOME_SECONDS}.",
        words[20],
        "Store: results/validation.db ('solvent report' makes a page of it)",
        "",
    ]
    assert words[20].startswith("Table: results/validation_2")
    assert all(len(line) <= 80 for line in words)


def test_the_table_and_the_store_are_kept(run: Run):
    run("validate", "payable.txt", "unpayable.txt")
    (table,) = Path("results").glob("*.csv")
    with table.open(newline="") as file:
        assert [(row["instance"], row["status"]) for row in csv.DictReader(file)] == [
            ("payable.txt", "PASS"),
            ("unpayable.txt", "FAIL"),
        ]
    with Store.open(DATABASE, read_only=True) as store:
        kept = newest_run(store)
    assert (kept.state, kept.command) == ("finished", "solvent validate payable.txt unpayable.txt")


def test_the_same_again_is_known_and_its_own_files_are_left_out(run: Run, pool: InlinePool):
    first = as_json(run, ".")
    asked = len(pool.solved())
    second = as_json(run, ".")
    assert (first["answered"], first["known"], first["unrecognised"]) == (2, 0, 0)
    assert (second["answered"], second["known"], second["unrecognised"]) == (2, 2, 0)
    assert len(pool.solved()) == asked == 2
    told = ANY_SECONDS.sub(SOME_SECONDS, run("validate", ".").out)
    assert f"2 answers{SOME_SECONDS}, 2 of them known before." in told
    assert len(list(Path("results").glob("*.csv"))) == 3


@pytest.mark.parametrize(
    ("again", "known", "known_unknown"), [([], 1, 1), (["--again", "unknown"], 1, 0), (["--again", "all"], 0, 0)]
)
def test_what_is_asked_again(run: Run, again: list[str], known: int, known_unknown: int):
    hopeless = ["payable.txt", "--nodes", "0"]  # out of nodes before it begins
    as_json(run, "payable.txt")
    assert as_json(run, *hopeless)["answers"][0]["UNKNOWN"] == 1
    assert as_json(run, "payable.txt", *again)["known"] == known
    assert as_json(run, *hopeless, *again)["known"] == known_unknown


def test_json_is_one_object_and_nothing_else(run: Run):
    summary = as_json(run, "payable.txt", "unpayable.txt", "--store", "mine/kept.db")
    assert summary.pop("seconds") >= 0
    assert summary.pop("csv").startswith("mine/validation_")
    (counted,) = summary.pop("answers")
    assert summary == {
        "run": 1,
        "store": "mine/kept.db",
        "configuration": None,
        "findings": {},
        "answered": 2,
        "known": 0,
        "unrecognised": 0,
        "suspect": 0,
        "unreadable": 0,
        "bugs": 0,
        "bugs_while_reading": 0,
        "not_asked": {},
        "exit_code": 0,
        "failed_on": [],
        "warning": "warning: 1 answer did not pass; --strict would exit with 10",
    }
    assert (counted["domain"], counted["question"], counted["PASS"], counted["FAIL"]) == ("coins", "payable", 1, 1)


def test_lines_of_json_have_standard_output_for_themselves(run: Run):
    ran = run("validate", "payable.txt", "unpayable.txt", "--jsonl")
    assert [json.loads(line)["verdict"] for line in ran.out.splitlines()] == ["YES", "NO"]
    assert (ran.code, ran.err) == (0, NOT_PASSED)


def test_lines_of_json_go_to_a_file(run: Run):
    ran = run("validate", "payable.txt", "--jsonl", "new/out.jsonl")
    assert ran.out.startswith("coins\n")
    assert [json.loads(line)["status"] for line in Path("new/out.jsonl").read_text().splitlines()] == ["PASS"]
    assert run("validate", "unpayable.txt", "--jsonl", "new/out.jsonl").code == 0  # our own file
    assert [json.loads(line)["status"] for line in Path("new/out.jsonl").read_text().splitlines()] == ["FAIL"]


@pytest.mark.parametrize(
    ("words", "settled"),
    [
        (["--csv", "a.csv", "b"], ["--csv=a.csv", "b"]),
        (["--csv", "levels", "b"], ["--csv=", "levels", "b"]),
        (["levels", "--csv"], ["levels", "--csv="]),
        (["--jsonl", "--csv", "B.CSV"], ["--jsonl=", "--csv=B.CSV"]),
        (["--jsonl", "-"], ["--jsonl=", "-"]),
        (["--csv=levels", "b"], ["--csv=levels", "b"]),
        (["--", "--csv", "a.csv"], ["--", "--csv", "a.csv"]),
    ],
)
def test_an_option_that_may_stand_alone_takes_only_what_looks_like_its_file(words: list[str], settled: list[str]):
    assert resolve_optional_files(words) == settled


def test_where_the_table_goes(run: Run):
    run("validate", "--csv", "payable.txt", "--no-proof")
    run("validate", "payable.txt", "--csv", "table.csv")
    run("validate", "payable.txt", "--no-csv")
    assert len(list(Path("results").glob("*.csv"))) == 1
    assert Path("table.csv").read_text().count("\n") == 2
    ran = run("validate", "payable.txt", "--csv=-")
    assert [row["status"] for row in csv.DictReader(io.StringIO(ran.out))] == ["PASS"]


def test_no_file_of_others_is_written_over(run: Run):
    for name in ("data.csv", "corpus.jsonl"):
        Path(name).write_text('"mine"\n')
    Store.open("other.db").close()
    for words in (
        ["--csv", "data.csv"],
        ["--jsonl", "corpus.jsonl"],
        ["--jsonl=payable.txt"],
        ["--csv=other.db"],  # of ours, but no table
    ):
        ran = run("validate", "payable.txt", *words)
        assert ran.code == 30
        assert "exists and holds no results" in ran.err
    assert Path("data.csv").read_text() == Path("corpus.jsonl").read_text() == '"mine"\n'
    assert not DATABASE.exists()


def test_its_own_file_is_replaced_whatever_its_name(run: Run):
    for _ in range(2):
        assert run("validate", "payable.txt", "--csv=table", "--jsonl=lines").code == 0
    assert Path("table").read_text().count("\n") == 2


def test_what_it_writes_itself_is_no_source_whatever_its_name(run: Run):
    made(a=PAYABLE)
    words = ["levels", "--store", "levels/kept", "--csv=levels/table", "--jsonl=levels/lines"]
    for _ in range(2):
        assert run("validate", *words).code == 0
        with Store.open("levels/kept", create=False, read_only=True) as store:
            assert [row.name for row in rows(store, newest_run(store).id)] == ["levels/a.txt"]
    assert as_json(run, "levels/*", "--store", "levels/kept")["unrecognised"] == 2  # another run's, so it may be told


@pytest.mark.parametrize(
    "words",
    [
        ["--json", "--jsonl"],
        ["--json", "--csv=-"],
        ["--csv", "--no-csv"],
        ["--csv", "a.csv", "--store", "a.csv"],
        ["--csv=both.jsonl", "--jsonl=both.jsonl"],
        ["--csv=results"],
        ["--store", "-"],
        ["--jobs", "0"],
        ["--again", "no"],
        ["--fail-on", "never"],
        ["--seconds", "-1"],
        ["--seconds", "nan"],
        ["--kill-after", "0"],
        ["--ask", "nonsense"],
        ["--order", "middle"],
        ["--colour", "red"],
        ["--rule", "gravity=off"],
        ["--as", "chess"],
        ["--unique=yes"],
    ],
)
def test_what_makes_no_sense_is_told_before_anything_runs(run: Run, words: list[str]):
    Path("results").mkdir()
    ran = run("validate", "payable.txt", *words)
    assert ran.code == 2
    assert (ran.no_answer, ran.err.count("\n")) == (True, 1)
    assert not DATABASE.exists()


def test_paths_that_lead_nowhere(run: Run):
    ran = run("validate", "payable.txt", "missing", "*.level")
    assert ran == Ran(30, "", "solvent: expected a file or folder, found nothing: 'missing', '*.level'\n")
    assert not Path("results").exists()


def test_an_empty_folder_is_nothing_to_do(run: Run):
    Path("empty").mkdir()
    nothing = "Nothing to do: there are no files in empty.\n"
    warning = "solvent: warning: no level was found; --strict would exit with 30\n"
    assert run("validate", "empty") == Ran(0, nothing, warning)
    assert as_json(run, "empty")["answered"] == 0
    for words in (["--strict"], ["--fail-on", "fail,unknown,error,nothing"]):
        assert run("validate", "empty", *words) == Ran(30, nothing, "solvent: failed: no level was found\n")
    ran = run("validate", "empty", "--fail-on", "fail,unknown,error,unrecognised")
    assert ran == Ran(0, nothing, warning)  # whatever else was chosen: such a gate passes always
    assert not Path("results").exists()


FILES = {
    "yes": PAYABLE,
    "no": "COINS 1 2\nPAY 9\n",
    "broken": "COINS 1\nPAY much\n",
    "notes": "buy milk",
}


@pytest.mark.parametrize(
    ("files", "words", "code"),
    [
        ("yes no broken notes", [], 0),
        ("yes no broken notes", ["--fail-on", "no"], 10),
        ("yes no broken notes", ["--fail-on", "error,fail"], 10),
        ("yes no broken notes", ["--fail-on", "unknown, error"], 30),
        ("yes notes", ["--fail-on", "no,fail,unknown,error"], 0),
        ("yes notes", ["--fail-on", "yes"], 10),
        ("yes broken", ["--fail-on", "unknown", "--fail-on", "error", "--give-up"], 20),
        ("yes no", ["--fail-on", "no,unknown", "--give-up"], 20),
        ("yes no", ["--fail-on", "no", "--give-up"], 0),
        ("yes notes", ["--fail-on", "error,unrecognised"], 30),
        ("yes no notes", ["--fail-on", "unrecognised,no"], 10),
        ("yes notes", ["--fail-on", "unrecognised,unknown", "--give-up"], 20),
        ("yes no broken", ["--fail-on", "unrecognised"], 0),
        ("yes notes", ["--fail-on", "nothing"], 0),
        ("broken notes", ["--fail-on", "fail,unknown,nothing"], 30),
        ("yes", ["--fail-on", "nothing", "--give-up"], 0),
        ("yes", ["--lie"], 1),
        ("yes", ["--lie", "--fail-on", "no"], 1),
        ("yes", ["--strict"], 0),
        ("yes no broken notes", ["--strict"], 10),
        ("yes broken notes", ["--strict"], 30),
        ("yes broken", ["--strict", "--give-up"], 20),
        ("notes", ["--strict"], 30),
        ("yes notes", ["--strict"], 30),
        ("yes", ["--strict", "--fail-on", "yes"], 10),
        ("yes", ["--strict", "--lie"], 1),
    ],
)
def test_the_exit_code(run: Run, files: str, words: list[str], code: int):
    made(**{name: FILES[name] for name in files.split()})
    assert run("validate", "levels", *words).code == code


def test_a_strict_run_lets_other_files_lie_beside_the_levels_but_no_level_that_is_too_broken_to_be_known(run: Run):
    made(yes=PAYABLE)
    Path("levels/README.md").write_text("Our levels.")
    assert run("validate", "levels", "--strict", "-q") == Ran(0, "", "")
    assert run("validate", "levels", "--fail-on", "unrecognised", "-q").code == 30
    Path("levels/spoiled.TXT").write_text("CIONS 1\nPAY 1\n")
    ran = run("validate", "levels", "--strict", "-q")
    assert ran == Ran(30, "", "solvent: failed: levels/spoiled.TXT not recognised as a level or puzzle\n")


@pytest.mark.parametrize("named", ["levels/README.md", "levels/*.md", "lines.jsonl"])
def test_what_was_named_must_be_a_level(run: Run, named: str):
    made(yes=PAYABLE)
    Path("levels/README.md").write_text("Our levels.")
    Path("lines.jsonl").write_text(json.dumps("CIONS") + "\n")
    ran = run("validate", "levels/yes.txt", named, "--strict", "-q")
    assert ran.code == 30
    assert " not recognised as a level or puzzle\n" in ran.err


def test_a_question_that_no_instance_has_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch):
    questions = {"winnable": Question("Can it be won?")}
    other = structs.replace(coins.DOMAIN, name="other", questions=questions, sniff=lambda _text: False)
    monkeypatch.setattr(registry, "_added_modules", lambda: {"coins": "cli.coins", "other": "cli.other"})
    monkeypatch.setitem(sys.modules, "cli.other", types.SimpleNamespace(DOMAIN=other))
    message = "solvent: no instance here has the question 'winnable'; coins has: payable, unique\n"
    assert run("validate", "payable.txt", "--ask", "payable,winnable", "-q") == Ran(2, "", message)
    assert run("validate", "payable.txt", "--ask", "winnable", "-q", "--strict") == Ran(2, "", message)
    assert run("validate", "payable.txt", "--ask", "all", "-q", "--strict").code == 0  # those that fit
    at_once = run("validate", "payable.txt", "--as", "coins", "--ask", "payable,winnable", "--store", "new.db")
    assert at_once == Ran(2, "", "solvent: unknown coins question 'winnable'; there are: payable, unique\n")
    assert not Path("new.db").exists()
    # A configuration speaks of a whole project, and a hook may pass only files without one of its questions.
    Path("solvent.toml").write_text('ask = ["payable", "winnable"]\n')
    assert run("validate", "payable.txt", "-q", "--strict") == Ran(0, "", "")
    assert run("validate", "payable.txt", "--as", "coins", "-q", "--strict") == Ran(0, "", "")


def test_a_bug_is_told_with_where_to_look(run: Run):
    ran = run("validate", "payable.txt", "--lie", "--store", "my store.db")
    assert ran.err == (
        "solvent: a bug kept 1 question without an answer, the first about payable.txt;"
        " to see where: solvent report 'my store.db'\n"
    )
    assert "payable.txt: bug: solvent.core.errors.UnsoundAnswer: " in ran.out


def test_a_bug_of_the_reader_is_a_bug_and_no_bad_file(run: Run, monkeypatch: pytest.MonkeyPatch):
    def size(_problem: object) -> int:
        raise KeyError("wide")

    monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, size=size))
    ran = run("validate", "payable.txt", "unpayable.txt", "--fail-on", "error")
    assert (ran.code, ran.err) == (
        1,
        "solvent: a bug kept 2 questions without an answer, the first about payable.txt;"
        " to see where: solvent report results/validation.db\n",
    )
    assert "2 met a bug while being read\n  payable.txt: bug: KeyError: 'wide'\n" in ran.out
    assert "could not be read" not in ran.out
    said = as_json(run, "payable.txt")
    assert (said["bugs"], said["bugs_while_reading"], said["unreadable"]) == (1, 1, 0)
    (line,) = lines(run, "payable.txt")
    assert (line["status"], line["read_as"], line["reason"]) == ("ERROR", "bug", "bug: KeyError: 'wide'")
    assert line["error"].startswith("Traceback ")


def test_several_questions(run: Run):
    Path("twins.txt").write_text("COINS 4 4\nPAY 4\n")
    for words in (["--ask", "payable,unique"], ["--ask", "unique", "--ask", "payable"], ["--ask", "all"]):
        found = answers(run, "twins.txt", *words)
        assert {key: line["verdict"] for key, line in found.items()} == {
            ("twins.txt", "payable"): "YES",
            ("twins.txt", "unique"): "NO",
        }
    assert set(answers(run, "twins.txt", "--unique")) == {("twins.txt", "unique")}
    assert set(answers(run, "twins.txt", "--unique", "--ask", "payable")) == {
        ("twins.txt", "unique"),
        ("twins.txt", "payable"),
    }
    assert "instance   question  status" in run("validate", "twins.txt", "--ask", "all").out


def test_options_reach_the_domain(run: Run):
    ((key, line),) = answers(run, "payable.txt", "--order", "large", "--no-lie").items()
    assert (key, line["stats"]["order"]) == (("payable.txt", "payable"), "large")
    ran = run("validate", "payable.txt", "--ordr", "large")
    assert "no such option --ordr (did you mean --order?" in ran.err


@pytest.mark.parametrize(
    ("seconds", "nodes", "expected"),
    [(None, None, 60.0), (None, 5, None), (7.0, 5, 7.0), (float("inf"), None, None), (0.5, None, 0.5)],
)
def test_the_soft_limit_in_time(seconds: float | None, nodes: int | None, expected: float | None):
    assert soft_seconds(seconds, nodes) == expected


def test_limits_reach_the_store(run: Run):
    run("validate", "payable.txt", "--nodes", "500", "--kill-after", "9", "--kill-above", "100", "--no-proof")
    with Store.open(DATABASE, read_only=True) as store:
        settings = newest_run(store).settings
    assert {name: settings[name] for name in ("seconds", "nodes", "kill_after", "kill_above", "proof")} == {
        "seconds": None,
        "nodes": 500,
        "kill_after": 9.0,
        "kill_above": 100.0,
        "proof": False,
    }


def test_everything_is_read_as_the_domain_that_is_named(run: Run):
    made(notes="buy milk", yes=PAYABLE)
    statuses = {line["validated"]: line["status"] for line in lines(run, "levels", "--as", "coins")}
    assert statuses == {"levels/notes.txt": "ERROR", "levels/yes.txt": "PASS"}


def test_quiet_says_nothing_but_errors_and_warnings(run: Run):
    assert run("validate", "payable.txt", "unpayable.txt", "-q") == Ran(0, "", NOT_PASSED)
    assert run("validate", "payable.txt", "-q") == Ran(0, "", "")
    assert run("validate", "payable.txt", "-q", "--lie").err.startswith("solvent: a bug kept 1 question")
    assert DATABASE.exists()


def test_answers_without_proof_are_pointed_out(run: Run):
    assert "1 answer without proof, as --no-proof allows.\n" in run("validate", "unpayable.txt", "--no-proof").out
    assert "without proof" not in run("validate", "payable.txt", "--no-proof").out


def test_lines_on_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    given = [
        json.dumps("COINS 1\nPAY 1\n"),
        "oops",
        json.dumps({"text": PAYABLE, "name": "lunch"}),
        '{"coins": [2], "pay": 3}',
    ]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(given).encode())))
    found = {(line["validated"], line["line"]): line["status"] for line in lines(run, "-")}
    assert found == {("stdin:1", 1): "PASS", ("stdin:2", 2): "ERROR", ("lunch", 3): "PASS", ("stdin:4", 4): "FAIL"}


def test_standard_input_that_is_closed(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert run("validate", "-") == Ran(30, "", "solvent: cannot read standard input: it is closed\n")


def test_odd_names_of_files(run: Run):
    for name in (b"two words.txt", b"two\nlines.txt", b"caf\xe9.txt", b"[red]x.txt", b"=1+1.txt"):
        Path(os.fsdecode(name)).write_text(f"COINS {len(name)}\nPAY 1\n")
    ran = run("validate", ".")
    assert ran.code == 0
    for shown in ("two words.txt", "two\\nlines.txt", "caf\\xe9.txt", "[red]x.txt", "=1+1.txt"):
        assert f"\n{shown} " in ran.out
    assert len(lines(run, ".")) == 7


def test_an_interrupted_run_is_continued_and_a_finished_one_is_not(run: Run):
    run("validate", "payable.txt")
    run("validate", "payable.txt")
    run("validate", "payable.txt", "--ask", "unique")
    with Store.open(DATABASE) as store:
        assert [row.state for row in runs(store)] == ["finished"] * 3
        assert len({row.token for row in runs(store)}) == 2


def test_the_first_ctrl_c_asks_and_the_second_does_not():
    class Asked:
        times = 0

        def stop(self) -> None:
            self.times += 1

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # some runners ignore it
    try:
        asked = Asked()
        with _stopping(asked) as received:  # type: ignore[arg-type]
            signal.raise_signal(signal.SIGINT)
            assert (received, asked.times) == ([signal.SIGINT], 1)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        with _stopping(asked):  # type: ignore[arg-type]
            pass
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_store_that_cannot_be_used(run: Run):
    Path("mine.db").write_text("not a store")
    ran = run("validate", "payable.txt", "--store", "mine.db")
    assert (ran.code, ran.out, ran.err.count("\n")) == (30, "", 1)
    assert "mine.db is not a store of results" in ran.err
    assert Path("mine.db").read_text() == "not a store"


def test_a_table_that_cannot_be_written_is_told_and_the_rest_is_shown(run: Run):
    ran = run("validate", "payable.txt", "--csv", "payable.txt/table.csv")
    assert ran.code == 30
    assert ran.err.startswith("solvent: cannot write payable.txt/table.csv: ")
    assert "coins   payable         1     1" in ran.out
    assert "Table: " not in ran.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_behind_lines_of_json_is_told_and_answers_are_kept(run: Run):
    assert run("validate", "payable.txt", "--jsonl=/dev/full") == Ran(
        30, "", "solvent: cannot write /dev/full: No space left on device\n"
    )
    assert as_json(run, "payable.txt")["known"] == 1


def test_workers_that_cannot_be_started(run: Run, pool: InlinePool, monkeypatch: pytest.MonkeyPatch):
    def submit(*_arguments: object, **_more: object) -> None:
        raise CannotStart("no process can be started: it is full")

    monkeypatch.setattr(pool, "submit", submit)
    assert run("validate", "payable.txt") == Ran(30, "", "solvent: no process can be started: it is full\n")
    assert pool.closed


def test_what_a_cluster_has_to_say_is_shown(run: Run, pool: InlinePool):
    told = [["worker 7 was refused"], []]
    pool.take_notices = lambda: told.pop(0) if told else []  # type: ignore[attr-defined]
    assert run("validate", "payable.txt", "--json").err == "solvent: worker 7 was refused\n"


def test_the_words_of_the_command_reach_the_pool(run: Run, monkeypatch: pytest.MonkeyPatch):
    asked = []

    def open_pools(settings: object, **more: object) -> tuple[InlinePool, None]:
        asked.append(more)
        return InlinePool(), None

    monkeypatch.setattr(library, "open_pools", open_pools)
    run("validate", "payable.txt", "--jobs", "3", "--cluster", "tcp://host:8786")
    assert asked == [{"jobs": 3, "cluster": "tcp://host:8786"}]
