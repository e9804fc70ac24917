"""Open a run, for the command and for `solvent.validate` alike, and give its results to Python."""

from __future__ import annotations

import contextlib
import os
import tempfile
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solvent.batch.machine import usable_cores
from solvent.batch.made_levels import resolve_wishes
from solvent.batch.names import name_of_path
from solvent.batch.records import Instance, Source, unpack
from solvent.batch.rows import answer_from
from solvent.batch.run import Validated, Validation
from solvent.batch.settings import Limits, RunOptions, Settings, resolve_options, resolve_questions
from solvent.batch.workers.jobs import Pool
from solvent.core.answer import Answer
from solvent.core.errors import BadOption, SolventError, show_value
from solvent.reading import format_problem, parse_problem

COMMAND = "solvent.validate(…)"
"""What a store notes as the command of such a run."""
LIMITS = ("seconds", "nodes", "megabytes", "kill_after", "kill_above")
WISHES = ("require", "forbid")
RUN_OPTIONS = ("jobs", "cluster", "store", "again", "listen", "strict")


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


@contextlib.contextmanager
def open_run(sources: Iterable[Source | None], settings: Settings, options: RunOptions) -> Iterator[Validation]:
    """Open the store and the workers of a run; enter what this yields to begin it.

    Nothing is written to a store that is damaged: StoreError says what is wrong with it, and how to save the rest.
    """
    from solvent.batch.store import Store
    from solvent.batch.store.integrity import require_intact

    with contextlib.ExitStack() as stack:
        path = options.store
        if path is None:  # answers are kept all the same while the run lasts: equal instances are asked once
            path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="solvent-"))) / "validation.db"
        if not require_intact(Path(path)) and options.notice is not None:
            options.notice(f"{path} is large: only its newest part was looked through before the run")
        store = stack.enter_context(Store.open(path))
        pool, reader = open_pools(settings, jobs=options.jobs, cluster=options.cluster)
        for each in (pool, reader):
            if each is not None:
                stack.callback(each.close, now=True)  # also where the run does not even begin
        yield Validation(sources, settings, store=store, pool=pool, reader=reader, options=options)


def open_pools(settings: Settings, *, jobs: int | None = None, cluster: str | None = None) -> tuple[Pool, Pool | None]:
    """Return the pool that solves, and the one that reads where it is another: a cluster does not have the files."""
    from solvent.batch.workers.pool import LocalPool

    if jobs is not None and jobs < 1:
        raise BadOption(f"jobs: expected a whole number, 1 or more, found {jobs!r}")
    if cluster is None:
        jobs = jobs or usable_cores()
        return LocalPool(jobs, hard_megabytes=settings.limits.hard_megabytes(jobs)), None
    from solvent.batch.cluster.pool import open_cluster

    reader = LocalPool(jobs or 1, hard_megabytes=settings.limits.hard_megabytes(jobs or 1))
    try:
        return open_cluster(cluster), reader
    except BaseException:
        reader.close(now=True)
        raise


def prepare(ask: str | Sequence[str] | None, proof: bool, options: Mapping[str, Any]) -> tuple[Settings, RunOptions]:
    """Sort the keywords of `solvent.validate`: limits, options of the run, and solve options of domains."""
    limits = Limits(**{name: options[name] for name in LIMITS if name in options})
    run = {name: options[name] for name in RUN_OPTIONS if name in options}
    others = {name: value for name, value in options.items() if name not in (*LIMITS, *RUN_OPTIONS, *WISHES)}
    wishes = resolve_wishes(*(options.get(name) for name in WISHES))
    settings = Settings(resolve_questions(ask), limits, proof, resolve_options(others), wishes=wishes)
    # A token of its own: other instances must never be taken for the rest of these. What is known is found anyway.
    return settings, RunOptions(**run, token=uuid.uuid4().hex, command=COMMAND)


def validate_all(instances: Iterable[Any], settings: Settings, options: RunOptions) -> Iterator[Result]:
    """Yield a result for each instance and question as they come; see `solvent.validate`."""
    from solvent.batch import gate
    from solvent.batch.summary import Summary

    summary = Summary()
    with open_run(sources_of(instances), settings, options) as validation, validation as run:
        for validated in run:
            summary.add(validated)
            yield _result(validated)
    if options.strict:
        gate.require_asked(summary, settings.questions)
        gate.require_passed(summary)


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
    from solvent.proof.certificate import decode_certificate

    reading, outcome = validated.reading, validated.outcome
    source, instance = reading.source, reading.instance
    answer, error = None, None
    if outcome is None:
        error = reading.message if instance is None else f"{instance.domain} has none of the questions"
    elif outcome.verdict is None:
        error = outcome.error
    else:
        assert instance is not None
        certificate = None if outcome.certificate is None else decode_certificate(unpack(outcome.certificate))
        answer = answer_from(instance.domain, outcome, certificate)
    return Result(source.name, source.number, validated.question, answer, error, validated.known, instance)
