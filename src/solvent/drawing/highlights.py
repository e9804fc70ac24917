"""Read what a certificate or a hint asks to be drawn. It may come from anywhere, so nothing is taken for granted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from solvent.core.errors import ParseError


def items_in(value: object) -> Iterable[Any]:
    """Return the items of a list; nothing for what is no list."""
    return value if isinstance(value, list | tuple | set | frozenset | range) else ()


def expect_list(value: object, expected: str, path: str) -> Sequence[Any]:
    """Return a list, or raise ParseError."""
    if not isinstance(value, list | tuple):
        raise ParseError(expected, value, path=path)
    return value


def is_number(value: object) -> bool:
    """Tell whether a value is a whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def are_numbers(value: object, count: int) -> bool:
    """Tell whether a value is a list of so many whole numbers."""
    return isinstance(value, list | tuple) and len(value) == count and all(map(is_number, value))


def numbers_in(value: object, end: int, expected: str, path: str) -> list[int]:
    """Return the whole numbers in a list, each once; one below 0 or not below the end raises ParseError."""
    found = dict.fromkeys(number for number in items_in(value) if is_number(number))
    for number in found:
        if not 0 <= number < end:
            raise ParseError(expected, number, path=path)
    return list(found)
