"""State every rule for filled nodes, but the one about fillers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from solvent.valency.checker.components import find_close_pairs, find_components
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_module, name_node, name_orbital
from solvent.valency.checker.neighbours import Numbers, Truths
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Connected, Count, Path, Separation
from solvent.valency.slices import distinct

MAX_OF_A_RULE = 21
"""How many violations of one rule are put into words: one more than are shown of all."""


def broken_rules(placing: Placing, modules: Numbers, *, complete: bool) -> list[str]:
    """Return the rules that a fill breaks. Of one that is not complete, only those that more modules cannot mend.

    `modules` holds the module on each node; below 0 where there is none.
    """
    found = chain(
        misplaced(placing, modules),
        disagreements(placing, modules),
        miscounted_modules(placing, modules, complete=complete),
        broken_constraints(placing, modules, complete=complete),
    )
    return list(found)


def misplaced(placing: Placing, modules: Numbers) -> Iterator[str]:
    """Each module fits its node and is not excluded, or is picked; and every pick is kept."""
    staging = placing.staging
    kept = np.zeros(len(modules), dtype=np.bool_)
    for picks in placing.picks:
        held = modules[picks.nodes][:, None] == picks.candidates
        kept[picks.nodes] = (held & picks.chosen).any(axis=1)
        broken = np.flatnonzero(~kept[picks.nodes] & (modules[picks.nodes] >= 0))
        for row in broken[:MAX_OF_A_RULE].tolist():
            node = int(picks.nodes[row])
            meant = [name_module(staging, int(module)) for module in picks.candidates[picks.chosen[row]]]
            held_name = name_module(staging, int(modules[node]))
            yield f"{name_node(staging, node)} is picked to hold {' or '.join(meant[:5])}, but holds {held_name}"
    nodes = np.flatnonzero((modules >= 0) & ~kept)
    nodes = nodes[~placing.has_pick(nodes)]
    for node in nodes[placing.excluded[modules[nodes]]][:MAX_OF_A_RULE].tolist():
        held_name = name_module(staging, int(modules[node]))
        yield f"{name_node(staging, node)} holds {held_name}, which only a pick may place"
    for node in nodes[~placing.fits(nodes, modules[nodes])][:MAX_OF_A_RULE].tolist():
        yield f"{name_module(staging, int(modules[node]))} does not fit {name_node(staging, node)}"


def disagreements(placing: Placing, modules: Numbers) -> Iterator[str]:
    """Each module accepts its neighbours."""
    staging = placing.staging
    shown = 0
    for edges in placing.surroundings.kinds():
        filled = (modules[edges.nodes] >= 0) & (modules[edges.others] >= 0)
        nodes, others = edges.nodes[filled], edges.others[filled]
        for orbital, ends, beyond in ((edges.orbital, nodes, others), (edges.back, others, nodes)):
            accepted = placing.accepted(edges.layer, orbital)
            broken = np.flatnonzero(~accepted[modules[ends], modules[beyond]])
            for row in broken[: max(0, MAX_OF_A_RULE - shown)].tolist():
                shown += 1
                node, other = int(ends[row]), int(beyond[row])
                yield (
                    f"{name_module(staging, int(modules[node]))} on {name_node(staging, node)} does not accept "
                    f"{name_module(staging, int(modules[other]))} on {name_node(staging, other)}, "
                    f"its orbital {name_orbital(staging, edges.layer, orbital)}"
                )


def miscounted_modules(placing: Placing, modules: Numbers, *, complete: bool) -> Iterator[str]:
    """There are as many of each module as it asks for."""
    counts = np.bincount(modules[modules >= 0], minlength=placing.modules).tolist()
    for number, module in enumerate(placing.staging.rules.modules):
        least = module.least if complete else None
        yield from _miscount(counts[number], least, module.most, f"{name_module(placing.staging, number)}")


def _miscount(count: int, least: int | None, most: int | None, what: str) -> Iterator[str]:
    if least is not None and count < least:
        yield f"there must be at least {least} of {what}, but there are {count}"
    if most is not None and count > most:
        yield f"there may be at most {most} of {what}, but there are {count}"


def broken_constraints(placing: Placing, modules: Numbers, *, complete: bool) -> Iterator[str]:
    """Every constraint is met."""
    for number, constraint in enumerate(placing.staging.constraints):
        which = f"constraint {number}"
        if isinstance(constraint, Count):
            count = int((holders(placing, constraint.modules, modules) & scope(placing, constraint)).sum())
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
    members = members_of(mask, placing.modules)
    held = np.zeros(len(modules), dtype=np.bool_)
    filled = modules >= 0
    held[filled] = members[modules[filled]]
    return held


def scope(placing: Placing, count: Count) -> Truths:
    """Tell among which nodes a constraint counts; null slots never count."""
    if not count.nodes:
        return placing.surroundings.open
    among = np.zeros(placing.surroundings.nodes, dtype=np.bool_)
    among[list(count.nodes)] = True
    return among & placing.surroundings.open


def _too_close(placing: Placing, separation: Separation, which: str, modules: Numbers) -> Iterator[str]:
    sources = np.flatnonzero(holders(placing, separation.modules, modules))
    pairs = find_close_pairs(placing.surroundings, sources, separation.distance)
    for node, other in pairs[:MAX_OF_A_RULE]:
        one, two = name_node(placing.staging, node), name_node(placing.staging, other)
        yield f"{which}: {one} and {two} are fewer than {separation.distance} edges apart"


def _in_pieces(placing: Placing, connected: Connected, which: str, modules: Numbers) -> Iterator[str]:
    joining = Joining(placing, connected)
    held = np.flatnonzero(joining.holders(modules))
    pieces = distinct(find_components(len(modules), *joining.joined(modules))[held])
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
        pieces = find_components(len(modules), *joining.joined(modules))
        if pieces[path.start] != pieces[path.end]:
            one, two = name_node(placing.staging, path.start), name_node(placing.staging, path.end)
            yield f"{which}: no path joins {one} and {two}"
