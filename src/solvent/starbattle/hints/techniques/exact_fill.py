"""Exact fill: a unit with just as many open cells as it needs stars has a star on each of them.

Stars can go on open cells only, and the unit gets all its stars, so none of these cells can be spared.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, Work, unit_keys
from solvent.starbattle.hints.phrases import count_of, name_cells, name_units
from solvent.starbattle.hints.position import Cells, Position

NAME = "exact fill"
TITLE = "Exact fill"
DIFFICULTY = 2.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield the units whose open cells are all stars, those with the fewest first."""
    found: list[tuple[int, int]] = []
    for unit, need in enumerate(position.needs):
        work.spend()
        if need > 0 and position.open_in(unit).bit_count() == need:
            found.append((need, unit))
    seen: set[Cells] = set()
    for need, unit in sorted(found):
        stars = position.open_in(unit)
        if stars in seen:
            continue
        seen.add(stars)
        name = capitalised(name_units(position, [unit]))
        wanted = count_of(need, "more star")
        yield Application(
            technique=NAME,
            stars=stars,
            crosses=0,
            witness={"unit": unit_keys(position, [unit])[0]},
            because=f"{name} needs {wanted} and has only {count_of(need, 'open cell')}.",
            proof=(
                f"{name} needs {wanted}.",
                f"Only {name_cells(position, stars)} can still hold {'it' if need == 1 else 'them'}.",
            ),
            highlights=Highlights(causes=stars, units=(unit,)),
        )
