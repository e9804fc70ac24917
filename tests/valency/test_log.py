"""What is logged: the messages of nodes without a module, and nothing where nobody listens."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

import solvent
from solvent.valency.authoring import RuleBook
from solvent.valency.model import Staging


def clashing(**task: Any) -> Staging:
    book = RuleBook("square", one_sided="accept")
    book.module("wall", bonds={"*": ["wall"]})
    book.module("door", bonds={"left": ["wall"]})
    return book.on_grid(3, 1, picks={(0, 0): "wall", (1, 0): "door", (2, 0): "gate"}, **task)


def messages(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == level]


def test_a_node_without_modules_is_named_with_what_is_around_it(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, "solvent.valency")
    answer = solvent.ask(clashing(seed=4), "partial")
    assert answer.certificate["modules"][1] == -3
    assert messages(caplog, logging.WARNING) == [
        "Fixed pick ignored, no module has that name: 'gate' on (2, 0).",
        "Node (1, 0): No valid modules",
    ]
    details = [line.strip() for line in messages(caplog, logging.DEBUG)]
    assert details[0] == "orbital mask 0b101: right and left"
    assert details[1] == f"right: {'wall' if answer.certificate['modules'][2] == 0 else 'door'!r} on (2, 0)"
    assert details[2] == "left: 'wall' on (0, 0)"
    first, last = messages(caplog, logging.INFO)
    assert first == "Solving 3 nodes with 2 modules: solver frontier, seed 4"
    assert last.startswith("Solved: 2 resolved, 1 unsolvable (")


def test_one_that_no_module_fits(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, "solvent.valency")
    book = RuleBook("square", missing="boundary", one_sided="accept")
    book.module("end", bonds={"right": ["end"]})
    assert solvent.ask(book.on_grid(2, 1)).verdict is solvent.Verdict.NO
    said = messages(caplog, logging.WARNING)
    assert said[0] == "Node (1, 0): No valid modules"
    assert said[1].startswith("Contradiction: ")
    assert "  no module fits its orbitals" in messages(caplog, logging.DEBUG)
    assert messages(caplog, logging.INFO)[-1].startswith("Proved that it cannot be solved")


def test_the_lazy_solver_says_where_it_gave_up(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING, "solvent.valency")
    task = solvent.generate("valency", rules="village", grid="24x24", seed=3, unsolved=True)
    for seed in range(20):
        caplog.clear()
        answer = solvent.ask(task, solver="lazy", seed=seed)
        if answer.verdict is solvent.Verdict.UNKNOWN:
            break
    assert answer.verdict is solvent.Verdict.UNKNOWN
    assert any(line.endswith("No valid modules") for line in messages(caplog, logging.WARNING))
    assert not messages(caplog, logging.DEBUG)


def test_the_answer_is_the_same_with_and_without(caplog: pytest.LogCaptureFixture):
    quiet = solvent.ask(clashing(), "partial")
    assert not caplog.records or caplog.records[0].levelno == logging.WARNING
    caplog.set_level(logging.DEBUG, "solvent.valency")
    assert solvent.ask(clashing(), "partial").certificate == quiet.certificate


def test_the_command_shows_it_when_asked_twice(tmp_path: Path, run: Any):
    path = tmp_path / "task.json"
    path.write_text(solvent.format(clashing(), "json"))
    loud, quiet = (run("solve", str(path), "--ask", "partial", how) for how in ("-vv", "-v"))
    assert "WARNING: Node (1, 0): No valid modules\nDEBUG:   orbital mask 0b101" in loud.err
    assert "No valid modules" not in quiet.err + quiet.out
    assert loud.code == quiet.code == 0
