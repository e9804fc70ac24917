"""Is this cell forced? Suppose the opposite of what one solution has there, and search to the end.

A cell is proved if no completion has the opposite mark, disproved if there are completions with either, and the
question stays open if a limit ends the search first: a search cut short proves nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from msgspec import structs

from solvent.core.answer import Certificate, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import BadOption, ParseError
from solvent.drawing.phrases import counted
from solvent.proof.certificate import make_certificate
from solvent.starbattle.cells import format_cell, parse_cell
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.rules import neighbours_of, units_of
from solvent.starbattle.solver.completions import Common, CompletionAnalysis, analyse_completions
from solvent.starbattle.solver.deciding import Decision, decide

WORDS = {STAR: "star", CROSS: "cross"}


def answer_forced(puzzle: Puzzle, request: Request, meter: Meter) -> Finding:
    """Answer whether all solutions agree on a cell; `cell` names it, or it is the first without a mark."""
    cell = chosen_cell(puzzle, request.options["cell"])
    stats: dict[str, Any] = {"cell": format_cell(cell, puzzle.size)}
    compared = ""
    if request.options["completions"]:
        found = analyse_completions(puzzle, most=request.options["completions"], budget=meter.left())
        stats["completions"] = as_json(puzzle, found)
        compared = f" {describe_completions(found)}"
    first = decide(puzzle, 1, meter, proof=False, listen=request.listen)
    if not first.complete and not first.solutions:
        return _inconclusive(puzzle, cell, stats, first, [_search_result(first, request)])
    value = STAR if first.solutions and cell in first.solutions[0] else CROSS
    opposite = STAR if value == CROSS else CROSS
    supposed = replace(puzzle, marks=puzzle.marks[:cell] + opposite + puzzle.marks[cell + 1 :])
    second = decide(supposed, 1, meter, proof=request.proof, listen=request.listen)
    steps: list[dict[str, Any]] = [
        {"kind": "assumption", "cell": list(divmod(cell, puzzle.size)), "assumed": WORDS[opposite]},
        _search_result(second, request),
    ]
    stats |= {"positions": first.positions + second.positions, "conflicts": first.conflicts + second.conflicts}
    if second.solutions:
        disproved = _disproved(puzzle, cell, stats, steps, [first.solutions[0], second.solutions[0]])
        return structs.replace(disproved, because=f"{disproved.because}{compared}")
    if not second.complete:
        return _inconclusive(puzzle, cell, stats, second, steps)
    certificate = _step_certificate(puzzle, supposed, cell, value, second, meter) if request.proof else None
    if isinstance(certificate, Reason):
        return _inconclusive(puzzle, cell, stats, replace_reason(second, certificate), steps)
    proved = _proved(puzzle, cell, value, stats, steps, certificate, solvable=bool(first.solutions))
    return structs.replace(proved, because=f"{proved.because}{compared}")


def chosen_cell(puzzle: Puzzle, name: str | None) -> int:
    """Return the cell that is asked about, or raise BadOption."""
    if name is None:
        if UNKNOWN not in puzzle.marks:
            raise BadOption("cell: expected a board with a cell that has no mark, found none")
        return puzzle.marks.index(UNKNOWN)
    try:
        cell = parse_cell(name, puzzle.size)
    except ParseError as error:
        raise BadOption(f"cell: {error}") from None
    if puzzle.marks[cell] != UNKNOWN:
        mark = WORDS[puzzle.marks[cell]]
        raise BadOption(f"cell: expected a cell without a mark, found {name}, which is marked as a {mark}")
    return cell


def replace_reason(decision: Decision, reason: Reason) -> Decision:
    """Return what was decided, with why it is not proved."""
    return Decision(decision.solutions, reason=reason, positions=decision.positions, conflicts=decision.conflicts)


def as_json(puzzle: Puzzle, found: CompletionAnalysis) -> dict[str, Any]:
    """Write what all completions have in common, row by row: `*` always a star, `x` always empty, `?` it varies."""
    letters = {Common.ALWAYS_STAR: "*", Common.ALWAYS_EMPTY: "x", Common.VARIABLE: "?"}
    text = "".join(letters[common] for common in found.cells)
    return {
        "cells": [text[start : start + puzzle.size] for start in range(0, len(text), puzzle.size)],
        "count": found.count,
        "complete": found.complete,
        "timed_out": found.timed_out,
        "capped": found.capped,
    }


def describe_completions(found: CompletionAnalysis) -> str:
    """Say what a comparison of solutions came to, in a sentence."""
    if not found.complete:
        ended = "the limit" if found.timed_out else f"{counted(found.count, 'solution')} as asked"
        return f"Comparing solutions stopped at {ended}, which says nothing about the other cells."
    if not found.count:
        return "There is no solution to compare."
    count = Counter(found.cells)
    varying = counted(count[Common.VARIABLE], "cell")
    return (
        f"{counted(found.count, 'solution')} in all: {counted(count[Common.ALWAYS_STAR], 'cell')} always a star, "
        f"{counted(count[Common.ALWAYS_EMPTY], 'cell')} always empty, {varying} in which they differ."
    )


def _search_result(decision: Decision, request: Request) -> dict[str, Any]:
    """Write down how a search for one solution ended, and what it was allowed."""
    seconds = request.budget.seconds
    return {
        "kind": "search-result",
        "solutions_found": len(decision.solutions),
        "timed_out": decision.reason is not None,
        "capped_at_max": bool(decision.solutions),
        "max_count": 1,
        "timeout_ms": None if seconds is None else round(1000 * seconds),
        "max_nodes": request.budget.nodes,
        "positions": decision.positions,
        "conflicts": decision.conflicts,
    }


def _conclusion(puzzle: Puzzle, cell: int, conclusion: str) -> dict[str, Any]:
    return {"kind": "conclusion", "conclusion": conclusion, "cell": list(divmod(cell, puzzle.size))}


def _proved(
    puzzle: Puzzle,
    cell: int,
    value: str,
    stats: dict[str, Any],
    steps: list[dict[str, Any]],
    certificate: Certificate | None,
    *,
    solvable: bool,
) -> Finding:
    steps.append(_conclusion(puzzle, cell, f"forced-{WORDS[value]}"))
    name, what = stats["cell"], "a star" if value == STAR else "empty"
    because = f"Every solution has {name} {'as a star' if value == STAR else 'empty'}."
    if not solvable:
        because = f"The board has no solution, so {name} may as well be called {what}: the marks are wrong."
    told = {**stats, "status": "proved", "value": WORDS[value], "proof_steps": steps}
    return Finding(Verdict.YES, certificate=certificate, because=because, stats=told)


def _disproved(
    puzzle: Puzzle,
    cell: int,
    stats: dict[str, Any],
    steps: list[dict[str, Any]],
    solutions: list[tuple[int, ...]],
) -> Finding:
    steps.append(_conclusion(puzzle, cell, "not-forced"))
    certificate = make_certificate(
        puzzle.domain,
        "forced",
        Verdict.NO,
        "free cell",
        cell=list(divmod(cell, puzzle.size)),
        solutions=sorted([list(divmod(star, puzzle.size)) for star in sorted(stars)] for stars in solutions),
    )
    because = f"One solution has a star on {stats['cell']}, another has none."
    told = {**stats, "status": "disproved", "proof_steps": steps}
    return Finding(Verdict.NO, certificate=certificate, because=because, stats=told)


def _inconclusive(
    puzzle: Puzzle, cell: int, stats: dict[str, Any], decision: Decision, steps: list[dict[str, Any]]
) -> Finding:
    steps.append(_conclusion(puzzle, cell, "inconclusive"))
    told = {**stats, "status": "inconclusive", "proof_steps": steps}
    return Finding(Verdict.UNKNOWN, reason=decision.reason, stats=told)


def _step_certificate(
    puzzle: Puzzle, supposed: Puzzle, cell: int, value: str, decision: Decision, meter: Meter
) -> Certificate | Reason:
    """Certify that a cell has this value in every solution, as a step that the checker of hints follows."""
    size = puzzle.size
    technique, witness = _at_a_glance(puzzle, cell) if value == CROSS else ("", {})
    if not technique:
        proof: dict[str, Any] = {"cases": decision.cases}
        if decision.cases is None:
            proof = {"proof": decision.proof}
        if decision.cases is None and decision.proof is None:
            from solvent.starbattle.solver.refutation import Refutation, refute

            found = refute(supposed, meter)
            if isinstance(found, Reason):
                return found
            if not isinstance(found, Refutation):
                raise AssertionError(f"the search overlooked a solution: {found}")
            proof = {"proof": found.proof}
        opposite = WORDS[STAR if value == CROSS else CROSS]
        technique, witness = "search", {"cell": list(divmod(cell, size)), "value": opposite, **proof}
    pair = [list(divmod(cell, size))]
    stars, crosses = (pair, []) if value == STAR else ([], pair)
    return make_certificate(
        puzzle.domain,
        "forced",
        Verdict.YES,
        "explained step",
        technique=technique,
        stars=stars,
        crosses=crosses,
        witness=witness,
    )


def _at_a_glance(puzzle: Puzzle, cell: int) -> tuple[str, dict[str, Any]]:
    """Return the technique and witness of a cell that cannot be a star by a look at the marks; else no technique."""
    for beside in neighbours_of(puzzle.size)[cell]:
        if puzzle.marks[beside] == STAR:
            return "neighbour", {"star": list(divmod(beside, puzzle.size))}
    for unit in units_of(puzzle):
        if cell in unit.cells and sum(puzzle.marks[other] == STAR for other in unit.cells) >= puzzle.stars:
            return "full unit", {"unit": [unit.kind, unit.index]}
    return "", {}
