"""Solve, then check: the only public way to an Answer."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from solvent.core.answer import Answer, Cause, Certificate, Finding, Verdict
from solvent.core.budget import UNLIMITED, Budget, Meter, limit_reason
from solvent.core.domain import Domain, Request
from solvent.core.errors import (
    BadOption,
    CertificateRejected,
    GenerationFailed,
    LimitReached,
    NotChecked,
    UnsoundAnswer,
    unknown_name,
)
from solvent.core.events import Listener, ignore
from solvent.core.file_access import writing_into
from solvent.core.memory import imports_need_memory
from solvent.core.notebook import Subject
from solvent.core.options import resolve_options
from solvent.proof.certificate import envelope_violations, unwritable_violations
from solvent.registry import domain_of, get_domain

if TYPE_CHECKING:
    from solvent.core.domain import Generator, Hints, MadeFile
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
    watch: bool = False,
    tests: Sequence[object] = (),
    **options: Any,
) -> Answer:
    """Answer a question about a problem; without a name, the domain's first question.

    A YES or NO is returned only after the domain's checker accepted its certificate. With `proof=False` a verdict that
    rests on an exhaustive search may come without one, and the answer then says so (`certified` is False). Whatever a
    budget cuts short is UNKNOWN: preparing, searching, writing the certificate and checking it all count. With `watch`,
    `listen` also hears what the search looks at, where the domain shows that.

    `tests` are invalidity tests of your own for the search to prune with. Each is put on trial first, on the clock, and
    one that fires on a solvable instance raises UnsoundTest. A verdict never rests on them.
    """
    domain = domain_of(problem)
    request = make_request(domain, question, budget=budget, proof=proof, listen=listen, options=options, tests=tests)
    if watch:
        from msgspec.structs import replace as with_fields

        request = with_fields(request, watch=True)
    return answer(problem, request)


def answer(problem: Any, request: Request) -> Answer:
    """Answer a request that `make_request` made."""
    began = time.perf_counter()
    meter = request.budget.start()
    domain = domain_of(problem)
    try:
        with imports_need_memory():
            if request.tests:
                from solvent.own_tests import require_sound

                require_sound(domain, request.tests, meter, request.listen)
            finding = domain.solve(problem, request)
            _require_certified(domain, problem, request, finding, meter)
    except (LimitReached, MemoryError) as error:
        _let_go(error)
        finding = Finding(Verdict.UNKNOWN, reason=limit_reason(error))
    return _answer(domain, problem, request, finding, began)


def _answer(domain: Domain[Any], problem: Any, request: Request, finding: Finding, began: float) -> Answer:
    return Answer(
        domain.name,
        request.question,
        finding.verdict,
        finding.certificate,
        finding.reason,
        finding.stats,
        time.perf_counter() - began,
        finding.because,
        Subject(domain, problem),
    )


def accept(problem: Any, question: str, finding: Finding, *, budget: Budget | None = None) -> Answer:
    """Return the answer that a finding from elsewhere claims, once the checker accepted its certificate."""
    began = time.perf_counter()
    domain = domain_of(problem)
    request = Request(question, budget or NO_LIMIT)
    with _limits_named():
        _require_certified(domain, problem, request, finding, request.budget.start())
    return _answer(domain, problem, request, finding, began)


def check(problem: Any, certificate: Certificate, *, budget: Budget | None = None) -> None:
    """Raise CertificateRejected, listing every violation, unless the certificate proves what it claims.

    A check that the budget cuts short raises NotChecked.
    """
    meter = (budget or NO_LIMIT).start()
    violations = find_violations(domain_of(problem), problem, certificate, meter)
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
    if domain.hints is None:
        raise BadOption(f"{domain.name} has no hints")
    request = Request(
        question=domain.first_question,
        budget=budget or NO_LIMIT,
        options=resolve_options(domain.hints.options, options),
        listen=listen,
        path=path,
    )
    return _checked_hints(domain, domain.hints, problem, request)


def _checked_hints(domain: Domain[Any], source: Hints[Any], problem: Any, request: Request) -> Iterator[Hint]:
    """Check each hint against the instance as it stands once all hints before it were followed."""
    meter = request.budget.start()
    with _limits_named():
        for hint in source.find(problem, request):
            is_step = source.after is not None and hint.move is not None
            _require_certified_hint(domain, problem, hint, meter, is_step=is_step)
            yield replace(hint, subject=Subject(domain, problem))
            if source.after is not None and hint.certificate is not None and not hint.alternative:
                problem = source.after(problem, hint.certificate)


@contextmanager
def _limits_named() -> Iterator[None]:
    """Raise LimitReached where memory runs out, or a check on the way is cut short."""
    try:
        with imports_need_memory():
            yield
    except (NotChecked, MemoryError) as error:
        _let_go(error)
        raise LimitReached(limit_reason(error)) from None


def _let_go(error: BaseException) -> None:
    """Free all that the work held which an error ended: there may be no memory left to say so."""
    error.__traceback__ = error.__context__ = error.__cause__ = None


def _require_certified_hint(domain: Domain[Any], problem: Any, hint: Hint, meter: Meter, *, is_step: bool) -> None:
    """Raise UnsoundAnswer unless the hint rests on certificates where it has to, and the checker accepts them."""
    claim = f"{domain.name}: the hint {hint.caption!r}"
    if hint.certificate is None:
        if hint.lost:
            raise UnsoundAnswer(f"{claim} says that all is lost, without a certificate")
        if is_step:
            raise UnsoundAnswer(f"{claim} is a step without a certificate")
        return
    for instance, certificate in ((problem, hint.certificate), *hint.also):
        violations = find_violations(domain, instance, certificate, meter)
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
    """Explain an instance as a whole; every certificate that the explanation rests on has been checked.

    Where there is no time to check them all, only what rests on those that were is said.
    """
    domain = domain_of(problem)
    if domain.explain is None:
        raise BadOption(f"{domain.name} has nothing to explain beside its answers")
    request = make_request(domain, question, budget=budget, listen=listen, options=options)
    meter = request.budget.start()
    with _limits_named():
        explanation = domain.explain(problem, request)
        accepted: list[Certificate] = []
        try:
            for instance, certificate in _certificates_of(problem, explanation):
                violations = find_violations(domain, instance, certificate, meter)
                if violations:
                    why = "; ".join(violations)
                    raise UnsoundAnswer(f"{domain.name}: an explanation rests on what was rejected: {why}")
                accepted.append(certificate)
        except NotChecked as unchecked:
            proved = (poorer for poorer in explanation.fallbacks if _rests_on(problem, poorer, accepted))
            fallback = next(proved, None) if unchecked.reason.cause is Cause.TIME else None
            if fallback is None:
                raise
            explanation = fallback
    return replace(explanation, subject=Subject(domain, problem), fallbacks=())


def _rests_on(problem: Any, explanation: Explanation, accepted: list[Certificate]) -> bool:
    """Tell whether every certificate of an explanation is one of these very certificates."""
    needed = _certificates_of(problem, explanation)
    return all(any(certificate is each for each in accepted) for _, certificate in needed)


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


def expectations(generator: Generator[Any], options: Mapping[str, Any]) -> list[Expectation]:
    """Return what is asked of everything that is made with these resolved options."""
    promised = generator.promises(options)
    expected = [Expectation(question, verdict, True) for question, verdict in promised.items()]
    attempted = generator.attempts(options)
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

    Each answer holds a certificate that the checker accepted. The budget is for all of it, `solve_options` are for each
    question that is asked. What was attempted in vain, or was not made or proved within the budget, raises
    GenerationFailed.
    """
    listen = listen or ignore
    domain = get_domain(name)
    if domain.generator is None:
        raise BadOption(f"{name} has no generator")
    resolved = resolve_options(domain.generator.options, options)
    meter = (budget or NO_LIMIT).start()
    try:
        with _limits_named():
            problem = domain.generator.make(resolved, seed, listen, meter)
            meter.checkpoint()
    except LimitReached as limit:
        raise GenerationFailed(f"{name}, seed {seed}: nothing was made: {limit.reason}") from None
    answers = []
    for expected in expectations(domain.generator, resolved):
        found = ask(problem, expected.question, budget=meter.left(), listen=listen, **(solve_options or {}))
        meter.spend(int(found.stats.get("nodes", 0)))
        if found.verdict is not expected.verdict:
            if expected.promised and not _cut_short(found):
                raise UnsoundAnswer(
                    f"{name} made an instance of which {expected.question} is not {expected.verdict}: {found}"
                )
            why = found.because or found.reason
            outcome = f"{name}, seed {seed}: {expected.question} is {found.verdict}"
            raise GenerationFailed(f"{outcome}: {why}" if why else outcome)
        answers.append(found)
    return problem, answers


def generate_files(
    name: str,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    listen: Listener | None = None,
    folder: str | PathLike[str] | None = None,
    **options: Any,
) -> Iterator[MadeFile] | None:
    """Return the files of something too large for one instance, if the options ask for that; None if they do not.

    Files that they name, such as pictures, are named as seen from `folder`, where they will be saved.
    """
    domain = get_domain(name)
    if domain.generator is None or domain.generator.files is None:
        return None
    resolved = resolve_options(domain.generator.options, options)
    meter = (budget or NO_LIMIT).start()
    files = domain.generator.files(resolved, seed, listen or ignore, meter)
    return None if files is None else _files_within(files, name, seed, folder)


def _files_within(
    files: Iterator[MadeFile], name: str, seed: int, folder: str | PathLike[str] | None
) -> Iterator[MadeFile]:
    from pathlib import Path

    try:
        with _limits_named(), writing_into(None if folder is None else Path(folder)):
            yield from files
    except LimitReached as limit:
        raise GenerationFailed(f"{name}, seed {seed}: not all was made: {limit.reason}") from None


def _cut_short(answer: Answer) -> bool:
    """Tell whether it was the budget, and not the solver, that left a question open."""
    return answer.reason is not None and answer.reason.cause is not Cause.INCOMPLETE


def export(problem: Any, answer: Answer, ending: str, *, folder: str | PathLike[str] | None = None) -> bytes:
    """Write what a YES holds as a file of the kind with this ending, where the domain has such files.

    Files that it names, such as pictures, are named as seen from `folder`, if that is where it will be saved.
    """
    domain = domain_of(problem)
    if domain.exports is None:
        raise BadOption(f"{domain.name} has no files to export")
    if ending not in domain.exports.kinds:
        raise unknown_name(f"{domain.name} export", ending, domain.exports.kinds)
    if answer.domain != domain.name:
        raise BadOption(f"expected an answer about {domain.name}, found one about {answer.domain}")
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        raise BadOption(f"only a YES with its certificate can be exported, found {answer.question}: {answer.verdict}")
    from pathlib import Path

    with writing_into(None if folder is None else Path(folder)):
        return domain.exports.write(problem, answer, ending)


def make_request(
    domain: Domain[Any],
    question: str | None,
    *,
    options: Mapping[str, Any],
    budget: Budget | None = None,
    proof: bool = True,
    listen: Listener | None = None,
    tests: Sequence[object] = (),
) -> Request:
    """Resolve the question, the options and the user's own invalidity tests, or raise BadOption."""
    if question is None:
        question = domain.first_question
    elif question not in domain.questions:
        raise unknown_name(f"{domain.name} question", question, domain.questions)
    resolved = resolve_options(domain.solve_options, options)
    request = Request(question, budget or NO_LIMIT, proof, resolved, listen or ignore)
    if not tests:
        return request
    from msgspec.structs import replace as with_fields

    from solvent.own_tests import accept_tests

    return with_fields(request, tests=accept_tests(domain, tests))


def find_violations(domain: Domain[Any], problem: Any, certificate: object, meter: Meter = UNLIMITED) -> list[str]:
    """Return every reason not to accept the certificate; malformed data is a reason, never a crash.

    A check that is cut short, by the meter or for want of memory, raises NotChecked: it says nothing either way.
    """
    claims = () if domain.hints is None else domain.hints.claims
    violations = envelope_violations(certificate, domain=domain.name, questions=[*domain.questions, *claims])
    violations = violations or unwritable_violations(certificate)  # type: ignore[arg-type]  # it is a mapping by now
    if violations:
        return violations
    try:
        meter.checkpoint()
        with imports_need_memory():
            return domain.check(problem, certificate, meter)  # type: ignore[arg-type]  # the envelope is a mapping
    except (LimitReached, MemoryError) as error:
        _let_go(error)
        raise NotChecked(limit_reason(error)) from None
    except Exception as error:
        if _is_malformed(error):
            return [f"the certificate is malformed: {error}"]
        raise


def _is_malformed(error: Exception) -> bool:
    """Tell whether a checker met data of the wrong shape, without loading what says so where no checker did."""
    msgspec = sys.modules.get("msgspec")
    return msgspec is not None and isinstance(error, msgspec.ValidationError)


def _require_certified(domain: Domain[Any], problem: Any, request: Request, finding: Finding, meter: Meter) -> None:
    """Raise UnsoundAnswer unless the finding is what its verdict promises."""
    if finding.verdict is Verdict.UNKNOWN:
        if finding.reason is None:
            raise UnsoundAnswer(f"{_claim(domain, request, finding)} without a reason")
        return
    if finding.certificate is None:
        if not request.proof and finding.verdict in domain.questions[request.question].verdicts_without_proof:
            return
        raise UnsoundAnswer(f"{_claim(domain, request, finding)} without a certificate")
    violations = find_violations(domain, problem, finding.certificate, meter)
    if not violations:
        for key, expected in (("question", request.question), ("verdict", finding.verdict.value)):
            if finding.certificate[key] != expected:
                violations.append(f"its certificate is for {key} {finding.certificate[key]!r}")
    if violations:
        claim = _claim(domain, request, finding)
        raise UnsoundAnswer(f"{claim}, but the checker does not accept it: {'; '.join(violations)}")


def _claim(domain: Domain[Any], request: Request, finding: Finding) -> str:
    return f"{domain.name} claims {request.question}: {finding.verdict}"
