"""Where in its file something stands that an answer is about."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, to_builtins


class Location(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Say where something stands, as precisely as the format of its file allows. What is not known is left out."""

    description: str
    """The place in the words that messages use, such as `row 2, column 6`."""
    line: int | None = None
    """The line of the file, counted from 1."""
    column: int | None = None
    """The column in that line, counted from 1."""
    tile: tuple[int, int] | None = None
    """Column and row of the tile as the editor counts them, from 0, on the map it is on."""
    map: str = ""
    """The map or level it is on, as its file names it, where a file or a world holds several."""
    layer: str = ""
    """The layer of that map, as its file names it."""
    object: str = ""
    """What the editor identifies an object by: an id of Tiled, an iid of LDtk."""

    def as_json(self) -> dict[str, Any]:
        """Return what is known, by name, as JSON values."""
        known: dict[str, Any] = to_builtins(self)
        if self.tile is not None:
            known["tile"] = list(self.tile)  # JSON knows no tuples
        return known
