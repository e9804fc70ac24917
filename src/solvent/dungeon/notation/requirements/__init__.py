r"""Requirements as text: `bow | bombs >= 2 & lamp`. One small language for every format, and its words for people.

| text | holds |
| --- | --- |
| `bow`, `"sword and shield"` | with the item in hand; quotes for names that would be read in another way |
| `medallion >= 3`, `3 medallion`, `3 of medallion` | with so many of it; also `>`, `<`, `<=`, `=` and `!=` |
| `key`, `red key`, `red keys >= 2`, `bombs >= 2` | with so many in hand; none of them is spent |
| `switch gate`, `switch water is low`, `switch water = low` | while the switch is on, or in that state; also `is not` |
| `cleared den` | once all monsters of the room are beaten |
| `!torch`, `not torch` | while it does not hold |
| `bow & lamp`, `bow and lamp` | while both hold |
| `bow \| lamp`, `bow or lamp` | while one of them holds; `&` binds more closely |
| `always`, `never` | |

Requirements are in one form: nothing of a kind directly inside its own kind, and no `AllOf` or `AnyOf` of one part.
"""

from __future__ import annotations

from solvent.dungeon.notation.requirements.form import (
    ALWAYS,
    MAX_DEPTH,
    MAX_PARTS,
    NEVER,
    all_of,
    any_of,
    atoms_of,
    depth_of,
    map_atoms,
    tidy_requirement,
)
from solvent.dungeon.notation.requirements.phrases import describe_requirement
from solvent.dungeon.notation.requirements.reading import parse_requirement, read_requirement
from solvent.dungeon.notation.requirements.writing import format_requirement

__all__ = [
    "ALWAYS",
    "MAX_DEPTH",
    "MAX_PARTS",
    "NEVER",
    "all_of",
    "any_of",
    "atoms_of",
    "depth_of",
    "describe_requirement",
    "format_requirement",
    "map_atoms",
    "parse_requirement",
    "read_requirement",
    "tidy_requirement",
]
