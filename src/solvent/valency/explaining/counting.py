"""Put counting arguments into words: what each node earns, and that edges and counts cannot give as much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from solvent.core.budget import Meter
from solvent.drawing.phrases import counted
from solvent.valency.checker.counting import Tally, tally_of
from solvent.valency.phrases import Phrases, sentence

MAX_GROUPS = 6
"""How many groups of nodes that earn the same are named."""


class CountingStep(NamedTuple):
    """Hold one step of the sum."""

    line: str
    nodes: Sequence[int]
    """The nodes it is about."""


def narrate_counting(phrases: Phrases, certificate: Mapping[str, Any], meter: Meter) -> list[str]:
    """Return lines that show how the two sums differ."""
    return [step.line for step in counting_steps(phrases, certificate, meter)]


def counting_steps(phrases: Phrases, certificate: Mapping[str, Any], meter: Meter) -> list[CountingStep]:
    """Return the steps of the sum: the nodes, those that earn the same together, then edges and counts."""
    nodes, modulus = certificate["nodes"], certificate["modulus"]
    tally = tally_of(phrases.staging, certificate, meter)
    rest = f", but for multiples of {modulus:,}" if modulus else ""
    steps = [CountingStep("Give points for what stands where, along edges and for what is counted, and add up.", nodes)]
    if tally.left_with_nothing is not None:
        where = phrases.node(tally.left_with_nothing)
        line = f"Strike out what has nothing to agree with, again and again: nothing is left for {where}."
        return [CountingStep(line, [tally.left_with_nothing])]
    groups: dict[int, list[int]] = defaultdict(list)
    for node, points in tally.by_node.items():
        groups[points % modulus if modulus else points].append(node)
    least = "" if modulus else "at least "
    for points in sorted(groups, key=lambda each: (-len(groups[each]), each))[:MAX_GROUPS]:
        some = groups[points]
        line = f"{_nodes(phrases, some)}: {least}{_points(points)} each, whatever stands there{rest}."
        steps.append(CountingStep(line, some))
    if len(groups) > MAX_GROUPS:
        steps.append(CountingStep(f"The other nodes earn different points, {len(groups) - MAX_GROUPS:,} kinds.", nodes))
    return [*steps, *(CountingStep(line, nodes) for line in _sums(tally, modulus))]


def _nodes(phrases: Phrases, nodes: list[int]) -> str:
    if len(nodes) == 1:
        return sentence(phrases.node(nodes[0]))
    return f"{counted(len(nodes), 'node')}, such as {phrases.node(nodes[0])}"


def _points(points: int) -> str:
    return counted(points, "point")


def _sums(tally: Tally, modulus: int) -> list[str]:
    by_nodes, others = sum(tally.by_node.values()), tally.by_edges + tally.by_counts
    if modulus:
        return [
            f"Node by node that makes {by_nodes % modulus:,}, and along edges and by counts {others % modulus:,}, "
            f"but for multiples of {modulus:,}. Both are the same points, so there is no fill."
        ]
    return [
        f"Node by node that makes {by_nodes:,} at least. Along edges there are {tally.by_edges:,} at most, and by "
        f"counts {tally.by_counts:,}. Both are the same points, so there is no fill."
    ]
