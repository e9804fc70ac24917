"""Tasks of our own: each file shows one thing. JSON has no comments, so what it shows and the verdicts stand here.

The rules of each can be used on any grid or graph: `solvent generate valency pipes --grid 40x20`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from solvent.core.answer import Verdict
from solvent.core.examples import Example, TourStop

_FILLED = {
    "pipes": "pipes from a pump to a drain, all in one piece",
    "terrain": "land between a sea in the west and mountains in the east",
    "rooms": "rooms, doors and corridors that hang together, with one entrance and one exit",
    "hexes": "a map of hexagons whose castles keep their distance",
    "tower": "towers and bridges on four floors",
    "carpet": "a carpet that repeats in both directions, so that no thread ends",
    "bridges": "islands and their bridges on a graph, matched by where its edges point",
    "colouring": "three colours for a graph whose edges name their orbitals",
    "flower_beds": "two layers: flowers that quarrel side by side, and others that quarrel at the corners",
    "village": "fixed picks by name and by key, and two that are ignored",
    "dominoes": "a filler where no domino fits, and statues that only a pick can place",
    "lighthouses": "how many there must be and may be, where, and how far apart",
    "overgrown": "old masonry that plants take back: terrain to dress other levels with",
    "vaults": "rooms, corridors and locked vaults: a level to be walked, with keys, a start and a treasure",
    "island": "islands, bridges and toll gates: a level to be walked, with keys, a start and a treasure",
    "cavern": "a cave with gates, and ledges to jump down: a level to be walked, with keys, a start and a treasure",
}
_CLASHING = {
    "too_close": "two picks with too little between them",
    "odd_ring": "two colours around a ring of seven: each part can be filled, not the whole",
    "clipped_board": "dominoes on a board without two opposite corners: there are more cells of one colour",
    "no_ferry": "a lake from shore to shore with one ford, and two of them to cross",
}


_TOUR = {
    "terrain": TourStop(
        place=3,
        questions=("solvable",),
        make={"grid": "39x7"},
        seed=3,
        title="a map filled by rules for neighbours (wave function collapse)",
    )
}


def load_examples() -> Sequence[Example]:
    """Read the bundled tasks."""
    return [_read(name, title) for name, title in (_FILLED | _CLASHING).items()]


def _read(name: str, title: str) -> Example:
    text = (resources.files(__name__) / f"{name}.json").read_text(encoding="utf-8")
    solvable = Verdict.NO if name in _CLASHING else Verdict.YES
    return Example(name, title, text, {"solvable": solvable, "partial": Verdict.YES}, _TOUR.get(name))
