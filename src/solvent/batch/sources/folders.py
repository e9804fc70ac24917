"""Find files: those of a folder and the folders below it, and those that a pattern matches.

One folder at a time is looked at, in the order people count in (`level2` before `level10`). Hidden files and folders
are passed over, as are pipes and devices. Links are followed, but no folder is entered twice.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

MAX_IN_COUNTING_ORDER = 100_000
"""A folder with more files than anybody looks through is sorted letter by letter, which takes less time and memory."""

Identity = tuple[int, int]
"""What tells folders apart, whatever they are called: their device and their number on it."""


@dataclass(frozen=True, slots=True)
class Found:
    """Name a file, or a folder that should have been looked into."""

    path: str
    problem: str | None = None
    """Why a folder cannot be looked into; None for a file."""


@dataclass(slots=True)
class Seen:
    """Remember what was found already, so that nothing is found twice: not by another name, not in a circle."""

    keeps_files: bool
    """False where no file can be found twice, so that a million of them need not be remembered."""
    folders: set[Identity] = field(default_factory=set)
    """Folders that were searched as a whole."""
    files: set[tuple[Identity, str]] = field(default_factory=set)

    def take_folder(self, folder: Identity) -> bool:
        """Tell whether this folder is new, and remember it."""
        if folder in self.folders:
            return False
        self.folders.add(folder)
        return True

    def take_file(self, folder: Identity, name: str) -> bool:
        """Tell whether this file is new, and remember it."""
        if not self.keeps_files:
            return True
        if (folder, name) in self.files:
            return False
        self.files.add((folder, name))
        return True

    def take_named(self, path: str) -> bool:
        """Tell whether a file that is named by its path is new, and remember it."""
        folder, name = os.path.split(path)
        try:
            identity = identity_of(folder or os.curdir)
        except OSError:
            return True
        return self.take_file(identity, name)


def identity_of(folder: str) -> Identity:
    """Return what a folder is known by."""
    about = os.stat(folder)
    return about.st_dev, about.st_ino


def files_below(folder: str, seen: Seen, *, within: str | None = None) -> Iterator[Found]:
    """Yield every file in a folder, then those of the folders in it.

    With `within`, a folder whose path has no links in it, links that lead out of it are passed over.
    """
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        try:
            identity = identity_of(current)
            if not seen.take_folder(identity):
                continue
            files, folders = _list_folder(current, within=within)
        except OSError as error:
            yield _unlisted(current, error)
            continue
        for name in files:
            if seen.take_file(identity, name):
                yield Found(os.path.join(current, name))
        waiting.extend(os.path.join(current, name) for name in reversed(folders))


def is_pattern(path: str) -> bool:
    """Tell whether a path holds one of the signs that stand for other signs."""
    return any(sign in path for sign in "*?[")


def files_matching(pattern: str, seen: Seen) -> Iterator[Found]:
    """Yield the files that a pattern stands for; `**` stands for any number of folders.

    A folder that matches stands for all files below it, as it would if a shell had put it in place of the pattern;
    with `**` it does not, for that says already how far down to look.
    """
    drive, rest = os.path.splitdrive(pattern)
    root = drive + (os.sep if rest[:1] in _separators() else "")
    parts = [part for part in re.split(f"[{re.escape(_separators())}]", rest) if part]
    return _matching(root, parts, seen, entered=set(), recursive="**" in parts)


def may_find_twice(pattern: str) -> bool:
    """Tell whether one pattern may reach a file in two ways."""
    return pattern.count("**") > 1


def _matching(
    folder: str, parts: Sequence[str], seen: Seen, *, entered: set[Identity], recursive: bool
) -> Iterator[Found]:
    """Yield what matches the parts of a pattern within a folder; an empty name is the current one."""
    if not parts:
        return
    part, rest = parts[0], parts[1:]
    here = folder or os.curdir
    try:
        if part == "**":
            # Each `**` enters a folder once; two of them in one pattern go separate ways.
            if not rest:
                rest = ["*"]
            if identity_of(here) in entered:
                return
            entered.add(identity_of(here))
            yield from _matching(folder, rest, seen, entered=set(), recursive=recursive)
            for name in _list_folder(here)[1]:
                yield from _matching(os.path.join(folder, name), parts, seen, entered=entered, recursive=recursive)
            return
        if is_pattern(part):
            files, folders = _list_folder(here, hidden=part.startswith("."))
        elif os.path.isdir(os.path.join(folder, part)):
            files, folders = [], [part]
        else:
            files, folders = [part] if os.path.isfile(os.path.join(folder, part)) else [], []
        matches = re.compile(fnmatch.translate(part)).match if is_pattern(part) else part.__eq__
        if rest:
            for name in filter(matches, folders):
                yield from _matching(os.path.join(folder, name), rest, seen, entered=entered, recursive=recursive)
            return
        identity = identity_of(here)
    except OSError as error:
        yield _unlisted(here, error)
        return
    for name in filter(matches, files):
        if seen.take_file(identity, name):
            yield Found(os.path.join(folder, name))
    if not recursive:
        for name in filter(matches, folders):
            yield from files_below(os.path.join(folder, name), seen)


def _list_folder(folder: str, *, hidden: bool = False, within: str | None = None) -> tuple[list[str], list[str]]:
    """Return the names of files and of folders in a folder, each in order."""
    files, folders = [], []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") and not hidden:
                continue
            if within is not None and entry.is_symlink() and not _leads_within(entry.path, within):
                continue
            try:
                is_folder, is_file = entry.is_dir(), entry.is_file()
            except OSError:  # a link to itself; opening it will fail with a message
                is_folder, is_file = False, True
            if is_folder:
                folders.append(entry.name)
            elif is_file or (entry.is_symlink() and not os.path.exists(entry.path)):
                # A link that leads nowhere stands for a missing file. Pipes and devices are left alone.
                files.append(entry.name)
    for names in (files, folders):
        names.sort()
        if len(names) <= MAX_IN_COUNTING_ORDER:
            names.sort(key=_counting_order)
    return files, folders


def _leads_within(path: str, folder: str) -> bool:
    real = os.path.realpath(path)
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)


def _counting_order(name: str) -> str:
    """Sort numbers within names by their size: a longer one, zeros in front apart, is larger."""
    return re.sub("0*([0-9]+)", lambda number: chr(ord("0") + len(number[1])) + number[1], name)


def _unlisted(folder: str, error: OSError) -> Found:
    return Found(folder, f"cannot look into this folder: {error.strerror or error}")


def _separators() -> str:
    return os.sep + (os.altsep or "")
