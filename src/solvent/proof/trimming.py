"""Make a clausal refutation shorter: keep only the clauses that the contradiction needs."""

from __future__ import annotations

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import CertificateRejected
from solvent.engine.clauses import ClauseList
from solvent.proof.drup import parse_drup
from solvent.proof.rup import check_refutation
from solvent.proof.trimming_kernel import NeededSteps


def trim_refutation(clauses: ClauseList, proof: str, meter: Meter = UNLIMITED) -> str:
    """Return the lines of a proof that the contradiction needs, in order; they are a proof again.

    Deletions are left out: without them more clauses are there, so every step still follows. Raises ParseError or
    CertificateRejected if the proof is not one.
    """
    steps = parse_drup(proof, clauses.variables, meter)
    checked = check_refutation(clauses, steps, record=True, meter=meter)
    if checked.violations:
        raise CertificateRejected(checked.violations)
    lines = proof.split("\n")
    kept = [lines[steps.lines[step] - 1].strip() for step in NeededSteps(checked.followed).steps()]
    return "\n".join([*kept, "0", ""])
