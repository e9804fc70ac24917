"""Say where on the map that lies what a certificate is about."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Certificate
from solvent.dungeon.drawing.overlay import read_overlay
from solvent.dungeon.model import Dungeon
from solvent.dungeon.runs import as_runs


def marks(dungeon: Dungeon, certificate: Certificate) -> dict[str, Any]:
    """Return what can be reached where no goal can be, and the numbers of the gates at the edge of that."""
    if certificate.get("form") not in ("lost walk", "closed set"):
        return {}
    overlay = read_overlay(dungeon, certificate, None, None)
    return {"reach": as_runs(overlay.reach), "shut": sorted(overlay.shut)}
