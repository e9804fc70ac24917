"""Write requirements, so that reading gives them again."""

from __future__ import annotations

from collections.abc import Callable

from solvent.core.errors import ParseError
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.requirements.reading import parse_requirement


def format_requirement(rule: Requirement) -> str:
    """Write a requirement so that `parse_requirement` gives it again, in its one form."""
    match rule:
        case Have():
            return _format_have(rule, "" if rule.count == 1 else f" >= {rule.count}")
        case SwitchAt(switch, state):
            named = f"switch {_quoted_if_misread(switch, lambda text: f'switch {text}', SwitchAt(switch))}"
            if state == "on":
                return named
            wanted = SwitchAt("s", state)
            return f"{named} is {_quoted_if_misread(state, lambda text: f'switch s is {text}', wanted)}"
        case Cleared(room):
            return f"cleared {_quoted_if_misread(room, lambda text: f'cleared {text}', rule)}"
        case Not(Have() as have) if have.count > 1:
            return _format_have(have, f" < {have.count}")
        case Not(part):
            inner = format_requirement(part)
            return f"!({inner})" if isinstance(part, AllOf | AnyOf) and len(part.parts) > 1 else f"!{inner}"
        case AllOf(parts):
            return " & ".join(map(_inside_all, parts)) or "always"
        case AnyOf(parts):
            return " | ".join(map(format_requirement, parts)) or "never"


def _inside_all(part: Requirement) -> str:
    text = format_requirement(part)
    return f"({text})" if isinstance(part, AnyOf) and len(part.parts) > 1 else text


def _format_have(have: Have, ending: str) -> str:
    if have.what == "bombs":
        return f"bombs{ending}"
    one = Have(have.what, have.name)
    if have.what == "item":
        return _quoted_if_misread(have.name, lambda text: text, one) + ending
    key = "key" if have.count == 1 else "keys"
    if not have.name:
        return key + ending
    return f"{_quoted_if_misread(have.name, lambda text: f'{text} key', one)} {key}{ending}"


def _quoted_if_misread(name: str, sentence: Callable[[str], str], meant: Requirement) -> str:
    """Return a name as it stands in a sentence: in quotes if that would not be read as it is meant without."""
    try:
        return name if parse_requirement(sentence(name)) == meant else f'"{name}"'
    except ParseError:
        return f'"{name}"'
