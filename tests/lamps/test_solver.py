"""The solver against brute force, and its manners."""

from __future__ import annotations

import pytest
from template_domain.domain import DOMAIN
from template_domain.model import Grid

from solvent.asking import find_violations, make_request
from solvent.core.answer import Cause, Finding, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import first_count
from solvent.core.events import Event, Kind, Listener, ignore

from .brute_force import all_grids, fewest_presses


def solve(
    grid: Grid, *, budget: Budget | None = None, proof: bool = True, listen: Listener = ignore, **options
) -> Finding:
    request = make_request(DOMAIN, "solvable", budget=budget, proof=proof, listen=listen, options=options)
    return DOMAIN.solve(grid, request)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 1), (1, 5), (2, 2), (2, 3), (3, 2), (2, 4)])
def test_agrees_with_brute_force_on_every_grid(rows: int, cols: int):
    for grid in all_grids(rows, cols):
        fewest, finding = fewest_presses(grid), solve(grid)
        assert finding.certificate is not None
        assert finding.verdict is (Verdict.NO if fewest is None else Verdict.YES), grid
        assert find_violations(DOMAIN, grid, finding.certificate) == []
        if fewest is not None:
            assert len(finding.certificate["plan"]) == fewest, "a plan is as short as can be"


# The nullity of each grid, from the rank of its presses over two values; 2 ** (cells - nullity) states are reachable.
@pytest.mark.parametrize(("rows", "cols", "nullity"), [(1, 2, 1), (1, 5, 1), (2, 3, 2), (4, 4, 4), (3, 5, 3)])
def test_reaches_as_many_states_as_linear_algebra_says(rows: int, cols: int, nullity: int):
    cells = rows * cols
    dark_corner = Grid(rows, cols, (*((True,) * (cells - 1)), False))
    finding = solve(dark_corner)
    assert finding.verdict is Verdict.NO
    assert finding.stats["states"] == 2 ** (cells - nullity)


def test_what_needs_no_work_needs_no_budget():
    lit = Grid(2, 2, (True,) * 4)
    assert solve(lit, budget=Budget(nodes=0)).verdict is Verdict.YES
    # Two nodes are all there are, so the last of them settles it.
    pair = Grid(1, 2, (True, False))
    assert solve(pair, budget=Budget(nodes=2)).verdict is Verdict.NO
    assert solve(pair, budget=Budget(nodes=1)).verdict is Verdict.UNKNOWN


def test_too_many_states_is_out_of_memory():
    finding = solve(Grid(9, 9, (False,) * 81), states=1000)
    assert finding.verdict is Verdict.UNKNOWN
    assert finding.reason is not None
    assert finding.reason.cause is Cause.MEMORY
    assert finding.stats["states"] < 1000 + 81 + 1


def test_tells_what_it_does():
    news: list[Event] = []
    solve(Grid(4, 4, (*((True,) * 15), False)), listen=news.append)
    assert news[0].kind is Kind.STAGE
    assert [event.nodes for event in news if event.kind is Kind.PROGRESS] == [1024, 2048, 3072, 4096]


def test_without_proof_a_no_has_no_certificate():
    finding = solve(Grid(1, 2, (True, False)), proof=False)
    assert (finding.verdict, finding.certificate) == (Verdict.NO, None)


def test_counts_what_a_table_of_many_grids_shows():
    stats = solve(Grid(2, 2, (False,) * 4)).stats
    assert DOMAIN.size(Grid(2, 3, (True,) * 6)) == 6
    assert first_count(stats, DOMAIN.report_columns.expanded) == stats["nodes"] > 0
    assert first_count(stats, DOMAIN.report_columns.length) == 4
    assert set(DOMAIN.report_columns.diagnostics) <= set(stats)
