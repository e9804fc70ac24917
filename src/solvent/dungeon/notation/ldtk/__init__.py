"""LDtk projects, read and written.

**Levels** are floors, in the order of the file; a level is called by its field `name`, or else its identifier (one
that is alone has no name without the field). Levels that lie beside each other in the world are not joined: use
entities `Stairs`, `Warp`, `Door` or `Passage` with a field `target`, an entity reference. Projects with several worlds
are read, and levels in files (.ldtkl) beside the project too.

**Terrain** is what the values of IntGrid layers are called: `wall` (`solid`), `floor` (`ground`), `water`, one-way
`north`, `east`, `south`, `west`, or `nothing`. A value with another name, or none, is what its layer is called, such
as `Walls` or `Collisions`. The highest layer that has a value counts. A cell without any is nothing if there is a
value for floor in the project, and floor if there is none.

**Entities** are objects of the class that their identifier names, and their fields are its properties: see
`editor_reading`. What is a name there is a field `name` here. Links are entity references, or points for a `target`
on the same level. Entities with the tag `ignore` are left out.

**The whole** has level fields, in one level only: `title`, `rules`, `moves`, `missing`: see `editor_settings`.

Written is a level for each floor, with definitions of all entities and fields, so that one can go on in the editor.
Reading it gives the same dungeon.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solvent.dungeon.model import Dungeon


def parse_ldtk(text: str, path: Path | None) -> Dungeon:
    """Read a project; levels in other files are looked for beside `path`."""
    from solvent.dungeon.notation.editor.reading import build_dungeon
    from solvent.dungeon.notation.editor.settings import read_settings
    from solvent.dungeon.notation.ldtk.reading import read_project

    found = read_project(text, path)
    where = {"path": "$"}
    settings = read_settings(found.said, where)
    return build_dungeon(found.floors, found.objects, settings, where=where, remarks=found.remarks)


def format_ldtk(dungeon: Dungeon) -> str:
    """Write a project."""
    from solvent.dungeon.notation.ldtk.writing import write_ldtk

    return write_ldtk(dungeon)
