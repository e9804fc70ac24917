"""Fill a task or refute it, with the checker's consent, for seams and chunks: no world rests on a solver's word."""

from __future__ import annotations

import time
from collections.abc import Sequence

from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.budget import NO_MORE_MEMORY, UNLIMITED, Meter
from solvent.core.domain import Request
from solvent.core.errors import CertificateRejected, LimitReached, UnsoundAnswer
from solvent.core.options import resolve_options
from solvent.proof.certificate import envelope_violations
from solvent.valency.model import Staging
from solvent.valency.worlds.seams import DOMAIN, QUESTION


def prove(staging: Staging, meter: Meter, nodes: int | None = None) -> Answer:
    """Return whether a task can be filled, proved and checked; UNKNOWN where the search gave up, or took so many nodes.

    Raises LimitReached where there is nothing left to spend.
    """
    from solvent.valency import solver
    from solvent.valency.domain import DOMAIN as VALENCY

    began = time.perf_counter()
    try:
        options = resolve_options(VALENCY.solve_options, {})
        finding = solver.solve(staging, Request(QUESTION, meter.left(nodes), options=options))
        meter.spend(int(finding.stats.get("nodes", 0)))
        meter.checkpoint()
        if finding.verdict is not Verdict.UNKNOWN:
            violations = _violations(staging, finding.certificate, meter)
            if violations:
                raise UnsoundAnswer(f"{DOMAIN} claims {finding.verdict}, but: {'; '.join(violations)}")
    except MemoryError:
        raise LimitReached(NO_MORE_MEMORY) from None
    seconds = time.perf_counter() - began
    found = (finding.verdict, finding.certificate, finding.reason, finding.stats)
    return Answer(DOMAIN, QUESTION, *found, seconds, finding.because)


def require_accepted(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> None:
    """Raise CertificateRejected unless the checker accepts a certificate."""
    violations = _violations(staging, certificate, meter)
    if violations:
        raise CertificateRejected(violations)


def _violations(staging: Staging, certificate: Certificate | None, meter: Meter) -> Sequence[str]:
    from solvent.valency import checker

    found = envelope_violations(certificate, domain=DOMAIN, questions=[QUESTION])
    if found or certificate is None:
        return found
    return checker.violations(staging, certificate, meter)
