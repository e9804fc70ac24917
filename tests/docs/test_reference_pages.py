"""The reference pages leave nothing out: every error, table and column, every form and rule of a certificate."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

from solvent.batch.exports import HEADER, json_line
from solvent.batch.records import ReadAs, Reading, Source
from solvent.batch.run import Validated
from solvent.batch.store import Store
from solvent.batch.summary import Counts, Summary
from solvent.core import errors
from solvent.core.answer import Cause
from solvent.dungeon import checker as dungeon_checker
from solvent.harmony import checker as harmony_checker
from solvent.harmony.checker.invariant import RULES
from solvent.harmony.domain import DOMAIN
from solvent.registry import BUILTIN_DOMAINS, get_domain
from solvent.starbattle import checker as starbattle_checker
from solvent.starbattle.hints.techniques import difficulties


@pytest.fixture
def python_page(project: Path) -> str:
    return (project / "docs" / "reference" / "python.md").read_text(encoding="utf-8")


@pytest.fixture
def certificates_page(project: Path) -> str:
    pages = sorted((project / "docs" / "reference").glob("certificates*.md"))
    return "".join(page.read_text(encoding="utf-8") for page in pages)


def test_every_cause_is_named(python_page: str) -> None:
    assert [name for name in Cause.__members__ if f"`{name}`" not in python_page] == []


def test_every_error_stands_in_the_reference(project: Path) -> None:
    page = (project / "docs" / "reference" / "api" / "errors.md").read_text(encoding="utf-8")
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind) and kind.__module__ == errors.__name__]
    assert [kind for kind in kinds if f"        - {kind.__name__}\n" not in page or not kind.__doc__] == []


def test_every_table_and_column_of_a_store_is_described(project: Path, tmp_path: Path) -> None:
    page = (project / "docs" / "reference" / "store.md").read_text(encoding="utf-8")
    with Store.open(tmp_path / "new.db") as store:
        tables = [name for (name,) in store.query("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        assert len(tables) >= 6
        for table in tables:
            section = page[page.index(f"### `{table}`") :].split("\n##")[0]
            rows = "".join(row.split(" | ")[0] for row in section.splitlines() if row.startswith("| `"))
            columns = [name for (name,) in store.query("SELECT name FROM pragma_table_info(?)", table)]
            assert [column for column in columns if f"`{column}`" not in rows] == [], table
        (version,) = next(store.query("PRAGMA user_version"))
        assert f"`PRAGMA user_version`, now {version})" in page


def test_every_column_of_a_table_of_results_is_described(project: Path) -> None:
    page = (project / "docs" / "how-to" / "validate-a-corpus.md").read_text(encoding="utf-8")
    section = page[page.index("## The table as a file") :].split("\n## ")[0]
    rows = "".join(row.split(" | ")[0] for row in section.splitlines() if row.startswith("| `"))
    assert [column for column in HEADER.decode().strip().split(",") if f"`{column}`" not in rows] == []


def test_every_key_of_what_validate_writes_is_named(project: Path) -> None:
    page = (project / "docs" / "reference" / "command.md").read_text(encoding="utf-8")
    section = page[page.index("\n## validate\n") :].split("\n## ")[1]
    source = Source(0, "board.txt")
    line = json.loads(json_line(Validated(Reading(source, ReadAs.UNRECOGNISED))))
    summary = Summary(answers={("puzzle", "solvable"): Counts()}).as_json()
    assert [key for key in (*line, *summary, *summary["answers"][0]) if f"`{key}`" not in section] == []


def test_every_solver_says_what_its_nodes_are(python_page: str) -> None:
    solver = next(option for option in DOMAIN.solve_options if option.name == "solver")
    nodes = python_page[python_page.index("## Nodes") :]
    assert [choice for choice in solver.choices if f"| `{choice}` |" not in nodes] == []


def test_every_form_and_rule_is_described(certificates_page: str) -> None:
    forms = [*(form for _, form in dungeon_checker.FORMS), *harmony_checker.FORMS, *starbattle_checker.FORMS]
    assert [form for form in forms if f"\n## `{form}`\n" not in certificates_page] == []
    assert [rule for rule in RULES if f"| `{rule}` |" not in certificates_page] == []


@pytest.mark.parametrize("name", BUILTIN_DOMAINS)
def test_a_domain_has_a_page_with_all_its_questions_formats_and_options(project: Path, name: str) -> None:
    pages = sorted((project / "docs" / "reference").glob(f"{name}*.md"))
    page = "".join(page.read_text(encoding="utf-8") for page in pages)
    domain = get_domain(name)
    words = [*domain.questions, *domain.formats, *domain.views]
    for kind in ("solve", "hint", "generate", "rule"):
        words += [option.name for option in domain.options(kind)]
    assert [word for word in words if f"`{word}`" not in page] == []


def test_every_technique_stands_in_the_reference_with_its_difficulty(project: Path) -> None:
    page = (project / "docs" / "reference" / "starbattle-techniques.md").read_text(encoding="utf-8")
    rows = [f"| `{name}` | {difficulty:g} |" for name, difficulty in difficulties().items()]
    assert rows == re.findall(r"^\| `[a-z -]+` \| [\d.]+ \|", page, re.MULTILINE)
