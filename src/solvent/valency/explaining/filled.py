"""What there is to say about a task that can be filled: its nodes, its modules, and how much choice there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.core.answer import Certificate
from solvent.core.subquestions import SubQuestions
from solvent.valency.describe_certificate import off_weights, say_modules, summary_of
from solvent.valency.model import Count, Staging
from solvent.valency.phrases import Wording, count_of
from solvent.valency.solver.network import Network, unpack

MAX_SHOWN = 6
MAX_FILLS = 1000
"""Fills that are counted before it is only said that there are at least so many."""
LARGEST_COUNTED = 20_000
"""Nodes of a cluster beyond which fills are not counted."""
NODES_TO_COUNT = 400_000
"""What counting may cost, beside the budget."""


def describe_nodes(words: Wording, network: Network, certificate: Certificate) -> tuple[list[str], dict[str, Any]]:
    """Tell about the nodes: how many there are, and where there is little choice."""
    summary = summary_of(words.staging, certificate)
    picked = sorted(words.placement.picked)
    lines = [f"{count_of(summary['resolved'], 'node')} filled."]
    if summary["boundary"]:
        lines.append(f"{summary['boundary']:,} of them lack a neighbour on some orbital.")
    if summary["null"]:
        lines.append(f"{count_of(summary['null'], 'null slot')}: no neighbours, so they stay empty.")
    if picked:
        lines.append(f"{count_of(len(picked), 'fixed pick')} honoured.")
    left = left_at_root(network)
    sizes = left.sum(axis=1)
    single = network.cache.open_nodes & (sizes == 1)
    single[picked] = False
    forced = np.flatnonzero(single).tolist()
    tight = _tightest(network, sizes)
    if forced:
        shown = [f"{words.node(node)} {words.module(int(left[node].argmax()))}" for node in forced[:MAX_SHOWN]]
        more = f" and {len(forced) - MAX_SHOWN:,} more" if len(forced) > MAX_SHOWN else ""
        lines.append(f"Forced before anything is chosen: {', '.join(shown)}{more}.")
    if tight:
        size = count_of(int(sizes[tight[0]]), "possible module")
        everywhere = len(tight) == int((sizes > 1).sum())
        where = "everywhere else" if forced or picked else "everywhere"
        lines.append(f"Tightest, with {size}: {where if everywhere else words.nodes(tight, MAX_SHOWN)}.")
    data = {
        "nodes": summary["resolved"],
        "boundary": summary["boundary"],
        "null_slots": summary["null"],
        "picks": picked,
        "forced": [{"node": node, "module": words.staging.rules.modules[left[node].argmax()].key} for node in forced],
        "tightest": [{"node": node, "modules": int(sizes[node])} for node in tight],
    }
    return lines, data


def left_at_root(network: Network) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return for each node and module whether it is possible once all consequences are drawn, nothing being chosen."""
    from solvent.core.budget import Budget
    from solvent.valency.solver.filling import Filling

    seeds = np.zeros(len(network.staging.regions) + 1, dtype=np.uint64)  # nothing is drawn
    filling = Filling(network, seeds=seeds, order=np.empty(0, dtype=np.int32))
    filling.look_at_all()
    filling.propagate(Budget().start())  # the solver did the same before, so it is not charged
    return unpack(filling.domains, network.modules)


def _tightest(network: Network, sizes: np.ndarray[Any, Any]) -> list[int]:
    """Return the nodes with the least choice, but some."""
    chosen = network.cache.open_nodes & (sizes > 1)
    if not chosen.any():
        return []
    return np.flatnonzero(chosen & (sizes == sizes[chosen].min())).tolist()


def describe_modules(words: Wording, certificate: Certificate) -> tuple[list[str], dict[str, Any]]:
    """Tell which modules stand there, and how that compares with their weights."""
    summary = summary_of(words.staging, certificate)
    lines = [f"{say_modules(words.staging, certificate)}.", *off_weights(words.staging, summary)]
    rules = words.staging.rules
    asked = any(module.least for module in rules.modules) or any(
        isinstance(constraint, Count) and constraint.least for constraint in words.staging.constraints
    )
    if asked:
        lines.append("Every minimum is met." if summary["minimums_met"] else "Some minimum is not met.")
    data = {key: summary[key] for key in ("counts", "distance_from_weights", "minimums_met")}
    return lines, data


def describe_choice(
    network: Network, certificate: Certificate, questions: SubQuestions[Staging]
) -> tuple[list[str], dict[str, Any]]:
    """Tell how many fills there are, or at least are."""
    from solvent.valency.solver.counting import count_fills

    if network.nodes > LARGEST_COUNTED or questions.is_spent():
        return [], {"fills": None}
    questions.announce("counting fills")
    meter = questions.meter.part(nodes=NODES_TO_COUNT)
    counted = count_fills(network, MAX_FILLS, meter, known=np.array(certificate["modules"], dtype=np.int64))
    data = {"fills": {"number": counted.fills, "exact": counted.exact}}
    if counted.exact and counted.fills == 1:
        return ["This is the only fill."], data
    if counted.fills == 0:
        return [], {"fills": None}
    return [f"There are {'exactly ' if counted.exact else ''}{counted} fills."], data
