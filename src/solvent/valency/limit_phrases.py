"""Say what constraints about certain nodes, rows, images, distances and parity ask, as a part of a sentence."""

from __future__ import annotations

from solvent.drawing.phrases import counted
from solvent.valency.model import (
    HALF_TURN,
    MIRROR_X,
    MIRROR_Y,
    QUARTER_TURN,
    Acyclic,
    Consecutive,
    Constraint,
    Only,
    Parity,
    Separation,
    Symmetry,
)

LOOKS = {
    MIRROR_X: "the left half mirrors the right half",
    MIRROR_Y: "the top half mirrors the bottom half",
    HALF_TURN: "it looks the same upside down",
    QUARTER_TURN: "it looks the same when turned by 90 degrees",
}


def describe_limit(constraint: Constraint, names: str, others: str, where: str) -> str:
    """Say what a constraint asks for, given the names of its modules, of those it names beside them, and of nodes."""
    if isinstance(constraint, Only):
        return f"only {names} on {where}"
    if isinstance(constraint, Consecutive):
        return f"at most {constraint.most} of {names} in a row"
    if isinstance(constraint, Symmetry):
        return LOOKS[constraint.kind]
    if isinstance(constraint, Parity):
        return f"an {'odd' if constraint.odd else 'even'} number of {names}{f' on {where}' if where else ''}"
    if isinstance(constraint, Acyclic):
        return f"no circle of {names}"
    assert isinstance(constraint, Separation)
    distance = f"at least {counted(constraint.distance, 'edge')}"
    return f"{names} {distance} away from {others}" if others else f"{names} {distance} apart"
