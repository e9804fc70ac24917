"""Check valency certificates by the rule book alone.

Everything here is restated from the rule book; nothing is imported from the rules, the solver or the formats. A rule is
said once for all nodes, with numpy: `neighbours` finds who stands beside whom, `placing` what may stand where, `fill`
and `fillers` what holds in a fill, and `formula` what holds in every fill, as clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.valency.model import Staging

FORMS: Mapping[str, tuple[str, Verdict]] = {
    "assignment": ("solvable", Verdict.YES),
    "refutation": ("solvable", Verdict.NO),
    "counting": ("solvable", Verdict.NO),
    "partial": ("partial", Verdict.YES),
    "seams": ("solvable", Verdict.YES),
}
"""Each form of certificate, the question it answers and the verdict it can prove; a module of that name checks it."""

MAX_VIOLATIONS = 20


def violations(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return the violations found in a certificate, the first 20 if there are more; an empty list accepts it."""
    form, question, verdict = (certificate.get(key) for key in ("form", "question", "verdict"))
    if not isinstance(form, str) or form not in FORMS:
        return [f"expected one of the forms {', '.join(FORMS)}; found {show_value(form)}"]
    if question != FORMS[form][0]:
        return [f"the form {form!r} can only answer {FORMS[form][0]}, not {show_value(question)}"]
    if verdict != FORMS[form][1].value:
        return [f"the form {form!r} can only prove {FORMS[form][1]}, not {show_value(verdict)}"]
    import msgspec

    from solvent.valency.checker.wellformed import find_malformed

    try:
        found = find_malformed(staging, meter) or _checker(form)(staging, certificate, meter)
    except msgspec.ValidationError as error:
        return [f"the certificate is malformed: {error}"]
    if len(found) > MAX_VIOLATIONS:
        return [*found[:MAX_VIOLATIONS], "there are more violations, which are not listed"]
    return found


def _checker(form: str) -> Callable[[Staging, Certificate, Meter], list[str]]:
    import importlib  # only the form at hand: following a refutation needs far more than an assignment

    check: Callable[[Staging, Certificate, Meter], list[str]]
    check = importlib.import_module(f"solvent.valency.checker.{form}").check
    return check
