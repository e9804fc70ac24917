"""Check everything a store claims once more, with the checkers alone: no solver is imported, nothing is believed.

An instance is read from the store's own text. A certificate has to prove, about that instance, the very verdict that
stands beside it. A verdict without a certificate passes only where proof was not asked for. All else that an answer
says, which nothing proves, has to be what was sealed when it was stored; see `store.seals` for what that is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from solvent import asking
from solvent.batch.columns import object_from_json
from solvent.batch.settings import instance_hash
from solvent.batch.store import Store
from solvent.batch.store.coherence import incoherences
from solvent.batch.store.evidence import (
    Checked,
    StoredAnswer,
    StoredInstance,
    answer_at,
    answers,
    count_answers,
    proof_was_asked_for,
    require_sound,
    unasked_instances,
)
from solvent.batch.store.reading import decode_stored, run_row, unfold
from solvent.core.answer import Cause, Certificate, Verdict
from solvent.core.budget import limit_reason
from solvent.core.compression import CheckLimits
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, LimitReached, NotChecked, ParseError, StoreError, show_value
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.registry import get_domain

NO_LIMITS = CheckLimits()
SHORT_HASH = 12
"""How much of a hash names an instance that has no other name."""


def check_store(
    store: Store, *, run: int | None = None, limits: CheckLimits = NO_LIMITS, listen: Listener = ignore
) -> Iterator[Checked]:
    """Check every answer in a store, or those of one run; every instance; and that the tables of runs are whole.

    Yields one result for each answer, those without a certificate included, and one for everything else that is wrong.
    The limits are those of one certificate. Raises StoreError if the file itself is damaged.
    """
    if run is not None:
        run_row(store, run)
    listen(Event(Kind.STAGE, "looking through the file"))
    require_sound(store)
    yield from incoherences(store, run)
    known = _KnownInstance()
    for instance in unasked_instances(store, run):
        if violations := known.read(instance):
            yield _checked(instance, None, tuple(violations))
    total = count_answers(store, run)
    for number, answer in enumerate(answers(store, run)):
        listen(Event(Kind.PROGRESS, f"checked {number:,} of {total:,}"))
        yield _check_answer(store, answer, known, limits)


def check_answer(store: Store, answer_id: int) -> Checked:
    """Check one answer of a store; raises StoreError if there is none in this row."""
    answer = answer_at(store, answer_id)
    return _check_answer(store, answer, _KnownInstance(), NO_LIMITS)


def stored_proof(store: Store, answer_id: int, limits: CheckLimits = NO_LIMITS) -> tuple[Any, Certificate]:
    """Return the instance and the certificate of an answer that was accepted."""
    answer = answer_at(store, answer_id)
    known = _KnownInstance()
    violations = known.read(answer.instance)
    if violations or answer.certificate is None:
        raise StoreError(f"answer {answer_id} has no certificate, or its instance cannot be read")
    return known.problem, decode_stored(answer.certificate, megabytes=limits.unfolded_megabytes)


def _check_answer(store: Store, answer: StoredAnswer, known: _KnownInstance, limits: CheckLimits) -> Checked:
    """Check one answer; where a limit ends the check of its certificate, all else is still looked at."""
    found = list(_instance_violations(answer, known))
    not_checked = None
    try:
        if answer.verdict in (Verdict.YES.value, Verdict.NO.value):
            found += _decided_violations(store, answer, known, limits)
        else:
            found += _open_violations(answer)
    except NotChecked as error:
        not_checked = str(error.reason)
    found += _row_violations(answer)
    return replace(_checked(answer.instance, answer, tuple(found)), not_checked=not_checked)


def _checked(instance: StoredInstance, answer: StoredAnswer | None, violations: tuple[str, ...]) -> Checked:
    name = instance.name or (instance.hash or "an unknown instance")[:SHORT_HASH]
    checked = Checked(name, violations, hash=instance.hash, domain=instance.domain)
    if answer is None:
        return checked
    return replace(
        checked,
        question=answer.question,
        verdict=answer.verdict,
        form=answer.form,
        has_certificate=answer.certificate is not None,
        answer=answer.id,
    )


@dataclass(slots=True)
class _KnownInstance:
    """Keep the instance that was read last: questions about the same one usually follow each other."""

    stored: StoredInstance | None = None
    domain: Domain[Any] | None = None
    problem: Any = None
    """None if it cannot be read, and the violations say why."""
    violations: list[str] | None = None
    domains: dict[str, Domain[Any] | str] = field(default_factory=dict)
    """Each domain by name, or why there is none: looking for one that is not built in takes a while."""

    def read(self, instance: StoredInstance) -> list[str]:
        if self.stored != instance or self.violations is None:
            self.stored, self.domain, self.problem = instance, None, None
            self.violations = self._read(instance)
        return self.violations

    def _read(self, instance: StoredInstance) -> list[str]:
        if instance.packed is None or instance.domain is None:
            return ["its instance is missing"]
        violations = [] if instance.sealed else ["the seal of its instance does not fit: it was damaged or edited"]
        if instance.domain not in self.domains:
            self.domains[instance.domain] = _find_domain(instance.domain)
        domain = self.domains[instance.domain]
        if isinstance(domain, str):
            return [domain, *violations]
        self.domain = domain
        try:
            text = unfold(instance.packed).decode("utf-8")
        except ValueError as error:
            return [f"the text of its instance is damaged: {error}", *violations]
        if instance_hash(instance.domain, text) != instance.hash:
            violations.insert(0, "the hash of its instance is not that of the text: one of them was changed")
        try:
            self.problem = domain.parse(text)
        except ParseError as error:
            violations.append(f"the text of its instance cannot be read: {error}")
        except Exception as error:
            violations.append(f"the text of its instance cannot be read: {_named(error)}")
        return violations


def _find_domain(name: str) -> Domain[Any] | str:
    try:
        return get_domain(name)
    except BadOption as error:
        return f"its instance cannot be read here: {error}"
    except Exception as error:  # a package that is broken
        return f"its instance cannot be read here, because its domain fails: {_named(error)}"


def _instance_violations(answer: StoredAnswer, known: _KnownInstance) -> Iterator[str]:
    """Yield what is wrong with the instance, and with what the answer says it is about."""
    yield from known.read(answer.instance)
    if known.domain is not None and answer.question not in known.domain.questions:
        yield f"{known.domain.name} has no question {show_value(answer.question)}"
    if answer.certified != (answer.certificate is not None):
        found = "has one" if answer.certificate is not None else "has none"
        yield f"it says that it {'is' if answer.certified else 'is not'} certified, but it {found} stored"


def _row_violations(answer: StoredAnswer) -> Iterator[str]:
    """Yield what is wrong with all that no certificate covers."""
    for name, written in (("stats", answer.stats), ("budget", answer.budget)):
        try:
            object_from_json(written)
        except ValueError as error:
            yield f"its {name} cannot be read: {error}"
    if not answer.succeeded:
        yield "it says that a newer answer took its place, but there is none"
    if not answer.sealed:
        yield "its seal does not fit: something in it was damaged or edited"


def _decided_violations(
    store: Store, answer: StoredAnswer, known: _KnownInstance, limits: CheckLimits
) -> Iterator[str]:
    """Yield what is wrong with a YES or NO."""
    if answer.cause is not None or answer.error:
        yield f"it is {answer.verdict}, but also says why there was no verdict"
    if answer.certificate is not None:
        yield from _certificate_violations(answer, known, limits)
        return
    if answer.form is not None:
        yield f"its form is {show_value(answer.form)}, but it has no certificate"
    if known.domain is not None and not _may_lack_certificate(store, answer, known.domain):
        yield f"it is {answer.verdict} without a certificate, although proof was asked for or is always given"


def _may_lack_certificate(store: Store, answer: StoredAnswer, domain: Domain[Any]) -> bool:
    try:
        if object_from_json(answer.budget).get("proof") is not False:
            return False
    except ValueError:
        return False
    question = domain.questions.get(answer.question)
    may = question is not None and Verdict(answer.verdict) in question.verdicts_without_proof
    return may and not proof_was_asked_for(store, answer.id)


def _certificate_violations(answer: StoredAnswer, known: _KnownInstance, limits: CheckLimits) -> Iterator[str]:
    assert answer.certificate is not None
    meter = limits.budget.start()
    try:
        certificate = decode_stored(answer.certificate, megabytes=limits.unfolded_megabytes, meter=meter)
    except (LimitReached, MemoryError) as error:
        raise NotChecked(limit_reason(error)) from None
    except ValueError as error:
        yield f"its certificate is damaged: {error}"
        return
    for part, stored in (("question", answer.question), ("verdict", answer.verdict), ("form", answer.form)):
        claimed = certificate.get(part)
        if claimed is not None and claimed != stored:
            yield f"its certificate is for the {part} {show_value(claimed)}, but it says {show_value(stored)}"
    if known.domain is None or known.problem is None:
        return
    try:
        yield from asking.find_violations(known.domain, known.problem, certificate, meter)
    except NotChecked:
        raise
    except Exception as error:  # a bug of the checker, which a damaged certificate may well find
        yield f"the checker failed: {_named(error)}"


def _open_violations(answer: StoredAnswer) -> Iterator[str]:
    """Yield what is wrong with an answer that claims nothing: UNKNOWN, or a bug."""
    if answer.certificate is not None or answer.form is not None:
        yield f"it is {answer.verdict or 'without a verdict'}, but has a certificate"
    if answer.verdict is None:
        if not answer.error:
            yield "it has neither a verdict nor an error that says why"
    elif answer.verdict != Verdict.UNKNOWN.value:
        yield f"expected the verdict YES, NO or UNKNOWN, found {show_value(answer.verdict)}"
    elif answer.cause not in Cause.__members__:
        yield f"it is UNKNOWN, but its cause is {show_value(answer.cause)}"


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
