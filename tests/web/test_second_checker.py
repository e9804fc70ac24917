"""The second checker in its three homes: as one file for Node, imported as a module, and in the page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import solvent
from helpers.browser import expect, go_to_example, needs_browser
from helpers.command import Run
from solvent.registry import all_domains
from solvent.web.second_checker import FILE_NAME, one_file, part_files, second_checkers

TOP_LEVEL = re.compile(r"^(?:function|const) (\w+)", re.MULTILINE)
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no Node here: install Debian's package nodejs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the one file, an instance and its certificate."""
    [example] = [example for example in solvent.examples("starbattle") if example.name == "first_stars"]
    (tmp_path / FILE_NAME).write_text(one_file(), encoding="utf-8")
    (tmp_path / "board.txt").write_text(example.text, encoding="utf-8")
    answer = solvent.ask(solvent.parse(example.text), "unique")
    (tmp_path / "proof.json").write_text(json.dumps(answer.certificate), encoding="utf-8")
    return tmp_path


def node(folder: Path, *arguments: str) -> tuple[int, str]:
    assert NODE is not None
    done = subprocess.run([NODE, *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout + done.stderr


def change(folder: Path, **values: Any) -> None:
    certificate = json.loads((folder / "proof.json").read_text(encoding="utf-8"))
    (folder / "proof.json").write_text(json.dumps({**certificate, **values}), encoding="utf-8")


@needs_node
def test_a_true_certificate_is_accepted(folder: Path) -> None:
    assert node(folder, FILE_NAME, "board.txt", "proof.json") == (0, "accepted\n")


@needs_node
def test_a_false_certificate_is_rejected_with_every_violation(folder: Path) -> None:
    change(folder, stars=[[0, 2], [1, 0], [2, 3], [3, 1]])
    code, output = node(folder, FILE_NAME, "board.txt", "proof.json")
    assert code == 31
    assert output.startswith("rejected: 3 violations\n")
    assert "row 5 has 0 stars, not 1" in output


@needs_node
@pytest.mark.parametrize("form", ["explained chain", "free cell"])
def test_an_unknown_form_is_not_checked(folder: Path, form: str) -> None:
    change(folder, form=form)
    code, output = node(folder, FILE_NAME, "board.txt", "proof.json")
    assert (code, output) == (32, f"not checked: the form '{form}' is not covered by this checker\n")


@needs_node
def test_a_whole_number_with_a_point_is_none(folder: Path) -> None:
    text = (folder / "proof.json").read_text(encoding="utf-8")
    (folder / "proof.json").write_text(text.replace('"solvent": 1,', '"solvent": 1.0,'), encoding="utf-8")
    assert node(folder, FILE_NAME, "board.txt", "proof.json")[0] == 31


@needs_node
@pytest.mark.parametrize(("file", "text"), [("proof.json", "{"), ("board.txt", "5 1\nABBBB\n")])
def test_what_cannot_be_read_is_bad_input(folder: Path, file: str, text: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    code, output = node(folder, FILE_NAME, "board.txt", "proof.json")
    assert code == 30
    assert output.startswith("bad input: ")


@needs_node
def test_a_missing_file_is_bad_input_and_a_missing_argument_a_wrong_call(folder: Path) -> None:
    assert node(folder, FILE_NAME, "board.txt", "nothing.json")[0] == 30
    assert node(folder, FILE_NAME, "board.txt")[0] == 2


@needs_node
def test_it_can_be_imported(folder: Path) -> None:
    script = f"""
        import {{ check }} from "./{FILE_NAME}";
        import {{ readFileSync }} from "node:fs";
        const [board, proof] = ["board.txt", "proof.json"].map((name) => readFileSync(name, "utf-8"));
        console.log(check(board, JSON.parse(proof)).verdict);
    """
    assert node(folder, "--input-type=module", "--eval", script) == (0, "accepted\n")


@needs_node
def test_other_domains_are_not_checked(folder: Path) -> None:
    change(folder, domain="chess")
    assert node(folder, FILE_NAME, "board.txt", "proof.json")[0] == 32


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "checker.mjs"
    assert run("check", "--second-checker", str(out)).code == 0
    assert out.read_text(encoding="utf-8") == one_file()
    assert run("check", "board.txt", "proof.json", "--second-checker", str(out)).code == 2


def test_the_one_file_has_each_part_once_and_imports_nothing_else() -> None:
    text = one_file()
    assert set(second_checkers()) <= {domain.name for domain in all_domains()}
    for path in second_checkers().values():
        parts = part_files(path)
        assert {part.parent for part in parts} <= {path.parent, path.parent / path.stem}
        names = [name for part in parts for name in TOP_LEVEL.findall(part.read_text(encoding="utf-8"))]
        assert sorted(set(names)) == sorted(names), "all parts of a domain share one scope"
        assert all(text.count(f"\nfunction {name}(") + text.count(f"\nconst {name} =") >= 1 for name in names)
    before_the_command = text.partition("// The command of the one-file checker")[0]
    assert not any(word in before_the_command for word in ('from "', "import(", "fetch(", "XMLHttpRequest", "require("))


def test_a_part_of_a_folder_that_nothing_imports_is_no_part() -> None:
    for path in second_checkers().values():
        assert set(part_files(path)) == {path, *(path.parent / path.stem).glob("*.js")}


@needs_browser
@pytest.mark.parametrize(
    ("domain", "name", "question"),
    [("starbattle", "first_stars", "Unique?"), ("dungeon", "the_wrong_door", "Losable?")],
)
def test_the_page_checks_without_the_server(page: Any, domain: str, name: str, question: str) -> None:
    page.goto("")
    go_to_example(page, domain, name, ".questions button")
    page.get_by_role("button", name=question).click()
    check = page.get_by_role("button", name="Check it in your browser")
    expect(check).to_be_enabled()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    check.click()
    expect(page.locator(".answer .opinion")).to_contain_text("Accepted in")
    assert asked == []


@needs_browser
def test_the_page_rejects_a_false_certificate_and_says_what_it_does_not_cover(page: Any) -> None:
    page.goto("")
    [example] = [example for example in solvent.examples("starbattle") if example.name == "first_stars"]
    certificate = solvent.ask(solvent.parse(example.text), "solvable").certificate
    assert certificate is not None
    said = page.evaluate(
        """async ([text, certificates]) => {
            const { secondOpinion } = await import("/static/second_opinion.js");
            const said = [];
            for (const certificate of certificates) {
                const shown = secondOpinion("starbattle", text, certificate);
                document.body.append(shown);
                const ask = shown.querySelector("button");
                while (ask.disabled) await new Promise((done) => setTimeout(done, 10));
                ask.click();
                while (ask.disabled) await new Promise((done) => setTimeout(done, 10));
                said.push(shown.querySelector(".opinion").textContent);
            }
            return said;
        }""",
        [example.text, [{**certificate, "stars": []}, {**certificate, "form": "explained chain"}]],
    )
    assert "Rejected" in said[0]
    assert "row 1 has 0 stars, not 1" in said[0]
    assert said[1] == "Not checked: the form 'explained chain' is not covered by this checker."


def test_the_server_gives_the_one_file(workbench: str) -> None:
    import urllib.request

    with urllib.request.urlopen(f"{workbench}{FILE_NAME}") as reply:
        assert reply.headers["content-type"].startswith("text/javascript")
        assert reply.read().decode() == one_file()
