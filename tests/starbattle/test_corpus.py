"""The public puzzles: each has one solution but for some of one collection, and a stock SAT solver says the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import solvent
from solvent.core.answer import Answer, Verdict
from solvent.starbattle.cells import parse_cell
from solvent.starbattle.model import Puzzle
from starbattle.brute_force import is_solution
from starbattle.plain_sat import sat_solutions

pytestmark = pytest.mark.corpus

NODES = 100_000
"""Over forty times what the hardest of the quick classes needs."""
NODES_OF_SLOW = 3_000_000
SLOW = ("17-4", "21-5")
"""Classes in which some take seconds."""
NOT_ALL_UNIQUE = "queens"
"""The one collection with boards that have several solutions."""


@pytest.fixture(scope="module")
def folder(corpora: Path) -> Path:
    found = corpora / "starbattle"
    if not any(found.glob("*/*.txt")):
        pytest.skip(f"no Star Battle puzzles in {corpora}")
    return found


def puzzles(folder: Path, *, slow: bool = False) -> Iterator[tuple[str, Puzzle]]:
    """Return the name and puzzle of each file, in order."""
    for path in sorted(folder.glob("*/*.txt")):
        if (path.parent.name in SLOW) == slow:
            yield path.stem, solvent.load(path)


def stars_of(puzzle: Puzzle, answer: Answer) -> frozenset[int]:
    """Return the only solution, with a certificate or without."""
    if answer.certificate is None:
        return frozenset(parse_cell(name, puzzle.size) for name in answer.stats["stars"].split())
    return frozenset(row * puzzle.size + col for row, col in answer.certificate["stars"])


def assert_unique_or_has_two(puzzle: Puzzle, answer: Answer, name: str) -> None:
    """Check what can be checked without another solver: the stars that come with an answer."""
    if answer.verdict is Verdict.YES:
        assert is_solution(puzzle, stars_of(puzzle, answer)), name
        return
    assert answer.verdict is Verdict.NO, name
    one, other = (frozenset(row * puzzle.size + col for row, col in stars) for stars in answer.certificate["solutions"])
    assert one != other, name
    assert is_solution(puzzle, one), name
    assert is_solution(puzzle, other), name


def test_the_puzzles_are_unique_but_for_some_queens(folder: Path):
    seen, several = 0, []
    for name, puzzle in puzzles(folder):
        answer = solvent.ask(puzzle, "unique", proof=False, nodes=NODES)
        assert_unique_or_has_two(puzzle, answer, name)
        seen += 1
        if answer.verdict is Verdict.NO:
            several.append(name)
            assert name.startswith(NOT_ALL_UNIQUE), name
    assert seen > 0
    assert len(several) < seen / 5


@pytest.mark.slow
def test_a_stock_sat_solver_says_the_same(folder: Path):
    """Of every queens board, because those differ, and of every eighth other one."""
    seen = set()
    for number, (name, puzzle) in enumerate(puzzles(folder)):
        if not name.startswith(NOT_ALL_UNIQUE) and number % 8:
            continue
        answer = solvent.ask(puzzle, "unique", proof=False, nodes=NODES)
        found = sat_solutions(puzzle, most=2)
        assert answer.verdict is (Verdict.YES if len(found) == 1 else Verdict.NO), name
        if len(found) == 1:
            assert stars_of(puzzle, answer) == found[0], name
        seen.add(answer.verdict)
    assert Verdict.YES in seen


def test_published_solutions(folder: Path):
    file = folder / "krazydad_solutions.json"
    if not file.is_file():
        pytest.skip(f"no published solutions in {folder}")
    published = json.loads(file.read_text())
    compared = 0
    for path in sorted(folder.glob("*/*.txt")):
        if path.stem in published:
            puzzle = solvent.load(path)
            expected = frozenset(cell for cell, star in enumerate(published[path.stem]["solution"]) if star == "1")
            answer = solvent.ask(puzzle, "unique", proof=False, nodes=NODES)
            assert stars_of(puzzle, answer) == expected, path.stem
            compared += 1
    assert compared > 0


def test_a_sample_of_each_class_with_its_proof(folder: Path):
    for sizes in sorted({path.parent for path in folder.glob("*/*.txt")} - {folder / name for name in SLOW}):
        paths = sorted(sizes.glob("*.txt"))
        for path in (paths[0], paths[-1]):
            puzzle = solvent.load(path)
            answer = solvent.ask(puzzle, "unique", nodes=NODES)
            assert answer.certified, path.stem
            assert_unique_or_has_two(puzzle, answer, path.stem)
            assert solvent.ask(puzzle, "solvable", nodes=NODES).verdict is Verdict.YES


@pytest.mark.slow
def test_the_large_puzzles_are_unique(folder: Path):
    for name, puzzle in puzzles(folder, slow=True):
        answer = solvent.ask(puzzle, "unique", proof=False, nodes=NODES_OF_SLOW)
        assert answer.verdict is Verdict.YES, name
        assert is_solution(puzzle, stars_of(puzzle, answer)), name


@pytest.mark.slow
def test_large_puzzles_with_their_proof(folder: Path):
    for number, (name, puzzle) in enumerate(puzzles(folder, slow=True)):
        if number % 6 == 0:
            answer = solvent.ask(puzzle, "unique", nodes=NODES_OF_SLOW)
            assert (answer.verdict, answer.certified) == (Verdict.YES, True), name
