"""Rule sets of turned tiles: they act as drawn tiles do when turned, and so do pictures; errors name their line."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from solvent.core.errors import BadOption, ParseError
from solvent.valency.model import SQUARE_ORBITALS, Module, Rules, numbers_in
from solvent.valency.notation import tileset_xml
from solvent.valency.notation.pictures import average_colour, beside, read_png, write_png
from solvent.valency.notation.tileset_xml import parse_tileset
from solvent.valency.rules import modules_named

SIDES = ("right", "down", "left", "up")

# A drawing of three by three for each symmetry, with nothing more symmetric about it than its letter says.
DRAWINGS = {
    "X": ("121", "232", "121"),
    "I": ("131", "141", "131"),
    "T": ("111", "232", "454"),
    "L": ("123", "452", "641"),
    "\\": ("123", "242", "321"),
    "F": ("123", "456", "789"),
}


def drawing(letter: str) -> np.ndarray:
    return np.array([list(map(int, row)) for row in DRAWINGS[letter]])


def turned(letter: str, orientation: int) -> np.ndarray:
    cells = np.rot90(drawing(letter), orientation % 4)
    return np.fliplr(cells) if orientation >= 4 else cells


def names_beside(rules: Rules, key: str, side: str) -> set[str]:
    module = next(module for module in rules.modules if module.key == key)
    mask = module.bonds[0].neighbours[SIDES.index(side)]
    return {rules.modules[number].key for number in numbers_in(mask or 0)}


def ruleset(*tiles: str, neighbors: str = "", more: str = "", head: str = "<set>") -> str:
    return f"{head}<tiles>{''.join(tiles)}</tiles><neighbors>{neighbors}</neighbors>{more}</set>"


def pair(left: str, right: str) -> str:
    return f'<neighbor left="{left}" right="{right}"/>'


WALLS = ruleset(
    '<tile name="grass"/>',
    '<tile name="wall" symmetry="I" weight="0.5"/>',
    '<tile name="corner" symmetry="L"/>',
    neighbors=pair("grass", "grass") + pair("wall 1", "wall 1") + pair("grass", "wall") + pair("corner", "wall 1"),
    more='<subsets><subset name="Open"><tile name="grass"/><tile name="wall"/></subset></subsets>',
)


def test_what_is_said_holds_turned_and_mirrored():
    rules = parse_tileset(WALLS, name="walls")
    assert rules.name == "walls"
    assert [layer.orbital_set for layer in rules.layers] == [SQUARE_ORBITALS]
    assert [module.key for module in rules.modules] == [
        *("grass", "wall 0", "wall 1", "corner 0", "corner 1", "corner 2", "corner 3")
    ]
    assert [module.name for module in rules.modules][3:] == ["corner"] * 4
    assert [module.weight for module in rules.modules] == [1, 0.5, 0.5, 1, 1, 1, 1]
    assert names_beside(rules, "grass", "right") == {"grass", "wall 0"}
    assert names_beside(rules, "grass", "left") == {"grass", "wall 0"}
    assert names_beside(rules, "grass", "down") == names_beside(rules, "grass", "up") == {"grass", "wall 1"}
    # A corner has a wall to its right in two orientations, and above it in two.
    assert names_beside(rules, "wall 1", "left") == {"wall 1", "corner 0", "corner 3"}
    assert names_beside(rules, "wall 1", "right") == {"wall 1", "corner 1", "corner 2"}
    assert names_beside(rules, "wall 0", "down") == {"wall 0", "corner 0", "corner 1"}
    assert names_beside(rules, "wall 0", "up") == {"wall 0", "corner 2", "corner 3"}
    assert names_beside(rules, "corner 0", "right") == {"wall 1"}
    assert names_beside(rules, "corner 0", "up") == {"wall 0"}


def test_a_pick_of_a_tile_means_any_of_its_orientations():
    rules = parse_tileset(WALLS)
    assert modules_named(rules, "corner") == [3, 4, 5, 6]
    assert modules_named(rules, "wall 1") == [2]
    assert modules_named(rules, "grass") == [0]


def test_where_nothing_may_stand_is_a_boundary():
    corner = parse_tileset(WALLS).modules[3].bonds[0]
    assert corner.boundary_mask == 0b0110
    assert corner.neighbours[1] is corner.neighbours[2] is None
    assert (corner.orbital_mask, corner.wildcard_mask) == (0, 0)


@pytest.mark.parametrize("letter", DRAWINGS)
def test_the_drawings_have_the_symmetry_of_their_letter(letter: str):
    count = len(parse_tileset(ruleset(f'<tile name="a" symmetry="{letter}"/>')).modules)
    assert len({turned(letter, orientation).tobytes() for orientation in range(8)}) == count


@pytest.mark.parametrize("one", DRAWINGS)
@pytest.mark.parametrize("other", DRAWINGS)
def test_symmetries_act_as_turning_drawn_tiles_does(one: str, other: str):
    """Draw both tiles side by side, turn the whole drawing in all eight ways, and see who stands where."""
    tiles = (f'<tile name="a" symmetry="{one}"/>', f'<tile name="b" symmetry="{other}"/>')
    for first, second in product(range(8), repeat=2):
        rules = parse_tileset(ruleset(*tiles, neighbors=pair(f"a {first}", f"b {second}")))
        keys = {}
        for name, letter, more in (("a", one, 0), ("b", other, 10)):
            own = [module.key for module in rules.modules if module.name == name]
            keys |= {(turned(letter, number) + more).tobytes(): key for number, key in enumerate(own)}
        wanted = set()
        drawn = np.hstack((turned(one, first), turned(other, second) + 10))
        for number in range(8):
            whole = np.rot90(drawn, number % 4)
            whole = np.fliplr(whole) if number >= 4 else whole
            is_row = whole.shape == (3, 6)
            here, there = np.hsplit(whole, 2) if is_row else np.vsplit(whole, 2)
            wanted.add((keys[here.tobytes()], "right" if is_row else "down", keys[there.tobytes()]))
        found = {
            (module.key, side, there)
            for module in rules.modules
            for side in ("right", "down")
            for there in names_beside(rules, module.key, side)
        }
        assert found == wanted


def test_subsets():
    rules = parse_tileset(WALLS, subset="Open")
    assert [module.key for module in rules.modules] == ["grass", "wall 0", "wall 1"]
    assert names_beside(rules, "wall 1", "left") == {"wall 1"}
    with pytest.raises(BadOption, match="unknown subset 'Closed'; there are: Open"):
        parse_tileset(WALLS, subset="Closed")
    with pytest.raises(BadOption, match="unknown subset 'Open'; there are: none"):
        parse_tileset(ruleset('<tile name="a"/>'), subset="Open")


def test_names_with_spaces():
    text = ruleset('<tile name="old wall" symmetry="I"/>', neighbors=pair("old wall 1", "old wall"))
    assert names_beside(parse_tileset(text), "old wall 1", "right") == {"old wall 0"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a rule set of tiles as XML"),
        ("<map/>", "begins with <set>, found '<map>'"),
        ("<!DOCTYPE set [<!ENTITY a 'b'>]><set/>", "without entities"),
        ("<set/>", "line 1, at <set>: expected <tiles> with at least one <tile>"),
        ("<set><tiles/></set>", "at least one <tile>"),
        ('<set><tiles><tile name="a"/></tiles></set>', "<neighbors>, but there are none"),
        (ruleset("<tile/>"), "the attribute name, but it is missing"),
        (ruleset('<tile name=" "/>'), "name: the name of a tile"),
        (ruleset('<tile name="a"/>\n<tile name="a"/>'), "line 2.*a name that no other tile has, found 'a'"),
        (ruleset('<tile name="a" symmetry="Q"/>'), "symmetry: one of X, I, T, L, .*found 'Q'"),
        (ruleset('<tile name="a" weight="heavy"/>'), "weight: a number, found 'heavy'"),
        (ruleset('<tile name="a" weight="-1"/>'), "weight: 0, or a number from 1e-12"),
        (ruleset('<tile name="a" weight="1e-20"/>'), "weight: 0, or a number from 1e-12"),
        (ruleset('<tile name="a" weight="nan"/>'), "weight: a number that is not so large"),
        (ruleset('<tile name="a" weight="0"/>'), "a tile with a weight above 0"),
        (ruleset('<tile name="a"/>', head='<set unique="maybe">'), "unique: True or False, found 'maybe'"),
        (ruleset('<tile name="a"/>', neighbors='\n<neighbor left="a"/>'), "line 2.*the attribute right"),
        (ruleset('<tile name="a"/>', neighbors="\n" + pair("a", "b")), "line 2.*right: a tile and an orientation"),
        (ruleset('<tile name="a"/>', neighbors=pair("a 8", "a")), "left: a tile and an orientation from 0 to 7"),
        (ruleset('<tile name="a"/>', neighbors=pair("a 12", "a")), "found 'a 12'"),
        (ruleset('<tile name="a"/>', neighbors=pair("", "a")), "found ''"),
        (ruleset('<tile name="a" symmetry="I"/>', '<tile name="a 1"/>'), "names differ from those of turned tiles"),
        (ruleset(*(f'<tile name="t{i}" symmetry="F"/>' for i in range(513))), "1 to 4096 tiles.*found 4104"),
    ],
)
def test_files_that_are_wrong(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        parse_tileset(text)


def test_subsets_that_are_wrong():
    text = ruleset('<tile name="a"/>', more='\n<subsets><subset name="S"><tile name="b"/></subset></subsets>')
    with pytest.raises(ParseError, match=r"line 2.*the name of a tile, found 'b'"):
        parse_tileset(text, subset="S")
    with pytest.raises(ParseError, match="at least one tile in the subset"):
        parse_tileset(text.replace('<tile name="b"/>', ""), subset="S")


def test_spoiled_texts_raise_only_parse_errors():
    dice, refused = Random(5), 0
    for _ in range(400):
        at, length = dice.randrange(len(WALLS)), dice.choice((1, 1, 3, 40))
        spoiled = WALLS[:at] + dice.choice(("", "-", '"', "9", "&", "<", "\0", " ")) + WALLS[at + length :]
        try:
            parse_tileset(spoiled)
        except ParseError:
            refused += 1
    assert refused > 200


# Pictures


def paint(cells: np.ndarray) -> bytes:
    """Make a picture of a drawing: each digit a colour."""
    pixels = np.full((*cells.shape, 4), 255, dtype=np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = cells * 20, 255 - cells * 20, cells
    return write_png(pixels)


def shown(module: Module) -> np.ndarray:
    """Return a module's picture as it is shown."""
    pixels = np.rot90(read_png(module.look.picture, module.key), module.look.quarter_turns)
    return np.fliplr(pixels) if module.look.mirrored else pixels


@pytest.mark.parametrize("letter", DRAWINGS)
def test_pictures_turn_with_their_tiles(letter: str, tmp_path: Path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.png").write_bytes(paint(drawing(letter)))
    text = ruleset(f'<tile name="a" symmetry="{letter}"/>')
    modules = parse_tileset(text, read_beside=beside(tmp_path / "set.xml")).modules
    for orientation, module in enumerate(modules):
        assert (shown(module)[..., 2] == turned(letter, orientation)).all()
        assert module.look.colour == average_colour(shown(module))


def test_pictures_of_each_orientation(tmp_path: Path):
    for orientation in range(2):
        (tmp_path / f"a {orientation}.png").write_bytes(paint(turned("F", 3 * orientation)))
    text = ruleset('<tile name="a" symmetry="T"/>', head='<set size="3" unique="True">')
    modules = parse_tileset(text, read_beside=beside(tmp_path / "data.xml")).modules
    assert [module.look.quarter_turns for module in modules] == [0] * 4
    assert [bool(module.look.picture) for module in modules] == [True, True, False, False]
    assert (shown(modules[1])[..., 2] == turned("F", 3)).all()


def test_pictures_that_are_no_pictures(tmp_path: Path):
    text = ruleset('<tile name="a"/>')
    for junk in (b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + bytes(40), paint(drawing("F"))[:-30]):
        (tmp_path / "a.png").write_bytes(junk)
        with pytest.raises(ParseError, match=r"a\.png: expected a"):
            parse_tileset(text, read_beside=beside(tmp_path / "set.xml"))
    (tmp_path / "a.png").write_bytes(write_png(np.zeros((2, 600, 4), dtype=np.uint8)))
    with pytest.raises(ParseError, match="at most 512 pixels along a side, found '600x2'"):
        parse_tileset(text, read_beside=beside(tmp_path / "set.xml"))
    away = ruleset('<tile name="/etc/a"/>')
    with pytest.raises(ParseError, match="a path of the picture relative to the file"):
        parse_tileset(away, read_beside=beside(tmp_path / "set.xml"))


@pytest.mark.parametrize("colours", [3, 256, 300])
def test_pictures_can_be_written_and_read(colours: int):
    pixels = np.zeros((20, 30, 4), dtype=np.uint8)
    numbers = np.arange(600).reshape(20, 30) % colours
    pixels[..., 0], pixels[..., 1], pixels[..., 3] = numbers % 256, numbers // 256, 255 - numbers % 7
    assert (read_png(write_png(pixels), "it") == pixels).all()


def test_average_colours():
    pixels = np.array([[[255, 0, 0, 255], [0, 0, 255, 255], [9, 99, 9, 0]]], dtype=np.uint8)
    assert average_colour(pixels) == "#800080"
    assert average_colour(pixels[:, 2:]) == ""


# Public rule sets, where they are at hand


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "subset", "modules"),
    [
        ("Knots", "Standard", 9),
        ("Knots", None, 13),
        ("Circles", None, 22),
        ("Rooms", None, 28),
        ("FloorPlan", None, 56),
        ("Castle", None, 29),
    ],
)
def test_public_rule_sets(corpora: Path, name: str, subset: str | None, modules: int):
    path = corpora / "tilesets" / f"{name}.xml"
    if not path.is_file():
        pytest.skip(f"no {path}")
    rules = parse_tileset(path.read_text(encoding="utf-8"), subset=subset, read_beside=beside(path))
    assert len(rules.modules) == modules
    assert all(module.look.picture for module in rules.modules)
    # Edges of tiles that may touch look much more alike than those of tiles that may not.
    pictures = [shown(module).astype(int) for module in rules.modules]
    apart: dict[bool, list[float]] = {True: [], False: []}
    for here, there in product(range(modules), repeat=2):
        mask = rules.modules[here].bonds[0].neighbours[0] or 0
        apart[bool(mask >> there & 1)].append(float(np.abs(pictures[here][:, -1] - pictures[there][:, 0]).mean()))
    assert 2 * np.mean(apart[True]) < np.mean(apart[False])


def test_too_many_tags_are_refused_before_anything_is_made_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was read in full")

    monkeypatch.setattr(tileset_xml, "read_elements", refuse)
    tiles = '<tile name="a"/>' * tileset_xml.MAX_TAGS
    with pytest.raises(ParseError, match="a rule set of tiles with at most 1,000,000 tags, found 1000004"):
        parse_tileset(f"<set><tiles>{tiles}</tiles></set>")
