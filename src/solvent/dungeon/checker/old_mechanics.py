"""Find mechanics that the proofs by surplus, and that a goal stays within reach, do not speak of."""

from __future__ import annotations

from solvent.dungeon.checker.requirements import all_rules
from solvent.dungeon.model import Dungeon

_GATES = ("lock", "cracked", "item", "barrier", "soft")


def find_other_mechanics(dungeon: Dungeon) -> str | None:
    """Say which mechanic a dungeon has besides keys, bombs, items, plates, soft doors and blocks pushed once."""
    rules = dungeon.rules
    if next(all_rules(dungeon), None) is not None or any(gate.kind not in _GATES for gate in dungeon.gates):
        return "there are requirements"
    if any(pickup.renews for pickup in dungeon.pickups):
        return "there are pickups that renew"
    if dungeon.dials or any(switch.kind != "plate" or switch.sets for switch in dungeon.switches):
        return "there are levers, held plates, or switches with states of their own"
    if dungeon.closed:
        return "there are closed tiles"
    if rules.home != "never":
        return "one can go back to the start at once"
    if dungeon.blocks and (rules.push not in ("never", "once") or rules.blocks != "stay"):
        return "blocks can be pushed on, or go back"
    return None
