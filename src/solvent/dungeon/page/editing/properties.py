"""Say anew what things are: their colours, names and rules; the title, the goal's rule, the states of switches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dial, Dungeon, Have, Not, Requirement, Switch, SwitchAt
from solvent.dungeon.notation.requirements import parse_requirement
from solvent.dungeon.notation.ruling import is_name, parse_rules
from solvent.dungeon.notation.switches import USUAL_STATES
from solvent.dungeon.notation.text.things import GATES, PICKUPS, SWITCHES
from solvent.dungeon.page.editing.actions import (
    Rename,
    SetGoal,
    SetRules,
    SetStates,
    SetThing,
    SetTitle,
    Split,
    UseFix,
)
from solvent.dungeon.page.editing.placing import gate_of, pickup_of, read_thing, switch_of
from solvent.dungeon.page.editing.sketch import Sketch, SketchGate

_GONE = "It is not there any more."
_NAMES = "up to 60 letters, digits, spaces, - and '"


def set_thing(sketch: Sketch, action: SetThing) -> None:
    """Say anew what a pickup, a gate or a switch is; it stays where it is."""
    thing = read_thing(action.thing)
    kinds = {"pickup": PICKUPS, "gate": tuple(GATES), "switch": tuple(SWITCHES)}[action.what]
    if thing.word not in kinds:
        raise BadOption(f"A {action.what} stays one: {', '.join(kinds)}.")
    number = action.number
    lists: dict[str, list[Any]] = {"pickup": sketch.pickups, "gate": sketch.gates, "switch": sketch.switches}
    if number >= len(lists[action.what]):
        raise BadOption(_GONE)
    if action.what == "pickup":
        sketch.pickups[number] = pickup_of(thing, sketch.pickups[number].place)
    elif action.what == "gate":
        sketch.gates[number].gate = gate_of(thing)
    else:
        sketch.switches[number] = switch_of(sketch, thing, sketch.switches[number].place)


def split(sketch: Sketch, action: Split) -> None:
    """Make each tile of a gate a gate of its own. Ways that it bars stay with the first."""
    if action.number >= len(sketch.gates):
        raise BadOption(_GONE)
    gate = sketch.gates[action.number]
    if len(gate.cells) < 2:
        raise BadOption("It has only one tile.")
    first, *others = sorted(gate.cells)
    gate.cells = {first}
    sketch.gates += [SketchGate(gate.gate, {cell}) for cell in others]


def set_title(sketch: Sketch, action: SetTitle) -> None:
    """Change the title."""
    sketch.title = action.title


def set_goal(sketch: Sketch, action: SetGoal) -> None:
    """Change what goals need; nothing if no rule is given."""
    text = action.rule.strip()
    if not text:
        sketch.goal_rule = None
        return
    try:
        sketch.goal_rule = parse_requirement(text)
    except ParseError as error:
        raise BadOption(f"Expected {error.expected}, found {text!r}.") from None


def set_states(sketch: Sketch, action: SetStates) -> None:
    """Change the states of a switch."""
    states = tuple(state.strip() for state in action.states)
    sketch.dials = [dial for dial in sketch.dials if dial.switch != action.switch]
    if not any(each.switch.name == action.switch for each in sketch.switches):
        raise BadOption(f"There is no switch {action.switch!r}.")
    if not states or states == USUAL_STATES:
        return
    if len(set(states)) != len(states) or len(states) < 2:
        raise BadOption("A switch has at least two states, each with a name of its own.")
    if not all(map(is_name, states)):
        raise BadOption(f"A state needs a name: {_NAMES}.")
    sketch.dials.append(Dial(action.switch, states))


def set_rules(sketch: Sketch, action: SetRules) -> None:
    """Change the rules."""
    sketch.rules = parse_rules(action.rules, sketch.rules)


def use_fix(sketch: Sketch, action: UseFix) -> None:
    """Go on with a dungeon that an explanation changed."""
    try:
        changed = FORMATS.parse(action.text)
    except ParseError as error:
        raise BadOption(f"The changed dungeon cannot be read: {error}") from None
    assert isinstance(changed, Dungeon)
    sketch.__init__(changed)  # type: ignore[misc]  # it is another one from now on


def rename(sketch: Sketch, action: Rename) -> None:
    """Give a switch, a colour or an item another name, wherever it is named."""
    old, new = action.name, action.to.strip()
    if not is_name(new):
        raise BadOption(f"It needs a name: {_NAMES}.")
    kind = {"switch": "barrier", "key": "lock", "item": "item"}[action.what]
    for gate in sketch.gates:
        if gate.gate.kind == kind and old in gate.gate.needs:
            gate.gate = replace(
                gate.gate, needs=tuple(sorted({new if need == old else need for need in gate.gate.needs}))
            )
    if action.what == "switch":
        _rename_switch(sketch, old, new)
    else:
        sketch.pickups = [
            replace(each, name=new) if (each.kind, each.name) == (action.what, old) else each for each in sketch.pickups
        ]

    def renamed(atom: Requirement) -> Requirement:
        if action.what == "switch":
            return replace(atom, switch=new) if isinstance(atom, SwitchAt) and atom.switch == old else atom
        same = isinstance(atom, Have) and (atom.what, atom.name) == (action.what, old)
        return replace(atom, name=new) if same and isinstance(atom, Have) else atom

    _rename_in_rules(sketch, renamed)


def _rename_switch(sketch: Sketch, old: str, new: str) -> None:
    switches = [each for each in sketch.switches if each.switch.name == old]
    if not switches:
        raise BadOption(f"There is no switch {old!r}.")
    if old != new and any(each.switch.name == new for each in sketch.switches):
        raise BadOption(f"There is a switch {new!r} already.")
    for each in switches:
        switch: Switch = each.switch
        each.switch = replace(switch, name=new)
    sketch.dials = [replace(dial, switch=new) if dial.switch == old else dial for dial in sketch.dials]


def rename_room(sketch: Sketch, old: str, new: str) -> None:
    """Have what belongs to a room, or asks for it, name it by its new name."""
    for gate in sketch.gates:
        if gate.gate.kind == "soft" and gate.gate.needs == (old,):
            gate.gate = replace(gate.gate, needs=(new,))
    _rename_in_rules(sketch, lambda atom: Cleared(new) if atom == Cleared(old) else atom)


def _rename_in_rules(sketch: Sketch, renamed: Callable[[Requirement], Requirement]) -> None:
    def change(rule: Requirement | None) -> Requirement | None:
        return None if rule is None else _map_atoms(rule, renamed)

    sketch.pickups = [replace(each, rule=change(each.rule)) for each in sketch.pickups]
    for gate in sketch.gates:
        gate.gate = replace(gate.gate, rule=change(gate.gate.rule))
    for each in sketch.switches:
        each.switch = replace(each.switch, rule=change(each.switch.rule))
    sketch.goal_rule = change(sketch.goal_rule)


def _map_atoms(rule: Requirement, renamed: Callable[[Requirement], Requirement]) -> Requirement:
    if isinstance(rule, Not):
        return Not(_map_atoms(rule.part, renamed))
    if isinstance(rule, AllOf):
        return AllOf(tuple(_map_atoms(part, renamed) for part in rule.parts))
    if isinstance(rule, AnyOf):
        return AnyOf(tuple(_map_atoms(part, renamed) for part in rule.parts))
    return renamed(rule)
