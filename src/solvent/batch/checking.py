"""Check everything a store claims once more, with the checkers alone: no solver is imported, nothing is believed.

An instance is read from the store's own text. A certificate has to prove, about that instance, the very verdict that
stands beside it. A verdict without a certificate is let pass only where nobody asked for proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from solvent import asking
from solvent.batch.settings import instance_hash
from solvent.batch.store import Store
from solvent.batch.store.columns import from_json
from solvent.batch.store.evidence import LooseLink, StoredAnswer, answers, count_answers, insist_on_sound, loose_links
from solvent.batch.store.reading import decode_stored, run_row, unfold
from solvent.core.answer import Cause, Verdict
from solvent.core.domain import Domain, may_be_unproved
from solvent.core.errors import BadOption, ParseError, show_value
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.registry import get_domain

SHORT_HASH = 12
"""How much of a hash names an instance that has no other name."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Hold what checking one answer of a store came to."""

    name: str
    """What people call the instance."""
    question: str
    verdict: str | None
    """As it stands in the store, as is the form."""
    form: str | None
    has_certificate: bool
    violations: tuple[str, ...]
    """Every reason not to accept it, in words."""
    answer: int | None = None
    """Its row in the store."""
    hash: str | None = None
    """What the store says the instance's hash is."""
    domain: str | None = None

    @property
    def accepted(self) -> bool:
        """Tell whether nothing is wrong with it."""
        return not self.violations


def check_store(store: Store, *, run: int | None = None, listen: Listener = ignore) -> Iterator[Checked]:
    """Check every answer in a store, or those of one run, and that each run's table leads to the right answers.

    Yields one result for each answer, those without a certificate included, and one for each line of a table that leads
    astray. Raises StoreError if the file itself is damaged.
    """
    if run is not None:
        run_row(store, run)
    listen(Event(Kind.STAGE, "looking through the file"))
    insist_on_sound(store)
    for link in loose_links(store, run):
        yield _check_link(link)
    total = count_answers(store, run)
    known = _KnownInstance()
    for number, answer in enumerate(answers(store, run)):
        listen(Event(Kind.PROGRESS, f"checked {number:,} of {total:,}"))
        violations = tuple(_violations(answer, known))
        yield Checked(
            name=answer.name or (answer.hash or "an unknown instance")[:SHORT_HASH],
            question=answer.question,
            verdict=answer.verdict,
            form=answer.form,
            has_certificate=answer.certificate is not None,
            violations=violations,
            answer=answer.id,
            hash=answer.hash,
            domain=answer.domain,
        )


def _check_link(link: LooseLink) -> Checked:
    if link.answer is None:
        wrong = "leads to no answer"
    elif link.question != link.answer_question:
        wrong = f"leads to an answer to the question {show_value(link.answer_question)}"
    else:
        wrong = "leads to an answer about another instance"
    name = f"source {link.number}" if link.name is None else link.name
    return Checked(name, link.question, None, None, False, (f"the table of run {link.run} {wrong}",), link.answer)


@dataclass(slots=True)
class _KnownInstance:
    """Keep the instance that was read last: questions about the same one usually follow each other."""

    stored: tuple[str | None, str | None, bytes | None] | None = None
    domain: Domain | None = None
    problem: Any = None
    """None if it cannot be read, and the violations say why."""
    violations: list[str] | None = None
    domains: dict[str, Domain | str] = field(default_factory=dict)
    """Each domain by name, or why there is none: looking for one that is not built in takes a while."""

    def read(self, answer: StoredAnswer) -> list[str]:
        stored = (answer.hash, answer.domain, answer.packed)
        if self.stored != stored or self.violations is None:
            self.stored, self.domain, self.problem = stored, None, None
            self.violations = self._read(answer)
        return self.violations

    def _read(self, answer: StoredAnswer) -> list[str]:
        if answer.packed is None or answer.domain is None:
            return ["its instance is missing"]
        if answer.domain not in self.domains:
            self.domains[answer.domain] = _find_domain(answer.domain)
        domain = self.domains[answer.domain]
        if isinstance(domain, str):
            return [domain]
        self.domain = domain
        try:
            text = unfold(answer.packed).decode("utf-8")
        except ValueError as error:
            return [f"the text of its instance is damaged: {error}"]
        violations = []
        if instance_hash(answer.domain, text) != answer.hash:
            violations.append("the hash of its instance is not that of the text: one of them was changed")
        try:
            self.problem = domain.parse(text)
        except ParseError as error:
            violations.append(f"the text of its instance cannot be read: {error}")
        except Exception as error:
            violations.append(f"the text of its instance cannot be read: {_named(error)}")
        return violations


def _find_domain(name: str) -> Domain | str:
    try:
        return get_domain(name)
    except BadOption as error:
        return f"its instance cannot be read here: {error}"
    except Exception as error:  # a package that is broken
        return f"its instance cannot be read here, because its domain fails: {_named(error)}"


def _violations(answer: StoredAnswer, known: _KnownInstance) -> Iterator[str]:
    yield from known.read(answer)
    if known.domain is not None and answer.question not in known.domain.questions:
        yield f"{known.domain.name} has no question {show_value(answer.question)}"
    if answer.certified != (answer.certificate is not None):
        found = "has one" if answer.certificate is not None else "has none"
        yield f"it says that it {'is' if answer.certified else 'is not'} certified, but it {found} stored"
    if answer.verdict in (Verdict.YES.value, Verdict.NO.value):
        yield from _settled_violations(answer, known)
    else:
        yield from _open_violations(answer)


def _settled_violations(answer: StoredAnswer, known: _KnownInstance) -> Iterator[str]:
    """Yield what is wrong with a YES or NO."""
    if answer.cause is not None or answer.error:
        yield f"it is {answer.verdict}, but also says why there was no verdict"
    if answer.certificate is not None:
        yield from _certificate_violations(answer, known)
        return
    if answer.form is not None:
        yield f"its form is {show_value(answer.form)}, but it has no certificate"
    if known.domain is not None and not _may_lack_certificate(answer, known.domain):
        yield f"it is {answer.verdict} without a certificate, although proof was asked for or is always given"


def _may_lack_certificate(answer: StoredAnswer, domain: Domain) -> bool:
    try:
        budget = from_json(answer.budget)
        if budget["proof"] is not False:
            return False
    except (ValueError, TypeError, KeyError):
        return False
    return Verdict(answer.verdict) in may_be_unproved(domain, answer.question)


def _certificate_violations(answer: StoredAnswer, known: _KnownInstance) -> Iterator[str]:
    assert answer.certificate is not None
    try:
        certificate = decode_stored(answer.certificate)
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
        yield from asking.find_violations(known.domain, known.problem, certificate)
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
