"""Random Star Battle puzzles. The same dice make the same puzzles."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle


def puzzle_of(text: str, stars: int, marks: str = "") -> Puzzle:
    """Make a puzzle from rows of region letters, such as `AAB ABB CCC`, and optionally rows of marks."""
    rows = text.split()
    letters = "".join(rows)
    order = list(dict.fromkeys(letters))
    found = "".join(marks.split()) or UNKNOWN * len(letters)
    assert len(letters) == len(found) == len(rows) ** 2
    return Puzzle(len(rows), stars, tuple(order.index(letter) for letter in letters), found)


def random_puzzle(random: Random, size: int, stars: int, *, connected: bool = True, marks: int = 0) -> Puzzle:
    """Make a puzzle with random regions and so many random marks; it may have any number of solutions, or none.

    Regions that need not be connected are any cells at all.
    """
    regions = _grow(random, size, range(size * size)) if connected else _scatter(random, size)
    return Puzzle(size, stars, in_order(regions), _mark(random, size, marks))


def solvable_puzzle(random: Random, size: int, stars: int, *, connected: bool = True, marks: int = 0) -> Puzzle:
    """Make a puzzle with at least one solution, and so many marks that agree with it.

    The stars come first and the regions around them. There must be stars to place: seven rows of two have none.
    """
    for _ in range(2_000):
        placed = _place_stars(random, size, stars, [])
        assert placed is not None, f"no stars fit on size {size} with {stars} in a line"
        regions = _grow_around(random, size, stars, placed) if connected else _share(random, size, stars, placed)
        if regions is not None:
            agreeing = [UNKNOWN] * size**2
            for cell in random.sample(range(size**2), marks):
                agreeing[cell] = STAR if cell in placed else CROSS
            return Puzzle(size, stars, in_order(regions), "".join(agreeing))
    raise AssertionError(f"found no solvable puzzle of size {size} with {stars} stars")


def in_order(regions: list[int]) -> tuple[int, ...]:
    """Number regions in the order in which they first appear."""
    order = list(dict.fromkeys(regions))
    return tuple(order.index(region) for region in regions)


def _grow(random: Random, size: int, cells: range) -> list[int]:
    """Let a region grow from each of `size` cells until the board is full."""
    regions = dict(zip(random.sample(cells, size), range(size), strict=True))
    while len(regions) < len(cells):
        cell = random.choice([cell for cell in cells if cell not in regions])
        grown = [regions[other] for other in _beside(cell, size) if other in regions]
        if grown:
            regions[cell] = random.choice(grown)
    return [regions[cell] for cell in cells]


def _scatter(random: Random, size: int) -> list[int]:
    """Give every region about as many cells, anywhere."""
    regions = [cell % size for cell in range(size * size)]
    random.shuffle(regions)
    for _ in range(size):  # not all equally large, but none empty
        cell = random.randrange(size * size)
        if regions.count(regions[cell]) > 1:
            regions[cell] = random.randrange(size)
    return regions


def _mark(random: Random, size: int, marks: int) -> str:
    found = [UNKNOWN] * size**2
    for cell in random.sample(range(size**2), marks):
        found[cell] = STAR if random.randrange(4) == 0 else CROSS
    return "".join(found)


def _place_stars(random: Random, size: int, stars: int, above: list[tuple[int, ...]]) -> list[int] | None:
    """Return the cells of stars that fit the lines, whatever the regions; `above` has the columns in the rows above."""
    if len(above) == size:
        return [row * size + col for row, columns in enumerate(above) for col in columns]
    full = [col for col in range(size) if sum(col in columns for columns in above) == stars]
    near = [col + step for col in (above[-1] if above else ()) for step in (-1, 0, 1)]
    free = [col for col in range(size) if col not in full and col not in near]
    choices = [chosen for chosen in combinations(free, stars) if all(b - a > 1 for a, b in pairwise(chosen))]
    random.shuffle(choices)
    for chosen in choices:
        found = _place_stars(random, size, stars, [*above, chosen])
        if found is not None:
            return found
    return None


def _share(random: Random, size: int, stars: int, placed: list[int]) -> list[int]:
    """Give every region k of the stars, and the other cells to any region."""
    regions = [random.randrange(size) for _ in range(size * size)]
    for number, cell in enumerate(random.sample(placed, len(placed))):
        regions[cell] = number // stars
    return regions


def _grow_around(random: Random, size: int, stars: int, placed: list[int]) -> list[int] | None:
    """Join k stars after k stars by paths, then let the regions grow; returns None if a star cannot be reached."""
    regions: dict[int, int] = {}
    for region in range(size):
        first = next(cell for cell in placed if cell not in regions)  # from the top, so that few are cut off
        regions[first] = region
        for _ in range(stars - 1):
            path = _path_to_star(random, size, placed, regions, region)
            if path is None:
                return None
            regions.update(dict.fromkeys(path, region))
    while len(regions) < size * size:
        steps = [(other, regions[cell]) for cell in regions for other in _beside(cell, size) if other not in regions]
        other, region = random.choice(steps)
        regions[other] = region
    return [regions[cell] for cell in range(size * size)]


def _path_to_star(
    random: Random, size: int, placed: list[int], regions: dict[int, int], region: int
) -> list[int] | None:
    """Return the cells from a region to the nearest star that is in none, through cells that are in none."""
    paths: dict[int, list[int]] = {cell: [] for cell, owner in regions.items() if owner == region}
    waiting = list(paths)
    for cell in waiting:
        for other in random.sample(_beside(cell, size), len(_beside(cell, size))):
            if other not in paths and other not in regions:
                paths[other] = [*paths[cell], other]
                waiting.append(other)
                if other in placed:
                    return paths[other]
    return None


def _beside(cell: int, size: int) -> list[int]:
    row, col = divmod(cell, size)
    around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def perturb_puzzle(random: Random, puzzle: Puzzle) -> Puzzle:
    """Change one thing: the region of a cell at a border, or a mark."""
    cell = random.randrange(puzzle.size**2)
    if random.randrange(3):
        region = puzzle.regions[random.choice(_beside(cell, puzzle.size))]
        regions = [*puzzle.regions[:cell], region, *puzzle.regions[cell + 1 :]]
        if len(set(regions)) == puzzle.size:
            return replace(puzzle, regions=in_order(regions))
    mark = random.choice((UNKNOWN, UNKNOWN, STAR, CROSS))
    return replace(puzzle, marks=puzzle.marks[:cell] + mark + puzzle.marks[cell + 1 :])
