"""Forge certificates of Harmony."""

from __future__ import annotations

import string
from random import Random
from typing import Any

import solvent
from solvent.harmony.checker import FORMS
from solvent.harmony.checker.invariant import RULES
from solvent.harmony.model import Board
from torture.certificates.case import CannotJudge, Case, Certificate, Forger
from torture.instances.harmony import make_board, perturb_board
from torture.judges.harmony import TooLarge, can_be_solved, plan_solves

SOLVERS = ("portfolio", "portfolio", "dfs", "order", "order")
"""The depth-first search proves by closed sets, the order encoding by refutations."""


def make_case(dice: Random) -> Case:
    """Make a board and ask about it."""
    case = case_of(make_board(dice))
    answer = solvent.ask(case.problem, solver=dice.choice(SOLVERS), nodes=20_000)
    if answer.certificate is not None:
        case.honest.append(dict(answer.certificate))
    case.honest += _invariants(dice, case.problem)
    return case


def case_of(board: Board) -> Case:
    """Say what is true of a board, when asked."""
    known: list[bool] = []

    def solvable() -> bool:
        if not known:
            try:
                known.append(can_be_solved(board))
            except TooLarge:
                raise CannotJudge from None
        return known[0]

    def judge(certificate: Certificate) -> str | None:
        if certificate["form"] == "plan":
            return None if plan_solves(board, certificate["plan"]) else "the plan does not solve the board"
        return "the board can be solved" if solvable() else None

    cells = [f"{string.ascii_uppercase[row]}{col + 1}" for row in range(board.rows) for col in range(board.cols)]
    return Case(
        board,
        judge,
        forge=lambda dice: _forge(dice, board, cells),
        perturb=lambda dice: case_of(perturb_board(dice, board)),
        words=[*cells, *RULES],
    )


def _envelope(form: str, **body: Any) -> Certificate:
    verdict = FORMS[form][0].value
    return {"solvent": 1, "domain": "harmony", "question": "solvable", "verdict": verdict, "form": form, **body}


def _invariants(dice: Random, board: Board) -> list[Certificate]:
    """Make up invariants that are likely to hold on a board that has something wrong."""
    cols = board.cols
    cells = [f"{string.ascii_uppercase[cell // cols]}{cell % cols + 1}" for cell in range(len(board.colours))]
    live = [cells[cell] for cell, moves in enumerate(board.moves) if moves]
    colour = dice.choice(board.colours)
    same = [cells[cell] for cell, other in enumerate(board.colours) if other == colour]
    dead = [
        cells[n]
        for n, (held, moves) in enumerate(zip(board.colours, board.moves, strict=True))
        if not moves and held != n // cols
    ]
    tries: list[tuple[str, list[str]]] = [("odd moves", []), ("colour count", same), ("colour count", [])]
    tries += [(rule, live) for rule in ("component parity", "component maximum", "component colours")]
    tries += [
        ("dead tile", dead[:1]),
        ("crowded row", same),
        ("crowded row", dice.sample(same, dice.randint(1, len(same)))),
    ]
    one_move = [
        (cell, held * cols + cell % cols)
        for cell, (held, moves) in enumerate(zip(board.colours, board.moves, strict=True))
        if moves == 1 and held != cell // cols and held < board.rows
    ]
    tries += [("blocked tile", [cells[cell], cells[goal]]) for cell, goal in one_move]
    goals = dict(one_move)
    for cell in goals:
        ring = [cell]
        while goals.get(ring[-1], cell) not in ring:
            ring.append(goals[ring[-1]])
        tries.append(("pinned cycle", [cells[one] for one in ring]))
    return [_envelope("invariant", rule=rule, cells=named) for rule, named in tries]


def _forge(dice: Random, board: Board, cells: list[str]) -> Certificate:
    def swaps(most: int) -> list[str]:
        return ["-".join(dice.choices(cells, k=2)) for _ in range(dice.randint(0, most))]

    form = dice.choice(list(FORMS))
    if form == "plan":
        return _envelope(form, plan=swaps(sum(board.moves) // 2 + 1))
    if form == "closed set":
        tiles = [number for pair in zip(board.colours, board.moves, strict=True) for number in pair]
        states = [[max(0, number + dice.choice((0, 0, -1, 1))) for number in tiles] for _ in range(dice.randrange(4))]
        return _envelope(form, states=[tiles, *states])
    some = dice.sample(cells, dice.randint(0, len(cells)))
    forced = {"forced": swaps(2)} if dice.random() < 0.3 else {}
    if form == "invariant":
        return _envelope(form, rule=dice.choice(list(RULES)), cells=some, **forced)
    proof = "".join(f"{dice.randint(-60, 60)} 0\n" for _ in range(dice.randrange(4))) + "0\n"
    live = [cell for cell, moves in zip(cells, board.moves, strict=True) if moves]
    return _envelope(
        form, component=dice.choice((live, some)), most_moves=dice.choice((0, 1, 2, 3, 99)), proof=proof, **forced
    )


def group(certificate: Certificate) -> str:
    """Name the form, and the rule of an invariant."""
    form, rule = certificate["form"], certificate.get("rule")
    return f"{form}/{rule}" if form == "invariant" and isinstance(rule, str) else str(form)


FORGER = Forger(
    "harmony",
    make_case,
    group,
    [*(form for form in FORMS if form != "invariant"), *(f"invariant/{rule}" for rule in RULES)],
)
