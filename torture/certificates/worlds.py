"""Forge seams of Valency's worlds: rules of two or three modules, and chunks small enough to put many side by side."""

from __future__ import annotations

from functools import partial
from random import Random

from solvent.core.budget import Budget
from solvent.core.errors import LimitReached
from solvent.valency.model import SQUARE_ORBITALS, Bonds, Lattice, Layer, Module, Rules, Staging, mask_of
from solvent.valency.worlds.analysis import Refusal, find_seams
from solvent.valency.worlds.chunk_task import ChunkTask
from torture.certificates.case import CannotJudge, Case, Certificate
from torture.judges.valency import Twin, rules_hold

WORLDS_JUDGED = 30
TRIES_TO_CUT = 20
SECONDS_TO_CUT = 5.0


def make_seams_case(dice: Random) -> Case | None:
    """Make rules that can be cut into chunks, with the seams that prove it; None if none of some can."""
    for _ in range(TRIES_TO_CUT):
        side = dice.choice((4, 4, 5, 6))
        staging = Staging(_make_rules(dice), Lattice(side, dice.choice((4, side)), periodic=(True, True, False)))
        try:
            found = find_seams(ChunkTask(staging), Budget(seconds=SECONDS_TO_CUT).start())
        except LimitReached:
            continue
        if isinstance(found, Refusal):
            continue
        certificate = dict(found.certificate())
        if certificate["form"] == "seams":
            return Case(staging, partial(judge_seams, staging), honest=[certificate])
    return None


def _make_rules(dice: Random) -> Rules:
    """Return rules by which some pairs may stand side by side and some one above the other, others never."""
    count = dice.choice((2, 2, 3))
    pairs = [(one, other) for one in range(count) for other in range(count)]
    across, down = ({pair for pair in pairs if dice.random() < 0.6} for _ in range(2))
    modules = []
    for m in range(count):
        lists = (
            [other for one, other in across if one == m],
            [other for one, other in down if one == m],
            [one for one, other in across if other == m],
            [one for one, other in down if other == m],
        )
        closed = mask_of(orbital for orbital, others in enumerate(lists) if not others)
        modules.append(Module(f"m{m}", f"m{m}", (Bonds(0, closed, 0, tuple(mask_of(some) or None for some in lists)),)))
    return Rules((Layer("grid", SQUARE_ORBITALS),), tuple(modules))


def judge_seams(staging: Staging, certificate: Certificate) -> str | None:
    """Say what is false about a certificate: put chunks side by side as its strips allow, and look at every cell."""
    if certificate["form"] in ("refutation", "counting"):
        return "the chunk can be filled: seams were found for it"
    if certificate["form"] == "assignment":
        alone = {node: held for node, held in enumerate(certificate["modules"]) if held >= 0}
        return None if rules_hold(Twin(staging), alone) else "the fill breaks a rule"
    if certificate["form"] != "seams":
        raise CannotJudge
    lattice = staging.cluster
    assert isinstance(lattice, Lattice)
    width, height = lattice.width, lattice.height
    fill_of = {tuple(way["strips"]): way["modules"] for way in certificate["fills"]}
    twin = Twin(Staging(staging.rules, Lattice(2 * width, 2 * height, periodic=(True, True, False))))
    dice = Random(len(fill_of))
    for number in range(WORLDS_JUDGED):
        above, left = (_strips(dice, len(certificate[name]), first=number == 0) for name in ("across", "down"))
        fill: dict[int, int] = {}
        for x in range(2):
            for y in range(2):
                four = above[x, y], above[x, 1 - y], left[x, y], left[1 - x, y]
                if four not in fill_of:
                    return f"there is no fill between the strips {four}"
                for cell, module in enumerate(fill_of[four]):
                    row, column = divmod(cell, width)
                    fill[(y * height + row) * 2 * width + x * width + column] = module
        if not rules_hold(twin, fill):
            return f"chunks side by side break a rule: strips {above} across and {left} down"
    return None


def _strips(dice: Random, count: int, *, first: bool) -> dict[tuple[int, int], int]:
    """Choose a strip for each of four chunks; the first ones are all the same."""
    return {(x, y): 0 if first else dice.randrange(count) for x in range(2) for y in range(2)}
