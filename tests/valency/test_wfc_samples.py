"""Lists of samples for wave function collapse: each entry is a task, and nothing in it is dropped in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solvent
from solvent.core.errors import BadOption, ParseError
from solvent.valency.formats import FORMATS
from solvent.valency.generator import generate
from solvent.valency.model import Lattice, Only
from solvent.valency.notation.pictures import write_png
from solvent.valency.notation.wfc_samples import find_entry, read_entries, stage_entry

SKY, GRASS, EARTH = (150, 200, 255, 255), (60, 160, 60, 255), (120, 80, 40, 255)


def picture(rows: str) -> bytes:
    colours = {"s": SKY, "g": GRASS, "e": EARTH}
    return write_png(np.array([[colours[letter] for letter in row] for row in rows.split()], dtype=np.uint8))


def write_list(folder: Path, *entries: str) -> Path:
    (folder / "samples").mkdir(exist_ok=True)
    (folder / "tilesets").mkdir(exist_ok=True)
    (folder / "samples" / "Hill.png").write_bytes(picture("ssss ssss sggs geeg eeee"))
    rules = '<set><tiles><tile name="a" symmetry="X"/><tile name="b" symmetry="X"/></tiles><neighbors>'
    rules += '<neighbor left="a" right="a"/><neighbor left="a" right="b"/></neighbors>'
    rules += '<subsets><subset name="only"><tile name="a"/></subset></subsets></set>'
    (folder / "tilesets" / "Two.xml").write_text(rules)
    path = folder / "samples.xml"
    path.write_text(f"<samples>\n{chr(10).join(entries)}\n</samples>\n")
    return path


def stage(path: Path, wanted: str | None = None) -> Any:
    return stage_entry(find_entry(read_entries(path.read_text()), wanted), path)


def test_entries_are_tasks_of_their_own_size(tmp_path: Path):
    path = write_list(
        tmp_path,
        '<overlapping name="Hill" N="2" periodic="True"/>',
        '<simpletiled name="Two" width="7" height="5"/>',
        '<simpletiled name="Two" subset="only" size="3" periodic="True"/>',
    )
    first, second, third = (stage(path, str(number)) for number in (1, 2, 3))
    assert first.cluster == Lattice(48, 48, periodic=(True, True, False))
    assert second.cluster == Lattice(7, 5)
    assert third.cluster == Lattice(3, 3, periodic=(True, True, False))
    assert [module.key for module in third.rules.modules] == ["a"]
    assert stage(path, "Two only") == third
    assert generate(seed=0, rules=str(path), subset="Two", grid="4x4").cluster == Lattice(4, 4)


def test_what_an_entry_says_is_learned(tmp_path: Path):
    path = write_list(
        tmp_path,
        '<overlapping name="Hill" N="2" symmetry="1"/>',
        '<overlapping name="Hill" N="2" symmetry="8"/>',
        '<overlapping name="Hill" N="2" symmetry="1" periodicInput="False"/>',
        '<overlapping name="Hill" symmetry="1"/>',
    )
    plain, turned, cut, three = (len(stage(path, str(number)).rules.modules) for number in (1, 2, 3, 4))
    assert cut < plain < turned
    assert three > plain


@pytest.mark.parametrize("periodic", ["True", "False"])
def test_ground_lies_at_the_bottom_and_nowhere_else(tmp_path: Path, periodic: str):
    entry = f'<overlapping name="Hill" N="2" symmetry="2" ground="True" periodic="{periodic}" width="8" height="6"/>'
    staging = stage(write_list(tmp_path, entry))
    answer = solvent.ask(staging, seconds=60)
    assert answer.verdict is solvent.Verdict.YES
    names = [staging.rules.modules[module].name for module in answer.certificate["modules"]]
    rows = [names[row * 8 : row * 8 + 8] for row in range(6)]
    # The lowest row of the sample is earth with sky below it, where the sample wraps around.
    assert set(rows[-1]) == {"#785028"}
    bottom = set(answer.certificate["modules"][-8:])
    assert not bottom & set(answer.certificate["modules"][:-8])
    assert [type(one) for one in staging.constraints] == [Only, Only]


def test_what_is_no_part_of_a_task_is_remarked_on(tmp_path: Path):
    path = write_list(
        tmp_path,
        '<simpletiled name="Two" heuristic="Scanline" limit="25" screenshots="3" textOutput="True"',
        'blackBackground="True"/>',
    )
    remarks = " ".join(stage(path).remarks)
    for word in ("--solver scanline", "limit 25", "screenshots 3", "textOutput", "blackBackground"):
        assert word in remarks


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('<overlapping name="Hill" colour="red"/>', r"line 2, at <overlapping>: expected attributes .* found 'colour'"),
        ('<overlapping name="Hill" subset="x"/>', r"found 'subset'"),
        ('<tiled name="Hill"/>', r"line 2.*<overlapping> or <simpletiled>, found '<tiled>'"),
        ('<overlapping name="Hole"/>', r"line 2.*no such file, found 'Hole.png'"),
        ('<overlapping name="../Hill"/>', r"the name of a picture"),
        ('<overlapping N="3"/>', r"the attribute name, but it is missing"),
        ('<overlapping name="Hill" N="9"/>', r"N: patterns of 2 to 8 pixels, found 9"),
        ('<overlapping name="Hill" symmetry="9"/>', r"symmetry: from 1 to 8, found 9"),
        ('<overlapping name="Hill" heuristic="Luck"/>', r"heuristic: Entropy, MRV or Scanline, found 'Luck'"),
        ('<overlapping name="Hill" periodic="maybe"/>', r"periodic: True or False, found 'maybe'"),
        ('<overlapping name="Hill" size="0"/>', r"1 to 4000000 cells"),
        ('<simpletiled name="Two" subset="none"/>', r"none"),
        ("", r"with an entry in it"),
    ],
)
def test_what_is_not_understood_is_named(tmp_path: Path, run: Any, entry: str, message: str):
    path = write_list(tmp_path, *([entry] if entry else []))
    with pytest.raises(ParseError, match=message):
        stage(path)
    done = run("generate", "valency", str(path))
    assert done.code == 30


def test_a_list_of_several_entries_wants_to_know_which(tmp_path: Path, run: Any):
    path = write_list(tmp_path, '<simpletiled name="Two" size="3"/>', '<simpletiled name="Two" size="4"/>')
    assert FORMATS.sniff(path.read_text())
    with pytest.raises(ParseError, match=r"--subset NAME.*there are Two, Two #2"):
        FORMATS.parse(path.read_text(), path)
    assert stage(path, "Two #2").cluster == Lattice(4, 4)
    with pytest.raises(BadOption, match="found 'Three'"):
        stage(path, "Three")
    done = run("generate", "valency", str(path), "--subset", "Two #2", "--unsolved")
    assert done.code == 0
    assert solvent.parse(done.out).cluster == Lattice(4, 4)


@pytest.mark.corpus
def test_every_public_entry_whose_files_are_there_is_a_task(corpora: Path):
    path = corpora / "wfc-samples" / "samples.xml"
    entries = read_entries(path.read_text())
    made = 0
    for entry in entries:
        name, is_tiles = entry.element.attributes["name"], entry.element.tag == "simpletiled"
        if not (
            corpora / ("tilesets" if is_tiles else "wfc-samples") / f"{name}.{'xml' if is_tiles else 'png'}"
        ).exists():
            with pytest.raises(ParseError, match="there is no such file"):
                stage_entry(entry, path)
            continue
        staging = stage_entry(entry, path)
        made += 1
        assert isinstance(staging.cluster, Lattice)
        assert bool(staging.constraints) == (entry.element.attributes.get("ground") == "True")
    assert len(entries) == 88
    assert made >= 40
