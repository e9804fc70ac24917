"""Hand refutations to outside checkers: the checker's own clauses, with what each variable means in words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import UNSET

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.core.outside_proof import OutsideProof
from solvent.proof.refutation_files import occurring, refutation_proof
from solvent.valency.checker.certificate_schema import Refutation, read_left_out, read_refutation, reason_for
from solvent.valency.checker.clauses import CheckingLimits, Sums
from solvent.valency.checker.formula import EdgeVariables, Formula
from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import make_formula
from solvent.valency.model import Staging

TRUSTED = (
    "That the clauses hold in every fill of the task in the instance file, and that this task is the one you mean."
)
MAX_NAMED = 20
"""How many parts of a count are named one by one."""


def outside_proofs(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> Iterator[OutsideProof]:
    """Yield each refutation in a certificate that was accepted, or raise BadOption if there is none in it."""
    placing = Placing(staging, meter)
    if certificate["form"] == "refutation":
        claim = "These nodes cannot all be filled by the rules that the clauses state, so the task has no fill: "
        refutation = read_refutation(certificate, meter)
        yield _outside_proof("refutation", claim, placing, refutation, for_a_node=False)
        return
    if certificate["form"] == "counting":
        raise BadOption(
            "this certificate proves by counting, in sums of whole numbers, and outside checkers of clauses cannot "
            "follow that: add the points up as the reference says, or check it with `solvent check`"
        )
    proofs = 0
    for left in read_left_out(certificate, meter) if certificate["form"] == "partial" else ():
        if left.proof is not UNSET:
            proofs += 1
            claim = f"If {name_node(staging, left.node)} is filled, these nodes cannot all be, by the rules: "
            refutation = reason_for(left, meter)
            yield _outside_proof(f"node_{left.node}", claim, placing, refutation, for_a_node=True)
    if not proofs:
        raise BadOption(
            f"this certificate of the form {certificate['form']!r} holds no refutation, and only those are for outside "
            "checkers: compare the fill with the rules of the task"
        )


def _outside_proof(
    name: str, claim: str, placing: Placing, refutation: Refutation, *, for_a_node: bool
) -> OutsideProof:
    formula = make_formula(placing, refutation, CheckingLimits(), for_a_node=for_a_node)
    assert isinstance(formula, Formula), formula  # the certificate was accepted
    clauses = formula.clauses.formula()
    describe = describer(formula)
    nodes = refutation.nodes.tolist()
    named = ", ".join(map(str, nodes[:MAX_NAMED])) + (f" and {len(nodes) - MAX_NAMED} more" * (len(nodes) > MAX_NAMED))
    return refutation_proof(
        name,
        f"{claim}{named}.",
        clauses,
        refutation.proof,
        meanings=((variable, describe(variable)) for variable in occurring(clauses, placing.meter)),
        trusted=TRUSTED,
        meter=placing.meter,
    )


def describer(formula: Formula) -> Callable[[int], str]:
    """Return what says in words what a variable of a formula stands for."""
    staging, nodes, modules = formula.placing.staging, formula.nodes, formula.placing.modules

    def holds(number: int) -> str:
        node, module = divmod(number, modules)
        return f"{name_node(staging, int(nodes[node]))} holds {name_module(staging, module)}"

    def bit(number: int) -> str:
        node, place = divmod(number, formula.bits)
        return f"bit {place} of the number of the module on {name_node(staging, int(nodes[node]))} is set"

    def at_least(sums: Sums, number: int) -> str:
        row, place = divmod(number, sums.width)
        some = [holds(int(literal) - 1) for literal in sums.literals[: min(row + 1, MAX_NAMED)]]
        more = f"; and {row + 1 - MAX_NAMED} more" if row + 1 > MAX_NAMED else ""
        return f"at least {place + 1} of these {row + 1}: {'; '.join(some)}{more}"

    def in_set(number: int) -> str:
        return f"{name_node(staging, int(nodes[number]))} holds a module of the set that hangs together"

    def joined(edges: EdgeVariables, number: int) -> str:
        return f"edge {edges.numbers[number]} joins its ends"

    ranges: list[tuple[int, Callable[[int], str]]] = [(1, holds), (1 + len(nodes) * modules, bit)]
    ranges += [(sums.first, partial(at_least, sums)) for sums in formula.clauses.sums]
    ranges += [(first, in_set) for first in formula.held_in]
    ranges += [(edges.first, partial(joined, edges)) for edges in formula.joins if len(edges.numbers)]
    ranges.sort(key=lambda each: each[0])
    firsts = [first for first, _ in ranges]

    def describe(variable: int) -> str:
        first, words = ranges[bisect_right(firsts, variable) - 1]
        return words(variable - first)

    return describe
