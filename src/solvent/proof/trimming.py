"""Make a clausal refutation shorter: keep only the clauses that the contradiction needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.core.errors import CertificateRejected
from solvent.engine.clauses import ClauseList
from solvent.engine.jit.kernel import kernel
from solvent.proof.drup import parse_drup
from solvent.proof.rup import check_refutation
from solvent.proof.rup_kernel import CONTRADICTION, HEADER

_NEEDED = -1
"""Stands in a clause's bucket link once the proof is known to need it; nobody looks clauses up any more by then."""


def trim_refutation(clauses: ClauseList, proof: str) -> str:
    """Return the lines of a proof that the contradiction needs, in order; they are a proof again.

    Deletions are left out: without them more clauses are there, so every step still follows. Raises ParseError or
    CertificateRejected if the proof is not one.
    """
    steps = parse_drup(proof, clauses.variables)
    checked = check_refutation(clauses, steps, record=True)
    if checked.violations:
        raise CertificateRejected(checked.violations)
    state = checked.state
    _mark_needed(
        state.step_refs,
        state.arena,
        state.reasons,
        state.antecedents,
        state.antecedent_ends,
        state.counters[CONTRADICTION],
        np.zeros(len(state.reasons), dtype=np.int8),
        np.zeros(len(state.reasons), dtype=np.int32),
    )
    added = state.step_refs > 0
    needed = added & (state.arena[state.step_refs + (HEADER - 1)] == _NEEDED)
    lines = proof.split("\n")
    kept = [lines[line - 1].strip() for line in steps.lines[needed].tolist()]
    return "\n".join([*kept, "0", ""])


@kernel
def _mark_needed(
    step_refs: Any,
    arena: Any,
    reasons: Any,
    antecedents: Any,
    antecedent_ends: Any,
    contradiction: Any,
    done: Any,
    waiting: Any,
) -> None:
    """Mark every clause the contradiction needs, from the last step to the first.

    The arrays are those of `rup_kernel`, after a proof was followed and recorded. `done` (int8, V + 1) says which facts
    are marked; `waiting` (int32, V + 1) is a stack of facts whose clause is still to be looked at. A clause needs only
    clauses and facts from before it, so one pass backwards meets everything.
    """
    _mark_clause(contradiction, arena)
    _mark_facts(contradiction, arena, reasons, done, waiting)
    for step in range(len(step_refs) - 1, -1, -1):
        ref = np.int64(step_refs[step])
        if ref == 0 or arena[ref + HEADER - 1] != _NEEDED:
            continue
        for place in range(antecedent_ends[step], antecedent_ends[step + 1]):
            used = np.int64(antecedents[place])
            if used > 0:
                _mark_clause(used, arena)
            elif done[-used] == 0:
                done[-used] = 1
                _mark_clause(reasons[-used], arena)
                _mark_facts(reasons[-used], arena, reasons, done, waiting)


@kernel
def _mark_clause(ref: Any, arena: Any) -> None:
    arena[ref + HEADER - 1] = _NEEDED


@kernel
def _mark_facts(ref: Any, arena: Any, reasons: Any, done: Any, waiting: Any) -> None:
    """Mark the clauses that gave the facts on the variables of a clause, and those that gave theirs, and so on."""
    height = 0
    while True:
        for place in range(ref + HEADER, ref + HEADER + abs(np.int64(arena[ref]))):
            variable = np.int64(arena[place]) >> 1
            if done[variable] == 0:
                done[variable] = 1
                waiting[height] = variable
                height += 1
        if height == 0:
            return
        height -= 1
        ref = np.int64(reasons[waiting[height]])
        _mark_clause(ref, arena)
