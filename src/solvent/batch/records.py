"""What travels between the process that leads a run, its workers and the store: plain data, cheap to send.

Instances and certificates travel packed (compressed text), and are unpacked only where they are used.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

PACKING_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Source:
    """Say where one instance is to be read from. It has a path or a text, never both."""

    number: int
    """Its place in the run, from 0."""
    name: str
    """What people call it: the path as given, or the name that came with the text."""
    path: str | None = None
    text: str | None = None
    domain: str | None = None
    """What to read it as; None to detect it."""
    line: int | None = None
    """Where in a file of many instances it stands, from 1; None if it is the whole file."""
    problem: str | None = None
    """Why it cannot even be looked at, such as a line that is not JSON; None otherwise."""
    mapping: str | None = None
    """The file that says what the names in it mean; None for what lies beside it."""
    named: bool = False
    """Whether the user meant this very source to be an instance; False for a file of a folder."""


class ReadAs(Enum):
    """Tell what reading a source came to."""

    INSTANCE = "instance"
    UNRECOGNISED = "unrecognised"
    """No domain recognises it: a licence, a picture, notes. It is listed, and is no failure."""
    UNREADABLE = "unreadable"
    """A domain knows it, but it is broken, or the file cannot be opened."""
    KILLED = "killed"
    """Reading it took more time or memory than allowed, or the reader died of it."""
    BUG = "bug"
    """A bug kept the reader from saying which of these it is; the message is its traceback."""


@dataclass(frozen=True, slots=True)
class Instance:
    """Hold one instance in its domain's first format. Two files that say the same are one instance."""

    hash: str
    """SHA-256 of the domain's name and the text, in hex."""
    domain: str
    size: int | None
    packed: bytes
    """The text, compressed; see `pack`."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what reading one source came to."""

    source: Source
    read_as: ReadAs
    instance: Instance | None = None
    message: str = ""
    """Why there is no instance; empty if there is one."""
    remarks: tuple[str, ...] = ()
    """What reading had to assume."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """Hold one question about one instance, ready to be sent to a worker."""

    key: str
    """Stands for instance, question, budget, options and solver version; see `settings.answer_key`."""
    instance: Instance
    question: str
    name: str
    """What people call the instance, to show progress."""
    solver: str
    """The version of the solver to be asked; see `fingerprint.solver_version`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what asking came to, as the store keeps it."""

    key: str
    question: str
    verdict: str | None
    """YES, NO or UNKNOWN; None only if something else than a search kept the solver from any, as `error` then tells."""
    cause: str | None = None
    """The name of the `Cause` of an UNKNOWN, such as TIME or KILLED."""
    detail: str = ""
    """A few words beside the cause, such as `limit 5 s` or `over 400 MB`."""
    because: str = ""
    """One sentence that says why, from the solver."""
    form: str | None = None
    """The form of the certificate; None without one."""
    certificate: bytes | None = None
    """The certificate as JSON, compressed; see `pack`."""
    stats: Mapping[str, Any] = field(default_factory=dict)
    expanded: int | None = None
    length: int | None = None
    seconds: float = 0.0
    """Wall-clock time of solving and checking."""
    cpu_seconds: float = 0.0
    peak_megabytes: float | None = None
    """How much the worker grew at most meanwhile; None where the system cannot tell."""
    error: str = ""
    """Why there is no verdict: the traceback of a bug, or an option that the solver refused; empty otherwise."""
    attempts: int = 1
    machine: str = ""
    """Where it was solved, as `machine.describe_machine` writes it."""
    finished: float = 0.0
    """When, in seconds since 1970."""

    @property
    def certified(self) -> bool:
        """Tell whether a checker accepted a certificate for this verdict."""
        return self.certificate is not None


def pack(text: bytes) -> bytes:
    """Compress a text for travel and for the store; the same text always gives the same bytes."""
    return zlib.compress(text, PACKING_LEVEL)


def unpack(packed: bytes) -> bytes:
    """Give back what was packed; raises zlib.error if the bytes were damaged."""
    return zlib.decompress(packed)


def is_traceback(error: str) -> bool:
    """Tell the traceback of a bug from other messages about what went wrong."""
    return "Traceback (" in error.partition("\n")[0]  # that of a group of exceptions has a mark in front
