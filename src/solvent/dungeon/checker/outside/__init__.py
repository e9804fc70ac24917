"""Hand certificates to outside checkers: each form of certificate with the functions that write its proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.core.outside_proof import OutsideProof
from solvent.dungeon.checker.outside.closed_set import closed_set_proofs, lost_walk_proofs, replay_proofs
from solvent.dungeon.checker.outside.pddl import plan_proofs
from solvent.dungeon.model import Dungeon

Writer: TypeAlias = Callable[[Dungeon, Certificate, Meter], Iterator[OutsideProof]]
"""Yields what a certificate holds for one kind of outside checker, or raises BadOption before the first if that checker
does not know some mechanic of the dungeon."""

WRITERS: Mapping[tuple[str, str], tuple[Writer, ...]] = {
    ("solvable", "plan"): (plan_proofs, replay_proofs),
    ("solvable", "closed set"): (closed_set_proofs,),
    ("losable", "lost walk"): (lost_walk_proofs,),
    ("losable", "plan from home"): (plan_proofs,),
    ("collectable", "plan"): (plan_proofs,),
}
"""Each question and form of certificate with what writes its proofs."""


def outside_proofs(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> Iterator[OutsideProof]:
    """Yield what an accepted certificate holds for outside checkers, or raise BadOption if that is nothing.

    What one checker does not know, another may: it is an error only if none has anything.
    """
    writers = WRITERS.get((certificate["question"], certificate["form"]), ())
    refusals: list[str] = []
    written = 0
    for writer in writers:
        try:
            for proof in writer(dungeon, certificate, meter):
                written += 1
                yield proof
        except BadOption as refusal:
            refusals.append(str(refusal))
    if not written:
        raise BadOption("; ".join(refusals) or f"the form {certificate['form']!r} has nothing for an outside checker")
