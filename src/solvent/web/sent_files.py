"""Read a file together with others that were sent with it: a rule set with its pictures, a map with its graph.

What is sent is written to a folder of its own, which is gone afterwards; nothing else may be opened meanwhile, whatever
a file names.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path, PurePosixPath
from typing import Any

from solvent.core.errors import BadOption, ParseError
from solvent.core.file_access import confined
from solvent.reading import format_problem, parse_problem, read_problem
from solvent.registry import domain_of
from solvent.web import schemas

_SAFE_NAME = re.compile(r"\w[\w .()&+,#-]{0,80}")


def read_together(request: schemas.Open) -> Any:
    """Read a file and those it names, or raise ParseError; what is returned is what its own text says."""
    with tempfile.TemporaryDirectory(prefix="solvent-sent-") as place:
        folder = Path(place).resolve()
        path = folder / _plain_name(request.name)
        _write(path, request)
        with confined([folder]):
            try:
                problem = read_problem(path, domain=request.domain)
            except ParseError as error:
                for field in ("expected", "source", "value"):
                    said = getattr(error, field)
                    if isinstance(said, str):
                        setattr(error, field, said.replace(f"{folder}/", ""))
                raise
            return parse_problem(format_problem(problem), domain=domain_of(problem).name)


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
