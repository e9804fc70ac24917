"""Tests keep to the rules of `tests/README.md`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from solvent.registry import BUILTIN_DOMAINS

TESTS = Path(__file__).resolve().parents[1]
IMPORTED = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)


def imported(folder: str) -> dict[str, set[str]]:
    """Return what each file of a folder imports, by the first part of its name."""
    files = sorted((TESTS / folder).rglob("*.py"))
    return {str(file.relative_to(TESTS)): set(IMPORTED.findall(file.read_text(encoding="utf-8"))) for file in files}


@pytest.mark.parametrize("domain", BUILTIN_DOMAINS)
def test_no_domains_tests_import_anothers(domain: str) -> None:
    others = {*BUILTIN_DOMAINS, "lamps"} - {domain}
    assert {file: names & others for file, names in imported(domain).items() if names & others} == {}


def test_helpers_know_no_domain() -> None:
    known = {*BUILTIN_DOMAINS, "lamps"}
    assert {file: names & known for file, names in imported("helpers").items() if names & known} == {}


def test_every_folder_is_a_package() -> None:
    folders = {file.parent for file in TESTS.rglob("*.py")} - {TESTS}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []
