"""Wishes are read, and refused before any work where they cannot hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import solvent
from helpers.command import Run
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.registry import get_domain
from solvent.wishes.parsing import Wish, read_wishes, require_readable


def test_required_and_forbidden_questions_are_read_in_order():
    assert read_wishes("dungeon:solvable", ["dungeon:losable"]) == [
        Wish("dungeon", "solvable", Verdict.YES),
        Wish("dungeon", "losable", Verdict.NO),
    ]
    assert read_wishes(None, ()) == []


@pytest.mark.parametrize(
    ("require", "forbid", "message"),
    [
        ("solvable", (), "expected domain:question"),
        (":solvable", (), "expected domain:question"),
        ("maze:solvable", (), "unknown domain 'maze'"),
        ("dungeon:winnable", (), "unknown dungeon question 'winnable'"),
        ("dungeon:solvable", "dungeon:solvable", "cannot be both required and forbidden"),
        (["dungeon:solvable", "starbattle:unique"], (), "expected questions of one domain"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(require, forbid, message):
    with pytest.raises(BadOption, match=message):
        read_wishes(require, forbid)


@pytest.mark.parametrize(
    ("wish", "kind", "message"),
    [
        ("dungeon:solvable", "png", r"dungeon cannot read \.png files that valency writes; it reads \.tmj, \.tmx"),
        ("starbattle:unique", None, "starbattle reads no file that valency writes, so starbattle:unique cannot"),
    ],
)
def test_a_file_that_nothing_reads_is_refused(wish, kind, message):
    with pytest.raises(BadOption, match=message):
        require_readable(get_domain("valency"), read_wishes(wish, ()), kind)


def test_nothing_is_made_for_a_wish_that_cannot_hold(monkeypatch):
    def refuse(*_given: Any, **_options: Any) -> None:
        raise AssertionError("something was made")

    monkeypatch.setattr("solvent.asking.generate", refuse)
    for options in (
        {"require": "dungeon:winnable"},
        {"require": "dungeon:solvable", "forbid": "dungeon:solvable"},
        {"require": "dungeon:solvable", "kind": "png"},
        {"terrain": "overgrown"},
    ):
        with pytest.raises(BadOption):
            solvent.generate("valency", rules="vaults", **options)
    with pytest.raises(ValueError, match="unknown rule set 'nosuch'"):
        solvent.generate("dungeon", terrain="nosuch")


def test_wishes_are_about_one_level_and_not_about_the_chunks_of_a_world(run: Run, tmp_path: Path):
    ran = run(
        "generate", "valency", "village", "--chunks", "2x2", "--require", "dungeon:solvable", "-o", f"{tmp_path}/"
    )
    assert ran.code == 2
    assert "--chunks makes many files; --require, --forbid and --terrain make one level" in ran.err


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("valency", {"require": "dungeon:solvable", "unsolved": True}, "with these options nothing is asked"),
        ("valency", {"require": "dungeon:solvable", "mapping": "nosuch.toml"}, "there is no file nosuch.toml"),
        ("valency", {"require": "dungeon:solvable", "chunks": "2x2"}, "--chunks makes many files"),
        ("valency", {"forbid": "valency:solvable"}, "valency:solvable is YES in all that is made"),
        ("dungeon", {"require": "dungeon:losable"}, "dungeon:losable is NO in all that is made with these options"),
        ("starbattle", {"forbid": "starbattle:unique"}, "starbattle:unique is YES in all that is made"),
    ],
)
def test_wishes_that_the_generator_never_keeps_are_refused_before_any_work(monkeypatch, name, options, message):
    def refuse(*_given: Any, **_options: Any) -> None:
        raise AssertionError("something was made")

    monkeypatch.setattr("solvent.asking.generate", refuse)
    with pytest.raises(BadOption, match=message):
        solvent.generate(name, **options)


def test_a_refused_wish_leaves_no_folder_behind(run: Run, tmp_path: Path):
    ran = run("generate", "valency", "--unsolved", "--require", "dungeon:solvable", "-o", f"{tmp_path}/new/")
    assert ran.code == 2
    assert not (tmp_path / "new").exists()


def test_a_wish_about_the_own_domain_writes_its_own_format(run: Run, tmp_path: Path):
    out = tmp_path / "own.json"
    assert run("generate", "valency", "--grid", "4x4", "--require", "valency:solvable", "-o", str(out)).code == 0
    assert solvent.load(out).cluster.width == 4
    assert (tmp_path / "own.solvable.certificate.json").is_file()
