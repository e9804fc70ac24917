"""Say when something is there that has a rule: `there once den is cleared`, `there while tide is high`."""

from __future__ import annotations

from solvent.drawing.phrases import listed
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.requirements import describe_requirement


def describe_presence(rule: Requirement) -> str:
    """Say when a thing with a rule is there; where that is too much for one clause, what it needs."""
    if rule == AnyOf(()):
        return "never there"
    clause = _clause(rule)
    if clause is None:
        return f"needs {describe_requirement(rule)}"
    return f"there {'once' if _lasts(rule) else 'while'} {clause}"


def _clause(rule: Requirement) -> str | None:
    """Return a rule as a clause: `tide is high and you have no torch`; None if it has clauses inside clauses."""
    match rule:
        case AllOf((_, *_) as parts) | AnyOf((_, *_) as parts):
            clauses = [_atom(part) for part in parts]
            known = [clause for clause in clauses if clause is not None]
            return listed(known, last="and" if isinstance(rule, AllOf) else "or") if len(known) == len(parts) else None
        case _:
            return _atom(rule)


def _atom(rule: Requirement) -> str | None:
    negated = isinstance(rule, Not)
    part = rule.part if isinstance(rule, Not) else rule
    is_ = "is not" if negated else "is"
    match part:
        case Have():
            return f"you have {describe_requirement(rule)}"
        case SwitchAt(switch, state):
            return f"{switch} {is_} {state}"
        case Cleared(room):
            return f"{f'room {room}' if room[:1].isdigit() else room} {is_} cleared"
    return None


def _lasts(rule: Requirement) -> bool:
    """Tell whether a rule that holds once holds for good: items stay in hand, and monsters do not come back."""
    match rule:
        case Have(what, _, _):
            return what == "item"
        case AllOf(parts) | AnyOf(parts):
            return all(_lasts(part) for part in parts)
    return isinstance(rule, Cleared)
