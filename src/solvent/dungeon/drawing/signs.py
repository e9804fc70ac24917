"""What drawings as text and as pictures show alike: how things are named and painted, what is open, what is claimed."""

from __future__ import annotations

from typing import NamedTuple

from solvent.drawing.palette import Paint
from solvent.drawing.phrases import counted, listed
from solvent.dungeon.drawing.colours import abbreviate, choose_key_paints
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.model import Dungeon, Have, Requirement, SwitchAt
from solvent.dungeon.requirements import leaves_of, requirements_of
from solvent.dungeon.rules import Game, State

MAX_GATES_NAMED = 3
"""Names of gates that share a sign; with more of them each is just a gate."""


class Names(NamedTuple):
    """Hold the paints and letters by which the things of one dungeon are told apart."""

    key_paints: dict[str, Paint]
    key_letters: dict[str, str]
    item_letters: dict[str, str]
    switch_letters: dict[str, str]
    rule_numbers: dict[Requirement, str]
    """What gates with a rule of their own have on them, by the rule; what it says stands in the key."""
    rule_gates: dict[Requirement, str]
    """What to call the gates with a rule, all of them together."""


def names_in(dungeon: Dungeon) -> Names:
    """Choose paints and letters for the keys, items and switches of a dungeon."""
    keys = {p.name for p in dungeon.pickups if p.kind == "key"}
    keys |= {gate.needs[0] for gate in dungeon.gates if gate.kind == "lock"}
    items = {p.name for p in dungeon.pickups if p.kind == "item"}
    items |= {need for gate in dungeon.gates if gate.kind == "item" for need in gate.needs}
    switches = {switch.name for switch in dungeon.switches}
    switches |= {gate.needs[0] for gate in dungeon.gates if gate.kind == "barrier"}
    for atom in (atom for rule in requirements_of(dungeon) for atom, _ in leaves_of(rule)):
        if isinstance(atom, Have) and atom.what != "bombs":
            (items if atom.what == "item" else keys).add(atom.name)
        elif isinstance(atom, SwitchAt):
            switches.add(atom.switch)
    rules = dict.fromkeys(gate.rule for gate in dungeon.gates if gate.rule is not None)
    numbers = {rule: str(number) for number, rule in enumerate(rules, 1)}
    return Names(
        key_paints=choose_key_paints(keys),
        key_letters=abbreviate(keys),
        item_letters=abbreviate(items),
        switch_letters=abbreviate(switches),
        rule_numbers=numbers,
        rule_gates=_name_rule_gates(dungeon),
    )


def _name_rule_gates(dungeon: Dungeon) -> dict[Requirement, str]:
    """Name the gates of each rule together, as they share a sign: `west door and south door`, or `gate`."""
    names: dict[Requirement, dict[str, None]] = {}
    for gate in dungeon.gates:
        if gate.rule is not None:
            names.setdefault(gate.rule, {})[gate.name] = None
    return {
        rule: listed([*some]) if all(some) and len(some) <= MAX_GATES_NAMED else "gate" for rule, some in names.items()
    }


def gate_is_open(game: Game, number: int, state: State) -> bool:
    """Tell whether a gate is drawn open: nothing has to be had or done to go through it any more."""
    gate = game.dungeon.gates[number]
    if gate.kind == "barrier":
        return game.is_on(state, gate.needs[0]) != gate.open_at_first
    if gate.kind == "rule":
        return game.meets(state, gate.rule)
    if gate.kind == "soft":
        shut_in = game.rules.soft == "clear" and not state.taken.issuperset(game.monsters_of(gate.needs[0]))
        return number not in state.fallen and not shut_in
    return number in state.opened


def captions_for(dungeon: Dungeon, overlay: Overlay) -> list[str]:
    """Return what stands above a drawing: what its overlay claims."""
    walk = overlay.walk
    if overlay.claim:
        return [overlay.claim]
    if overlay.is_lost_at_once:
        return ["The goal cannot be reached from here."]
    if overlay.lost and walk is not None:
        return [f"Lost after {counted(len(walk.moves), 'move')}: the last move is fatal."]
    if walk is not None and walk.end.place in dungeon.goals:
        return [f"The goal in {counted(len(walk.moves), 'move')}."]
    if overlay.reach:
        return ["The goal cannot be reached: this is all that can."]
    return []
