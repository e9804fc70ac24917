"""Gather what the write phase says about each node: its module, flags packed with it, its variant and properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.answer import Answer
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.drawing.overlay import read_fill, read_over_budget
from solvent.valency.model import (
    EXCLUDED,
    FILLER,
    NULL_SLOT,
    UNSOLVABLE,
    Count,
    Graph,
    Module,
    PropertyValue,
    Staging,
    Transform,
    numbers_in,
)
from solvent.valency.orbitals import OrbitalCache, build_cache, node_positions
from solvent.valency.rules import place
from solvent.valency.seeds import variants

Numbers = npt.NDArray[np.int64]

FIXED, FORCED, ON_BOUNDARY, AS_FILLER, PROVED_IMPOSSIBLE, GIVEN_UP_ON = 1, 2, 4, 8, 16, 32
FLAGS = {
    FIXED: "fixed",
    FORCED: "forced",
    ON_BOUNDARY: "boundary",
    AS_FILLER: "filler",
    PROVED_IMPOSSIBLE: "impossible",
    GIVEN_UP_ON: "over_budget",
}
"""The flags by name: has a fixed pick, has one that does not fit, lacks a neighbour on some orbital of some layer,
holds a filler, could not be filled as is proved, could not be filled in time."""
LOW_HALF = 0xFFFFFFFF


class NodeData(Struct, frozen=True):
    """Hold what is written about one node."""

    number: int
    name: str | None
    """None where the nodes of the cluster have no names."""
    position: tuple[float, float, float]
    module_number: int
    """The module, or NULL_SLOT or UNSOLVABLE."""
    module: Module | None
    properties: dict[str, PropertyValue]
    packed: int
    flags: list[str]
    variant: int | None
    """Which of the module's transforms is drawn; None where it has none."""
    transform: Transform | None
    module_data: int
    """The packed number, or exactly NULL_SLOT or UNSOLVABLE where there is no module."""

    @property
    def placed(self) -> tuple[float, float, float]:
        """Return where its module stands: at the node, moved by its transform."""
        x, y, z = self.position
        offset = (0.0, 0.0, 0.0) if self.transform is None else self.transform.offset
        return x + offset[0], y + offset[1], z + offset[2]


class ModuleData(Struct, frozen=True, eq=False):
    """Hold what is written about a fill. Arrays have one entry for each node."""

    staging: Staging
    cache: OrbitalCache
    seed: int
    modules: Numbers
    """The module, or NULL_SLOT or UNSOLVABLE."""
    flags: Numbers
    packed: Numbers
    """The module as 32 bits with a sign below, the flags above."""
    variants: Numbers
    """Which of the module's transforms is drawn; -1 where it has none."""
    over_budget: frozenset[int]
    order: object
    """The step at which each node was filled, below 0 if it never was; None if the answer did not keep it."""

    def nodes(self) -> Iterator[NodeData]:
        """Yield what is written about each node."""
        cluster, modules = self.staging.cluster, self.staging.rules.modules
        names = cluster.names if isinstance(cluster, Graph) else ()
        properties = all_properties(self.staging)
        for node, position in enumerate(node_positions(cluster).tolist()):
            number, variant = int(self.modules[node]), int(self.variants[node])
            module = modules[number] if number >= 0 else None
            yield NodeData(
                number=node,
                name=names[node] if names else None,
                position=position,
                module_number=number,
                module=module,
                properties={} if module is None else properties[number],
                packed=int(self.packed[node]),
                flags=flag_names(int(self.flags[node])),
                variant=variant if variant >= 0 else None,
                transform=module.transforms[variant] if module is not None and variant >= 0 else None,
                module_data=int(self.packed[node]) if number >= 0 else number,
            )


def gather(staging: Staging, answer: Answer, meter: Meter = UNLIMITED) -> ModuleData:
    """Gather the module data of an answer with a fill; one that does not fit raises ParseError."""
    certificate = answer.certificate or {}
    modules = read_fill(staging, certificate.get("modules"), "modules").astype(np.int64)
    over_budget = read_over_budget(certificate, len(modules))
    cache = build_cache(staging, meter)
    given = answer.stats.get("seed")
    seed = given if isinstance(given, int) and not isinstance(given, bool) else staging.seed
    flags = _flags(staging, cache, modules, over_budget, meter)
    meter.checkpoint()
    return ModuleData(
        staging=staging,
        cache=cache,
        seed=seed,
        modules=modules,
        flags=flags,
        packed=pack(modules, flags),
        variants=_variants(staging, modules, seed),
        over_budget=over_budget,
        order=answer.stats.get("order"),
    )


def pack(modules: Numbers, flags: Numbers) -> Numbers:
    """Put modules and flags into one number each: the module in the low 32 bits, the flags in the high ones."""
    return (flags << 32) | (modules & LOW_HALF)


def unpack(packed: int) -> tuple[int, int]:
    """Return the module and the flags of a packed number."""
    low = packed & LOW_HALF
    return (low - (1 << 32) if low >> 31 else low), packed >> 32


def flag_names(flags: int) -> list[str]:
    """Return the names of the flags that are set."""
    return [name for flag, name in FLAGS.items() if flags & flag]


def all_properties(staging: Staging) -> list[dict[str, PropertyValue]]:
    """Return the properties of each module, defaults filled in, sorted by name."""
    defaults = dict(staging.rules.property_defaults)
    return [dict(sorted((defaults | dict(module.properties)).items())) for module in staging.rules.modules]


def summarise(data: ModuleData) -> dict[str, Any]:
    """Return the counts that tell how a fill came out."""
    modules = data.staging.rules.modules
    held = data.modules[data.modules >= 0]
    counts = np.bincount(held, minlength=len(modules)).tolist()
    left_out = int((data.modules == UNSOLVABLE).sum())
    weights = [0.0 if module.placement == EXCLUDED else module.weight for module in modules]
    return {
        "nodes": len(data.modules),
        "resolved": len(held),
        "unsolvable": left_out,
        "impossible": left_out - len(data.over_budget),
        "over_budget": len(data.over_budget),
        "boundary": int(((data.flags & ON_BOUNDARY != 0) & data.cache.open_nodes).sum()),
        "null": int((data.modules == NULL_SLOT).sum()),
        "fixed": int((data.flags & FIXED != 0).sum()),
        "minimums_met": _minimums_met(data, counts),
        "distance_from_weights": _distance(counts, weights),
        "counts": {module.key: count for module, count in zip(modules, counts, strict=True)},
    }


def _distance(counts: list[int], weights: list[float]) -> float | None:
    """Return half the summed difference between the shares of modules and of weights: 0 if equal, at most 1."""
    total, weight = sum(counts), sum(weights)
    if not total or not 0 < weight < float("inf"):
        return None
    return round(sum(abs(n / total - w / weight) for n, w in zip(counts, weights, strict=True)) / 2, 6)


def _minimums_met(data: ModuleData, counts: list[int]) -> bool:
    staging = data.staging
    if any(count < module.least for module, count in zip(staging.rules.modules, counts, strict=True)):
        return False
    for constraint in staging.constraints:
        if isinstance(constraint, Count):
            held = data.modules[list(constraint.nodes)] if constraint.nodes else data.modules
            if int(np.isin(held, numbers_in(constraint.modules)).sum()) < constraint.least:
                return False
    return True


def _flags(
    staging: Staging, cache: OrbitalCache, modules: Numbers, over_budget: frozenset[int], meter: Meter
) -> Numbers:
    placement = place(staging, cache, meter)
    flags = np.zeros(len(modules), dtype=np.int64)
    flags[placement.picked.meaning_of != 0] |= FIXED
    flags[placement.forced] |= FORCED
    lacking = np.zeros(len(modules), dtype=np.bool_)
    for table in cache.neighbours:
        lacking |= (table < 0).any(axis=1)
    flags[lacking] |= ON_BOUNDARY
    fillers = [number for number, module in enumerate(staging.rules.modules) if module.placement == FILLER]
    flags[np.isin(modules, fillers)] |= AS_FILLER
    unproved = np.zeros(len(modules), dtype=np.bool_)
    unproved[list(over_budget)] = True
    flags[(modules == UNSOLVABLE) & ~unproved] |= PROVED_IMPOSSIBLE
    flags[(modules == UNSOLVABLE) & unproved] |= GIVEN_UP_ON
    return flags


def _variants(staging: Staging, modules: Numbers, seed: int) -> Numbers:
    """Draw a variant for each node from its seed: that of its region, or of the whole."""
    from solvent.engine.random import ALL_BITS

    # The last entry stands for nodes without a module, whose numbers are below 0.
    counts = np.array([*(len(module.transforms) for module in staging.rules.modules), 0], dtype=np.int64)
    ways = counts[np.where(modules < 0, len(counts) - 1, modules)]
    seeds = np.full(len(modules), seed & ALL_BITS, dtype=np.uint64)
    for region in staging.regions:
        if region.seed is not None:
            seeds[list(region.nodes)] = np.uint64(region.seed & ALL_BITS)
    chosen = variants(seeds, np.arange(len(modules)), ways)
    return np.where(ways > 0, chosen, -1)
