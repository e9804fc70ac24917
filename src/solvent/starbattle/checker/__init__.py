"""Check Star Battle certificates by the rules of the game alone.

Everything here is restated from the rule book, slowly and plainly. Nothing is imported from the rules or the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import ParseError, show_value
from solvent.starbattle.model import Puzzle, require_valid

FORMS: Mapping[str, tuple[Verdict, str]] = {
    "stars": (Verdict.YES, "stars"),
    "only solution": (Verdict.YES, "refutation"),
    "two solutions": (Verdict.NO, "stars"),
    "refutation": (Verdict.NO, "refutation"),
    "explained chain": (Verdict.YES, "chain"),
    "explained step": (Verdict.YES, "steps"),
    "free cell": (Verdict.NO, "free_cell"),
}
"""Each form of certificate, the verdict it can prove, and the module that checks it."""

QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "stars": ("solvable",),
    "only solution": ("unique",),
    "two solutions": ("unique",),
    "refutation": ("solvable", "unique"),
    "explained chain": ("unique",),
    "explained step": ("forced",),
    "free cell": ("forced",),
}
"""Each form of certificate and the questions it can answer."""


def violations(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return every violation found in a certificate; an empty list accepts it."""
    require_valid(puzzle)
    form = certificate["form"]
    if not isinstance(form, str) or form not in FORMS:
        return [f"expected one of the forms {', '.join(FORMS)}, found {show_value(form)}"]
    verdict, module = FORMS[form]
    named = f"the form {show_value(form)}"
    if certificate["question"] not in QUESTIONS[form]:
        questions = " and ".join(QUESTIONS[form])
        return [f"{named} can only answer {questions}, not {show_value(certificate['question'])}"]
    if certificate["verdict"] != verdict.value:
        return [f"{named} can only prove {verdict}, not {show_value(certificate['verdict'])}"]
    try:
        return _checker(module)(puzzle, certificate, meter)
    except ParseError as error:  # a cell that is not one
        return [str(error)]


def _checker(module: str) -> Callable[[Puzzle, Certificate, Meter], list[str]]:
    import importlib  # only the form at hand: a refutation takes a kernel to follow, stars do not

    check: Callable[[Puzzle, Certificate, Meter], list[str]]
    check = importlib.import_module(f"solvent.starbattle.checker.{module}").check
    return check
