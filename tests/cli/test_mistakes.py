"""Mistakes that people make, one row each: the answer is one short line that says what to do instead."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from helpers.command import Run
from solvent.cli import exits
from solvent.registry import get_domain

LONGEST = 250
"""Letters of an answer: two or three lines of a terminal."""
TILED = {
    "type": "map",
    "orientation": "orthogonal",
    "width": 2,
    "height": 1,
    "tilewidth": 16,
    "tileheight": 16,
    "infinite": False,
    "layers": [{"type": "tilelayer", "name": "ground", "width": 2, "height": 1, "data": [1, 1], "x": 0, "y": 0}],
    "tilesets": [{"firstgid": 1, "name": "tiles", "tilecount": 1, "columns": 1, "tilewidth": 16, "tileheight": 16}],
}


@pytest.fixture(autouse=True)
def _only_coins() -> None:
    """Take the place of the fixture that leaves one domain: here all are installed."""


@pytest.fixture(autouse=True)
def _files(empty_folder: Path, run: Run) -> None:
    level, board, task = (
        next(iter(each.text for each in get_domain(domain).examples() if each.name == name))
        for domain, name in (("dungeon", "the_wrong_door"), ("starbattle", "first_stars"), ("valency", "pipes"))
    )
    Path("levels").mkdir()
    for name, text in {"level.txt": level, "board.txt": board, "pipes.json": task, "levels/level.txt": level}.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("windows.txt").write_bytes(b"\xef\xbb\xbf" + level.replace("\n", "\r\n").encode())
    Path("cut.json").write_text(task[:300])
    Path("map.tmj").write_text(json.dumps(TILED))
    Path("cut.tmj").write_text(json.dumps(TILED)[:120])
    assert run("solve", "level.txt", "--certificate", "proof.json").code == 0
    Path("cut_proof.json").write_bytes(Path("proof.json").read_bytes()[:60])
    Path("picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    Path("levels.zip").write_bytes(b"PK\x03\x04\x14\0\0\0")
    Path("level.txt.gz").write_bytes(gzip.compress(level.encode()))
    Path("utf16.txt").write_bytes(level.encode("utf-16"))
    Path("results.db").write_bytes(b"SQLite format 3\0" + bytes(84))
    Path("noise.bin").write_bytes(bytes(range(128, 200)))
    Path("empty.txt").write_bytes(b"")


USAGE, BAD = exits.USAGE, exits.BAD_INPUT
MISTAKES = [
    # no command, or another word for one
    (["level.txt"], USAGE, "did you mean 'solvent solve level.txt'?"),
    (["levels/"], USAGE, "'solvent validate levels/' asks about the levels in a folder"),
    (["slove", "level.txt"], USAGE, "did you mean 'solvent solve'?"),
    (["valdate", "levels/"], USAGE, "did you mean 'solvent validate'?"),
    (["verify", "level.txt", "proof.json"], USAGE, "did you mean 'solvent check'?"),
    (["render", "level.txt"], USAGE, "did you mean 'solvent draw'?"),
    (["lint", "levels/"], USAGE, "did you mean 'solvent validate'?"),
    (["--solve", "level.txt"], USAGE, "did you mean 'solvent solve'?"),
    (["--verison"], USAGE, "did you mean --version?"),
    (["-version"], USAGE, "did you mean --version?"),
    (["frobnicate"], USAGE, "there are: solve, check, hint"),
    # what is missing, or too much
    (["solve"], USAGE, "'solvent examples' lists some to try"),
    (["generate"], USAGE, "there are: dungeon, harmony, starbattle, valency"),
    (["check", "level.txt"], USAGE, "'solvent solve level.txt --certificate proof.json' makes one"),
    (["report"], USAGE, "'solvent validate' writes one, usually results/validation.db"),
    (["solve", "level.txt", "board.txt"], USAGE, "'solvent validate PATH...' asks about many"),
    # options
    (["solve", "level.txt", "--second", "5"], USAGE, "no such option --second (did you mean --seconds?)"),
    (["solve", "level.txt", "--timeout", "5"], USAGE, "did you mean --seconds?"),
    (["validate", "levels/", "--workers", "2"], USAGE, "did you mean --jobs?"),
    (["solve", "level.txt", "--verbos"], USAGE, "did you mean --verbose?"),
    (["solve", "level.txt", "-ask", "losable"], USAGE, "did you mean --ask?"),
    (["solve", "level.txt", "--foo"], USAGE, "no such option --foo; see 'solvent solve --help'"),
    (["solve", "level.txt", "--json", "--quiet"], USAGE, "no such option --quiet; see 'solvent solve --help'"),
    (["solve", "level.txt", "--seconds", "5s"], USAGE, "expected a number of seconds, such as 5 or 0.5, found '5s'"),
    (["solve", "level.txt", "--seconds", "-1"], USAGE, "expected a number, zero or more, found -1"),
    (["solve", "level.txt", "--seconds"], USAGE, "option '--seconds' requires an argument; see 'solvent solve --help'"),
    (["solve", "level.txt", "--nodes", "1.5"], USAGE, "expected a whole number, such as 1000 or 1e6, found '1.5'"),
    (["draw", "level.txt", "-o", "level.png"], USAGE, "choose a name that ends in .svg"),
    (["draw", "level.txt", "-o", "nowhere/x.svg"], BAD, "there is no folder nowhere"),
    (["draw", "level.txt", "-o", "levels"], BAD, "it is a folder; give the name of a file"),
    (["solve", "level.txt", "--certificate", "nowhere/p.json"], BAD, "there is no folder nowhere"),
    # names of domains, questions, formats, examples
    (["solve", "level.txt", "--as", "dungoen"], USAGE, "did you mean 'dungeon'?"),
    (["generate", "star-battle"], USAGE, "did you mean 'starbattle'?"),
    (["solve", "level.txt", "--ask", "losabel"], USAGE, "did you mean 'losable'?"),
    (["solve", "level.txt", "--ask", "unique"], USAGE, "unique is a question about starbattle, and this is dungeon"),
    (["solve", "board.txt", "--losable"], USAGE, "only dungeon has it"),
    (["solve", "level.txt", "--ask", "solvable,losable"], USAGE, "'solvent validate' asks several"),
    (["convert", "level.txt", "--to", "jsn"], USAGE, "there are: text, tmj"),
    (["examples", "dungeon", "the_wrong_dor"], USAGE, "did you mean 'the_wrong_door'?"),
    (["examples", "the_wrong_door"], USAGE, "'solvent examples dungeon the_wrong_door' prints it"),
    # files that are not what is wanted
    (["solve", "levels/"], BAD, "levels/ is a folder; 'solvent validate levels/' asks about everything in it"),
    (["explain", "levels"], BAD, "'solvent validate levels' asks about everything in it"),
    (["solve", "missing.txt"], BAD, "cannot read missing.txt: there is no such file"),
    (["solve", "LEVEL.TXT"], BAD, "did you mean 'level.txt'?"),
    (["solve", "level"], BAD, "did you mean 'level.txt'?"),
    (["solve", "levels/levl.txt"], BAD, "did you mean 'levels/level.txt'?"),
    (["solve", "level.txt --json"], BAD, "did you mean 'level.txt'?"),
    (["solve", "nowhere/level.txt"], BAD, "there is no folder nowhere"),
    (["solve", "https://example.com/level.txt"], BAD, "download it, then give the file"),
    (["solve", "*.lvl"], BAD, "no file matches it"),
    (["validate", "*.lvl"], BAD, "found nothing: '*.lvl'"),
    (["check", "proof.json", "level.txt"], BAD, "proof.json is a certificate, not an instance"),
    (["solve", "proof.json"], BAD, "'solvent check FILE CERTIFICATE' checks it, FILE first"),
    (
        ["check", "level.txt", "cut_proof.json"],
        BAD,
        "line 1, column 61: expected a certificate in JSON, but",
    ),
    (["solve", "results.db"], BAD, "'solvent report' shows one that 'solvent validate' wrote"),
    (["solve", "picture.png"], BAD, "but this is a PNG picture"),
    (["solve", "picture.png", "--as", "dungeon"], BAD, "but this is a PNG picture"),
    (["solve", "levels.zip"], BAD, "but this is a zip archive; unpack it first"),
    (["solve", "level.txt.gz"], BAD, "but this is a gzip archive; unpack it first"),
    (["solve", "utf16.txt"], BAD, "but this is text in UTF-16; save it as UTF-8"),
    (["solve", "noise.bin"], BAD, "noise.bin, column 1: expected text in UTF-8"),
    (["solve", "empty.txt"], BAD, "empty.txt: expected an instance, but the text is empty"),
    (["solve", "cut.json"], BAD, "line 12, column 42: expected a task as JSON, but the file ends too early"),
    (["solve", "cut.tmj"], BAD, "line 1, column 121: expected JSON that is whole, but the file ends"),
]


@pytest.mark.parametrize(("words", "code", "answer"), MISTAKES, ids=[" ".join(row[0]) for row in MISTAKES])
def test_a_mistake_gets_one_line_that_helps(run: Run, words: list[str], code: int, answer: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.no_answer) == (code, True)
    assert answer in ran.err
    assert ran.err.startswith("solvent: ")
    assert ran.err.count("\n") == 1
    assert len(ran.err) <= LONGEST


def test_a_tiled_map_without_objects_says_what_to_add(run: Run) -> None:
    ran = run("solve", "map.tmj")
    assert ran.code == BAD
    for word in ("start", "goal"):
        assert f"no {word}: put an object on its tile whose class, or whose name, is {word}" in ran.err
    assert "'solvent mapping map.tmj' writes a mapping" in ran.err


def test_what_is_no_mistake_just_works(run: Run) -> None:
    assert run("solve", "windows.txt").code == 0
    assert run("solve", "level.txt", "--nodes", "1e6", "--seconds", "60").code == 0
    assert run("solve", "level.txt", "--nodes", "1,000,000").code == 0
    assert run("help", "solve") == run("solve", "--help")
    assert run("help") == run("--help")
    assert run("version") == run("--version")
