"""One thing that is wrong with a task, and the small tests that many parts of it need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.valency.slices import in_pieces, repeats, slices, stable_order

Place = tuple[str | int, ...]
"""Keys and numbers that lead to something, as in the JSON format."""

LARGEST_NUMBER = 2**31 - 1
"""The most that anything is counted to: least, most, distance."""
LARGEST_SEED = 2**63 - 1
LARGEST_WEIGHT, SMALLEST_WEIGHT = 1e12, 1e-12
"""Between them sums and products of weights keep their digits; 0 is fine as well."""
LARGEST_COORDINATE, SHORTEST_VECTOR = 1e15, 1e-15
"""Between them lengths can be told, and compared."""
LONGEST_NAME, LONGEST_TEXT = 200, 10_000
MAX_FAULTS = 20
"""How many are listed; then it says how many more there are."""

_BAD_LETTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_BAD_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_NOTHING = object()


class Fault(Struct, frozen=True):
    """Hold one thing that is wrong: where, what was expected, and what stood there."""

    place: Place
    expected: str
    value: object = _NOTHING

    @property
    def has_value(self) -> bool:
        """Tell whether there is a value to show."""
        return self.value is not _NOTHING

    def __str__(self) -> str:
        found = f", found {show_value(self.value)}" if self.has_value else ""
        return f"{show_place(self.place)}: expected {self.expected}{found}"


def show_place(place: Iterable[str | int]) -> str:
    """Write a place as `rules.modules[3].weight`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def text_faults(place: Place, text: str, *, empty: bool = False) -> Iterator[Fault]:
    if not isinstance(text, str) or len(text) > LONGEST_NAME or _BAD_LETTERS.search(text) or not (text or empty):
        least = 0 if empty else 1
        yield Fault(place, f"a name of {least} to {LONGEST_NAME} letters, without control characters", text)


def name_list_faults(place: Place, names: Sequence[str], key: str, meter: Meter = UNLIMITED) -> Iterator[Fault]:
    """Look at many names; one search over many at once is enough when they are right."""
    number = 0
    for some in in_pieces(names, meter):
        if not all(some) or max(map(len, some)) > LONGEST_NAME or _BAD_LETTERS.search("".join(some)):
            for at, name in enumerate(some, start=number):
                yield from text_faults((*place, at, key), name)
        number += len(some)


def property_faults(place: Place, properties: tuple[tuple[str, Any], ...]) -> Iterator[Fault]:
    names = [name for name, _ in properties]
    if names != sorted(set(names)):
        yield Fault(place, "properties sorted by name, each once", names)
    for name, value in properties:
        yield from text_faults((*place, name), name)
        if isinstance(value, str):
            if len(value) > LONGEST_TEXT or _BAD_TEXT.search(value):
                expected = f"a text of at most {LONGEST_TEXT} letters, without control characters"
                yield Fault((*place, name), expected, value)
        elif isinstance(value, int):
            if not -LARGEST_SEED <= value <= LARGEST_SEED:
                yield Fault((*place, name), "a whole number of at most 63 bits", value)
        elif not isinstance(value, float) or not np.isfinite(value):
            yield Fault((*place, name), "a text, a number, or true or false", value)


def bound_faults(place: Place, least: int, most: int | None) -> Iterator[Fault]:
    if not 0 <= least <= LARGEST_NUMBER:
        yield Fault((*place, "least"), f"from 0 to {LARGEST_NUMBER}", least)
    if most is not None and not 0 <= most <= LARGEST_NUMBER:
        yield Fault((*place, "most"), f"from 0 to {LARGEST_NUMBER}", most)
    elif most is not None and most < least:
        yield Fault((*place, "most"), f"at least {least}, which is the least", most)


FEW_NAMES = 1000
"""Up to so many names are put into a set to find out whether two are the same."""


def seed_faults(place: Place, seed: int) -> Iterator[Fault]:
    if not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        yield Fault(place, "a whole number from 0 that fits 63 bits", seed)


def repetition_faults(
    place: Place, names: Sequence[str], key: str | None, what: str, meter: Meter = UNLIMITED
) -> Iterator[Fault]:
    if not _may_repeat(names, meter):
        return
    seen: dict[str, int] = {}
    for number, name in enumerate(meter.each(names)):
        if seen.setdefault(name, number) != number:
            at = (*place, number) if key is None else (*place, number, key)
            yield Fault(at, f"a name that no other {what} has, but {what} {seen[name]} has it", name)


def _may_repeat(names: Sequence[str], meter: Meter) -> bool:
    """Tell whether two names have the same hash: a set of millions of names would be slow to make and to free."""
    if len(names) <= FEW_NAMES:
        return len(set(names)) < len(names)
    hashes = np.empty(len(names), dtype=np.int64)
    for part in slices(len(names), meter):
        hashes[part] = [hash(name) for name in names[part]]
    return repeats(hashes, meter)


def repeated_places(values: npt.NDArray[np.int64], meter: Meter = UNLIMITED) -> list[int]:
    """Return where a value stands that stood before already; at most a few more than are ever listed."""
    order = stable_order(values, meter)
    again: list[int] = []
    for part in slices(max(0, len(order) - 1), meter):
        before, after = order[part], order[part.start + 1 : part.stop + 1]
        again += after[values[after] == values[before]].tolist()
    return sorted(again)[: MAX_FAULTS + 1]


def first_places(count: int, is_wrong: Callable[[slice], npt.ArrayLike], meter: Meter = UNLIMITED) -> list[int]:
    """Return where something is wrong, of so many; at most a few more places than are ever listed.

    `is_wrong` tells it of a slice.
    """
    found: list[int] = []
    for part in slices(count, meter):
        found += (part.start + np.flatnonzero(is_wrong(part))).tolist()
        if len(found) > MAX_FAULTS:
            break
    return found[: MAX_FAULTS + 1]


def is_weight(weight: float) -> bool:
    return weight == 0 or SMALLEST_WEIGHT <= weight <= LARGEST_WEIGHT


def is_vector(vector: Sequence[float]) -> bool:
    return len(vector) == 3 and all(abs(part) <= LARGEST_COORDINATE for part in vector)
