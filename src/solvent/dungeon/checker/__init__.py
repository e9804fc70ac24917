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

FORMS: Mapping[tuple[str, str], tuple[Verdict, str]] = {
    ("solvable", "plan"): (Verdict.YES, "plan"),
    ("solvable", "closed set"): (Verdict.NO, "closed_set"),
    ("losable", "lost walk"): (Verdict.YES, "lost_walk"),
    ("losable", "safe"): (Verdict.NO, "safe"),
    ("losable", "safe, step by step"): (Verdict.NO, "safe"),
    ("losable", "surplus"): (Verdict.NO, "surplus"),
    ("losable", "within reach"): (Verdict.NO, "within_reach"),
    ("losable", "plan from home"): (Verdict.NO, "plan_from_home"),
    ("collectable", "plan"): (Verdict.YES, "collectable"),
    ("collectable", "closed sets"): (Verdict.NO, "collectable"),
    ("accessible", "walks"): (Verdict.YES, "accessible"),
    ("accessible", "out of reach"): (Verdict.NO, "accessible"),
    ("monotone", "nothing delicate"): (Verdict.YES, "monotone"),
    ("monotone", "all states"): (Verdict.YES, "monotone"),
    ("monotone", "taken away"): (Verdict.NO, "monotone"),
}
"""Each question with each form of certificate that can answer it, the verdict it proves, and the module that checks
it."""


def violations(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return every violation found in a certificate; an empty list accepts it."""
    question, form = certificate["question"], certificate["form"]
    found = [known for known in FORMS if known[1] == form]
    if not found:
        known_forms = dict.fromkeys(known for _, known in FORMS)
        return [f"expected one of the forms {'; '.join(known_forms)}; found {show_value(form)}"]
    if not isinstance(question, str) or (question, form) not in FORMS:
        answered = " or ".join(known for known, _ in found)
        return [f"the form {form!r} can only answer {answered}, not {show_value(question)}"]
    verdict, module = FORMS[question, form]
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
