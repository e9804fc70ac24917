"""Files that another file names: only regular files of a known kind, of bounded size, where they may be opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from solvent.core.errors import ParseError
from solvent.core.file_access import confined
from solvent.formats.companion_files import Companion, is_there, read_text

SHEET = Companion("sheet", (".txt", ".md"), largest_bytes=1 << 20)
INNER = Companion("sheet", (".txt",), in_folder_only=True)
WHERE = {"path": "$.sheet"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.txt", "inner/b.txt", "inner/map.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"\ufeff{name}", encoding="utf-8")
    return tmp_path


def test_a_file_beside_another_is_read(folder: Path):
    path = folder / "inner" / "map.json"
    assert SHEET.read(path, "b.txt", WHERE) == "inner/b.txt"
    assert SHEET.read(path, "../a.txt", WHERE) == SHEET.read(path, "..\\a.txt", WHERE) == "a.txt"
    assert INNER.read(folder / "map.json", "inner/b.txt", WHERE) == "inner/b.txt"
    assert read_text(folder / "a.txt", "sheet") == "a.txt"


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        (SHEET, "/etc/a.txt", r"at \$\.sheet: expected a path of the sheet relative to the file, found '/etc/a\.txt'"),
        (SHEET, "\\\\server\\a.txt", "relative to the file"),
        (SHEET, "C:\\a.txt", "relative to the file"),
        (SHEET, "a\0.txt", "relative to the file"),
        (SHEET, "b.exe", r"a sheet in a file that ends in \.txt or \.md"),
        (SHEET, "gone.txt", r"the sheet beside the file, but there is no such file, found 'gone\.txt'"),
        (SHEET, "folder.txt", "no such file"),
        (SHEET, "x" * 5000 + ".txt", "the sheet beside the file"),
        (SHEET, "large.txt", "a sheet of at most 1 MB"),
        (SHEET, "bytes.txt", "a sheet in UTF-8"),
        (INNER, "../a.txt", "a sheet in the folder of the file or below it"),
        (INNER, "link.txt", "a sheet in the folder of the file or below it"),
    ],
)
def test_what_is_refused(kind: Companion, name: str, message: str, folder: Path):
    inner = folder / "inner"
    (inner / "folder.txt").mkdir()
    (inner / "large.txt").write_bytes(b"x" * ((1 << 20) + 1))
    (inner / "bytes.txt").write_bytes(b"\xff")
    (inner / "link.txt").symlink_to(folder / "a.txt")
    with pytest.raises(ParseError, match=message):
        kind.read(inner / "map.json", name, WHERE)


def test_a_text_without_a_file_has_none_beside_it():
    with pytest.raises(ParseError, match=r"a file on disk, since its sheet is in another, found 'b\.txt'"):
        SHEET.read(None, "b.txt", WHERE)


def test_nothing_is_read_outside_the_folders_that_are_allowed(folder: Path):
    with confined([folder / "inner"]):
        assert is_there(folder / "inner" / "b.txt")
        assert not is_there(folder / "a.txt")
        with pytest.raises(ParseError, match="a sheet among the files that may be opened here"):
            SHEET.read(folder / "inner" / "map.json", "../a.txt", WHERE)
    assert not is_there(folder / ("x" * 5000))
