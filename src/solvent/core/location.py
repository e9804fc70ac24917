"""Where in its file something stands that an answer is about."""

from __future__ import annotations

from msgspec import Struct


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
    object: str = ""
    """What the editor identifies an object by: an id of Tiled, an iid of LDtk."""
