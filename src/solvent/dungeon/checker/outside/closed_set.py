"""Write plans, closed sets and lost walks of dungeons for a script that states the rules of play itself.

The statement holds the level as it is: terrain, things, gates, ways and rules. Situations become states with the
numbers of all that was taken. What does not matter is taken in all of them, since the script does not ask what matters;
and so is each item whose name is held, where it does not matter how many there are. More in hand only makes more moves
legal, so nothing false is accepted for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.errors import BadOption
from solvent.core.outside_proof import OutsideCommand, OutsideFile, OutsideProof
from solvent.dungeon.checker.board import Board, count_of, follow_walk, lay_out
from solvent.dungeon.checker.certificate_schema import SituationBody, read_situation
from solvent.dungeon.checker.ledger import Ledger, open_ledger
from solvent.dungeon.checker.requirements import all_rules
from solvent.dungeon.checker.waiving import waive
from solvent.dungeon.model import (
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Gate,
    Have,
    Not,
    Pickup,
    Requirement,
    Switch,
    SwitchAt,
)

SCRIPT = "closed_set.py, a script in examples/outside_checkers of Solvent's sources"
TRUSTED = (
    "That the level in the statement is the one you mean: it is the instance file, tile by tile, with every rule "
    "filled in. The script states the rules of play itself."
)
THOROUGH = (
    " The rule player=thorough: the script shows that a player can lose on this walk, not that they took all there "
    "was to take before each step that cannot be undone."
)


def replay_proofs(dungeon: Dungeon, certificate: Certificate, meter: Meter) -> Iterator[OutsideProof]:
    """Yield a plan for the script to follow."""
    level = describe_level(dungeon, meter)
    claim = "These moves lead to a goal."
    yield _proof("replay", claim, level, {"plan": certificate["plan"]}, trusted=TRUSTED)


def closed_set_proofs(dungeon: Dungeon, certificate: Certificate, meter: Meter) -> Iterator[OutsideProof]:
    """Yield a closed set as states that no move leaves."""
    level = describe_level(dungeon, meter)
    claim = "No move leads out of these states, and none ends on a goal, so no goal can be reached."
    yield _proof("closed_set", claim, level, _states(dungeon, certificate, meter), trusted=TRUSTED)


def lost_walk_proofs(dungeon: Dungeon, certificate: Certificate, meter: Meter) -> Iterator[OutsideProof]:
    """Yield a walk, the closed set that it ends in, and the plan there was before its last move."""
    level = describe_level(dungeon, meter)
    claim = "After this walk no goal can be reached" + (
        ", and before its last move one could be." if certificate["walk"] else ": it has no moves."
    )
    body = {"walk": certificate["walk"], "rescue": certificate["rescue"], **_states(dungeon, certificate, meter)}
    trusted = TRUSTED + (THOROUGH if dungeon.rules.player == "thorough" and certificate["walk"] else "")
    yield _proof("lost_walk", claim, level, body, trusted=trusted)


def _proof(name: str, claim: str, level: dict[str, Any], body: dict[str, Any], *, trusted: str) -> OutsideProof:
    text = msgspec.json.encode({"game": "dungeon", "level": level, **body}).decode() + "\n"
    return OutsideProof(
        name=name,
        claim=claim,
        files=[OutsideFile(f"{name}.json", "the level and what is said of it", [text])],
        commands=[OutsideCommand(SCRIPT, f"python closed_set.py {name}.json", "VERIFIED")],
        trusted=trusted,
    )


def describe_level(dungeon: Dungeon, meter: Meter) -> dict[str, Any]:
    """Return the level as plain data, or raise BadOption where the script does not know a mechanic."""
    if any(pickup.renews for pickup in meter.each(dungeon.pickups)):
        raise BadOption("closed_set.py does not know keys and bombs that renew")
    if any(_bars_having(rule) for rule in meter.each(all_rules(dungeon), every=50)):
        raise BadOption("closed_set.py does not know requirements that ask not to have something")
    if dungeon.closed:
        raise BadOption("closed_set.py does not know closed tiles")
    rules = dungeon.rules
    return {
        "floors": [floor.terrain for floor in dungeon.floors],
        "start": dungeon.start,
        "goals": dungeon.goals,
        "goal_rule": describe_rule(dungeon.goal_rule),
        "pickups": [_describe_pickup(dungeon, pickup) for pickup in meter.each(dungeon.pickups)],
        "gates": [_describe_gate(gate) for gate in meter.each(dungeon.gates)],
        "ways": [{"source": way.source, "target": way.target, "gate": way.gate} for way in meter.each(dungeon.ways)],
        "switches": [_describe_switch(switch) for switch in meter.each(dungeon.switches)],
        "dials": {dial.switch: dial.states for dial in dungeon.dials},
        "blocks": [block.place for block in dungeon.blocks],
        "rooms": {room.name: (*room.corner, room.height, room.width) for room in dungeon.rooms},
        "rules": {
            "keys": dict(rules.keys),
            "bombs": rules.bombs,
            "items": rules.items,
            "keys_counted": rules.keys_counted,
            "water": rules.water,
            "crossing": rules.crossing,
            "soft": rules.soft,
            "push": rules.push,
            "blocks": rules.blocks,
            "home": rules.home,
        },
        "played": dungeon.played,
    }


def _describe_pickup(dungeon: Dungeon, pickup: Pickup) -> dict[str, Any]:
    return {
        "place": pickup.place,
        "kind": pickup.kind,
        "name": pickup.name,
        "count": count_of(dungeon, pickup),
        "rule": describe_rule(pickup.rule),
    }


def _describe_gate(gate: Gate) -> dict[str, Any]:
    return {
        "kind": gate.kind,
        "needs": gate.needs,
        "cells": gate.cells,
        "open_at_first": gate.open_at_first,
        "rule": describe_rule(gate.rule),
    }


def _describe_switch(switch: Switch) -> dict[str, Any]:
    return {
        "place": switch.place,
        "name": switch.name,
        "kind": switch.kind,
        "sets": switch.sets,
        "reach": switch.reach,
        "rule": describe_rule(switch.rule),
    }


def describe_rule(rule: Requirement | None) -> list[Any] | None:
    """Return a requirement as a list: a word, and what it is about."""
    match rule:
        case None:
            return None
        case Have(what, name, count):
            return ["have", what, name, count]
        case SwitchAt(switch, state):
            return ["switch", switch, state]
        case Cleared(room):
            return ["cleared", room]
        case Not(part):
            return ["not", describe_rule(part)]
        case AllOf(parts):
            return ["all", *map(describe_rule, parts)]
        case AnyOf(parts):
            return ["any", *map(describe_rule, parts)]
    raise AssertionError(f"{rule!r} is no requirement")


def _bars_having(rule: Requirement, *, barred: bool = False) -> bool:
    """Tell whether a requirement asks, under a `Not`, about anything that can be had."""
    match rule:
        case Not(part):
            return _bars_having(part, barred=True)
        case AllOf(parts) | AnyOf(parts):
            return any(_bars_having(part, barred=barred) for part in parts)
        case SwitchAt():
            return False
    return barred


def _states(dungeon: Dungeon, certificate: Certificate, meter: Meter) -> dict[str, Any]:
    """Return the closed set of a certificate as the script has it."""
    waived = certificate.get("waived", [])
    board = lay_out(waive(dungeon, waived) if waived else dungeon, meter)
    ledger = open_ledger(board)
    states = [
        _describe_state(board, ledger, read_situation(data, number))
        for number, data in enumerate(meter.each(certificate["states"], every=20))
    ]
    return {"waived": waived, "states": states}


def _describe_state(board: Board, ledger: Ledger, body: SituationBody) -> dict[str, Any]:
    dungeon = board.dungeon
    taken, items = set(body.taken), {*body.items, *dungeon.rules.items}
    has = [
        number
        for number, pickup in enumerate(dungeon.pickups)
        if number in taken
        or (number not in ledger.pickups and (pickup.name not in ledger.items or pickup.name in items))
    ]
    world: list[tuple[str, Any, Any]] = []
    world += [("opened", gate, True) for gate in body.opened]
    world += [("fallen", gate, True) for gate in body.fallen]
    world += [("switch", name, "on") for name in body.on]
    world += [("switch", name, state) for name, state in body.dials]
    world += [("block", block, follow_walk(dungeon.blocks[block].place, walk)) for block, walk in body.moved]
    return {"place": body.at, "has": has, "world": world}
