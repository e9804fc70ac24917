"""Follow a chain of explained steps to the last star: proof that a puzzle has exactly one solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.proof.certificate import make_certificate
from solvent.starbattle.checker import stars as stars_checker
from solvent.starbattle.checker import steps as steps_checker
from solvent.starbattle.model import CROSS, STAR, Puzzle


def take_step(puzzle: Puzzle, certificate: Certificate) -> Puzzle:
    """Return the puzzle with the marks of an accepted step; any other certificate leaves it as it is."""
    if certificate["form"] != "explained step":
        return puzzle
    marks = list(puzzle.marks)
    for key, mark in (("stars", STAR), ("crosses", CROSS)):
        for row, col in certificate[key]:
            marks[row * puzzle.size + col] = mark
    return replace(puzzle, marks="".join(marks))


def check(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the chain does not prove that there is exactly one solution, or an empty list.

    Each step is forced by the marks before it, so every solution agrees with all of them; and the stars at the end are
    a solution. Nothing after the first step that is not accepted means anything.
    """
    meter.checkpoint()
    steps = certificate.get("steps")
    if not isinstance(steps, list):
        return [f"expected a list of steps, found {show_value(steps)}"]
    if set(certificate) - {"steps", "solvent", "domain", "question", "verdict", "form"}:
        return ["expected the steps and nothing else"]
    for number, step in enumerate(meter.each(steps, every=1), start=1):
        if not isinstance(step, Mapping) or set(step) != {"technique", "stars", "crosses", "witness"}:
            return [f"step {number}: expected technique, stars, crosses and witness, found {show_value(step)}"]
        body: dict[str, Any] = dict(step)
        claim = make_certificate(puzzle.domain, "forced", Verdict.YES, "explained step", **body)
        found = steps_checker.check(puzzle, claim, meter)
        if found:
            return [f"step {number}: {violation}" for violation in found]
        puzzle = take_step(puzzle, claim)
    placed = [list(divmod(cell, puzzle.size)) for cell, mark in enumerate(puzzle.marks) if mark == STAR]
    end = make_certificate(puzzle.domain, "solvable", Verdict.YES, "stars", stars=placed)
    return [f"after the last step, {violation}" for violation in stars_checker.check(puzzle, end)]
