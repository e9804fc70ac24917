"""`generate`, `draw`, `convert`, `examples` and `domains`."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from msgspec import structs

from cli import coins
from cli.conftest import PAYABLE
from helpers.command import Ran, Run
from solvent.cli.output import write_file
from solvent.core.domain import Drawing


def test_generate_repeats_and_depends_on_the_seed(run: Run) -> None:
    first = run("generate", "coins", "--seed", "3")
    assert (first.code, first.err) == (0, "")
    assert first == run("generate", "coins", "--seed", "3")
    assert first.out != run("generate", "coins", "--seed", "4").out


def test_generate_takes_the_options_of_the_domain_and_a_format(run: Run) -> None:
    made = json.loads(run("generate", "coins", "--coins=7", "--format", "json").out)
    assert len(made["coins"]) == 7


@pytest.mark.parametrize(("out", "names"), [("made/", "made/coins-{}.txt"), ("p-{seed}.coins", "p-{}.coins")])
def test_generate_many_writes_one_file_for_each_seed(run: Run, out: str, names: str) -> None:
    ran = run("generate", "coins", "--seed", "4", "-n", "3", "-o", out)
    assert (ran.code, ran.out) == (0, "")
    assert "Wrote 3 files" in ran.err
    for seed in (4, 5, 6):
        assert Path(names.format(seed)).read_text() == run("generate", "coins", "--seed", str(seed)).out


def test_generate_many_into_a_folder_that_exists_in_another_format(run: Run) -> None:
    Path("made").mkdir()
    assert run("generate", "coins", "-n", "2", "-o", "made", "--format", "json").code == 0
    assert sorted(path.name for path in Path("made").iterdir()) == ["coins-0.json", "coins-1.json"]


def test_generate_several_to_standard_output(run: Run) -> None:
    ran = run("generate", "coins", "--seed", "4", "--count", "2")
    assert (ran.code, ran.err) == (0, "")
    apart = [run("generate", "coins", "--seed", seed).out for seed in ("4", "5")]
    assert ran.out == "\n".join(apart)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["coins", "-n", "2", "-o", "one.txt"], 2, "--count needs -o"),
        (["coins", "-n", "0"], 2, "0 is not in the range"),
        (["coins", "--seed", "-1"], 2, "-1 is not in the range"),
        (["coins", "--coins", "99"], 2, "coins: expected at most 9, found 99"),
        (["coins", "--colour", "red"], 2, "coins has --coins"),
        (["coins", "--format", "yaml"], 2, "unknown coins format 'yaml'; there are: coins, json"),
        (["notes"], 2, "unknown domain 'notes'"),
        (["coins", "-o", "no/such.txt"], 30, "cannot write no/such.txt: "),
    ],
)
def test_generate_errors(run: Run, words: list[str], code: int, told: str) -> None:
    ran = run("generate", *words)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err


def test_a_domain_without_a_generator_or_hints_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, generator=None, hints=None))
    assert run("generate", "coins") == Ran(2, "", "solvent: coins has no generator\n")
    assert run("hint", "payable.txt") == Ran(2, "", "solvent: coins has no hints\n")


def test_draw_writes_svg_to_standard_output_or_a_file(run: Run) -> None:
    ran = run("draw", "payable.txt", "--move", "take 5")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("<svg ")
    assert "move take 5" in ran.out
    assert run("draw", "payable.txt", "--move", "take 5", "-o", "board.svg").out == ""
    assert Path("board.svg").read_text() == ran.out


def test_draw_gives_up_on_a_picture_that_takes_too_long(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    enough = threading.Event()

    def draw_forever(problem: coins.Purse, drawing: Drawing) -> str:
        enough.wait()
        return coins.draw_svg(problem, drawing)

    monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, draw_svg=draw_forever))
    try:
        assert run("draw", "payable.txt", "--seconds", "0.1") == Ran(20, "", "solvent: out of time (limit 0.1 s)\n")
    finally:
        enough.set()
    assert run("draw", "payable.txt", "--seconds", "60").out.startswith("<svg ")
    assert run("draw", "payable.txt", "--seconds", "-1").code == 2


def test_draw_as_text(run: Run) -> None:
    assert run("draw", "payable.txt", "--text").out == "(5)  (3)  (7) → 10\n"
    run("draw", "payable.txt", "--text", "-o", "board.txt")
    assert Path("board.txt").read_text(encoding="utf-8") == "(5)  (3)  (7) → 10\n"


def test_draw_shows_the_solution_of_a_certificate_it_has_checked(run: Run) -> None:
    run("solve", "payable.txt", "--certificate", "proof.json")
    assert "2 marked" in run("draw", "payable.txt", "--certificate", "proof.json").out
    ran = run("draw", "unpayable.txt", "--certificate", "proof.json")
    assert (ran.code, ran.out) == (31, "")
    assert ran.err.startswith("solvent: certificate rejected: there are 0 ways to pay 9; ")


@pytest.mark.parametrize(("word", "told"), [("--text", "--text cannot"), ("--move=take 3", "--move cannot")])
def test_draw_ignores_nothing_beside_a_certificate(run: Run, word: str, told: str) -> None:
    run("solve", "payable.txt", "--certificate", "proof.json")
    ran = run("draw", "payable.txt", "--certificate", "proof.json", word)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"solvent: {told} ")
    assert ran.err.count("\n") == 1


def test_draw_errors(run: Run) -> None:
    assert run("draw", "payable.txt", "--move", "drop 5").code == 2
    assert run("draw", "payable.txt", "-o", "no/such.svg").code == 30
    assert run("draw", "gone.txt").code == 30


def test_a_failed_write_leaves_the_old_file_and_no_other(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("board.svg").write_text("old")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    ran = run("draw", "payable.txt", "-o", "board.svg")
    assert (ran.code, ran.err) == (30, "solvent: cannot write board.svg: No space left on device\n")
    assert Path("board.svg").read_text() == "old"
    assert not list(Path().glob("*.part"))


def test_two_commands_may_write_a_file_at_the_same_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one does all of it between the two steps of this one."""
    target = tmp_path / "pages" / "page.html"
    target.parent.mkdir()
    replace = Path.replace

    def replace_late(self: Path, name: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        monkeypatch.setattr(os, "getpid", lambda: 0)
        write_file(b"theirs", str(target))
        return replace(self, name)

    monkeypatch.setattr(Path, "replace", replace_late)
    write_file(b"ours", str(target))
    assert [(path, path.read_bytes()) for path in target.parent.iterdir()] == [(target, b"ours")]


def test_convert_there_and_back(run: Run) -> None:
    assert run("convert", "payable.txt", "--to", "json", "-o", "payable.json").code == 0
    assert run("convert", "payable.json", "--to", "coins") == Ran(0, PAYABLE, "")
    assert run("convert", "payable.txt").code == 2
    assert run("convert", "payable.txt", "--to", "yaml").code == 2


def test_examples_are_listed_and_printed_as_files(run: Run) -> None:
    ran = run("examples")
    assert (ran.code, ran.err) == (0, "")
    assert "lunch  three coins pay for lunch (payable: YES, unique: YES)" in ran.out
    assert ran.out == run("examples", "coins").out
    assert run("examples", "coins", "lunch") == Ran(0, PAYABLE, "")
    ran = run("examples", "coins", "dinner")
    assert (ran.code, ran.err) == (2, "solvent: unknown coins example 'dinner'; there are: lunch, twins, short\n")


def test_domains_tells_questions_formats_and_options(run: Run) -> None:
    ran = run("domains")
    assert (ran.code, ran.err) == (0, "")
    for told in ("payable  Can the amount", "json   the same", "--order WORD", "--coins N", "--most N", "too-poor "):
        assert told in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    assert run("domains", "coins").out == ran.out
    assert run("domains", "notes").code == 2


def test_domains_as_json(run: Run) -> None:
    [described] = json.loads(run("domains", "--json").out)["domains"]
    assert list(described["questions"]) == ["payable", "unique"]
    assert described["solve_options"][0]["choices"] == ["small", "large"]
    assert list(described["invalidity_tests"]) == ["too-poor", "odd-amount"]
