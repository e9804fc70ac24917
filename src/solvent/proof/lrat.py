"""Write a refutation so that each step names the clauses it follows from: the LRAT format.

A line is `number literals 0 hints 0`: the clause with this number follows because, with all its literals false, each
clause that the hints name has only one literal left that is not false, which becomes true, and the last one has none.
`number d numbers 0` deletes clauses. The clauses of the formula have the numbers 1, 2, and so on.

A checker of this format searches for nothing, so it can be small enough to be proved right itself. What follows from
the clauses so far without any assumption, a *fact*, is a step of its own here, a clause of one literal. That keeps
hints short: a step names a fact, not the whole chain of clauses that led to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import CertificateRejected
from solvent.engine.clauses import ClauseList
from solvent.proof.drup import DrupProof, parse_drup
from solvent.proof.rup import check_refutation
from solvent.proof.rup_kernel import HEADER, LONG, RupFollower
from solvent.proof.trimming_kernel import NeededSteps


@dataclass(frozen=True, slots=True)
class Step:
    """Hold one clause that follows, and why."""

    number: int
    literals: list[int]
    hints: list[int]
    """Numbers of clauses, in the order they become unit; the last one is false."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """Hold a refutation in both forms, with only the steps that the contradiction needs."""

    drup: list[list[int]]
    """The clauses of the proof, in order; the last is empty. Nothing is deleted."""
    steps: list[Step]
    """The same with hints, and with steps for facts; the last has the empty clause."""


def find_hints(clauses: ClauseList, proof: str, meter: Meter = UNLIMITED) -> Reasoned:
    """Follow a proof in DRUP text and note what each step follows from.

    Raises ParseError or CertificateRejected if the proof is not one.
    """
    steps = parse_drup(proof, clauses.variables, meter)
    checked = check_refutation(clauses, steps, record=True, meter=meter)
    if checked.violations:
        raise CertificateRejected(checked.violations)
    return _Writer(clauses, steps, checked.followed, meter).write()


def lrat_lines(steps: list[Step]) -> Iterator[str]:
    """Yield the lines of an LRAT file. A clause is deleted after the last step that names it."""
    last_use = {hint: step.number for step in steps for hint in step.hints}
    for step in steps:
        yield " ".join(map(str, [step.number, *step.literals, 0, *step.hints, 0])) + "\n"
        done = sorted({hint for hint in step.hints if last_use[hint] == step.number})
        if done and step.literals:
            yield " ".join([str(step.number), "d", *map(str, done), "0"]) + "\n"


class _Recorded(NamedTuple):
    """Hold what the steps of a proof used. The fields of a `RupFollower` with these names say what is in them."""

    arena: memoryview
    facts: memoryview
    """The codes that are facts, in the order they became so."""
    reasons: memoryview
    contradiction: int
    antecedents: memoryview
    antecedent_ends: memoryview
    step_refs: memoryview


class _Writer:
    """Number the clauses of a proof that was followed, and put together the hints of each."""

    def __init__(self, clauses: ClauseList, proof: DrupProof, followed: RupFollower, meter: Meter) -> None:
        self.proof = proof
        self.meter = meter
        self.kept = NeededSteps(followed).steps()
        self.used = _Recorded(*followed.recorded())
        self.numbers = dict(zip(_refs(self.used, clauses), range(1, len(clauses) + 1), strict=False))
        """The number of each clause by its place in the arena."""
        self.next_number = len(clauses) + 1
        self.when = {code >> 1: place for place, code in enumerate(self.used.facts)}
        """For the variable of each fact, how many facts there were before it."""
        self.units: dict[int, int] = {}
        """For the variable of a fact, the number of the clause that says it alone."""
        self.steps: list[Step] = []

    def write(self) -> Reasoned:
        drup = []
        for step in self.meter.each(self.kept):
            begin, end = self.proof.starts[step], self.proof.starts[step + 1]
            literals = list(dict.fromkeys(self.proof.literals[begin:end].tolist()))
            drup.append(literals)
            self.numbers[self.used.step_refs[step]] = self._add(literals, self._hints(step, literals))
        contradiction = self.used.contradiction
        facts = self._say(self._variables(contradiction))
        self._add([], [*facts, self.numbers[contradiction]])
        return Reasoned([*drup, []], self.steps)

    def _hints(self, step: int, literals: list[int]) -> list[int]:
        begin, end = self.used.antecedent_ends[step], self.used.antecedent_ends[step + 1]
        used = self.used.antecedents[begin:end].tolist()
        clauses = [self.numbers[ref] for ref in reversed(used) if ref > 0]
        facts = [-variable for variable in used if variable < 0]
        if clauses:  # what the clause itself makes false needs no saying, and a hint may not say it again
            own = {abs(literal) for literal in literals}
            facts = [variable for variable in facts if variable not in own]
        return self._say(facts) + clauses

    def _say(self, variables: list[int]) -> list[int]:
        """Return the numbers of the clauses that say these facts alone; adds those that are not there yet."""
        missing: set[int] = set()
        waiting = [variable for variable in variables if variable not in self.units]
        while waiting:
            variable = waiting.pop()
            if variable not in missing:
                missing.add(variable)
                others = self._variables(self.used.reasons[variable])
                waiting += [other for other in others if other not in self.units and other not in missing]
        for variable in sorted(missing, key=self.when.__getitem__):
            reason = self.used.reasons[variable]
            others = [other for other in self._variables(reason) if other != variable]
            if others:
                code = self.used.facts[self.when[variable]]
                literal = -variable if code & 1 else variable
                facts = [self.units[other] for other in others]
                self.units[variable] = self._add([literal], [*facts, self.numbers[reason]])
            else:
                self.units[variable] = self.numbers[reason]
        return [self.units[variable] for variable in sorted(variables, key=self.when.__getitem__)]

    def _add(self, literals: list[int], hints: list[int]) -> int:
        number = self.next_number
        self.next_number += 1
        self.steps.append(Step(number, literals, hints))
        return number

    def _variables(self, ref: int) -> list[int]:
        """Return the variables of a clause, deleted since or not."""
        first = ref + HEADER
        return [code >> 1 for code in self.used.arena[first : first + abs(self.used.arena[ref])]]


def _refs(used: _Recorded, clauses: ClauseList) -> Iterator[int]:
    """Yield where the clauses of the formula stand in the arena, one after the other."""
    ref = 2 * clauses.variables + 2
    for _ in range(len(clauses)):
        yield ref
        length = abs(used.arena[ref])
        ref += HEADER + length + (length > LONG)
