"""Say what a fill comes to, line by line, with Python's `logging`: logger `solvent.valency`.

INFO has a line when it begins and one when it ends, WARNING a line for each node that stays empty and each pick that is
not heeded, DEBUG what is around such a node. Nothing is computed unless somebody listens.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from solvent.core.answer import Finding, Verdict
from solvent.drawing.phrases import counted, listed
from solvent.valency.model import UNSOLVABLE, Staging
from solvent.valency.phrases import Phrases
from solvent.valency.rules import remarks

if TYPE_CHECKING:
    from logging import Logger

    from solvent.valency.solver.network import Network
    from solvent.valency.solver.task import Modules

LOGGER = "solvent.valency"
MAX_NODES = 1000
"""How many nodes that stay empty are named."""
MAX_NAMED = 8
COUNTED = ("attempts", "repairs", "windows", "choices", "nodes")
"""What of the stats is logged."""


def listening(level: str = "INFO") -> Logger | None:
    """Return the logger if somebody listens, without importing what nobody asked for."""
    logging: Any = sys.modules.get("logging")
    if logging is None:
        return None
    logger: Logger = logging.getLogger(LOGGER)
    # Without a handler Python would print warnings by itself.
    return logger if logger.hasHandlers() and logger.isEnabledFor(getattr(logging, level)) else None


def log_start(staging: Staging, network: Network, solver: str, seed: int) -> None:
    """Say what is to be filled, and which picks and edges take no part."""
    logger = listening("WARNING")
    if logger is None:
        return
    nodes = int(np.count_nonzero(network.cache.open_nodes))
    logger.info(
        "Solving %s with %s: solver %s, seed %d",
        counted(nodes, "node"),
        counted(network.modules, "module"),
        solver,
        seed,
    )
    for remark in remarks(staging):
        logger.warning("%s", remark)
    empty = np.flatnonzero(network.cache.open_nodes & ~network.domains.any(axis=1))
    if len(empty):
        unset = np.where(network.cache.open_nodes, -1, -2).astype(np.int64)
        _log_nodes(logger, network, unset, empty.tolist())


def log_modules(network: Network, modules: Modules) -> None:
    """Say of each node that was given up what is around it."""
    logger = listening("WARNING")
    if logger is not None:
        _log_nodes(logger, network, modules, np.flatnonzero(np.asarray(modules) == UNSOLVABLE).tolist())


def log_finding(network: Network, finding: Finding) -> Finding:
    """Say how it came out, and return it."""
    logger = listening("WARNING")
    if logger is None:
        return finding
    certificate = finding.certificate or {}
    modules = certificate.get("modules")
    stats = ", ".join(f"{name} {finding.stats[name]}" for name in COUNTED if name in finding.stats)
    if modules is not None:
        held = np.array(modules, dtype=np.int64)
        log_modules(network, held)
        resolved, empty = int((held >= 0).sum()), int((held == UNSOLVABLE).sum())
        logger.info("Solved: %d resolved, %d unsolvable (%s)", resolved, empty, stats)
    elif finding.verdict is Verdict.NO:
        logger.warning("Contradiction: %s", finding.because)
        logger.info("Proved that it cannot be solved (%s)", stats)
    else:
        logger.info("Stopped: %s (%s)", finding.reason, stats)
    return finding


def _log_nodes(logger: Logger, network: Network, modules: Modules, nodes: list[int]) -> None:
    """Say of some nodes that no module is left: the mask of orbitals, the neighbours, and what was ruled out."""
    phrases = Phrases(network.staging, network.cache, network.placement)
    layers = network.staging.rules.layers
    for node in nodes[:MAX_NODES]:
        logger.warning("Node %s: No valid modules", phrases.node(node).removeprefix("node "))
        for number, layer in enumerate(layers):
            beside = network.cache.neighbours[number][node].tolist()
            orbitals = [layer.orbital_set.orbitals[at].name for at, other in enumerate(beside) if other >= 0]
            mask = int(network.cache.masks[number][node])
            where = f" in layer {layer.name}" if len(layers) > 1 else ""
            logger.debug("  orbital mask %s%s: %s", bin(mask), where, listed(orbitals, MAX_NAMED, "and") or "none")
            for at, other in enumerate(beside):
                if other >= 0:
                    held = int(modules[other])
                    what = phrases.module(held) if held >= 0 else "no module"
                    logger.debug("  %s: %s on %s", phrases.orbital(number, at), what, phrases.node(other))
        fitting = [module for module in range(network.modules) if next(phrases.misfits(node, module), None) is None]
        if fitting:
            logger.debug(
                "  fit its orbitals, ruled out by neighbours, picks or constraints: %s", phrases.modules(fitting, "and")
            )
        else:
            logger.debug("  no module fits its orbitals")
    if len(nodes) > MAX_NODES:
        logger.warning("No valid modules on %d more nodes", len(nodes) - MAX_NODES)
