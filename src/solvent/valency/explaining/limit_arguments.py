"""The arguments of constraints about certain nodes, rows, images and loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solvent.valency.explaining.join_arguments import of_loop
from solvent.valency.explaining.offers import MAX_NAMED, Argument, Offer, Situation, held, not_all
from solvent.valency.model import Consecutive, Constraint, Lattice, Loop, Only, Symmetry, mask_of, numbers_in
from solvent.valency.phrases import Phrases


def arguments_of_limit(phrases: Phrases, nodes: Sequence[int], constraint: Constraint) -> list[Argument]:
    """Return the arguments of a constraint among some nodes; none for a kind that has none."""
    if isinstance(constraint, Only):
        return [_of_only(phrases, constraint, node) for node in nodes if node in set(constraint.nodes)]
    if isinstance(constraint, Consecutive):
        return [_of_row(phrases, constraint, row) for row in _rows(phrases, constraint, nodes)]
    if isinstance(constraint, Symmetry):
        return _of_symmetry(phrases, constraint, nodes)
    if isinstance(constraint, Loop):
        return [of_loop(phrases, constraint, node, nodes) for node in nodes]
    return []


def _of_only(phrases: Phrases, only: Only, node: int) -> Argument:
    name = phrases.node(node)

    def follow(situation: Situation) -> Iterator[Offer]:
        if situation[node] & ~only.modules:
            reason = f"{name} may hold only {phrases.modules(numbers_in(only.modules))}"
            yield Offer(node, situation[node] & only.modules, (), lambda _: reason, name)

    return follow


def _rows(phrases: Phrases, consecutive: Consecutive, nodes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the rows of one node too many that are among some nodes; a ring has each of its nodes once."""
    inside, found = set(nodes), dict[tuple[int, ...], None]()
    for layer, orbital in consecutive.along:
        beside = phrases.cache.neighbours[layer]
        for start in nodes:
            row = [start]
            while len(row) <= consecutive.most and row[-1] in inside:
                row.append(int(beside[row[-1], orbital]))
            if len(row) == consecutive.most + 1 and row[-1] in inside:
                found[tuple(dict.fromkeys(row))] = None
    return list(found)


def _of_row(phrases: Phrases, consecutive: Consecutive, row: tuple[int, ...]) -> Argument:
    names = phrases.modules(numbers_in(consecutive.modules))

    def reason(_: Situation) -> str:
        return f"At most {consecutive.most} in a row may hold {names}: {phrases.nodes(row, MAX_NAMED)} are one too many"

    return not_all(phrases, dict.fromkeys(row, consecutive.modules), reason)


def _of_symmetry(phrases: Phrases, symmetry: Symmetry, nodes: Sequence[int]) -> list[Argument]:
    from solvent.valency.solver.constraints.images import images_of_cells

    lattice = phrases.staging.cluster
    assert isinstance(lattice, Lattice)
    to, inside = images_of_cells(lattice, symmetry.kind), set(nodes)
    images = np.array(symmetry.images)
    back = [mask_of(np.flatnonzero(images == module).tolist()) for module in range(len(images))]
    forth = [1 << image if image >= 0 else 0 for image in symmetry.images]
    arguments = []
    for node in nodes:
        image = int(to[node])
        if image in inside:
            arguments.append(_along(phrases, node, image, forth))
            arguments.append(_along(phrases, image, node, back))
    return arguments


def _along(phrases: Phrases, source: int, target: int, support: list[int]) -> Argument:
    """Argue from a node to its image, or back; a node that is its own image must hold what is its own."""

    def follow(situation: Situation) -> Iterator[Offer]:
        if source == target:
            left = mask_of(m for m in numbers_in(situation[source]) if support[m] >> m & 1)
            reason = f"{phrases.node(source)} is its own image"
            if left != situation[source]:
                yield Offer(source, left, (), lambda _: reason, phrases.node(source))
            return
        seen = 0
        for module in numbers_in(situation[source]):
            seen |= support[module]
        if situation[target] & ~seen:
            name = f"{phrases.node(target)}, its image,"
            yield Offer(target, situation[target] & seen, (source,), lambda at: held(phrases, at, source), name)

    return follow
