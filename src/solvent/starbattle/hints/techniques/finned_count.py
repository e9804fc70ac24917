"""Finned count: a count that holds but for a few cells, the fins, all of which rule out the same cells.

Some regions would fit into lines that need just as many stars, were it not for a few open cells outside. Either no fin
is a star: then the lines have all their stars in these regions, and their other cells stay empty. Or some fin is a
star: then it rules out the cells it touches and those of every unit it completes. A cell that is ruled out either way,
whichever fin it is, stays empty. The same holds for lines in regions, and for rows in columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised, listed
from solvent.starbattle.hints.application import Application, Highlights, OutOfWork, Why, Work, pairs, unit_keys
from solvent.starbattle.hints.counting import need_of, needing, plus_sets, these, verb
from solvent.starbattle.hints.phrases import count_of, name_cells, name_units
from solvent.starbattle.hints.position import Cells, Position, Units, cells_in

NAME = "finned count"
TITLE = "Finned count"
DIFFICULTY = 11.0

MAX_FINS = 4
MAX_APART = 2
"""Lines that are no neighbours are taken together only up to this many."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield counts with fins, those with few units and fins first; a fin is as much to look at as two units.

    If the work runs out, what was found until then is yielded before OutOfWork is raised.
    """
    excluded = _excluded(position)
    found: list[tuple[int, Units, Units, Cells]] = []
    ended: OutOfWork | None = None
    try:
        for plus, others in plus_sets(position, crossing=True, most_apart=MAX_APART):
            for fins, minus in _finned(position, plus, others, excluded, work):
                found.append((len(plus) + len(minus) + 2 * fins.bit_count(), plus, minus, fins))
    except OutOfWork as end:
        ended = end
    seen = 0
    for _, plus, minus, fins in sorted(found, key=lambda one: one[0]):
        crosses = position.open & position.geometry.cells_of(plus) & ~position.geometry.cells_of(minus)
        for fin in cells_in(fins):
            crosses &= excluded[fin]
        if crosses & ~seen:
            seen |= crosses
            yield _application(position, plus, minus, fins, crosses)
    if ended is not None:
        raise ended


def _excluded(position: Position) -> dict[int, Cells]:
    """Return for each open cell the open cells that a star on it would rule out."""
    geometry = position.geometry
    excluded = {}
    for cell in cells_in(position.open):
        out = geometry.touching[cell] | geometry.cells_of(position.filled_by(cell))
        excluded[cell] = out & position.open & ~(1 << cell)
    return excluded


def _finned(
    position: Position, plus: Units, others: range, excluded: dict[int, Cells], work: Work
) -> list[tuple[Cells, Units]]:
    """Return the fins and the units of every set that would fit into `plus` without them, if they rule out anything."""
    work.spend()
    cells = position.geometry.cells_of(plus)
    need = need_of(position, plus)
    candidates = []
    for unit in needing(position, others):
        here = position.open_in(unit)
        outside = here & ~cells
        if here & cells and outside.bit_count() <= MAX_FINS and position.needs[unit] <= need:
            common = position.open & cells
            for fin in cells_in(outside):
                common &= excluded[fin]
            if common & ~here:
                candidates.append((outside.bit_count(), unit, outside, here, common))
    candidates.sort()
    left = [0] * (len(candidates) + 1)  # what the candidates from here on need together
    for place in range(len(candidates) - 1, -1, -1):
        left[place] = left[place + 1] + position.needs[candidates[place][1]]
    found: list[tuple[Cells, Units]] = []

    def extend(place: int, missing: int, fins: Cells, targets: Cells, chosen: Units) -> None:
        work.spend()
        if not missing:
            if fins:
                found.append((fins, tuple(sorted(chosen))))
            return
        for at in range(place, len(candidates)):
            if left[at] < missing:
                return
            count, unit, outside, here, common = candidates[at]
            if fins.bit_count() + count > MAX_FINS:
                return  # the candidates after this one have no fewer fins
            remaining = targets & common & ~here
            if remaining and position.needs[unit] <= missing:
                extend(at + 1, missing - position.needs[unit], fins | outside, remaining, (*chosen, unit))

    extend(0, need, 0, position.open & cells, ())
    return found


def _reasons(position: Position, fins: Cells, crosses: Cells) -> tuple[Why, ...]:
    """Say of each cell how every fin rules it out."""
    geometry = position.geometry
    whys: dict[str, Cells] = {}
    for cell in cells_in(crosses):
        touching = fins & geometry.touching[cell]
        ways = [f"a star on {name_cells(position, touching, 'or')} would touch {{cells}}"] if touching else []
        for fin in cells_in(fins & ~touching):
            shared = [unit for unit in position.filled_by(fin) if geometry.masks[unit] >> cell & 1]
            ways.append(
                f"one on {name_cells(position, 1 << fin)} would be the last of {name_units(position, shared[:1])}"
            )
        sentence = f"Otherwise {listed(ways)}."
        whys[sentence] = whys.get(sentence, 0) | 1 << cell
    return tuple(Why(cells, sentence) for sentence, cells in whys.items())


def _application(position: Position, plus: Units, minus: Units, fins: Cells, crosses: Cells) -> Application:
    outer, inner, cells = name_units(position, plus), name_units(position, minus), name_cells(position, fins)
    one = fins.bit_count() == 1
    stars = count_of(need_of(position, plus), "star")
    return Application(
        technique=NAME,
        stars=0,
        crosses=crosses,
        witness={
            "plus": unit_keys(position, plus),
            "minus": unit_keys(position, minus),
            "fins": pairs(fins, position.size),
        },
        because=capitalised(
            f"except for {cells}, {inner} {verb(minus, 'has', 'have')} room only in {outer}, "
            f"which {verb(plus, 'needs', 'need')} just as many stars."
        ),
        proof=(
            capitalised(f"{inner} {verb(minus, 'needs', 'need')} {stars}, and so {verb(plus, 'does', 'do')} {outer}."),
            f"If {cells} {'stays' if one else 'stay'} empty, all these stars lie where they meet, "
            f"and none in the rest of {these(position, plus)}.",
        ),
        reasons=_reasons(position, fins, crosses),
        highlights=Highlights(causes=fins | position.open & position.geometry.cells_of(minus), units=(*plus, *minus)),
    )
