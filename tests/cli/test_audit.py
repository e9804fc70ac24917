"""`solvent audit`: built-in tests and the user's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from cli import coins
from helpers.command import Ran, Run
from solvent.core.errors import BadOption
from solvent.core.trial import AuditScope

MINE = '''
"""Tests of a user."""

def broke(purse):
    """An empty purse pays nothing but nothing."""
    return not purse.coins and purse.pay > 0

def silent(purse):
    return purse.pay == 1

class Greedy:
    name = "greedy"
    reason = "Whoever has a 4 keeps it."
    def is_invalid(self, purse, /):
        return 4 in purse.coins

greedy = Greedy()
number = 3

class Nameless:
    def is_invalid(self, purse, /):
        return False
'''


@pytest.fixture(autouse=True)
def _a_module_of_the_user() -> Iterator[None]:
    Path("mine.py").write_text(MINE)
    path = list(sys.path)
    yield
    sys.path[:] = path
    sys.modules.pop("mine", None)


def test_a_sound_test_survives(run: Run) -> None:
    ran = run("audit", "too-poor", "--most", "2")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["amounts", "up", "to", "9", "33", "0", "68.4%", "of", "57"] in rows
    assert "No counterexample: too-poor stayed silent on all 39 solvable instances" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_an_unsound_test_is_caught_with_the_first_counterexample(run: Run) -> None:
    ran = run("audit", "odd-amount")
    assert ran.code == 10
    assert "Not sound: odd-amount fired on " in ran.out
    assert ran.out.endswith("The first:\n\n  COINS 1\n  PAY 1\n")


def test_an_audit_as_json(run: Run) -> None:
    ran = run("audit", "odd-amount", "--json", "--most=1")
    told = json.loads(ran.out)
    assert (ran.code, told["test"], told["domain"], told["counterexample_found"]) == (10, "odd-amount", "coins", True)
    [scope] = told["scopes"]
    assert (scope["examined"], scope["false_positives"], scope["unsolvable"], scope["caught"]) == (6, 1, 24, 14)


@pytest.mark.parametrize(
    ("place", "code", "told"),
    [
        ("mine:broke", 0, "broke: An empty purse pays nothing but nothing."),
        ("mine:silent", 10, "silent: no reason given"),
        ("mine:Greedy", 10, "greedy: Whoever has a 4 keeps it."),
        ("mine:greedy", 10, "greedy: Whoever has a 4 keeps it."),
    ],
)
def test_a_test_of_the_user(run: Run, place: str, code: int, told: str) -> None:
    ran = run("audit", place, "--as", "coins", "--most", "1", "--path", ".")
    assert (ran.code, ran.err) == (code, "")
    assert ran.out.startswith(told)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mine:nothing"], "mine has no 'nothing'"),
        (["gone:broke"], "no module named 'gone' is installed"),
        (["mine:number"], "expected a function or an object with is_invalid(state), found 3"),
        (["mine:Nameless"], "expected an invalidity test with the text name and reason"),
        ([":broke"], "expected MODULE:OBJECT, found ':broke'"),
        (["too-rich"], "unknown invalidity test 'too-rich'; there are: too-poor, odd-amount"),
        (["too-poor", "--as", "notes"], "unknown domain 'notes'"),
        (["too-poor", "--most", "9"], "most: expected at most 5, found 9"),
        ([], "missing argument 'TEST'"),
    ],
)
def test_audit_usage_errors(run: Run, words: list[str], told: str) -> None:
    ran = run("audit", *words, "--path", ".")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_a_trial_that_cannot_begin_leaves_standard_output_empty(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def audit(*_: object) -> Iterator[AuditScope]:
        raise BadOption("the purses are too large to go through")
        yield

    broken = structs.replace(coins.DOMAIN, audit=structs.replace(coins.DOMAIN.audit, run=audit))
    monkeypatch.setattr(coins, "DOMAIN", broken)
    assert run("audit", "too-poor") == Ran(2, "", "solvent: the purses are too large to go through\n")


def test_what_the_users_module_fails_to_import_is_not_blamed_on_its_name(run: Run) -> None:
    Path("needy.py").write_text("import no_such_thing_anywhere\n")
    told = "needy cannot be imported: ModuleNotFoundError: No module named 'no_such_thing_anywhere' (needy.py, line 1)"
    assert run("audit", "needy:test", "--path", ".") == Ran(2, "", f"solvent: {told}\n")


def test_the_current_folder_is_not_looked_in_unasked(run: Run) -> None:
    Path("mine.py").write_text("raise SystemExit('this must not run')")
    path = list(sys.path)
    assert run("audit", "mine:broke") == Ran(
        2,
        "",
        "solvent: no module named 'mine' is installed; --path FOLDER says where else to look"
        " (there is one here: --path .)\n",
    )
    assert run("audit", "gone:broke").err.endswith("--path FOLDER says where else to look\n")
    assert sys.path == path


@pytest.mark.parametrize("words", [(), ("--path", ".")])
def test_nothing_here_takes_the_place_of_what_is_installed(run: Run, words: tuple[str, ...]) -> None:
    """`sched` is a module of the standard library that nothing has imported yet; so may be any that a solver needs."""
    assert "sched" not in sys.modules
    Path("sched.py").write_text("raise SystemExit('this must not run')")
    Path("mine.py").write_text("import sched\n\n\ndef broke(purse):\n    return sched.Event is None\n")
    try:
        ran = run("audit", "sched:scheduler", "--as", "coins", *words)
        assert ran.code == 2
        if words:
            assert "which comes before" in ran.err
            assert str(Path("sched.py").absolute()) in ran.err
            assert run("audit", "mine:broke", "--as", "coins", "--most", "1", *words).code == 0
        assert Path(sys.modules["sched"].__file__ or "").parent != Path.cwd()
    finally:
        sys.modules.pop("sched", None)


def test_a_package_in_another_folder(run: Run) -> None:
    package = Path("elsewhere/parcel")
    package.mkdir(parents=True)
    (package / "inner.py").write_text(MINE)
    try:
        assert run("audit", "parcel.inner:broke", "--as", "coins", "--most", "1", "--path", "elsewhere").code == 0
    finally:
        for name in ("parcel", "parcel.inner"):
            sys.modules.pop(name, None)


def test_a_folder_that_is_not_there(run: Run) -> None:
    ran = run("audit", "mine:broke", "--path", "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert f"there is no folder {Path('nowhere').absolute()}" in ran.err
