"""The conversation with a scheduler: send jobs, hear what became of them, keep an eye on who is there.

Everything here runs in one event loop; `cluster.ClusterPool` carries jobs into it and notices out of it. Nothing is
left at the scheduler that is not being worked on, and nothing of Solvent has to be installed there: what is to be done
travels as a line of text and as bytes, which only a worker with the right versions opens.
"""

from __future__ import annotations

import asyncio
import pickle
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from solvent.batch.cluster.work import TOPIC, Reply
from solvent.batch.cluster.workers import ClusterWorkers, Report, describe
from solvent.batch.workers.pool import CannotStart, Job, WorkerLost
from solvent.core.errors import ClusterError

SECONDS_TO_CONNECT = 10.0
"""How long a scheduler may take to answer, at the beginning and after a connection was lost."""
SECONDS_TO_REPORT = 60.0
"""How long a worker may take to say which versions it has; the first time, it has to import them."""
ASKED_AT_ONCE = 50
"""How many workers are asked for their versions at the same time; each takes a connection to the scheduler."""
POLL_SECONDS = 0.5
TRIES = 3
"""How often a job is sent again when the worker that had it is gone; instances cannot take a worker down, so most
often another worker took it."""

# Sent as text: unpickling a function needs its module, and then a worker without Solvent could not even say so.
_MODULE = "__import__('importlib').import_module('solvent.batch.cluster.work')"
_ASK = f"{_MODULE}.report_versions()"
_DO = f"{_MODULE}.carry_out(versions, packed)"


@dataclass(eq=False, slots=True)
class Sending:
    """Hold a job on its way, with all that is needed to send it again."""

    job: Job
    versions: Mapping[str, str]
    """The solvers it was meant for."""
    packed: bytes
    losses: int = 0
    """How often a worker that had it was lost, or failed for reasons of its own."""
    future: Any = None
    """What the scheduler knows it by; None while it is not there."""
    workers: list[str] | None = None
    """Who may do it; None if everybody may."""


class SchedulerConnection:
    """Talk with one scheduler."""

    def __init__(self, address: str, required: Mapping[str, str], notify: Callable[[str], None]) -> None:
        """Prepare to connect. `required` are the versions every worker must have; `notify` gets lines for people."""
        self.address = address
        self.workers = ClusterWorkers(required)
        self._notify = notify
        self._token = uuid.uuid4().hex[:12]
        self._count = 0
        self._sent: dict[str, Sending] = {}
        """Jobs that are at the scheduler, by key."""
        self._asking: dict[str, asyncio.Task[None]] = {}
        """Workers that were asked for their versions and have not answered yet."""
        self._questions = asyncio.Semaphore(ASKED_AT_ONCE)
        self._deserted = False
        self._interrupted = False
        self._client: Any = None

    async def open(self) -> None:
        """Connect and look who is there; raises ClusterError if no scheduler answers or no worker matches."""
        from distributed import Client

        try:
            client = Client(
                self.address, asynchronous=True, set_as_default=False, timeout=SECONDS_TO_CONNECT, name="solvent"
            )
            self._client = await client
        except Exception as error:
            raise ClusterError(f"no scheduler answers at {self.address}: {_in_a_line(error)}") from None
        self._client.subscribe_topic(TOPIC, self._hear)
        await self._look()
        await self._hear_reports()
        self._require_a_match()
        self._notify_about_workers()

    async def close(self) -> None:
        """Leave. The scheduler then drops our jobs, and workers end what they had begun of them."""
        if self._client is not None:
            await self._client._close(fast=True)

    async def watch(self) -> None:
        """Keep an eye on who comes and goes."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self._client.status != "running":
                continue  # those waiting for a job notice that
            try:
                left = await self._look()
                if left:
                    self._notify(f"{describe(left)} left; others go on with what was begun there")
                self._notify_about_workers()
                await self._call_back_the_misplaced()
            except Exception:  # noqa: S112
                # The connection broke meanwhile; if it is not that, the next look will meet it again.
                continue

    async def see_through(self, sending: Sending) -> None:
        """Send a job, and again if need be, until it has a result or an error."""
        try:
            while not sending.job.done():
                await self._send(sending)
                await self._receive(sending)
        except Exception as error:
            complete(sending.job, error=error)

    # Sending and receiving

    async def _send(self, sending: Sending) -> None:
        import dask

        await self._connected()
        if self.workers.require(sending.versions):
            self._require_a_match()
            self._notify_about_workers()
        while self.workers.refused and not self.workers.good:
            await asyncio.sleep(POLL_SECONDS / 2)
            await self._connected()
        # With no worker to avoid, any may have it: a cluster that grows with its load has to see what waits.
        # A newcomer that does not fit refuses by itself.
        sending.workers = self.workers.good if self.workers.refused else None
        self._count += 1
        key = f"solvent-{self._token}-{self._count}"
        self._sent[key] = sending
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):  # instances may be large
            sending.future = self._client.submit(
                eval,
                _DO,
                {"versions": dict(sending.versions), "packed": sending.packed},
                key=key,
                pure=False,
                workers=sending.workers,
            )

    async def _receive(self, sending: Sending) -> None:
        from distributed.scheduler import KilledWorker

        key = sending.future.key
        try:
            reply: Reply = pickle.loads(await self._client.gather(sending.future))
        except KilledWorker:
            self._count_loss(sending, WorkerLost("died", "with the machine it was on"))
            return
        except Exception as error:
            await self._look_into(sending, error)
            return
        finally:
            del self._sent[key]
            sending.future = None  # released at the scheduler as well
        if reply.refused is not None:
            address, versions = reply.refused
            self.workers.note(address, Report(versions))
            self._notify_about_workers()
        elif isinstance(reply.error, CannotStart):
            self._count_loss(sending, reply.error)
        elif not reply.abandoned:
            complete(sending.job, reply.result, reply.error)

    async def _look_into(self, sending: Sending, error: Exception) -> None:
        """Find out why a job failed that had not even begun, or did not come back."""
        if isinstance(error, CancelledError | OSError):
            return  # the connection broke, or we called it back: it is sent again
        await self._look()
        await self._hear_reports()
        self._notify_about_workers()
        if sending.workers is None and self.workers.refused:
            return  # it went to a worker that does not match, as has turned out
        self._count_loss(sending, ClusterError(f"the cluster cannot do what it is asked: {_in_a_line(error)}"))

    def _count_loss(self, sending: Sending, error: Exception) -> None:
        sending.losses += 1
        sending.job.began = None
        if sending.losses >= TRIES:
            complete(sending.job, error=error)

    def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Take note that a worker has begun a job."""
        _moment, message = event
        sending = self._sent.get(message.get("began", ""))
        if sending is not None:
            sending.job.began = time.monotonic()

    async def _connected(self) -> None:
        """Wait while a lost connection is being made again; raises ClusterError when that is given up."""
        while self._client.status == "connecting":
            if not self._interrupted:
                self._interrupted = True
                self._notify(f"the scheduler at {self.address} does not answer; waiting for it")
            await asyncio.sleep(0.1)
        if self._client.status != "running":
            raise ClusterError(f"the scheduler at {self.address} is gone")
        if self._interrupted:
            self._interrupted = False
            self._client.subscribe_topic(TOPIC, self._hear)

    # Who is there

    async def _look(self) -> list[str]:
        """See who is there, ask newcomers for their versions, and return who has left."""
        left = self.workers.update(await self._client.nthreads())
        if self.workers.nameless:
            await self._learn_names()
        for address in set(self.workers.unheard) - set(self._asking):
            self._asking[address] = asyncio.create_task(self._ask(address))
        return left

    async def _hear_reports(self) -> None:
        """Wait for the workers that were asked; for slow ones only as long as no other matches."""
        if self._asking:
            await asyncio.wait(self._asking.values(), timeout=SECONDS_TO_CONNECT)
        while self._asking and not self.workers.good:
            await asyncio.wait(self._asking.values(), return_when=asyncio.FIRST_COMPLETED)

    async def _ask(self, address: str) -> None:
        try:
            async with self._questions:
                asked = self._client.run(eval, _ASK, workers=[address], on_error="return")
                answer = (await asyncio.wait_for(asked, SECONDS_TO_REPORT)).get(address)
        except Exception:
            answer = None
        finally:
            del self._asking[address]
        if isinstance(answer, dict):
            self.workers.note(address, Report(answer))
        elif isinstance(answer, ModuleNotFoundError) and answer.name == "solvent":
            self.workers.note(address, Report(None, "Solvent is not installed there"))
        elif isinstance(answer, Exception) and not isinstance(answer, OSError):
            self.workers.note(address, Report(None, f"its Solvent cannot be used: {_in_a_line(answer)}"))
        # A worker that could not be reached is asked again at the next look, if it is still there.

    def _require_a_match(self) -> None:
        if self.workers.refused and not self.workers.good and not self.workers.unheard:
            reasons = "".join(f"\n  {objection}" for objection in self.workers.objections())
            raise ClusterError(f"no worker at {self.address} can take part:{reasons}")

    def _notify_about_workers(self) -> None:
        for objection in self.workers.objections():
            self._notify(objection)
        if not self.workers.good and not self.workers.unheard and not self._deserted:
            self._deserted = True
            self._notify(f"no worker at {self.address} can take part now; waiting for one")
        elif self.workers.good and self._deserted:
            self._deserted = False
            self._notify(f"a worker has come to {self.address}; going on")

    async def _learn_names(self) -> None:
        names = {address: address for address in self.workers.nameless}
        for which in ({"n_workers": -1}, {}):  # an older Dask names all workers unasked, and does not know the word
            with suppress(Exception):
                identity = await self._client.scheduler.identity(**which)
                names.update({address: str(facts["name"]) for address, facts in identity["workers"].items()})
                break
        for address, name in names.items():
            self.workers.call(address, name)

    async def _call_back_the_misplaced(self) -> None:
        """Call back jobs that may only be done by workers that are gone, so that they are sent to others."""
        for sending in list(self._sent.values()):
            placed = sending.workers
            if placed is not None and sending.future is not None and not self.workers.is_anyone_here(placed):
                await self._client.cancel([sending.future])


def complete(job: Future[Any], result: Any = None, error: Exception | None = None) -> None:
    """Give a job its end, unless it has one: it may have been cancelled."""
    with suppress(InvalidStateError):
        if error is not None:
            job.set_exception(error)
        else:
            job.set_result(result)


def _in_a_line(error: BaseException) -> str:
    text = next(iter(str(error).strip().splitlines()), "")
    return text or type(error).__name__
