"""From what the user names to sources: files, folders with all below them, patterns, and lines of JSON."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from msgspec.structs import replace

from solvent.batch.names import name_of_path
from solvent.batch.records import Source
from solvent.batch.sources.folders import Found, Seen, files_below, files_matching, is_pattern, may_find_twice
from solvent.batch.sources.json_lines import count_lines, holds_lines, open_lines, read_lines
from solvent.batch.sources.own_files import is_ours
from solvent.core.errors import SolventError, show_value
from solvent.core.path_patterns import matches_any
from solvent.reading import domain_of_address

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "stdin"
"""What its lines are named after."""


def find_sources(
    paths: Sequence[str],
    *,
    domain: str | None = None,
    stdin: IO[bytes] | None = None,
    without: Collection[str] = (),
    exclude: Sequence[str] = (),
) -> Iterator[Source]:
    """Yield a source for each instance there may be, in a stable order, while it looks for the next.

    A path is a file, a folder, a pattern, `-` for lines of JSON on standard input, or an address that holds an
    instance. Files whose names end in `.jsonl` or `.ndjson`, also compressed with `.gz`, hold an instance a line, as do
    pipes. What a run wrote is left out; `without` names what this run is about to write, files and folders. Files that
    a pattern in `exclude` stands for are left out, unless a path names them. A path that leads nowhere raises
    SolventError before anything is yielded.
    """
    _require_paths(paths, domain, stdin)
    return _numbered(_find(paths, domain, without, exclude), domain, stdin)


def find_files(
    paths: Sequence[str], *, domain: str | None = None, without: Collection[str] = (), exclude: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the path of every file that may hold instances."""
    return (origin.path for origin in _find(paths, domain, without, exclude) if origin.kind in ("file", "lines"))


def with_mappings(sources: Iterable[Source], mapping_for: Callable[[str], str | None]) -> Iterator[Source]:
    """Say of each file by which mapping to read it; None leaves that to what lies beside it."""
    for source in sources:
        mapping = None if source.path is None else mapping_for(source.path)
        yield source if mapping is None else replace(source, mapping=mapping)


def count_sources(
    paths: Sequence[str], *, domain: str | None = None, without: Collection[str] = (), exclude: Sequence[str] = ()
) -> int | None:
    """Return how many sources there are; None where only reading can tell, as for standard input."""
    count = 0
    for origin in _find(paths, domain, without, exclude):
        lines: int | None = 1
        if origin.kind in ("stdin", "stream"):
            return None
        if origin.kind == "lines":
            with contextlib.suppress(OSError):  # then there is one, which says so
                lines = count_lines(origin.path)
        if lines is None:
            return None
        count += lines
    return count


@dataclass(frozen=True, slots=True)
class _Origin:
    """Hold where one or more sources come from."""

    kind: Literal["file", "lines", "stream", "stdin", "address", "problem"]
    path: str
    problem: str | None = None
    named: bool = False
    """Whether it is no file that was found in a folder, but one that was named, by itself or by a pattern."""


def _require_paths(paths: Sequence[str], domain: str | None, stdin: IO[bytes] | None) -> None:
    missing = []
    for path in paths:
        if path == STANDARD_INPUT:
            if stdin is None:
                raise SolventError("cannot read standard input: it is closed")
        elif os.path.isdir(path):
            try:
                os.scandir(path).close()
            except OSError as error:
                raise SolventError(f"cannot look into {name_of_path(path)}: {error.strerror or error}") from None
        elif os.path.lexists(path) or domain_of_address(path, domain) is not None:
            continue
        elif not is_pattern(path) or next(files_matching(path, Seen(keeps_files=False)), None) is None:
            missing.append(path)
    if missing:
        shown = ", ".join(show_value(path) for path in missing[:5]) + (", …" if len(missing) > 5 else "")
        kind = "files that match" if all(map(is_pattern, missing)) else "a file or folder"
        raise SolventError(f"expected {kind}, found nothing: {shown}")


def _find(
    paths: Sequence[str], domain: str | None, without: Collection[str], exclude: Sequence[str]
) -> Iterator[_Origin]:
    """Yield every file once, however often it is named."""
    own = {os.path.realpath(path) for path in without}
    seen = Seen(keeps_files=len(paths) > 1 or any(map(may_find_twice, paths)))
    for path in dict.fromkeys(paths):
        if path == STANDARD_INPUT:
            yield _Origin("stdin", path)
        elif domain_of_address(path, domain) is not None:
            yield _Origin("address", path)
        elif os.path.isdir(path):
            yield from _among(_not_excluded(files_below(path, seen), exclude), own)
        elif is_pattern(path) and not os.path.lexists(path):
            yield from _among(_not_excluded(files_matching(path, seen), exclude), own, named=True)
        elif os.path.exists(path) and not os.path.isfile(path):
            yield _Origin("stream", path)  # a pipe, which only this process can read, and only once
        elif seen.take_named(path):
            yield from _among([Found(path)], set(), named=True)


def _not_excluded(files: Iterable[Found], exclude: Sequence[str]) -> Iterable[Found]:
    return (found for found in files if not matches_any(found.path, exclude)) if exclude else files


def _among(files: Iterable[Found], own: set[str], *, named: bool = False) -> Iterator[_Origin]:
    """Leave out what a run wrote or will write, and tell files with an instance a line from others."""
    names = {os.path.basename(path) for path in own}  # looked at first: finding out where a path leads takes longer
    folders = {path for path in own if os.path.isdir(path)}
    for found in files:
        if found.problem is not None:
            yield _Origin("problem", found.path, found.problem)
        elif (os.path.basename(found.path) in names and os.path.realpath(found.path) in own) or (
            folders and os.path.realpath(os.path.dirname(found.path) or ".") in folders
        ):
            continue
        elif not is_ours(found.path):
            yield _Origin("lines" if holds_lines(found.path) else "file", found.path, named=named)


def _numbered(origins: Iterable[_Origin], domain: str | None, stdin: IO[bytes] | None) -> Iterator[Source]:
    number = 0
    for origin in origins:
        for source in _sources_of(origin, domain, stdin, number):
            yield source
            number = source.number + 1


def _sources_of(origin: _Origin, domain: str | None, stdin: IO[bytes] | None, number: int) -> Iterator[Source]:
    path = origin.path
    name = name_of_path(path)
    if origin.kind == "stdin":
        assert stdin is not None
        yield from _of_lines(stdin, STANDARD_INPUT_NAME, domain, number)
    elif origin.kind in ("lines", "stream"):
        try:
            stream = open_lines(path)
        except OSError as error:
            yield Source(number, name, path=path, problem=f"cannot be opened: {error.strerror or error}")
            return
        with stream:
            yield from _of_lines(stream, name, domain, number)
    elif origin.kind == "address":
        yield Source(number, name, text=path, domain=domain, named=True)
    else:
        yield Source(number, name, path=path, domain=domain, problem=origin.problem, named=origin.named)


def _of_lines(stream: IO[bytes], holder: str, domain: str | None, first: int) -> Iterator[Source]:
    for number, line in enumerate(read_lines(stream), start=first):
        name = f"{holder}:{line.number}" if line.name is None else name_of_path(line.name)
        yield Source(number, name, text=line.text, domain=line.domain or domain, line=line.number, problem=line.problem)
