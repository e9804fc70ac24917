"""Read a file together with others that were sent with it: a rule set with its pictures, a map with its graph.

What is sent is written to a folder of its own, which is gone afterwards; nothing else may be opened meanwhile, whatever
a file names.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from solvent.core.domain import Domain, Entry
from solvent.core.errors import BadOption, ParseError
from solvent.core.file_access import confined
from solvent.reading import format_problem, parse_problem, read_problem
from solvent.registry import all_domains, domain_of, get_domain
from solvent.web import schemas

_SAFE_NAME = re.compile(r"\w[\w .()&+,#-]{0,80}")


def entries_in(text: str, domain: str | None) -> tuple[Domain[Any] | None, Sequence[Entry]]:
    """Return which instances a text lists, and whose they are; nothing if it is no list."""
    for owner in [get_domain(domain)] if domain is not None else all_domains():
        if owner.page is not None and owner.page.entries is not None:
            entries = owner.page.entries.find(text)
            if entries:
                return owner, entries
    return None, ()


def read_together(request: schemas.Open) -> tuple[Any, list[str]]:
    """Read a file and those it names, or raise ParseError; what is returned is what its own text says.

    With it comes what reading had to assume.
    """
    with tempfile.TemporaryDirectory(prefix="solvent-sent-") as place:
        folder = Path(place).resolve()
        path = folder / _plain_name(request.name)
        _write(path, request)
        with confined([folder]):
            try:
                problem = _read_entry(path, request) if request.entry else read_problem(path, domain=request.domain)
            except ParseError as error:
                for field in ("expected", "source", "value"):
                    said = getattr(error, field)
                    if isinstance(said, str):
                        setattr(error, field, said.replace(f"{folder}/", ""))
                raise
            owner = domain_of(problem)
            remarks = [line.replace(f"{folder}/", "") for line in owner.remarks(problem)]
            return parse_problem(format_problem(problem), domain=owner.name), remarks


def _read_entry(path: Path, request: schemas.Open) -> Any:
    try:
        text = request.data.decode("utf-8")
    except UnicodeDecodeError:
        raise ParseError("a list in UTF-8") from None
    owner, _ = entries_in(text, request.domain)
    if owner is None or owner.page is None or owner.page.entries is None or request.entry is None:
        raise ParseError("a file that lists several instances", source=request.name or None)
    return owner.page.entries.read(text, path, request.entry)


def _write(path: Path, request: schemas.Open) -> None:
    """Write the file and, beside it, the others.

    A browser tells of no folders. Pictures often lie in one named like the file, and a single companion may have to be
    called like it; so the others lie there too.
    """
    named_alike = path.with_suffix("")
    if named_alike != path:
        named_alike.mkdir()
    for name, data in request.files.items():
        plain = _plain_name(name)
        (path.parent / plain).write_bytes(data)
        if named_alike.is_dir():
            (named_alike / plain).write_bytes(data)
        if len(request.files) == 1 and Path(plain).suffix:
            path.with_suffix(Path(plain).suffix).write_bytes(data)
    path.write_bytes(request.data)


def _plain_name(name: str) -> str:
    plain = PurePosixPath(name.replace("\\", "/")).name
    if not _SAFE_NAME.fullmatch(plain):
        raise BadOption(f"A file cannot be called {plain[:80]!r} here.")
    return plain
