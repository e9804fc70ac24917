"""Check what can be reached: walks that take everything between them and reach a goal, or proofs that something cannot.

Each proof is a closed set of a dungeon made for it: of the locations it names, or, where it names none, of the goal; in
`derived` stands why no play takes any of the locations if no goal can be reached there. Locations on goals and others
are not proved together. Where the game is over already, the goal is reached, and nothing more can be taken.
"""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import Ruled
from solvent.dungeon.checker.closed_set import easier_set_violations
from solvent.dungeon.checker.derived import leaves, number_with_marks, one_of, one_on_goals, rules_of, with_marks
from solvent.dungeon.checker.play import State, follow, lay_out, position, show_place
from solvent.dungeon.checker.waiving import waiving_violations
from solvent.dungeon.model import WATER, Dungeon, Have


class WalksBody(Ruled):
    """Hold walks, each from the present position."""

    walks: list[list[str]]


class OutOfReach(msgspec.Struct, forbid_unknown_fields=True):
    """Hold what cannot be reached, and the situations that show it."""

    locations: list[int]
    """Numbers of pickups; none for the goal."""
    states: list[Any]
    waived: list[int] = []
    """Numbers of gates that stand open and take nothing where the situations are."""


class OutOfReachBody(Ruled):
    """Hold proofs, at least one."""

    proofs: list[OutOfReach]


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the certificate does not show what it claims, or an empty list."""
    meter.checkpoint()
    if certificate["form"] == "walks":
        return _walks_violations(dungeon, msgspec.convert(certificate, WalksBody).walks, meter)
    body = msgspec.convert(certificate, OutOfReachBody)
    if not body.proofs:
        return ["expected a proof that something is out of reach"]
    found = []
    for number, proof in enumerate(meter.each(body.proofs, every=1)):
        found += [f"proof {number}: {violation}" for violation in _proof_violations(dungeon, proof, meter)]
    return found


def asked_for(dungeon: Dungeon) -> list[int]:
    """Return the numbers of the pickups that have to be within reach, by the rule `accessibility`."""
    rule, pickups = dungeon.rules.accessibility, list(enumerate(dungeon.pickups))
    if rule == "minimal":
        return []
    if rule != "items":
        return [number for number, pickup in pickups if pickup.kind != "monster"]
    matters = [name for gate in dungeon.gates if gate.kind == "item" for name in gate.needs]
    for requirement in rules_of(dungeon):
        matters += [leaf.name for leaf, _ in leaves(requirement) if isinstance(leaf, Have) and leaf.what == "item"]
    for floor in dungeon.floors:
        if any(WATER in row for row in floor.terrain):
            matters.append(dungeon.rules.water)
    return [number for number, pickup in pickups if pickup.kind == "item" and pickup.name in matters]


def _walks_violations(dungeon: Dungeon, walks: list[list[str]], meter: Meter) -> list[str]:
    wanted = asked_for(dungeon)
    # A pickup that renews is never listed as taken; its mark is.
    renewing = [number for number in wanted if dungeon.pickups[number].renews]
    board = lay_out(with_marks(dungeon, renewing)[0], meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    taken, is_won = set(start.taken), start.place in board.goals
    for number, walk in enumerate(walks):
        state = start
        for reached in follow(board, start, walk):
            if isinstance(reached, str):
                return [f"walk {number}: {reached}"]
            state = reached
        taken |= state.taken
        is_won = is_won or state.place in board.goals
    found = [] if is_won else ["no walk ends on a goal"]
    for number in wanted:
        if number_with_marks(number, renewing) not in taken:
            pickup = dungeon.pickups[number]
            called = f"{pickup.name} {pickup.kind}".strip() if pickup.kind != "item" else pickup.name
            found.append(f"no walk takes pickup {number}, {called} at {show_place(dungeon, pickup.place)}")
    return found


def _proof_violations(dungeon: Dungeon, proof: OutOfReach, meter: Meter) -> list[str]:
    wanted = asked_for(dungeon)
    if not set(proof.locations) <= set(wanted):
        return ["it names something that is no location, or not asked for"]
    # Standing on a goal and what is in hand already are seen in the dungeon itself, with marks for what renews.
    renewing = [number for number in wanted if dungeon.pickups[number].renews]
    board = lay_out(with_marks(dungeon, renewing)[0], meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    if [number for number in proof.locations if number_with_marks(number, renewing) in start.taken]:
        return ["it names something that was taken already"]
    if start.place in board.goals:
        return [] if proof.locations else ["the player stands on a goal already"]
    places = [dungeon.pickups[number].place for number in proof.locations]
    on_goals = [place in board.goals for place in places]
    if not places:
        changed = dungeon
    elif all(on_goals):
        changed = one_on_goals(dungeon, proof.locations)
    elif any(on_goals):
        return ["it names locations on goals together with others"]
    else:
        changed = one_of(dungeon, proof.locations)
    laid_out = lay_out(changed, meter)
    begin = position(laid_out)
    if not isinstance(begin, State):
        return [begin]
    wrong = waiving_violations(changed, proof.waived)
    return wrong or easier_set_violations(laid_out, begin, proof.states, proof.waived)
