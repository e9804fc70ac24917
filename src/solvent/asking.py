"""Solve, then check: the only public way to an Answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from solvent.core.answer import Answer, Certificate, Finding, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Hint, Hinting, Request, settle_options
from solvent.core.errors import BadOption, CertificateRejected, UnsoundAnswer, unknown_name
from solvent.core.events import Listener, ignore
from solvent.engine.compiling import tell_when_compiling
from solvent.proof.certificate import envelope_violations
from solvent.registry import domain_of


def ask(
    problem: Any,
    question: str | None = None,
    *,
    budget: Budget | None = None,
    proof: bool = True,
    listen: Listener = ignore,
    **options: Any,
) -> Answer:
    """Answer a question about a problem; without a name, the domain's first question.

    A YES or NO is returned only after the domain's checker accepted its certificate. With `proof=False` a NO may come
    without one, and the answer then says so (`certified` is False). Whatever a budget cuts short is UNKNOWN.
    """
    began = time.perf_counter()
    domain = domain_of(problem)
    request = make_request(domain, question, budget=budget, proof=proof, listen=listen, **options)
    with tell_when_compiling(listen):
        finding = domain.solve(problem, request)
        _insist(domain, problem, request, finding)
    return Answer(
        domain=domain.name,
        question=request.question,
        verdict=finding.verdict,
        certificate=finding.certificate,
        reason=finding.reason,
        stats=finding.stats,
        seconds=time.perf_counter() - began,
        because=finding.because,
    )


def check(problem: Any, certificate: Certificate) -> None:
    """Raise CertificateRejected, listing every violation, unless the certificate proves what it claims."""
    violations = find_violations(domain_of(problem), problem, certificate)
    if violations:
        raise CertificateRejected(violations)


def hints(problem: Any, *, budget: Budget | None = None, listen: Listener = ignore, **options: Any) -> Iterator[Hint]:
    """Return the next steps from here, one by one; each certificate a hint rests on has been checked."""
    domain = domain_of(problem)
    if not isinstance(domain, Hinting):
        raise BadOption(f"{domain.name} has no hints")
    request = make_request(domain, None, budget=budget, listen=listen, **options)
    return _checked_hints(domain, problem, domain.hints(problem, request), listen)


def _checked_hints(domain: Domain, problem: Any, steps: Iterator[Hint], listen: Listener) -> Iterator[Hint]:
    while True:
        with tell_when_compiling(listen):  # not around the yield: the listener is ours only while we work
            hint = next(steps, None)
            if hint is None:
                return
            _insist_on_hint(domain, problem, hint)
        yield hint


def _insist_on_hint(domain: Domain, problem: Any, hint: Hint) -> None:
    """Raise UnsoundAnswer unless the hint rests on a certificate where it has to, and on one that says the same."""
    claim = f"{domain.name}: the hint {hint.caption!r}"
    if hint.certificate is None:
        if hint.lost:
            raise UnsoundAnswer(f"{claim} says that all is lost, without a certificate")
        return
    violations = find_violations(domain, problem, hint.certificate)
    if violations:
        raise UnsoundAnswer(f"{claim} has a certificate that was rejected: {'; '.join(violations)}")
    if hint.lost and hint.certificate["verdict"] != Verdict.NO.value:
        raise UnsoundAnswer(f"{claim} says that all is lost, but its certificate does not")


def make_request(
    domain: Domain,
    question: str | None,
    *,
    budget: Budget | None = None,
    proof: bool = True,
    listen: Listener = ignore,
    **options: Any,
) -> Request:
    """Settle the question and the options, or raise BadOption."""
    if question is None:
        question = next(iter(domain.questions))
    elif question not in domain.questions:
        raise unknown_name(f"{domain.name} question", question, domain.questions)
    return Request(
        question=question,
        budget=budget or Budget(),
        proof=proof,
        options=settle_options(domain.solve_options, options),
        listen=listen,
    )


def find_violations(domain: Domain, problem: Any, certificate: object) -> list[str]:
    """Return every reason not to accept the certificate; malformed data is a reason, never a crash."""
    violations = envelope_violations(certificate, domain=domain.name, questions=domain.questions)
    if violations:
        return violations
    import msgspec

    try:
        return domain.check(problem, certificate)  # type: ignore[arg-type]  # the envelope is a mapping
    except msgspec.ValidationError as error:
        return [f"the certificate is malformed: {error}"]


def _insist(domain: Domain, problem: Any, request: Request, finding: Finding) -> None:
    """Raise UnsoundAnswer unless the finding is what its verdict promises."""
    claim = f"{domain.name} claims {request.question}: {finding.verdict}"
    if finding.verdict is Verdict.UNKNOWN:
        if finding.reason is None:
            raise UnsoundAnswer(f"{claim} without a reason")
        return
    if finding.certificate is None:
        if finding.verdict is Verdict.NO and not request.proof:
            return
        raise UnsoundAnswer(f"{claim} without a certificate")
    violations = find_violations(domain, problem, finding.certificate)
    if not violations:
        for key, expected in (("question", request.question), ("verdict", finding.verdict.value)):
            if finding.certificate[key] != expected:
                violations.append(f"its certificate is for {key} {finding.certificate[key]!r}")
    if violations:
        raise UnsoundAnswer(f"{claim}, but the checker does not accept it: {'; '.join(violations)}")
