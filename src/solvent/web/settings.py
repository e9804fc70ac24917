"""What a server allows: who may reach it, and what one request may cost."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solvent.batch.machine import usable_cores

FEWEST_WORKERS = 4
"""Enough for short questions to get past a few long ones, also on a machine of two cores: the system shares them."""
QUICK_WORKERS = 2
"""Workers of their own for what has to be quick: reading an instance, a move, a picture."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold what a server allows."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 to have the system choose a free one."""
    token: str | None = None
    """The password; None to let in all who reach the port."""
    paths: Sequence[Path] = ()
    """Files and folders of instances, and stores, that may be opened. Nothing else of the machine ever is."""
    jobs: int = field(default_factory=lambda: max(FEWEST_WORKERS, usable_cores()))
    """Workers for questions, hints, explanations and the like."""
    quick_jobs: int = QUICK_WORKERS
    waiting: int = 64
    """How many requests may wait for a worker before the next is asked to come back later."""
    seconds: float = 20.0
    """What a question may take if the request does not say."""
    most_seconds: float = 60.0
    """What a question may take at most, whatever the request says."""
    seconds_beside: float = 15.0
    """What a worker may take beyond its budget before it is ended: reading, checking, drawing."""
    quick_seconds: float = 10.0
    """What reading, a move or a picture may take."""
    megabytes: float = 2_000.0
    """By how much a worker may grow over one request."""
    body_bytes: int = 8 << 20
    """How large a request may be."""
    body_seconds: float = 20.0
    """How long the body of a request may take to arrive."""
    connections: int = 1_000
    """How many connections may be open; at the limit, clients with many of them make room for others."""
    header_seconds: float = 10.0
    """How long a connection may be open without anything to answer on it."""

    @property
    def is_local(self) -> bool:
        """Tell whether only this machine can reach the server."""
        return is_loopback(self.host)

    def allowed_seconds(self, wanted: float | None) -> float:
        """Return what a question may take, given what the request asks for."""
        return min(self.seconds if wanted is None else wanted, self.most_seconds)


def is_loopback(host: str) -> bool:
    """Tell whether an address is one that only this machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare_host(host)).is_loopback
    except ValueError:
        return False


def bare_host(host: str) -> str:
    """Return an address without the brackets that stand around one with colons."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host
