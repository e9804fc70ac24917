"""What lets one domain learn from the answers of another: what a level's tiles mean, and which of them are to blame.

A generator of one domain writes a level that another domain reads and judges. Where the answer is not the one wished
for, the judge says which tiles are to blame, and the generator makes the level again with something else there. Neither
knows the other: between them there are only tiles, names of what a generator puts on them, and names of what a judge
reads there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from solvent.core.answer import Answer, Finding
    from solvent.core.budget import Meter

P = TypeVar("P")

Tile = tuple[int, int]
"""Column and row of a tile on the map that was written, from 0."""


class BlamedTile(Struct, frozen=True):
    """Hold one tile that an answer rests on."""

    tile: Tile
    keeps: frozenset[str]
    """The meanings that leave the answer as it is. What stands there now is one of them."""
    wants: frozenset[str] = frozenset()
    """In a suggestion: the meanings that would do. None named: any that is not in `keeps`."""
    group: int = 0
    """How good it is to change this one: the tiles of group 0 are the best, and the first of a group before others."""


class Suggestion(Struct, frozen=True):
    """Hold a change that is likely to help."""

    asks: Sequence[Sequence[BlamedTile]]
    """Of each row of tiles, at least one should change."""
    near: Sequence[Tile] = ()
    """Tiles from which something may have to be moved."""


class Blame(Struct, frozen=True):
    """Name the tiles that an answer rests on: it stays the same in every level in which each keeps its meaning."""

    tiles: Sequence[BlamedTile]
    proved: bool
    """Whether the answer is sure to stay the same; False where that is only likely."""
    suggestions: Sequence[Suggestion] = ()
    """The best first."""
    meanings: Mapping[Tile, str] = {}
    """What each tile of the level means, as the judge's `meanings` tell."""


class Judge(Struct, Generic[P], frozen=True, kw_only=True):
    """Judge levels that another domain makes."""

    reads: Sequence[str]
    """The endings of files that can be read as an instance, without the dot."""
    ground: Callable[[P], Mapping[Tile, str]] | None = None
    """Return what the ground of each tile means, whatever stands on it; nothing for what has several floors."""
    meanings: Callable[[P], Mapping[Tile, str]] | None = None
    """Return what each tile of an instance means, by a name that is the same for tiles that mean the same."""
    blame: Callable[[P, Answer], Blame | None] | None = None
    """Return what an answer with a certificate rests on, if that can be told tile by tile."""


class Part(Struct, frozen=True):
    """Hold a tile, and what should stand there."""

    tile: Tile
    pieces: frozenset[str]
    excluded: bool = True
    """Whether any other piece is asked for; False asks for one of these."""


class Change(Struct, frozen=True):
    """Hold a suggestion in pieces: of each row at least one part, and tiles from which something may have to go."""

    asks: Sequence[Sequence[Part]]
    near: Sequence[Tile] = ()


class Exclusion(Struct, frozen=True):
    """Rule out a part of a level: no longer may each of these tiles hold one of these pieces."""

    groups: Sequence[Sequence[Part]]
    """The tiles, those that are best to change first."""
    changes: Sequence[Change] = ()
    """Suggestions, the best first."""

    @property
    def parts(self) -> Sequence[Part]:
        """Return all tiles."""
        return [part for group in self.groups for part in group]


class Remaker(Protocol):
    """Make a level again and again, with more and more ruled out."""

    def exclude(self, exclusion: Exclusion) -> None:
        """Rule out one more part, for good."""

    def remake(self, meter: Meter) -> Finding:
        """Return the level again, with as little changed as can be so that nothing in it is ruled out.

        A NO says, in `because`, that there is no such level; it has no certificate, since the exclusions are not part
        of the task. UNKNOWN gives up.
        """


class Remaking(Struct, Generic[P], frozen=True, kw_only=True):
    """Make what a generator made again, without what was ruled out."""

    pieces: Callable[[P, Any], Mapping[Tile, str]]
    """Return what an answer's certificate puts on each tile of the map that it is written as."""
    begin: Callable[[P, Any, int, Meter], Remaker]
    """Begin with the certificate of a level, and a seed for choices."""


class Terrain(Struct, Generic[P], frozen=True, kw_only=True):
    """Dress the ground of levels that another domain makes."""

    palette: Callable[[str], tuple[Sequence[str], bytes]]
    """Return the pieces of a rule set, and a Tiled map in JSON that has each of them once, in one row."""
    stage: Callable[[str, tuple[int, int], Mapping[Tile, frozenset[str]], int], P]
    """Return the task to fill a map of this width and height by a rule set, with some pieces on some tiles only."""
