"""`solvent editor`: all that an editor asks in one call, and the files that set editors up."""

from __future__ import annotations

import json
from pathlib import Path

from helpers.command import Run
from solvent.editors.tiled import extensions_folder, script_text


def test_a_domain_without_wishes_is_asked_its_first_question(run: Run):
    Path("coins.txt").write_text("COINS 4 4\nPAY 4\n")
    ran = run("editor", "check", "coins.txt")
    assert (ran.code, ran.out) == (0, "PASS  payable: YES\n")
    assert run("editor", "check", "coins.txt", "--ask", "payable,unique").code == 10
    assert run("editor", "check", "coins.txt", "--ask", "nonsense").code == 2


def test_the_extension_is_printed_and_copied(run: Run):
    assert run("editor", "tiled", "--print").out == script_text()
    ran = run("editor", "tiled", "--to", "game/extensions")
    assert ran.code == 0
    assert Path("game/extensions/solvent.js").read_text(encoding="utf-8") == script_text()
    told = json.loads(run("editor", "tiled", "--json").out)
    assert told == {"extension": str(extensions_folder() / "solvent.js"), "installed": False}
