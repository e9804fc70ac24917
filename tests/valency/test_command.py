"""The command on tasks: what only shows when files are read and written."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from helpers.command import Run

TASK = next(example.text for example in solvent.examples("valency") if example.name == "too_close")

STRANGER = "<neighbors><neighbor left='a' right='b'/></neighbors>"


pytestmark = pytest.mark.usefixtures("empty_folder")


@pytest.mark.parametrize("out", ["rules.json", "./rules.json"])
def test_generate_never_writes_over_what_it_is_made_from(run: Run, tmp_path: Path, out: str):
    (tmp_path / "rules.json").write_text(TASK, encoding="utf-8")
    ran = run("generate", "valency", "rules.json", "--grid", "3x3", "-o", out)
    assert ran.code == 2
    assert "is what it is made from" in ran.err
    assert (tmp_path / "rules.json").read_text(encoding="utf-8") == TASK


def test_generate_writes_no_picture_of_an_unknown_kind(run: Run, tmp_path: Path):
    ran = run("generate", "valency", "pipes", "--grid", "3x3", "-o", "a.jpg")
    assert ran.code == 2
    assert "cannot write pictures like 'a.jpg'" in ran.err
    assert not (tmp_path / "a.jpg").exists()


def test_one_line_makes_a_picture_and_its_proof(run: Run, tmp_path: Path):
    ran = run("generate", "valency", "pipes", "--grid", "6x4", "--seed", "7", "-o", "out.png")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "out.certificate.json").exists()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("rules.xml", '<!DOCTYPE set [<!ENTITY a "b">]><set><tiles/></set>', "rules.xml"),
        (
            "rules.xml",
            "<set><tiles><tile name='a'/></tiles><neighbors><neighbor left='a' right='b'/></neighbors></set>",
            "'b'",
        ),
        ("rules.json", TASK.replace('"beach"', '"peach"', 1), "rules.json"),
    ],
)
def test_a_rule_file_that_makes_no_sense_is_told(run: Run, tmp_path: Path, name: str, content: str, told: str):
    (tmp_path / name).write_text(content, encoding="utf-8")
    ran = run("generate", "valency", name, "--grid", "3x3")
    assert (ran.code, ran.out) == (30, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1
