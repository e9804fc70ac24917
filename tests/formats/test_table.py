"""A table of formats: the first row that knows a text reads it, rows are imported late, and all rows are whole."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from solvent.core.errors import BadOption, ParseError
from solvent.formats.table import Format, FormatTable
from solvent.registry import BUILTIN_DOMAINS

TABLES: dict[str, FormatTable[Any]] = {
    name: import_module(f"solvent.{name}.formats").FORMATS for name in BUILTIN_DOMAINS
}

UPPER = Format("upper", "large letters", str.isupper, parse="test_table:parse_upper", format="test_table:format_upper")
LOWER = Format(
    "lower",
    "small letters",
    str.islower,
    parse="test_table:parse_lower",
    format="test_table:format_upper",
    needs_path=True,
)


def parse_upper(text: str) -> str:
    return text.lower()


def format_upper(problem: str) -> str:
    return problem.upper()


def parse_lower(text: str, path: Path | None) -> tuple[str, Path | None]:
    return text, path


def table(**settings: Any) -> FormatTable[Any]:
    return FormatTable("formats", (UPPER, LOWER), **settings)


def test_the_first_row_that_knows_a_text_reads_it():
    assert table().find("AB") == "upper"
    assert table().parse("AB") == "ab"
    assert table().parse("ab", "x.txt") == ("ab", Path("x.txt"))
    assert table().parse("ab") == ("ab", None)
    assert table().format("ab", "upper") == "AB"
    assert dict(table().descriptions) == {"upper": "large letters", "lower": "small letters"}


def test_a_text_that_no_row_knows():
    assert not table().sniff("12\n34")
    with pytest.raises(ParseError, match=r"line 1: expected letters, found '12'"):
        table(expected="letters").parse("12\n34")
    assert table(otherwise="upper").parse("12") == "12"
    assert table(opening=lambda text: text[:1]).find("A1b") == "upper"


def test_a_text_that_is_recognised_and_then_read_is_looked_at_once():
    looked = []
    asked = table(opening=lambda text: looked.append(text) or text)
    text, other = "A" * 10, "B" * 200_000
    assert asked.sniff(text)
    assert asked.parse(text) == "a" * 10
    assert looked == [text]
    assert asked.find("12") is None
    assert asked.find(text) == asked.find(other) == "upper"
    assert asked.find(other) == "upper"  # too long to be kept
    assert looked == [text, "12", text, other, other]


def test_a_format_that_there_is_not():
    with pytest.raises(BadOption, match="unknown format 'morse'; there are: upper, lower"):
        table().format("ab", "morse")


@pytest.mark.parametrize(("domain", "name"), [(domain, name) for domain in TABLES for name in TABLES[domain].rows])
def test_every_row_names_functions_that_there_are(domain: str, name: str):
    row = TABLES[domain].rows[name]
    parse, format = TABLES[domain].function(row.parse), TABLES[domain].function(row.format)
    required = [each for each in inspect.signature(parse).parameters.values() if each.default is each.empty]
    assert len(required) == (2 if row.needs_path else 1)
    assert len(inspect.signature(format).parameters) == 1
    assert parse.__doc__
    assert format.__doc__


@pytest.mark.parametrize("domain", TABLES)
def test_a_table_imports_no_reader(domain: str):
    code = f"import sys, solvent.{domain}.formats; print([name for name in sys.modules if '.notation' in name])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
