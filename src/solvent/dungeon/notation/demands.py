"""What a dungeon asks for: all its requirements, what they may be about, and what they need that lies nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from solvent.core.errors import ParseError
from solvent.dungeon.model import (
    AllOf,
    AnyOf,
    Cleared,
    Dial,
    Gate,
    Have,
    Not,
    Pickup,
    Requirement,
    Room,
    Rules,
    Switch,
    SwitchAt,
)
from solvent.dungeon.notation.requirements import MAX_DEPTH, MAX_PARTS, atoms_of, depth_of
from solvent.dungeon.notation.ruling import MAX_OF_ANYTHING, hint_at, is_name
from solvent.dungeon.notation.switches import states_of

Need = tuple[str, str]
"""`key` or `item`, and the colour or name."""
Locate = Callable[[object], Mapping[str, Any]]


class Demanding(Protocol):
    """Ask for things: a dungeon, or the parts of one."""

    @property
    def gates(self) -> Sequence[Gate]: ...
    @property
    def pickups(self) -> Sequence[Pickup]: ...
    @property
    def switches(self) -> Sequence[Switch]: ...
    @property
    def dials(self) -> Sequence[Dial]: ...
    @property
    def rooms(self) -> Sequence[Room]: ...
    @property
    def goal_rule(self) -> Requirement | None: ...
    @property
    def rules(self) -> Rules: ...


def requirements_of(parts: Demanding) -> Iterator[tuple[object, Requirement]]:
    """Yield every requirement with what asks for it: a gate, a pickup, a lever, or the words `goal rule`."""
    things: tuple[Gate | Pickup | Switch, ...] = (*parts.gates, *parts.pickups, *parts.switches)
    for thing in things:
        if thing.rule is not None:
            yield thing, thing.rule
    if parts.goal_rule is not None:
        yield "goal rule", parts.goal_rule


def check_demands(parts: Demanding, locate: Locate) -> None:
    """Require that requirements are about what there can be: names, numbers, switches and their states, rooms."""
    rooms = {room.name for room in parts.rooms}
    states = states_of(parts.switches, parts.dials)
    for thing, rule in requirements_of(parts):
        where = locate(thing)
        if depth_of(rule) > MAX_DEPTH:
            raise ParseError(f"a requirement nested at most {MAX_DEPTH} deep", **where)
        for number, atom in enumerate(atoms_of(rule), 1):
            if number > MAX_PARTS:
                raise ParseError(f"a requirement for at most {MAX_PARTS} things", **where)
            if isinstance(atom, Have):
                _check_have(atom, where)
            elif isinstance(atom, Cleared) and atom.room not in rooms:
                raise ParseError(f"an existing room{hint_at(atom.room, rooms)}", atom.room, **where)
            elif isinstance(atom, SwitchAt):
                _check_state(atom, states, where)


def _check_have(have: Have, where: Mapping[str, Any]) -> None:
    is_named = not have.name if have.what == "bombs" else is_name(have.name) or (have.what == "key" and not have.name)
    if have.what not in ("item", "key", "bombs") or not is_named:
        raise ParseError("an item, a key or bombs to have", f"{have.what} {have.name}".strip(), **where)
    if not 1 <= have.count <= MAX_OF_ANYTHING:
        raise ParseError(f"from 1 to {MAX_OF_ANYTHING} of what is needed", have.count, **where)


def _check_state(atom: SwitchAt, states: Mapping[str, tuple[str, ...]], where: Mapping[str, Any]) -> None:
    if atom.switch not in states:
        hint = hint_at(atom.switch, states)
        raise ParseError(f"the switch {atom.switch!r} somewhere, for what needs it{hint}", **where)
    if atom.state not in states[atom.switch]:
        known = ", ".join(states[atom.switch])
        hint = hint_at(atom.state, states[atom.switch])
        raise ParseError(f"a state of the switch {atom.switch!r} ({known}){hint}", atom.state, **where)


def remarks_about_switches(parts: Demanding) -> Iterator[str]:
    """Yield a remark about each switch that works nothing: it may be mistyped."""
    asked = {gate.needs[0] for gate in parts.gates if gate.kind == "barrier"}
    asked |= {
        atom.switch for _, rule in requirements_of(parts) for atom in atoms_of(rule) if isinstance(atom, SwitchAt)
    }
    for name in sorted({switch.name for switch in parts.switches} - asked):
        yield f"nothing asks about the switch {name!r}{hint_at(name, asked)}"


def unmet_needs(parts: Demanding) -> Iterator[tuple[object, Need]]:
    """Yield each thing that asks for a coloured key or an item that lies nowhere, with what it asks for."""
    rules = parts.rules
    had = _had(parts)
    for gate in parts.gates:
        if gate.kind == "item" or (gate.kind == "lock" and rules.keys_counted):
            word = "item" if gate.kind == "item" else "key"
            for need in gate.needs:
                if need and (word, need) not in had:
                    yield gate, (word, need)
    for thing, rule in requirements_of(parts):
        for atom in atoms_of(rule):
            if isinstance(atom, Have) and _is_named(atom, rules) and (atom.what, atom.name) not in had:
                yield thing, (atom.what, atom.name)
    for item in rules.collect:
        if ("item", item) not in had:
            yield "rules", ("item", item)


def _had(parts: Demanding) -> set[Need]:
    had = {(pickup.kind, pickup.name) for pickup in parts.pickups}
    return had | {("key", colour) for colour, _ in parts.rules.keys} | {("item", item) for item in parts.rules.items}


def _is_named(have: Have, rules: Rules) -> bool:
    return bool(have.name) and (have.what == "item" or rules.keys_counted)


def describe_unmet(parts: Demanding, thing: object, need: Need) -> str:
    """Say what is needed somewhere, and what may have been meant: it is more likely mistyped than missing."""
    word, name = need
    asking = {"goal rule": "the goal", "rules": "the rule collect"}.get(str(thing), "what needs it")
    if isinstance(thing, Gate):
        asking = "the lock that needs one" if thing.kind == "lock" else "the gate that needs it"
        if thing.rule is not None and need not in set(_wanted(thing.rule)):
            asking = "the gate that it closes"
    expected = (
        f"a {name} key somewhere, for {asking}" if word == "key" else f"the item {name!r} somewhere, for {asking}"
    )
    return expected + _hint(parts, need)


def _wanted(rule: Requirement, *, denied: bool = False) -> Iterator[Need]:
    """Yield what it can help to have; the rest a requirement asks about only so that it is not had."""
    if isinstance(rule, Not):
        yield from _wanted(rule.part, denied=not denied)
    elif isinstance(rule, AllOf | AnyOf):
        for part in rule.parts:
            yield from _wanted(part, denied=denied)
    elif isinstance(rule, Have) and not denied:
        yield rule.what, rule.name


def _hint(parts: Demanding, need: Need) -> str:
    word, name = need
    had = _had(parts)
    if word == "key" and ("item", f"{name} key") in had:
        return f' (for the item of that name, write "{name} key" in quotes)'
    if word == "item" and name.startswith("key ") and ("key", name.removeprefix("key ")) in had:
        return f" (for the key, write {name.removeprefix('key ')} key)"
    switch, is_state, _ = name.partition(" is ")
    if word == "item" and is_state and any(switch == known.name for known in parts.switches):
        return f" (did you mean `switch {name}`?)"
    return hint_at(name, {other for kind, other in had if kind == word})
