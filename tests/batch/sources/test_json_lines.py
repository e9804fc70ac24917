"""Instances as lines of JSON."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from solvent.batch.sources import json_lines
from solvent.batch.sources.json_lines import Line, count_lines, holds_lines, open_lines, read_lines


def read(data: bytes) -> list[Line]:
    return list(read_lines(io.BytesIO(data)))


def test_a_line_is_a_text_or_holds_one_or_is_an_instance():
    lines = [
        json.dumps("one\ntwo"),
        json.dumps({"text": "three", "name": "a level", "domain": "harmony", "seed": 7}),
        json.dumps({"text": "four"}),
        '{"size": 4, "text": ["not", "a", "text"]}',
        "[[1, 2], [3, 4]]",
    ]
    assert read("\n".join(lines).encode()) == [
        Line(1, "one\ntwo"),
        Line(2, "three", name="a level", domain="harmony"),
        Line(3, "four"),
        Line(4, lines[3]),
        Line(5, lines[4]),
    ]


def test_blank_lines_count_but_are_no_instances():
    assert [line.number for line in read(b'\n"a"\r\n  \r\n\n "b" \n')] == [2, 5]


def test_a_mark_at_the_beginning_is_no_part_of_the_first_line():
    assert read(b'\xef\xbb\xbf"a"\n') == [Line(1, "a")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"text": "a"', 'found \'{"text": "a"\' (truncated)'),
        (b'{"text": "a"} x', "trailing characters"),
        (b"Hello", "expected a text in quotes"),
        (b"17", "found '17'"),
        (b"null", "found 'null'"),
        (b'"\xff"', "expected text in UTF-8, found b'\\xff\"' at byte 2"),
        (b'{"text": "a", "name": 3}', "expected a text as name, found 3"),
        (b'{"text": "a", "domain": "chess"}', "expected a domain that there is"),
        (b'{"text": "\\ud800"}', "expected a text in quotes"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_line_is_a_problem_and_the_next_one_is_read(line: bytes, said: str):
    broken, after = read(line + b'\n"fine"\n')
    assert broken.number == 1
    assert said in (broken.problem or "")
    assert broken.text is None
    assert after == Line(2, "fine")


def test_a_line_that_is_too_long_is_skipped_without_being_held(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(json_lines, "LARGEST_FILE_BYTES", 1 << 20)
    monkeypatch.setattr(json_lines, "CHUNK_BYTES", 1 << 16)
    too_long, after = read(b'"' + b"x" * (5 << 20) + b'"\n"fine"\n')
    assert too_long == Line(1, problem="expected at most 1 MB on a line")
    assert after == Line(2, "fine")
    assert [len(line) for line in json_lines._lines(io.BytesIO(b"x" * (1 << 20) + b"\nyy\n"), most=10)] == [11, 2]


def test_only_one_line_is_drawn_at_a_time():
    class Slow(io.RawIOBase):
        reads = 0

        def readline(self, limit: int | None = -1) -> bytes:
            self.reads += 1
            return b'"a"\n'

    stream = Slow()
    lines = read_lines(stream)
    assert [next(lines).number, next(lines).number] == [1, 2]
    assert stream.reads == 2


@pytest.mark.parametrize("name", ["a.jsonl", "B.JSONL", "c.ndjson", "d.jsonl.gz"])
def test_which_files_hold_lines(name: str):
    assert holds_lines(name)
    assert not holds_lines(f"{name}.txt")


def test_lines_are_counted_without_blank_ones(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'"a"\n\n  \n' + b'"' + b"x" * (3 << 20) + b'"\n{')
    assert count_lines(str(path)) == 3 == len(read(path.read_bytes()))


def compressed(folder: Path, change: Callable[[bytes], bytes]) -> str:
    path = folder / "a.jsonl.gz"
    path.write_bytes(change(gzip.compress(b'"a"\n' * 5000 + b'"the last"\n', mtime=0)))
    return str(path)


def test_compressed_lines_are_read_but_not_counted(tmp_path: Path):
    path = compressed(tmp_path, lambda data: data)
    assert count_lines(path) is None
    with open_lines(path) as stream:
        assert [line.text for line in read_lines(stream)] == ["a"] * 5000 + ["the last"]


@pytest.mark.parametrize(
    "change", [lambda data: data[:-20], lambda data: data[:30] + b"\0\0\0\0" + data[34:], lambda data: b"no gzip"]
)
def test_a_damaged_stream_ends_with_a_problem(tmp_path: Path, change: Callable[[bytes], bytes]):
    with open_lines(compressed(tmp_path, change)) as stream:
        last = list(read_lines(stream))[-1]
    assert (last.problem or "").startswith("cannot read on from here: ")
