"""What a worker does: read sources, ask questions. No instance makes it raise.

Orders and results are plain data, so the same functions serve a process on this machine and one on a cluster.
"""

from __future__ import annotations

import contextlib
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from solvent import asking
from solvent.batch.machine import describe_machine
from solvent.batch.made_levels import make_level, makes_levels
from solvent.batch.names import valid_text
from solvent.batch.records import Instance, Outcome, ReadAs, Reading, Source, Stats, Task, pack, unpack
from solvent.batch.settings import Limits, Settings, instance_hash
from solvent.batch.workers import parsed, watchdog
from solvent.batch.workers.measuring import Measure
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import NO_MORE_MEMORY
from solvent.core.domain import Domain, first_count
from solvent.core.errors import BadOption, NotRecognised, ParseError, SolventError
from solvent.proof.certificate import encode_certificate
from solvent.reading import change_rules, format_problem, parse_problem, read_problem
from solvent.registry import all_domains, domain_of, get_domain

if TYPE_CHECKING:
    from solvent.wishes.parsing import Wish

NODES_TO_LOAD = 2_000
"""What the bundled example that loads a solver may cost."""

_loaded: set[tuple[str, str]] = set()
"""Domains and questions whose modules this process has loaded."""


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """Hold some sources to read."""

    sources: tuple[Source, ...]
    rules: Mapping[str, str]
    """Rules to play by instead of those an instance says, where its domain has rules to choose from."""
    hard_seconds: float
    """How long one of them may take."""
    hard_megabytes: float
    rules_by_domain: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The same for one domain each; `rules` go first."""
    wishes: tuple[Wish, ...] = ()
    """What levels must be that are made from instances of other domains."""
    limits: Limits = field(default_factory=Limits)
    """What making one may cost."""


@dataclass(frozen=True, slots=True)
class SolveOrder:
    """Hold some questions to ask."""

    tasks: tuple[Task, ...]
    settings: Settings
    hard_megabytes: float


def read_batch(order: ReadOrder) -> list[Reading]:
    """Read each source."""
    list(all_domains())  # imported before the clock of the first source starts
    return [_read(source, order) for source in order.sources]


def solve_batch(order: SolveOrder) -> list[Outcome]:
    """Ask each question."""
    return [_solve(task, order) for task in order.tasks]


def _load(domain: str, question: str) -> None:
    """Import what a question needs, by asking it about a bundled example: no instance's time pays for that."""
    if (domain, question) in _loaded:
        return
    _loaded.add((domain, question))
    # Whatever goes wrong here is not what was asked for; the instances will show it for themselves.
    with contextlib.suppress(Exception):
        example = next(each for each in get_domain(domain).examples() if question in each.expected)
        problem = parse_problem(example.text, domain=domain)
        asking.ask(problem, question, budget=asking.limits(nodes=NODES_TO_LOAD))


def _read(source: Source, order: ReadOrder) -> Reading:
    began = time.perf_counter()
    with watchdog.watch_over(seconds=order.hard_seconds, megabytes=order.hard_megabytes):
        try:
            problem = _parse(source)
            owner = domain_of(problem)
            rules = _rules_for(owner, order)
            problem = change_rules(problem, rules)
            made: list[str] = []
            if makes_levels(owner, order.wishes):
                problem, remark = make_level(source, owner, order.wishes, order.limits.budget())
                owner = domain_of(problem)
                made.append(remark)
            remarks = tuple(map(valid_text, (*made, *owner.remarks(problem))))
            text = format_problem(problem)
            hash = instance_hash(owner.name, text)
            if not rules:
                parsed.keep(hash, problem, text)
            instance = Instance(
                hash=hash,
                domain=owner.name,
                size=None if owner.size is None else owner.size(problem),
                packed=pack(text.encode("utf-8")),
            )
            return Reading(source, ReadAs.INSTANCE, instance, remarks=remarks, seconds=time.perf_counter() - began)
        except NotRecognised as error:
            read_as, message = ReadAs.UNRECOGNISED, str(error)
        except SolventError as error:
            read_as, message = ReadAs.UNREADABLE, str(error)
        except OSError as error:
            read_as, message = ReadAs.UNREADABLE, f"cannot be opened: {error.strerror or error}"
        except MemoryError:
            raise  # the guard ends a worker that ran out of memory
        except RecursionError:
            read_as, message = ReadAs.UNREADABLE, "it is nested too deeply to be read"
        except Exception:  # a bug in a parser is recorded, and spoils no other source
            read_as, message = ReadAs.BUG, traceback.format_exc()
    return Reading(source, read_as, message=valid_text(message), seconds=time.perf_counter() - began)


def _rules_for(owner: Domain[Any], order: ReadOrder) -> dict[str, Any]:
    """Return the rules that a domain is to play by, of those that are given."""
    rules = dict(order.rules_by_domain.get(owner.name, ()))
    if order.rules:
        applicable = {option.name for option in owner.options("rule")}
        rules |= {name: rule for name, rule in order.rules.items() if name in applicable}
    return rules


def _parse(source: Source) -> Any:
    if source.problem is not None:
        raise SolventError(source.problem)
    if source.text is not None:
        try:
            return parse_problem(source.text, domain=source.domain)
        except ParseError as error:
            raise error.in_source(source.name) from None
    assert source.path is not None
    return read_problem(source.path, domain=source.domain, mapping=source.mapping)


def _solve(task: Task, order: SolveOrder) -> Outcome:
    settings = order.settings
    domain = task.instance.domain
    _load(domain, task.question)
    limits = settings.limits
    with watchdog.watch_over(seconds=limits.hard_seconds(), megabytes=order.hard_megabytes) as megabytes_before:
        measure = Measure(megabytes_before)
        try:
            problem = parsed.take(task.instance.hash)
            if problem is None:
                problem = parse_problem(unpack(task.instance.packed).decode("utf-8"), domain=domain)
            answer = asking.ask(
                problem,
                task.question,
                budget=limits.budget(),
                proof=settings.proof,
                **settings.options_for(domain),
            )
            if answer.reason == NO_MORE_MEMORY:
                raise MemoryError
            return _outcome(task, answer, measure)  # still under guard: a certificate may be large
        except MemoryError:
            raise  # the guard ends a worker that ran out of memory
        except BadOption as error:  # an option that only the solver itself could refuse
            return _no_verdict(task, str(error), measure)
        except Exception:  # a bug is recorded with its traceback; it is never a verdict
            return _no_verdict(task, traceback.format_exc(), measure)


def _no_verdict(task: Task, error: str, measure: Measure) -> Outcome:
    return Outcome(
        key=task.key,
        question=task.question,
        verdict=None,
        error=valid_text(error),
        seconds=measure.seconds,
        cpu_seconds=measure.cpu_seconds,
        machine=describe_machine(),
        finished=time.time(),
    )


def _outcome(task: Task, answer: Answer, measure: Measure) -> Outcome:
    """Return an answer as plain data; what cannot be that is a bug of its domain, and found here rather than later."""
    report_columns = get_domain(task.instance.domain).report_columns
    reason = answer.reason
    proved = None if answer.verdict is Verdict.UNKNOWN else answer.certificate
    stats = dict(answer.stats)
    return Outcome(
        key=task.key,
        question=task.question,
        verdict=answer.verdict.value,
        cause=None if reason is None else reason.cause.name,
        detail="" if reason is None else valid_text(reason.detail),
        because=valid_text(answer.because),
        form=None if proved is None else str(proved["form"]),
        certificate=None if proved is None else pack(encode_certificate(proved)),
        stats=Stats(msgspec.json.encode(stats)),
        expanded=first_count(stats, report_columns.expanded),
        length=first_count(stats, report_columns.length) if answer.verdict is Verdict.YES else None,
        seconds=answer.seconds,
        cpu_seconds=measure.cpu_seconds,
        peak_megabytes=measure.peak_megabytes,
        machine=describe_machine(),
        finished=time.time(),
    )
