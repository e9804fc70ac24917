"""State every rule for filled nodes, but the one about fillers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from solvent.valency.checker.components import find_close_pairs, find_close_strangers, find_components
from solvent.valency.checker.constraints import RULES
from solvent.valency.checker.holding import count_modules, count_within, holders
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_module, name_node, name_orbital
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import Connected, Constraint, Count, Path, Separation
from solvent.valency.slices import distinct, gathered, slices, where_true

MAX_OF_A_RULE = 21
"""How many violations of one rule are put into words: one more than are shown of all."""


def broken_rules(placing: Placing, modules: Numbers, *, complete: bool) -> list[str]:
    """Return the rules that a fill breaks, of each rule the first few places where it does.

    Of a fill that is not complete, only those that more modules cannot mend. `modules` holds the module on each node;
    below 0 where there is none.
    """
    found = (
        misplaced(placing, modules),
        disagreements(placing, modules),
        miscounted_modules(placing, modules, complete=complete),
        broken_constraints(placing, modules, complete=complete),
    )
    return [violation for rule in found for violation in islice(rule, MAX_OF_A_RULE)]


def misplaced(placing: Placing, modules: Numbers) -> Iterator[str]:
    """Each module fits its node and is not excluded, or is picked; and every pick is kept."""
    staging = placing.staging
    for picks in placing.picks:
        for part in slices(len(picks.nodes), placing.meter, width=len(picks.candidates)):
            nodes, chosen = picks.nodes[part], picks.chosen[picks.row[part]]
            kept = ((modules[nodes][:, None] == picks.candidates) & chosen).any(axis=1)
            for row in np.flatnonzero(~kept & (modules[nodes] >= 0)).tolist():
                node = int(nodes[row])
                meant = [name_module(staging, int(module)) for module in picks.candidates[chosen[row]][:5]]
                held_name = name_module(staging, int(modules[node]))
                yield f"{name_node(staging, node)} is picked to hold {' or '.join(meant)}, but holds {held_name}"
    for part in slices(len(modules), placing.meter):
        nodes = part.start + np.flatnonzero(modules[part] >= 0)
        nodes = nodes[~placing.has_pick(nodes)]
        for node in nodes[placing.excluded[modules[nodes]]].tolist():
            held_name = name_module(staging, int(modules[node]))
            yield f"{name_node(staging, node)} holds {held_name}, which only a pick may place"
        for node in nodes[~placing.fits(nodes, modules[nodes])].tolist():
            yield f"{name_module(staging, int(modules[node]))} does not fit {name_node(staging, node)}"


def disagreements(placing: Placing, modules: Numbers) -> Iterator[str]:
    """Each module accepts its neighbours."""
    staging = placing.staging
    for edges in placing.surroundings.kinds():
        filled = (modules[edges.nodes] >= 0) & (modules[edges.others] >= 0)
        nodes, others = edges.nodes[filled], edges.others[filled]
        for orbital, ends, beyond in ((edges.orbital, nodes, others), (edges.back, others, nodes)):
            accepted = placing.accepts(edges.layer, orbital, modules[ends], modules[beyond])
            for row in np.flatnonzero(~accepted).tolist():
                node, other = int(ends[row]), int(beyond[row])
                yield (
                    f"{name_module(staging, int(modules[node]))} on {name_node(staging, node)} does not accept "
                    f"{name_module(staging, int(modules[other]))} on {name_node(staging, other)}, "
                    f"its orbital {name_orbital(staging, edges.layer, orbital)}"
                )


def miscounted_modules(placing: Placing, modules: Numbers, *, complete: bool) -> Iterator[str]:
    """There are as many of each module as it asks for."""
    counts = count_modules(placing, modules)
    for number, module in enumerate(placing.staging.rules.modules):
        least = module.least if complete else None
        yield from _miscount(counts[number], least, module.most, f"{name_module(placing.staging, number)}")


def _miscount(count: int, least: int | None, most: int | None, what: str) -> Iterator[str]:
    if least is not None and count < least:
        yield f"there must be at least {least} of {what}, but there are {count}"
    if most is not None and count > most:
        yield f"there may be at most {most} of {what}, but there are {count}"


def broken_constraints(
    placing: Placing,
    modules: Numbers,
    *,
    complete: bool,
    among: Callable[[Constraint], bool] = lambda _constraint: True,
) -> Iterator[str]:
    """Every constraint is met, or every one of some."""
    for number, constraint in enumerate(placing.meter.each(placing.staging.constraints, every=1)):
        if not among(constraint):
            continue
        which = f"constraint {number}"
        if isinstance(constraint, Count):
            count = count_within(placing, constraint, modules)
            least = constraint.least if complete else None
            yield from _miscount(count, least, constraint.most, f"what {which} counts")
        elif isinstance(constraint, Separation):
            yield from _too_close(placing, constraint, which, modules)
        elif complete and isinstance(constraint, Connected):
            yield from _in_pieces(placing, constraint, which, modules)
        elif complete and isinstance(constraint, Path):
            yield from _without_path(placing, constraint, which, modules)
        if type(constraint) in RULES and (complete or RULES[type(constraint)].forbids_only):
            for violation in islice(RULES[type(constraint)].broken(placing, constraint, modules), MAX_OF_A_RULE):
                yield f"{which}: {violation}"


def _too_close(placing: Placing, separation: Separation, which: str, modules: Numbers) -> Iterator[str]:
    sources = where_true(holders(placing, separation.modules, modules), placing.meter)
    if separation.others:
        others = where_true(holders(placing, separation.others, modules), placing.meter)
        pairs = find_close_strangers(placing.surroundings, sources, others, separation.distance)
    else:
        pairs = find_close_pairs(placing.surroundings, sources, separation.distance)
    for node, other in pairs[:MAX_OF_A_RULE]:
        one, two = name_node(placing.staging, node), name_node(placing.staging, other)
        yield f"{which}: {one} and {two} are fewer than {separation.distance} edges apart"


def _in_pieces(placing: Placing, connected: Connected, which: str, modules: Numbers) -> Iterator[str]:
    joining = Joining(placing, connected)
    held = where_true(joining.holders(modules), placing.meter)
    labels = find_components(len(modules), *joining.joined(modules), placing.meter)
    pieces = distinct(gathered(labels, held, placing.meter), placing.meter)
    if len(pieces) > 1:
        one, two = (name_node(placing.staging, int(piece)) for piece in pieces[:2])
        yield f"{which}: its modules stand in {len(pieces)} pieces; {one} and {two} are not connected"


def _without_path(placing: Placing, path: Path, which: str, modules: Numbers) -> Iterator[str]:
    joining = Joining(placing, path)
    held = joining.holders(modules)
    bare = [node for node in (path.start, path.end) if not held[node]]
    for node in bare:
        yield f"{which}: {name_node(placing.staging, node)} holds none of its modules"
    if not bare:
        pieces = find_components(len(modules), *joining.joined(modules), placing.meter)
        if pieces[path.start] != pieces[path.end]:
            one, two = name_node(placing.staging, path.start), name_node(placing.staging, path.end)
            yield f"{which}: no path joins {one} and {two}"
