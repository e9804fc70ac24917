"""Fill a cluster from a seed, or prove that it cannot be filled."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Finding, Verdict
from solvent.core.domain import Request
from solvent.proof.certificate import make_certificate
from solvent.valency.model import Staging

DOMAIN = "valency"


def solve(staging: Staging, request: Request) -> Finding:
    """Answer a question about a task."""
    from solvent.valency.slices import as_list
    from solvent.valency.solver.ladder import Ladder
    from solvent.valency.solver.network import boot_once
    from solvent.valency.solver.orders import solver_named
    from solvent.valency.solver.task import Task

    options = request.options
    solver = solver_named(options["solver"], staging.cluster)
    meter = request.budget.start()
    network = boot_once(staging, meter)
    seed = staging.seed if options["seed"] is None else options["seed"]
    task = Task(network, network.domains, seed, meter, options, request.listen)
    ladder = Ladder(network, task, solver, windows=options["windows"], minimal=options["minimal"])
    if request.question == "partial":
        from solvent.valency.solver.partial import fill_partly

        return fill_partly(ladder)
    outcome = ladder.climb()
    stats: dict[str, Any] = {"solver": solver.name, "seed": seed, **outcome.stats, "nodes": meter.nodes}
    if outcome.modules is not None:
        certificate = make_certificate(
            DOMAIN, request.question, Verdict.YES, "assignment", modules=as_list(outcome.modules, meter)
        )
        if options["trace"] and outcome.filled_at is not None:
            stats["order"] = as_list(outcome.filled_at, meter)
        return Finding(Verdict.YES, certificate, stats=stats)
    if outcome.refutation is not None:
        from solvent.valency.phrases import Phrases

        certificate = make_certificate(
            DOMAIN, request.question, Verdict.NO, "refutation", **outcome.refutation.as_json()
        )
        because = Phrases(staging, network.cache, network.placement).clash(outcome.refutation.elements)
        return Finding(Verdict.NO, certificate, because=because, stats=stats)
    return Finding(Verdict.UNKNOWN, reason=outcome.reason, stats=stats)
