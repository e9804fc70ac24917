"""Which files beside a file may be opened, whoever wrote the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from solvent.core.file_access import confined, may_open


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "given" / "below").mkdir(parents=True)
    (tmp_path / "given" / "below" / "a.txt").write_text("a")
    (tmp_path / "secret.txt").write_text("s")
    return tmp_path


def test_without_a_wish_everything_may_be_opened(folder: Path) -> None:
    assert may_open(folder / "secret.txt")


def test_only_what_is_in_a_given_folder_may_be_opened(folder: Path) -> None:
    with confined([folder / "given"]):
        assert may_open(folder / "given" / "below" / "a.txt")
        assert not may_open(folder / "secret.txt")
        assert not may_open(folder / "given" / ".." / "secret.txt")
        assert not may_open(Path("/etc/passwd"))
        assert not may_open(folder / "given2" / "a.txt")
        assert not may_open(Path("a\0b"))
    assert may_open(folder / "secret.txt")


def test_links_are_followed_before_it_is_decided(folder: Path) -> None:
    (folder / "given" / "out.txt").symlink_to(folder / "secret.txt")
    (folder / "given" / "in.txt").symlink_to(folder / "given" / "below" / "a.txt")
    (folder / "given" / "round.txt").symlink_to(folder / "given" / "round.txt")
    with confined([folder / "given"]):
        assert not may_open(folder / "given" / "out.txt")
        assert may_open(folder / "given" / "in.txt")
        may_open(folder / "given" / "round.txt")  # either way, but no crash


def test_a_given_file_does_not_open_its_folder(folder: Path) -> None:
    (folder / "given" / "b.txt").write_text("b")
    with confined([folder / "given" / "b.txt"]):
        assert may_open(folder / "given" / "b.txt")
        assert not may_open(folder / "given" / "below" / "a.txt")
