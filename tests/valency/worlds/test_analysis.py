"""Whether rules can be cut into chunks: the analysis beside brute force, on every rule set of two modules."""

from __future__ import annotations

from itertools import pairwise

import pytest

import solvent
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.valency.model import Connected, Count, Only, Pick, Separation
from solvent.valency.worlds import CannotBeCut, ChunkTask
from solvent.valency.worlds.analysis import PERIODS, Refusal, find_seams
from solvent.valency.worlds.opening import chunk_of_task, world_of
from solvent.valency.worlds.part import part_of_world
from valency.worlds.small_rules import chunk_task, every_rule_set, has_part, make_rules, wraps_around

STRIPES = make_rules(3, frozenset({(0, 1), (1, 2), (2, 0)}), frozenset({(0, 0), (1, 1), (2, 2)}), name="stripes")
"""Columns of three kinds, one after the other: a grid wraps around if its width is a multiple of 3."""


def test_the_analysis_says_what_brute_force_says() -> None:
    sizes = [(4, 4)] if up_to(1, deep=2) == 1 else [(4, 4), (5, 4), (5, 5)]
    cut = refused = impossible = 0
    for number, (across, down) in enumerate(every_rule_set()):
        if number % 13 and not up_to(0, deep=1):
            continue
        for width, height in sizes:
            task = ChunkTask(chunk_task(make_rules(2, across, down), width, height))
            found = find_seams(task)
            fits = [wraps_around(across, down, p * width, q * height) for p, q in PERIODS if p * width <= 10]
            if isinstance(found, Refusal):
                refused += 1
                assert not any(fits)
                assert found.proofs
                assert not found.unknown
                for staging, answer in found.proofs:
                    assert answer.verdict is Verdict.NO
                    solvent.check(staging, answer.certificate)  # type: ignore[arg-type]
                assert found.impossible is not has_part(across, down, width, height)
                impossible += found.impossible
            else:
                cut += 1
                assert (found.period == (1, 1)) is wraps_around(across, down, width, height)
                solvent.check(task.on_torus(*found.period), found.certificate())
    assert cut > 5
    assert refused > 5
    assert impossible > 3


def test_chunks_that_do_not_wrap_around_alone_do_so_together() -> None:
    world = world_of(ChunkTask(chunk_task(STRIPES, 8, 8)), 5)
    assert world.library.period == (3, 3)
    row = [module for x in range(-4, 4) for module in world.chunk(x, 0).rows[0]]
    assert all((one + 1) % 3 == other for one, other in pairwise(row))
    for x in range(-3, 3):
        world.check(x, -2)


def test_a_refusal_names_a_size_that_works() -> None:
    columns = make_rules(7, frozenset({(m, (m + 1) % 7) for m in range(7)}), frozenset({(m, m) for m in range(7)}))
    with pytest.raises(
        CannotBeCut, match=r"none of 5x5 .* can wrap around, as is proved; what would help: chunks of 7x7"
    ):
        world_of(ChunkTask(chunk_task(columns, 5, 5)), 0)


def test_a_search_that_takes_too_long_is_given_up_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.valency.worlds.analysis.MAX_NODES_TOGETHER", 50_000)
    columns = make_rules(7, frozenset({(m, (m + 1) % 7) for m in range(7)}), frozenset({(m, m) for m in range(7)}))
    with pytest.raises(CannotBeCut, match=r"none of 5x5 .* as is proved; not decided for .*25x25 \(out of nodes\)"):
        world_of(ChunkTask(chunk_task(columns, 5, 5)), 0)


def test_no_world_at_all_is_proved_from_one_part() -> None:
    nothing = make_rules(2, frozenset({(0, 1), (1, 0)}), frozenset({(0, 0)}))
    with pytest.raises(CannotBeCut, match="there is no world by these rules") as refused:
        world_of(ChunkTask(chunk_task(nothing, 5, 5)), 0)
    staging, answer = refused.value.proofs[0]
    assert staging == part_of_world(ChunkTask(chunk_task(nothing, 5, 5)))
    solvent.check(staging, answer.certificate)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "constraint", [Connected(1), Separation(1, 3)], ids=lambda constraint: type(constraint).__name__
)
def test_what_cannot_hold_in_a_world_is_refused(constraint: Connected | Separation) -> None:
    staging = chunk_task(STRIPES, 6, 6)
    with pytest.raises(BadOption, match="cannot hold in a world"):
        ChunkTask(staging.__class__(staging.rules, staging.cluster, constraints=(constraint,)))


def test_what_is_said_of_cells_needs_a_grid_of_a_chunks_size() -> None:
    whole = chunk_task(STRIPES, 6, 6)
    picked = whole.__class__(whole.rules, whole.cluster, picks=(Pick(0, "m0"),))
    assert chunk_of_task(picked, None).picks
    with pytest.raises(BadOption, match="for a grid of 6x6; ask for chunks of that size, found chunk 9x9"):
        chunk_of_task(picked, "9x9")
    counted = whole.__class__(whole.rules, whole.cluster, constraints=(Count(1, 1, 90),))
    assert chunk_of_task(counted, "9x9").constraints
    only = whole.__class__(whole.rules, whole.cluster, constraints=(Only(1, (0,)),))
    with pytest.raises(BadOption, match="for a grid of 6x6"):
        chunk_of_task(only, "9x9")


@pytest.mark.parametrize(
    ("width", "height", "why"), [(3, 8, "at least 4x4 cells, found 3x8"), (300, 300, "at most 40,000 cells")]
)
def test_sizes_that_are_no_chunks(width: int, height: int, why: str) -> None:
    with pytest.raises(BadOption, match=why):
        ChunkTask(chunk_task(STRIPES, width, height))
