"""Where text goes: answers to standard output, everything else to standard error, files all or nothing."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from solvent.cli import exits

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDEST = 80
"""Columns of prose, however wide the terminal is: longer lines are hard to read."""
WIDEST_TABLE = 240
"""Columns of a table, which can use all there are."""


class CannotUse(Exception):
    """Say that a file or stream cannot be read or written (exit code 30)."""


class OutputLost(CannotUse):
    """Say that standard output itself takes no more."""


def say(text: str = "") -> None:
    """Write a line to standard output."""
    with _standard_output():
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def complain(message: object) -> None:
    """Write one line to standard error that says what went wrong."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"solvent: {one_line(str(message))}\n")
        sys.stderr.flush()


def note(text: str) -> None:
    """Write a line to standard error, for people who watch."""
    with contextlib.suppress(OSError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def one_line(message: str) -> str:
    """Fold a message of several lines into one."""
    return " ".join(message.split())


_json_said: ContextVar[bool] = ContextVar("json_said", default=False)


def begin_json() -> None:
    """Begin a command: nothing was said yet."""
    _json_said.set(False)


def json_was_said() -> bool:
    """Tell whether the one JSON object of this command is on standard output already."""
    return _json_said.get()


def say_json(value: Any) -> None:
    """Write one JSON object to standard output."""
    import msgspec

    _json_said.set(True)
    write_standard_output(msgspec.json.encode(value) + b"\n")


def write_standard_output(data: bytes) -> None:
    """Write bytes to standard output as they are."""
    with _standard_output():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def write_text(text: str, out: str | None) -> None:
    """Write a text that is data, such as an instance or a picture, to a file or to standard output."""
    data = (text if text.endswith("\n") else text + "\n").encode("utf-8")
    if out is None or out == "-":
        write_standard_output(data)
    else:
        write_file(data, out)


def write_beside_json(text: str, out: str | None) -> str | None:
    """Write a text to a file, if one is named, where standard output gets a JSON object; return its name."""
    target = None if out == "-" else out
    if target is not None:
        write_text(text, target)
    return target


OTHER_PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".webp", ".pdf")


def require_svg(out: str | None) -> None:
    """Raise a usage error if a drawing is to be written under a name that promises another kind of picture."""
    if out is not None and out.lower().endswith(OTHER_PICTURES):
        import click

        raise click.UsageError(f"drawings are SVG pictures; choose a name that ends in .svg instead of {out!r}")


def write_file(data: bytes, path: str) -> None:
    """Write a file, all of it or nothing; a device or a pipe is written as it is."""
    from pathlib import Path

    target = Path(path)
    with writing(path):
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        part = target.with_name(f".{target.name}.{os.getpid()}.part")  # two commands may write it at the same moment
        try:
            part.write_bytes(data)
            part.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def writing(path: str) -> Iterator[None]:
    """Turn a failure to write a file into one clear sentence."""
    try:
        yield
    except OSError as error:
        raise CannotUse(f"cannot write {path}: {_why_not_written(path, error)}") from None
    except ValueError as error:  # how pathlib says that a name is no file name
        raise CannotUse(f"cannot write {path!r}: {error}") from None


def require_folder(*paths: str | None) -> None:
    """Raise CannotUse if the folder of a file to write is missing; better before the work than after it."""
    for path in paths:
        if path is not None and not os.path.isdir(os.path.dirname(path) or os.curdir):
            raise CannotUse(f"cannot write {path}: there is no folder {os.path.dirname(path)}")


def _why_not_written(path: str, error: OSError) -> str:
    folder = os.path.dirname(path)
    if isinstance(error, FileNotFoundError) and folder and not os.path.isdir(folder):
        return f"there is no folder {folder}"
    if isinstance(error, IsADirectoryError):
        return "it is a folder; give the name of a file"
    return error.strerror or str(error)


@contextlib.contextmanager
def _standard_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"cannot write to standard output: {error.strerror or error}") from None


def close_quietly(error: BaseException | None) -> int:
    """Give up on standard output after an error there, so that Python does not try again, and return the exit code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(nowhere, sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return exits.PIPE_CLOSED
    complain(error if isinstance(error, CannotUse) else f"cannot write to standard output: {error}")
    return exits.BAD_INPUT


def wants_colour() -> bool:
    """Tell whether standard output is a terminal that shows colours, and they were not turned off."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """Return how wide text may be: as the environment says, else as wide as the terminal, within reason."""
    return min(WIDEST, table_columns())


def table_columns() -> int:
    """Return how wide a table may be: as wide as the terminal."""
    # as `shutil.get_terminal_size` does it, without importing what packs and unpacks archives
    try:
        width = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        width = 0
    if width <= 0:
        try:
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
        except (AttributeError, ValueError, OSError):  # closed, replaced or no terminal
            width = 0
    return max(20, min(WIDEST_TABLE, width or WIDEST))


def show(*renderables: RenderableType) -> None:
    """Write what rich can draw to standard output."""
    say("\n".join(render(*renderables)))


def render(*renderables: RenderableType, width: int | None = None) -> list[str]:
    """Return what rich can draw as lines of this width, by default a table's, without blanks at their ends."""
    from rich.console import Console

    colour = wants_colour()
    console = Console(
        width=width or table_columns(), force_terminal=colour, no_color=not colour, highlight=False, emoji=False
    )
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable)
    return [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]
