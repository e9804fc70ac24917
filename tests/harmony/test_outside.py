"""Certificates of Harmony for outside checkers: clauses in words that are true, sets and plans as data."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from outside_checkers import harmony as script

import solvent
from harmony.boards import near_miss, tiny_boards
from helpers.marks import slow
from helpers.outside import require_refutations
from solvent.core.errors import BadOption
from solvent.harmony.checker.outside import describe_variable
from solvent.harmony.checker.refutation import Statements
from solvent.harmony.checker.tiles import tiles_of


def accepts(statement: dict) -> bool:
    try:
        script.check(statement)
    except (script.Wrong, ValueError, KeyError, TypeError):
        return False
    return True


@pytest.mark.parametrize("seeds", [range(4), *slow([range(4, 70)])])
def test_near_misses_are_refuted_for_others_too(seeds: range, tmp_path: Path):
    refuted = 0
    for seed in seeds:
        board = near_miss(3 + seed % 2, 3, 7 + seed % 5, seed)
        answer = solvent.ask(board, nodes=200_000)
        if answer.certificate is not None and answer.certificate["form"] == "refutation":
            refuted += require_refutations(solvent.export_proof(board, answer.certificate, tmp_path / str(seed)))
    assert refuted >= max(1, len(seeds) // 6)  # most are settled by an invariant or a plan: 13 of the 66 are refuted


@pytest.mark.parametrize("count", [60, *slow([600])])
def test_plans_and_closed_sets_are_accepted_and_forged_ones_are_not(count: int, tmp_path: Path):
    seen = {"plan": 0, "closed_set": 0}
    for board in tiny_boards(count, seed=19):
        certificate = solvent.ask(board).certificate
        assert certificate is not None
        try:
            files = solvent.export_proof(board, certificate, tmp_path)
        except BadOption:
            assert certificate["form"] == "invariant"
            continue
        for path in files:
            if path.stem not in seen or path.suffix != ".json":
                continue
            statement = json.loads(path.read_text())
            assert accepts(statement)
            seen[path.stem] += 1
            key = "plan" if path.stem == "plan" else "states"
            for number in range(min(len(statement[key]), 5)):  # all of a shortest plan counts, and all of a set
                forged = copy.deepcopy(statement)
                del forged[key][number]
                assert not accepts(forged)
            assert not accepts({**statement, "tiles": [[home, moves + 1] for home, moves in statement["tiles"]]})
    assert seen["plan"] > count // 10
    assert seen["closed_set"] > 0


def test_the_words_are_those_of_the_numbers():
    board = near_miss(3, 3, 7, 1)
    live = [cell for cell, moves in enumerate(board.moves) if moves]
    statements = Statements(tiles_of(board), live, max(board.moves), board.cols)
    tile, earlier, later = statements.events[1]
    cell = script_name(tile)
    swaps = later - next(first for other, first, _ in statements.events if other == tile)
    stands = describe_variable(statements, statements.stands(later, 4))
    assert stands == f"the tile from {cell} stands on B2 after {swaps} of its swaps"
    assert describe_variable(statements, statements.before(1, 0)).startswith(
        f"swap {swaps} of the tile from {cell} is no"
    )
    assert describe_variable(statements, statements.same(0, 1)).endswith("are one and the same")
    assert (
        describe_variable(statements, statements.anonymous(1))
        == f"swap {swaps} of the tile from {cell} is with a tile that is not followed"
    )
    assert earlier == later - 1


def script_name(cell: int) -> str:
    return f"{'ABC'[cell // 3]}{cell % 3 + 1}"
