"""From bytes and texts to problems and back."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_domain.model import Grid

from solvent import reading, registry
from solvent.core.errors import BadOption, NotRecognised, ParseError
from solvent.reading import decode_problem, format_problem, parse_problem, read_problem

GRID = Grid(1, 2, (True, False))
TEXT = "lamps\n*.\n"


@pytest.fixture(autouse=True, scope="module")
def lamps_are_known():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_added_modules", lambda: {"lamps": "template_domain"})
        yield


@pytest.mark.parametrize(
    "data",
    [TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), TEXT.replace("\n", "\r\n").encode(), b"\n\n" + TEXT.encode()],
    ids=["plain", "byte order mark", "Windows line ends", "blank lines first"],
)
def test_reads_what_editors_write(data: bytes, tmp_path: Path):
    file = tmp_path / "board.txt"
    file.write_bytes(data)
    assert read_problem(file) == GRID
    assert read_problem(str(file)) == GRID


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "board.txt: expected an instance, but the text is empty"),
        (b" \n\t", "board.txt: expected an instance, but the text is empty"),
        (b"lamps\n*\0\n", "board.txt, column 8: expected text, but it holds a zero byte"),
        (b"lamps\n\xff*\n", r"board.txt, column 7: expected text in UTF-8, found b'\\xff\*\\n'"),
        (b"PK\x03\x04", "board.txt: expected an instance as text, but this is a zip archive; unpack it first"),
        (b"lamps\n*x\n", r"board.txt, line 2, column 2: expected '\*' or '.', found 'x'"),
    ],
    ids=["empty", "blank", "zero byte", "not UTF-8", "junk", "mistake"],
)
def test_says_what_is_wrong_and_in_which_file(data: bytes, message: str):
    with pytest.raises(ParseError, match=message):
        decode_problem(data, source="board.txt")


def test_a_file_too_large_is_refused_before_it_is_read_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(reading, "LARGEST_FILE_BYTES", 1 << 20)
    file = tmp_path / "big.txt"
    file.write_bytes(b"lamps\n" + b"*" * (2 << 20))
    with pytest.raises(ParseError, match=r"big.txt: expected at most 1 MB of text"):
        read_problem(file)


def test_a_file_too_large_is_refused_by_its_size_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    file = tmp_path / "huge.txt"
    with file.open("wb") as made:
        made.truncate(1 << 40)  # a terabyte of holes

    class Unread:
        def __init__(self, path: Path, mode: str) -> None:
            self.file = path.open(mode)

        def __enter__(self) -> Unread:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def fileno(self) -> int:
            return self.file.fileno()

        def read(self, _size: int) -> bytes:
            raise AssertionError("it was read")

    monkeypatch.setattr(reading, "open", Unread, raising=False)
    with pytest.raises(NotRecognised, match="expected at most 64 MB of text"):
        read_problem(file)
    with pytest.raises(ParseError, match="expected at most 64 MB of text"):
        read_problem(file, domain="lamps")


def test_a_missing_file_stays_a_missing_file(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        read_problem(tmp_path / "nothing.txt")


def test_naming_the_domain_overrides_what_the_text_looks_like():
    assert parse_problem(TEXT, domain="lamps") == GRID
    with pytest.raises(ParseError, match="the heading 'lamps', found 'chess'"):
        parse_problem("chess\n", domain="lamps")
    with pytest.raises(BadOption, match=r"unknown domain 'chess'; there are: .*lamps"):
        parse_problem(TEXT, domain="chess")


def test_what_nobody_knows_is_not_recognised():
    with pytest.raises(NotRecognised, match="found 'a riddle'"):
        parse_problem("a riddle")


def test_formats_by_name_or_by_default():
    assert format_problem(GRID) == format_problem(GRID, "grid") == TEXT
    with pytest.raises(BadOption, match="unknown lamps format 'riddle'; there are: grid"):
        format_problem(GRID, "riddle")


@given(st.binary(max_size=300))
def test_any_bytes_are_a_problem_or_a_parse_error(data: bytes):
    try:
        decode_problem(data, source="board.txt")
    except ParseError as error:
        message = str(error)
    else:
        return
    assert message.startswith("board.txt")
    assert len(message) < 500


@given(st.data())
def test_every_grid_survives_a_round_trip(data: st.DataObject):
    rows, cols = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    lit = data.draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))
    grid = Grid(rows, cols, tuple(lit))
    assert parse_problem(format_problem(grid)) == grid
    assert decode_problem(format_problem(grid).encode(), source="memory") == grid


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names on this system")
def test_what_has_no_size_beforehand_is_read_to_its_end(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "lamps" + "\n" * 100_000 + "*.\n"
    writer = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
    writer.start()
    assert read_problem(pipe) == Grid(1, 2, (True, False))
    writer.join()
