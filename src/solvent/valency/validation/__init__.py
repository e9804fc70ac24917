"""What makes a task usable: everything that solvers, checkers and drawings rely on, in one place.

`faults` names all of them at once. A task without faults may well have no fill; that is for the solver to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.valency.model import BEST, FIRST, FORCE, SKIP, WEIGHTED, Rules, Staging
from solvent.valency.orbitals import count_nodes
from solvent.valency.slices import row_of, slices
from solvent.valency.validation.cluster import find_cluster_faults
from solvent.valency.validation.constraints import constraint_faults, has_neighbour, node_faults
from solvent.valency.validation.fault import (
    LARGEST_COORDINATE,
    MAX_FAULTS,
    Fault,
    first_places,
    is_weight,
    name_list_faults,
    repeated_places,
    seed_faults,
    show_place,
    text_faults,
)
from solvent.valency.validation.rules import find_rule_faults

__all__ = [
    "Fault",
    "faults",
    "find_faults",
    "find_rule_faults",
    "has_neighbour",
    "in_sentences",
    "require_valid",
    "show_place",
]


def faults(staging: Staging) -> list[str]:
    """Return everything that is wrong with a task, one sentence each; none if it can be used."""
    return in_sentences(find_faults(staging))


def in_sentences(found: Sequence[Fault]) -> list[str]:
    """Return faults as sentences, the first of them if there are many."""
    shown = [str(fault) for fault in found[:MAX_FAULTS]]
    return shown if len(found) <= MAX_FAULTS else [*shown, f"and {len(found) - MAX_FAULTS} more"]


def require_valid(staging: Staging, meter: Meter = UNLIMITED) -> None:
    """Raise BadOption unless a task can be used.

    Rules are often those of the task before, the very same object, and they cannot be changed: then it has been seen.
    """
    rules = staging.rules
    were_valid = any(rules is known for known in _valid_rules)
    found = in_sentences(find_faults(staging, meter, rules_are_valid=were_valid))
    if found:
        raise BadOption("this task cannot be used: " + "; ".join(found))
    if not were_valid:
        del _valid_rules[:-1]
        _valid_rules.append(rules)


_valid_rules: list[Rules] = []
"""The rules of the last tasks, which have no faults."""


def find_faults(staging: Staging, meter: Meter = UNLIMITED, *, rules_are_valid: bool = False) -> list[Fault]:
    """Return everything that is wrong with a task; `rules_are_valid` spares a look at its rules."""
    found = [] if rules_are_valid else find_rule_faults(staging.rules, meter)
    found += find_cluster_faults(staging.cluster, staging.rules.layers, meter)
    if not found:  # what follows counts on modules, layers and nodes that there are
        found += _staging_faults(staging, meter)
    return found


def _staging_faults(staging: Staging, meter: Meter) -> list[Fault]:
    nodes, priorities = count_nodes(staging.cluster), staging.priorities
    found = list(_pick_faults(staging, nodes, meter))
    for number, constraint in enumerate(meter.each(staging.constraints, every=1)):
        found += constraint_faults(("constraints", number), constraint, staging, nodes, meter)
    found += _region_faults(staging, nodes, meter)
    if priorities:
        if len(priorities) != nodes:
            found.append(Fault(("priorities",), f"a priority for each of {nodes} nodes", len(priorities)))

        def is_wrong(part: slice) -> npt.NDArray[np.bool_]:
            return ~(np.abs(np.asarray(priorities[part], dtype=np.float64)) <= LARGEST_COORDINATE)

        for at in first_places(len(priorities), is_wrong, meter):
            found.append(Fault(("priorities", at), "a number within ±1e15", priorities[at]))
    found += seed_faults(("seed",), staging.seed)
    return found


def _pick_faults(staging: Staging, nodes: int, meter: Meter) -> Iterator[Fault]:
    if staging.pick_selection not in (WEIGHTED, FIRST, BEST):
        yield Fault(("picks", "selection"), f"{WEIGHTED}, {FIRST} or {BEST}", staging.pick_selection)
    if staging.pick_misfit not in (SKIP, FORCE):
        yield Fault(("picks", "misfit"), f"{SKIP} or {FORCE}", staging.pick_misfit)
    if not staging.picks:
        return
    at = np.empty(len(staging.picks), dtype=np.int64)
    for part in slices(len(at), meter):
        at[part] = [pick.node for pick in staging.picks[part]]
    for number in first_places(len(at), lambda part: (at[part] < 0) | (at[part] >= nodes), meter):
        yield Fault(("picks", "at", number, "node"), f"a node from 0 to {nodes - 1}", int(at[number]))
    for number in repeated_places(at, meter):
        yield Fault(("picks", "at", number, "node"), "at most one pick for each node", int(at[number]))
    if first_places(len(at) - 1, lambda part: at[part.start + 1 : part.stop + 1] < at[part], meter):
        yield Fault(("picks", "at"), "picks sorted by node")
    for part in slices(len(at), meter):
        for fault in name_list_faults((), [pick.name for pick in staging.picks[part]], "module"):
            within = fault.place[0]
            assert isinstance(within, int)
            yield Fault(("picks", "at", part.start + within, "module"), fault.expected, fault.value)


def _region_faults(staging: Staging, nodes: int, meter: Meter) -> Iterator[Fault]:
    modules = len(staging.rules.modules)
    taken = np.zeros(nodes, dtype=bool)
    for number, region in enumerate(meter.each(staging.regions, every=100)):
        place = ("regions", number)
        yield from text_faults((*place, "name"), region.name, empty=True)
        if not region.nodes:
            yield Fault((*place, "nodes"), "at least one node", ())
        wrong = list(node_faults((*place, "nodes"), region.nodes, nodes, meter))
        yield from wrong
        if region.nodes and not wrong:
            at = row_of(region.nodes, np.int64, meter)
            for index in first_places(len(at), lambda part, at=at: taken[at[part]], meter):  # type: ignore[misc]
                yield Fault((*place, "nodes", index), "a node that is in no other region", int(at[index]))
            for part in slices(len(at), meter):
                taken[at[part]] = True
        if region.seed is not None:
            yield from seed_faults((*place, "seed"), region.seed)
        numbers = [module for module, _ in region.weights]
        if numbers != sorted(set(numbers)) or any(not 0 <= module < modules for module in numbers):
            yield Fault((*place, "weights"), f"modules from 0 to {modules - 1}, rising", numbers)
            continue
        for module, factor in region.weights:
            if not is_weight(factor):
                key = staging.rules.modules[module].key
                yield Fault((*place, "weights", key), "0, or a number from 1e-12 to 1e12", factor)
