"""Neighbour: the cells around a star stay empty, because no two stars touch, not even diagonally."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.cells import format_cell
from solvent.starbattle.hints.application import Application, Highlights, Why, Work
from solvent.starbattle.hints.position import Cells, Position, cells_in

NAME = "neighbour"
TITLE = "Neighbour"
DIFFICULTY = 1.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield the unmarked cells around each star, in reading order of the stars."""
    seen: set[Cells] = set()
    for star in cells_in(position.stars):
        work.spend()
        crosses = position.geometry.touching[star] & position.unknown
        if not crosses or crosses in seen:
            continue
        seen.add(crosses)
        name = format_cell(star, position.size)
        yield Application(
            technique=NAME,
            stars=0,
            crosses=crosses,
            witness={"star": list(divmod(star, position.size))},
            because=f"{name} is a star, and stars never touch.",
            proof=(
                f"{name} is a star.",
                "No two stars touch, not even diagonally.",
            ),
            reasons=(Why(crosses, "{cells} touches it.", "{cells} touch it."),),
            highlights=Highlights(causes=1 << star),
        )
