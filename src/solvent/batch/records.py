"""What travels between the process that leads a run, its workers and the store: plain data, cheap to send.

Instances and certificates travel packed (compressed text), and are unpacked only where they are used. All of it are
structs: data classes take several times as long to make and to send, which shows in large runs of small instances.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct, field

PACKING_LEVEL = 6
SMALLEST_TO_COMPRESS = 256
"""Bytes. A shorter text hardly shrinks, and zlib takes longer over it than a small board takes to be checked."""

_STORED = struct.Struct("<2sBHH")
"""How zlib begins with a text as it is: its own header, that this is the last block, its length, and that inverted."""
_ZLIB_HEADER = b"\x78\x01"


class Source(Struct, frozen=True):
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


class Instance(Struct, frozen=True):
    """Hold one instance in its domain's first format. Two files that say the same are one instance."""

    hash: str
    """SHA-256 of the domain's name and the text, in hex."""
    domain: str
    size: int | None
    packed: bytes
    """The text, compressed; see `pack`."""


class Reading(Struct, frozen=True):
    """Hold what reading one source came to."""

    source: Source
    read_as: ReadAs
    instance: Instance | None = None
    message: str = ""
    """Why there is no instance; empty if there is one."""
    remarks: tuple[str, ...] = ()
    """What reading had to assume."""
    seconds: float = 0.0


class Task(Struct, frozen=True):
    """Hold one question about one instance, ready to be sent to a worker."""

    key: str
    """Stands for instance, question, budget, options and solver version; see `settings.answer_key`."""
    instance: Instance
    question: str
    name: str
    """What people call the instance, to show progress."""
    solver: str
    """The version of the solver to be asked; see `fingerprint.solver_version`."""


class Outcome(Struct, frozen=True):
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


class Stats(Mapping[str, Any]):
    """Hold what a solver counted as JSON, which is how it travels and is kept; it is decoded only where it is read."""

    __slots__ = ("_decoded", "json")

    def __init__(self, json: bytes) -> None:
        self.json = json
        self._decoded: dict[str, Any] | None = None

    def __getitem__(self, name: str) -> Any:
        return self._counts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __reduce__(self) -> tuple[type[Stats], tuple[bytes]]:
        return Stats, (self.json,)

    @property
    def _counts(self) -> dict[str, Any]:
        if self._decoded is None:
            self._decoded = _stats_decoder.decode(self.json)
        return self._decoded


_stats_decoder = msgspec.json.Decoder(dict[str, Any])


def pack(text: bytes) -> bytes:
    """Compress a text for travel and for the store; the same text always gives the same bytes, which zlib reads."""
    length = len(text)
    if length >= SMALLEST_TO_COMPRESS:
        return zlib.compress(text, PACKING_LEVEL)
    return _STORED.pack(_ZLIB_HEADER, 1, length, length ^ 0xFFFF) + text + zlib.adler32(text).to_bytes(4, "big")


def unpack(packed: bytes) -> bytes:
    """Give back what was packed; raises zlib.error if the bytes were damaged."""
    return zlib.decompress(packed)


def is_traceback(error: str) -> bool:
    """Tell the traceback of a bug from other messages about what went wrong."""
    return "Traceback (" in error.partition("\n")[0]  # that of a group of exceptions has a mark in front
