"""Turn a proof by cases into a refutation of clauses, for outside checkers and for those who want to read one.

Nothing is taken from the cases: a CDCL solver refutes the clauses that the checker writes, which every solution
satisfies. So the refutation is a second proof, found in another way.
"""

from __future__ import annotations

from solvent.core.answer import Cause, Certificate, Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import CertificateRejected, LimitReached
from solvent.engine.clauses import ClauseList


def refutation_text(certificate: Certificate, clauses: ClauseList, meter: Meter = UNLIMITED) -> str:
    """Return the refutation of these clauses in DRUP text: the certificate's own, or a new one if it has cases.

    Raises LimitReached if the meter ends the search for a new one.
    """
    proof = certificate.get("proof")
    if isinstance(proof, str):
        return proof
    from solvent.engine.sat import SatSolver

    with SatSolver(clauses, with_proof=True) as solver:
        satisfiable, reason = solver.solve(meter.fork(None))
        if satisfiable is None:
            raise LimitReached(reason or Reason(Cause.INCOMPLETE, "the SAT solver stopped"))
        if satisfiable:
            raise CertificateRejected(["there is a solution that the cases leave out"])
        return solver.proof()
