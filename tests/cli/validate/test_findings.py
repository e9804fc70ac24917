"""What `validate` and `report` write for build systems, and where they refuse to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from helpers.command import Run
from solvent.batch import library
from solvent.cli.findings import FILES

COINS = {"yes": "COINS 5 3 7\nPAY 10\n", "no": "COINS 1 2\nPAY 9\n", "broken": "COINS 1\nPAY much\n"}


@pytest.fixture(autouse=True)
def _levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    Path("levels").mkdir()
    for name, text in COINS.items():
        Path(f"levels/{name}.txt").write_text(text)


def test_all_of_them_at_once_and_from_the_store_again(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "job.md")
    files = [word for name in FILES for word in (f"--{name}", f"out/{name}")]
    ran = run("validate", "levels", "--strict", "--github", *files)
    assert ran.code == 10
    assert [line for line in ran.out.splitlines() if line.startswith("::")] == [
        "::error file=levels/broken.txt,line=2,title=levels/broken.txt%2C cannot be read"
        "::cannot be read: line 2: expected PAY and a whole number, found 'PAY much'.",
        "::error file=levels/no.txt,title=levels/no.txt%2C payable%3A FAIL"
        "::Can the amount be paid exactly? NO. None of the 4 choices is the only one.",
    ]
    assert "JUnit: out/junit\nSARIF: out/sarif\nGitLab: out/gitlab\nSummary: out/markdown\nStore: " in ran.out
    assert Path("job.md").read_text() == Path("out/markdown").read_text()
    again = [word for name in FILES for word in (f"--{name}", f"again/{name}")]
    assert run("report", "results/validation.db", *again).code == 0
    assert not Path("results/report.html").exists()
    for name in ("junit", "gitlab", "markdown"):
        assert Path(f"again/{name}").read_text() == Path(f"out/{name}").read_text()
    first, second = (json.loads(Path(f"{folder}/sarif").read_text())["runs"][0] for folder in ("out", "again"))
    assert first["results"] == second["results"]
    assert (first["invocations"][0]["exitCode"], "exitCode" in second["invocations"][0]) == (10, False)


@pytest.mark.parametrize("name", FILES)
def test_each_may_have_standard_output_and_is_no_instance(run: Run, name: str):
    Path("levels/broken.txt").unlink()
    ran = run("validate", "levels", f"--{name}", "-", "-q")
    assert ran.out
    ending = {"junit": "xml", "sarif": "sarif", "gitlab": "json", "markdown": "md"}[name]
    target = f"levels/found.{ending}"
    assert run("validate", "levels", f"--{name}", target, "-q").code == 0
    assert run("validate", "levels", "--fail-on", "unrecognised,error", "-q", f"--{name}", target).code == 0
    assert run("validate", "levels", "--fail-on", "unrecognised,error", "-q").code == 0  # found, and known as ours


def test_nothing_found_is_written_as_well(run: Run):
    Path("empty").mkdir()
    assert run("validate", "empty", "--strict", "--junit", "j.xml", "--gitlab", "g.json", "-q").code == 30
    assert Path("g.json").read_text() == "[]\n"
    assert Path("j.xml").read_text().endswith('<testsuites name="Solvent">\n</testsuites>\n')


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--junit", "-", "--json"], 2, "--json and --junit - cannot both have standard output"),
        (["--junit", "-", "--sarif", "-"], 2, "--junit - and --sarif - cannot both have standard output"),
        (["--github", "--jsonl"], 2, "--jsonl without a file and --github cannot both have standard output"),
        (["--junit", "a", "--sarif", "a"], 2, "--sarif and --junit cannot be the same file"),
        (["--junit", "results/validation.db"], 2, "--junit and the store cannot be the same file"),
        (["--sarif", "levels"], 2, "--sarif needs a file, found the folder 'levels'"),
        (["--sarif", "levels/yes.txt"], 30, "--sarif: levels/yes.txt exists and is none of ours"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_runs(run: Run, words: list[str], code: int, message: str):
    ran = run("validate", "levels", *words)
    assert ran.code == code
    assert message in ran.err
    assert not Path("results").exists()
    assert Path("levels/yes.txt").read_text() == COINS["yes"]


def test_a_report_for_builds_is_of_one_run(run: Run):
    run("validate", "levels", "-q")
    ran = run("report", "results/validation.db", "results/validation.db", "--junit", "j.xml")
    assert (ran.code, "--junit is for the report of one run" in ran.err) == (2, True)
    ran = run("report", "results/validation.db", "--github", "--json")
    assert (ran.code, "--github and --json cannot both have standard output" in ran.err) == (2, True)
    ran = run("report", "results/validation.db", "--sarif", "s.sarif", "--json")
    assert json.loads(ran.out) == {"run": 1, "findings": {"sarif": "s.sarif"}}
