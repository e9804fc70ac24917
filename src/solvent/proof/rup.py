"""Check a clausal refutation: a list of clauses, each of which follows by unit propagation, ending with the empty one.

A clause is accepted if making all its literals false and drawing unit consequences from the clauses so far ends in a
conflict (reverse unit propagation, RUP). Deleting clauses only makes that harder, so a proof with deletions (DRUP) is
as good as one without. The checker knows nothing of where the formula or the proof came from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.core.errors import ParseError, show_value
from solvent.engine.clauses import ClauseList
from solvent.proof import rup_kernel
from solvent.proof.drup import DrupProof, parse_drup
from solvent.proof.rup_kernel import AXIOM, DONE, FULL, HEADER, REFUTED, STEP, UNKNOWN_DELETIONS, WORKING

__all__ = ["ClauseList", "Refutation", "check_refutation", "refutation_violations"]

CLAUSES_A_CHUNK = 2_000_000
"""How many clauses one kernel call looks at: some 20 to 50 ms, so that Ctrl-C is heard between calls."""
LARGEST_ARENA = (1 << 31) - 1
MOST_LITERALS_SHOWN = 12


def refutation_violations(clauses: ClauseList, proof: str) -> list[str]:
    """Return why the DRUP text does not prove the clauses unsatisfiable, or an empty list.

    The proof must say the empty clause, even where unit propagation alone already finds a conflict; what comes after
    it is not read. Checking stops at the first step that does not follow, since nothing after it means anything.
    """
    if not isinstance(proof, str):  # it may come straight from a file that anyone wrote
        return [f"expected the refutation as DRUP text, found {show_value(proof)}"]
    try:
        steps = parse_drup(proof, clauses.variables)
    except ParseError as error:
        return [f"the refutation is not DRUP: {error}"]
    return check_refutation(clauses, steps).violations


@dataclass(frozen=True, slots=True)
class Refutation:
    """Hold what became of a proof."""

    violations: list[str]
    """Why it is not accepted; empty if it is."""
    unknown_deletions: int
    """How many steps deleted a clause that was not there; they are skipped."""
    state: RupState


def check_refutation(
    clauses: ClauseList, proof: DrupProof, *, record: bool = False, chunk: int = CLAUSES_A_CHUNK
) -> Refutation:
    """Follow a proof that has been read; with `record`, keep which clauses each step used."""
    state = RupState(clauses, proof)
    kinds = np.full(len(clauses), AXIOM, dtype=np.int8)
    status = state.follow(clauses.literals, clauses.starts, kinds, chunk)
    assert status == DONE, status
    state.counters[STEP] = 0
    if record:
        state.record(len(proof.kinds))
    status = state.follow(proof.literals, proof.starts, proof.kinds, chunk)
    violations = []
    if status == DONE:
        violations.append("the refutation ends without the empty clause")
    elif status != REFUTED:
        step = int(state.counters[STEP])
        literals = proof.literals[proof.starts[step] : proof.starts[step + 1]].tolist()
        violations.append(f"line {proof.lines[step]}: {_show_clause(literals)} does not follow by unit propagation")
    return Refutation(violations, int(state.counters[UNKNOWN_DELETIONS]), state)


class RupState:
    """Hold the arrays of the kernel; `rup_kernel` says what is in them."""

    def __init__(self, clauses: ClauseList, proof: DrupProof) -> None:
        codes = 2 * clauses.variables + 2
        room = codes + len(clauses.literals) + len(proof.literals) + HEADER * (len(clauses) + len(proof.kinds) + 1)
        if room > LARGEST_ARENA:
            raise MemoryError(f"expected a formula and proof of at most {LARGEST_ARENA} words, found {room}")
        buckets = 1 << max(4, (len(clauses) + len(proof.kinds)).bit_length())
        self.arena = np.zeros(room, dtype=np.int32)
        self.values = np.zeros(codes, dtype=np.int8)
        self.trail = np.zeros(clauses.variables + 1, dtype=np.int32)
        self.reasons = np.zeros(clauses.variables + 1, dtype=np.int32)
        self.stamps = np.zeros(codes, dtype=np.int64)
        self.buckets = np.zeros(buckets, dtype=np.int32)
        self.counters = np.zeros(rup_kernel.COUNTERS, dtype=np.int64)
        self.counters[rup_kernel.ARENA_END] = codes
        self.antecedents = np.zeros(0, dtype=np.int32)
        self.antecedent_ends = np.zeros(0, dtype=np.int64)
        self.step_refs = np.zeros(0, dtype=np.int32)

    def record(self, steps: int) -> None:
        """From now on, keep the antecedents of each step."""
        self.antecedents = np.zeros(4 * len(self.trail) + 1024, dtype=np.int32)
        self.antecedent_ends = np.zeros(steps + 1, dtype=np.int64)
        self.step_refs = np.zeros(steps, dtype=np.int32)

    def follow(self, literals: Any, starts: Any, kinds: Any, chunk: int) -> int:
        """Take all steps, in chunks; returns the status of the kernel that ended it."""
        while True:
            status = rup_kernel.follow(
                literals,
                starts,
                kinds,
                self.arena,
                self.values,
                self.trail,
                self.reasons,
                self.stamps,
                self.buckets,
                self.counters,
                self.antecedents,
                self.antecedent_ends,
                self.step_refs,
                chunk,
            )
            if status == FULL:
                self.antecedents = np.concatenate([self.antecedents, np.zeros_like(self.antecedents)])
            elif status != WORKING:
                return int(status)


def _show_clause(literals: list[int]) -> str:
    if not literals:
        return "the empty clause"
    more = " …" if len(literals) > MOST_LITERALS_SHOWN else ""
    return "the clause " + show_value(" ".join(map(str, literals[:MOST_LITERALS_SHOWN])) + more)
