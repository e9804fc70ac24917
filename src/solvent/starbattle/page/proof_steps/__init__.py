"""Take accepted certificates apart into steps that can be looked at one by one on the board.

The marks of a step are `position`, the marks on the board before it, and what a hint points at too: `causes`,
`removals`, `stars`, `rings` and `blocks` as pairs, and the numbers of `rows`, `columns` and `regions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.proof.steps import steps_by_form
from solvent.starbattle.model import Puzzle
from solvent.starbattle.page.proof_steps.chain import chain_steps
from solvent.starbattle.page.proof_steps.refutation import refutation_steps
from solvent.starbattle.page.proof_steps.stars import solution_steps, two_solutions_steps

_FORMS: Mapping[str, Callable[[Puzzle, Certificate, Meter], Iterator[ProofStep]]] = {
    "stars": solution_steps,
    "two solutions": two_solutions_steps,
    "free cell": two_solutions_steps,
    "refutation": refutation_steps,
    "only solution": refutation_steps,
    "explained chain": chain_steps,
    "explained step": chain_steps,
}


def proof_steps(puzzle: Puzzle, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Return the steps of an accepted certificate, or raise BadOption if its form is not known here."""
    return steps_by_form(_FORMS, puzzle, certificate, meter)
