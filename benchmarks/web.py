"""How the workbench holds up: small requests while many people have questions answered, and memory over time."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.web_load import Reply, find_wrong, run_load
from solvent.registry import all_domains

AT_ONCE = 200
"""Requests at once, as many people solving would make."""
SECONDS_BETWEEN_PROBES = 0.02


@dataclass(frozen=True, slots=True)
class Probe:
    """Hold one small request as the page makes it."""

    name: str
    method: str
    path: str
    body: bytes | None = None


def make_probes() -> list[Probe]:
    """Return the small requests to measure; a small instance of each domain is read."""
    probes = [Probe(path, "GET", path) for path in ("/", "/static/app.js", "/api/about", "/api/examples")]
    for domain in all_domains():
        text = min((example.text for example in domain.examples()), key=len)
        body = json.dumps({"text": text, "domain": domain.name}).encode()
        probes.append(Probe(f"/api/load ({domain.name})", "POST", "/api/load", body))
    return probes


@contextlib.contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Have a server of its own, with every kernel loaded; yields its process and address."""
    command = [sys.executable, "-m", "solvent", "serve", "--port", "0", "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().removeprefix("Solvent is at ").strip()
        run_load(address, at_once=8, requests=64)  # waits until all workers are there, and have read something
        yield server, address
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def measure_probes(address: str, is_over: Callable[[], bool]) -> list[tuple[str, int, float]]:
    """Make small requests one after the other until it is over; return the name, status and seconds of each."""
    where = urlsplit(address)
    measured = []
    probes = make_probes()
    while not is_over():
        for probe in probes:
            began = time.perf_counter()
            connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
            headers = {} if probe.body is None else {"content-type": "application/json"}
            connection.request(probe.method, probe.path, probe.body, headers)
            reply = connection.getresponse()
            reply.read()
            connection.close()
            measured.append((probe.name, reply.status, time.perf_counter() - began))
            time.sleep(SECONDS_BETWEEN_PROBES)
    return measured


def measure_idle(address: str, rounds: int) -> list[tuple[str, int, float]]:
    """Measure the small requests while nobody else has any."""
    left = iter(range(rounds))
    return measure_probes(address, lambda: next(left, None) is None)


def measure_busy(
    address: str, *, requests: int, at_once: int = AT_ONCE
) -> tuple[list[tuple[str, int, float]], list[Reply], float]:
    """Measure the small requests while many others are made from another process; also returns those and the time."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as crowd:
        crowd.submit(os.getpid).result()
        began = time.perf_counter()
        loading = crowd.submit(run_load, address, at_once=at_once, requests=requests)
        measured = measure_probes(address, loading.done)
        return measured, loading.result(), time.perf_counter() - began


def measure_memory(server: int, address: str, requests: int, parts: int = 4) -> list[float]:
    """Return the megabytes the server process holds at first, and after each part of so many requests."""
    held = [resident_megabytes(server)]
    for part in range(parts):
        run_load(address, at_once=16, requests=requests // parts, seed=part)
        held.append(resident_megabytes(server))
    return held


def resident_megabytes(process: int) -> float:
    """Return what a process holds; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def report(
    idle: Sequence[tuple[str, int, float]],
    busy: Sequence[tuple[str, int, float]],
    replies: Sequence[Reply],
    seconds: float,
    memory: Sequence[float],
    *,
    at_once: int,
) -> dict[str, Any]:
    """Return everything that was measured as JSON values."""
    names = list(dict.fromkeys(name for name, _, _ in busy))
    rows = [
        {
            "request": name,
            "idle": _milliseconds([took for each, _, took in idle if each == name]),
            "busy": _milliseconds([took for each, _, took in busy if each == name]),
            "refused": sum(status == 503 for each, status, _ in busy if each == name),
        }
        for name in names
    ]
    wrong = find_wrong(replies)
    wrong += [f"{name}: status {status}" for name, status, _ in (*idle, *busy) if status not in (200, 503)]
    return {
        "summary": rows,
        "all": _milliseconds([took for _, _, took in busy]),
        "load": {
            "at_once": at_once,
            "requests": len(replies),
            "turned_away": sum(reply.turned_away for reply in replies),
            "seconds": round(seconds, 2),
            "rate": round(len(replies) / seconds, 1),
            "answer": _milliseconds([reply.seconds for reply in replies]),
        },
        "memory_megabytes": list(memory),
        "wrong": wrong,
    }


def _milliseconds(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    shares = {"median": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(1000 * ordered[round(share * (len(ordered) - 1))], 1) for name, share in shares.items()}
