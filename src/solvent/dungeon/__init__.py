"""Lock-and-key dungeons: tiles, doors, keys, bombs, items, stairs. They may be finished, or lost.

`Game` plays one from Python, and `Abstraction` holds its points of interest and the graph between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.dungeon.domain import DOMAIN

if TYPE_CHECKING:
    from solvent.dungeon.abstraction import Abstraction
    from solvent.dungeon.game import Environment, Game, State

__all__ = ["DOMAIN", "Abstraction", "Environment", "Game", "State"]


def __getattr__(name: str) -> Any:
    """Import what programs use when they first ask for it: describing the domain loads nothing of it."""
    if name in ("Environment", "Game", "State"):
        from solvent.dungeon import game

        return getattr(game, name)
    if name == "Abstraction":
        from solvent.dungeon.abstraction import Abstraction

        return Abstraction
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
