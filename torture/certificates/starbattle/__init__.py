"""Forge certificates of Star Battle."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

import solvent
from solvent.starbattle.cells import format_cell
from solvent.starbattle.checker import FORMS, QUESTIONS
from solvent.starbattle.checker.steps import TECHNIQUES
from solvent.starbattle.model import Puzzle
from torture.certificates.case import Case, Certificate, Forger
from torture.certificates.starbattle.suppositions import MAKERS, rectangle_puzzle, stepped, uniqueness_witness
from torture.certificates.starbattle.witnesses import Position
from torture.instances.starbattle import perturb_puzzle, random_puzzle, solvable_puzzle
from torture.judges.starbattle import all_solutions

SIZES = ((4, 1), (5, 1), (6, 1), (6, 1), (6, 1), (7, 1), (8, 2), (8, 1), (9, 2))

MAX_WITNESSES = {"n-rooks": 400}
"""How many to look at for some that show something; a dozen if not said."""


class Truth:
    """Know all solutions of a puzzle, once they are asked for."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle

    @cached_property
    def solutions(self) -> list[frozenset[tuple[int, int]]]:
        size = self.puzzle.size
        return [frozenset(divmod(cell, size) for cell in cells) for cells in all_solutions(self.puzzle)]

    def judge(self, certificate: Certificate) -> str | None:
        """Say what is false about a certificate."""
        form, found = certificate["form"], self.solutions
        if form == "explained step":
            return self._judge_step(certificate)
        if form == "refutation":
            return "there is a solution" if found else None
        if form == "explained chain":
            return None if len(found) == 1 else f"there are {len(found)} solutions"
        if form == "two solutions":
            one, other = (_cells(stars) for stars in certificate["solutions"])
            return None if one != other and one in found and other in found else "these are not two solutions"
        if form == "free cell":
            apart = [tuple(certificate["cell"]) in _cells(stars) for stars in certificate["solutions"]]
            right = all(_cells(stars) in found for stars in certificate["solutions"]) and sorted(apart) == [False, True]
            return None if right else "these are not two solutions that differ there"
        stars = _cells(certificate["stars"])
        if stars not in found:
            return "this is no solution"
        return None if form == "stars" or len(found) == 1 else f"there are {len(found)} solutions"

    def _judge_step(self, certificate: Certificate) -> str | None:
        for stars in self.solutions:
            if not _cells(certificate["stars"]) <= stars or _cells(certificate["crosses"]) & stars:
                return f"there is a solution with stars on {sorted(stars)}"
        return None


def _cells(listed: Any) -> frozenset[tuple[int, int]]:
    return frozenset((row, column) for row, column in listed)


def make_case(dice: Random) -> Case:
    """Make a puzzle, ask about it, and collect explained steps."""
    if dice.random() < 0.1:
        return _make_uniqueness_case(dice)
    size, stars = dice.choice(SIZES)
    marks = dice.choice((0, dice.randrange(size**2 * 2 // 3)))
    connected = dice.random() < 0.7
    if dice.random() < 0.25:
        puzzle = random_puzzle(dice, size, stars, connected=connected, marks=dice.choice((0, 2, 5)))
    else:
        puzzle = solvable_puzzle(dice, size, stars, connected=connected, marks=marks)
    case = case_of(puzzle)
    asked: list[tuple[str, dict[str, Any]]] = [("solvable", {}), ("unique", {"explain": dice.random() < 0.5})]
    if dice.random() < 0.5:
        unmarked = [cell for cell, mark in enumerate(puzzle.marks) if mark == "."]
        if unmarked:
            asked.append(("forced", {"cell": format_cell(dice.choice(unmarked), puzzle.size)}))
    for question, options in asked:
        answer = solvent.ask(puzzle, question, nodes=20_000, **options)
        if answer.certificate is not None:
            case.honest.append(dict(answer.certificate))
    _add_steps(dice, case)
    return case


def _make_uniqueness_case(dice: Random) -> Case:
    """Make a puzzle in which a rectangle could be filled in two ways if there were not one solution only."""
    size, stars = dice.choice(((4, 1), (5, 1), (5, 1), (6, 1), (6, 1), (9, 2)))
    for _ in range(20):  # few such boards have one solution only
        puzzle, star, opposite = rectangle_puzzle(dice, size, stars)
        witness = uniqueness_witness(puzzle, star, opposite)
        step = stepped(puzzle, "uniqueness", witness)
        if step is not None:
            break
    case = case_of(puzzle)
    case.honest.append(_step(technique="uniqueness", stars=[], crosses=[opposite], witness=witness))
    return case


def _add_steps(dice: Random, case: Case) -> None:
    if any(certificate["form"] == "refutation" for certificate in case.honest):
        return  # without a solution everything follows
    here = Position(dice, case.problem)
    for technique in dice.sample(sorted(MAKERS), 4):
        made = islice(MAKERS[technique](here), MAX_WITNESSES.get(technique, 12))
        steps = (stepped(case.problem, technique, witness) for witness in made)
        case.honest += [_step(**step) for step in islice(filter(None, steps), 3)]


def case_of(puzzle: Puzzle) -> Case:
    """Say what is true of a puzzle, when asked."""
    truth = Truth(puzzle)
    return Case(
        puzzle,
        truth.judge,
        forge=lambda dice: _forge(dice, puzzle),
        perturb=lambda dice: case_of(perturb_puzzle(dice, puzzle)),
        words=["row", "column", "region", "rows", "columns", "star", "cross", *TECHNIQUES],
    )


def _envelope(form: str, question: str, **body: Any) -> Certificate:
    verdict = FORMS[form][0].value
    return {"solvent": 1, "domain": "starbattle", "question": question, "verdict": verdict, "form": form, **body}


def _step(**body: Any) -> Certificate:
    return _envelope("explained step", "forced", **body)


def _forge(dice: Random, puzzle: Puzzle) -> Certificate:
    form = dice.choice((*FORMS, "explained step", "explained step"))
    question = dice.choice(QUESTIONS[form])
    cells = [divmod(cell, puzzle.size) for cell in range(puzzle.size**2)]

    def stars() -> list[tuple[int, int]]:
        columns = dice.sample(range(puzzle.size), puzzle.size)
        return [*enumerate(columns)] if puzzle.stars == 1 else sorted(dice.sample(cells, puzzle.size * puzzle.stars))

    proof = "".join(f"{dice.randint(-60, 60) or 1} 0\n" for _ in range(dice.randrange(4))) + "0\n"
    if form == "stars":
        return _envelope(form, question, stars=stars())
    if form == "two solutions":
        return _envelope(form, question, solutions=[stars(), stars()])
    claim = {"proof": proof} if dice.random() < 0.5 else {"cases": _blind_cases(dice, puzzle)}
    if form == "only solution":
        return _envelope(form, question, stars=stars(), **claim)
    if form == "refutation":
        return _envelope(form, question, **claim)
    if form == "explained chain":
        step = _blind_step(dice, puzzle)
        return _envelope(form, question, steps=[step] * dice.randrange(2))
    return _step(**_blind_step(dice, puzzle))


def _blind_cases(dice: Random, puzzle: Puzzle) -> list[int]:
    """Tell any cells apart; each case is soon said to end."""
    cases: list[int] = []
    missing = 1
    while missing:
        entry = dice.randrange(1, puzzle.size**2 + 1) if len(cases) < 40 and dice.random() < 0.6 else 0
        cases.append(entry)
        missing += 1 if entry else -1
    return cases


def _blind_step(dice: Random, puzzle: Puzzle) -> dict[str, Any]:
    """Take a witness that shows something, nothing or little, and claim any cell that has no mark."""
    here = Position(dice, puzzle)
    technique = dice.choice(sorted(MAKERS.keys() - {"nested hypothesis", "hypothesis", "shapes"}))
    witness = next(iter(MAKERS[technique](here)), {})
    unmarked = [cell for cell in here.cells if here.mark(cell) == "."] or [(0, 0)]
    claimed = [dice.choice(unmarked)]
    stars, crosses = (claimed, []) if dice.random() < 0.4 else ([], claimed)
    return {"technique": technique, "stars": stars, "crosses": crosses, "witness": witness}


def group(certificate: Certificate) -> str:
    """Name the form, and the technique of a step."""
    form, technique = certificate["form"], certificate.get("technique")
    return f"{form}/{technique}" if form == "explained step" and isinstance(technique, str) else str(form)


FORGER = Forger(
    "starbattle",
    make_case,
    group,
    [*(form for form in FORMS if form != "explained step"), *(f"explained step/{name}" for name in TECHNIQUES)],
    share=2.0,
)
