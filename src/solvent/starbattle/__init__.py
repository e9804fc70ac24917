"""Star Battle: k stars in every row, column and region, and no two stars touch."""

from __future__ import annotations

from solvent.starbattle.domain import DOMAIN

__all__ = ["DOMAIN"]
