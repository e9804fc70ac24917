"""Lock-and-key dungeons: tiles, doors, keys, bombs, items, stairs. They may be finished, or lost."""

from __future__ import annotations

from solvent.dungeon.domain import DOMAIN

__all__ = ["DOMAIN"]
