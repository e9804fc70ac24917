"""Finding files: below folders and by patterns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from solvent.batch.sources import folders
from solvent.batch.sources.folders import Found, Seen, files_below, files_matching, may_find_twice


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("")


def below(folder: str, *, keeps_files: bool = False) -> list[str]:
    return [found.path for found in files_below(folder, Seen(keeps_files))]


def matching(pattern: str) -> list[str]:
    return [found.path for found in files_matching(pattern, Seen(may_find_twice(pattern)))]


def test_files_of_a_folder_come_before_those_below_it_and_numbers_in_their_order():
    make("l/level10.txt", "l/level9.txt", "l/level009b", "l/a/z", "l/a10/x", "l/a9/x", "l/b/c/d")
    assert below("l") == ["l/level9.txt", "l/level009b", "l/level10.txt", "l/a/z", "l/a9/x", "l/a10/x", "l/b/c/d"]


def test_a_very_large_folder_is_sorted_letter_by_letter(monkeypatch: pytest.MonkeyPatch):
    make("l/level10", "l/level9")
    monkeypatch.setattr(folders, "MAX_IN_COUNTING_ORDER", 1)
    assert below("l") == ["l/level10", "l/level9"]


def test_hidden_files_and_folders_are_passed_over():
    make("l/.DS_Store", "l/.git/config", "l/level")
    assert below("l") == ["l/level"]


def test_pipes_are_left_alone_and_broken_links_are_not():
    make("l/level")
    os.mkfifo("l/pipe")
    Path("l/gone").symlink_to("nowhere")
    assert below("l") == ["l/gone", "l/level"]


def test_a_circle_of_links_ends():
    make("l/level", "l/deep/level")
    Path("l/deep/back").symlink_to("..")
    Path("l/itself").symlink_to("itself")
    assert below("l") == ["l/itself", "l/level", "l/deep/level"]


def test_a_link_to_a_folder_elsewhere_is_followed():
    make("elsewhere/level", "l/level")
    Path("l/link").symlink_to("../elsewhere")
    assert below("l") == ["l/level", "l/link/level"]


def test_a_folder_that_cannot_be_looked_into_is_told_and_the_rest_is_found(monkeypatch: pytest.MonkeyPatch):
    make("l/a/level", "l/b/level")
    real = os.scandir

    def scandir(folder: str) -> Iterator[os.DirEntry[str]]:
        if folder == "l/a":
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(folders.os, "scandir", scandir)
    assert list(files_below("l", Seen(keeps_files=False))) == [
        Found("l/a", "cannot look into this folder: Permission denied"),
        Found("l/b/level"),
    ]
    assert [found.problem is not None for found in files_matching("l/*/*", Seen(keeps_files=False))] == [True, False]


def test_only_the_folders_on_the_way_to_the_first_file_are_listed(monkeypatch: pytest.MonkeyPatch):
    for number in range(40):
        os.makedirs(f"l/folder{number}")
        for each in range(25):
            os.close(os.open(f"l/folder{number}/level{each}", os.O_CREAT))
    listed = []
    real = os.scandir
    monkeypatch.setattr(folders.os, "scandir", lambda folder: (listed.append(folder), real(folder))[1])
    found = files_below("l", Seen(keeps_files=False))
    assert next(found).path == "l/folder0/level0"
    assert listed == ["l", "l/folder0"]
    assert sum(1 for _ in found) == 999


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("l/*.txt", ["l/a.txt", "l/b.txt"]),
        ("l/?.md", ["l/a.md"]),
        ("l/[!a].*", ["l/b.txt"]),
        ("*/c/*", ["l/c/d.txt", "l/c/e/f.txt"]),  # a folder that matches stands for what is below it
        ("l/*", ["l/a.md", "l/a.txt", "l/b.txt", "l/c/d.txt", "l/c/e/f.txt"]),
        ("l/**/*.txt", ["l/a.txt", "l/b.txt", "l/c/d.txt", "l/c/e/f.txt"]),
        ("l/**", ["l/a.md", "l/a.txt", "l/b.txt", "l/c/d.txt", "l/c/e/f.txt"]),
        ("**/e/*", ["l/c/e/f.txt"]),
        ("**/**/f.txt", ["l/c/e/f.txt"]),
        ("l/**/c/**/*.txt", ["l/c/d.txt", "l/c/e/f.txt"]),
        ("l/c/*/f.txt", ["l/c/e/f.txt"]),
        ("l/.*", ["l/.hidden", "l/.git/a.txt"]),
        ("./l/a.*", ["./l/a.md", "./l/a.txt"]),
        ("l/*/nothing", []),
        ("l/a.txt/*", []),
        ("nowhere/*", []),
    ],
)
def test_patterns(pattern: str, expected: list[str]):
    make("l/a.txt", "l/a.md", "l/b.txt", "l/.hidden", "l/.git/a.txt", "l/c/d.txt", "l/c/e/f.txt")
    assert matching(pattern) == expected


def test_a_pattern_may_begin_at_the_root(tmp_path: Path):
    make("l/a.txt")
    assert matching(f"{tmp_path}/l/*.txt") == [f"{tmp_path}/l/a.txt"]


def test_a_pattern_that_goes_all_the_way_down_ends_in_a_circle_of_links():
    make("l/deep/level")
    Path("l/deep/back").symlink_to("..")
    assert matching("l/**/level") == ["l/deep/level"]


def test_what_was_found_by_one_path_is_not_found_by_another():
    make("l/a", "l/b", "l/c/d")
    seen = Seen(keeps_files=True)
    assert seen.take_named("l/b")
    assert [found.path for found in files_matching("l/c/*", seen)] == ["l/c/d"]
    assert [found.path for found in files_below("./l", seen)] == ["./l/a"]
    assert not seen.take_named("l/a")
    assert not seen.take_named("l/../l/c/d")


def test_links_that_lead_out_are_passed_over_where_that_is_wished(tmp_path: Path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside / "deep", outside):
        folder.mkdir(parents=True)
        (folder / "level").write_text("x")
    (inside / "out").symlink_to(outside)
    (inside / "file").symlink_to(outside / "level")
    (inside / "same").symlink_to(inside / "deep" / "level")
    root = str(inside)
    everything = {found.path for found in files_below(root, Seen(keeps_files=False))}
    confined = {found.path for found in files_below(root, Seen(keeps_files=False), within=root)}
    assert everything - confined == {f"{root}/out/level", f"{root}/file"}
    assert confined == {f"{root}/deep/level", f"{root}/same"}
