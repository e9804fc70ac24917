"""Take accepted certificates apart into steps that can be looked at one by one on the board.

The marks of a step are numbers of cells: `swap`, two tiles that change places at this step and stay so afterwards;
`path`, swaps that lead to the board it is about, where that is not what the steps before it have led to; `cells`, the
tiles it is about; `uses`, the tiles it follows from; and `places`, cells where a tile can or cannot stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.harmony.model import Board
from solvent.harmony.page.proof_steps.closed_set import closed_set_steps
from solvent.harmony.page.proof_steps.invariant import invariant_steps
from solvent.harmony.page.proof_steps.refutation import refutation_steps
from solvent.harmony.page.proof_steps.swaps import plan_steps
from solvent.proof.steps import steps_by_form

_FORMS: Mapping[str, Callable[[Board, Certificate, Meter], Iterator[ProofStep]]] = {
    "plan": plan_steps,
    "invariant": invariant_steps,
    "refutation": refutation_steps,
    "closed set": closed_set_steps,
}


def proof_steps(board: Board, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Return the steps of an accepted certificate, or raise BadOption if its form is not known here."""
    return steps_by_form(_FORMS, board, certificate, meter)
