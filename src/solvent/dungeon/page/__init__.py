"""What a page shows of a dungeon and lets people do in it.

1. `picture` draws what stays the same while one plays, in pieces that can be shown open or shut, there or taken.
2. `track` says move by move what changes in it.
3. `actions` reads what a player does and does it; `refusals` says why something cannot be done.
"""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Certificate
from solvent.dungeon.drawing.overlay import read_overlay
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ruling import describe_rules
from solvent.dungeon.page.actions import play
from solvent.dungeon.page.picture import draw_picture
from solvent.dungeon.page.track import follow
from solvent.dungeon.rooms import as_runs
from solvent.dungeon.rules import Game

__all__ = ["marks", "page_data", "play"]


def page_data(dungeon: Dungeon) -> dict[str, Any]:
    """Return the dungeon as JSON values: its picture, the moves played in it and what they changed, and its rules."""
    return {
        "title": dungeon.title,
        "picture": draw_picture(dungeon),
        "track": follow(Game(dungeon)),
        "rules": describe_rules(dungeon.rules),
    }


def marks(dungeon: Dungeon, certificate: Certificate) -> dict[str, Any]:
    """Return what can be reached where no goal can be, and the numbers of the gates at the edge of that."""
    if certificate.get("form") not in ("lost walk", "closed set"):
        return {}
    overlay = read_overlay(dungeon, certificate, None, None)
    return {"reach": as_runs(overlay.reach), "shut": sorted(overlay.shut)}
