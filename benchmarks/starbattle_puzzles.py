"""The Star Battle puzzles that are measured: a folder of them, or generated ones, in classes by size and stars."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import solvent
from benchmarks.machine import PROJECT
from solvent.starbattle.model import Puzzle


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """Say what makes a class: how large its puzzles are and how many stars a row has."""

    size: int
    stars: int

    def __str__(self) -> str:
        return f"{self.size}-{self.stars}"


@dataclass(frozen=True, slots=True)
class PuzzleClass:
    """Hold the puzzles of one kind that are measured, under their names."""

    kind: Kind
    puzzles: dict[str, Puzzle]
    available: int
    """How many there were to choose from."""


GENERATED = (Kind(6, 1), Kind(8, 1), Kind(10, 2))
"""What is generated unless somebody names classes."""
QUICK = (Kind(8, 1), Kind(10, 2))


def parse_kinds(text: str) -> tuple[Kind, ...]:
    """Read classes such as `8-1,10-2`, or raise ValueError."""
    found = []
    for word in text.split(","):
        match = re.fullmatch(r"\s*(\d+)-(\d+)\s*", word)
        if match is None:
            raise ValueError(f"expected classes such as 8-1,10-2, found {word!r}")
        found.append(Kind(int(match[1]), int(match[2])))
    return tuple(found)


def default_folder() -> Path:
    """Return where public puzzles are looked for: in `SOLVENT_CORPORA`, or beside the project."""
    corpora = Path(os.environ.get("SOLVENT_CORPORA") or PROJECT.parent / "shared" / "data")
    return corpora / "starbattle"


def load_classes(
    folder: Path, kinds: Collection[Kind] | None, count: int | None
) -> tuple[list[PuzzleClass], dict[str, str]]:
    """Load the puzzles below a folder, `count` of each class (None is all); also returns what could not be read."""
    found: dict[Kind, dict[str, Puzzle]] = {}
    unread: dict[str, str] = {}
    for path in sorted(folder.rglob("*.txt")):
        name = str(path.relative_to(folder).with_suffix(""))
        try:
            puzzle: Puzzle = solvent.load(path, domain="starbattle")
        except solvent.ParseError as error:
            unread[name] = str(error)
            continue
        kind = Kind(puzzle.size, puzzle.stars)
        if kinds is None or kind in kinds:
            found.setdefault(kind, {})[name] = puzzle
    classes = []
    for kind, puzzles in sorted(found.items()):
        names = sorted(puzzles)
        chosen = names if count is None else choose_evenly(names, count)
        classes.append(PuzzleClass(kind, {name: puzzles[name] for name in chosen}, len(names)))
    return classes, unread


def generate_classes(kinds: Collection[Kind], count: int) -> list[PuzzleClass]:
    """Generate puzzles from the first seeds."""
    classes = []
    for kind in kinds:
        puzzles = {
            f"seed {seed}": solvent.generate("starbattle", size=kind.size, stars=kind.stars, seed=seed)
            for seed in range(count)
        }
        classes.append(PuzzleClass(kind, puzzles, count))
    return classes


def choose_evenly(names: Sequence[str], count: int) -> list[str]:
    """Return so many names, spread over the whole list; files sorted by name are sorted by their source."""
    if count >= len(names):
        return list(names)
    return [names[(2 * index + 1) * len(names) // (2 * count)] for index in range(count)]
