"""Fill a cluster from a seed, or prove that it cannot be filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.core.answer import Finding, Verdict
from solvent.core.domain import Request
from solvent.proof.certificate import make_certificate
from solvent.valency.model import Staging

if TYPE_CHECKING:
    from solvent.valency.solver.ladder import Ladder

DOMAIN = "valency"


def solve(staging: Staging, request: Request) -> Finding:
    """Answer a question about a task."""
    from solvent.valency.solver.ladder import Ladder
    from solvent.valency.solver.log import log_finding, log_start
    from solvent.valency.solver.network import boot_once
    from solvent.valency.solver.orders import solver_named
    from solvent.valency.solver.task import Task
    from solvent.valency.solver.watching import FillWatch

    options = request.options
    solver = solver_named(options["solver"], staging.cluster)
    meter = request.budget.start()
    network = boot_once(staging, meter)
    seed = staging.seed if options["seed"] is None else options["seed"]
    watch = FillWatch(request.listen, network.nodes) if request.watch else None
    task = Task(network, network.domains, seed, meter, options, request.listen, watch)
    log_start(staging, network, solver.name, seed)
    ladder = Ladder(network, task, solver, windows=options["windows"], minimal=options["minimal"])
    if request.question == "partial":
        from solvent.valency.solver.partial import fill_partly

        return log_finding(network, fill_partly(ladder))
    return log_finding(network, _solvable(staging, request, ladder))


def _solvable(staging: Staging, request: Request, ladder: Ladder) -> Finding:
    from solvent.valency.slices import as_list

    network, options, meter = ladder.network, request.options, ladder.meter
    outcome = ladder.climb()
    stats: dict[str, Any] = {
        "solver": ladder.solver.name,
        "seed": ladder.task.seed,
        **outcome.stats,
        "nodes": meter.nodes,
    }
    if outcome.modules is not None:
        certificate = make_certificate(
            DOMAIN, request.question, Verdict.YES, "assignment", modules=as_list(outcome.modules, meter)
        )
        if options["trace"] and outcome.filled_at is not None:
            stats["order"] = as_list(outcome.filled_at, meter)
        return Finding(Verdict.YES, certificate, stats=stats)
    clash = outcome.refutation or outcome.counting
    if clash is not None:
        from solvent.valency.phrases import Phrases

        form = "counting" if outcome.refutation is None else "refutation"
        certificate = make_certificate(DOMAIN, request.question, Verdict.NO, form, **clash.as_json())
        because = Phrases(staging, network.cache, network.placement).clash(clash.elements)
        return Finding(Verdict.NO, certificate, because=because, stats=stats)
    return Finding(Verdict.UNKNOWN, reason=outcome.reason, stats=stats)
