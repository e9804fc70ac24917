"""A limit is UNKNOWN in an answer and "not checked" in a check, wherever it is reached."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from template_domain.domain import DOMAIN as LAMPS
from template_domain.model import Grid

import solvent
from solvent import asking
from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Budget, Cancellation
from solvent.core.domain import Generator, Hints
from solvent.core.errors import GenerationFailed, LimitReached, NotChecked
from solvent.core.explanation import Explanation
from solvent.proof.certificate import make_certificate
from solvent.registry import get_domain

ONE_PRESS = Grid(1, 3, (False, False, False))
PLAN = make_certificate("lamps", "solvable", Verdict.YES, "plan", plan=["A2"])
YES = Finding(Verdict.YES, PLAN)
NO_ROOM = ImportError("/lib/solver.so: failed to map segment from shared object")
OUT_OF_TIME = Reason(Cause.TIME, "limit 1 s")


def raising(error: BaseException) -> Any:
    def work(*_: object) -> Any:
        raise error

    return work


@pytest.fixture
def lamps_with(monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(**slots: Any) -> None:
        domain = structs.replace(LAMPS, **slots)
        monkeypatch.setattr(asking, "domain_of", lambda problem: domain)
        monkeypatch.setattr(asking, "get_domain", lambda name: domain)

    return install


@pytest.mark.parametrize("slot", ["solve", "check"])
def test_a_module_that_is_missing_is_an_error(lamps_with: Any, slot: str):
    lamps_with(**{"solve": lambda problem, request: YES, slot: raising(ImportError("no module of that name"))})
    with pytest.raises(ImportError):
        asking.ask(ONE_PRESS)


@pytest.mark.parametrize("slot", ["solve", "check"])
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError(), Reason(Cause.MEMORY, "the machine has no more")),
        (MemoryError("a table of 9 GB"), Reason(Cause.MEMORY, "a table of 9 GB")),
        (NO_ROOM, Reason(Cause.MEMORY, f"no room for a module ({NO_ROOM})")),
        (LimitReached(OUT_OF_TIME), OUT_OF_TIME),
        (LimitReached(Reason(Cause.CANCELLED)), Reason(Cause.CANCELLED)),
    ],
)
def test_a_limit_in_solver_or_checker_is_unknown(lamps_with: Any, slot: str, error: Exception, reason: Reason):
    lamps_with(**{"solve": lambda problem, request: YES, slot: raising(error)})
    answer = asking.ask(ONE_PRESS)
    assert (answer.verdict, answer.reason, answer.certificate) == (Verdict.UNKNOWN, reason, None)


def test_a_check_uses_what_the_search_left_of_the_time(lamps_with: Any, monkeypatch: pytest.MonkeyPatch):
    """The clock of the whole question runs on: a check that would begin after the end does not begin."""
    now = 100.0
    monkeypatch.setattr("solvent.core.budget.time.monotonic", lambda: now)

    def solve_slowly(problem: Grid, request: Any) -> Finding:
        nonlocal now
        now += 1.5
        return YES

    lamps_with(solve=solve_slowly)
    assert asking.ask(ONE_PRESS, budget=Budget(seconds=2)).verdict is Verdict.YES
    answer = asking.ask(ONE_PRESS, budget=Budget(seconds=1))
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, OUT_OF_TIME)


@pytest.mark.parametrize("error", [MemoryError(), LimitReached(OUT_OF_TIME)])
def test_hints_explanations_and_generators_say_which_limit(lamps_with: Any, error: Exception):
    cause = Cause.MEMORY if isinstance(error, MemoryError) else Cause.TIME
    lamps_with(
        hints=Hints(find=raising(error)),
        explain=raising(error),
        generator=Generator(make=raising(error), options=()),
    )
    for work in (
        lambda: list(asking.hints(ONE_PRESS)),
        lambda: asking.explain(ONE_PRESS),
    ):
        with pytest.raises(LimitReached) as caught:
            work()
        assert caught.value.reason.cause is cause
    with pytest.raises(GenerationFailed, match=f"lamps, seed 0: nothing was made: out of {cause.name.lower()}"):
        asking.generate("lamps")


def test_what_an_explanation_rests_on_is_checked_within_the_limits(lamps_with: Any):
    explanation = Explanation((("Press", ("the middle",)),), certificates=((ONE_PRESS, PLAN),))
    lamps_with(explain=lambda problem, request: explanation)
    assert asking.explain(ONE_PRESS).certificates
    with pytest.raises(LimitReached, match="out of time") as caught:
        asking.explain(ONE_PRESS, budget=Budget(seconds=0))
    assert type(caught.value) is LimitReached


def test_a_check_that_is_cut_short_neither_accepts_nor_rejects():
    wrong = {**PLAN, "plan": ["A1"]}
    for certificate in (PLAN, wrong):
        with pytest.raises(NotChecked, match=r"not checked: out of time \(limit 0 s\)") as caught:
            solvent.check(ONE_PRESS, certificate, seconds=0)
        assert caught.value.reason.cause is Cause.TIME
        cancelled = Cancellation()
        cancelled.cancel()
        with pytest.raises(NotChecked, match="cancelled"):
            solvent.check(ONE_PRESS, certificate, cancellation=cancelled)
    solvent.check(ONE_PRESS, PLAN, seconds=60, megabytes=1000)
    with pytest.raises(solvent.CertificateRejected):
        solvent.check(ONE_PRESS, wrong, seconds=60)


@pytest.fixture(autouse=True)
def _lamps_are_known(lamps_with: Any) -> None:
    lamps_with()


HUGE = 10**5000
UNWRITABLE = {
    "huge": HUGE,
    "negative": -HUGE,
    "in a list": [HUGE],
    "deep": {"deep": [HUGE]},
    "object": object(),
    "no text": "\ud800",
}


@pytest.mark.parametrize("value", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_what_no_file_could_hold_is_a_reason_to_reject(value: object):
    for certificate in ({**PLAN, "plan": value}, {**PLAN, "remark": value}):
        found = asking.find_violations(LAMPS, ONE_PRESS, certificate)
        assert len(found) == 1
        assert found[0].startswith("expected values that JSON can hold")


@pytest.mark.parametrize("key", ["solvent", "domain", "question", "verdict", "form"])
@pytest.mark.parametrize("value", [*UNWRITABLE.values(), 1.0, True, None, "1", [1]], ids=lambda value: type(value))
def test_an_envelope_of_anything_is_a_reason_to_reject(key: str, value: object):
    assert asking.find_violations(LAMPS, ONE_PRESS, {**PLAN, key: value}) != []


def test_a_list_within_itself_is_a_reason_to_reject():
    endless: list[object] = []
    endless.append(endless)
    assert asking.find_violations(LAMPS, ONE_PRESS, {**PLAN, "plan": endless}) != []


def test_every_domain_takes_a_meter():
    """A limit that is over before anything begins ends every check of every domain."""
    over = Budget(seconds=0).start()
    for name in solvent.domains():
        example = solvent.examples(name)[0]
        problem = solvent.parse(example.text, domain=name)
        domain = get_domain(name)
        answer = domain.solve(problem, asking.make_request(domain, None, options={}))
        assert answer.certificate is not None
        with pytest.raises(NotChecked):
            asking.find_violations(domain, problem, answer.certificate, over)
        with pytest.raises(LimitReached):
            domain.check(problem, answer.certificate, over)
