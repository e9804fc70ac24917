"""Dungeons with one mechanic taken out, to see whether it makes a difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from solvent.dungeon.model import AllOf, AnyOf, Dungeon, Gate, Have, Not, Requirement, SwitchAt
from torture.judges.dungeon import TooLarge, Truth, truth

FREE = AllOf(())


def _rules(**changes: str) -> Callable[[Dungeon], Dungeon]:
    return lambda dungeon: replace(dungeon, rules=replace(dungeon.rules, **changes))  # type: ignore[arg-type]


def _with_gates(dungeon: Dungeon, change: Callable[[Gate], Gate]) -> Dungeon:
    return replace(dungeon, gates=tuple(change(gate) for gate in dungeon.gates))


def _with_rules(dungeon: Dungeon, change: Callable[[Requirement], Requirement]) -> Dungeon:
    """Change every requirement, part by part, from the inside."""

    def all_of(rule: Requirement) -> Requirement:
        if isinstance(rule, Not):
            return change(Not(all_of(rule.part)))
        if isinstance(rule, AllOf | AnyOf):
            return change(type(rule)(tuple(all_of(part) for part in rule.parts)))
        return change(rule)

    def once(rule: Requirement | None) -> Requirement | None:
        return None if rule is None else all_of(rule)

    return replace(
        dungeon,
        gates=tuple(replace(gate, rule=once(gate.rule)) for gate in dungeon.gates),
        pickups=tuple(replace(pickup, rule=once(pickup.rule)) for pickup in dungeon.pickups),
        switches=tuple(replace(switch, rule=once(switch.rule)) for switch in dungeon.switches),
        goal_rule=once(dungeon.goal_rule),
    )


def _with_switches(**changes: object) -> Callable[[Dungeon], Dungeon]:
    kind = changes.pop("of", None)
    return lambda dungeon: replace(
        dungeon,
        switches=tuple(
            replace(switch, **changes) if kind in (None, switch.kind) else switch  # type: ignore[arg-type]
            for switch in dungeon.switches
        ),
    )


def _with_pickups(**changes: object) -> Callable[[Dungeon], Dungeon]:
    return lambda dungeon: replace(
        dungeon,
        pickups=tuple(replace(pickup, **changes) for pickup in dungeon.pickups),  # type: ignore[arg-type]
    )


WITHOUT: dict[str, Callable[[Dungeon], Dungeon]] = {
    "rule gates": lambda dungeon: _with_gates(
        dungeon, lambda gate: replace(gate, rule=FREE) if gate.kind == "rule" else gate
    ),
    "the rule of the goal": lambda dungeon: replace(dungeon, goal_rule=None),
    "not": lambda dungeon: _with_rules(dungeon, lambda rule: FREE if isinstance(rule, Not) else rule),
    "any of": lambda dungeon: _with_rules(dungeon, lambda rule: AllOf(rule.parts) if isinstance(rule, AnyOf) else rule),
    "all of": lambda dungeon: _with_rules(
        dungeon, lambda rule: AnyOf(rule.parts) if isinstance(rule, AllOf) and rule.parts else rule
    ),
    "counts": lambda dungeon: _with_rules(
        dungeon, lambda rule: replace(rule, count=1) if isinstance(rule, Have) else rule
    ),
    "things that appear": _with_pickups(rule=None),
    "things that renew": _with_pickups(renews=False),
    "levers": _with_switches(of="lever", reach=()),
    "rules of levers": _with_switches(of="lever", rule=None),
    "states that plates and levers set": _with_switches(sets=""),
    "held plates": _with_switches(of="held", kind="plate"),
    "dials": lambda dungeon: _with_rules(
        dungeon, lambda rule: FREE if isinstance(rule, SwitchAt) and rule.switch == "wheel" else rule
    ),
    "blocks pushed on": lambda dungeon: _rules(push="once")(dungeon) if dungeon.rules.push == "on" else dungeon,
    "blocks that reset": _rules(blocks="stay"),
    "the return to the start": _rules(home="never"),
}
"""Each mechanic taken out."""


class Difference:
    """Say what taking a mechanic out changes for any player, from the start."""

    def __init__(self, dungeon: Dungeon, mechanic: str, most: int = 1_000) -> None:
        before = _rules(player="any")(replace(dungeon, played=()))
        after = WITHOUT[mechanic](before)
        self.lengths = self.verdicts = False
        if after != before:
            try:
                known, other = truth(before, most), truth(after, most)
            except TooLarge:
                return
            self.lengths = known[1:] != other[1:]
            self.verdicts = _verdicts(known) != _verdicts(other)


def _verdicts(known: Truth) -> tuple[bool, bool]:
    return known.plan is None, known.lost is None
