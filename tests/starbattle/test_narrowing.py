"""Every count of the kernel by itself: what it concludes is true, and where it is exact, it concludes all there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, product
from random import Random

import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

from solvent.starbattle.model import CROSS, UNKNOWN, Puzzle
from solvent.starbattle.solver.placements_kernel import MAX_BEGUN, ROOM_TO_SPARE
from solvent.starbattle.solver.units import room_on
from starbattle.brute_force import Cells, solutions
from starbattle.levels import KINDS, Level, touches, unit_of

pytestmark = pytest.mark.modes

PLENTY = 60
"""A need no test can use up: the unit is out of the way."""


@cache
def positions() -> list[tuple[Puzzle, list[Cells]]]:
    """Return boards with marks on them, right and wrong ones, and their solutions."""
    dice = Random(31)
    made = []
    for number in range(240):
        size, stars = ((4, 1), (5, 1), (6, 1), (6, 1), (8, 2))[number % 5]
        make = solvable_puzzle if number % 3 else random_puzzle
        puzzle = make(dice, size, stars, connected=number % 2 == 0, marks=dice.randrange(size + 3))
        made.append((puzzle, solutions(puzzle)))
    return made


def levels() -> Iterator[tuple[Level, list[Cells]]]:
    """Return a fresh level for each position that the marks leave possible."""
    for puzzle, expected in positions():
        level = Level(puzzle)
        if level.possible:
            yield level, expected
        else:
            assert not expected


def mistakes(level: Level, expected: list[Cells]) -> list[str]:
    """Return what a level says that some solution contradicts."""
    candidates, stars = level.candidates, level.stars
    return [f"{sorted(each)}" for each in expected if not stars <= each <= stars | candidates]


def all_parts(level: Level) -> Iterator[tuple[str, Callable[..., int], tuple[int, ...]]]:
    for orientation in (0, 1):
        for line in range(level.size - 1):
            yield "line pair", level.narrow_line_pair, (orientation, line)
        for begin in (1, 2):
            yield "transport", level.narrow_transport, (orientation, begin)
    for region in range(level.size):
        yield "region", level.narrow_region, (region,)


def test_no_count_contradicts_a_solution():
    concluded = {"line pair": 0, "transport": 0, "region": 0}
    refused = dict.fromkeys(concluded, 0)
    for level, expected in levels():
        for name, part, arguments in all_parts(level):
            level.restore()
            before, stars = level.candidates, level.stars
            found = part(*arguments)
            assert found in (-1, 0, 1)
            if found < 0:
                refused[name] += 1
                assert not expected, (name, arguments, level.puzzle)
                continue
            assert not mistakes(level, expected), (name, arguments, level.puzzle)
            assert not level.inconsistencies()
            assert (found == 1) == ((level.candidates, level.stars) != (before, stars))
            concluded[name] += found
    assert min(concluded.values()) > 100, concluded
    assert min(refused.values()) > 3, refused


def test_counts_one_after_the_other_in_any_order():
    """As the search uses them: on what other counts left, with the last transport still in place."""
    dice = Random(5)
    for level, expected in levels():
        parts = [part for part in all_parts(level) for _ in range(2)]
        dice.shuffle(parts)
        for name, part, arguments in parts:
            if part(*arguments) < 0:
                assert not expected, (name, arguments, level.puzzle)
                break
            assert not mistakes(level, expected), (name, arguments, level.puzzle)
            assert not level.inconsistencies()


def test_propagation_contradicts_no_solution_and_leaves_nothing_to_conclude():
    solved = failed = 0
    for level, expected in levels():
        if not level.propagate():
            failed += 1
            assert not expected, level.puzzle
            continue
        assert not mistakes(level, expected), level.puzzle
        assert not level.inconsistencies()
        assert not any(level.changed(kind) for kind in KINDS)
        if not level.candidates:
            solved += 1
            assert expected == [level.stars]
        position = level.copy_of_position()
        for _, part, arguments in all_parts(level):
            assert part(*arguments) == 0
        assert level.copy_of_position() == position
    assert solved > 30
    assert failed > 30


class TestMarking:
    def test_a_star_excludes_what_it_touches_and_the_rest_of_full_units(self):
        dice = Random(8)
        placed = 0
        for level, _ in levels():
            puzzle = level.puzzle
            for cell in dice.sample(sorted(level.candidates), min(5, len(level.candidates))):
                level.restore()
                level.forget_changes()
                before, stars = level.candidates, level.stars
                assert level.position.place_star(*divmod(cell, level.size))
                assert level.stars == stars | {cell}
                full = [(kind, unit_of(puzzle, cell, kind)) for kind in KINDS]
                full = [(kind, index) for kind, index in full if level.need(kind, index) == 0]
                gone = {other for other in before if touches(cell, other, level.size)} | {cell}
                gone |= {other for other in before if any(unit_of(puzzle, other, k) == index for k, index in full)}
                assert level.candidates == before - gone
                assert not level.inconsistencies()
                for kind in KINDS:
                    assert level.changed(kind) == {unit_of(puzzle, other, kind) for other in gone}
                placed += 1
        assert placed > 500

    def test_a_star_stands_where_it_stands_and_nowhere_it_is_ruled_out(self):
        for level, _ in levels():
            position = level.copy_of_position()
            for cell in range(level.size**2):
                if cell not in level.candidates:
                    assert level.position.place_star(*divmod(cell, level.size)) == (cell in level.stars)
            assert level.copy_of_position() == position

    @pytest.mark.parametrize("orientation", [0, 1])
    def test_ruling_out(self, orientation: int):
        dice = Random(9)
        for level, _ in levels():
            level.forget_changes()
            before, stars = level.candidates, level.stars
            line, mask = dice.randrange(level.size), dice.randrange(1 << level.size)
            level.position.rule_out(orientation, line, mask)
            on_line = [place for place in range(level.size) if mask >> place & 1]
            named = {line * level.size + p if orientation == 0 else p * level.size + line for p in on_line}
            assert level.candidates == before - named
            assert level.stars == stars
            assert not level.inconsistencies()
            for kind in KINDS:
                assert level.changed(kind) == {unit_of(level.puzzle, cell, kind) for cell in named & before}


def rows_as_regions(size: int) -> Level:
    """Return an empty level on which only the units a test names ask for anything."""
    level = Level(Puzzle(size, 1, tuple(cell // size for cell in range(size**2)), UNKNOWN * size**2))
    for kind in KINDS:
        for index in range(size):
            level.set_need(kind, index, PLENTY)
    return level


def pair_fillings(size: int, need: int, other_need: int) -> list[tuple[int, int]]:
    """Return every way to put so many stars on two neighbouring lines, as bits."""
    found = []
    for first, second in product(combinations(range(size), need), combinations(range(size), other_need)):
        places = sorted([*first, *second])
        if all(right - left > 1 for left, right in pairwise(places)):
            found.append((sum(1 << place for place in first), sum(1 << place for place in second)))
    return found


@pytest.mark.parametrize("orientation", [0, 1])
@pytest.mark.parametrize(("need", "other_need"), [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2), (0, 2), (3, 0)])
def test_the_line_pair_count_is_exact(need: int, other_need: int, orientation: int):
    """On all 1,024 ways to have candidates on two lines of 5 cells, and on random ones of 9."""
    dice = Random(7)
    results = {-1: 0, 0: 0, 1: 0}
    for size, line in ((5, 2), (9, 4)):
        level = rows_as_regions(size)
        level.set_need(KINDS[orientation], line, need)
        level.set_need(KINDS[orientation], line + 1, other_need)
        empty = level.copy_of_position()
        fillings = pair_fillings(size, need, other_need)
        every = product(range(1 << size), repeat=2)
        masks = every if size == 5 else [(dice.randrange(512), dice.randrange(512)) for _ in range(300)]

        def cell_at(line: int, place: int, size: int = size) -> int:
            return line * size + place if orientation == 0 else place * size + line

        for first, second in masks:
            level.put_back(empty)
            lines = ((line, first), (line + 1, second))
            level.set_candidates(cell_at(at, place) for at, mask in lines for place in range(size) if mask >> place & 1)
            found = level.narrow_line_pair(orientation, line)
            ways = [(a, b) for a, b in fillings if a & ~first == 0 and b & ~second == 0]
            results[found] += 1
            assert (found < 0) == (not ways)
            if not ways:
                continue
            some = [0, 0]
            always = [first, second]
            for way in ways:
                for side in (0, 1):
                    some[side] |= way[side]
                    always[side] &= way[side]
            starred = {cell_at(line + s, p) for s in (0, 1) for p in range(size) if always[s] >> p & 1}
            open_cells = {cell_at(line + s, p) for s in (0, 1) for p in range(size) if some[s] >> p & 1} - starred
            assert level.stars == starred
            assert level.candidates == open_cells
            assert (found == 1) == ((some, bool(starred)) != ([first, second], False))
    assert min(results[-1], results[1]) > 10, results
    assert results[0] > 10 or min(need, other_need) == 0  # candidates on a line without need always go


def independent_sets(cells: list[int], size: int) -> list[frozenset[int]]:
    """Return every set of the cells no two of which touch."""
    found: list[frozenset[int]] = [frozenset()]
    for cell in cells:
        found += [each | {cell} for each in found if not any(touches(cell, other, size) for other in each)]
    return found


def assert_placements_are_exact(level: Level, region_cells: list[int], candidates: frozenset[int], need: int) -> int:
    """Compare the region's placements with all there are; returns what the kernel returned.

    Where there is much room, or too many are begun, it may say nothing; what it says must be true all the same.
    """
    outside = frozenset(range(level.size**2)).difference(region_cells)
    level.set_candidates(candidates | outside)
    level.set_need("region", 0, need)
    found = level.narrow_region(0)
    begun = [each for each in placements_on(tuple(region_cells), level.size) if each <= candidates]
    placements = [each for each in begun if len(each) == need]
    room = max(map(len, begun))
    if found == 0:
        assert level.candidates == candidates | outside
        assert not level.stars
        if room > need + ROOM_TO_SPARE or sum(0 < len(each) <= need for each in begun) > MAX_BEGUN:
            return found
    assert (found < 0) == (not placements)
    if placements:
        some, every = frozenset().union(*placements), candidates.intersection(*placements)
        clear = {cell for cell in outside if any(not any(touches(cell, s, level.size) for s in p) for p in placements)}
        assert level.stars == every, (sorted(candidates), need)
        assert level.candidates == (some - every) | clear, (sorted(candidates), need)
        assert (found == 1) == (some != candidates or bool(every) or clear != outside)
    return found


@cache
def placements_on(cells: tuple[int, ...], size: int) -> list[frozenset[int]]:
    return independent_sets(list(cells), size)


def region_level(size: int, cells: list[int]) -> Level:
    """Return a level whose first region is these cells; the others take every sixth cell of the rest or so."""
    rest = iter(cell for cell in range(size**2) if cell not in cells)
    others = {cell: 1 + number % (size - 1) for number, cell in enumerate(rest)}
    level = Level(Puzzle(size, 1, tuple(others.get(cell, 0) for cell in range(size**2)), UNKNOWN * size**2))
    for kind in KINDS:
        for index in range(size):
            level.set_need(kind, index, PLENTY)
    return level


@pytest.mark.parametrize("need", [1, 2, 3, 4])
@pytest.mark.parametrize(("height", "width"), [(2, 5), (3, 4), (5, 2)])
def test_the_placements_are_exact_on_every_small_shape(height: int, width: int, need: int):
    """Whether they are listed or the region is left alone, and what they rule out around it."""
    cells = [row * 6 + col for row in range(1, height + 1) for col in range(width)]
    level = region_level(6, cells)
    empty = level.copy_of_position()
    results = {-1: 0, 0: 0, 1: 0}
    for bits in range(0, 1 << len(cells), 1 if len(cells) < 12 else 3):
        level.put_back(empty)
        candidates = frozenset(cell for index, cell in enumerate(cells) if bits >> index & 1)
        results[assert_placements_are_exact(level, cells, candidates, need)] += 1
    room = max(map(len, placements_on(tuple(cells), 6)))
    assert results[-1] > 10 or need == 1  # any cell at all is room for one
    assert results[1] > 10 or need > room or need == 1
    assert results[0] > 10 or need >= room - 1


def test_the_placements_are_exact_on_large_scattered_shapes():
    dice = Random(3)
    results = {-1: 0, 0: 0, 1: 0}
    for _ in range(40):
        size = dice.choice((7, 9, 11))
        cells = sorted(dice.sample(range(4 * size), 14))
        level = region_level(size, cells)
        empty = level.copy_of_position()
        for need in range(1, 7):
            for kept in (6, 9, 12):
                level.put_back(empty)
                candidates = frozenset(dice.sample(cells, kept))
                results[assert_placements_are_exact(level, cells, candidates, need)] += 1
    assert min(results.values()) > 5, results


def test_a_region_with_too_many_ways_is_left_alone():
    """Rows full of candidates have more ways than are listed: no conclusion, and no harm."""
    size = 25
    level = region_level(size, [row * size + col for row in range(3) for col in range(size)])
    for need in (20, 26):
        level.set_need("region", 0, need)
        before = level.copy_of_position()
        assert level.narrow_region(0) == 0
        assert level.copy_of_position() == before


def test_room_on_a_line():
    for mask in range(1 << 11):
        cells = [place for place in range(11) if mask >> place & 1]
        most = 0
        before = -2
        for cell in cells:  # runs are filled from the left, every other cell
            if cell - before > 1:
                most, before = most + 1, cell
        assert room_on(mask) == most
        if mask < 128:
            sets = [
                each for n in range(5) for each in combinations(cells, n) if all(b - a > 1 for a, b in pairwise(each))
            ]
            assert most == max(map(len, sets))


def transports(
    rooms: list[list[int]], line_needs: list[int], region_needs: list[int]
) -> Iterator[list[tuple[int, ...]]]:
    """Return every way for the lines to send their stars to the regions, line by line."""
    if not line_needs:
        if not any(region_needs):
            yield []
        return
    limits = [min(room, need) for room, need in zip(rooms[0], region_needs, strict=True)]
    for sent in product(*(range(limit + 1) for limit in limits)):
        if sum(sent) == line_needs[0]:
            left = [need - star for need, star in zip(region_needs, sent, strict=True)]
            for rest in transports(rooms[1:], line_needs[1:], left):
                yield [sent, *rest]


def runs(places: list[int]) -> Iterator[list[int]]:
    """Yield the runs of places next to each other."""
    run: list[int] = []
    for place in [*places, 99]:
        if run and place != run[-1] + 1:
            yield run
            run = []
        run.append(place)


@pytest.mark.parametrize("begin", [1, 2])
@pytest.mark.parametrize("orientation", [0, 1])
def test_the_transport_count_is_exact(orientation: int, begin: int):
    """Against every transport: a cell goes if none sends a star to it, and where all fill the room, they are there."""
    dice = Random(17)
    results = {-1: 0, 0: 0, 1: 0}
    starred = cleared = 0
    for number in range(500):
        size, stars = ((4, 1), (5, 1), (4, 2))[number % 3]  # two stars do not fit on four lines, but on their counts
        level = Level(random_puzzle(dice, size, stars, connected=number % 2 == 0))
        if number % 4:  # a transport from another position is still in place, as in the search
            position = level.copy_of_position()
            level.narrow_transport(orientation, begin)
            level.put_back(position)
        level.set_candidates(dice.sample(range(size**2), dice.randrange(size**2 // 2, size**2 + 1)))
        before = level.candidates
        bands = [range(begin), *(range(line, min(size, line + 2)) for line in range(begin, size, 2))]

        def line_of(cell: int, size: int = size) -> int:
            return cell // size if orientation == 0 else cell % size

        def place_of(cell: int, size: int = size) -> int:
            return cell % size if orientation == 0 else cell // size

        def shared(band: range, region: int, level: Level = level, before: Cells = before) -> Cells:
            found = (cell for cell in before if line_of(cell) in band)
            return frozenset(cell for cell in found if level.puzzle.regions[cell] == region)

        numbers = range(size)
        rooms = [[room_on(sum({1 << place_of(c) for c in shared(band, r)})) for r in numbers] for band in bands]
        found = level.narrow_transport(orientation, begin)
        every = list(transports(rooms, [stars * len(band) for band in bands], [stars] * size))
        results[found] += 1
        if not every:
            assert found == -1
            continue
        gone: set[int] = set()
        forced: set[int] = set()
        for (at, band), region in product(enumerate(bands), numbers):
            sent = {way[at][region] for way in every}
            cells = shared(band, region)
            if sent == {0}:
                gone |= cells
            elif sent == {rooms[at][region]}:
                others = {cell for cell in before if line_of(cell) in band}
                for run in runs(sorted(set(map(place_of, cells)))):
                    picked = run[::2] if len(run) % 2 else run
                    around = {p + step for p in picked for step in ((-1, 0, 1) if len(run) % 2 else (0,))}
                    own = {cell for cell in cells if place_of(cell) in picked}
                    gone |= {cell for cell in others if place_of(cell) in around} - own
                    if len(run) % 2:
                        forced |= {c for c in own if [place_of(other) for other in own].count(place_of(c)) == 1}
        marks = "".join(UNKNOWN if cell in before else CROSS for cell in range(size**2))
        expected = solutions(replace(level.puzzle, marks=marks))
        assert not mistakes(level, expected)
        if not expected:
            continue  # what must be there cannot all be, and what follows depends on what is seen first
        assert found >= 0
        assert level.stars >= forced
        assert level.candidates | level.stars <= before - gone
        assert forced or level.stars == frozenset()
        assert (found == 1) == bool(gone or forced)
        starred += bool(forced)
        cleared += bool(gone)
    assert min(results.values()) > 20, results
    assert min(starred, cleared) > 5


def test_the_transport_of_lines_by_twos_sees_what_lines_alone_do_not():
    """Two regions of 2×2 have room for two stars on each line pair by lines, and for one each in truth."""
    level = Level(puzzle_of("AABB AABB CCDD CCDD", 1))
    level.set_need("row", 0, 2)
    for index in (0, 1):
        level.set_need("region", index, 2)
    assert level.narrow_transport(0, 2) == -1
