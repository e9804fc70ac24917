"""The bodies of valency certificates as they stand in JSON, read piece by piece: they may be as large as the cluster.

What does not have the right shape raises msgspec's ValidationError, which says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.valency.model import MAX_LAYERS, MAX_MODULES, MAX_NODES, MAX_ORBITALS, UNSOLVABLE
from solvent.valency.slices import slices

Node = Annotated[int, Meta(ge=0, lt=MAX_NODES)]
Module = Annotated[int, Meta(ge=0, lt=MAX_MODULES)]
Layer = Annotated[int, Meta(ge=0, lt=MAX_LAYERS)]
Orbital = Annotated[int, Meta(ge=0, lt=MAX_ORBITALS)]
Constraint = Annotated[int, Meta(ge=0, lt=1 << 31)]
Points = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)]
Numbers = npt.NDArray[np.int64]
Item = TypeVar("Item")

ITEMS_AT_ONCE = 1000


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
    inside: Any
    """Numbers of nodes, as a row; in JSON, a list of them."""
    start: Node | UnsetType = UNSET
    end: Node | UnsetType = UNSET


class Cycle(Struct, forbid_unknown_fields=True):
    """Hold edges that contain a circle, so that they may not all join their ends; each by one of its ends."""

    constraint: Constraint
    edges: list[tuple[Layer, Node, Orbital]]


class Refutation(Struct):
    """Hold a proof that some nodes cannot all be filled. Elements, cuts and cycles can be gone over once."""

    nodes: Numbers
    elements: Iterator[Element]
    cuts: Iterator[Cut]
    cycles: Iterator[Cycle]
    proof: str


class CountingArgument(Struct):
    """Hold points for what stands where, which add up to two different sums."""

    nodes: Numbers
    elements: list[Element]
    points: list[list[Points] | None]
    """For each element: of an edge, the numbers of two tables; of a count, the points of each that counts, alone."""
    tables: list[list[tuple[Module, Points]]]
    """Modules and the points that they earn; the others earn none."""
    modulus: int
    """0 if whole sums are compared; else only their remainders are."""


class LeftOut(Struct, forbid_unknown_fields=True):
    """Hold a node that was left out, with a proof that it had to be, or without."""

    node: Node
    nodes: Any = UNSET
    elements: Any = UNSET
    cuts: Any = UNSET
    cycles: Any = UNSET
    proof: str | UnsetType = UNSET
    minimal: bool | UnsetType = UNSET


class _Tallies(Struct):
    """Hold what a counting argument has beside its lists of nodes and elements."""

    points: list[list[Points] | None]
    tables: list[list[tuple[Module, Points]]]
    modulus: Annotated[int, Meta(ge=0, le=1 << 53)]


class _Claims(Struct):
    """Hold what a refutation has beside its lists."""

    proof: str
    minimal: bool = False
    """A claim for people: that no element can be left out. It is not checked."""


def read_modules(certificate: Mapping[str, Any], meter: Meter = UNLIMITED) -> Numbers:
    """Return what stands on each node: a module, or -2 or -3."""
    return read_numbers(_part(certificate, "modules"), "$.modules", UNSOLVABLE, MAX_MODULES, meter)


def read_refutation(body: Mapping[str, Any], meter: Meter = UNLIMITED) -> Refutation:
    """Return a refutation; what is wrong with an element, a cut or a cycle is found when it is its turn."""
    claims = msgspec.convert({key: body[key] for key in ("proof", "minimal") if key in body}, _Claims)
    nodes = read_numbers(_part(body, "nodes"), "$.nodes", 0, MAX_NODES, meter)
    elements, cuts, cycles = _part(body, "elements"), body.get("cuts", []), body.get("cycles", [])
    for value, path in ((elements, "$.elements"), (cuts, "$.cuts"), (cycles, "$.cycles")):
        _require_list(value, path)
    return Refutation(
        nodes,
        read_items(elements, "$.elements", Element, meter),
        _read_cuts(cuts, meter),
        read_items(cycles, "$.cycles", Cycle, meter),
        claims.proof,
    )


def read_counting(body: Mapping[str, Any], meter: Meter = UNLIMITED) -> CountingArgument:
    """Return a counting argument."""
    keys = ("points", "tables", "modulus")
    tallies = msgspec.convert({key: body[key] for key in keys if key in body}, _Tallies)
    nodes = read_numbers(_part(body, "nodes"), "$.nodes", 0, MAX_NODES, meter)
    elements = list(read_items(_part(body, "elements"), "$.elements", Element, meter))
    return CountingArgument(nodes, elements, tallies.points, tallies.tables, tallies.modulus)


def read_left_out(certificate: Mapping[str, Any], meter: Meter = UNLIMITED) -> Iterator[LeftOut]:
    """Yield the nodes left out, in the order in which they were."""
    return read_items(_part(certificate, "left_out"), "$.left_out", LeftOut, meter)


def reason_for(left: LeftOut, meter: Meter = UNLIMITED) -> Refutation:
    """Return the proof that a node had to be left out; it must have one."""
    body = {"nodes": left.nodes, "elements": left.elements, "proof": left.proof}
    more = {"cuts": left.cuts, "cycles": left.cycles}
    return read_refutation(body | {key: value for key, value in more.items() if value is not UNSET}, meter)


def _read_cuts(cuts: Any, meter: Meter) -> Iterator[Cut]:
    for number, cut in enumerate(read_items(cuts, "$.cuts", Cut, meter)):
        cut.inside = read_numbers(cut.inside, f"$.cuts[{number}].inside", 0, MAX_NODES, meter)
        yield cut


def read_items(value: Any, path: str, kind: type[Item], meter: Meter) -> Iterator[Item]:
    """Yield the items of a list, each as a struct of this kind."""
    _require_list(value, path)
    for begin in range(0, len(value), ITEMS_AT_ONCE):
        meter.checkpoint()
        try:
            items = msgspec.convert(value[begin : begin + ITEMS_AT_ONCE], list[kind])  # type: ignore[valid-type]
        except ValidationError as error:
            raise ValidationError(_placed(str(error), path, begin)) from None
        yield from items


def _placed(message: str, path: str, begin: int) -> str:
    """Return a message about an item of a slice with the place of the item in the whole."""
    return re.sub(r"`\$\[(\d+)\]", lambda found: f"`{path}[{int(found[1]) + begin}]", message)


def read_numbers(value: Any, path: str, least: int, below: int, meter: Meter) -> Numbers:
    """Return a list of whole numbers, from `least` to just below `below`, as a row."""
    _require_list(value, path)
    row = np.empty(len(value), dtype=np.int64)
    for part in slices(len(value), meter):
        some = value[part]
        fine = set(map(type, some)) == {int}  # no True, and no 1.0
        if fine:
            try:
                row[part] = np.array(some, dtype=np.int64)
            except OverflowError:
                fine = False
            else:
                fine = bool(row[part].min() >= least and row[part].max() < below)
        if not fine:
            at = next(at for at, number in enumerate(some) if not _is_between(number, least, below))
            found = show_value(some[at])
            place = f"`{path}[{part.start + at}]`"
            raise ValidationError(f"Expected a whole number from {least} to {below - 1}, got {found} - at {place}")
    return row


def _is_between(number: Any, least: int, below: int) -> bool:
    return type(number) is int and least <= number < below


def _part(body: Mapping[str, Any], key: str) -> Any:
    if key not in body:
        raise ValidationError(f"Object missing required field `{key}`")
    return body[key]


def _require_list(value: Any, path: str) -> None:
    if not isinstance(value, list | tuple):
        raise ValidationError(f"Expected `array`, got {show_value(value)} - at `{path}`")


def kinds_of(element: Element) -> list[str]:
    """Return what an element says it is; it should be one kind."""
    return [field for field in element.__struct_fields__ if getattr(element, field) is not UNSET]
