"""The checker accepts what is true and rejects every small change that makes it false."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from template_domain.checker import violations
from template_domain.model import Grid
from template_domain.notation import format_cell, format_lamps, parse_cell

from solvent.core.answer import Verdict
from solvent.proof.certificate import make_certificate

from .brute_force import all_grids, fewest_presses
from .strategies import grids

PAIR = Grid(1, 2, (True, False))


def plan(*presses: str) -> dict[str, Any]:
    return make_certificate("lamps", "solvable", Verdict.YES, "plan", plan=list(presses))


def closed_set(*states: str) -> dict[str, Any]:
    return make_certificate("lamps", "solvable", Verdict.NO, "closed set", states=list(states))


def test_accepts_a_plan_only_if_it_lights_all_lamps():
    """Every set of presses on every 2×2 grid: one of the sixteen is right, as the 2×2 grid has no nullity."""
    for grid in all_grids(2, 2):
        cells = [format_cell(grid, cell) for cell in range(4)]
        chosen = [[cell for bit, cell in enumerate(cells) if number >> bit & 1] for number in range(16)]
        accepted = [presses for presses in chosen if not violations(grid, plan(*presses))]
        assert [len(presses) for presses in accepted] == [fewest_presses(grid)]


def test_accepts_presses_in_any_order_and_again():
    night = Grid(3, 3, (False,) * 9)
    assert violations(night, plan("C3", "C1", "B2", "A3", "A1")) == []
    assert violations(night, plan("A1", "A3", "B2", "C1", "C3", "A2", "A2")) == []


def test_a_closed_set_must_be_closed_and_free_of_the_goal():
    assert violations(PAIR, closed_set("*.", ".*")) == []
    assert violations(PAIR, closed_set("*.")) == ["a move leads from *. out of the set to .*"]
    assert violations(PAIR, closed_set(".*")) != []
    assert "the set contains a goal, **" in violations(PAIR, closed_set("*.", ".*", "**", ".."))
    one_press = Grid(1, 3, (False,) * 3)
    everything = [format_lamps(grid.lit) for grid in all_grids(1, 3)]
    assert violations(one_press, closed_set(*everything)) == ["the set contains a goal, ***"]


def test_a_larger_closed_set_proves_it_too():
    row = Grid(1, 5, (True, False, True, True, True))
    unsolvable = [format_lamps(grid.lit) for grid in all_grids(1, 5) if fewest_presses(grid) is None]
    assert violations(row, closed_set(*unsolvable)) == []
    for left_out in unsolvable:
        assert violations(row, closed_set(*(state for state in unsolvable if state != left_out)))


@given(grids(), st.data())
def test_cells_survive_a_round_trip(grid: Grid, data: st.DataObject):
    cell = data.draw(st.integers(0, len(grid.lit) - 1))
    assert parse_cell(grid, format_cell(grid, cell)) == cell
