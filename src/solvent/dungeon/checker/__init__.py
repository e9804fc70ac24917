"""Check dungeon certificates by the rules of play alone.

Everything here is restated from the rule book; nothing is imported from the rules, the solver or the formats. What the
checker says is no stronger than the rules of play: `play` states them move by move and replays plans, `moves` states
them for many situations at once, and tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.dungeon.model import Dungeon

FORMS: Mapping[str, tuple[str, Verdict, str]] = {
    "plan": ("solvable", Verdict.YES, "plan"),
    "closed set": ("solvable", Verdict.NO, "closed_set"),
    "lost walk": ("losable", Verdict.YES, "lost_walk"),
    "safe": ("losable", Verdict.NO, "safe"),
    "safe, step by step": ("losable", Verdict.NO, "safe"),
    "surplus": ("losable", Verdict.NO, "surplus"),
    "within reach": ("losable", Verdict.NO, "within_reach"),
}
"""Each form of certificate, the question it answers, the verdict it can prove, and the module that checks it."""


def violations(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return every violation found in a certificate; an empty list accepts it."""
    form = certificate["form"]
    if form not in FORMS:
        return [f"expected one of the forms {'; '.join(FORMS)}; found {show_value(form)}"]
    question, verdict, module = FORMS[form]
    if certificate["question"] != question:
        return [f"the form {form!r} can only answer {question}, not {show_value(certificate['question'])}"]
    if certificate["verdict"] != verdict.value:
        return [f"the form {form!r} can only prove {verdict}, not {show_value(certificate['verdict'])}"]
    from solvent.dungeon.checker.certificate_schema import rules_violations
    from solvent.dungeon.checker.fitness import unfit_parts

    return (
        rules_violations(dungeon, certificate)
        or unfit_parts(dungeon, meter)
        or _checker(module)(dungeon, certificate, meter)
    )


def _checker(module: str) -> Callable[[Dungeon, Certificate, Meter], list[str]]:
    import importlib  # only the form at hand: a plan needs no regions

    check: Callable[[Dungeon, Certificate, Meter], list[str]]
    check = importlib.import_module(f"solvent.dungeon.checker.{module}").check
    return check
