"""Hand certificates to outside checkers: refutations with the checker's own clauses, closed sets and plans as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.core.outside_proof import OutsideCommand, OutsideFile, OutsideProof
from solvent.harmony.checker.refutation import Body, Statements, make_statements
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, parse_swap
from solvent.proof.refutation_files import occurring, refutation_proof

SCRIPT = "harmony.py, a short script in examples/outside_checkers of Solvent's sources"
READING = "That the board in the instance file is the one you mean."


def outside_proofs(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> Iterator[OutsideProof]:
    """Yield what an accepted certificate holds for outside checkers, or raise BadOption if that is nothing."""
    form = certificate["form"]
    if form == "refutation":
        yield _refutation(board, certificate, meter)
    elif form == "closed set":
        states = [list(state) for state in meter.each(certificate["states"], every=10)]
        claim = "No swap leads out of these boards, and none of them is solved, so the board has no solution."
        yield _statement(
            "closed_set", claim, board, {"states": states}, "the board and all boards to be reached from it"
        )
    elif form == "plan":
        swaps = [parse_swap(swap, board) for swap in meter.each(certificate["plan"])]
        yield _statement("plan", "These swaps solve the board.", board, {"plan": swaps}, "the board and the swaps")
    else:
        raise BadOption(
            f"the form {form!r} has nothing for an outside checker: it names a rule and the cells that break it, which "
            "docs/reference/certificates-harmony.md states in a line each"
        )


def _statement(name: str, claim: str, board: Board, body: dict[str, Any], holds: str) -> OutsideProof:
    tiles = [list(tile) for tile in zip(board.colours, board.moves, strict=True)]
    statement = {"game": "harmony", "rows": board.rows, "cols": board.cols, "tiles": tiles, **body}
    text = msgspec.json.encode(statement).decode() + "\n"
    return OutsideProof(
        name=name,
        claim=claim,
        files=[OutsideFile(f"{name}.json", f"{holds}, as numbers", [text])],
        commands=[OutsideCommand(SCRIPT, f"python harmony.py {name}.json", "VERIFIED")],
        trusted=f"{READING} The script states the rules of Harmony itself.",
    )


def _refutation(board: Board, certificate: Certificate, meter: Meter) -> OutsideProof:
    body = msgspec.convert(certificate, Body)
    statements = make_statements(board, body, meter)
    assert isinstance(statements, Statements), statements  # the certificate was accepted
    clauses = statements.formula(meter)
    forced = f" after the forced swaps {' '.join(body.forced)}" if body.forced else ""
    return refutation_proof(
        "refutation",
        f"The clauses about the swaps of some tiles{forced} cannot all be satisfied, so the board has no solution.",
        clauses,
        body.proof,
        meanings=((variable, describe_variable(statements, variable)) for variable in occurring(clauses, meter)),
        trusted=f"That the clauses hold in every solution of the board. {READING}",
        meter=meter,
    )


def describe_variable(statements: Statements, variable: int) -> str:
    """Say in words what a variable of the formula stands for."""
    number = variable - 1
    cells, events = statements.cells, len(statements.events)
    if number < len(statements.reachable) * cells:
        instant, cell = divmod(number, cells)
        tile, swaps = _tile_and_swaps(statements, instant)
        return f"the tile from {tile} stands on {format_cell(cell, statements.cols)} after {swaps} of its swaps"
    number -= len(statements.reachable) * cells
    kind, number = divmod(number, events**2)
    if kind == 2:
        return f"{_event(statements, number)} is with a tile that is not followed"
    one, other = (_event(statements, event) for event in divmod(number, events))
    return f"{one} is no later than {other}" if kind == 0 else f"{one} and {other} are one and the same"


def _event(statements: Statements, event: int) -> str:
    tile, swaps = _tile_and_swaps(statements, statements.events[event][2])
    return f"swap {swaps} of the tile from {tile}"


def _tile_and_swaps(statements: Statements, instant: int) -> tuple[str, int]:
    """Return the tile of an instant, by the cell it begins on, and how many swaps it has made by then."""
    tile = next(tile for tile, earlier, later in statements.events if instant in (earlier, later))
    first = next(earlier for other, earlier, _ in statements.events if other == tile)
    return format_cell(tile, statements.cols), instant - first
