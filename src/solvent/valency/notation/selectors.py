"""Words that stand for modules and nodes: keys, names and #tags; numbers, names, cells and boxes of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.valency.model import Cluster, Graph, Lattice
from solvent.valency.notation.task_json.shapes import BoxShape, NodeList, NodeReference

TAG = "#"
"""What a tag has before it in a list of modules."""
MAX_SUGGESTED = 8
"""How many names an error lists."""


class ModuleNames(Struct):
    """Know modules by key, name and tag. A key comes before a name, a name before a tag."""

    keys: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    """For each name the mask of the modules that have it."""
    tags: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, key: str, name: str, tags: Iterable[str]) -> None:
        """Take note of a module."""
        self.keys.setdefault(key, number)
        self.names[name] = self.names.get(name, 0) | 1 << number
        for tag in tags:
            self.tags[tag] = self.tags.get(tag, 0) | 1 << number

    def find(self, selector: str, path: str) -> int:
        """Return the mask of the modules a word stands for, or raise ParseError."""
        if selector in self.keys:
            return 1 << self.keys[selector]
        if selector in self.names:
            return self.names[selector]
        if selector.startswith(TAG) and selector[1:] in self.tags:
            return self.tags[selector[1:]]
        known = [*self.names, *(TAG + tag for tag in self.tags)]
        more = ", …" if len(known) > MAX_SUGGESTED else ""
        raise ParseError(
            f"a module's key or name, or a #tag; there are {', '.join(known[:MAX_SUGGESTED])}{more}",
            selector,
            path=path,
        )

    def find_all(self, selectors: str | Sequence[str], path: str) -> int:
        """Return the mask of the modules that words stand for; at least one word is needed."""
        if isinstance(selectors, str):
            return self.find(selectors, path)
        if not selectors:
            raise ParseError("at least one module", list(selectors), path=path)
        mask = 0
        for number, selector in enumerate(selectors):
            at = self.keys.get(selector)
            mask |= self.find(selector, f"{path}[{number}]") if at is None else 1 << at
        return mask


class NodeNames(Struct):
    """Know the nodes of a cluster by number, name and cell."""

    cluster: Cluster
    by_name: dict[str, int] | None = None

    @property
    def count(self) -> int:
        """Return how many nodes there are."""
        cluster = self.cluster
        if isinstance(cluster, Lattice):
            return cluster.width * cluster.height * cluster.depth
        return len(cluster.positions)

    def find(self, reference: NodeReference, path: str) -> int:
        """Return the number of a node, or raise ParseError."""
        if isinstance(reference, int):
            if not 0 <= reference < self.count:
                raise ParseError(f"a node from 0 to {self.count - 1}", reference, path=path)
            return reference
        if isinstance(reference, str):
            if self.by_name is None:
                names = self.cluster.names if isinstance(self.cluster, Graph) else ()
                self.by_name = {name: number for number, name in enumerate(names)}
            if reference not in self.by_name:
                expected = "the name of a node" if self.by_name else "the number of a node, since nodes have no names"
                raise ParseError(expected, reference, path=path)
            return self.by_name[reference]
        x, y, z = self._cell(reference, path)
        assert isinstance(self.cluster, Lattice)
        return x + self.cluster.width * (y + self.cluster.height * z)

    def find_all(self, references: NodeList, path: str) -> tuple[int, ...]:
        """Return the numbers of nodes and of all cells of boxes, in the order they are said."""
        if not references:
            raise ParseError("at least one node", [], path=path)
        found: list[int] = []
        for number, reference in enumerate(references):
            at = f"{path}[{number}]"
            if isinstance(reference, BoxShape):
                found += self._box(reference, at)
            else:
                found.append(self.find(reference, at))
            if len(found) > self.count:  # before many boxes take up all the memory there is
                raise ParseError("each node once", path=at)
        return tuple(found)

    def _cell(self, place: Sequence[int], path: str) -> tuple[int, int, int]:
        if not isinstance(self.cluster, Lattice):
            raise ParseError("the number or name of a node, since only lattices have cells", place, path=path)
        size = (self.cluster.width, self.cluster.height, self.cluster.depth)
        wanted = 2 if self.cluster.depth == 1 and len(place) < 3 else 3
        whole = [*place, 0] if len(place) == 2 == wanted else list(place)
        if len(whole) != 3 or any(not 0 <= part < length for part, length in zip(whole, size, strict=True)):
            shown = " x ".join(str(length) for length in size[:wanted])
            raise ParseError(f"a cell of a lattice of {shown}, counted from 0", list(place), path=path)
        return whole[0], whole[1], whole[2]

    def _box(self, box: BoxShape, path: str) -> list[int]:
        low, high = self._cell(box.from_, f"{path}.from"), self._cell(box.to, f"{path}.to")
        if any(first > last for first, last in zip(low, high, strict=True)):
            raise ParseError("corners in rising order", [list(low), list(high)], path=path)
        assert isinstance(self.cluster, Lattice)
        return [
            x + self.cluster.width * (y + self.cluster.height * z)
            for z in range(low[2], high[2] + 1)
            for y in range(low[1], high[1] + 1)
            for x in range(low[0], high[0] + 1)
        ]
