"""`solvent mapping`: a first mapping of a project's own names, or what is new to one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solvent.cli import exits
from solvent.cli.output import CannotUse, note, say, say_json, write_text
from solvent.cli.parameters import as_option, json_option
from solvent.core.errors import BadOption, NotRecognised, ParseError
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.core.domain import Domain, MappingDraft

MAX_FILES = 2_000
_MOST_SHOWN = 20


@click.command("mapping", epilog="Exit codes: 0 done, 2 usage, 30 bad input.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    help="Write to this file instead of beside the files; - for standard output.",
)
@as_option
@json_option
def command(paths: tuple[str, ...], out: str | None, domain: str | None, as_json: bool) -> int:
    """Write a mapping of the names in files of other programs: what each of them means to Solvent.

    Every name found has a line. The obvious ones are guessed, and those that you have to decide stand on top. A
    mapping that is there already keeps all you have decided; names that are new are added.
    """
    texts, owner = _read_all(paths, domain)
    assert owner.mappings is not None
    target = Path(out) if out is not None else _default_target(paths, owner.mappings.file_name)
    known = _read_known(target) if out != "-" else ""
    draft = owner.mappings.draft(texts, known, str(target))
    if out == "-" and not as_json:
        write_text(draft.text, None)
    elif out != "-" and (draft.text != known or not target.exists()):
        write_text(draft.text, str(target))
    if as_json:
        say_json(
            {"domain": owner.name, "files": len(texts), "mapping": None if out == "-" else str(target)}
            | _as_json(draft)
        )
    elif out != "-":
        _say_draft(draft, target, len(texts))
    return exits.DONE


def _as_json(draft: MappingDraft) -> dict[str, Any]:
    return {"names": draft.names, "added": draft.added, "undecided": list(draft.undecided), "text": draft.text}


def _say_draft(draft: MappingDraft, target: Path, files: int) -> None:
    new = f", {draft.added:,} of them new" if draft.added != draft.names else ""
    say(f"{target}: {counted(draft.names, 'name')}{new}, from {counted(files, 'file')}.")
    if not draft.undecided:
        say("Nothing is undecided; look through the guesses.")
        return
    say(f'Undecided: {len(draft.undecided):,}. Give each a meaning in place of "?":')
    for name in draft.undecided[:_MOST_SHOWN]:
        say(f"  {name}")
    if len(draft.undecided) > _MOST_SHOWN:
        say(f"  … and {len(draft.undecided) - _MOST_SHOWN:,} more")


def _default_target(paths: Sequence[str], name: str) -> Path:
    """Return where the mapping of some files and folders belongs: in the folder, or beside the files."""
    folders = {Path(path) if os.path.isdir(path) else Path(path).parent for path in paths}
    return (folders.pop() if len(folders) == 1 else Path(os.path.commonpath([str(each) for each in folders]))) / name


def _read_known(target: Path) -> str:
    if not target.exists():
        return ""
    try:
        return target.read_text("utf-8-sig")
    except OSError as error:
        raise CannotUse(f"cannot read {target}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise CannotUse(f"cannot read {target}: it is not a text in UTF-8") from None


def _read_all(paths: Sequence[str], domain: str | None) -> tuple[list[tuple[str, Path | None]], Domain[Any]]:
    """Read every file that a mapping can be about, all of one domain."""
    from solvent.registry import detect, get_domain

    texts: list[tuple[str, Path | None]] = []
    owner: Domain[Any] | None = None if domain is None else get_domain(domain)
    if owner is not None and owner.mappings is None:
        raise BadOption(f"{owner.name} reads no mappings")
    for path, was_named in _find_files(paths):
        text = _read_text(path, was_named)
        if text is None:
            continue
        try:
            found = detect(text) if domain is None else get_domain(domain)
        except NotRecognised as error:
            if was_named:
                raise error.in_source(str(path)) from None
            continue
        if found.mappings is None or not found.mappings.can_map(text):
            if was_named:
                raise BadOption(f"{path} has no names of its own to map: {found.name} reads it as it is")
            continue
        if owner is not None and found is not owner:
            raise BadOption(f"files of one domain at a time, but there are {owner.name} and {found.name}")
        owner = found
        texts.append((text, path))
    if owner is None or not texts:
        raise CannotUse(f"nothing to map in {', '.join(paths)}: there is no file with names of its own")
    return texts, owner


def _find_files(paths: Sequence[str]) -> Iterator[tuple[Path, bool]]:
    """Yield files, and whether each was named; folders are searched."""
    count = 0
    for path in paths:
        if not os.path.isdir(path):
            yield Path(path), True
            continue
        for folder, inner, files in os.walk(path):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for name in sorted(files):
                count += 1
                if count > MAX_FILES:
                    note(f"Only the first {MAX_FILES:,} files of {path} were looked at.")
                    return
                yield Path(folder, name), False


def _read_text(path: Path, was_named: bool) -> str | None:
    from solvent.reading import LARGEST_FILE_BYTES

    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        if was_named:
            raise CannotUse(f"cannot read {path}: {error.strerror or error}") from None
        return None
    try:
        if len(data) > LARGEST_FILE_BYTES:
            raise ParseError(f"at most {LARGEST_FILE_BYTES >> 20} MB of text", source=str(path))
        return data.decode("utf-8-sig")
    except (ParseError, UnicodeDecodeError) as error:
        if not was_named:
            return None
        if isinstance(error, ParseError):
            raise
        raise ParseError("text in UTF-8", source=str(path)) from None
