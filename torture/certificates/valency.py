"""Forge certificates of Valency."""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import Any

import solvent
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.proof.certificate import make_certificate
from solvent.valency.checker import FORMS
from solvent.valency.model import NULL_SLOT, UNSOLVABLE, Staging
from solvent.valency.solver.counting_argument.finding import find_counting_argument
from solvent.valency.solver.network import boot
from torture.certificates.case import Case, Certificate, Forger
from torture.certificates.worlds import make_seams_case
from torture.instances.valency import make_staging, perturb_staging, with_limit
from torture.judges.valency import Twin, fillers_are_needed, is_right_partially, is_solvable, most_filled, rules_hold

SHARE_OF_SEAMS = 0.08
SHARE_OF_COUNTING = 0.15
TRIES_TO_COUNT = 10
"""How many stagings to look at for one that counting refutes."""


class Truth:
    """Know what is true of a staging, once it is asked for."""

    def __init__(self, staging: Staging) -> None:
        self.staging = staging

    @cached_property
    def twin(self) -> Twin:
        return Twin(self.staging)

    @cached_property
    def solvable(self) -> bool:
        return is_solvable(self.staging)

    def judge(self, certificate: Certificate) -> str | None:
        """Say what is false about a certificate."""
        if certificate["form"] in ("refutation", "counting"):
            return "every node can be filled" if self.solvable else None
        modules = certificate["modules"]
        fill = {node: held for node, held in enumerate(modules) if held >= 0}
        if len(modules) != self.twin.size or any(
            (held == NULL_SLOT) == (node in self.twin.open) for node, held in enumerate(modules)
        ):
            return "a node holds what it cannot"
        if certificate["form"] == "assignment":
            if not rules_hold(self.twin, fill):
                return "the fill breaks a rule"
            return None if fillers_are_needed(self.twin, fill) else "a filler stands where something else could"
        return self._judge_partial(fill, modules, certificate["left_out"])

    def _judge_partial(self, fill: dict[int, int], modules: list[int], left_out: list[dict[str, Any]]) -> str | None:
        if not is_right_partially(self.twin, fill):
            return "the fill breaks a rule"
        listed = [left["node"] for left in left_out]
        if sorted(listed) != [node for node, held in enumerate(modules) if held == UNSOLVABLE]:
            return "the nodes left out are not those listed"
        for number, left in enumerate(left_out):
            if "proof" not in left:
                continue
            nodes = left["nodes"]
            if left["node"] not in nodes or set(nodes) & set(listed[:number]):
                return "a proof is about other nodes"
            if most_filled(self.twin, sorted(set(nodes))) == len(set(nodes)):
                return f"node {left['node']} need not be left out"
        return None


def make_case(dice: Random) -> Case:
    """Make a staging and ask both questions, also by counting; or make seams of a world."""
    kind = dice.random()
    seams = make_seams_case(dice) if kind < SHARE_OF_SEAMS else None
    if seams is not None:
        return seams
    case = _make_counting_case(dice) if kind > 1 - SHARE_OF_COUNTING else case_of(make_staging(dice))
    for question in ("solvable", "partial"):
        answer = solvent.ask(case.problem, question, nodes=20_000, minimal=dice.random() < 0.3)
        if answer.certificate is not None:
            case.honest.append(dict(answer.certificate))
    return case


def _make_counting_case(dice: Random) -> Case:
    """Make a staging that cannot be filled, and that counting can say so of, if one of some is such."""
    for _ in range(TRIES_TO_COUNT):
        staging = make_staging(dice)
        more = with_limit(dice, staging, "parity") if dice.random() < 0.5 else None
        case = case_of(more or staging)
        argument = find_counting_argument(boot(case.problem), UNLIMITED, quick=False)
        if argument is not None:
            body = argument.as_json()
            case.honest.append(dict(make_certificate("valency", "solvable", Verdict.NO, "counting", **body)))
            break
    return case


def case_of(staging: Staging) -> Case:
    """Say what is true of a staging, when asked."""
    truth = Truth(staging)
    return Case(
        staging,
        truth.judge,
        forge=lambda dice: _forge(dice, truth),
        perturb=lambda dice: case_of(perturb_staging(dice, staging)),
        words=["node", "pick", "edge", "apart", "least", "most", "constraint", "inside", "from", "to"],
    )


def _forge(dice: Random, truth: Truth) -> Certificate:
    form = dice.choice(list(FORMS))
    question, verdict = FORMS[form]
    twin, count = truth.twin, len(truth.staging.rules.modules)
    held = [dice.choice(twin.candidates(node) or [0]) if node in twin.open else NULL_SLOT for node in range(twin.size)]
    body: dict[str, Any] = {"modules": held}
    if form == "partial":
        empty = [node for node in twin.open if dice.random() < 0.3]
        for node in empty:
            held[node] = UNSOLVABLE
        body["left_out"] = [
            {"node": node} | (_refutation(dice, truth, count, node) if dice.random() < 0.5 else {}) for node in empty
        ]
    elif form == "refutation":
        body = _refutation(dice, truth, count, None)
    envelope = {"solvent": 1, "domain": "valency", "question": question, "verdict": verdict.value, "form": form}
    return {**envelope, **body}


def _refutation(dice: Random, truth: Truth, count: int, node: int | None) -> dict[str, Any]:
    """Take some nodes, all that is said of them, and claim that this is a contradiction."""
    twin = truth.twin
    nodes = sorted({*dice.sample(twin.open, dice.randint(0, len(twin.open))), *([] if node is None else [node])})
    elements: list[dict[str, Any]] = [{dice.choice(("node", "node", "pick")): inside} for inside in nodes]
    elements += [
        {"edge": [edge.layer, edge.node, edge.orbital]}
        for edge in twin.edges
        if edge.node in nodes and edge.other in nodes and dice.random() < 0.8
    ]
    elements += [{dice.choice(("least", "most")): module} for module in range(count) if dice.random() < 0.2]
    elements += [{"constraint": number} for number in range(len(truth.staging.constraints)) if dice.random() < 0.5]
    proof = "".join(f"{dice.randint(-20, 20) or 1} 0\n" for _ in range(dice.randrange(4))) + "0\n"
    return {"nodes": nodes, "elements": elements, "proof": proof}


FORGER = Forger("valency", make_case, lambda certificate: str(certificate["form"]), list(FORMS))
