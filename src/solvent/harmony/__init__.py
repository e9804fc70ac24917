"""Harmony: swap tiles in a row or column until each is in its colour's row and no move is left."""

from __future__ import annotations

from solvent.harmony.domain import DOMAIN

__all__ = ["DOMAIN"]
