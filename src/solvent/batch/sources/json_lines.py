"""Many instances in one stream: a JSON value on each line.

A line is a text in quotes, or an object with a `text` and, where wished, a `name` and a `domain`, or an instance whose
own format is JSON. A line that is none of these is a source with a problem; the lines after it are read all the same.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, cast

from solvent.core.errors import show_value
from solvent.reading import LARGEST_FILE_BYTES
from solvent.registry import domain_names

ENDINGS = (".jsonl", ".ndjson")
COMPRESSED_ENDINGS = tuple(f"{ending}.gz" for ending in ENDINGS)
EXPECTED = "expected a text in quotes, an object with a text, or an instance in JSON"
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Line:
    """Hold what one line says: a text, or a problem."""

    number: int
    """Counted from 1, blank lines included."""
    text: str | None = None
    name: str | None = None
    domain: str | None = None
    problem: str | None = None


def holds_lines(path: str) -> bool:
    """Tell by its name whether a file holds an instance a line."""
    return path.lower().endswith(ENDINGS + COMPRESSED_ENDINGS)


def open_lines(path: str) -> IO[bytes]:
    """Open a file that holds an instance a line, compressed or not."""
    if path.lower().endswith(COMPRESSED_ENDINGS):
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return open(path, "rb")


def count_lines(path: str) -> int | None:
    """Return how many instances such a file holds; None where telling would cost as much as reading."""
    if path.lower().endswith(COMPRESSED_ENDINGS):
        return None
    with open(path, "rb") as file:
        return sum(1 for line in _lines(file, most=0) if line)


def read_lines(stream: IO[bytes]) -> Iterator[Line]:
    """Yield what stands on each line that is not blank, until the stream ends or breaks."""
    names = frozenset(domain_names())
    number = 0
    try:
        for number, line in enumerate(_lines(stream, most=LARGEST_FILE_BYTES), start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line:
                yield _read_line(number, line, names)
    except (OSError, EOFError, zlib.error) as error:  # the last two from a compressed file that is damaged
        reason = getattr(error, "strerror", None) or str(error)
        yield Line(number + 1, problem=f"cannot read on from here: {reason}")


def _lines(stream: IO[bytes], *, most: int) -> Iterator[bytes]:
    """Yield each line without blanks around it; one that is longer than `most` is cut there and one byte more."""
    limit = max(most + 1, CHUNK_BYTES)
    while line := stream.readline(limit):
        kept = line.strip()[: most + 1]
        while not line.endswith(b"\n"):
            line = stream.readline(CHUNK_BYTES)
            if not line:
                break
            kept = kept or line.strip()[: most + 1]
        yield kept


def _read_line(number: int, line: bytes, domains: frozenset[str]) -> Line:
    import msgspec

    if len(line) > LARGEST_FILE_BYTES:
        return Line(number, problem=f"expected at most {LARGEST_FILE_BYTES >> 20} MB on a line")
    try:
        text = line.decode("utf-8")
        if line.startswith(b"{"):
            return _read_object(number, text, msgspec.json.decode(line, type=dict[str, msgspec.Raw]), domains)
        if line.startswith(b"["):
            msgspec.json.decode(line, type=msgspec.Raw)
            return Line(number, text)
        value = msgspec.json.decode(line)
        if isinstance(value, str):
            return Line(number, value)
    except UnicodeDecodeError as error:
        shown = show_value(line[error.start : error.start + 8])
        return Line(number, problem=f"expected text in UTF-8, found {shown} at byte {error.start + 1}")
    except RecursionError:
        return Line(number, problem="it is nested too deeply to be read")
    except msgspec.DecodeError as error:
        return Line(number, problem=f"{EXPECTED}, found {show_value(text)} ({_in_words(error)})")
    return Line(number, problem=f"{EXPECTED}, found {show_value(text)}")


def _read_object(number: int, text: str, fields: dict[str, object], domains: frozenset[str]) -> Line:
    """Take an object with a text apart; any other is an instance itself."""
    inner = _decoded(fields.get("text"))
    if not isinstance(inner, str):
        return Line(number, text)
    name, domain = _decoded(fields.get("name")), _decoded(fields.get("domain"))
    if name is not None and not isinstance(name, str):
        return Line(number, problem=f"expected a text as name, found {show_value(name)}")
    if domain is not None and (not isinstance(domain, str) or domain not in domains):
        known = ", ".join(sorted(domains))
        return Line(number, name=name, problem=f"expected a domain that there is ({known}), found {show_value(domain)}")
    return Line(number, inner, name=name or None, domain=domain)


def _decoded(raw: object) -> object:
    import msgspec

    return msgspec.json.decode(raw) if isinstance(raw, msgspec.Raw) else None


def _in_words(error: Exception) -> str:
    return str(error).removeprefix("JSON is malformed: ").removeprefix("Input data was ")
