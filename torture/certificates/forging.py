"""Change certificates: one thing or a few, knowing what lists, numbers, words and proofs are made of."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from solvent.proof.certificate import ENVELOPE_KEYS

EXTREMES = (0, -1, 1, 2, 7, 255, 999, 2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63))
MAX_LIST = 2_000
"""Lists grow no longer than this, so that a chain of changes does not end in a certificate that takes long to check."""

_encode = msgspec.json.encode
_decode = msgspec.json.decode


def mutate(dice: Random, certificate: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Return a copy with one thing changed in its body, or a few; `words` are some that the domain knows."""
    changed: dict[str, Any] = _decode(_encode(certificate))
    for _ in range(dice.choice((1, 1, 1, 1, 2, 2, 3, 5))):
        keys = [key for key in changed if key not in ENVELOPE_KEYS]
        if not keys or dice.random() < 0.02:
            keys = list(changed)
        if keys:
            _change_inside(dice, changed, dice.choice(keys), words)
    return changed


def _change_inside(dice: Random, holder: Any, key: Any, words: Sequence[str]) -> None:
    """Go down to a random place and change what is there."""
    while True:
        value = holder[key]
        if not value or not isinstance(value, dict | list) or dice.random() < 0.3:
            break
        holder, key = value, dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
    holder[key] = _other_value(dice, holder, holder[key], words)


def _other_value(dice: Random, holder: Any, value: Any, words: Sequence[str]) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return _other_number(dice, holder, value)
    if isinstance(value, str):
        return mutate_proof(dice, value) if "\n" in value else _other_word(dice, holder, value, words)
    if isinstance(value, list):
        return _other_list(dice, value)
    if isinstance(value, dict):
        return _other_object(dice, value)
    return dice.choice((0, "", [], {}, None))


def _other_number(dice: Random, holder: Any, value: int) -> int:
    kind = dice.randrange(8)
    if kind < 4:
        return value + dice.choice((-1, 1, -1, 1, -2, 2))
    if kind < 6:
        others = [other for other in (holder if isinstance(holder, list) else holder.values()) if type(other) is int]
        return dice.choice(others or [0])
    return dice.choice(EXTREMES) if kind == 6 else -value


def _other_word(dice: Random, holder: Any, value: str, words: Sequence[str]) -> str:
    kind = dice.randrange(6)
    if kind < 4:
        siblings = [other for other in holder if isinstance(other, str)] if isinstance(holder, list) else []
        return dice.choice([*siblings, *words] or [""])
    if kind == 4 and value:
        place = dice.randrange(len(value))
        return value[:place] + dice.choice(("", value[place] * 2, chr(ord(value[place]) ^ 1))) + value[place + 1 :]
    return dice.choice(("", value + value, value.lower(), value.swapcase(), value[::-1]))


def _other_list(dice: Random, value: list[Any]) -> list[Any]:
    other = list(value)
    if not other:
        return dice.choice(([0], [""], [[]], [[0, 0]]))
    kind = dice.randrange(9)
    place = dice.randrange(len(other))
    if kind < 3:
        del other[place]
    elif kind == 3:
        other.insert(dice.randrange(len(other) + 1), other[place])
    elif kind == 4:
        there = dice.randrange(len(other))
        other[place], other[there] = other[there], other[place]
    elif kind == 5:
        other = other[:place] if dice.random() < 0.5 else other[place:]
    elif kind == 6:
        dice.shuffle(other)
    elif kind == 7:
        other = (other + other)[:MAX_LIST]
    else:
        other = []
    return other


def _other_object(dice: Random, value: dict[str, Any]) -> dict[str, Any]:
    other = dict(value)
    if not other:
        return {"": 0}
    key = dice.choice(list(other))
    kind = dice.randrange(4)
    if kind == 0:
        del other[key]
    elif kind == 1:
        other[key] = other[dice.choice(list(other))]
    elif kind == 2:
        other[key + "s"] = other.pop(key)
    else:
        other[key] = dice.choice((0, "", [], {}, None))
    return other


def mutate_proof(dice: Random, proof: str) -> str:
    """Change lines or literals of a refutation in DRUP text."""
    lines = proof.split("\n")
    for _ in range(dice.choice((1, 1, 2, 4))):
        place = dice.randrange(len(lines))
        kind = dice.randrange(11)
        if kind < 3:
            lines[place] = _other_line(dice, lines[place])
        elif kind == 3 and len(lines) > 1:
            del lines[place]
        elif kind == 4:
            lines.insert(dice.randrange(len(lines) + 1), lines[place])
        elif kind == 5:
            there = dice.randrange(len(lines))
            lines[place], lines[there] = lines[there], lines[place]
        elif kind == 6:
            lines.insert(dice.randrange(len(lines) + 1), "d " + lines[place].removeprefix("d "))
        elif kind == 7:
            lines = [line for line in lines if not line.startswith("d")] or [""]
        elif kind == 8:
            lines = [*lines[:place], "0"] if dice.random() < 0.7 else lines[place:]
        elif kind == 9:
            lines.insert(
                place, dice.choice(("0", "d 0", "c", "", "1 -1 0", "1 1 0", f"{dice.randint(-40, 40)} 0", "99999 0"))
            )
        elif dice.random() < 0.3:
            lines = ["0"]
    return "\n".join(lines)


def _other_line(dice: Random, line: str) -> str:
    literals = line.split(" ")
    place = dice.randrange(len(literals))
    kind = dice.randrange(6)
    if kind == 0:
        del literals[place]
    elif kind == 1:
        literals.insert(place, str(dice.randint(-30, 30)))
    elif literals[place].lstrip("-").isdecimal():
        number = int(literals[place])
        literals[place] = str(dice.choice((-number, -number, number + 1, number - 1, dice.choice(EXTREMES))))
    else:
        literals[place] = dice.choice(("d", "0", "x", ""))
    return " ".join(literals)
