"""Sockets: which labels fit each other, and which orbital is at the other end of an edge.

A label fits itself, unless a table says what it fits. One that ends in + fits the same with -, as a plug fits a socket,
and not itself. An orbital with a direction has its opposite at the other end, others the one that `opposites` names;
where nothing is said, any orbital without an opposite may be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.valency.model import Layer, Staging
from solvent.valency.notation.task_json.layers import orbital_number
from solvent.valency.orbitals import back_orbital, build_cache

POLES = {"+": "-", "-": "+"}
"""What a label ends in, and what the label that fits it ends in."""


def fitting_labels(pairs: Sequence[Sequence[str]], fits: Mapping[str, Sequence[str]], path: str) -> dict[str, set[str]]:
    """Return for each label of a table those that it fits; if one fits another, so it does in return."""
    matching: dict[str, set[str]] = {}
    for number, pair in enumerate(pairs):
        if len(pair) != 2:
            raise ParseError("two labels that match each other", list(pair), path=f"{path}.pairs[{number}]")
        matching.setdefault(pair[0], set()).add(pair[1])
        matching.setdefault(pair[1], set()).add(pair[0])
    for label, others in fits.items():
        matching.setdefault(label, set())  # an empty list fits nothing
        for other in others:
            matching[label].add(other)
            matching.setdefault(other, set()).add(label)
    return matching


def do_labels_fit(label: str, matching: Mapping[str, set[str]]) -> set[str]:
    """Return the labels that one fits: those of the table, else its other pole, else itself."""
    if label in matching:
        return matching[label]
    if len(label) > 1 and label[-1] in POLES:
        return {label[:-1] + POLES[label[-1]]}
    return {label}


class Opposites:
    """Know which orbital is at the other end of an edge, from directions or as it was written."""

    def __init__(self, layers: Sequence[Layer], pairs: Sequence[Sequence[str]], path: str) -> None:
        self.layers = layers
        self._of = [
            [back_orbital(layer.orbital_set, orbital) for orbital in range(len(layer.orbital_set.orbitals))]
            for layer in layers
        ]
        for number, pair in enumerate(pairs):
            self._add(pair, f"{path}[{number}]")

    def _add(self, pair: Sequence[str], path: str) -> None:
        """Take note of a pair of orbitals; with several layers the layer comes last."""
        if len(pair) not in (2, 3) or (len(pair) == 2 and len(self.layers) > 1):
            raise ParseError('["orbital", "orbital"], and the layer if there are several', list(pair), path=path)
        known = [layer.name for layer in self.layers]
        if len(pair) == 3 and pair[2] not in known:
            raise ParseError(f"a layer: {', '.join(known)}", pair[2], path=f"{path}[2]")
        layer = known.index(pair[2]) if len(pair) == 3 else 0
        one, other = (orbital_number(self.layers[layer], name, path) for name in pair[:2])
        for here, there in ((one, other), (other, one)):
            if self._of[layer][here] not in (-1, there):
                names = [orbital.name for orbital in self.layers[layer].orbital_set.orbitals]
                expected = f"one opposite for each orbital, but {names[here]} has {names[self._of[layer][here]]}"
                raise ParseError(expected, names[there], path=path)
        self._of[layer][one], self._of[layer][other] = other, one

    def of(self, layer: int, orbital: int) -> int:
        """Return the opposite of an orbital, or -1."""
        return self._of[layer][orbital]

    def ends(self, layer: int, orbital: int) -> list[int]:
        """Return the orbitals that may be at the other end."""
        opposite = self._of[layer][orbital]
        return [opposite] if opposite >= 0 else [number for number, one in enumerate(self._of[layer]) if one < 0]

    def require(self, layer: int, orbital: int, path: str) -> int:
        """Return the opposite of an orbital, or raise ParseError if there is none."""
        opposite = self._of[layer][orbital]
        if opposite < 0:
            name = self.layers[layer].orbital_set.orbitals[orbital].name
            expected = f"an orbital with an opposite one, but {name} of layer {self.layers[layer].name} has none"
            raise ParseError(f'{expected}; "opposites" in the rules can say it', path=path)
        return opposite


class LooseSockets(Struct):
    """Hold the sockets of a layer on orbitals whose other end may be any of several.

    A module lists modules, not their orbitals. So two modules may list each other for the sake of other orbitals than
    those an edge joins, and stand together where their labels do not fit; such an edge is refused.
    """

    lists: dict[tuple[int, str], int] = field(default_factory=dict)
    """For an orbital and a label the modules that it accepts."""
    having: dict[tuple[int, str], int] = field(default_factory=dict)
    """The modules with that label there."""
    labels: dict[str, set[str]] = field(default_factory=dict)
    """What each label fits."""

    def add(self, orbital: int, label: str, mask: int, having: int, labels: Iterable[str]) -> None:
        """Take note of a socket."""
        self.lists[orbital, label] = mask
        self.having[orbital, label] = having
        self.labels[label] = set(labels)

    def find_clash(self, one: int, other: int) -> tuple[str, str] | None:
        """Return labels on two orbitals that do not fit, though modules with them would be let stand together."""
        for (orbital, label), mask in self.lists.items():
            if orbital != one:
                continue
            for (end, there), back in self.lists.items():
                accepted = mask & self.having[end, there] and back & self.having[orbital, label]
                if end == other and accepted and there not in self.labels[label]:
                    return label, there
        return None


def require_exact_sockets(loose: Sequence[LooseSockets], staging: Staging) -> None:
    """Raise ParseError for an edge on which sockets that do not fit would be let stand together."""
    if not any(sockets.lists for sockets in loose):
        return
    cache = build_cache(staging)
    for sockets, edges, layer in zip(loose, cache.edges, staging.rules.layers, strict=True):
        names = [orbital.name for orbital in layer.orbital_set.orbitals]
        joined = np.unique(np.stack([edges.source_orbital, edges.target_orbital], axis=1), axis=0).tolist()
        for one, other in joined:
            clash = sockets.find_clash(one, other)
            if clash is not None:
                raise ParseError(
                    f"opposites in the rules: edges join {names[one]} to {names[other]}, where {clash[0]!r} does not "
                    f"fit {clash[1]!r}, and modules with these labels fit each other on other orbitals",
                    path="$.rules.opposites",
                )
