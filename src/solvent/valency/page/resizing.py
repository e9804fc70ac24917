"""Put a task on another cluster, with all that has a place there."""

from __future__ import annotations

from dataclasses import replace

from solvent.drawing.phrases import counted
from solvent.valency.model import (
    QUARTER_TURN,
    Cluster,
    Constraint,
    Count,
    Lattice,
    Only,
    Parity,
    Path,
    Region,
    Staging,
    Symmetry,
)


def put_on(staging: Staging, cluster: Cluster) -> Staging:
    """Return the task on another cluster. What belongs to a cell stays with it as long as the cell exists.

    What names a node that is gone is left out, and remarked on.
    """
    before = staging.cluster

    def there(node: int) -> int | None:
        return _same_cell(before, cluster, node)

    picks = [replace(pick, node=node) for pick in staging.picks if (node := there(pick.node)) is not None]
    regions = []
    for region in staging.regions:
        kept = tuple(node for old in region.nodes if (node := there(old)) is not None)
        if kept:
            regions.append(Region(kept, region.seed, region.weights, region.name))
    constraints = [moved for one in staging.constraints if (moved := _moved(one, before, cluster)) is not None]
    gone = {
        "fixed pick": len(staging.picks) - len(picks),
        "region": len(staging.regions) - len(regions),
        "constraint": len(staging.constraints) - len(constraints),
    }
    listed = [counted(number, noun) for noun, number in gone.items() if number]
    remark = (f"Left out, because their nodes are gone: {', '.join(listed)}.",) if listed else ()
    return replace(
        staging,
        cluster=cluster,
        picks=tuple(sorted(picks, key=lambda pick: pick.node)),
        regions=tuple(regions),
        constraints=tuple(constraints),
        priorities=(),
        remarks=(*staging.remarks, *remark),
    )


def _same_cell(before: Cluster, after: Cluster, node: int) -> int | None:
    if not isinstance(before, Lattice) or not isinstance(after, Lattice):
        return None
    rest, x = divmod(node, before.width)
    z, y = divmod(rest, before.height)
    if x >= after.width or y >= after.height or z >= after.depth:
        return None
    return x + after.width * (y + after.height * z)


def _moved(constraint: Constraint, before: Cluster, after: Cluster) -> Constraint | None:
    """Return a constraint with its nodes where they now are; None if one of them is gone."""
    if isinstance(constraint, Count | Only | Parity) and constraint.nodes:
        nodes = [_same_cell(before, after, node) for node in constraint.nodes]
        kept = tuple(node for node in nodes if node is not None)
        return replace(constraint, nodes=kept) if len(kept) == len(nodes) else None
    if isinstance(constraint, Symmetry) and constraint.kind == QUARTER_TURN:
        return constraint if isinstance(after, Lattice) and after.width == after.height else None
    if isinstance(constraint, Path):
        start, end = (_same_cell(before, after, node) for node in (constraint.start, constraint.end))
        return None if start is None or end is None else replace(constraint, start=start, end=end)
    return constraint
