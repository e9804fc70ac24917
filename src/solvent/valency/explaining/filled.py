"""What there is to say about a task that can be filled: its nodes, its modules, and how much choice there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import counted
from solvent.valency.describe_certificate import list_modules, off_weights
from solvent.valency.model import Count, Staging
from solvent.valency.phrases import Phrases
from solvent.valency.slices import as_list, where_true
from solvent.valency.solver.network import Network

MAX_SHOWN = 6
MAX_FILLS = 1000
"""Fills that are counted before it is only said that there are at least so many."""
LARGEST_COUNTED = 20_000
"""Nodes of a cluster beyond which fills are not counted."""
NODES_TO_COUNT = 400_000
"""What counting may cost, beside the budget."""


def describe_nodes(
    phrases: Phrases, network: Network, summary: Mapping[str, Any], meter: Meter
) -> tuple[list[str], dict[str, Any]]:
    """Tell about the nodes: how many there are, and where there is little choice."""
    from solvent.valency.solver.filling import count_modules, find_candidates

    picked = list(meter.each(phrases.placement.picked))
    lines = [f"{counted(summary['resolved'], 'node')} filled."]
    if summary["boundary"]:
        lines.append(f"{summary['boundary']:,} of them lack a neighbour on some orbital.")
    if summary["null"]:
        lines.append(f"{counted(summary['null'], 'null slot')}: no neighbours, so they stay empty.")
    if picked:
        lines.append(f"{counted(len(picked), 'fixed pick')} honoured.")
    left = find_candidates(network.staging, meter)
    sizes = count_modules(left, meter)
    single = network.cache.open_nodes & (sizes == 1) & (phrases.placement.picked.meaning_of == 0)
    forced = as_list(where_true(single, meter), meter)
    tight = _tightest(network, sizes, meter)
    if forced:
        shown = [f"{phrases.node(node)} {phrases.module(_only(left[node]))}" for node in forced[:MAX_SHOWN]]
        more = f" and {len(forced) - MAX_SHOWN:,} more" if len(forced) > MAX_SHOWN else ""
        lines.append(f"Forced before anything is chosen: {', '.join(shown)}{more}.")
    if tight:
        size = counted(int(sizes[tight[0]]), "possible module")
        everywhere = len(tight) == int((sizes > 1).sum())
        where = "everywhere else" if forced or picked else "everywhere"
        lines.append(f"Tightest, with {size}: {where if everywhere else phrases.nodes(tight, MAX_SHOWN)}.")
    data = {
        "nodes": summary["resolved"],
        "boundary": summary["boundary"],
        "null_slots": summary["null"],
        "picks": picked,
        "forced": [
            {"node": node, "module": phrases.staging.rules.modules[_only(left[node])].key}
            for node in meter.each(forced)
        ],
        "tightest": [{"node": node, "modules": int(sizes[node])} for node in meter.each(tight)],
    }
    return lines, data


def _only(words: np.ndarray[Any, np.dtype[np.uint64]]) -> int:
    """Return the only module in a set."""
    return int.from_bytes(words.astype("<u8").tobytes(), "little").bit_length() - 1


def _tightest(network: Network, sizes: np.ndarray[Any, Any], meter: Meter) -> list[int]:
    """Return the nodes with the least choice, but some."""
    chosen = network.cache.open_nodes & (sizes > 1)
    if not chosen.any():
        return []
    return as_list(where_true(chosen & (sizes == sizes[chosen].min()), meter), meter)


def describe_modules(
    phrases: Phrases, certificate: Certificate, summary: Mapping[str, Any], meter: Meter
) -> tuple[list[str], dict[str, Any]]:
    """Tell which modules stand there, and how that compares with their weights."""
    lines = [f"{list_modules(phrases.staging, certificate, meter)}.", *off_weights(phrases.staging, summary)]
    rules = phrases.staging.rules
    asked = any(module.least for module in rules.modules) or any(
        isinstance(constraint, Count) and constraint.least for constraint in phrases.staging.constraints
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
