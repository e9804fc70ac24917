"""Why a module does not fit a node: the neighbours it lacks, and those it must not have."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import listed
from solvent.valency.model import EXCLUDED, numbers_in
from solvent.valency.phrases import Phrases

MAX_REASONS = 8
MAX_NAMED = 5
ONLY_PICKED = "stands only where a pick asks for it"

Misfit = tuple[int, int, bool]
"""A layer, an orbital, and whether a neighbour is missing there; otherwise there is one that must not be."""


def misfits(phrases: Phrases, node: int, module: int) -> Iterator[Misfit]:
    """Yield everything that keeps a module from fitting a node."""
    for layer, bonds in enumerate(phrases.staging.rules.modules[module].bonds):
        mask = int(phrases.cache.masks[layer][node])
        for orbital in numbers_in((bonds.orbital_mask | bonds.wildcard_mask) & ~mask):
            yield layer, orbital, True
        for orbital in numbers_in(bonds.boundary_mask & mask):
            yield layer, orbital, False


def describe_misfit(phrases: Phrases, misfit: Misfit) -> str:
    """Say what a module asks for in vain."""
    layer, orbital, missing = misfit
    return f"{'needs a neighbour' if missing else 'must have none'} {phrases.side(layer, orbital)}"


def why_nothing_fits(phrases: Phrases, node: int) -> list[str]:
    """Say for the modules, by what they ask for first, why none of them fits a node."""
    by_reason: dict[str, list[int]] = {}
    for number, module in enumerate(phrases.staging.rules.modules):
        misfit = next(misfits(phrases, node, number), None)
        if misfit is not None:
            by_reason.setdefault(describe_misfit(phrases, misfit), []).append(number)
        elif module.placement == EXCLUDED:
            by_reason.setdefault(ONLY_PICKED, []).append(number)
    by_number = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    lines = [
        f"{listed(phrases.module_names(found), MAX_NAMED)}: {reason}." for reason, found in by_number[:MAX_REASONS]
    ]
    if len(by_number) > MAX_REASONS:
        lines.append(f"… and {sum(len(found) for _, found in by_number[MAX_REASONS:])} more modules.")
    return lines
