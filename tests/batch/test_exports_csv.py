"""The table of a run as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from batch.result_rows import row, unread
from solvent.batch.exports import HEADER, table_name, write_new_table, write_rows, write_table
from solvent.batch.records import ReadAs
from solvent.batch.rows import Row

RECORDED = (
    "status,expanded_states,runtime_seconds,macro_attempts,macro_successes,macro_failures,reverse_pruned,"
    "max_open_size,peak_memory,plan_length"
)
"""What every run records, in this order."""


pytestmark = pytest.mark.usefixtures("hostile_domain")


def written(*rows: Row) -> bytes:
    file = io.BytesIO()
    write_rows(rows, file)
    return file.getvalue()


def read(*rows: Row) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written(*rows).decode(), newline="")))


def test_the_layout():
    assert HEADER.decode().strip() == (
        f"instance,domain,question,{RECORDED},verdict,certified,form,reason,because,size,cpu_seconds,remarks,"
        "path,line,hash,solver"
    )
    assert written() == HEADER


def test_an_answer():
    stats = {
        "macro_attempts": 7,
        "macro_successes": 5,
        "macro_failures": 2,
        "reverse_pruned": 4,
        "max_open": 99,
        "other": {"deep": 1},
    }
    (cells,) = read(row(stats=stats, remarks=("One.", "Two."), line=3, because="So it is."))
    assert cells == {
        "instance": "a.txt",
        "domain": "hostile",
        "question": "solvable",
        "status": "PASS",
        "expanded_states": "12",
        "runtime_seconds": "0.25",
        "macro_attempts": "7",
        "macro_successes": "5",
        "macro_failures": "2",
        "reverse_pruned": "4",
        "max_open_size": "99",
        "peak_memory": "1.5",
        "plan_length": "3",
        "verdict": "YES",
        "certified": "yes",
        "form": "word",
        "reason": "",
        "because": "So it is.",
        "size": "9",
        "cpu_seconds": "0.125",
        "remarks": "One. Two.",
        "path": "a.txt",
        "line": "3",
        "hash": "f00d",
        "solver": "0.1.0+beef",
    }


def test_what_has_no_answer_says_why():
    broken, other, bug, bug_while_reading = read(
        unread(ReadAs.UNREADABLE, "a.txt, line 2: expected a number"),
        unread(ReadAs.UNRECOGNISED, "a.txt: expected an instance"),
        row(verdict=None, certified=False, error="Traceback (most recent call last):\nKeyError: 1\n"),
        unread(ReadAs.BUG, "Traceback (most recent call last):\nKeyError: 2\n"),
    )
    assert (broken["status"], broken["reason"], broken["runtime_seconds"], broken["certified"]) == (
        "ERROR",
        "line 2: expected a number",
        "",
        "",
    )
    assert (other["status"], other["reason"]) == ("", "expected an instance")
    assert (bug["status"], bug["reason"], bug["verdict"]) == ("ERROR", "bug: KeyError: 1", "")
    assert (bug_while_reading["status"], bug_while_reading["reason"]) == ("ERROR", "bug: KeyError: 2")


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x.txt", "@SUM(A1)", "\tx"])
def test_names_and_messages_are_no_formulas(name: str):
    (cells,) = read(row(name=name, path=name, because=name, remarks=(name,)))
    assert {cells["instance"], cells["path"], cells["because"], cells["remarks"]} == {f"'{name}"}


def test_a_spreadsheet_can_read_any_name():
    odd = 'a "quoted", name\nwith\r\nlines ä 日本 \udcff'
    (cells,) = read(row(name=odd))
    assert cells["instance"] == odd.replace("\udcff", "\\xff")
    assert b'"a ""quoted"", name\nwith\r\nlines' in written(row(name=odd))
    assert written(row()).endswith(b"\r\n")


def test_a_table_is_written_whole_or_not_at_all(tmp_path: Path):
    def failing() -> Iterator[Row]:
        yield row()
        raise OSError("the store is gone")

    target = tmp_path / "new" / "table.csv"
    write_table([row()], target)
    before = target.read_bytes()
    with pytest.raises(OSError, match="gone"):
        write_table(failing(), target)
    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def test_runs_that_end_at_the_same_moment_have_a_table_each(tmp_path: Path):
    target = tmp_path / "table.csv"
    others: list[Path] = []

    def meanwhile() -> Iterator[Row]:
        yield row(name="ours.txt")
        others.append(write_new_table([row(name="theirs.txt")], target))

    ours = write_new_table(meanwhile(), target)
    assert [ours, *others] == [tmp_path / "table_2.csv", target]
    assert (b"ours.txt" in ours.read_bytes(), b"theirs.txt" in target.read_bytes()) == (True, True)
    assert sorted(tmp_path.iterdir()) == sorted([ours, target, tmp_path / "site"])


def test_rows_are_written_as_they_come():
    file = io.BytesIO()
    sizes = []

    def rows() -> Iterator[Row]:
        for number in range(3):
            sizes.append(len(file.getvalue()))
            yield row(number=number)

    write_rows(rows(), file)
    assert sizes == sorted(set(sizes))  # each row is out before the next is asked for
    assert not file.closed


def test_the_name_says_when():
    assert table_name(0) == "validation_19700101T000000Z.csv"
