"""Check a clausal refutation: a list of clauses, each of which follows by unit propagation, ending with the empty one.

A clause is accepted if making all its literals false and drawing unit consequences from the clauses so far ends in a
conflict (reverse unit propagation, RUP). Deleting clauses only makes that harder, so a proof with deletions (DRUP) is
as good as one without. The checker knows nothing of where the formula or the proof came from.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import ParseError, show_value
from solvent.engine.arrays import TINY, new_row
from solvent.engine.clauses import ClauseList
from solvent.proof.drup import DrupProof, parse_drup
from solvent.proof.rup_kernel import DONE, FULL, REFUTED, WORKING, RupFollower

__all__ = ["ClauseList", "Refutation", "check_refutation", "refutation_violations"]

CLAUSES_A_CHUNK = 2_000_000
"""How many clauses one kernel call looks at: some 20 to 50 ms, so that Ctrl-C is heard between calls."""
MAX_LITERALS_SHOWN = 12


def refutation_violations(clauses: ClauseList, proof: str, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the DRUP text does not prove the clauses unsatisfiable, or an empty list.

    The proof must say the empty clause, even where unit propagation alone already finds a conflict; what comes after
    it is not read. Checking stops at the first step that does not follow, since nothing after it means anything.
    """
    if not isinstance(proof, str):  # it may come straight from a file that anyone wrote
        return [f"expected the refutation as DRUP text, found {show_value(proof)}"]
    try:
        steps = parse_drup(proof, clauses.variables, meter)
    except ParseError as error:
        return [f"the refutation is not DRUP: {error}"]
    return check_refutation(clauses, steps, meter=meter).violations


@dataclass(frozen=True, slots=True)
class Refutation:
    """Hold what became of a proof."""

    violations: list[str]
    """Why it is not accepted; empty if it is."""
    unknown_deletions: int
    """How many steps deleted a clause that was not there; they are skipped."""
    followed: RupFollower
    """The kernel that followed the proof."""


def check_refutation(
    clauses: ClauseList,
    proof: DrupProof,
    *,
    record: bool = False,
    chunk: int = CLAUSES_A_CHUNK,
    meter: Meter = UNLIMITED,
) -> Refutation:
    """Follow a proof that has been read; with `record`, keep which clauses each step used."""
    words, count = len(clauses.literals) + len(proof.literals), len(clauses) + len(proof.kinds)
    meter.require_memory((40 * clauses.variables + 5 * words + 28 * count) / 1e6, "following the refutation")
    follower = RupFollower(clauses.variables, words, count, int.from_bytes(os.urandom(8), "big"))
    follower.load(clauses.literals, clauses.starts, new_row(len(clauses), TINY))  # zeros: all are axioms
    status = _run(follower, chunk, meter)
    assert status == DONE, status
    follower.load(proof.literals, proof.starts, proof.kinds, recording=record)
    status = _run(follower, chunk, meter)
    violations = []
    if status == DONE:
        violations.append("the refutation ends without the empty clause")
    elif status != REFUTED:
        step = follower.step
        literals = proof.literals[proof.starts[step] : proof.starts[step + 1]].tolist()
        violations.append(f"line {proof.lines[step]}: {_show_clause(literals)} does not follow by unit propagation")
    return Refutation(violations, follower.unknown_deletions, follower)


def _run(follower: RupFollower, chunk: int, meter: Meter) -> int:
    """Take all steps, in chunks; returns the status that ended it."""
    while True:
        meter.checkpoint()
        status = follower.run(chunk)
        if status == FULL:
            follower.grow()
        elif status != WORKING:
            return status


def _show_clause(literals: list[int]) -> str:
    if not literals:
        return "the empty clause"
    more = " …" if len(literals) > MAX_LITERALS_SHOWN else ""
    return "the clause " + show_value(" ".join(map(str, literals[:MAX_LITERALS_SHOWN])) + more)
