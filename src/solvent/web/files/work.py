"""What workers do with the user's own files: read one, with what belongs to it, and draw one small.

A worker has the path from the server, which has it from the command line. It looks where the path leads all the same:
files may have been replaced by links since they were listed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from solvent.batch.sources.json_lines import holds_lines
from solvent.core.domain import Drawing
from solvent.core.errors import NotRecognised, ParseError, UndecidedNames
from solvent.core.file_access import confined, may_open
from solvent.reading import decode_problem, format_problem
from solvent.registry import domain_of
from solvent.web.errors import Refusal
from solvent.web.files import schemas as file_schemas
from solvent.web.served_files import ServedFile

LARGEST_DRAWN_BYTES = 256 << 10
"""Of a larger file no small picture is made: it would take long, and show nothing."""
LARGEST_PICTURE_BYTES = 1 << 20
_PAPER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 90" font-family="sans-serif" fill="#777">'
    '<path d="M44 8h20l12 12v40H44z M64 8v12h12" fill="none" stroke="#999" stroke-width="2"/>'
    '<text x="60" y="80" font-size="12" text-anchor="middle">{}</text></svg>'
)


def read_file(file: ServedFile, given: Sequence[Path], most_bytes: int) -> bytes:
    """Read an instance; raises Refusal or ParseError that name the file as people see it.

    `given` is everything that the user gave: nothing else may be opened for it.
    """
    problem = _read(file, given, most_bytes)
    text = format_problem(problem)
    if len(text.encode("utf-8", "replace")) > most_bytes:
        raise _too_large(file, most_bytes)
    owner, root = domain_of(problem), _root(file)
    remarks = [remark.replace(root, "") if root else remark for remark in owner.remarks(problem)]
    return msgspec.json.encode(
        file_schemas.FileRead(id=file.id, name=file.name, domain=owner.name, text=text, remarks=remarks)
    )


def draw_file(file: ServedFile, given: Sequence[Path], most_bytes: int) -> bytes:
    """Draw an instance small; a plain sheet with a word on it stands for what cannot be drawn."""
    try:
        problem = _read(file, given, most_bytes)
        drawn = domain_of(problem).draw_svg(problem, Drawing()).encode("utf-8")
    except NotRecognised:
        return _sheet("not known")
    except Refusal as refusal:
        return _sheet({"too_large": "large", "missing": "gone"}.get(refusal.failure.kind, "not readable"))
    except (ParseError, RecursionError):
        return _sheet("not readable")
    return drawn if len(drawn) <= LARGEST_PICTURE_BYTES else _sheet("large")


def _sheet(word: str) -> bytes:
    return _PAPER.format(escape(word)).encode("utf-8")


def _read(file: ServedFile, given: Sequence[Path], most_bytes: int) -> Any:
    with confined(given):
        data = _data(file, most_bytes)
        try:
            return decode_problem(data, source=file.name, path=file.path)
        except ParseError as error:
            if isinstance(error, NotRecognised) and holds_lines(str(file.path)):
                raise Refusal(
                    "instance",
                    f"{file.name} holds many instances, one on each line. "
                    "`solvent validate` answers all of them; open the store it writes here.",
                ) from None
            raise _with_shown_paths(error, _root(file)) from None


def _root(file: ServedFile) -> str:
    """Return the beginning of paths on this machine that people do not see; empty if it is not known."""
    path = str(file.path)
    return path.removesuffix(file.name) if path.endswith(f"{os.sep}{file.name}") else ""


def _with_shown_paths(error: ParseError, root: str) -> ParseError:
    """Return an error whose files are called as people see them."""
    if root:
        error.source = error.source.replace(root, "") if error.source else error.source
        if isinstance(error, UndecidedNames):
            error.command = error.command.replace(root, "")
            error.mapping = error.mapping.replace(root, "")
    return error


def _data(file: ServedFile, most_bytes: int) -> bytes:
    if not may_open(file.path):
        raise Refusal("missing", f"{file.name} leads to a place that may not be shown.")
    try:
        # Not waiting: a pipe that took the place of a file would have no end.
        with open(os.open(file.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as opened:
            about = os.fstat(opened.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise Refusal("missing", f"{file.name} is no longer a file.")
            data = opened.read(most_bytes + 1)
    except FileNotFoundError:
        raise Refusal("missing", f"{file.name} is no longer there.") from None
    except OSError as error:
        raise Refusal("instance", f"{file.name} cannot be opened: {error.strerror or error}.") from None
    if len(data) > most_bytes:
        raise _too_large(file, most_bytes)
    return data


def _too_large(file: ServedFile, most_bytes: int) -> Refusal:
    shown = f"{most_bytes >> 20} MB" if most_bytes >> 20 else f"{most_bytes >> 10} kB"
    return Refusal("too_large", f"{file.name} has more than {shown}; `solvent solve` takes it from the terminal.")
