"""`solvent check --export`: files for outside checkers, of one certificate and of a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import solvent
from helpers.command import Run
from helpers.outside import require_refutations
from solvent.cli import exits


@pytest.fixture
def board(tmp_path: Path) -> Path:
    [example] = [example for example in solvent.examples("starbattle") if example.name == "first_stars"]
    path = tmp_path / "board.txt"
    path.write_text(example.text)
    return path


def test_a_refutation_is_written_with_a_note(run: Run, board: Path, tmp_path: Path):
    run("solve", str(board), "--ask", "unique", "--certificate", str(tmp_path / "proof.json"))
    result = run("check", str(board), str(tmp_path / "proof.json"), "--export", str(tmp_path / "out"))
    assert result.code == exits.DONE
    assert "accepted: unique YES (only solution)" in result.out
    assert f"How to check them: {tmp_path / 'out' / 'README.txt'}" in result.out
    assert require_refutations((tmp_path / "out").iterdir()) == 1
    note = (tmp_path / "out" / "README.txt").read_text()
    assert "cake_lpr refutation.cnf refutation.lrat" in note
    assert "What is still to be trusted" in note


def test_what_has_no_form_for_others_is_accepted_and_says_so(run: Run, board: Path, tmp_path: Path):
    run("solve", str(board), "--certificate", str(tmp_path / "proof.json"))
    words = ("check", str(board), str(tmp_path / "proof.json"), "--export", str(tmp_path / "out"))
    result = run(*words)
    assert result.code == exits.USAGE
    assert "accepted: solvable YES (stars)" in result.out
    assert "nothing exported: the form 'stars'" in result.err
    told = json.loads(run(*words, "--json").out)
    assert told["accepted"] is True
    assert told["exported"] == []
    assert "'stars'" in told["not_exported"]


def test_what_is_rejected_is_not_written(run: Run, board: Path, tmp_path: Path):
    certificate = tmp_path / "proof.json"
    run("solve", str(board), "--ask", "unique", "--certificate", str(certificate))
    certificate.write_text(certificate.read_text().replace("[0,2]", "[0,3]"))
    result = run("check", str(board), str(certificate), "--export", str(tmp_path / "out"))
    assert result.code == exits.REJECTED
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_one_clear_sentence(run: Run, board: Path, tmp_path: Path):
    run("solve", str(board), "--ask", "unique", "--certificate", str(tmp_path / "proof.json"))
    result = run("check", str(board), str(tmp_path / "proof.json"), "--export", str(board))
    assert result.code == exits.BAD_INPUT
    assert f"cannot write {board}" in result.err


def test_each_answer_of_a_store_gets_a_folder(run: Run, board: Path, tmp_path: Path):
    store = str(tmp_path / "answers.db")
    run("validate", str(board), "--ask", "unique,solvable", "--store", store, "--jobs", "1")
    result = run("check", "--store", store, "--export", str(tmp_path / "out"))
    assert result.code == exits.DONE
    assert "exported: 1 certificate" in result.out
    assert "not exported: 1 certificate: the form 'stars'" in result.out
    [folder] = (tmp_path / "out").iterdir()
    assert folder.name.endswith("-unique")
    assert require_refutations(folder.iterdir()) == 1
