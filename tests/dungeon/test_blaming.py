"""Blame: an answer stays the same in every level that keeps the meaning of the blamed tiles."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

import solvent
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.core.judging import Blame
from solvent.dungeon.blaming import find_blame, tile_meanings
from solvent.dungeon.model import Block, Dungeon

LETTERS = "#.kL>~@G"
"""Tiles to put together: walls, floor, keys, locks, one-ways, water."""


def level(rows: list[str]) -> Dungeon:
    """Return the dungeon of some rows, with a frame of wall."""
    width = len(rows[0]) + 2
    lines = ["#" * width, *(f"#{row}#" for row in rows), "#" * width]
    return solvent.parse("dungeon: d\n\nmap:\n" + "\n".join(lines) + "\n", domain="dungeon")


def draw_rows(chance: random.Random, height: int, width: int) -> list[str]:
    letters = chance.choices("#.kL>~", (5, 7, 1, 2, 1, 1), k=height * width)
    start, goal = chance.sample(range(height * width), 2)
    letters[start], letters[goal] = "@", "G"
    return ["".join(letters[row * width : (row + 1) * width]) for row in range(height)]


@cache
def meaning_of(letter: str) -> str:
    """Return what a letter means, read in a level that has it."""
    rows = ["@.G", f"#{'.' if letter in '@G' else letter}#"]
    return tile_meanings(level(rows))[{"@": (1, 1), "G": (3, 1)}.get(letter, (2, 2))]


def changed(chance: random.Random, rows: list[str], blame: Blame) -> list[str] | None:
    """Return other rows: anything where nothing is blamed, and where something is, only what keeps its meaning."""
    keeps = {blamed.tile: blamed.keeps for blamed in blame.tiles}
    found = []
    for y, row in enumerate(rows, 1):
        letters = ""
        for x, letter in enumerate(row, 1):
            allowed = LETTERS if (x, y) not in keeps else [one for one in LETTERS if meaning_of(one) in keeps[x, y]]
            letters += letter if chance.random() < 0.5 or not allowed else chance.choice(list(allowed))
        found.append(letters)
    text = "".join(found)
    return found if text.count("@") == 1 and text.count("G") >= 1 else None


def failing(question: str, verdict: Verdict, number: int) -> list[tuple[list[str], Dungeon, Blame]]:
    """Return small levels with this answer, and what is blamed."""
    chance, found = random.Random(number), []
    while len(found) < 12:
        rows = draw_rows(chance, 3, 4)
        dungeon = level(rows)
        answer = solvent.ask(dungeon, question)
        if answer.verdict is verdict:
            blame = find_blame(dungeon, answer)
            assert blame is not None
            assert blame.proved
            found.append((rows, dungeon, blame))
    return found


CASES = [("solvable", Verdict.NO), ("solvable", Verdict.YES), ("losable", Verdict.YES)]


@pytest.mark.parametrize(("question", "verdict"), CASES)
@pytest.mark.parametrize("number", range(up_to(2, deep=40)))
def test_the_answer_is_the_same_whatever_else_changes(question, verdict, number):
    chance, tried = random.Random(number + 1000), 0
    for rows, _, blame in failing(question, verdict, number):
        for _ in range(40):
            other = changed(chance, rows, blame)
            if other is not None and other != rows:
                tried += 1
                answer = solvent.ask(level(other), question)
                assert answer.verdict is verdict, f"{rows} became {other}"
    assert tried > 50


@pytest.mark.parametrize(("question", "verdict"), CASES)
def test_what_stands_there_now_keeps_its_meaning(question, verdict):
    for _, dungeon, blame in failing(question, verdict, 7):
        meanings = tile_meanings(dungeon)
        assert len({blamed.tile for blamed in blame.tiles}) == len(blame.tiles)
        assert all(meanings[blamed.tile] in blamed.keeps for blamed in blame.tiles)


def test_the_tiles_around_what_is_reached_are_blamed_and_a_way_out_is_suggested():
    dungeon = level(["@.#..", "###..", "....G"])
    blame = find_blame(dungeon, solvent.ask(dungeon, "solvable"))
    assert blame is not None
    bars = [blamed.tile for blamed in blame.tiles if blamed.group == 0]
    assert {(3, 1), (1, 2), (2, 2)} <= set(bars)
    assert (5, 3) not in [blamed.tile for blamed in blame.tiles]
    assert [blamed.tile for row in blame.suggestions[0].asks for blamed in row] == [(3, 1)]


def test_a_lock_without_a_key_suggests_a_key_within_reach():
    dungeon = level(["@..LG", "#####", "k...."])
    blame = find_blame(dungeon, solvent.ask(dungeon, "solvable"))
    assert blame is not None
    [row] = blame.suggestions[0].asks
    assert {blamed.tile for blamed in row} == {(2, 1), (3, 1)}
    assert row[0].wants == {meaning_of("k")}


def test_other_mechanics_are_blamed_by_what_stands_there_and_not_proved():
    plain = level(["@..#G", "....#"])
    dungeon = replace(plain, blocks=(Block((0, 2, 2)),))
    blame = find_blame(dungeon, solvent.ask(dungeon, "solvable"))
    assert blame is not None
    assert not blame.proved
    assert all(len(blamed.keeps) == 1 for blamed in blame.tiles)


@pytest.mark.parametrize(
    ("question", "rows", "other"),
    [
        # Out of the one-way leads nothing but the way to a wall, though plain floor lies beside it.
        ("solvable", ["@>##", "#.G#"], ["@.##", "#.G#"]),
        # A lock between two locks of the walk would make them one, and a key would be left for the last.
        ("losable", ["@kkL####", "#k#.L>LG"], ["@kkLL###", "#k#.L>LG"]),
    ],
)
def test_what_would_change_the_answer_is_blamed(question, rows, other):
    failed = solvent.ask(level(rows), question)
    blame = find_blame(level(rows), failed)
    assert blame is not None
    assert solvent.ask(level(other), question).verdict not in (failed.verdict, Verdict.UNKNOWN)
    keeps = {blamed.tile: blamed.keeps for blamed in blame.tiles}
    [at] = [(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if other[y][x] != letter]
    assert meaning_of(other[at[1]][at[0]]) not in keeps[at[0] + 1, at[1] + 1]


def test_a_gate_of_the_walk_stays_whole():
    """Of three locks that touch, the walk passes two: without the third, they would take a key each."""
    dungeon = level(["k@kLL###", "###.L>LG"])
    blame = find_blame(dungeon, solvent.ask(dungeon, "losable"))
    assert blame is not None
    keeps = {blamed.tile: blamed.keeps for blamed in blame.tiles}
    assert all(keeps[tile] == {meaning_of("L")} for tile in ((4, 1), (5, 1), (5, 2)))
