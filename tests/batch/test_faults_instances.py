"""Instances that hang, crash, eat memory or lie: each is recorded as what it is, and the others never notice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from batch.faults_command import Commands
from batch.faults_corpus import install_with_log, labelled, write_files
from batch.faults_store import contents, query

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes through /proc")

LIMITS = ("--nodes", "100", "--kill-above", "300")
"""Without a soft limit in time, which those who do nothing wrong might pass on a busy machine."""
LITTLE_TIME = ("--kill-after", "3")
"""Only for those who would take for ever: on a busy machine, others may need seconds to crash or to eat memory."""
NEIGHBOURS = [*labelled("yes", 20), *labelled("no", 5), *labelled("slow 0.05", 10)]


@dataclass(frozen=True)
class Expected:
    """How an instance is to be recorded."""

    verdict: str | None = None
    cause: str | None = None
    detail: str = ""
    """What the detail of the reason must match, all of it."""
    error: str = ""
    """What the traceback must hold."""
    read_as: str = "instance"
    message: str = ""
    """What the message must match, all of it."""


def killed(detail: str) -> Expected:
    return Expected("UNKNOWN", "KILLED", detail)


def died(detail: str) -> Expected:
    return killed(f"worker died twice: {detail}")


def bug(error: str) -> Expected:
    return Expected(error=error)


def unread(detail: str) -> Expected:
    return Expected(read_as="killed", message=rf"killed while reading \({detail}\)")


OVER_TIME = r"over [0-9.]+ s"
ENDLESS: Mapping[str, Expected] = {
    "HOSTILE loop": killed("over 3 s"),
    "HOSTILE read-loop": unread(OVER_TIME),
}
ALL_ENDLESS: Mapping[str, Expected] = {
    **ENDLESS,
    "HOSTILE gil": killed(OVER_TIME),
    "HOSTILE deaf": killed("over 3 s"),
    "HOSTILE check-loop": killed("over 3 s"),
    "HOSTILE read-gil": unread(OVER_TIME),
    "HOSTILE read-deaf": unread(OVER_TIME),
}
OTHERS: Mapping[str, Expected] = {
    "HOSTILE allocate": killed("over 300 MB"),
    "HOSTILE crash": died("SIGSEGV"),
    "HOSTILE exit 9": died("exit code 9"),
    "HOSTILE bug": bug("KeyError: 'a bug, on purpose'"),
    "HOSTILE lie": bug("UnsoundAnswer"),
    "HOSTILE check-crash": died("SIGSEGV"),
    "HOSTILE read-crash": unread("worker died twice: SIGSEGV"),
    "HOSTILE read-bug": Expected(read_as="bug", message="Traceback(?s:.*)KeyError(?s:.*)"),
    "HOSTILE dance": Expected(read_as="unreadable", message=".*expected a behaviour, found 'dance'"),
    "somebody's notes": Expected(read_as="unrecognised", message=".*"),
    "HOSTILE print": Expected("YES"),
    "HOSTILE stdin": Expected("YES"),
    "HOSTILE large 3000": Expected("YES"),
}
ALL_OTHERS: Mapping[str, Expected] = {
    **OTHERS,
    "HOSTILE allocate-gil": killed("over 300 MB"),
    "HOSTILE memory-error": killed("over 300 MB"),
    "HOSTILE hold 100": Expected("YES"),
    "HOSTILE abort": died("SIGABRT"),
    "HOSTILE kill": died("SIGKILL"),
    "HOSTILE sys-exit 5": died("exit code 5"),
    "HOSTILE unpicklable": bug("Unpicklable"),
    "HOSTILE recurse": bug("RecursionError"),
    "HOSTILE unknown": Expected("UNKNOWN", "INCOMPLETE", r".*told to.*"),
    "HOSTILE soft": Expected("UNKNOWN", "NODES", r".*100.*"),
    "HOSTILE check-allocate": killed("over 300 MB"),
    "HOSTILE check-bug": bug("KeyError"),
    "HOSTILE read-allocate": unread("over 300 MB"),
    "HOSTILE read-allocate-gil": unread("over 300 MB"),
    "HOSTILE read-exit 3": unread("worker died twice: exit code 3"),
    "HOSTILE read-kill": unread("worker died twice: SIGKILL"),
    "HOSTILE read-memory-error": unread("over 300 MB"),
    "HOSTILE read-recurse": Expected(read_as="unreadable", message="it is nested too deeply to be read"),
}


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    made = Commands(tmp_path, install_with_log(tmp_path, little_patience=True))
    yield made
    assert not made.processes()


@pytest.mark.parametrize(
    ("expected", "limits", "code"),
    [
        pytest.param(ENDLESS, LITTLE_TIME, 20, id="endless"),
        pytest.param(ALL_ENDLESS, LITTLE_TIME, 20, id="all endless", marks=pytest.mark.slow),
        pytest.param(OTHERS, (), 1, id="others"),  # a bug goes before everything else
        pytest.param(ALL_OTHERS, (), 1, id="all others", marks=pytest.mark.slow),
    ],
)
def test_each_is_recorded_as_what_it_is_and_takes_nobody_down(
    commands: Commands, expected: Mapping[str, Expected], limits: tuple[str, ...], code: int
) -> None:
    texts = [*NEIGHBOURS, *expected, *(f"{text}x" for text in NEIGHBOURS)]
    write_files(commands.folder / "levels", texts)
    ran = commands.run("levels", "--jobs", "2", *LIMITS, *limits, "--json", "--fail-on", "unknown,error")
    assert ran.code == code
    assert ran.out.startswith("{"), "what a solver prints does not end up among the answers"
    assert len(ran.out.splitlines()) == 1
    assert "Traceback" not in ran.err
    contents(commands.store)
    found = query(
        commands.store,
        "SELECT item.number, read_as, message, verdict, cause, detail, error, run_answer.answer FROM item"
        " LEFT JOIN run_answer ON run_answer.run = item.run AND run_answer.number = item.number"
        " LEFT JOIN answer ON answer.id = run_answer.answer ORDER BY item.number",
    )
    assert [number for number, *_ in found] == list(range(len(texts)))
    for text, (_, read_as, message, verdict, cause, detail, error, answer) in zip(texts, found, strict=True):
        wanted = expected.get(text) or Expected("NO" if " no " in text else "YES")
        assert (text, read_as, verdict, cause) == (text, wanted.read_as, wanted.verdict, wanted.cause)
        assert (text, answer is None) == (text, wanted.read_as != "instance")
        assert re.fullmatch(wanted.detail, detail or ""), (text, detail)
        assert re.fullmatch(wanted.message, message), (text, message)
        assert bool(error) == bool(wanted.error), (text, error)
        assert wanted.error in (error or ""), (text, error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        ("HOSTILE crash", "unknown", 20),
        ("HOSTILE crash", "fail,no,error", 0),
        ("HOSTILE crash", None, 0),
        ("HOSTILE read-crash", "error", 30),
        ("HOSTILE bug", None, 1),
    ],
)
def test_the_exit_code_tells_what_happened(commands: Commands, text: str, fail_on: str | None, code: int) -> None:
    write_files(commands.folder / "levels", [text, "HOSTILE yes"])
    words = () if fail_on is None else ("--fail-on", fail_on)
    assert commands.run("levels", "--jobs", "1", *LIMITS, *words).code == code


@pytest.mark.slow
def test_a_crowd_of_crashes_takes_nobody_down(commands: Commands) -> None:
    """Every worker dies again and again, whole batches with it, and still every answer is there."""
    texts = [f"HOSTILE {('crash', 'exit 3', 'yes')[number % 3]} #{number}" for number in range(45)]
    write_files(commands.folder / "levels", texts)
    assert commands.run("levels", "--jobs", "3", *LIMITS).code == 0
    verdicts = query(commands.store, "SELECT verdict, cause, count(*) FROM answer GROUP BY 1, 2 ORDER BY 1")
    assert verdicts == [("UNKNOWN", "KILLED", 30), ("YES", None, 15)]
