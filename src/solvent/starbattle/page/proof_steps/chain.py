"""Chains of explained steps: what each technique says, in one sentence, and what its witness points at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import capitalised, listed, plural
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.checker.chain import take_step
from solvent.starbattle.model import Puzzle

REASONS: Mapping[str, str] = {
    "neighbour": "no cell beside a star can have one",
    "full unit": "all its stars are placed",
    "exact fill": "there is just enough room for the stars still missing",
    "tiling": "as many blocks as stars cover it, so each block has exactly one",
    "placements": "however its stars are placed, these cells come out the same",
    "reserved area": "its stars need this area, which leaves none for others there",
    "exclusion": "a star here would leave too little room",
    "pressured exclusion": "a star here would leave too little room, with what else is known",
    "undercounting": "these regions need all the stars of these lines",
    "overcounting": "these lines need all the stars of these regions",
    "squeeze": "blocks cover neighbouring lines so tightly that each has exactly one star",
    "composite shape": "regions and lines together make a shape whose stars can be counted",
    "finned count": "counting the lines and regions leaves the stars no other place",
    "set differential": "what two sets of units have in common cancels out, and the rest must agree",
    "shapes": "two areas with known stars leave each other only these places",
    "fish": "the rows need their stars in these columns, which leaves none for other rows",
    "n-rooks": "the stars of these lines can be placed apart in only so many ways",
    "hypothesis": "the opposite leads to a contradiction in a few steps",
    "nested hypothesis": "the opposite leads to a contradiction, with a supposition on the way",
    "search": "with the opposite mark every way to go on was tried, and none is left",
    "uniqueness": "otherwise there would be another solution, and it is proved that there is only one",
}


def chain_steps(puzzle: Puzzle, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield one step for each step of a chain; a single step is a chain of one."""
    steps = certificate["steps"] if certificate["form"] == "explained chain" else [certificate]
    for step in meter.each(steps, every=1):
        yield _shown(puzzle, step)
        puzzle = take_step(puzzle, {**step, "form": "explained step"})
    if certificate["form"] == "explained chain":
        yield ProofStep(
            text="Every star was forced, and together they keep all the rules: exactly one solution.",
            marks={"position": puzzle.marks},
        )


def _shown(puzzle: Puzzle, step: Mapping[str, Any]) -> ProofStep:
    pointed = _Pointed()
    pointed.read(step["witness"])
    parts = []
    for key, one, several in (("stars", "is a star", "are stars"), ("crosses", "stays empty", "stay empty")):
        names = [format_cell(row * puzzle.size + col, puzzle.size) for row, col in step[key]]
        if names:
            parts.append(f"{listed(names)} {plural(len(names), one, several)}")
    units = pointed.named()
    reason = REASONS.get(step["technique"], "it follows from the marks so far")
    text = f"{capitalised(step['technique'])}{f', {units}' if units else ''}: {reason}. So {', and '.join(parts)}."
    marks = {"position": puzzle.marks, **pointed.as_json(), "removals": step["crosses"], "stars": step["stars"]}
    return ProofStep(text=text, marks=marks)


class _Pointed:
    """Gather the units, blocks and cells that a witness names, whatever technique it belongs to."""

    def __init__(self) -> None:
        self.units: dict[str, set[int]] = {"row": set(), "column": set(), "region": set()}
        self.blocks: list[list[int]] = []
        self.cells: list[list[int]] = []

    def read(self, part: Any, name: str = "") -> None:
        if name in ("steps", "proof", "placements", "value", "count"):
            return  # what follows a supposition is about another board; and listing all placings says nothing
        if isinstance(part, Mapping):
            for key, value in part.items():
                self.read(value, key)
        elif _is_unit(part):
            self.units[part[0]].add(part[1])
        elif _is_cell(part):
            (self.blocks if name == "blocks" else self.cells).append(list(part))
        elif isinstance(part, list | tuple):
            for each in part:
                self.read(each, name)

    def named(self) -> str:
        """Name the units, such as `rows 2 and 3 and region C`."""
        groups = []
        for kind, numbers in self.units.items():
            names = [format_region(each) if kind == "region" else str(each + 1) for each in sorted(numbers)]
            if names:
                groups.append(f"{plural(len(names), kind)} {listed(names)}")
        return listed(groups)

    def as_json(self) -> dict[str, Any]:
        lines = {f"{kind}s": sorted(numbers) for kind, numbers in self.units.items()}
        return {**lines, "blocks": self.blocks, "causes": self.cells}


def _is_unit(part: Any) -> bool:
    return isinstance(part, list | tuple) and len(part) == 2 and part[0] in ("row", "column", "region")


def _is_cell(part: Any) -> bool:
    return isinstance(part, list | tuple) and len(part) == 2 and all(isinstance(each, int) for each in part)
