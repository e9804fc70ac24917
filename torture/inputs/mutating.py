"""Change inputs: as text, as JSON, as XML, or as bytes, knowing what each is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any
from xml.etree import ElementTree

import msgspec

from torture.certificates.forging import mutate

ODD_WORDS = (
    "", "0", "-1", "1", "2", "99999999999999999999", "1e999", "NaN", "-0", "1.5", "٣", "²", "\u200b", "\ufeff", "\x7f",
    "é", "🎲", "\u2028", "\r", "\t", '"', "'", "<", ">", "&", "&#0;", "\\", "/", "..", "../../etc/passwd", "%00",
    "null", "true", "[]", "{}", "#", "*", "A1", "Z99", "x" * 300, "4294967296", "-2147483649", "{{7*7}}", "None",
    "0x10", "1_000",
)  # fmt: skip
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"\w+")


def mutate_input(dice: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return the input with one thing changed, or a few; sometimes with a part of another one."""
    if data[:4] == b"\x89PNG" or dice.random() < 0.03:
        return _mutate_bytes(dice, data)
    text = data.decode("utf-8", "replace")
    start = text.lstrip()[:1]
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        if start in "{[" and dice.random() < 0.75:
            text = _mutate_json(dice, text)
        elif start == "<" and dice.random() < 0.75:
            text = _mutate_xml(dice, text)
        else:
            text = _mutate_text(dice, text, others)
    return text.encode("utf-8", "replace")


def _mutate_bytes(dice: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 2, 8))):
        place = dice.randrange(len(changed) + 1)
        kind = dice.randrange(4)
        if kind == 0:
            del changed[place : place + dice.choice((1, 4, 100))]
        elif kind == 1:
            changed[place:place] = bytes(dice.randrange(256) for _ in range(dice.choice((1, 4))))
        elif place < len(changed):
            changed[place] = dice.choice((0, 255, changed[place] ^ 1 << dice.randrange(8)))
    return bytes(changed)


def _mutate_json(dice: Random, text: str) -> str:
    try:
        value: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return _mutate_text(dice, text, ())
    held = {"": value} if not isinstance(value, dict) else value
    changed = mutate(dice, held, (*ODD_WORDS[:12], *dice.sample(WORD.findall(text) or [""], 1)))
    return msgspec.json.encode(changed if isinstance(value, dict) else changed.get("")).decode()


def _mutate_xml(dice: Random, text: str) -> str:
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return _mutate_text(dice, text, ())
    elements = list(root.iter())
    here = dice.choice(elements)
    kind = dice.randrange(6)
    if kind < 3 and here.attrib:
        name = dice.choice(list(here.attrib))
        here.attrib[name] = _other_word(dice, here.attrib[name])
    elif kind == 3 and len(here):
        here.remove(dice.choice(list(here)))
    elif kind == 4 and len(here):
        # A copy: a part of itself would have no end.
        here.append(deepcopy(dice.choice(elements if dice.random() < 0.1 else list(here))))
    elif here.text:
        here.text = _other_word(dice, here.text)
    elif here.attrib:
        del here.attrib[dice.choice(list(here.attrib))]
    return ElementTree.tostring(root, encoding="unicode")


def _other_word(dice: Random, word: str) -> str:
    number = NUMBER.search(word)
    if number and len(number[0]) < 10 and dice.random() < 0.6:
        other = dice.choice((int(number[0]) + 1, max(0, int(number[0]) - 1), 0, 10 * int(number[0]), -int(number[0])))
        return word[: number.start()] + str(other) + word[number.end() :]
    return dice.choice(ODD_WORDS)


def _mutate_text(dice: Random, text: str, others: Sequence[bytes]) -> str:
    if not text:
        return dice.choice(ODD_WORDS)
    kind = dice.randrange(10)
    if kind < 3:
        return _mutate_lines(dice, text)
    if kind < 5:
        words = list((NUMBER if dice.random() < 0.5 else WORD).finditer(text))
        if words:
            word = dice.choice(words)
            other = dice.choice(words)[0] if dice.random() < 0.5 else _other_word(dice, word[0])
            return text[: word.start()] + other + text[word.end() :]
    if kind == 5 and others:
        other_text = dice.choice(others).decode("utf-8", "replace")
        cut, other_cut = dice.randrange(len(text)), dice.randrange(len(other_text) + 1)
        return text[:cut] + other_text[other_cut:]
    place = dice.randrange(len(text))
    if kind == 6:
        return text[:place] + text[place + dice.choice((1, 1, 3, 40)) :]
    if kind == 7:
        return text[:place] + dice.choice(ODD_WORDS) + text[place:]
    if kind == 8:
        return text[:place] + dice.choice(text) + text[place:]
    return text[:place] + dice.choice(text) + text[place + 1 :]


def _mutate_lines(dice: Random, text: str) -> str:
    lines = text.split("\n")
    place, there = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(5)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(there, lines[place])
    elif kind == 2:
        lines[place], lines[there] = lines[there], lines[place]
    elif kind == 3:
        lines[place] = lines[place][: dice.randrange(len(lines[place]) + 1)]
    else:
        lines = lines[:place]
    return "\n".join(lines)
