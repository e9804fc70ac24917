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


def test_a_check_goes_by_the_configuration(run: Run):
    Path("coins.txt").write_text("COINS 4 4\nPAY 4\n")
    Path("solvent.toml").write_text('ask = ["payable", "unique"]\n')
    ran = run("editor", "check", "coins.txt")
    assert (ran.code, ran.err) == (10, "")  # LDtk shows whatever is written to standard error as a failure
    assert [line.split(":")[0] for line in ran.out.splitlines()] == ["FAIL  unique", "PASS  payable", "Configuration"]
    assert run("editor", "check", "coins.txt", "--ask", "payable").code == 0
    assert run("editor", "check", "coins.txt", "--no-config").code == 0
    found = json.loads(run("editor", "check", "coins.txt", "--json").out)
    assert found["configuration"] == "solvent.toml"


def test_configured_limits_are_for_each_question_and_options_count(run: Run):
    Path("coins.txt").write_text("COINS 4 4\nPAY 4\n")
    Path("solvent.toml").write_text("seconds = 0\n")
    assert "UNKNOWN  payable: UNKNOWN, out of time" in run("editor", "check", "coins.txt").out
    assert run("editor", "check", "coins.txt", "--seconds", "30").code == 0
    Path("solvent.toml").write_text("[coins]\ngive_up = true\n")
    assert run("editor", "check", "coins.txt").code == 20
    Path("solvent.toml").write_text("scnds = 1\n")
    assert run("editor", "check", "coins.txt").code == 30
