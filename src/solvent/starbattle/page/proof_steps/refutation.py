"""Refutations as steps: what is learnt about single cells, one after the other, until nothing is left.

The proof is followed with the clauses that each of its steps uses. Many steps are about counting along a row or a
region; a person wants to know what they mean for cells. So only clauses about cells are shown, each with all the rows,
columns and regions that it and the steps in between rest on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import listed, plural
from solvent.proof.lrat import Step, find_hints
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.checker.clausal import refutation_text
from solvent.starbattle.checker.statements_kernel import Place, Statements
from solvent.starbattle.model import CROSS, STAR, Puzzle

MAX_UNITS_NAMED = 6


def refutation_steps(puzzle: Puzzle, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield what the proof learns about cells, and the contradiction at its end."""
    statements = _Located(puzzle)
    other = certificate["form"] == "only solution"
    if other:
        statements.add([-statements.star(*cell) for cell in certificate["stars"]])
        text = "Here is a solution. Suppose there is another: it lacks at least one of these stars."
        yield ProofStep(
            text=text, marks={"position": puzzle.marks, "stars": [list(each) for each in certificate["stars"]]}
        )
    else:
        yield ProofStep(text="Suppose there is a solution.", marks={"position": puzzle.marks})
    clauses = statements.formula()
    proof = find_hints(clauses, refutation_text(certificate, clauses, meter), meter)
    yield from _Telling(puzzle, statements, other=other).steps(proof.steps, meter)


class _Located(Statements):
    """Write down the very clauses of the checker, and note which row, column or region each is about."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.counters: list[tuple[int, int]] = []
        """The first clause of each counter, and the first after it, in the order in which they are counted."""
        super().__init__(puzzle)
        size = puzzle.size
        lines = [*(("row", index) for index in range(size)), *(("column", index) for index in range(size))]
        pairs = (len(self.counters) - 3 * size) // 2
        grouped = [[line] for line in lines]
        for kind in ("row", "column"):
            grouped += [[(kind, index), (kind, index + 1)] for index in range(pairs)]
        grouped += [[("region", index)] for index in range(size)]
        self.units: dict[int, list[tuple[str, int]]] = {}
        """The units that a clause is about, by its number from 1; none for touching, marks and what is supposed."""
        for (first, end), units in zip(self.counters, grouped, strict=True):
            for clause in range(first, end):
                self.units[clause + 1] = units

    def count(self, places: list[Place], stars: int, every_other: bool) -> None:
        """Count stars on places, and note which clauses do."""
        first = len(self.starts) - 1
        super().count(places, stars, every_other)
        self.counters.append((first, len(self.starts) - 1))


@dataclass(slots=True)
class _Used:
    """Hold what a step rests on, the steps in between included."""

    units: set[tuple[str, int]] = field(default_factory=set)
    cells: set[int] = field(default_factory=set)
    """The cells that earlier steps were about."""

    def add(self, other: _Used) -> None:
        self.units |= other.units
        self.cells |= other.cells


class _Telling:
    """Go through a proof and say what it learns."""

    def __init__(self, puzzle: Puzzle, statements: _Located, *, other: bool) -> None:
        self.puzzle = puzzle
        self.statements = statements
        self.other = other
        self.marks = list(puzzle.marks)
        self.cells = puzzle.size**2
        self.between: dict[int, _Used] = {}
        """What the steps rest on that are not shown."""
        self.shown: dict[int, list[int]] = {}
        """The cells of the steps that are."""

    def steps(self, steps: list[Step], meter: Meter) -> Iterator[ProofStep]:
        """Yield the steps about cells."""
        for step in meter.each(steps, every=100):
            used = self._used(step)
            if any(abs(literal) > self.cells for literal in step.literals):
                self.between[step.number] = used
                continue
            yield ProofStep(text=self._text(step.literals, used), marks=self._marks(step.literals, used))
            self.shown[step.number] = [abs(literal) - 1 for literal in step.literals]
            if len(step.literals) == 1:
                self.marks[abs(step.literals[0]) - 1] = STAR if step.literals[0] > 0 else CROSS

    def _used(self, step: Step) -> _Used:
        used = _Used()
        for hint in step.hints:
            if hint in self.between:
                used.add(self.between[hint])
            elif hint in self.shown:
                used.cells.update(self.shown[hint])
            else:
                used.units.update(self.statements.units.get(hint, ()))
        used.cells -= {abs(literal) - 1 for literal in step.literals}
        return used

    def _text(self, literals: list[int], used: _Used) -> str:
        units = _named(used.units)
        known = " with what is known by now" if used.cells else ""
        if not literals:
            left = f"Now the stars find no room in {units}{known}" if units else "This cannot be"
            end = "there is no other solution" if self.other else "there is no solution"
            return f"{left}: {end}."
        where = f" in {units}" if units else ""
        if len(literals) > 1:
            return f"{self._clause(literals)} The opposite cannot be{where}{known}."
        cell = format_cell(abs(literals[0]) - 1, self.puzzle.size)
        if literals[0] < 0:
            reason = f"with a star there, the stars find no room{where}{known}" if units else "it would touch a star"
            return f"{cell} has no star: {reason}."
        reason = f"without it, the stars find no room{where}{known}" if units else "nothing else is left"
        return f"{cell} has a star: {reason}."

    def _clause(self, literals: list[int]) -> str:
        """Say a clause about several cells."""
        names = {literal: format_cell(abs(literal) - 1, self.puzzle.size) for literal in literals}
        stars = [names[literal] for literal in literals if literal < 0]
        one_of = [names[literal] for literal in literals if literal > 0]
        if not one_of:
            return f"{listed(stars)} cannot {'both' if len(stars) == 2 else 'all'} be stars."
        conclusion = f"{listed(one_of, last='or')} is one"
        if not stars:
            return f"There is a star on {listed(one_of, last='or')}."
        return f"If {listed(stars)} {plural(len(stars), 'is a star', 'are stars')}, {conclusion}."

    def _marks(self, literals: list[int], used: _Used) -> dict[str, Any]:
        size = self.puzzle.size
        single = len(literals) == 1
        pairs = [list(divmod(abs(literal) - 1, size)) for literal in literals]
        return {
            "position": "".join(self.marks),
            "rows": sorted(index for kind, index in used.units if kind == "row"),
            "columns": sorted(index for kind, index in used.units if kind == "column"),
            "regions": sorted(index for kind, index in used.units if kind == "region"),
            "causes": [list(divmod(cell, size)) for cell in sorted(used.cells)],
            "removals": pairs if single and literals[0] < 0 else [],
            "stars": pairs if single and literals[0] > 0 else [],
            "rings": [] if single else pairs,
        }


def _named(units: set[tuple[str, int]]) -> str:
    """Name units, the regions first, such as `regions B and C and row 2`; many are counted."""
    groups = []
    for kind in ("region", "row", "column"):
        numbers = sorted(index for each, index in units if each == kind)
        names = [format_region(index) if kind == "region" else str(index + 1) for index in numbers]
        if names:
            groups.append(f"{plural(len(names), kind)} {listed(names, MAX_UNITS_NAMED)}")
    return listed(groups)
