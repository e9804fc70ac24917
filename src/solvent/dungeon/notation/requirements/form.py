"""The one form of requirements, and what they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt

Atom = Have | SwitchAt | Cleared
ALWAYS, NEVER = AllOf(()), AnyOf(())
MAX_DEPTH = 50
"""How deeply a requirement may be nested."""
MAX_PARTS = 500
"""How many things a requirement may ask for."""


def all_of(*parts: Requirement) -> Requirement:
    """Ask for all of some requirements, in the one form."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))]
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def any_of(*parts: Requirement) -> Requirement:
    """Ask for any of some requirements, in the one form."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, AnyOf) else (part,))]
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def tidy_requirement(rule: Requirement) -> Requirement:
    """Return a requirement in the one form that reading gives."""
    match rule:
        case Not(part):
            return Not(tidy_requirement(part))
        case AllOf(parts):
            return all_of(*map(tidy_requirement, parts))
        case AnyOf(parts):
            return any_of(*map(tidy_requirement, parts))
    return rule


def depth_of(rule: Requirement) -> int:
    """Return how deeply a requirement is nested; 1 for a thing to have."""
    deepest, waiting = 0, [(rule, 1)]
    while waiting:
        part, depth = waiting.pop()
        deepest = max(deepest, depth)
        if isinstance(part, Not):
            waiting.append((part.part, depth + 1))
        elif isinstance(part, AllOf | AnyOf):
            waiting += ((inner, depth + 1) for inner in part.parts)
    return deepest


def map_atoms(rule: Requirement, change: Callable[[Atom], Requirement]) -> Requirement:
    """Return a requirement, in the one form, in which everything it asks about is changed."""
    match rule:
        case Not(part):
            return Not(map_atoms(part, change))
        case AllOf(parts):
            return all_of(*(map_atoms(part, change) for part in parts))
        case AnyOf(parts):
            return any_of(*(map_atoms(part, change) for part in parts))
    return change(rule)


def atoms_of(rule: Requirement | None) -> Iterator[Atom]:
    """Yield everything that a requirement asks about, in the order of its text."""
    waiting: list[Requirement] = [] if rule is None else [rule]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Not):
            waiting.append(part.part)
        elif isinstance(part, AllOf | AnyOf):
            waiting += reversed(part.parts)
        else:
            yield part
