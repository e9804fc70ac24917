"""State every rule for filled nodes, but the one about fillers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from solvent.valency.checker.components import find_close_pairs, find_components
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_module, name_node, name_orbital
from solvent.valency.checker.neighbours import Numbers, Truths
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Connected, Count, Path, Separation
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


def count_modules(placing: Placing, modules: Numbers) -> list[int]:
    """Count how often each module stands in a fill."""
    counts = np.zeros(placing.modules, dtype=np.int64)
    for part in slices(len(modules), placing.meter):
        counts += np.bincount(modules[part][modules[part] >= 0], minlength=placing.modules)
    return counts.tolist()


def _miscount(count: int, least: int | None, most: int | None, what: str) -> Iterator[str]:
    if least is not None and count < least:
        yield f"there must be at least {least} of {what}, but there are {count}"
    if most is not None and count > most:
        yield f"there may be at most {most} of {what}, but there are {count}"


def broken_constraints(placing: Placing, modules: Numbers, *, complete: bool) -> Iterator[str]:
    """Every constraint is met."""
    for number, constraint in enumerate(placing.meter.each(placing.staging.constraints, every=1)):
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


def holders(placing: Placing, mask: int, modules: Numbers) -> Truths:
    """Tell which nodes of a fill hold a module of a mask."""
    members = np.append(members_of(mask, placing.modules), False)  # what is below 0 holds none
    held = np.empty(len(modules), dtype=np.bool_)
    for part in slices(len(modules), placing.meter):
        held[part] = members[np.maximum(modules[part], -1)]
    return held


def scope(placing: Placing, count: Count) -> Truths:
    """Tell among which nodes a constraint counts; null slots never count."""
    if not count.nodes:
        return placing.surroundings.open
    among = np.zeros(placing.surroundings.nodes, dtype=np.bool_)
    for part in slices(len(count.nodes), placing.meter):
        nodes = np.array(count.nodes[part], dtype=np.int64)
        among[nodes] = placing.surroundings.open[nodes]
    return among


def count_within(placing: Placing, count: Count, modules: Numbers) -> int:
    """Count the nodes that a constraint counts in a fill."""
    held, among = holders(placing, count.modules, modules), scope(placing, count)
    return sum(int(np.count_nonzero(held[part] & among[part])) for part in slices(len(held), placing.meter))


def _too_close(placing: Placing, separation: Separation, which: str, modules: Numbers) -> Iterator[str]:
    sources = where_true(holders(placing, separation.modules, modules), placing.meter)
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
