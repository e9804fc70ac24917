"""Take accepted certificates apart: one step at a time, each with what to light on the board.

A fill is told node by node, or row by row where there are many, and then rule by rule. A clash is told as a chain of
deductions from its parts, until nothing is left; where no chain gets that far, part by part. The marks of a step are
JSON values, all of them optional:

| mark | holds |
| --- | --- |
| `filled` | how many nodes of the fill stand there by then, counted from the first |
| `nodes` | the nodes it is about |
| `links` | the edges it goes along, as in the marks of a clash |
| `held` | pairs: a node, and the modules that may still stand on it |
| `ends` | true where nothing is left |
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import capitalised, counted, listed
from solvent.valency.drawing.clash import Link, link_along
from solvent.valency.explaining.chain import Deduction, describe_cases, reason_out
from solvent.valency.explaining.counting import counting_steps
from solvent.valency.explaining.diagnostics import why_nothing_fits
from solvent.valency.explaining.offers import CONTRADICTION
from solvent.valency.model import Connected, Count, Lattice, Path, Separation, Staging, numbers_in
from solvent.valency.page.data import show_link
from solvent.valency.phrases import Element, Phrases, read_element, sentence

MAX_NODES = 150
"""Nodes that have a step each; more of them are told row by row."""
NODES_AT_ONCE = 25
"""Nodes of a step where a large graph has no rows."""
HOLDS = {
    Connected: "They hang together.",
    Path: "There is such a way.",
    Separation: "No two of them are nearer.",
}
"""What is so of the nodes that a constraint is about."""
MAX_LIT = 400
"""Edges that are lit at once."""


def proof_steps(staging: Staging, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Return the steps of an accepted certificate."""
    phrases = Phrases.of(staging, meter)
    if certificate["form"] == "refutation":
        yield from _clash(phrases, certificate, meter)
        return
    if certificate["form"] == "counting":
        yield from _counting(phrases, certificate, meter)
        return
    yield from _Fill(phrases, certificate["modules"], meter, complete=certificate["form"] != "partial").steps()
    left_out: Sequence[Mapping[str, Any]] = certificate.get("left_out", ())
    for entry in left_out:
        if "proof" in entry:
            yield from _clash(phrases, entry, meter, f"{phrases.node(entry['node'])} has to stay empty. ")
        else:
            text = f"{phrases.node(entry['node'])} is left open: neither filled nor proved impossible."
            yield ProofStep(text=sentence(text), marks={"nodes": [entry["node"]]})


class _Fill:
    """Tell a fill: what stands where, and that it agrees with what stands there already."""

    def __init__(self, phrases: Phrases, modules: Sequence[int], meter: Meter, *, complete: bool) -> None:
        self.complete = complete  # or partial, of which minimums, connections and paths are not asked
        self.phrases = phrases
        self.staging = phrases.staging
        self.modules = modules
        self.meter = meter

    def steps(self) -> Iterator[ProofStep]:
        """Return all steps, the last of them that everything holds."""
        for start, end in self._parts():
            self.meter.checkpoint()
            yield self._node(start) if end == start + 1 else self._row(start, end)
        yield from self._rules()
        filled = counted(sum(module >= 0 for module in self.modules), "node")
        all_holds = f"{filled} filled, and every rule holds."
        no_more = f"{filled} agree; minimums, connections and paths are not asked for here."
        yield ProofStep(text=all_holds if self.complete else no_more, marks={"filled": len(self.modules)})

    def _parts(self) -> Iterator[tuple[int, int]]:
        cluster, total = self.staging.cluster, len(self.modules)
        size = cluster.width if isinstance(cluster, Lattice) else NODES_AT_ONCE
        size = 1 if total <= MAX_NODES else size
        return ((start, min(start + size, total)) for start in range(0, total, size))

    def _edges(self, node: int) -> Iterator[tuple[int, int, int]]:
        """Return the edges to nodes that come before, or to itself: layer, orbital, neighbour."""
        for layer, table in enumerate(self.phrases.cache.neighbours):
            for orbital, other in enumerate(table[node].tolist()):
                if 0 <= other <= node and self.modules[other] >= 0:
                    yield layer, orbital, other

    def _lit(self, edges: Iterable[tuple[int, int, int, int]]) -> list[dict[str, Any]]:
        links = [link_along(self.staging, layer, node, orbital, other) for node, layer, orbital, other in edges]
        return [show_link(self.staging.cluster, link) for link in links[:MAX_LIT]]

    def _node(self, node: int) -> ProofStep:
        phrases, module = self.phrases, self.modules[node]
        if module < 0:
            why = "" if phrases.cache.open_nodes[node] else ": it has no neighbours"
            return ProofStep(
                text=sentence(f"{phrases.node(node)} stays empty{why}."), marks={"filled": node + 1, "nodes": [node]}
            )
        edges = list(self._edges(node))
        agrees = [f"{phrases.module(self.modules[other])} {phrases.side(layer, at)}" for layer, at, other in edges]
        pinned = ", as pinned" if node in phrases.placement.picked else ""
        text = f"{phrases.node(node)}: {phrases.module(module)}{pinned}."
        text += f" That agrees with {listed(agrees)}." if agrees else ""
        lit = self._lit((node, *edge) for edge in edges)
        return ProofStep(text=sentence(text), marks={"filled": node + 1, "nodes": [node], "links": lit})

    def _row(self, start: int, end: int) -> ProofStep:
        nodes = [node for node in range(start, end) if self.modules[node] >= 0]
        edges = [(node, *edge) for node in nodes for edge in self._edges(node)]
        name = f"{self.phrases.node(start)} to {self.phrases.node(end - 1)}"
        text = f"{name}: {counted(len(nodes), 'node')}. " if nodes else f"{name}: nothing. "
        text += f"All {len(edges):,} edges among them and to the nodes before agree." if edges else ""
        return ProofStep(text=sentence(text.rstrip()), marks={"filled": end, "nodes": nodes, "links": self._lit(edges)})

    def _rules(self) -> Iterator[ProofStep]:
        """Yield what is asked for beside the neighbours, with the nodes that it is about."""
        bounds = [Count(1 << at, each.least, each.most) for at, each in enumerate(self.staging.rules.modules)]
        for constraint in (*bounds, *self.staging.constraints):
            self.meter.checkpoint()
            if isinstance(constraint, Count):
                count = constraint if self.complete else replace(constraint, least=0)
                if count.least or count.most is not None:
                    yield self._counted(count)
            elif self.complete or isinstance(constraint, Separation):
                nodes = self._holding(constraint.modules)
                holds = HOLDS.get(type(constraint), "It holds.")
                text = f"{self.phrases.constraint(constraint)}: {counted(len(nodes), 'node')}. {holds}"
                yield self._rule(text, nodes)

    def _counted(self, count: Count) -> ProofStep:
        among = set(count.nodes)
        nodes = [node for node in self._holding(count.modules) if not among or node in among]
        return self._rule(f"{self.phrases.constraint(count)}: there are {len(nodes):,}.", nodes)

    def _holding(self, modules: int) -> list[int]:
        return [node for node, held in enumerate(self.modules) if held >= 0 and modules >> held & 1]

    def _rule(self, text: str, nodes: list[int]) -> ProofStep:
        return ProofStep(text=capitalised(text), marks={"filled": len(self.modules), "nodes": nodes})


def _counting(phrases: Phrases, certificate: Mapping[str, Any], meter: Meter) -> Iterator[ProofStep]:
    """Yield the parts of a counting argument, and then its sums."""
    elements = [read_element(element) for element in certificate["elements"]]
    links = _links(phrases, elements)
    everything = {"nodes": list(certificate["nodes"]), "links": list(links.values())[:MAX_LIT]}
    yield ProofStep(text=phrases.clash(elements), marks=everything)
    yield from _parts(phrases, elements, links)
    *steps, last = counting_steps(phrases, certificate, meter)
    yield from (ProofStep(text=step.line, marks={"nodes": list(step.nodes)}) for step in steps)
    yield ProofStep(text=last.line, marks={**everything, "ends": True})


def _clash(phrases: Phrases, proof: Mapping[str, Any], meter: Meter, begin: str = "") -> Iterator[ProofStep]:
    """Yield why some parts cannot all hold: `proof` has their nodes, elements and cuts."""
    nodes: Sequence[int] = proof["nodes"]
    elements = [read_element(element) for element in proof["elements"]]
    links = _links(phrases, elements)
    everything = {"nodes": list(nodes), "links": list(links.values())}
    yield ProofStep(text=f"{begin}{phrases.clash(elements)}", marks=everything)
    empty = [node for node in nodes if not phrases.may_hold(node)]
    if empty:
        for line in why_nothing_fits(phrases, empty[0]):
            yield ProofStep(text=line, marks={"nodes": empty[:1]})
        yield ProofStep(text=f"So nothing fits {phrases.node(empty[0])}.", marks={"nodes": empty[:1], "ends": True})
        return
    found = reason_out(phrases, nodes, elements, proof.get("cuts") or ())
    if found is None:
        yield from _parts(phrases, elements, links)
        lines = counted(str(proof["proof"]).count("\n") + 1, "line")
        text = f"That these cannot all hold is proved case by case, in {lines} that the checker went through."
        yield ProofStep(text=text, marks={**everything, "ends": True})
        return
    held: dict[int, Sequence[int]] = {
        node: phrases.may_hold(node) for node in nodes if node in phrases.placement.picked
    }
    for node in held:
        yield ProofStep(text=phrases.element(("pick", node)), marks={"nodes": [node], "held": _pairs(held)})
    held |= yield from _deductions(found.deductions, held, links, meter)
    if found.node is None:
        return
    case_text = describe_cases(phrases, found)
    yield ProofStep(text=f"{case_text} Look at each.", marks={"nodes": [found.node], "held": _pairs(held)})
    for module, deductions in found.cases:
        case = {**held, found.node: [module]}
        yield ProofStep(
            text=f"Suppose it is {phrases.module(module)}.", marks={"nodes": [found.node], "held": _pairs(case)}
        )
        yield from _deductions(deductions, case, links, meter)
    yield ProofStep(text="None of the cases is possible. So these cannot all hold.", marks={**everything, "ends": True})


def _deductions(
    deductions: Sequence[Deduction],
    held: Mapping[int, Sequence[int]],
    links: Mapping[tuple[int, int], dict[str, Any]],
    meter: Meter,
) -> Generator[ProofStep, None, dict[int, Sequence[int]]]:
    """Yield a step for each deduction, and return what may stand where after all of them."""
    known = dict(held)
    for deduction in deductions:
        meter.checkpoint()
        offer = deduction.offer
        used = [links[pair] for source in offer.sources if (pair := _pair(source, offer.node)) in links]
        about = list(dict.fromkeys([*offer.sources, *([] if offer.node == CONTRADICTION else [offer.node])]))
        if offer.node != CONTRADICTION:
            known[offer.node] = numbers_in(offer.left)
        marks = {"nodes": about, "links": used, "held": _pairs(known)}
        yield ProofStep(text=deduction.line, marks=marks if offer.left else {**marks, "ends": True})
    return known


def _parts(
    phrases: Phrases, elements: Sequence[Element], links: Mapping[tuple[int, int], dict[str, Any]]
) -> Iterator[ProofStep]:
    """Yield the parts of a clash one by one; the nodes that only have to be filled share a step, and so do edges."""
    plain = [element[1] for element in elements if element[0] == "node"]
    if plain:
        yield ProofStep(text=sentence(f"{phrases.nodes(plain)} must be filled."), marks={"nodes": plain})
    for element in elements:
        if element[0] not in ("node", "edge"):
            yield ProofStep(text=phrases.element(element), marks={"nodes": _about(phrases, element)})
    if links:
        text = f"Along {counted(len(links), 'edge')} neighbours must agree."
        yield ProofStep(text=text, marks={"links": list(links.values())})


def _about(phrases: Phrases, element: Element) -> list[int]:
    """Return the nodes that a part of a clash names."""
    if element[0] in ("pick", "apart"):
        return list(element[1:] if element[0] == "pick" else element[2:])
    constraint = phrases.staging.constraints[element[1]] if element[0] == "constraint" else None
    if isinstance(constraint, Path):
        return [constraint.start, constraint.end]
    return list(constraint.nodes) if isinstance(constraint, Count) else []


def _links(phrases: Phrases, elements: Sequence[Element]) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the edges of a clash, by their nodes."""
    found = {}
    for element in elements:
        if element[0] == "edge":
            _, layer, node, orbital = element
            other = phrases.neighbour(layer, node, orbital)
            link = link_along(phrases.staging, layer, node, orbital, other)
        elif element[0] == "apart":
            link = Link(element[2], element[3], is_edge=False)
        else:
            continue
        found[_pair(link.start, link.end)] = show_link(phrases.staging.cluster, link)
    return found


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _pairs(held: Mapping[int, Sequence[int]]) -> list[list[Any]]:
    return [[node, list(modules)] for node, modules in held.items()]
