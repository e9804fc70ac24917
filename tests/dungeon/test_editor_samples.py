"""The sample projects of Tiled and LDtk, answered by mappings that are kept here and were compared with pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from solvent.core.errors import ParseError, UndecidedNames

MAPPINGS = Path(__file__).parent / "mappings"

SAMPLES = {
    "ldtk/AutoLayers_1_basic.ldtk": ("YES", 30),
    "ldtk/Entities.ldtk": ("YES", 86),
    "ldtk/SeparateLevelFiles.ldtk": ("NO", None),
    "ldtk/Typical_TopDown_example.ldtk": ("YES", 150),
    "ldtk/WorldMap_GridVania_layout.ldtk": ("YES", 318),
    "tiled/desert.tmx": ("YES", 41),
    "tiled/orthogonal-outside.tmx": ("NO", None),
    "tiled/rpg/island.tmx": ("YES", 40),
    "tiled/sewers.tmx": ("NO", None),
    "tiled/sticker-knight/sandbox.tmx": ("YES", 69),
}
"""The verdict, and the length of a shortest plan."""


def find(corpora: Path, name: str) -> Path:
    path = corpora / name
    if not path.is_file():
        pytest.skip(f"{name} is not among the corpora")
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_answered_by_its_mapping(corpora: Path, name: str) -> None:
    path = find(corpora, name)
    dungeon = solvent.load(path, mapping=MAPPINGS / f"{path.stem}.toml")
    answer = solvent.ask(dungeon)
    verdict, length = SAMPLES[name]
    assert (str(answer.verdict), answer.stats.get("plan_length"), answer.certified) == (verdict, length, True)
    assert dungeon.remarks[0].startswith("Read with the mapping ")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_refused_without_its_mapping(corpora: Path, name: str) -> None:
    path = find(corpora, name)
    with pytest.raises(ParseError, match="solvent mapping"):
        solvent.load(path)


def test_maps_without_walls_are_never_answered_unasked(corpora: Path) -> None:
    for name in ("tiled/desert.tmx", "tiled/rpg/island.tmx", "tiled/sewers.tmx"):
        with pytest.raises(UndecidedNames, match="where the walls are") as caught:
            solvent.load(find(corpora, name))
        assert any(word.startswith("layer ") for word in caught.value.names)
        assert any(word.startswith("tile set ") for word in caught.value.names)


def test_doors_of_the_top_down_sample_need_what_they_say(corpora: Path) -> None:
    path = find(corpora, "ldtk/Typical_TopDown_example.ldtk")
    dungeon = solvent.load(path, mapping=MAPPINGS / "Typical_TopDown_example.toml")
    assert sorted(gate.needs for gate in dungeon.gates if gate.kind == "item") == [("KeyA",), ("KeyB",)]
    assert sorted(gate.needs for gate in dungeon.gates if gate.kind == "barrier") == [
        ("switch 1",),
        ("switch 2",),
        ("switch 3",),
        ("switch 3",),
    ]
