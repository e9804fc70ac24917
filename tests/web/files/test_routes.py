"""The user's files: what was given is listed and opened, and nothing else is, whoever names it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from helpers.processes import wait_until
from solvent.core.errors import ParseError
from solvent.core.file_access import confined
from solvent.reading import read_problem
from solvent.web.errors import Refusal
from solvent.web.files import work
from solvent.web.served_files import ServedFile, list_files
from web.served_folder import TILE_MAP, ServedFolder

SECRET = '{"name": "secret", "tiles": []}'


def names(*given: Path) -> list[str]:
    return [file.name for file in list_files(given).files.values()]


def order(path: Path, *given: Path, most: int = 1 << 20) -> tuple[ServedFile, tuple[Path, ...], int]:
    return ServedFile("id", path, path.name, 0, 0.0), given, most


def listed(served: ServedFolder, name: str) -> str:
    """Have the server look again until it has found a file; it does not look at every wish."""

    def found() -> list[str]:
        files = served.files(again=True, text=name)["files"]
        return [file["id"] for file in files]

    wait_until(lambda: bool(found()), f"{name} to be listed")
    return found()[0]


def test_what_was_given_is_listed_with_its_size(served: ServedFolder) -> None:
    found = served.files()
    assert found["total"] == found["matching"] >= 7
    sizes = {file["name"]: file["bytes"] for file in found["files"]}
    assert sizes["levels/broken.txt"] == (served.folder / "broken.txt").stat().st_size
    assert not any("results of May" in name for name in sizes)  # a store is none of them


def test_a_list_is_searched_and_cut_into_pages(served: ServedFolder) -> None:
    found = served.files(text="HARMONY txt", count=2)
    assert (found["matching"], len(found["files"])) == (3, 2)
    assert served.files(text="harmony", start=2)["files"][0]["name"].startswith("levels/harmony/")
    assert served.files(text="nothing like that")["files"] == []


@pytest.mark.parametrize("query", ["count=0", "count=201", "start=-1", "start=x", "who=me", "text=a&text=b"])
def test_a_query_that_is_not_as_described_is_refused(served: ServedFolder, query: str) -> None:
    assert served.get(f"files?{query}").status == 400


def test_a_file_is_read_and_drawn(served: ServedFolder) -> None:
    file = served.file_id("easy.txt")
    read = served.get(f"files/{file}").json
    assert read["domain"] == "harmony"
    assert read["text"]
    drawn = served.get(f"files/{file}/picture.svg")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert b"<svg" in drawn.data
    assert b"not known" in served.get(f"files/{served.file_id('notes.md')}/picture.svg").data


def test_what_cannot_be_read_says_where(served: ServedFolder) -> None:
    error = served.get(f"files/{served.file_id('broken.txt')}").error
    assert (error["kind"], error["where"]["line"]) == ("instance", 3)
    assert str(served.folder) not in error["message"]  # nobody learns where on the machine it is


def test_a_file_that_vanished_is_told_kindly_and_looking_again_forgets_it(served: ServedFolder) -> None:
    (served.folder / "passing.txt").write_text("x")
    file = listed(served, "passing.txt")
    (served.folder / "passing.txt").unlink()
    reply = served.get(f"files/{file}")
    assert reply.status == 404
    assert "no longer there" in reply.error["message"]
    (served.folder / "passing.txt").symlink_to("/etc/passwd")
    reply = served.get(f"files/{file}")
    assert reply.status == 404
    assert "root:" not in reply.data.decode()
    (served.folder / "passing.txt").unlink()


@pytest.mark.parametrize(
    "name",
    [
        *("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "%2Fetc%2Fpasswd"),
        *("harmony/easy.txt", "levels%2Fharmony%2Feasy.txt", "0", "%00", "..", "....//", "file:%2f%2f%2fetc%2fpasswd"),
    ],
)
@pytest.mark.parametrize("way", ["files/{}", "files/{}/picture.svg", "runs/{}/1", "runs/{}/1/rows", "runs/{}/1/0"])
def test_no_path_in_an_address_opens_anything(served: ServedFolder, way: str, name: str) -> None:
    assert served.get(way.format(name)).status == 404


def test_links_that_lead_out_are_not_listed(tmp_path: Path) -> None:
    given, outside = tmp_path / "given", tmp_path / "outside"
    for folder in (given, outside):
        folder.mkdir()
        (folder / "level.txt").write_text("x")
    (given / "out").symlink_to(outside)
    (given / "out.txt").symlink_to(outside / "level.txt")
    (given / "in.txt").symlink_to(given / "level.txt")
    (given / ".hidden").write_text("x")
    os.mkfifo(given / "pipe")
    assert names(given) == ["in.txt", "level.txt"]
    assert names(given / "level.txt") == ["level.txt"]
    assert names(tmp_path / "gone") == []


def test_each_file_has_a_number_of_its_own_that_stays(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "level.txt").write_text("x")
    both = list_files([tmp_path / "a", tmp_path / "b"]).files
    assert [place.name for place in both.values()] == ["a/level.txt", "b/level.txt"]
    assert list(list_files([tmp_path / "a", tmp_path / "b"]).files) == list(both)


def test_thousands_of_files_are_listed_page_by_page(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / f"level{number}.txt").write_text("")
    listed = names(tmp_path)
    assert len(listed) == 5_000
    assert listed[:3] == ["level0.txt", "level1.txt", "level2.txt"]
    assert listed[-1] == "level4999.txt"


def a_map(folder: Path, source: str) -> Path:
    path = folder / "map.tmj"
    path.write_text(TILE_MAP.replace("SOURCE", source))
    return path


@pytest.mark.parametrize("source", ["../secret.tsj", "below/../../secret.tsj", "link.tsj"])
def test_a_map_cannot_name_a_file_that_was_not_given(tmp_path: Path, source: str) -> None:
    given = tmp_path / "given"
    (given / "below").mkdir(parents=True)
    (tmp_path / "secret.tsj").write_text(SECRET)
    (given / "link.tsj").symlink_to(tmp_path / "secret.tsj")
    path = a_map(given, source)
    with confined([given]), pytest.raises(ParseError, match="among the files that may be opened here"):
        read_problem(path)
    with pytest.raises(ParseError, match="among the files that may be opened here"):
        work.read_file(*order(path, given))
    # Without the confines it is opened, so that is what kept it shut.
    with pytest.raises(ParseError) as open_to_all:
        read_problem(path)
    assert "may be opened" not in str(open_to_all.value)


def test_a_file_alone_does_not_open_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "tiles.tsj").write_text(SECRET)
    path = a_map(tmp_path, "tiles.tsj")
    with pytest.raises(ParseError, match="among the files that may be opened here"):
        work.read_file(*order(path, path))
    with pytest.raises(ParseError) as given_both:
        work.read_file(*order(path, path, tmp_path / "tiles.tsj"))
    assert "may be opened" not in str(given_both.value)


def test_a_mapping_that_was_given_too_is_used_and_no_path_is_shown(tmp_path: Path) -> None:
    maps = tmp_path / "maps"
    maps.mkdir()
    path = a_map(maps, "tiles.tsj")
    made = json.loads(path.read_text())
    made["tilesets"] = [{"firstgid": 1, "name": "t", "tilecount": 2}]
    made["layers"][0]["data"] = [1, 1, 1, 2, 2, 2, 1, 1, 1]
    things = [{"id": n, "type": kind, "x": 16 * n, "y": 16, "width": 16, "height": 16} for n, kind in enumerate("AB")]
    made["layers"].append({"type": "objectgroup", "name": "o", "objects": things})
    path.write_text(json.dumps(made))
    file = ServedFile("id", path, "maps/map.tmj", 0, 0.0)
    with pytest.raises(ParseError, match=r"'solvent mapping maps/map\.tmj' writes a mapping") as told:
        work.read_file(file, (tmp_path,), 1 << 20)
    assert str(tmp_path) not in str(told.value)
    mapping = tmp_path / "solvent-mapping.toml"
    mapping.write_text('classes.A = "start"\nclasses.B = "goal"\ntiles.t.0 = "wall"\n')
    read = json.loads(work.read_file(file, (tmp_path,), 1 << 20))
    assert "###\n@G.\n###" in read["text"]
    assert read["remarks"][0] == "Read with the mapping solvent-mapping.toml."
    with pytest.raises(ParseError, match="writes a mapping"):
        work.read_file(file, (maps,), 1 << 20)  # what lies above was not given
    mapping.write_text("classes.A = 3\n")
    with pytest.raises(ParseError, match=r"^solvent-mapping\.toml, line 1, at classes\.A"):
        work.read_file(file, (tmp_path,), 1 << 20)


@pytest.mark.parametrize("source", ["../../../../etc/passwd", "/etc/passwd", "C:\\\\secret.tsj"])
def test_a_served_map_that_names_the_system_is_refused(served: ServedFolder, source: str) -> None:
    path = a_map(served.folder, source)
    try:
        file = listed(served, "map.tmj")
        reply = served.get(f"files/{file}")
        assert reply.status == 422
        assert "root:" not in reply.data.decode()
    finally:
        path.unlink()


def test_files_that_are_too_large_binary_or_lines_are_told_kindly(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text("x" * 5_000)
    with pytest.raises(Refusal, match="more than 4 kB") as told:
        work.read_file(*order(large, tmp_path, most=4 << 10))
    assert told.value.failure.kind == "too_large"
    assert b"large" in work.draw_file(*order(large, tmp_path, most=4 << 10))
    binary = tmp_path / "picture.png"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with pytest.raises(ParseError, match="this is a PNG picture"):
        work.read_file(*order(binary, tmp_path))
    lines = tmp_path / "many.jsonl"
    lines.write_text(json.dumps("x") + "\n")
    with pytest.raises(Refusal, match="one on each line"):
        work.read_file(*order(lines, tmp_path))
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(Refusal, match="no longer a file"):
        work.read_file(*order(tmp_path / "pipe.txt", tmp_path))
