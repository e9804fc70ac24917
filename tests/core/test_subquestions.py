"""Many questions out of one budget."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Request
from solvent.core.events import Event, Kind
from solvent.core.subquestions import SubQuestions


class Solver:
    """Spend as many nodes as the problem says, or stop at the limit; note every request."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def __call__(self, problem: int, request: Request) -> Finding:
        self.requests.append(request)
        meter = request.budget.start()
        left = meter.nodes_left
        if problem < 0:
            return Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, "gave up"))
        meter.spend(problem if left is None else min(problem, left))
        stats = {"nodes": meter.nodes}
        if left is not None and problem > left:
            return Finding(Verdict.UNKNOWN, reason=meter.stop_reason(), stats=stats)
        return Finding(Verdict.YES, {}, stats=stats)


def make(budget: Budget, **given: Any) -> tuple[Solver, SubQuestions[int]]:
    solver = Solver()
    request = Request("whole", budget, **given)
    return solver, SubQuestions(request, solver, options={"seed": 1}, spent=lambda finding: finding.stats["nodes"])


def test_each_question_gets_what_the_others_left():
    solver, questions = make(Budget(nodes=100))
    assert questions.ask(30, "one").verdict is Verdict.YES
    assert questions.ask(20, "other", proof=False, seed=2).verdict is Verdict.YES
    first, second = solver.requests
    assert (first.question, first.budget.nodes, first.proof, first.options) == ("one", 100, True, {"seed": 1})
    assert (second.question, second.budget.nodes, second.proof, second.options) == ("other", 70, False, {"seed": 2})
    assert questions.meter.nodes == 50
    assert not questions.is_spent()


def test_the_first_reason_is_kept_and_names_the_limit_that_was_given():
    _, questions = make(Budget(nodes=100))
    questions.ask(70, "one")
    assert questions.ask(40, "other").reason == Reason(Cause.NODES, "limit 100")
    assert questions.is_spent()
    assert questions.reason == Reason(Cause.NODES, "limit 100")


def test_a_question_with_a_limit_of_its_own_ends_nothing():
    _, questions = make(Budget(nodes=100))
    assert questions.ask(40, "one", nodes=10).reason == Reason(Cause.NODES, "limit 10")
    assert not questions.is_spent()
    assert questions.meter.nodes == 10


def test_a_solver_that_gives_up_ends_nothing():
    solver = Solver()
    questions = SubQuestions(Request("whole"), solver, options={}, spent=lambda _: 0)
    assert questions.ask(-1, "one").reason == Reason(Cause.INCOMPLETE, "gave up")
    assert not questions.is_spent()


def test_what_is_done_is_announced():
    heard: list[Event] = []
    _, questions = make(Budget(), listen=heard.append)
    questions.announce("looking")
    questions.announce("trying", 3)
    assert [(event.kind, event.message, event.nodes) for event in heard] == [
        (Kind.STAGE, "looking", 0),
        (Kind.PROGRESS, "trying", 3),
    ]
