"""Hand refutations to outside checkers: the checker's own clauses, with what each variable means in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.core.outside_proof import OutsideProof
from solvent.drawing.phrases import counted
from solvent.proof.refutation_files import refutation_proof
from solvent.starbattle.checker.chain import take_step
from solvent.starbattle.checker.clausal import refutation_text
from solvent.starbattle.checker.refutation import OnlySolution
from solvent.starbattle.checker.statements_kernel import Cell, Place, Statements
from solvent.starbattle.checker.steps.board import board_of
from solvent.starbattle.checker.steps.searching import Searched, supposed
from solvent.starbattle.checker.steps.uniqueness import Rectangle, without_mark
from solvent.starbattle.model import Puzzle

TRUSTED = (
    "That the clauses say no more than the rules of Star Battle do, for this board with its marks; and that the board "
    "in the instance file is the one you mean."
)


class Meaning(NamedTuple):
    """Hold what a variable says: on the first `places` of a list of places there are at least `stars` stars."""

    list: list[Place]
    places: int
    stars: int

    def __str__(self) -> str:
        if len(self.list) == 1:
            cells = [_name(cell) for cell in self.list[0]]
            return f"a star on {cells[0]}" if len(cells) == 1 else f"a star on one of {' '.join(cells)}"
        places = " ".join("/".join(map(_name, place)) for place in self.list[: self.places])
        return f"at least {counted(self.stars, 'star')} on {places}"


def outside_proofs(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> Iterator[OutsideProof]:
    """Yield the refutations in a certificate that was accepted, or raise BadOption if there is none in it."""
    refutations = list(_refutations(puzzle, certificate))
    for name, about, part in refutations:
        yield _outside_proof(name, about, part, meter)
    if not refutations:
        form = certificate["form"]
        raise BadOption(
            f"the form {form!r} holds nothing that an outside checker reads: compare it with the rules of the game"
        )


def _refutations(puzzle: Puzzle, certificate: Certificate) -> Iterator[tuple[str, Puzzle, Certificate]]:
    """Yield each refutation with a name and the puzzle it is about; of a chain, one for each step that holds one."""
    form = certificate["form"]
    if form in ("refutation", "only solution"):
        yield "refutation", puzzle, certificate
    steps = certificate["steps"] if form == "explained chain" else [certificate] if form == "explained step" else []
    for number, step in enumerate(steps, start=1):
        if step["technique"] == "uniqueness":
            body = msgspec.convert(step["witness"], Rectangle)
            only = {"form": "only solution", "stars": body.stars, "proof": body.proof}
            name = "refutation" if form == "explained step" else f"step_{number}"
            yield name, without_mark(puzzle, body.star), only
        if step["technique"] == "search":
            searched = msgspec.convert(step["witness"], Searched)
            name = "refutation" if form == "explained step" else f"step_{number}"
            yield (
                name,
                supposed(board_of(puzzle), searched),
                {
                    "form": "refutation",
                    "proof": searched.proof,
                },
            )
        puzzle = take_step(puzzle, {**step, "form": "explained step"})


def _outside_proof(name: str, puzzle: Puzzle, certificate: Certificate, meter: Meter) -> OutsideProof:
    statements = NamedStatements(puzzle)
    if certificate["form"] == "refutation":
        claim = "No placing of stars satisfies the clauses, so the board has no solution."
    else:
        body = msgspec.convert(certificate, OnlySolution)
        statements.add([-statements.star(*cell) for cell in body.stars])
        stars = " ".join(_name(cell) for cell in body.stars)
        claim = (
            "No placing of stars satisfies the clauses, of which the last says that one of these cells has no star: "
            f"{stars}. So the board has no other solution than these."
        )
    meanings = ((variable, str(meaning)) for variable, meaning in statements.meanings.items())
    clauses = statements.formula()
    proof = refutation_text(certificate, clauses, meter)
    return refutation_proof(name, claim, clauses, proof, meanings=meanings, trusted=TRUSTED, meter=meter)


class NamedStatements(Statements):
    """Write down the very clauses of the checker, and note what each variable means."""

    def __init__(self, puzzle: Puzzle) -> None:
        size = puzzle.size
        cells = ((row, col) for row in range(size) for col in range(size))
        self.meanings = {number: Meaning([[cell]], 1, 1) for number, cell in enumerate(cells, start=1)}
        """In the order of their numbers."""
        self._coming: Iterator[Meaning] = iter(())
        super().__init__(puzzle)

    def new_variable(self) -> int:
        """Number a variable and note what it means."""
        variable: int = super().new_variable()
        self.meanings[variable] = next(self._coming)
        return variable

    def count(self, places: list[Place], stars: int, every_other: bool) -> None:
        """Count stars on places; the variables come place by place, then by how many places and stars."""
        self._coming = _counter_meanings(places, stars, every_other)
        super().count(places, stars, every_other)


def _counter_meanings(places: list[Place], stars: int, every_other: bool) -> Iterator[Meaning]:
    """Yield what the variables of one counter mean, in the order in which they are numbered."""
    yield from (Meaning([place], 1, 1) for place in places if len(place) > 1)
    for first in range(len(places) + 1):
        rest = len(places) - first
        here, behind = ((first + 1) // 2, (rest + 1) // 2) if every_other else (first, rest)
        for number in range(max(0, stars - behind) + 1, min(stars, here) + 1):
            yield Meaning(places, first, number)


def _name(cell: Cell) -> str:
    """Name a cell as players do, counted from 1."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"
