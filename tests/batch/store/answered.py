"""Fill a store with answers that were really found, without processes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solvent import asking
from solvent.batch.records import Instance, Outcome, ReadAs, Reading, Source, Task, pack
from solvent.batch.settings import Limits, Settings, answer_key, instance_hash
from solvent.batch.store import Run, Store
from solvent.core.budget import Budget
from solvent.proof.certificate import encode_certificate
from solvent.reading import format_problem
from solvent.registry import domain_of

NODES = 5_000_000


def keep_answers(
    store: Store, problems: Iterable[tuple[str, Any]], *, proof: bool = True, nodes: int = NODES, token: str = "t"
) -> Run:
    """Ask every question about each problem, and keep the answers in a run, which is returned."""
    settings = Settings(limits=Limits(seconds=None, nodes=nodes), proof=proof)
    run = store.begin_run(settings.as_json(), token=token, command="validate", solver="1", machine="m")
    for number, (name, problem) in enumerate(problems):
        domain = domain_of(problem)
        text = format_problem(problem)
        instance = Instance(instance_hash(domain.name, text), domain.name, None, pack(text.encode()))
        source = Source(number, name, path=name)
        store.add_reading(run, Reading(source, ReadAs.INSTANCE, instance))
        for question in domain.questions:
            key = answer_key(settings, instance=instance.hash, domain=domain.name, question=question, solver="1")
            answer = asking.ask(problem, question, budget=Budget(nodes=nodes), proof=proof)
            certificate = answer.certificate
            outcome = Outcome(
                key,
                question,
                answer.verdict.value,
                cause=None if answer.reason is None else answer.reason.cause.name,
                detail="" if answer.reason is None else answer.reason.detail,
                form=None if certificate is None else certificate["form"],
                certificate=None if certificate is None else pack(encode_certificate(certificate)),
                stats=answer.stats,
                seconds=answer.seconds,
            )
            task = Task(key, instance, question, name, "1")
            store.add_outcome(run, task, outcome)
            store.link(run, source, key)
    store.end_run(run, "finished", seconds=1)
    return run
