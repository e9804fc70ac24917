"""Look for the mapping of a map: beside it, or in a folder above, up to the folder of the project."""

from __future__ import annotations

import os
from pathlib import Path

from solvent.dungeon.notation.mapping.model import NO_MAPPING, NameMapping
from solvent.dungeon.notation.mapping.parsing import parse_mapping
from solvent.formats.companion_files import is_there, read_text

MAPPING_FILE = "solvent-mapping.toml"
_FOLDERS_UP = 8
_PROJECT_MARKS = (".git", ".hg", ".svn")


def find_mapping(path: Path | None) -> Path | None:
    """Return the nearest mapping of a map: in its folder, or above, but not above a project's folder."""
    if path is None:
        return None
    folder = Path(os.path.abspath(path)).parent
    for place in (folder, *folder.parents)[: _FOLDERS_UP + 1]:
        if is_there(place / MAPPING_FILE):
            return place / MAPPING_FILE
        try:
            if any((place / mark).exists() for mark in _PROJECT_MARKS):
                return None
        except OSError:
            return None
    return None


def load_mapping(path: Path, shown: str | None = None) -> NameMapping:
    """Read a mapping from a file, or raise ParseError naming it."""
    return parse_mapping(read_text(path, "mapping"), shown or str(path))


def mapping_for(path: Path | None) -> NameMapping:
    """Return the mapping that lies beside a map or above it; one that says nothing if there is none."""
    found = find_mapping(path)
    return NO_MAPPING if found is None or path is None else load_mapping(found, _shown(found, path))


def _shown(found: Path, path: Path) -> str:
    """Return the mapping's path as it looks from where the map's path was given."""
    try:
        up = len(Path(os.path.abspath(path)).parent.parts) - len(found.parent.parts)
        return os.path.normpath(path.parent / Path(*[".."] * up) / found.name) if up else str(path.parent / found.name)
    except (OSError, ValueError):
        return str(found)
