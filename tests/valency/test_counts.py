"""How many fills there are, against numbers that others have found; then the answers to the same stagings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

import pytest
from torture.instances.valency import ALONG_ORBITALS
from torture.judges.valency import Twin, as_list, count_fills, fills

import solvent
from solvent.core.answer import Verdict
from solvent.valency.model import (
    CUBIC_ORBITALS,
    FILLER,
    HEX,
    HEX_ORBITALS,
    SQUARE8_ORBITALS,
    Bonds,
    Connected,
    Count,
    Lattice,
    Layer,
    Module,
    Orbital,
    OrbitalSet,
    Path,
    Rules,
    Separation,
    Staging,
)
from valency.stagings import colouring, colours, on_row, on_square, plain_modules

PRISM = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]


def cycle(length: int) -> list[tuple[int, int]]:
    return [(v, (v + 1) % length) for v in range(length)]


def on_lattice(lattice: Lattice, orbital_set: OrbitalSet, modules: Sequence[Module]) -> Staging:
    return Staging(Rules((Layer("beside", orbital_set),), tuple(modules)), lattice)


def loners(orbitals: int, **settings: object) -> tuple[Module, ...]:
    """Return a module that may not stand beside itself, and one that goes anywhere."""
    alone = Module("alone", "alone", (Bonds(neighbours=(0b10,) * orbitals),))
    return alone, Module("rest", "rest", (Bonds(),), **settings)  # type: ignore[arg-type]


def dominoes() -> tuple[Module, ...]:
    """Return the four halves of dominoes: half h has its other half on orbital h, and beside it nobody else's."""
    modules = []
    for half in range(4):
        wanted = [0b1111 & ~(1 << (orbital + 2) % 4) for orbital in range(4)]
        wanted[half] = 1 << (half + 2) % 4
        modules.append(Module(f"h{half}", f"h{half}", (Bonds(orbital_mask=1 << half, neighbours=tuple(wanted)),)))
    return tuple(modules)


def latin_squares() -> Staging:
    """Stage the Latin squares of order 3: rows are one layer, columns another."""
    down = OrbitalSet((Orbital("up", (0.0, -1.0, 0.0)), Orbital("down", (0.0, 1.0, 0.0))))
    modules = tuple(replace(module, bonds=module.bonds * 2) for module in colours(3, 2))
    layers = (Layer("rows", ALONG_ORBITALS), Layer("columns", down))
    return Staging(Rules(layers, modules), Lattice(3, 3, periodic=(True, True, False)))


def counting(length: int, count: Count, modules: int = 2) -> Staging:
    return on_row(length, plain_modules(modules), constraints=(count,))


KNOWN: dict[str, tuple[Staging, int]] = {
    # Birkhoff 1912: a cycle of n nodes has (k-1)^n + (-1)^n (k-1) proper colourings, a path k (k-1)^(n-1).
    **{
        f"C{n} in {k}": (colouring(n, cycle(n), k), (k - 1) ** n + (-1) ** n * (k - 1))
        for n in range(3, 7)
        for k in (2, 3, 4)
    },
    **{f"P{n} in {k}": (colouring(n, cycle(n)[:-1], k), k * (k - 1) ** (n - 1)) for n in range(2, 7) for k in (2, 3)},
    # A row that ends where it begins is a cycle; of two nodes, one with two edges; of one, a loop.
    **{f"around {n}": (on_square(n, 1, colours(3, 4), "x"), 2**n + (-1) ** n * 2) for n in range(1, 7)},
    # The triangular prism: k (k-1) (k-2) (k^3 - 6 k^2 + 14 k - 13); a colouring of one triangle, then injections of the
    # other that avoid it: 6 * 2 and 24 * 11.
    "prism in 2": (colouring(6, PRISM, 2), 0),
    "prism in 3": (colouring(6, PRISM, 3), 12),
    "prism in 4": (colouring(6, PRISM, 4), 264),
    # OEIS A068253, times three: 3-colourings of the n X n grid.
    "grid 2 in 3": (on_square(2, 2, colours(3, 4)), 18),
    "grid 3 in 3": (on_square(3, 3, colours(3, 4)), 246),
    # OEIS A002860: Latin squares of order 3, as the colourings of a 3 X 3 torus, in one layer and in two.
    "torus 3 in 3": (on_square(3, 3, colours(3, 4), "xy"), 12),
    "torus 3 in 3, two layers": (latin_squares(), 12),
    # OEIS A140986: colourings of the cube.
    "cube in 2": (on_lattice(Lattice(2, 2, 2), CUBIC_ORBITALS, colours(2, 6)), 2),
    "cube in 3": (on_lattice(Lattice(2, 2, 2), CUBIC_ORBITALS, colours(3, 6)), 114),
    # Two neighbours on a triangular lattice settle the 3-colouring of all: 3! of them.
    "hexagons in 2": (on_lattice(Lattice(3, 3, 1, HEX), HEX_ORBITALS, colours(2, 6)), 0),
    "hexagons in 3": (on_lattice(Lattice(3, 3, 1, HEX), HEX_ORBITALS, colours(3, 6)), 6),
    "hexagons around in 3": (on_lattice(Lattice(3, 2, 1, HEX, (True, False, False)), HEX_ORBITALS, colours(3, 6)), 6),
    # OEIS A006506, non-attacking princes (independent sets of the grid); A063443, non-attacking kings.
    "princes 3": (on_square(3, 3, loners(4)), 63),
    "princes 4": (on_square(4, 4, loners(4)), 1234),
    "kings 2": (on_lattice(Lattice(2, 2), SQUARE8_ORBITALS, loners(8)), 5),
    "kings 3": (on_lattice(Lattice(3, 3), SQUARE8_ORBITALS, loners(8)), 35),
    "kings 4": (on_lattice(Lattice(4, 4), SQUARE8_ORBITALS, loners(8)), 314),
    # OEIS A000045 for 2 X n, A004003 for squares: domino tilings. A335586 on tori.
    **{f"dominoes 2 X {n}": (on_square(n, 2, dominoes()), fibonacci) for n, fibonacci in enumerate((1, 2, 3, 5, 8), 1)},
    "dominoes 3": (on_square(3, 3, dominoes()), 0),
    "dominoes 4": (on_square(4, 4, dominoes()), 36),
    "dominoes around 2": (on_square(2, 2, dominoes(), "xy"), 8),
    "dominoes around 4": (on_square(4, 4, dominoes(), "xy"), 272),
    # Choosing some nodes of five: binomial coefficients.
    "exactly 2 of 5": (counting(5, Count(0b1, 2, 2)), comb(5, 2)),
    "2 or 3 of 5": (counting(5, Count(0b1, 2, 3)), comb(5, 2) + comb(5, 3)),
    "3 of 3 in the middle": (counting(5, Count(0b1, 3, None, (1, 2, 3))), 4),
    "6 of 5": (counting(5, Count(0b1, 6)), 0),
    "none of two kinds": (counting(4, Count(0b11, 0, 0), 3), 1),
    "bounds of a module": (on_row(5, plain_modules(2, least=2, most=3)), comb(5, 2) + comb(5, 3)),
    # Connected subsets: of a path n (n+1) / 2 and none, of a cycle n (n-1) + 1 and none; OEIS A059525: of the grid.
    "connected on P5": (on_row(5, plain_modules(2), constraints=(Connected(0b1),)), 16),
    "connected on C5": (on_square(5, 1, plain_modules(2), "x", constraints=(Connected(0b1),)), 22),
    "connected on the grid": (on_square(3, 3, plain_modules(2), constraints=(Connected(0b1),)), 219),
    # Between two nodes of a cycle, all of one side or all of the other: 2^a + 2^b - 1.
    "path on C6": (on_square(6, 1, plain_modules(2), "x", constraints=(Path(0, 2, 0b1),)), 2**3 + 2 - 1),
    "path to itself": (on_row(4, plain_modules(2), constraints=(Path(1, 1, 0b1),)), 2**3),
    "path on a row": (on_row(5, plain_modules(2), constraints=(Path(4, 1, 0b1),)), 2),
    # Nobody gets out of the module to the right: only one node, or none.
    "no way out": (on_row(4, plain_modules(2), constraints=(Connected(0b1, ((0b100, 0),)),)), 5),
    # OEIS A000045 and A000930: sets of numbers up to n of which no two are less than 2, or 3, apart.
    "two apart": (on_row(6, plain_modules(2), constraints=(Separation(0b1, 2),)), 21),
    "three apart": (on_row(6, plain_modules(2), constraints=(Separation(0b1, 3),)), 13),
    "one apart": (on_row(4, plain_modules(2), constraints=(Separation(0b1, 1),)), 16),
    # OEIS A000931 and A001608: maximal independent sets of paths and cycles. The filler stands where the loner cannot.
    **{
        f"maximal on P{n}": (on_row(n, loners(4, placement=FILLER)), padovan)
        for n, padovan in enumerate((2, 2, 3, 4, 5, 7), 2)
    },
    **{
        f"maximal on C{n}": (on_square(n, 1, loners(4, placement=FILLER), "x"), perrin)
        for n, perrin in enumerate((2, 3, 2, 5, 5, 7), 2)
    },
    # One node alone is a null slot and holds nothing; that is one way.
    "one cell": (on_row(1, colours(3, 4)), 1),
    "one cell that must hold something": (on_row(1, plain_modules(1, least=1)), 0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_brute_force_finds_the_known_number_of_fills(name: str):
    staging, known = KNOWN[name]
    assert count_fills(staging) == known


@pytest.mark.parametrize("name", KNOWN)
def test_the_answer_is_one_of_the_known_fills(name: str):
    staging, known = KNOWN[name]
    answer = solvent.ask(staging)
    assert answer.certified
    assert answer.verdict is (Verdict.YES if known else Verdict.NO)
    if known:
        twin = Twin(staging)
        assert answer.certificate is not None
        assert answer.certificate["modules"] in [as_list(twin, fill) for fill in fills(staging)]
