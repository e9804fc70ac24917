"""Workers on a cluster: the same jobs as in a local pool, sent to a Dask scheduler.

The scheduler may be shared: it is left running, and nothing of ours stays there.
"""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from solvent.batch.cluster.connection import SchedulerConnection, Sending, complete
from solvent.batch.cluster.local import CannotStartCluster, LocalScheduler
from solvent.batch.cluster.work import versions_needed
from solvent.batch.fingerprint import solver_version
from solvent.batch.machine import usable_cores
from solvent.batch.workers.pool import Job, Pool
from solvent.core.errors import BadOption, ClusterError, show_value
from solvent.registry import BUILTIN_DOMAINS

SECONDS_TO_CLOSE = 5.0
SECONDS_TO_CLOSE_AT_ONCE = 0.1
"""How long closing waits for the goodbye to a scheduler. Without it the scheduler notices that we are gone."""
SECONDS_TO_SEND = 0.02
"""What a worker waits between two jobs, at most."""
SECONDS_FOR_EACH_WORKER = 0.0002
"""Batches grow with the cluster, so that one scheduler and one leader have at most about a hundred jobs a second."""
EXPECTED = "tcp://HOST:PORT, tls://HOST:PORT, a scheduler file (.json) or local:WORKERS"
LOGGERS = ("distributed", "tornado", "asyncio")


def open_cluster(address: str) -> Pool:
    """Connect to the cluster at an address, or start one on this machine with `local:4`.

    Raises BadOption for an address that makes no sense, ClusterError where no scheduler answers or no worker matches.
    """
    _need_distributed()
    workers = _local_workers(address)
    if workers is None:
        return ClusterPool(_scheduler_address(address))
    try:
        local = LocalScheduler(workers)
    except (CannotStartCluster, OSError) as error:
        raise ClusterError(f"{address}: the cluster could not be started: {error}") from None
    return ClusterPool(local.address, local=local)


class ClusterPool:
    """Some workers of a cluster, with the interface of a local pool. They cannot read the files of this machine."""

    def __init__(self, address: str, *, local: LocalScheduler | None = None) -> None:
        """Connect to a scheduler. `local` is one of our own, which ends with the pool."""
        self.address = address
        self._local = local
        self._notices: deque[str] = deque()
        self._connection = SchedulerConnection(
            address, {name: solver_version(name) for name in BUILTIN_DOMAINS}, self._notices.append
        )
        self._loop = asyncio.new_event_loop()
        self._conversation: asyncio.Task[None] | None = None
        self._connected: Future[None] = Future()
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: set[Job] = set()
        """Jobs without a result yet."""
        self._handling = threading.Lock()
        self._thread = threading.Thread(target=self._talk, name="solvent cluster", daemon=True)
        try:
            with _report_mismatches(self._notices.append):
                self._thread.start()
                self._connected.result()
        except BaseException:
            self.close(now=True)
            raise

    @property
    def width(self) -> int:
        """Return how many instances can be worked on at once now; at least 1, so that a cluster sees what waits."""
        return max(1, self._connection.workers.width)

    @property
    def overhead_seconds(self) -> float:
        """Return about what sending one job costs. With many workers the scheduler has to be spared as well."""
        return max(SECONDS_TO_SEND, SECONDS_FOR_EACH_WORKER * self.width)

    def take_notices(self) -> list[str]:
        """Return what people should know and have not been told yet: workers that were refused, or that left."""
        notices = []
        with suppress(IndexError):
            while True:
                notices.append(self._notices.popleft())
        return notices

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None,
        label: str = "",
        worker: int | None = None,  # noqa: ARG002 - no job here says which worker took it
    ) -> Job:
        """Have a worker call a function; returns at once. `seconds` is the hard limit, from when a worker took it."""
        job = Job(label)
        try:
            packed = pickle.dumps((function, arguments, seconds, label))
        except Exception as error:
            job.set_exception(error)
            return job
        sending = Sending(job, versions_needed(arguments), packed)
        with self._handling:
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._jobs.add(job)
        job.add_done_callback(self._forget)
        self._loop.call_soon_threadsafe(self._begin, sending)
        return job

    def close(self, *, now: bool = False) -> None:
        """Let everything that was submitted finish, then leave; with `now`, leave at once and cancel what is open.

        A shared scheduler drops what was ours, and its workers end what they had begun of it.
        """
        with self._handling:
            self._closed = True
        if not now:
            wait(self._open_jobs())
        for job in self._open_jobs():
            job.cancel()
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._leave)
        if self._thread.is_alive():
            self._thread.join(SECONDS_TO_CLOSE_AT_ONCE if now else SECONDS_TO_CLOSE)
        if self._local is not None:
            self._local.close()

    def _open_jobs(self) -> list[Job]:
        with self._handling:
            return list(self._jobs)

    def _forget(self, job: Future[Any]) -> None:
        with self._handling:
            self._jobs.discard(cast(Job, job))

    # What follows runs in the thread of the conversation.

    def _talk(self) -> None:
        with _silence_of_this_thread():
            asyncio.set_event_loop(self._loop)
            try:
                self._conversation = self._loop.create_task(self._converse())
                self._loop.run_until_complete(self._conversation)
            finally:
                self._loop.close()

    async def _converse(self) -> None:
        try:
            await self._connection.open()
            self._connected.set_result(None)
            await self._connection.watch()
        except asyncio.CancelledError:  # we are leaving
            self._connected.cancel()
        except Exception as error:
            complete(self._connected, error=error)
            for job in self._open_jobs():  # they would never be answered
                complete(job, error=error)
        finally:
            others = [task for task in asyncio.all_tasks() if task is not self._conversation]
            await self._connection.close()
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    def _begin(self, sending: Sending) -> None:
        task = self._loop.create_task(self._connection.see_through(sending))
        self._tasks.add(task)  # the loop itself would not keep it
        task.add_done_callback(self._tasks.discard)

    def _leave(self) -> None:
        if self._conversation is not None:
            self._conversation.cancel()


def _need_distributed() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ClusterError('a cluster needs one more package: pip install "solvent[cluster]"') from None


def _local_workers(address: str) -> int | None:
    """Return how many workers to start on this machine; None if the address is that of a scheduler."""
    if address == "local":
        return usable_cores()
    if not address.startswith("local:"):
        return None
    number = address.removeprefix("local:")
    if not number.isdecimal() or int(number) < 1:
        raise BadOption(f"cluster: expected {EXPECTED}, found {show_value(address)}")
    return int(number)


def _scheduler_address(address: str) -> str:
    if address.endswith(".json"):
        return _address_in_file(address)
    full = address if "://" in address else f"tcp://{address}"
    scheme, _, place = full.partition("://")
    host, _, port = place.rpartition(":")
    if scheme in ("tcp", "tls") and not (host and port.isdecimal()):
        raise BadOption(f"cluster: expected {EXPECTED}, found {show_value(address)}")
    return full


def _address_in_file(path: str) -> str:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))["address"]
    except OSError as error:
        raise ClusterError(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise ClusterError(f"{path}: expected a scheduler file, with an address in it") from None
    return str(found)


@contextmanager
def _report_mismatches(notify: Callable[[str], None]) -> Iterator[None]:
    """Say in one line what Dask says in a table: that some package is not the same everywhere."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if warning.category.__name__ == "VersionMismatchWarning":
            notify("some packages are not of the same version here and on the cluster; if it fails, look there first")
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


@contextmanager
def _silence_of_this_thread() -> Iterator[None]:
    """Keep what Dask logs in this thread off the terminal; what matters comes as notices and errors."""
    thread = threading.get_ident()

    def is_of_another_thread(record: logging.LogRecord) -> bool:
        return record.thread != thread

    loggers = [
        logging.getLogger(name) for name in list(logging.root.manager.loggerDict) if name.partition(".")[0] in LOGGERS
    ]
    for logger in loggers:
        logger.addFilter(is_of_another_thread)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_of_another_thread)
