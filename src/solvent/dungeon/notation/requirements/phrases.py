"""Requirements in words for people."""

from __future__ import annotations

from solvent.drawing.phrases import listed, with_article
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.requirements.form import ALWAYS, NEVER, Atom


def describe_requirement(rule: Requirement) -> str:
    """Say what a requirement asks for, as it stands after `needs`: `the bow, or 2 bombs and the lamp`."""
    match rule:
        case Have("item", name, count):
            several = f"of the {name}" if name.endswith("s") else f"{name}s"
            return f"the {name}" if count == 1 else f"{count} {several}"
        case Have(what, name, count):
            noun = "bomb" if what == "bombs" else f"{name} key".strip()
            return with_article(noun) if count == 1 else f"{count} {noun}s"
        case SwitchAt(switch, state):
            return f"the switch {switch} {state}" if state in ("on", "off") else f"the switch {switch} at {state}"
        case Cleared(room):
            return f"the room {room} cleared"
        case AllOf(()):
            return "nothing"
        case AnyOf(()):
            return "what cannot be had"
        case Not(part):
            return _describe_not(part)
        case AllOf(parts):
            return listed([_inside_all(part) for part in parts], last="and")
        case AnyOf(parts):
            texts = [describe_requirement(part) for part in parts]
            # `a, or b and c`: the comma says which belong together.
            is_plain = not any(isinstance(part, AllOf) and len(part.parts) > 1 for part in parts)
            return listed(texts, last="or") if is_plain else ", or ".join(texts)


def _describe_not(part: Requirement) -> str:
    match part:
        case Have(what, name, 1):
            return " ".join(filter(None, ("no", name, {"item": "", "key": "key"}.get(what, "bombs"))))
        case Have():
            return f"fewer than {describe_requirement(part)}"
        case SwitchAt(switch, state):
            return f"the switch {switch} not {'' if state in ('on', 'off') else 'at '}{state}"
        case Cleared(room):
            return f"the room {room} not cleared"
        case Not(inner):
            return describe_requirement(inner)
        case AllOf(()):
            return describe_requirement(NEVER)
        case AnyOf(()):
            return describe_requirement(ALWAYS)
    return f"not ({describe_requirement(part)})"


def _inside_all(part: Requirement) -> str:
    text = describe_requirement(part)
    if not isinstance(part, AnyOf) or len(part.parts) < 2:
        return text
    return f"either {text}" if all(isinstance(inner, Atom | Not) for inner in part.parts) else f"({text})"
