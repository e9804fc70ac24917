"""Check a plan that works at any time, where nothing is ever used up and a player can always go back to the start.

Why that proves that no player can lose: `other_than_growing` makes sure that a move only ever changes where the player
stands and what was taken; that what was taken, and with it everything a requirement asks for, only grows; that nothing
asks for something not to be had; and that no tile, gate or block keeps a player from returning to the start. Whatever a
player did, they can go back there, and then make the moves of the plan one by one: after each of them they stand where
the plan says and hold all that it found, and maybe more. So each of the moves is legal, and the last one ends on a
goal, if the player has not come to one before.

The plan begins at the start, before any of the moves played so far.
"""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import PlanBody
from solvent.dungeon.checker.plan import goal_violations
from solvent.dungeon.checker.play import beginning, lay_out, position
from solvent.dungeon.checker.requirements import all_rules, is_growing
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the plan does not show that no player can lose, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, PlanBody)
    other = other_than_growing(dungeon)
    if other:
        return [f"does not apply: {other}"]
    board = lay_out(dungeon, meter)
    now = position(board)
    if isinstance(now, str):
        return [now]
    return goal_violations(board, beginning(board), body.plan)


def other_than_growing(dungeon: Dungeon) -> str | None:
    """Say what in a dungeon may keep a player from going back, or make what they have do harm or be used up."""
    rules = dungeon.rules
    if rules.home != "always":
        return "a player cannot always go back to the start"
    if any(dungeon.start in gate.cells for gate in dungeon.gates) or dungeon.start in dungeon.closed:
        return "the start may be barred"
    if dungeon.start in dungeon.goals:
        return "the game is over at the start"
    for gate in dungeon.gates:
        passable = gate.kind in ("item", "rule") or (gate.kind == "soft" and rules.soft in ("open", "clear"))
        passable = passable or (gate.kind == "lock" and not rules.keys_counted)
        if not passable and not (gate.kind == "cracked" and rules.bombs is None):
            return f"a gate of the kind {gate.kind!r} may take something or shut"
    if dungeon.switches or dungeon.dials:
        return "there are switches"
    if dungeon.blocks and rules.push != "never":
        return "there are blocks that can be pushed"
    if any(pickup.renews for pickup in dungeon.pickups):
        return "there are pickups that renew"
    if not all(is_growing(rule) for rule in all_rules(dungeon)):
        return "a requirement asks for more than items and cleared rooms, or for something not to be had"
    return None
