"""The bodies of valency certificates as they stand in JSON."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from solvent.valency.model import MAX_LAYERS, MAX_MODULES, MAX_NODES, MAX_ORBITALS, UNSOLVABLE

Held = Annotated[int, Meta(ge=UNSOLVABLE, lt=MAX_MODULES)]
"""What stands on a node: a module, or -2 or -3."""
Node = Annotated[int, Meta(ge=0, lt=MAX_NODES)]
Module = Annotated[int, Meta(ge=0, lt=MAX_MODULES)]
Layer = Annotated[int, Meta(ge=0, lt=MAX_LAYERS)]
Orbital = Annotated[int, Meta(ge=0, lt=MAX_ORBITALS)]
Constraint = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Element(Struct, forbid_unknown_fields=True):
    """Hold one thing that a refutation rests on: exactly one of these."""

    node: Node | UnsetType = UNSET
    pick: Node | UnsetType = UNSET
    edge: tuple[Layer, Node, Orbital] | UnsetType = UNSET
    apart: tuple[Constraint, Node, Node] | UnsetType = UNSET
    least: Module | UnsetType = UNSET
    most: Module | UnsetType = UNSET
    constraint: Constraint | UnsetType = UNSET


class Cut(Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """Hold a set of nodes that whatever a constraint asks to be joined must leave."""

    constraint: Constraint
    inside: list[Node]
    start: Node | UnsetType = UNSET
    end: Node | UnsetType = UNSET


class AssignmentBody(Struct):
    """Hold a complete fill."""

    modules: list[Held]


class RefutationBody(Struct):
    """Hold a proof that some nodes cannot all be filled."""

    nodes: list[Node]
    elements: list[Element]
    proof: str
    cuts: list[Cut] = []  # msgspec copies it
    minimal: bool = False
    """A claim for people: that no element can be left out. It is not checked."""


class LeftOut(Struct, forbid_unknown_fields=True):
    """Hold a node that was left out, with a proof that it had to be, or without."""

    node: Node
    nodes: list[Node] | UnsetType = UNSET
    elements: list[Element] | UnsetType = UNSET
    cuts: list[Cut] | UnsetType = UNSET
    proof: str | UnsetType = UNSET
    minimal: bool | UnsetType = UNSET


class PartialBody(Struct):
    """Hold a fill with nodes left out, in the order in which they were."""

    modules: list[Held]
    left_out: list[LeftOut]


def kinds_of(element: Element) -> list[str]:
    """Return what an element says it is; it should be one kind."""
    return [field for field in element.__struct_fields__ if getattr(element, field) is not UNSET]
