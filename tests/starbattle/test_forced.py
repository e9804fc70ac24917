"""Is this cell forced? Against brute force, with its certificate, its steps, and what solutions have in common."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

import solvent
from helpers.command import Run
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption, CertificateRejected
from solvent.starbattle.cells import format_cell
from solvent.starbattle.model import UNKNOWN, Puzzle
from starbattle.brute_force import solutions

RESULT = {
    "kind",
    "solutions_found",
    "timed_out",
    "capped_at_max",
    "max_count",
    "timeout_ms",
    "max_nodes",
    "positions",
    "conflicts",
}


def example(name: str) -> Puzzle:
    [text] = [one.text for one in solvent.examples("starbattle") if one.name == name]
    return solvent.parse(text)


def boards(count: int) -> list[Puzzle]:
    dice = Random(6)
    return [solvable_puzzle(dice, 5, 1, connected=number % 2 == 0, marks=number % 6) for number in range(count)]


def test_it_agrees_with_brute_force():
    seen = set()
    for puzzle in boards(25):
        every = list(solutions(puzzle))
        for cell in (cell for cell in range(25) if puzzle.marks[cell] == UNKNOWN):
            answer = solvent.ask(puzzle, "forced", cell=format_cell(cell, 5))
            having = sum(cell in one for one in every)
            agree = having in (0, len(every))
            assert answer.verdict is (Verdict.YES if agree else Verdict.NO)
            assert answer.stats["status"] == ("proved" if agree else "disproved")
            if agree:
                assert answer.stats["value"] == ("star" if having else "cross")
            solvent.check(puzzle, answer.certificate)
            seen.add((agree, having > 0))
    assert len(seen) == 3


def test_marks_that_contradict_each_other_force_every_cell():
    """Two stars in a unit of one, side by side or apart: no solution is left to differ."""
    dice = Random(8)
    asked = 0
    for _ in range(12):
        puzzle = random_puzzle(dice, 5, 1, connected=True, marks=6)
        if list(solutions(puzzle)):
            continue
        for cell in dice.sample([cell for cell in range(25) if puzzle.marks[cell] == UNKNOWN], 8):
            answer = solvent.ask(puzzle, "forced", cell=format_cell(cell, 5))
            assert answer.verdict is Verdict.YES
            assert answer.certified
            asked += 1
    overfull = replace(puzzle_of("AAAAA ABBBB ACCBB ADCEE ADDEE", 1), marks="*..............*.........")
    assert solvent.ask(overfull, "forced", cell="r1c3").certified
    assert asked > 40


def test_the_steps_are_those_of_a_proof():
    puzzle = example("two_ways")
    proved = solvent.ask(puzzle, "forced", cell="r1c1").stats["proof_steps"]
    assert [step["kind"] for step in proved] == ["assumption", "search-result", "conclusion"]
    assert proved[0] == {"kind": "assumption", "cell": [0, 0], "assumed": "cross"}
    assert set(proved[1]) == RESULT
    assert (proved[1]["solutions_found"], proved[1]["timed_out"], proved[1]["capped_at_max"]) == (0, False, False)
    assert proved[2] == {"kind": "conclusion", "conclusion": "forced-star", "cell": [0, 0]}
    free = solvent.ask(puzzle, "forced", cell="r5c6").stats["proof_steps"]
    assert (free[1]["solutions_found"], free[1]["timed_out"], free[1]["capped_at_max"]) == (1, False, True)
    assert free[2]["conclusion"] == "not-forced"


def test_a_search_cut_short_proves_nothing():
    puzzle = example("two_ways")
    answer = solvent.ask(puzzle, "forced", cell="r5c6", nodes=1)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.certificate is None
    assert answer.stats["status"] == "inconclusive"
    result, conclusion = answer.stats["proof_steps"][-2:]
    assert (result["timed_out"], result["max_nodes"], result["solutions_found"]) == (True, 1, 0)
    assert conclusion["conclusion"] == "inconclusive"


def free_cell() -> tuple[Puzzle, dict[str, Any]]:
    puzzle = example("two_ways")
    return puzzle, dict(solvent.ask(puzzle, "forced", cell="r5c6").certificate)


def test_a_free_cell_is_shown_by_two_solutions_and_nothing_less():
    puzzle, right = free_cell()
    one, other = right["solutions"]
    solvent.check(puzzle, right)
    wrong: list[dict[str, Any]] = [
        {"cell": [0, 0]},  # a star in both
        {"cell": [0, 1]},  # in neither
        {"cell": [7, 0]},
        {"solutions": [one, one]},
        {"solutions": [one]},
        {"solutions": [one, other, one]},
        {"solutions": [one, other[:-1]]},
        {"solutions": [one, [*other, [4, 5]]]},
        {"verdict": "YES"},
        {"question": "unique"},
    ]
    wrong += [
        {"solutions": [[*one[:at], [one[at][0], (one[at][1] + 1) % 7], *one[at + 1 :]], other]} for at in range(7)
    ]
    for change in wrong:
        with pytest.raises(CertificateRejected):
            solvent.check(puzzle, {**right, **change})
    marked = Puzzle(puzzle.size, puzzle.stars, puzzle.regions, "." * 33 + "*" + "." * 15)
    with pytest.raises(CertificateRejected):
        solvent.check(marked, right)


@pytest.mark.parametrize(
    ("name", "cell", "expected"),
    [
        ("two_ways", "r8c1", "expected a cell from r1c1 to r7c7"),
        ("two_ways", "here", "expected a cell"),
        ("half_played", None, ""),
        ("wrong_mark", "r4c6", "marked as a star"),
    ],
)
def test_what_is_asked_about_is_a_cell_without_a_mark(name: str, cell: str | None, expected: str):
    if not expected:
        puzzle = example(name)
        first = puzzle.marks.index(UNKNOWN)
        assert solvent.ask(puzzle, "forced").stats["cell"] == format_cell(first, puzzle.size)
        return
    with pytest.raises(BadOption, match=expected):
        solvent.ask(example(name), "forced", cell=cell)


def test_what_solutions_have_in_common():
    puzzle = example("two_ways")
    answer = solvent.ask(puzzle, "forced", cell="r5c6", completions=10)
    found = answer.stats["completions"]
    assert {key: found[key] for key in ("count", "complete", "timed_out", "capped")} == {
        "count": 2,
        "complete": True,
        "timed_out": False,
        "capped": False,
    }
    text = "".join(found["cells"])
    assert (text.count("*"), text.count("?"), len(text)) == (5, 4, 49)
    assert "2 solutions in all: 5 cells always a star, 40 cells always empty, 4 cells in which" in str(answer.because)
    capped = solvent.ask(puzzle, "forced", cell="r5c6", completions=1)
    found = capped.stats["completions"]
    assert (found["complete"], found["capped"], set("".join(found["cells"]))) == (False, True, {"?"})
    assert "says nothing about the other cells" in str(capped.because)


@pytest.mark.parametrize(("cell", "code"), [("r1c1", 0), ("r5c6", 10)])
def test_from_the_command(run: Run, empty_folder: Path, cell: str, code: int):
    [text] = [one.text for one in solvent.examples("starbattle") if one.name == "two_ways"]
    Path("two.txt").write_text(text)
    ran = run("solve", "two.txt", "--ask", "forced", "--cell", cell, "--json", "--certificate", "proof.json")
    said = json.loads(ran.out)
    assert (ran.code, said["question"], said["certified"]) == (code, "forced", True)
    assert said["stats"]["proof_steps"][0]["kind"] == "assumption"
    assert run("check", "two.txt", "proof.json").code == 0
