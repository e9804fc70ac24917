"""Explain a board as a whole: where its solutions differ or why it has none, and the fewest cells that repair it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvent.core.answer import Certificate, Finding, Reason, Verdict
from solvent.core.domain import Drawing, Request
from solvent.core.errors import LimitReached
from solvent.core.explanation import Explanation
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import counted, listed
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.explaining.borders import Borders
from solvent.starbattle.explaining.repair import Repair, find_repair
from solvent.starbattle.generator.regions import number_regions
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.shortage import why_unsolvable
from solvent.starbattle.solver import solve

__all__ = ["explain"]

SHARE_FOR_REPAIR = 0.7
"""How much of the time the repair may be looked for; proving and checking need the rest."""
MAX_CELLS_NAMED = 12


def explain(puzzle: Puzzle, request: Request) -> Explanation:
    """Say whether the board has one solution, where two differ or why there is none, and what repairs it.

    The board is looked at without its marks. Everything together keeps within the budget.
    """
    bare = replace(puzzle, marks=UNKNOWN * len(puzzle.marks), source=None)
    questions: SubQuestions[Puzzle] = SubQuestions(
        request, solve, options={"explain": False}, spent=lambda finding: finding.stats.get("positions", 0), share=0.9
    )
    questions.announce("asking whether it is unique")
    finding = questions.ask(bare, "unique")
    certificates = [] if finding.certificate is None else [(bare, finding.certificate)]
    if finding.verdict is Verdict.YES:
        return Explanation(
            (("In short", ("There is exactly one solution: nothing to repair.",)),),
            {"unique": "YES", "repair": None},
            tuple(certificates),
        )
    if finding.verdict is Verdict.UNKNOWN or finding.certificate is None:
        return _unknown(finding.reason)
    short, data = _not_unique(bare, finding.certificate)
    plain = Explanation((("In short", tuple(short)),), {**data, "repair": None}, tuple(certificates), why=tuple(short))
    found, proof, repaired = _repair(bare, questions)
    if found.changes is None or proof is None or repaired is None:
        lines = _without_repair(found, questions.reason or found.reason)
        return replace(plain, sections=(*plain.sections, ("Repair", tuple(lines))))
    proved = _repaired(bare, found, repaired, plain, (repaired, proof))
    if found.is_fewest and found.excluded == 1:
        single = _single_changes_excluded(bare, questions)
        if single:
            best = _repaired(bare, found, repaired, plain, (repaired, proof), *single)
            return replace(best, fallbacks=(proved, plain, _unknown(None)))
    return replace(proved, fallbacks=(plain, _unknown(None)))


def _repaired(
    puzzle: Puzzle,
    found: Repair,
    repaired: Puzzle,
    plain: Explanation,
    *certificates: tuple[Puzzle, Certificate],
) -> Explanation:
    """Add a repair to what is said of a board; certificates after the first exclude changes of one cell each."""
    assert found.changes is not None
    what, lines = _describe(puzzle, found, checked=len(certificates) - 1)
    return replace(
        plain,
        sections=(*plain.sections, ("Repair", (what, *lines))),
        data={**plain.data, "repair": _as_json(found, repaired, what, lines)},
        certificates=(*plain.certificates, *certificates),
        drawing=Drawing(highlights={"causes": [list(divmod(cell, puzzle.size)) for cell in sorted(found.changes)]}),
        fixes=(what,),
    )


def _single_changes_excluded(puzzle: Puzzle, questions: SubQuestions[Puzzle]) -> list[tuple[Puzzle, Certificate]]:
    """Return, for each board that one change leads to, proof that it does not have exactly one solution.

    Nothing is left out by thinking here, so who checks them all knows that one cell is not enough. Where the budget
    ends that, nothing is returned.
    """
    questions.announce("proving that one cell is not enough")
    borders = Borders(puzzle.size, puzzle.regions)
    proofs: list[tuple[Puzzle, Certificate]] = []
    for cell in range(len(puzzle.regions)):
        for region in borders.targets(cell, {}, 0):
            regions = borders.with_changes({cell: region})
            if not borders.allow({cell: region}, regions):
                continue
            board = replace(puzzle, regions=number_regions(regions))
            finding = questions.ask(board, "unique")
            if finding.verdict is not Verdict.NO or finding.certificate is None:
                return []
            proofs.append((board, finding.certificate))
    return proofs


def _unknown(reason: Reason | None) -> Explanation:
    why = "the proofs were not checked in time" if reason is None else str(reason)
    return Explanation(
        (("In short", (f"It is not known whether the board has exactly one solution: {why}.",)),),
        {"unique": "UNKNOWN", "repair": None},
    )


def _not_unique(puzzle: Puzzle, certificate: Certificate) -> tuple[list[str], dict[str, Any]]:
    """Say in words and as data why a board does not have exactly one solution."""
    if certificate["form"] == "two solutions":
        one, other = (set(map(tuple, stars)) for stars in certificate["solutions"])
        differing = sorted(one ^ other)
        names = [format_cell(row * puzzle.size + col, puzzle.size) for row, col in differing]
        line = f"There are several solutions. Two differ in {listed(names, MAX_CELLS_NAMED)}."
        return [line], {"unique": "NO", "solvable": "YES", "differing": [list(cell) for cell in differing]}
    why = why_unsolvable(puzzle)
    lines = ["There is no solution.", *([] if why is None else [why.text])]
    return lines, {"unique": "NO", "solvable": "NO", "regions": [] if why is None else list(why.regions)}


def _repair(puzzle: Puzzle, questions: SubQuestions[Puzzle]) -> tuple[Repair, Certificate | None, Puzzle | None]:
    """Look for a repair, and prove that the repaired board has exactly one solution."""
    questions.announce("looking for the fewest cells to change")
    meter = questions.meter.part(fraction=SHARE_FOR_REPAIR)
    try:
        found = find_repair(puzzle, meter)
    except LimitReached as limit:
        return Repair(reason=questions.stop(limit)), None, None
    if found.reason is not None:
        found.reason = questions.with_own_limit(found.reason)
    if found.changes is None:
        return found, None, None
    regions = list(puzzle.regions)
    for cell, region in found.changes.items():
        regions[cell] = region
    repaired = replace(puzzle, regions=number_regions(regions))
    questions.announce("proving that the repaired board has one solution")
    finding: Finding = questions.ask(repaired, "unique")
    return found, finding.certificate if finding.verdict is Verdict.YES else None, repaired


def _describe(puzzle: Puzzle, found: Repair, *, checked: int) -> tuple[str, list[str]]:
    """Return what to change, and what is known about changing fewer; so many single changes were proved to be none."""
    assert found.changes is not None
    changes = [
        f"{format_cell(cell, puzzle.size)} from region {format_region(puzzle.regions[cell])} to {format_region(region)}"
        for cell, region in sorted(found.changes.items())
    ]
    what = f"Move {counted(len(changes), 'cell')} to another region: {listed(changes)}."
    after = "The board then has exactly one solution, which is proved."
    if len(changes) == 1:
        return what, [after, "No smaller change is enough: the board as it is does not have exactly one."]
    if checked:
        return what, [
            after,
            f"No smaller change is enough: for each of the {checked} changes of 1 cell, that is proved too.",
        ]
    if found.is_fewest:
        fewer = "Every change of 1 cell" if found.excluded == 1 else f"Every change of up to {found.excluded} cells"
        return what, [after, f"No smaller change is enough. {fewer} was ruled out by search."]
    return what, [
        after,
        f"{_excluded(found)} Fewer than {len(changes)} may be enough: that was not searched to the end.",
    ]


def _excluded(found: Repair) -> str:
    if not found.excluded:
        return "No number of cells was ruled out."
    return f"Changing {counted(found.excluded, 'cell')}{' or fewer' if found.excluded > 1 else ''} is not enough."


def _without_repair(found: Repair, reason: Reason | None) -> list[str]:
    if found.changes is not None:
        return [f"A repair was found but not proved: {reason}."]
    return [f"No repair was found: {reason}.", *([_excluded(found)] if found.excluded else [])]


def _as_json(found: Repair, repaired: Puzzle, what: str, lines: list[str]) -> dict[str, Any]:
    assert found.changes is not None
    return {
        "cells": [list(divmod(cell, repaired.size)) for cell in sorted(found.changes)],
        "to": [region for _, region in sorted(found.changes.items())],
        "regions": list(repaired.regions),
        "fewest": found.is_fewest,
        "excluded": found.excluded,
        "boards": found.boards,
        "ruled_out": dict(found.outcomes),
        "text": what,
        "notes": lines,
    }
