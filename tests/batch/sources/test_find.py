"""From what the user names to sources."""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from solvent.batch.exports import HEADER
from solvent.batch.records import Source
from solvent.batch.sources import folders
from solvent.batch.sources.find import count_sources, find_sources
from solvent.batch.store import Store
from solvent.core.answer import Verdict
from solvent.core.errors import SolventError
from solvent.proof.certificate import encode_certificate, make_certificate


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(*paths: str, text: str = "") -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)


def find(*paths: str, domain: str | None = None, stdin: bytes | None = None) -> list[Source]:
    found = list(find_sources(paths, domain=domain, stdin=None if stdin is None else io.BytesIO(stdin)))
    assert [source.number for source in found] == list(range(len(found)))
    if stdin is None:
        assert count_sources(paths, domain=domain) == len(found)
    return found


def test_files_folders_and_patterns_in_the_order_they_are_named():
    make("a.txt", "l/b.txt", "l/c/d.txt", "m/e.txt", "m/f.md")
    assert [source.path for source in find("m/*.txt", "a.txt", "l")] == ["m/e.txt", "a.txt", "l/b.txt", "l/c/d.txt"]


def test_a_file_is_a_source_by_its_path_with_the_domain_that_was_named():
    make("a.txt")
    assert find("a.txt", domain="harmony") == [Source(0, "a.txt", path="a.txt", domain="harmony", named=True)]


def test_a_file_counts_once_however_often_it_is_named():
    make("l/a.txt", "l/b.txt", "l/c/d.jsonl", text='"x"\n')
    assert len(find("l/b.txt", "l", "./l/a.txt", "l/*", "l/c", os.path.abspath("l"), "l/c/d.jsonl")) == 3


def test_a_name_with_signs_of_a_pattern_is_a_name_if_there_is_such_a_file():
    make("level[1].txt", "level1.txt")
    assert [source.path for source in find("level[1].txt")] == ["level[1].txt"]
    assert [source.path for source in find("level[1]*")] == ["level1.txt"]


def test_paths_that_lead_nowhere_are_told_at_once_and_all_together():
    make("a.txt")
    with pytest.raises(SolventError, match=r"expected a file or folder, found nothing: 'b.txt', 'l/\*'"):
        find_sources(["a.txt", "b.txt", "l/*"], stdin=None)
    with pytest.raises(SolventError, match=r"expected files that match, found nothing: '\*.md'"):
        find_sources(["*.md"], stdin=None)
    with pytest.raises(SolventError, match="standard input"):
        find_sources(["-"], stdin=None)


def test_an_empty_folder_has_no_sources():
    Path("l").mkdir()
    assert find("l") == []


def test_odd_names_are_kept_as_paths_and_shown_as_text(tmp_path: Path):
    odd = [b"two words.txt", b"two\nlines.txt", b"caf\xe9.txt", "日本.txt".encode()]
    for name in odd:
        Path(os.fsdecode(name)).write_text("")
    found = find(".")
    assert {os.fsencode(source.path or "") for source in found} == {b"./" + name for name in odd}
    assert [source.name for source in found] == ["./caf\\xe9.txt", "./two\\nlines.txt", "./two words.txt", "./日本.txt"]


def test_standard_input_is_lines():
    lines = [json.dumps("a"), "oops", json.dumps({"text": "b", "name": "my\nlevel", "domain": "valency"})]
    make("c.txt")
    found = find("-", "c.txt", "-", domain="harmony", stdin="\n".join(lines).encode())
    assert [(source.name, source.text, source.line, source.domain) for source in found] == [
        ("stdin:1", "a", 1, "harmony"),
        ("stdin:2", None, 2, "harmony"),
        ("my\\nlevel", "b", 3, "valency"),
        ("c.txt", None, None, "harmony"),
    ]
    assert "expected a text in quotes" in (found[1].problem or "")
    assert count_sources(["-"]) is None


def test_a_file_of_lines_is_as_many_sources_as_it_has():
    make("l/many.jsonl", text='"a"\n\n"b"\n')
    make("l/one.txt")
    assert [source.name for source in find("l")] == ["l/many.jsonl:1", "l/many.jsonl:3", "l/one.txt"]


def test_a_file_of_lines_that_cannot_be_opened_is_one_source_that_says_so():
    Path("gone.jsonl").symlink_to("nowhere")
    (source,) = find("gone.jsonl")
    assert source.problem == "cannot be opened: No such file or directory"


def test_a_pipe_is_read_as_lines_by_this_process():
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_text('"a"\n"b"\n'))
    writer.start()
    assert [source.text for source in find_sources(["pipe"])] == ["a", "b"]
    writer.join()
    assert count_sources(["pipe"]) is None


def test_a_file_of_a_folder_was_not_named():
    make("levels/a.txt")
    assert [source.named for path in ("levels", "levels/*.txt", "levels/a.txt") for source in find(path)] == [
        False,
        True,
        True,
    ]


def test_an_address_is_an_instance_itself():
    address = "https://puzz.link/p?starbattle/5/5/1/51a0b51a0b"
    (source,) = find(address)
    assert source == Source(0, address, text=address, named=True)


def test_what_a_run_wrote_is_left_out(tmp_path: Path):
    Store.open("results/validation.db").close()
    for name in ("renamed.db", "renamed.sqlite", "renamed.SQLITE3"):
        shutil.copy("results/validation.db", f"results/{name}")
    make("results/validation.db-wal", "results/validation.db-shm")
    Path("results/table.csv").write_bytes(HEADER + b"a,b\r\n")
    Path("results/lines.jsonl").write_bytes(b'{"validated":"a.txt","domain":null}\n')
    Path("results/report.html").write_text('<!doctype html>\n<html><head><meta name="generator" content="Solvent 1">')
    proof = encode_certificate(make_certificate("harmony", "solvable", Verdict.YES, "plan", plan=[]))
    Path("results/board.certificate.json").write_bytes(proof)
    make("results/other.json", text='{"valency": 1}')
    make("results/other.csv", "results/other.html", "results/other.db", "results/other-wal", text="mine")
    names = [os.path.basename(source.path or "") for source in find(".")]
    assert names == ["other-wal", "other.csv", "other.db", "other.html", "other.json"]
    assert find("results/validation.db", "results/*.jsonl") == []


def test_a_folder_that_cannot_be_listed_is_a_source_with_a_problem(monkeypatch: pytest.MonkeyPatch):
    make("l/a/level", "l/level")
    real = folders._list_folder

    def list_folder(folder: str, **how: Any) -> tuple[list[str], list[str]]:
        if folder == "l/a":
            raise PermissionError(13, "Permission denied")
        return real(folder, **how)

    monkeypatch.setattr(folders, "_list_folder", list_folder)
    level, folder = find("l")
    assert (level.path, level.problem) == ("l/level", None)
    assert (folder.path, folder.problem) == ("l/a", "cannot look into this folder: Permission denied")


def test_sources_are_found_one_at_a_time():
    endless = io.BytesIO(b'"a"\n' * 100_000)
    assert [source.number for source in itertools.islice(find_sources(["-"], stdin=endless), 3)] == [0, 1, 2]
    assert endless.tell() == 12
