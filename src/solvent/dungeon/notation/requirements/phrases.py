"""Requirements in words for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import comb

from solvent.drawing.phrases import listed, with_article
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.requirements.form import ALWAYS, NEVER, Atom, atoms_of


def describe_requirement(rule: Requirement) -> str:
    """Say what a requirement asks for, as it stands after `needs`: `the bow, or 2 bombs and the lamp`."""
    # What a rule counts, there are several of: `a coin`, not `the coin`.
    counted = {atom.name for atom in atoms_of(rule) if isinstance(atom, Have) and atom.count > 1}
    return _describe(rule, counted)


def _describe(rule: Requirement, counted: Collection[str]) -> str:
    match rule:
        case Have("item", name, 1):
            return with_article(name) if name in counted else f"the {name}"
        case Have(_, _, count) as have:
            return with_article(_noun(have)) if count == 1 else f"{count} {_several(have)}"
        case SwitchAt(switch, state):
            return f"the switch {switch} {state}" if state in ("on", "off") else f"the switch {switch} at {state}"
        case Cleared(room):
            return f"the room {room} cleared"
        case AllOf(()):
            return "nothing"
        case AnyOf(()):
            return "what cannot be had"
        case Not(part):
            return _describe_not(part, counted)
        case AllOf(parts):
            return _describe_all(parts, counted)
        case AnyOf(parts):
            if choice := _choice_of_some(parts):
                return choice
            # `a, or b and c`: the comma says which belong together.
            is_plain = not any(isinstance(part, AllOf) and len(part.parts) > 1 for part in parts)
            texts = [_describe(part, counted) for part in parts]
            return listed(texts, last="or") if is_plain else ", or ".join(map(_inside_any, texts))


def _choice_of_some(parts: Sequence[Requirement]) -> str:
    """Return `2 of a, b and c` for all pairs of these items written out, and so for any number; empty for the rest."""
    chosen: dict[frozenset[str], None] = {}
    for part in parts:
        atoms = part.parts if isinstance(part, AllOf) else ()
        chosen[frozenset(atom.name for atom in atoms if isinstance(atom, Have) and atom == Have("item", atom.name))] = (
            None
        )
        if len(atoms) != len(next(reversed(chosen))):
            return ""
    names = sorted(frozenset().union(*chosen))
    sizes = {len(some) for some in chosen}
    count = min(sizes)
    if len(sizes) > 1 or count < 2 or len(parts) != len(chosen) or comb(len(names), count) != len(chosen):
        return ""
    return f"{count} of {listed(names)}"


def _noun(have: Have) -> str:
    return {"bombs": "bomb", "key": f"{have.name} key".strip()}.get(have.what, have.name)


def _several(have: Have) -> str:
    """Return the noun for several of a thing, or `of the …` for names that have none."""
    noun = _noun(have)
    last = noun.rpartition(" ")[2]
    if noun.endswith("s") or len(last) == 1 or last.isdigit():
        return f"of the {noun}"
    if noun.endswith(("x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def _describe_not(part: Requirement, counted: Collection[str]) -> str:
    match part:
        case Have(what, name, 1):
            return " ".join(filter(None, ("no", name, {"item": "", "key": "key"}.get(what, "bombs"))))
        case Have():
            return f"fewer than {_describe(part, counted)}"
        case SwitchAt(switch, state):
            return f"the switch {switch} not {'' if state in ('on', 'off') else 'at '}{state}"
        case Cleared(room):
            return f"the room {room} not cleared"
        case Not(inner):
            return _describe(inner, counted)
        case AllOf(()):
            return _describe(NEVER, counted)
        case AnyOf(()):
            return _describe(ALWAYS, counted)
    return f"not ({_describe(part, counted)})"


def _describe_all(parts: Sequence[Requirement], counted: Collection[str]) -> str:
    """Say what is asked for together, choices last: in `either a or b and c` the `and` could join either way."""
    choices = [part for part in parts if isinstance(part, AnyOf) and len(part.parts) > 1]
    sure = list(_describe_sure([part for part in parts if part not in choices], counted))
    texts = [listed(sure, last="and")] if sure else []
    texts += (_describe_choice(choice, counted) for choice in choices)
    return (" and " if len(sure) < 2 and len(choices) < 2 else ", and ").join(texts)


def _describe_sure(parts: Sequence[Requirement], counted: Collection[str]) -> Iterator[str]:
    """Yield the words for each part, but one for both of a least and a most number of the same thing."""
    limits = [part.part for part in parts if isinstance(part, Not) and isinstance(part.part, Have)]
    joined: set[Requirement] = set()
    for part in parts:
        above = [limit for limit in limits if isinstance(part, Have) and _is_below(part, limit)]
        same = [other for other in parts if isinstance(other, Have) and above and _is_below(other, above[0])]
        if len(above) == len(same) == 1:
            joined.add(Not(above[0]))
    for part in parts:
        limit = next((limit for limit in limits if isinstance(part, Have) and _is_below(part, limit)), None)
        if isinstance(part, Have) and limit is not None and Not(limit) in joined:
            most = limit.count - 1
            number = f"exactly {most}" if part.count == most else f"{part.count} to {most}"
            yield f"{number} {_noun(part) if most == 1 else _several(part)}"
        elif part not in joined:
            yield _describe(part, counted)


def _is_below(have: Have, limit: Have) -> bool:
    return (have.what, have.name) == (limit.what, limit.name) and have.count < limit.count


def _describe_choice(choice: AnyOf, counted: Collection[str]) -> str:
    text = _describe(choice, counted)
    return f"either {text}" if all(isinstance(part, Atom | Not) for part in choice.parts) else f"({text})"


def _inside_any(text: str) -> str:
    return f"({text})" if ", and " in text else text
