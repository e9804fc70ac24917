"""The lazy solver, kept for comparison: what it gives up, and that nobody takes that for a proof; public tile sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from solvent.core.answer import Cause, Verdict
from solvent.valency.model import UNSOLVABLE, Bonds, Module, Pick, Staging
from valency.stagings import colours, on_row, on_square, plain_modules, random_staging, random_truth

# Of nodes in a hundred that filling without looking ahead gives up, by rules that can well be filled: measured with a
# program of the same kind, rounded outwards.
GIVEN_UP = {"Knots": (0, 0.5), "Circles": (0, 0.5), "Rooms": (2.5, 5), "Castle": (8, 12), "FloorPlan": (14, 20)}


def tile_set(corpora: Path, name: str, grid: str) -> Staging:
    path = corpora / "tilesets" / f"{name}.xml"
    if not path.is_file():
        pytest.skip(f"no public tile set {path}")
    from solvent.valency.generator import generate

    return generate(seed=0, rules=str(path), grid=grid)


def shares_given_up(staging: Staging, seeds: range) -> list[float]:
    """Return in how many nodes of a hundred the lazy solver gives up, for each seed."""
    shares = []
    for seed in seeds:
        answer = solvent.ask(staging, "partial", solver="lazy", seed=seed)
        assert answer.certificate is not None
        modules = answer.certificate["modules"]
        shares.append(100 * modules.count(UNSOLVABLE) / len(modules))
    return shares


class TestGivingUp:
    # The middle of three nodes is filled last if its neighbours are picked; then nothing agrees with both.
    MODULES = (
        Module("a", "a", (Bonds(neighbours=(0b101, None, 0b101)),)),
        Module("b", "b", (Bonds(neighbours=(0b110, None, 0b110)),)),
        Module("c", "c", (Bonds(neighbours=(0b001, None, 0b010)),)),
    )

    def test_a_node_given_up_is_not_called_impossible(self):
        staging = on_row(3, self.MODULES, picks=(Pick(0, "a"), Pick(2, "b")))
        answer = solvent.ask(staging, "partial", solver="lazy")
        assert answer.verdict is Verdict.YES
        assert answer.certificate is not None
        assert answer.certificate["modules"] == [0, UNSOLVABLE, 1]
        assert answer.certificate["left_out"] == [{"node": 1}]

    def test_what_it_gives_up_is_unknown(self):
        seen = set()
        for seed in range(300):
            answer = solvent.ask(random_staging(seed), solver="lazy")
            seen.add((answer.verdict, random_truth(seed)))
            if answer.verdict is Verdict.UNKNOWN:
                assert answer.reason is not None
                assert answer.reason.cause is Cause.INCOMPLETE
        # It gives up both what can be filled and what cannot; what it says is always true.
        assert {(Verdict.UNKNOWN, True), (Verdict.UNKNOWN, False), (Verdict.YES, True)} <= seen
        assert not {(Verdict.YES, False), (Verdict.NO, True)} & seen

    def test_it_fills_what_needs_no_foresight(self):
        for modules in (plain_modules(3), colours(5, 4)):
            answer = solvent.ask(on_square(12, 12, modules), solver="lazy")
            assert answer.verdict is Verdict.YES

    def test_it_gives_up_where_the_others_do_not(self):
        # Three colours need foresight where the board comes round to where it began.
        staging = on_square(31, 31, colours(3, 4), "xy")
        assert max(shares_given_up(staging, range(3))) > 0
        assert solvent.ask(staging).verdict is Verdict.YES


@pytest.mark.corpus
@pytest.mark.parametrize("name", GIVEN_UP)
class TestPublicTileSets:
    def test_lazy_gives_up_about_as_much_as_was_measured_elsewhere(self, corpora: Path, name: str):
        shares = shares_given_up(tile_set(corpora, name, "50x50"), range(6))
        least, most = GIVEN_UP[name]
        assert least <= sum(shares) / len(shares) <= most

    @pytest.mark.parametrize("grid", ["20x20", "50x50"])
    def test_the_default_fills_everything(self, corpora: Path, name: str, grid: str):
        staging = tile_set(corpora, name, grid)
        fills = set()
        for seed in range(5):
            answer = solvent.ask(staging, seed=seed)
            assert answer.verdict is Verdict.YES
            assert answer.certificate is not None
            fills.add(tuple(answer.certificate["modules"]))
        assert len(fills) == 5

    @pytest.mark.parametrize("solver", ["entropy", "scanline", "constraint"])
    def test_other_orders_fill_everything_too(self, corpora: Path, name: str, solver: str):
        staging = tile_set(corpora, name, "20x20")
        for seed in range(3):
            assert solvent.ask(staging, solver=solver, seed=seed).verdict is Verdict.YES

    def test_partial_leaves_nothing_out(self, corpora: Path, name: str):
        answer = solvent.ask(tile_set(corpora, name, "20x20"), "partial")
        assert answer.certificate is not None
        assert answer.certificate["left_out"] == []
