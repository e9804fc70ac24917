"""Solve, then check: the only public way to an Answer."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from solvent.core.answer import Answer, Cause, Certificate, Finding, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import (
    Domain,
    Explaining,
    Exporting,
    Generating,
    Hinting,
    Request,
    StepByStep,
    hint_options,
    resolve_options,
    verdicts_without_proof,
)
from solvent.core.errors import BadOption, CertificateRejected, GenerationFailed, UnsoundAnswer, unknown_name
from solvent.core.events import Listener, ignore
from solvent.proof.certificate import envelope_violations
from solvent.registry import domain_of, get_domain

if TYPE_CHECKING:
    from solvent.core.explanation import Explanation
    from solvent.core.hints import Hint

NO_LIMIT = Budget()
limits = Budget
"""How to say what a question may cost, for those who import nothing else."""


def ask(
    problem: Any,
    question: str | None = None,
    *,
    budget: Budget | None = None,
    proof: bool = True,
    listen: Listener | None = None,
    **options: Any,
) -> Answer:
    """Answer a question about a problem; without a name, the domain's first question.

    A YES or NO is returned only after the domain's checker accepted its certificate. With `proof=False` a verdict that
    rests on an exhaustive search may come without one, and the answer then says so (`certified` is False). Whatever a
    budget cuts short is UNKNOWN.
    """
    began = time.perf_counter()
    listen = listen or ignore
    domain = domain_of(problem)
    request = make_request(domain, question, budget, proof, listen, options)
    finding = domain.solve(problem, request)
    _require_certified(domain, problem, request, finding)
    return Answer(
        domain.name,
        request.question,
        finding.verdict,
        finding.certificate,
        finding.reason,
        finding.stats,
        time.perf_counter() - began,
        finding.because,
    )


def check(problem: Any, certificate: Certificate) -> None:
    """Raise CertificateRejected, listing every violation, unless the certificate proves what it claims."""
    violations = find_violations(domain_of(problem), problem, certificate)
    if violations:
        raise CertificateRejected(violations)


def hints(
    problem: Any, *, budget: Budget | None = None, listen: Listener | None = None, path: bool = False, **options: Any
) -> Iterator[Hint]:
    """Return the next steps from here, one by one; each certificate a hint rests on has been checked.

    With `path`, each step comes with all it proves, where a domain makes that difference.
    """
    listen = listen or ignore
    domain = domain_of(problem)
    if not isinstance(domain, Hinting):
        raise BadOption(f"{domain.name} has no hints")
    request = Request(
        question=next(iter(domain.questions)),
        budget=budget or NO_LIMIT,
        options=resolve_options(hint_options(domain), options),
        listen=listen,
        path=path,
    )
    return _checked_hints(domain, problem, domain.hints(problem, request))


def _checked_hints(domain: Domain, problem: Any, steps: Iterator[Hint]) -> Iterator[Hint]:
    """Check each hint against the instance as it stands once all hints before it were followed."""
    for hint in steps:
        _require_hint(domain, problem, hint)
        yield hint
        if isinstance(domain, StepByStep) and hint.certificate is not None:
            problem = domain.after(problem, hint.certificate)


def _require_hint(domain: Domain, problem: Any, hint: Hint) -> None:
    """Raise UnsoundAnswer unless the hint rests on certificates where it has to, and the checker accepts them."""
    claim = f"{domain.name}: the hint {hint.caption!r}"
    if hint.certificate is None:
        if hint.lost:
            raise UnsoundAnswer(f"{claim} says that all is lost, without a certificate")
        if hint.move is not None and isinstance(domain, StepByStep):
            raise UnsoundAnswer(f"{claim} is a step without a certificate")
        return
    for instance, certificate in ((problem, hint.certificate), *hint.also):
        violations = find_violations(domain, instance, certificate)
        if violations:
            raise UnsoundAnswer(f"{claim} has a certificate that was rejected: {'; '.join(violations)}")
    if hint.lost and hint.certificate["verdict"] != Verdict.NO.value:
        raise UnsoundAnswer(f"{claim} says that all is lost, but its certificate does not")


def explain(
    problem: Any,
    question: str | None = None,
    *,
    budget: Budget | None = None,
    listen: Listener | None = None,
    **options: Any,
) -> Explanation:
    """Explain an instance as a whole; every certificate that the explanation rests on has been checked."""
    listen = listen or ignore
    domain = domain_of(problem)
    if not isinstance(domain, Explaining):
        raise BadOption(f"{domain.name} has nothing to explain beside its answers")
    request = make_request(domain, question, budget, True, listen, options)
    explanation = domain.explain(problem, request)
    for instance, certificate in _certificates_of(problem, explanation):
        violations = find_violations(domain, instance, certificate)
        if violations:
            raise UnsoundAnswer(f"{domain.name}: an explanation rests on what was rejected: {'; '.join(violations)}")
    return explanation


def _certificates_of(problem: Any, explanation: Explanation) -> Iterator[tuple[Any, Certificate]]:
    """Yield everything an explanation shows as proved, what its picture shows included."""
    yield from explanation.certificates
    drawn = None if explanation.drawing is None else explanation.drawing.certificate
    if drawn is not None and not any(drawn is listed for _, listed in explanation.certificates):
        yield problem, drawn


class Expectation(NamedTuple):
    """Say what has to be proved of an instance that a generator made."""

    question: str
    verdict: Verdict
    promised: bool
    """Whether the generator vouches for it, so that anything else is a bug; False if it may turn out otherwise."""


def expectations(domain: Domain, options: Mapping[str, Any]) -> list[Expectation]:
    """Return what is asked of everything that is made with these settled options."""
    promised: dict[str, Verdict] = {}
    question: str | None = getattr(domain, "generates", None)
    if question is not None:
        promised[question] = Verdict.YES
    if hasattr(domain, "promises"):
        promised |= domain.promises(options)
    expected = [Expectation(question, verdict, True) for question, verdict in promised.items()]
    attempted: str | None = domain.attempts(options) if hasattr(domain, "attempts") else None
    if attempted is not None and attempted not in promised:
        expected.append(Expectation(attempted, Verdict.YES, False))
    return expected


def generate(
    name: str,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    listen: Listener | None = None,
    solve_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[Any, list[Answer]]:
    """Make an instance of a domain, and prove what the domain says of what it makes, if it says anything.

    Each answer holds a certificate that the checker accepted. The budget and `solve_options` are those of each question
    that is asked. What was attempted in vain, or not proved within the budget, raises GenerationFailed.
    """
    listen = listen or ignore
    domain = get_domain(name)
    if not isinstance(domain, Generating):
        raise BadOption(f"{name} has no generator")
    settled = resolve_options(domain.generate_options, options)
    problem = domain.generate(settled, seed, listen=listen)
    answers = []
    for expected in expectations(domain, settled):
        answer = ask(problem, expected.question, budget=budget, listen=listen, **(solve_options or {}))
        if answer.verdict is not expected.verdict:
            if expected.promised and not _cut_short(answer):
                raise UnsoundAnswer(
                    f"{name} made an instance of which {expected.question} is not {expected.verdict}: {answer}"
                )
            why = answer.because or answer.reason
            told = f"{name}, seed {seed}: {expected.question} is {answer.verdict}"
            raise GenerationFailed(f"{told}: {why}" if why else told)
        answers.append(answer)
    return problem, answers


def _cut_short(answer: Answer) -> bool:
    """Tell whether it was the budget, and not the solver, that left a question open."""
    return answer.reason is not None and answer.reason.cause is not Cause.INCOMPLETE


def export(problem: Any, answer: Answer, ending: str) -> bytes:
    """Write what a YES holds as a file of the kind with this ending, where the domain has such files."""
    domain = domain_of(problem)
    if not isinstance(domain, Exporting):
        raise BadOption(f"{domain.name} has no files to export")
    if ending not in domain.exports:
        raise unknown_name(f"{domain.name} export", ending, domain.exports)
    if answer.domain != domain.name:
        raise BadOption(f"expected an answer about {domain.name}, found one about {answer.domain}")
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        raise BadOption(f"only a YES with its certificate can be exported, found {answer.question}: {answer.verdict}")
    return domain.export(problem, answer, ending)


def make_request(
    domain: Domain,
    question: str | None,
    budget: Budget | None = None,
    proof: bool = True,
    listen: Listener = ignore,
    options: Mapping[str, Any] | None = None,
) -> Request:
    """Settle the question and the options, or raise BadOption."""
    if question is None:
        question = next(iter(domain.questions))
    elif question not in domain.questions:
        raise unknown_name(f"{domain.name} question", question, domain.questions)
    return Request(question, budget or NO_LIMIT, proof, resolve_options(domain.solve_options, options or {}), listen)


def find_violations(domain: Domain, problem: Any, certificate: object) -> list[str]:
    """Return every reason not to accept the certificate; malformed data is a reason, never a crash."""
    claims: Mapping[str, str] = getattr(domain, "claims", {})
    violations = envelope_violations(certificate, domain=domain.name, questions={**domain.questions, **claims})
    if violations:
        return violations
    try:
        return domain.check(problem, certificate)  # type: ignore[arg-type]  # the envelope is a mapping
    except Exception as error:
        if _is_malformed(error):
            return [f"the certificate is malformed: {error}"]
        raise


def _is_malformed(error: Exception) -> bool:
    """Tell whether a checker met data of the wrong shape, without loading what says so where no checker did."""
    msgspec = sys.modules.get("msgspec")
    return msgspec is not None and isinstance(error, msgspec.ValidationError)


def _require_certified(domain: Domain, problem: Any, request: Request, finding: Finding) -> None:
    """Raise UnsoundAnswer unless the finding is what its verdict promises."""
    if finding.verdict is Verdict.UNKNOWN:
        if finding.reason is None:
            raise UnsoundAnswer(f"{_claim(domain, request, finding)} without a reason")
        return
    if finding.certificate is None:
        if not request.proof and finding.verdict in verdicts_without_proof(domain, request.question):
            return
        raise UnsoundAnswer(f"{_claim(domain, request, finding)} without a certificate")
    violations = find_violations(domain, problem, finding.certificate)
    if not violations:
        for key, expected in (("question", request.question), ("verdict", finding.verdict.value)):
            if finding.certificate[key] != expected:
                violations.append(f"its certificate is for {key} {finding.certificate[key]!r}")
    if violations:
        claim = _claim(domain, request, finding)
        raise UnsoundAnswer(f"{claim}, but the checker does not accept it: {'; '.join(violations)}")


def _claim(domain: Domain, request: Request, finding: Finding) -> str:
    return f"{domain.name} claims {request.question}: {finding.verdict}"
