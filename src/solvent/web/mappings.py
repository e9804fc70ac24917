"""Read maps of level editors by mappings that come as text, with the files they name.

What is sent is written to a folder of its own, which is gone afterwards; nothing else may be opened meanwhile, whatever
a map names.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from solvent.batch.names import valid_text
from solvent.core.domain import Domain, Mappings
from solvent.core.errors import BadOption, ParseError, SolventError
from solvent.core.file_access import confined
from solvent.reading import format_problem, parse_problem
from solvent.registry import all_domains, domain_of, get_domain
from solvent.web import schemas

_NAMED_FILE = re.compile(r"""(["'])[^"'<>\n]*[/\\]([^"'<>\n/\\]+\.(?:tsx|tsj|tx|tj|ldtkl))\1""")
_SAFE_NAME = re.compile(r"[\w .()&+,-]{1,60}")


def draft(request: schemas.MapNames) -> bytes:
    """Draft a mapping for a map, or change one; says why the map cannot be opened by it, if so."""
    mappings = _mappings_for(request.text, request.domain)
    known = request.mapping
    if request.decisions or request.places:
        if mappings.decide is None:
            raise BadOption("Mappings cannot be changed here.")
        places = [
            {"is": one.thing, **({"level": one.level} if one.level else {}), "row": one.row, "column": one.column}
            for one in request.places
        ]
        known = mappings.decide(known, [(one.key, one.meaning) for one in request.decisions], places)
    with _folder_of(request.text, request.name, request.files) as (text, path):
        try:
            drafted = mappings.draft([(text, path)], known, mappings.file_name)
        except ParseError as error:
            problem, needs = _plain(error, path), []
            if "beside the file" in error.expected:
                needs = [str(error.value)]
                problem = f"The map names another file, {needs[0]}, which was not sent with it."
            reply = schemas.Mapped(text=known, file_name=mappings.file_name, problem=valid_text(problem), needs=needs)
            return msgspec.json.encode(reply)
        trouble = None
        try:
            _read(mappings, text, path, drafted.text)
        except SolventError as error:
            trouble = _plain(error, path)
    names = [schemas.from_record(schemas.MappedName, row, key=list(row.key)) for row in drafted.rows]
    return msgspec.json.encode(
        schemas.Mapped(
            text=drafted.text,
            file_name=mappings.file_name,
            names=[msgspec.structs.replace(name, choices=list(name.choices)) for name in names],
            missing=list(drafted.missing),
            levels=list(drafted.levels),
            problem=trouble,
        )
    )


def read_mapped(request: schemas.Load) -> tuple[Any, list[str]]:
    """Read a map by the mapping and the files that come with it, or raise ParseError; and what that had to assume."""
    mappings = _mappings_for(request.text, request.domain)
    with _folder_of(request.text, request.name, request.files) as (text, path):
        try:
            problem = _read(mappings, text, path, request.mapping or "")
        except ParseError as error:
            error.source = None if error.source is None else error.source.replace(f"{path.parent}/", "")
            raise
        remarks = [line.replace(f"{path.parent}/", "") for line in domain_of(problem).remarks(problem)]
        # From here on it is what its own text says: the folder is gone.
        return parse_problem(format_problem(problem), domain=domain_of(problem).name), remarks


def _read(mappings: Mappings[Any], text: str, path: Path, mapping: str) -> Any:
    file = path.parent / mappings.file_name
    file.write_text(mapping, encoding="utf-8", errors="replace")
    return mappings.read(text, path, file)


def _mappings_for(text: str, domain: str | None) -> Mappings[Any]:
    """Return the mappings of the domain whose maps a text is one of."""
    owners: list[Domain[Any]] = [get_domain(domain)] if domain is not None else list(all_domains())
    for owner in owners:
        if owner.mappings is not None and owner.mappings.can_map(text):
            return owner.mappings
    raise BadOption("Only maps of Tiled and LDtk have names to give a meaning to.")


@contextlib.contextmanager
def _folder_of(text: str, name: str, files: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Put what was sent into a folder; yield the text, which names files of the folder by their names alone."""
    given = {PurePosixPath(each.replace("\\", "/")).name: content for each, content in files.items()}
    for each in given:
        if not _SAFE_NAME.fullmatch(each) or each.startswith("."):
            raise BadOption(f"A file cannot be called {each[:80]!r} here.")
    with tempfile.TemporaryDirectory(prefix="solvent-map-") as place:
        folder = Path(place).resolve()
        for each, content in given.items():
            (folder / each).write_text(_beside(content, given), encoding="utf-8", errors="replace")
        last = PurePosixPath(name.replace("\\", "/")).name
        path = folder / (last if _SAFE_NAME.fullmatch(last) and not last.startswith(".") else "map")
        with confined([folder]):
            yield _beside(text, given), path


def _beside(text: str, given: Mapping[str, str]) -> str:
    """Return a text in which other files are named as if they lay beside it: of those that are sent, that is known."""
    text = _NAMED_FILE.sub(r"\1\2\1", text)
    for name in given:
        text = re.sub(rf"""(["'])[^"'<>]*[/\\]({re.escape(name)})\1""", r"\1\2\1", text)
    return text


def _plain(error: SolventError, path: Path) -> str:
    """Return what an error says, without the folder that nobody knows."""
    return valid_text(str(error)).replace(f"{path.parent}/", "")
