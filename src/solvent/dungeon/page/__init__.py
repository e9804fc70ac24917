"""What a page shows of a dungeon and lets people do in it.

1. `picture` draws what stays the same while one plays, in pieces that can be shown open or shut, there or taken.
2. `track` says move by move what changes in it.
3. `last_move` says what the last of them did.
4. `actions` reads what a player does and does it; `refusals` says why something cannot be done.
5. `proof_steps` takes certificates apart.
6. `editing` is what a designer does to it, and `templates` what one begins from.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from typing import Any

from solvent.core.answer import Certificate
from solvent.dungeon.drawing.overlay import read_overlay
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ruling import describe_rules
from solvent.dungeon.notation.text import format_text
from solvent.dungeon.page.actions import play
from solvent.dungeon.page.editing import edit
from solvent.dungeon.page.editing.level import describe_level
from solvent.dungeon.page.editing.palette import list_palette
from solvent.dungeon.page.picture import KEPT, draw_picture
from solvent.dungeon.page.proof_steps import proof_steps
from solvent.dungeon.page.templates import templates
from solvent.dungeon.page.track import follow
from solvent.dungeon.rooms import as_runs
from solvent.dungeon.rules import Game, State

__all__ = ["edit", "marks", "page_data", "play", "proof_steps", "templates"]


def page_data(dungeon: Dungeon) -> dict[str, Any]:
    """Return the dungeon as JSON values: its picture, the moves played in it and what they changed, and its rules.

    `situation` is the same for equal positions, whatever moves led there.
    """
    game = Game(dungeon)
    return {
        "title": dungeon.title,
        "picture": draw_picture(dungeon),
        "track": follow(game),
        "situation": _situation(dungeon, game.present_state()),
        "rules": describe_rules(dungeon.rules),
        "level": describe_level(dungeon),
        "palette": list_palette(),
    }


def _situation(dungeon: Dungeon, state: State) -> str:
    """Return a word that two positions share if they are of one dungeon and equal, however they came about."""
    parts = [sorted(part) if isinstance(part, frozenset) else part for part in state]
    return f"{_digest(replace(dungeon, played=()))}-{hashlib.blake2s(repr(parts).encode(), digest_size=8).hexdigest()}"


@lru_cache(maxsize=KEPT)
def _digest(dungeon: Dungeon) -> str:
    return hashlib.blake2s(format_text(dungeon).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def marks(dungeon: Dungeon, certificate: Certificate) -> dict[str, Any]:
    """Return what can be reached where no goal can be, and the numbers of the gates at the edge of that."""
    if certificate.get("form") not in ("lost walk", "closed set"):
        return {}
    overlay = read_overlay(dungeon, certificate, None, None)
    return {"reach": as_runs(overlay.reach), "shut": sorted(overlay.shut)}
