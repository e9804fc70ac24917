"""What the names in a map mean: the verb, and the table that a person fills in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from helpers.browser import expect, needs_browser
from solvent.core.errors import BadOption, ParseError
from solvent.web import mappings, schemas, work

TILE_SET = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="keep" tilewidth="16" tileheight="16" tilecount="2" columns="2">
 <tile id="0"><properties><property name="ground" value="stone"/></properties></tile>
 <tile id="1"><properties><property name="ground" value="grass"/></properties></tile>
</tileset>
"""
INSIDE = TILE_SET.split("\n", 1)[1].replace("<tileset ", '<tileset firstgid="1" ')
MAP = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="5" height="3" tilewidth="16" tileheight="16" infinite="0">
 TILE SET
 <layer id="1" name="Ground" width="5" height="3"><data encoding="csv">
1,1,1,1,1,
1,2,2,2,1,
1,1,1,1,1
</data></layer>
 <objectgroup id="2" name="Things">
  <object id="1" name="him" class="Avatar" x="16" y="16" width="16" height="16"/>
  <object id="2" name="out" class="Finish" x="48" y="16" width="16" height="16"/>
 </objectgroup>
</map>
"""
ALONE = MAP.replace("TILE SET", INSIDE)
WITH_FILE = MAP.replace("TILE SET", '<tileset firstgid="1" source="../sets/keep.tsx"/>')


def draft(**request: Any) -> schemas.Mapped:
    reply = mappings.draft(msgspec.convert({"name": "keep.tmx", **request}, schemas.MapNames))
    return msgspec.json.decode(reply, type=schemas.Mapped)


def load(**request: Any) -> schemas.Loaded:
    reply = work.load(msgspec.convert({"name": "keep.tmx", **request}, schemas.Load))
    return msgspec.json.decode(reply, type=schemas.Loaded)


class TestTheVerb:
    def test_names_come_with_what_they_may_mean_the_undecided_first(self) -> None:
        drafted = draft(text=ALONE)
        rows = {tuple(row.key): row for row in drafted.names}
        avatar = rows["classes", "Avatar", "is"]
        assert avatar.undecided
        assert avatar.where == "class"
        assert {"start", "goal", "wall", "ignore"} <= set(avatar.choices)
        assert "him" in avatar.note
        assert rows["tile_properties", "ground", "grass"].meaning == "floor"
        flags = [row.undecided for row in drafted.names]
        assert flags == sorted(flags, reverse=True)
        assert drafted.problem is not None

    def test_decisions_open_the_level(self) -> None:
        drafted = draft(text=ALONE)
        decisions = [
            {"key": ["classes", "Avatar", "is"], "meaning": "start"},
            {"key": ["classes", "Finish", "is"], "meaning": "goal"},
            {"key": ["tile_properties", "ground", "stone"], "meaning": "wall"},
        ]
        decided = draft(text=ALONE, mapping=drafted.text, decisions=decisions)
        assert decided.problem is None
        assert decided.missing == []
        assert "#@.G#" in load(text=ALONE, mapping=decided.text).text

    def test_comments_of_a_mapping_that_people_wrote_stay(self) -> None:
        written = '# ours\nclasses.Avatar.is = "?"  # who walks\nclasses.Finish.is = "goal"\n'
        decided = draft(
            text=ALONE, mapping=written, decisions=[{"key": ["classes", "Avatar", "is"], "meaning": "start"}]
        )
        assert '# ours\nclasses.Avatar.is = "start"  # who walks\n' in decided.text

    def test_what_is_missing_is_put_on_a_tile(self) -> None:
        text = ALONE.replace('class="Finish"', 'class="Flower"').replace('name="out"', 'name="rose"')
        drafted = draft(text=text, decisions=[{"key": ["classes", "Avatar", "is"], "meaning": "start"}])
        assert "goal" in drafted.missing
        placed = draft(text=text, mapping=drafted.text, places=[{"thing": "goal", "row": 1, "column": 2}])
        assert "goal" not in placed.missing
        assert placed.problem is None
        assert "@G" in load(text=text, mapping=placed.text).text

    def test_files_that_a_map_names_come_with_it_and_no_others_are_opened(self, tmp_path: Path) -> None:
        lacking = draft(text=WITH_FILE)
        assert lacking.names == []
        assert lacking.needs == ["keep.tsx"]
        assert lacking.problem == "The map names another file, keep.tsx, which was not sent with it."
        assert draft(text=WITH_FILE, files={"keep.tsx": TILE_SET}).names == draft(text=ALONE).names
        secret = tmp_path / "secret.tsx"
        secret.write_text(TILE_SET)
        climbing = MAP.replace("TILE SET", f'<tileset firstgid="1" source="../../..{secret}"/>')
        refused = draft(text=climbing)
        assert refused.names == []
        with pytest.raises(ParseError):
            load(text=climbing, mapping="")
        with pytest.raises(BadOption):
            draft(text=WITH_FILE, files={"..": TILE_SET})

    @pytest.mark.parametrize(
        ("request_", "words"),
        [
            ({"text": "nothing of the kind"}, "Tiled and LDtk"),
            ({"text": ALONE, "decisions": [{"key": ["nowhere", "x"], "meaning": "start"}]}, "no such name"),
            ({"text": ALONE, "decisions": [{"key": ["classes", "A", "is"], "meaning": "hat"}]}, "cannot be said"),
        ],
    )
    def test_what_cannot_be_is_refused(self, request_: dict[str, Any], words: str) -> None:
        with pytest.raises(BadOption, match=words):
            draft(**request_)


@needs_browser
@pytest.mark.slow
def test_a_person_decides_what_the_names_mean_and_walks_in_the_level(page: Any, tmp_path: Path) -> None:
    (tmp_path / "keep.tmx").write_text(WITH_FILE)
    (tmp_path / "keep.tsx").write_text(TILE_SET)
    page.goto("#/open")
    page.get_by_label("Choose a file").set_input_files(tmp_path / "keep.tmx")
    expect(page.locator("h1")).to_have_text("What the names mean")
    expect(page.locator(".mapping-problem")).to_contain_text("keep.tsx")
    page.get_by_label("Add files that it names…").set_input_files(tmp_path / "keep.tsx")
    first = page.locator(".names tbody tr").first
    expect(first).to_have_class("undecided")
    expect(page.locator(".mapping-problem")).to_have_count(0)  # the table asks for it
    expect(page.get_by_role("button", name="Open the level")).to_be_disabled()
    page.get_by_label("What Avatar means").select_option("start")
    page.get_by_label("What Finish means").select_option("goal")
    expect(page.locator(".mapping [role=status]")).to_contain_text("The level can be opened.")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the mapping").click()
    assert saved.value.suggested_filename == "solvent-mapping.toml"
    mapping = tmp_path / "solvent-mapping.toml"
    saved.value.save_as(mapping)
    page.get_by_role("button", name="Open the level").click()
    page.locator(".dungeon-map").wait_for()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".inventory .moves")).to_have_text("1 move")
    # With its tile set and its mapping, the map opens at once.
    page.goto("#/open")
    page.get_by_label("Choose a file").set_input_files([tmp_path / "keep.tmx", tmp_path / "keep.tsx", mapping])
    page.locator(".dungeon-map").wait_for()
