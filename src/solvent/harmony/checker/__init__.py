"""Check Harmony certificates by the rules of the game alone.

Everything here is restated from the rule book, slowly and plainly. Nothing is imported from the rules or the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import ParseError, show_value
from solvent.harmony.model import Board

FORMS: Mapping[str, tuple[Verdict, str]] = {
    "plan": (Verdict.YES, "plan"),
    "closed set": (Verdict.NO, "closed_set"),
    "invariant": (Verdict.NO, "invariant"),
    "refutation": (Verdict.NO, "refutation"),
}
"""Each form of certificate, the verdict it can prove, and the module that checks it."""


def violations(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return every violation found in a certificate; an empty list accepts it."""
    form = certificate["form"]
    if not isinstance(form, str) or form not in FORMS:
        return [f"expected one of the forms {', '.join(FORMS)}, found {show_value(form)}"]
    verdict, module = FORMS[form]
    if certificate["verdict"] != verdict.value:
        found = certificate["verdict"]
        shown = found if found in ("YES", "NO") else show_value(found)
        return [f"a {form} can only prove {verdict}, not {shown}"]
    try:
        return _checker(module)(board, certificate, meter)
    except ParseError as error:  # a cell or swap that is not one
        return [str(error)]


def _checker(module: str) -> Callable[[Board, Certificate, Meter], list[str]]:
    import importlib  # only the form at hand: refutations need kernels, plans do not

    check: Callable[[Board, Certificate, Meter], list[str]]
    check = importlib.import_module(f"solvent.harmony.checker.{module}").check
    return check
