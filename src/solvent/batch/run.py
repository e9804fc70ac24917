"""Lead a run: give out sources to read and questions to ask, keep what comes back, lose nothing.

Whatever happens to a worker, its tasks are asked again or recorded. Whatever happens to the leader, what it committed
stays, and the next run with the same store asks only for the rest: an answer is known by its key, not by its run.
"""

from __future__ import annotations

import contextlib
import functools
import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from solvent.batch.batch_size import BatchSizer, ReadSizer
from solvent.batch.fingerprint import solver_version
from solvent.batch.lost_workers import HardLimits, broken, killed, tries_again, unread
from solvent.batch.machine import describe_machine
from solvent.batch.progress import Progress, RunCounter
from solvent.batch.records import Outcome, ReadAs, Reading, Source, Task
from solvent.batch.rows import Row, row_of
from solvent.batch.settings import RunOptions, Settings, key_maker
from solvent.batch.store.writer import RunWriter
from solvent.batch.workers import work
from solvent.batch.workers.jobs import CannotStart, Job, Pool, WorkerLost
from solvent.core.errors import ClusterError, StoreError
from solvent.registry import get_domain
from solvent.version import __version__

if TYPE_CHECKING:
    from solvent.batch.store import Run, Store

Part = TypeVar("Part", Source, Task)
Found = TypeVar("Found")

ENDS_THE_RUN = (CannotStart, ClusterError, CancelledError)
"""What a job may raise that is no instance's fault. Anything else is recorded as the bug of its instance."""
POLL_SECONDS = 0.1
JOBS_AHEAD = 2
"""Jobs given out for each worker, of reading and of solving: one to do, one to go on with at once."""
TASKS_AHEAD = 1_000
"""How many are read ahead for each worker at most."""
BYTES_AHEAD = 64 << 20
"""And how much that may be, so that memory stays flat however large the corpus is."""
SECONDS_TO_READ = 60.0
"""How long reading one source may take at most; less where the hard limit is less."""
SECONDS_TO_GATHER = 0.05
"""How long to wait for as many sources as are to be read together, while finished jobs wait to be taken."""
SECONDS_TO_LOAD = 30.0
"""What a new worker may need to import things before its first instance; the guard's clock starts after that."""


@dataclass(frozen=True)
class Validated:
    """Hold one result of a run: an answer about a source, or that there is no instance in it."""

    reading: Reading
    question: str | None = None
    """What was asked; None if there was nothing to ask."""
    outcome: Outcome | None = None
    """What came of it; None if there was nothing to ask."""
    known: bool = False
    """Whether the store had the answer already."""

    @property
    def source(self) -> Source:
        """Return where the instance came from."""
        return self.reading.source

    @functools.cached_property
    def row(self) -> Row:
        """Return it as a row of the store."""
        return row_of(self.reading, self.question, self.outcome)


class Validation:
    """Lead one run. Enter it, then iterate; leaving it early commits what is done and ends the workers at once."""

    def __init__(
        self,
        sources: Iterable[Source | None],
        settings: Settings,
        *,
        store: Store,
        pool: Pool,
        reader: Pool | None = None,
        options: RunOptions | None = None,
    ) -> None:
        """Prepare a run.

        A source that is None says that the next one is not there yet; see `sources.nonblocking`.
        `reader` reads files where the pool's workers are on other machines.
        """
        self.settings = settings
        self.store = store
        self._sources = iter(sources)
        self._sources_left = True
        self._given = 0
        self._pool = pool
        self._reader = pool if reader is None else reader
        self._hard_limits = HardLimits(settings.limits.hard_seconds(), settings.limits.hard_megabytes(pool.width))
        hard_seconds = settings.limits.hard_seconds()
        # Where levels are made, reading a file is as much work as a question.
        self._hard_seconds_to_read = hard_seconds if settings.wishes else min(SECONDS_TO_READ, hard_seconds)
        self._hard_megabytes_to_read = settings.limits.hard_megabytes(self._reader.width)
        self._options = options or RunOptions()
        self._tally = RunCounter(Progress(self._options.total))
        self._sizer = BatchSizer(pool.overhead_seconds)
        self._read_sizer = ReadSizer()

        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._read_jobs: dict[Job, tuple[Source, ...]] = {}
        self._solve_jobs: dict[Job, tuple[tuple[Task, ...], int | None]] = {}
        self._unread: deque[tuple[Source, ...]] = deque()
        """Sources whose reader was lost, to be read again."""
        self._waiting: dict[int | None, deque[Task]] = {}
        """By the worker that read them, which has them parsed; None where that is not known."""
        self._given_to: Counter[int | None] = Counter()
        """By such a worker, how many jobs there are of what it read."""
        self._alone: deque[Task] = deque()
        """Tasks whose worker was lost, each to travel alone."""
        self._ahead = 0
        self._bytes_ahead = 0
        self._deaths: Counter[str] = Counter()
        """By key of the task, or name of the source: how often a worker died that had nothing else to do."""
        self._key_makers: dict[str, dict[str, Callable[[str], str]]] = {}
        """By domain, the questions to ask, each with what gives the key of its answer."""
        self._asked: dict[str, list[Reading]] = {}
        """By key, the readings that wait for an answer that is not there yet."""
        self._open: dict[int, int] = {}
        """By number of the source, how many questions are still open."""

        self._stopped = False
        self._complete = False

    def __enter__(self) -> Validation:
        solver_version.cache_clear()  # workers run what stands in the files now, whatever this process has loaded
        run = self.store.begin_run(
            self.settings.as_json(),
            token=self._options.token,
            command=self._options.command,
            solver=__version__,
            machine=describe_machine(),
        )
        self._writer = RunWriter(
            self.store, run, again=self._options.again, proof=self.settings.proof, limits=self._hard_limits
        )
        return self

    @property
    def run(self) -> Run:
        """Return the run as the store knows it."""
        return self._writer.run

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        with contextlib.ExitStack() as last:
            if error is not None or not self._complete:
                last.callback(self._close_pools, now=True)
            elif self._reader is self._pool:
                # All is done, and processes take a while to end: the rest is written meanwhile.
                closing = threading.Thread(target=self._close_pools, name="solvent closing")
                closing.start()
                last.callback(closing.join)
            else:
                last.callback(self._close_pools)
            if not isinstance(error, StoreError):  # writing again would only hide what happened
                self._writer.end(
                    "finished" if self._complete else "interrupted",
                    seconds=self._tally.elapsed,
                    sources=self._given if self._complete else None,
                )

    def _close_pools(self, *, now: bool = False) -> None:
        self._pool.close(now=now)
        if self._reader is not self._pool:
            self._reader.close(now=now)

    def __iter__(self) -> Iterator[Validated]:
        while not self._stopped:
            self._give_out()
            if not (self._read_jobs or self._solve_jobs or self._sources_left):
                self._complete = True
                break
            for job in self._next_finished():
                yield from self._take(job)
            self._writer.commit_if_due()
            self._notify()
        self._writer.commit()
        self._notify()

    def stop(self) -> None:
        """Ask the run to end soon, with all that has come back so far; may be called from a handler of signals."""
        self._stopped = True

    @property
    def progress(self) -> Progress:
        """Return how far the run has come."""
        now = time.monotonic()
        running = [(job.label, now - job.began) for job in (*self._solve_jobs, *self._read_jobs) if job.began]
        running.sort(key=lambda each: -each[1])
        return self._tally.snapshot(running)

    # Giving out

    def _give_out(self) -> None:
        """Keep every worker busy, and read just so far ahead that there is always something to ask."""
        room = JOBS_AHEAD * self._pool.width - len(self._solve_jobs)
        while room > 0 and (self._alone or self._waiting):
            if self._alone:
                self._submit_solving((self._alone.popleft(),), None)
            else:
                # Each worker is to go on with what it read itself; first the one that has least to do.
                worker = min(self._waiting, key=lambda each: self._given_to[each])
                self._submit_solving(self._sizer.take_batch(self._waiting[worker], share=self._pool.width), worker)
                if not self._waiting[worker]:
                    del self._waiting[worker]
            room -= 1
        while len(self._read_jobs) < JOBS_AHEAD * self._reader.width and self._may_read_ahead():
            sources = self._unread.popleft() if self._unread else self._next_sources()
            if not sources:
                return
            order = work.ReadOrder(
                sources,
                self.settings.rules,
                self._hard_seconds_to_read,
                self._hard_megabytes_to_read,
                self.settings.rules_by_domain,
                tuple(self.settings.wishes),
                self.settings.limits,
            )
            job = self._reader.submit(
                work.read_batch,
                order,
                seconds=self._hard_seconds_to_read + SECONDS_TO_LOAD,
                label=f"reading {sources[0].name}",
            )
            self._read_jobs[job] = sources
            job.add_done_callback(self._finished.put)

    def _may_read_ahead(self) -> bool:
        enough = TASKS_AHEAD * self._pool.width
        return self._ahead < enough and self._bytes_ahead < BYTES_AHEAD

    def _next_sources(self) -> tuple[Source, ...]:
        """Take some sources; fewer, or none, if they come slowly."""
        found: list[Source] = []
        deadline = time.monotonic() + SECONDS_TO_GATHER
        while self._sources_left and len(found) < self._read_sizer.sources and time.monotonic() < deadline:
            try:
                source = next(self._sources)
            except StopIteration:
                self._sources_left = False
                self._tally.counts.total = self._given  # files may have come or gone since they were counted
                break
            if source is None:
                break
            found.append(source if source.number == self._given else replace(source, number=self._given))
            self._given += 1
        return tuple(found)

    def _submit_solving(self, batch: tuple[Task, ...], worker: int | None) -> None:
        expected = sum(self._sizer.expected_seconds(task) for task in batch)
        job = self._pool.submit(
            work.solve_batch,
            work.SolveOrder(batch, self.settings, self._hard_limits.megabytes),
            seconds=self.settings.limits.hard_seconds() + SECONDS_TO_LOAD + 10 * expected,
            label=batch[0].name,
            worker=worker,
        )
        self._solve_jobs[job] = batch, worker
        self._given_to[worker] += 1
        job.add_done_callback(self._finished.put)

    # Taking back

    def _next_finished(self) -> list[Job]:
        """Wait a moment for jobs that ended; return those that did."""
        jobs = []
        try:
            jobs.append(self._finished.get(timeout=POLL_SECONDS))
            while True:
                jobs.append(self._finished.get_nowait())
        except queue.Empty:
            return jobs

    def _take(self, job: Job) -> Iterator[Validated]:
        if job in self._read_jobs:
            yield from self._take_readings(job, self._read_jobs.pop(job))
        else:
            tasks, worker = self._solve_jobs.pop(job)
            self._given_to[worker] -= 1
            yield from self._take_outcomes(job, tasks)

    def _collect(
        self, job: Job, batch: tuple[Part, ...], retry: Callable[[Part], None], fail: Callable[[Part, Exception], Found]
    ) -> list[Found] | None:
        """Return what came of a job; None if it failed and its parts are tried again, each alone."""
        try:
            found: list[Found] = job.result()
            return found
        except ENDS_THE_RUN:
            raise
        except Exception as error:
            name = _name(batch[0])
            if not tries_again(batch, error, self._deaths[name]):
                return [fail(batch[0], error)]
            self._deaths[name] += len(batch) == 1
            for part in batch:
                retry(part)
            return None

    def _take_readings(self, job: Job, sources: tuple[Source, ...]) -> Iterator[Validated]:
        readings = self._collect(job, sources, lambda source: self._unread.append((source,)), unread) or ()
        if readings:
            self._read_sizer.learn([reading.seconds for reading in readings])
        keys = [self._keys_of(reading) for reading in readings]
        known = self._writer.known_among([key for some in keys for key in some.values()])
        for reading, some in zip(readings, keys, strict=True):
            yield from self._take_reading(reading, some, known, job.worker if self._reader is self._pool else None)

    def _keys_of(self, reading: Reading) -> dict[str, str]:
        """Return by question the key of each answer that is wanted about what was read."""
        instance = reading.instance
        if instance is None:
            return {}
        makers = self._key_makers.get(instance.domain)
        if makers is None:
            domain, solver = instance.domain, solver_version(instance.domain)
            questions = self.settings.questions_for(get_domain(domain))
            makers = self._key_makers[domain] = {
                question: key_maker(self.settings, domain=domain, question=question, solver=solver)
                for question in questions
            }
        return {question: make_key(instance.hash) for question, make_key in makers.items()}

    def _take_reading(
        self, reading: Reading, keys: Mapping[str, str], known: Set[str], worker: int | None
    ) -> Iterator[Validated]:
        self._deaths.pop(_name(reading.source), None)
        self._writer.add_reading(reading)
        instance = reading.instance
        if instance is None or not keys:
            self._tally.counts.done += 1
            if reading.read_as is ReadAs.UNRECOGNISED:
                self._tally.counts.unrecognised += 1
            elif reading.read_as is not ReadAs.INSTANCE:
                self._tally.counts.unreadable += 1
            yield Validated(reading)
            return
        self._open[reading.source.number] = len(keys)
        for question, key in keys.items():
            outcome = self._writer.find(key, instance.hash, question) if key in known else None
            if outcome is not None:
                already = self._writer.knew(outcome)
                self._tally.counts.known += already
                yield self._answer(reading, outcome, known=already)
            else:
                task = Task(key, instance, question, reading.source.name, solver_version(instance.domain))
                self._want(reading, task, worker)

    def _want(self, reading: Reading, task: Task, worker: int | None) -> None:
        """Ask, or wait with others who want the same."""
        self._ahead += 1
        if task.key in self._asked:
            self._asked[task.key].append(reading)
            return
        self._asked[task.key] = [reading]
        self._bytes_ahead += len(task.instance.packed)
        self._waiting.setdefault(worker, deque()).append(task)

    def _take_outcomes(self, job: Job, tasks: tuple[Task, ...]) -> Iterator[Validated]:
        outcomes = self._collect(job, tasks, self._alone.append, self._failed)
        if outcomes is None:
            return
        # All of them are kept before the first is yielded: a caller who stops iterating loses none.
        yield from [answered for pair in zip(tasks, outcomes, strict=True) for answered in self._take_outcome(*pair)]

    def _failed(self, task: Task, error: Exception) -> Outcome:
        if isinstance(error, WorkerLost):
            return killed(task, error, self._deaths[task.key] + 1, self._hard_limits)
        return broken(task, error)

    def _take_outcome(self, task: Task, outcome: Outcome) -> list[Validated]:
        # By the clock of this machine: those of a cluster may differ, and it decides what was known before.
        outcome = replace(outcome, attempts=self._deaths.pop(task.key, 0) + 1, finished=time.time())
        self._sizer.learn(task, outcome.seconds)
        self._tally.counts.solving_seconds += outcome.seconds
        self._writer.add_outcome(task, outcome)
        readings = self._asked.pop(task.key)
        self._ahead -= len(readings)
        self._bytes_ahead -= len(task.instance.packed)
        return [self._answer(reading, outcome, known=False) for reading in readings]

    def _answer(self, reading: Reading, outcome: Outcome, *, known: bool) -> Validated:
        source = reading.source
        self._writer.link(source, outcome.key)
        self._tally.counts.verdicts[outcome.verdict or "ERROR"] += 1
        self._open[source.number] -= 1
        if not self._open[source.number]:
            del self._open[source.number]
            self._tally.counts.done += 1
        return Validated(reading, outcome.question, outcome, known)

    def _notify(self) -> None:
        for line in self._pool.take_notices():
            if self._options.notice is not None:
                self._options.notice(line)
        if self._options.listen is not None:
            self._options.listen(self.progress)


def _name(part: Source | Task) -> str:
    """Return what tells a source from all others of the run, and from the key of every task."""
    return part.key if isinstance(part, Task) else f"{part.number} {part.name}"
