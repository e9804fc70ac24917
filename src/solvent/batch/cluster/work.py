"""What happens inside a worker of a cluster: instances run in a process of its own, which may die without harm.

The cluster's worker only waits. So whatever an instance does, the worker stays, and limits hold as they do locally.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import wait
from dataclasses import dataclass, replace
from typing import Any

from solvent.batch.cluster.workers import difference
from solvent.batch.fingerprint import solver_version
from solvent.batch.settings import SHARE_OF_MEMORY, Limits
from solvent.batch.workers import work
from solvent.batch.workers.pool import CannotStart, Job, LocalPool
from solvent.core.memory import machine_megabytes
from solvent.registry import domain_names

TOPIC = "solvent"
"""Under which workers announce, through the scheduler, that they have begun something."""
POLL_SECONDS = 0.25
"""How often to ask whether anybody still wants the result."""
SECONDS_TO_KEEP = 60.0
"""How long an idle process is kept for the next batch."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold what came of one job."""

    result: Any = None
    error: Exception | None = None
    """What the function raised; or WorkerLost, if its process is gone."""
    refused: tuple[str, Mapping[str, str]] | None = None
    """The address and the versions of this worker, if they are not those that were asked for: nothing was done."""
    abandoned: bool = False
    """Whether it was given up because the leader no longer wanted the result."""


def report_versions() -> dict[str, str]:
    """Return the version of each domain's solver on this machine."""
    return _versions_here(domain_names())


def _versions_here(domains: Iterable[str]) -> dict[str, str]:
    versions = {}
    for name in domains:
        with contextlib.suppress(Exception):  # a domain that cannot be loaded here cannot take part
            versions[name] = solver_version(name)
    return versions


def carry_out(versions: Mapping[str, str], packed: bytes) -> bytes:
    """Do one packed job and return its packed reply. It is unpacked only where these versions are installed."""
    from distributed import get_worker

    worker = get_worker()
    if difference(versions, _versions_here(versions)) is not None:
        return pickle.dumps(Reply(refused=(worker.address, report_versions())))
    worker.log_event(TOPIC, {"began": worker.get_current_task()})
    function, arguments, seconds, label = pickle.loads(packed)
    return pickle.dumps(_in_own_process(worker, function, arguments, seconds, label))


def versions_needed(arguments: tuple[Any, ...]) -> dict[str, str]:
    """Return the solvers, by domain, that a job was meant for."""
    orders = [argument for argument in arguments if isinstance(argument, work.SolveOrder)]
    return {task.instance.domain: task.solver for order in orders for task in order.tasks}


def _in_own_process(
    worker: Any, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float | None, label: str
) -> Reply:
    # The leader's hard limit of memory is replaced by one that fits this machine, unless the user has set one.
    arguments = tuple(
        replace(each, hard_megabytes=_megabytes(worker, each.settings.limits))
        if isinstance(each, work.SolveOrder)
        else each
        for each in arguments
    )
    orders = [argument for argument in arguments if isinstance(argument, work.SolveOrder)]
    megabytes = orders[0].hard_megabytes if orders else _megabytes(worker, Limits())
    pool = _borrow(megabytes)
    try:
        reply = Reply(_wait(worker, pool.submit(function, *arguments, seconds=seconds, label=label)))
    except (_Abandoned, CannotStart) as ending:
        pool.close(now=True)
        return Reply(abandoned=True) if isinstance(ending, _Abandoned) else Reply(error=_sendable(ending))
    except Exception as error:
        reply = Reply(error=_sendable(error))
    _give_back(pool, megabytes, worker)
    return reply


def _megabytes(worker: Any, limits: Limits) -> float:
    if limits.kill_above is not None:
        return limits.kill_above
    allowed: int | None = worker.memory_manager.memory_limit  # bytes for all threads; None if told not to care
    megabytes = machine_megabytes() if allowed is None else allowed / 1e6
    threads: int = worker.state.nthreads
    return SHARE_OF_MEMORY * megabytes / max(1, threads)


class _Abandoned(Exception):
    """Say that the leader no longer wants the result."""


def _wait(worker: Any, job: Job) -> Any:
    """Return the result of a job, or raise; raises _Abandoned as soon as the leader is gone or has lost interest."""
    key = worker.get_current_task()
    while not wait([job], timeout=POLL_SECONDS).done:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise _Abandoned
    return job.result()


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


# One process for each thread of the cluster's worker, kept between batches: a new one would import its solver again.


@dataclass(slots=True)
class _Idle:
    """Hold a process that waits for work, the limit it was made for, and since when it waits."""

    pool: LocalPool
    megabytes: float
    since: float


_idle: list[_Idle] = []
_lock = threading.Lock()


def _borrow(megabytes: float) -> LocalPool:
    with _lock:
        for each in _idle:
            if each.megabytes == megabytes:
                _idle.remove(each)
                return each.pool
    return LocalPool(1, hard_megabytes=megabytes)


def _give_back(pool: LocalPool, megabytes: float, worker: Any) -> None:
    with _lock:
        _idle.append(_Idle(pool, megabytes, time.monotonic()))
    worker.loop.add_callback(worker.loop.call_later, SECONDS_TO_KEEP + 1, _tidy)


def _tidy() -> None:
    """End the processes that were idle for a while: others may use the cluster as well."""
    with _lock:
        stale = [each for each in _idle if time.monotonic() - each.since > SECONDS_TO_KEEP]
        for each in stale:
            _idle.remove(each)
    for each in stale:
        each.pool.close(now=True)
