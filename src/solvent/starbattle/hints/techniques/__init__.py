"""The catalogue of techniques, from easy to hard. Each is one module: what it says, why it is sound, how it is found.

| technique | what it says |
| --- | --- |
| neighbour | nothing touches a star |
| full unit | a unit with all its stars has no more |
| exact fill | as many open cells as stars needed: all are stars |
| tiling | as many 2×2 blocks cover a unit as it needs stars: one star each |
| reserved area | stars of one unit that must lie in another |
| exclusion | a star here would leave a unit too little room |
| placements | what all ways to fill a unit have in common, where there are few |
| pressured exclusion | the same, counting the units the star would fill |
| undercounting | regions inside as many lines: the rest of the lines is empty |
| overcounting | lines inside as many regions: the rest of the regions is empty |
| squeeze | two neighbouring lines with just room enough |
| composite shape | lines without the regions inside them have a known number of stars |
| finned count | counting that a few cells spoil: what those cells exclude as well |
| set differential | what two overlapping groups of units differ by |
| shapes | two small shapes that get into each other's way |
| fish | rows against columns |
| n-rooks | empty 2×2 blocks stand like rooks |
| hypothesis | suppose the opposite, and meet a contradiction |
| nested hypothesis | the same, with a supposition inside |
| search | with the opposite mark every way was tried, and none is left; where no argument is known |
| uniqueness | there would be a second solution; only on request |
"""

from __future__ import annotations

import functools
import importlib
from typing import cast

from solvent.starbattle.hints.application import Technique

BASIC = (
    "neighbour",
    "full_unit",
    "exact_fill",
    "tiling",
    "reserved_area",
    "exclusion",
    "placements",
    "pressured_exclusion",
    "undercounting",
    "overcounting",
    "squeeze",
    "composite_shape",
    "finned_count",
    "set_differential",
    "shapes",
    "fish",
    "n_rooks",
)
"""Techniques that look at the board as it stands."""
SUPPOSING = ("hypothesis", "nested_hypothesis")
"""Techniques that suppose something and follow what comes of it."""
LAST = "search"
"""What is left where no technique above has a step: every way to go on is tried."""


@functools.cache
def technique(module: str) -> Technique:
    """Return a technique by the name of its module."""
    return cast(Technique, importlib.import_module(f"{__name__}.{module}"))


def catalogue() -> list[Technique]:
    """Return every technique, easiest first."""
    return [technique(module) for module in (*BASIC, *SUPPOSING, "uniqueness", LAST)]


@functools.cache
def titles() -> dict[str, str]:
    """Return the title of every technique by its name."""
    return {module.NAME: module.TITLE for module in catalogue()}


@functools.cache
def difficulties() -> dict[str, float]:
    """Return how hard every technique is, by its name."""
    return {module.NAME: module.DIFFICULTY for module in catalogue()}
