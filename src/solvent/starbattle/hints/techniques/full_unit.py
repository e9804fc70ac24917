"""Full unit: a row, column or region that has all its stars is empty elsewhere, since it gets exactly k of them."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, Why, Work, unit_keys
from solvent.starbattle.hints.phrases import count_of, name_units
from solvent.starbattle.hints.position import Cells, Position

NAME = "full unit"
TITLE = "Full unit"
DIFFICULTY = 1.1


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield the unmarked cells of each unit that has its stars: rows, then columns, then regions."""
    seen: set[Cells] = set()
    for unit, mask in enumerate(position.geometry.masks):
        work.spend()
        crosses = mask & position.unknown
        if position.needs[unit] != 0 or not crosses or crosses in seen:
            continue
        seen.add(crosses)
        name = name_units(position, [unit])
        wanted = count_of(position.puzzle.stars, "star")
        yield Application(
            technique=NAME,
            stars=0,
            crosses=crosses,
            witness={"unit": unit_keys(position, [unit])[0]},
            because=f"{capitalised(name)} has all its stars.",
            proof=(f"{capitalised(name)} already has its {wanted}.",),
            reasons=(Why(crosses, "No star is left for {cells}, the rest of it."),),
            highlights=Highlights(causes=mask & position.stars, units=(unit,)),
        )
