"""What a result comes to, and the sums."""

from __future__ import annotations

import pytest

from batch.result_rows import not_validated, row, unread, validated
from solvent.batch.records import ReadAs
from solvent.batch.rows import Row, report_columns_by_name, status_of_verdict
from solvent.batch.summary import Summary
from solvent.core.answer import Verdict
from solvent.core.domain import ReportColumns
from solvent.registry import all_domains

TRACEBACK = "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'why'\n"


pytestmark = pytest.mark.usefixtures("hostile_domain")


@pytest.mark.parametrize(
    ("row", "status", "reason"),
    [
        (row(), "PASS", ""),
        (row(verdict="NO", because="It says no."), "FAIL", ""),
        (row(verdict="UNKNOWN", cause="TIME", detail="limit 5 s"), "UNKNOWN", "out of time (limit 5 s)"),
        (row(verdict="UNKNOWN", cause="KILLED", detail="over 9 MB"), "UNKNOWN", "killed (over 9 MB)"),
        (row(verdict=None, error=TRACEBACK), "ERROR", "bug: KeyError: 'why'"),
        (
            row(verdict=None, error="solver: expected one of a, b, found 'c'"),
            "ERROR",
            "solver: expected one of a, b, found 'c'",
        ),
        (row(question=None, answer=None, verdict=None), None, "nothing was asked"),
        (unread(ReadAs.UNRECOGNISED, "a.txt: expected an instance"), None, "expected an instance"),
        (unread(ReadAs.UNREADABLE, "a.txt, line 3: expected\n a number"), "ERROR", "line 3: expected a number"),
        (unread(ReadAs.KILLED, "killed while reading (over 60 s)"), "ERROR", "killed while reading (over 60 s)"),
        (unread(ReadAs.BUG, TRACEBACK), "ERROR", "bug: KeyError: 'why'"),
        (unread(ReadAs.BUG, "no traceback at all"), "ERROR", "bug: no traceback at all"),
    ],
)
def test_status_and_reason_of_a_row(row: Row, status: str | None, reason: str):
    assert row.status == status
    assert row.reason == reason


CHAINED = """Traceback (most recent call last):
  File "a.py", line 1, in first
    raise ValueError("first")
ValueError: first

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in second
    raise OddError(many)
          ^^^^^^^^^^^^^^
a.OddError: the second
    goes on

for some lines
"""


def test_a_bug_is_told_by_the_line_that_names_the_last_exception():
    for found in (row(verdict=None, error=CHAINED), unread(ReadAs.BUG, CHAINED)):
        assert found.reason == "bug: a.OddError: the second"


def test_only_a_bug_has_a_traceback():
    assert row(verdict=None, error=TRACEBACK).traceback == TRACEBACK
    assert unread(ReadAs.BUG, TRACEBACK).traceback == TRACEBACK
    assert not_validated(ReadAs.BUG, TRACEBACK).row.traceback == TRACEBACK
    for other in (row(), row(verdict=None, error="solver: no"), unread(ReadAs.UNREADABLE, TRACEBACK)):
        assert other.traceback == ""


def test_what_passes_is_for_the_question_to_say():
    for domain in all_domains():
        for question in domain.questions:
            passing = domain.questions[question].passing_verdict
            other = Verdict.NO if passing is Verdict.YES else Verdict.YES
            assert status_of_verdict(domain.name, question, passing.value) == "PASS"
            assert status_of_verdict(domain.name, question, other.value) == "FAIL"
    passing = {question.passing_verdict for domain in all_domains() for question in domain.questions.values()}
    assert passing == {Verdict.YES, Verdict.NO}


def test_a_domain_that_is_gone_is_judged_like_most():
    assert report_columns_by_name("gone") == ReportColumns()
    assert status_of_verdict("gone", "whatever", "YES") == "PASS"


def test_a_result_that_has_just_come_is_judged_like_its_row():
    assert validated("NO").row.status == "FAIL"
    assert validated("UNKNOWN", cause="INCOMPLETE").row.reason == "incomplete"
    assert validated(None, error=TRACEBACK).row.status == "ERROR"
    assert not_validated(ReadAs.UNRECOGNISED).row.status is None
    assert not_validated(ReadAs.UNREADABLE, "broken").row.status == "ERROR"


def test_a_bug_of_the_reader_counts_as_any_other():
    summary = Summary()
    summary.add(not_validated(ReadAs.BUG, TRACEBACK, name="first.txt"))
    summary.add(validated(None, error=TRACEBACK, name="second.txt"))
    assert (summary.bugs, summary.first_bug, summary.unreadable) == (2, "first.txt", 0)


def test_a_summary_counts_every_result():
    summary = Summary()
    for result in (
        validated("YES", seconds=1.5),
        validated("YES", seconds=0.5, known=True, proved=False),
        validated("NO"),
        validated("YES", question="unique"),
        validated("UNKNOWN", cause="TIME"),
        validated("UNKNOWN", cause="KILLED"),
        validated(None, error=TRACEBACK, name="first.txt"),
        validated(None, error=TRACEBACK, name="second.txt"),
        validated(None, error="solver: no such thing", name="zeroth.txt", question="unique"),
        not_validated(ReadAs.INSTANCE),
        not_validated(ReadAs.UNRECOGNISED),
        not_validated(ReadAs.UNREADABLE),
        not_validated(ReadAs.KILLED),
        not_validated(ReadAs.BUG, TRACEBACK, name="third.txt"),
    ):
        summary.add(result)
    assert summary.first_bug == "first.txt"
    assert [summary.verdicts(word) for word in ("YES", "NO", "UNKNOWN")] == [3, 1, 2]
    assert [summary.statuses(word) for word in ("PASS", "FAIL", "UNKNOWN", "ERROR")] == [3, 1, 2, 6]
    assert summary.as_json() == {
        "answered": 9,
        "known": 1,
        "unrecognised": 1,
        "suspect": 1,
        "unreadable": 2,
        "bugs": 3,
        "bugs_while_reading": 1,
        "not_asked": {"hostile": 1},
        "answers": [
            {
                "domain": "hostile",
                "question": "solvable",
                "answers": 7,
                "YES": 2,
                "NO": 1,
                "UNKNOWN": 2,
                "PASS": 2,
                "FAIL": 1,
                "ERROR": 2,
                "uncertified": 1,
                "killed": 1,
                "known": 1,
                "seconds": 2.0,
            },
            {
                "domain": "hostile",
                "question": "unique",
                "answers": 2,
                "YES": 1,
                "NO": 0,
                "UNKNOWN": 0,
                "PASS": 1,
                "FAIL": 0,
                "ERROR": 1,
                "uncertified": 0,
                "killed": 0,
                "known": 0,
                "seconds": 0.0,
            },
        ],
    }
