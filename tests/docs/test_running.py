"""The tests of the pages can fail: a page that is wrong is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.markdown import Step, read_anchors, read_blocks, read_links, read_steps
from docs.running import agree, differences, outputs


def page_of(language: str, text: str) -> str:
    return f"# A page\n\n```{language}\n{text}```\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("console", "$ echo one two\none two\n", "$ echo one two\none three\n"),
        ("console", "$ echo one two\none ...\n", "$ echo one two\n... one\n"),
        ("console", "$ echo 0.12 s\n9.87 s\n", "$ echo 12 s\n98 s\n"),
        ("console", "$ true\n$ echo $?\n0\n", "$ false\n$ echo $?\n0\n"),
        ("console", "$ echo oops >&2\noops\n", "$ echo oops >&2\n"),
        ("python", ">>> 1 + 1\n2\n", ">>> 1 + 1\n3\n"),
        ("python", ">>> int('x')\nTraceback (most recent call last):\n    ...\nValueError: ...\n", ">>> int('x')\n"),
    ],
)
def test_a_wrong_output_is_found_out(language: str, right: str, wrong: str, tmp_path: Path) -> None:
    assert differences(page_of(language, right), tmp_path) == []
    assert len(differences(page_of(language, wrong), tmp_path)) == 1


def test_plain_python_that_raises_is_not_swallowed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        differences(page_of("python", "assert 1 + 1 == 3\n"), tmp_path)


def test_the_blocks_of_a_page_share_names_and_files(tmp_path: Path) -> None:
    page = (
        page_of("python", "number = 7\n")
        + page_of("python", ">>> number + 1\n8\n>>> other = 9\n")
        + page_of("python", "assert other == 9\n")
        + page_of("text", "# note.txt\nhello\n")
        + page_of("console", "$ tail -1 note.txt\nhello\n")
    )
    assert differences(page, tmp_path) == []


def test_other_languages_are_left_alone(tmp_path: Path) -> None:
    assert differences(page_of("sh", "rm -r nothing-that-exists\n"), tmp_path) == []


def test_a_block_knows_its_line_and_its_file() -> None:
    block, other = read_blocks(page_of("text", "# board.txt\nROWS 1\n") + page_of("text", "# not a file\n"))
    assert (block.line, block.file_name, other.file_name) == (4, "board.txt", None)


def test_a_transcript_is_cut_into_commands_and_outputs() -> None:
    steps = read_steps("$ cat <<END\n> a\n> END\na\n\n$ true\n")
    assert steps == [Step("cat <<END\na\nEND", "a"), Step("true", "")]
    with pytest.raises(ValueError, match="begins with"):
        read_steps("no prompt\n")


def test_a_command_of_several_lines_runs(tmp_path: Path) -> None:
    assert outputs(["for x in 1 2\ndo\n echo $x\ndone", "echo end"], tmp_path) == ["1\n2", "end"]


def test_seconds_and_sizes_need_not_agree_but_counts_must() -> None:
    assert agree("3 steps, 0.10 s, 1,020 bytes", "3 steps, 12.5 s, 7 bytes")
    assert agree("proved in 12 steps", "proved in 1,200 steps")
    assert not agree("3 steps, 0.10 s", "4 steps, 0.10 s")


def test_times_in_tables_and_in_names_of_files_need_not_agree_but_counts_beside_them_must() -> None:
    row = "board.txt  PASS   7    0.002      11"
    assert agree(row, "board.txt  PASS   7   12.345      11")
    assert not agree(row, "board.txt  PASS   8    0.002      11")
    assert not agree(row, "board.txt  PASS   7    0.002      12")
    assert agree("harmony  solvable  4  3     0.02", "harmony  solvable  4  3   112.50")
    assert agree("6 answers in 9 s.", "6 answers in 1 min 20 s.")
    assert not agree("6 answers in 9 s.", "7 answers in 9 s.")
    assert agree("validation_20260301T120000Z.csv", "validation_20261116T183017Z.csv")
    assert agree("2026-03-01 12:00 UTC, page 1.2 MB", "2026-11-16 18:30 UTC, page 20.3 kB")


def test_links_and_anchors_are_found() -> None:
    page = "# A title, with `code`!\n\nSee [here](a.md#b-c) and `not[this](one)`.\n\n```text\n# no heading\n```\n"
    assert list(read_links(page)) == ["a.md#b-c"]
    assert read_anchors(page) == {"a-title-with-code"}
