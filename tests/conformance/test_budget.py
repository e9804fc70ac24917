"""A search that is cut short says UNKNOWN and why; it never says what it did not find out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import solvent
from conformance.cases import GENEROUS_NODES, answer_of
from helpers.examples import examples_of, load_example
from solvent import asking
from solvent.core.answer import Answer, Cause, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import GenerationFailed
from solvent.core.events import Event
from solvent.core.examples import Example


def cancelled() -> solvent.Cancellation:
    cancellation = solvent.Cancellation()
    cancellation.cancel()
    return cancellation


def assert_stopped_or_right(answers: list[tuple[Answer, Verdict]], cause: Cause) -> None:
    """Check that each answer is right or stopped for this cause, and that at least one was stopped."""
    stopped = 0
    for answer, expected in answers:
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None
            assert answer.reason.cause is cause
            assert answer.certificate is None
            stopped += 1
        else:
            assert answer.verdict is expected
            assert answer.certified
    assert stopped, "no example needs any work: bundle one that does"


def ask_all(domain: Domain, **limits) -> list[tuple[Answer, Verdict]]:
    return [
        (solvent.ask(load_example(domain.name, example.name), question, **limits), example.expected[question])
        for example in examples_of(domain.name)
        for question in domain.questions
    ]


def test_cancelled_before_the_start_is_unknown(domain: Domain):
    assert_stopped_or_right(ask_all(domain, cancellation=cancelled()), Cause.CANCELLED)


def test_no_nodes_is_unknown(domain: Domain):
    assert_stopped_or_right(ask_all(domain, nodes=0), Cause.NODES)


def test_no_time_is_unknown(domain: Domain):
    assert_stopped_or_right(ask_all(domain, seconds=0), Cause.TIME)


@pytest.mark.parametrize("nodes", [1, 2, 7, 50, 1000])
def test_few_nodes_never_turn_an_answer_round(domain: Domain, nodes: int):
    for answer, expected in ask_all(domain, nodes=nodes):
        assert answer.verdict in (expected, Verdict.UNKNOWN)


def test_cancelling_from_the_listener_stops_or_finishes(name: str, example: Example, question: str):
    cancellation = solvent.Cancellation()

    def cancel_at_the_first_news(event: Event) -> None:
        cancellation.cancel()

    answer = solvent.ask(
        load_example(name, example.name),
        question,
        nodes=GENEROUS_NODES,
        cancellation=cancellation,
        listen=cancel_at_the_first_news,
    )
    assert answer.verdict in (example.expected[question], Verdict.UNKNOWN)
    if answer.verdict is Verdict.UNKNOWN:
        assert answer.reason is not None
        assert answer.reason.cause is Cause.CANCELLED


def test_eight_threads_answer_as_one_does(domain: Domain):
    asked = [(example, question) for example in examples_of(domain.name) for question in domain.questions]
    alone = [answer_of(domain.name, example.name, question) for example, question in asked]

    def ask(case: tuple[Example, str]) -> Answer:
        example, question = case
        return solvent.ask(load_example(domain.name, example.name), question, nodes=GENEROUS_NODES)

    with ThreadPoolExecutor(max_workers=8) as pool:
        together = list(pool.map(ask, asked))
    assert [answer.verdict for answer in together] == [answer.verdict for answer in alone]
    assert [answer.certificate for answer in together] == [answer.certificate for answer in alone]


def test_asking_leaves_the_problem_as_it_was(name: str, example: Example, question: str):
    problem = load_example(name, example.name)
    before = repr(problem)
    answer_of(name, example.name, question)
    assert repr(problem) == before


def test_a_generator_that_is_cut_short_makes_nothing(domain: Domain):
    if domain.generator is None:
        pytest.skip(f"{domain.name} has no generator")
    with pytest.raises(GenerationFailed, match="nothing was made: out of time"):
        solvent.generate(domain.name, seconds=0)
    with pytest.raises(GenerationFailed, match="nothing was made: cancelled"):
        asking.generate(domain.name, budget=Budget(cancellation=cancelled()))


def test_limits_never_change_what_is_made(domain: Domain):
    if domain.generator is None:
        pytest.skip(f"{domain.name} has no generator")
    made = solvent.generate(domain.name, seed=3)
    assert solvent.generate(domain.name, seed=3, seconds=600, nodes=GENEROUS_NODES, megabytes=4000) == made
    for nodes in (0, 10, 100, 1_000, 10_000):
        try:
            assert solvent.generate(domain.name, seed=3, nodes=nodes) == made
        except GenerationFailed as failure:
            assert "out of nodes" in str(failure)  # noqa: PT017 (either may happen)
