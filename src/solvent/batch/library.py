"""`solvent.validate`: the same run, from Python."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solvent.batch.names import name_of_path
from solvent.batch.progress import Progress
from solvent.batch.records import Instance, Outcome, Reading, Source, unpack
from solvent.batch.run import Validated, Validation
from solvent.batch.settings import Settings
from solvent.batch.store.writer import AGAIN, Again
from solvent.core.answer import Answer, Cause, Reason, Verdict
from solvent.core.errors import BadOption, SolventError, show_value, unknown_name
from solvent.reading import format_problem, parse_problem

COMMAND = "solvent.validate(…)"
"""What a store notes as the command of such a run."""


@dataclass(frozen=True, slots=True)
class Result:
    """Hold what came of one question about one instance."""

    name: str
    """The path as given, or the place in the iterable for an instance without one."""
    number: int
    """The place in the run, from 0; a folder counts as all its files."""
    question: str | None
    """What was asked; None if there was nothing to ask."""
    answer: Answer | None
    """The answer, its certificate accepted by a checker; None if there was nothing to ask, or no verdict."""
    error: str | None = None
    """Why there is no answer: what is wrong with the file, or the traceback of a bug; None if there is one."""
    known: bool = False
    """Whether the store had the answer already."""
    instance: Instance | None = field(default=None, repr=False)
    """The instance as the store keeps it, with its domain, hash and size; None if there is none."""

    @property
    def problem(self) -> Any:
        """Return the instance itself, as `solvent.load` would; None if there is none."""
        if self.instance is None:
            return None
        return parse_problem(unpack(self.instance.packed).decode("utf-8"), domain=self.instance.domain)


def validate_all(
    instances: Iterable[Any],
    settings: Settings,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    store: str | os.PathLike[str] | None = None,
    again: Again = "none",
    listen: Callable[[Progress], None] | None = None,
) -> Iterator[Result]:
    """Yield a result for each instance and question as they come; see `solvent.validate`."""
    from solvent.batch.store import Store
    from solvent.batch.workers.pools import open_pools

    if again not in AGAIN:
        raise unknown_name("again", again, AGAIN)
    with ExitStack() as stack:
        if store is None:  # answers are kept all the same while the run lasts: equal instances are asked once
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="solvent-"))
            store = Path(folder) / "validation.db"
        opened = stack.enter_context(Store.open(store))
        pool, reader = open_pools(settings, jobs=jobs, cluster=cluster)
        stack.callback(pool.close, now=True)
        if reader is not None:
            stack.callback(reader.close, now=True)
        # A token of its own: other instances must never be taken for the rest of these. What is known is found anyway.
        token = uuid.uuid4().hex
        validation = Validation(
            sources_of(instances),
            settings,
            store=opened,
            pool=pool,
            reader=reader,
            again=again,
            token=token,
            command=COMMAND,
            listen=listen,
        )
        run = stack.enter_context(validation)
        for validated in run:
            yield _result(validated)


def sources_of(instances: Iterable[Any]) -> Iterator[Source]:
    """Turn instances, and paths of files and folders, into sources."""
    if isinstance(instances, str | os.PathLike):
        raise BadOption(f"instances: expected several, such as [path], found {show_value(instances)}")
    number = 0
    for instance in instances:
        if isinstance(instance, str | os.PathLike):
            for source in _find(os.fspath(instance), number):
                yield source
                number += 1
        else:
            yield Source(number, f"#{number}", text=format_problem(instance), domain=type(instance).domain)
            number += 1


def _find(path: str, number: int) -> Iterator[Source]:
    """Find what a path leads to; one that leads nowhere is a source with a problem, and no end to the others."""
    from solvent.batch.sources.find import find_sources

    try:
        yield from find_sources([path], domain=None)
    except SolventError as error:
        yield Source(number, name_of_path(path), path=path, problem=str(error))


def _result(validated: Validated) -> Result:
    source, reading, outcome = validated.source, validated.reading, validated.outcome
    answer, error = None, None
    if outcome is None:
        error = _why_not_asked(reading)
    elif outcome.verdict is None:
        error = outcome.error
    else:
        answer = _answer(reading, outcome)
    return Result(source.name, source.number, validated.question, answer, error, validated.known, reading.instance)


def _why_not_asked(reading: Reading) -> str:
    if reading.instance is not None:
        return f"{reading.instance.domain} has none of the questions"
    return reading.message


def _answer(reading: Reading, outcome: Outcome) -> Answer:
    from solvent.proof.certificate import decode_certificate

    assert reading.instance is not None
    certificate = None if outcome.certificate is None else decode_certificate(unpack(outcome.certificate))
    return Answer(
        domain=reading.instance.domain,
        question=outcome.question,
        verdict=Verdict(outcome.verdict),
        certificate=certificate,
        reason=reason_from(outcome.cause, outcome.reason),
        stats=outcome.stats,
        seconds=outcome.seconds,
        because=outcome.because,
    )


def reason_from(name: str | None, said: str) -> Reason | None:
    """Return the reason of an UNKNOWN from the name of its cause and its words as the store has them."""
    if name is None:
        return None
    cause = Cause[name]
    # The words are those of `Reason`: the cause, then the detail in brackets.
    detail = said.removeprefix(cause.value).strip()
    return Reason(cause, detail[1:-1] if detail.startswith("(") and detail.endswith(")") else detail)
