"""What the golden files say, held against the rules of the brute-force twin."""

from __future__ import annotations

import pytest

import solvent
from golden import golden_answers
from harmony.brute_force import plan_solves

EXAMPLES = {example.name: example for example in solvent.examples("harmony")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_golden_plan_solves(name: str):
    told = golden_answers("harmony", name)["solvable"]
    plan = told["certificate"].get("plan")
    assert (told["verdict"] == "YES") == (plan is not None)
    if plan is not None:
        assert plan_solves(solvent.parse(EXAMPLES[name].text), plan)
