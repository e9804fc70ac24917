"""A file that is sent with others it names: read together with them, and with nothing else of the machine."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from helpers.browser import expect, needs_browser
from solvent.core.errors import BadOption, ParseError
from solvent.web import schemas, work

RULES = b"""<set><tiles><tile name="sand" symmetry="X"/><tile name="reef" symmetry="X"/></tiles>
<neighbors><neighbor left="sand" right="sand"/><neighbor left="sand" right="reef"/></neighbors></set>"""


def picture(colour: tuple[int, int, int], size: int = 4) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(out, "PNG")
    return out.getvalue()


def stripes() -> bytes:
    out = io.BytesIO()
    image = Image.new("RGB", (6, 6), (20, 60, 200))
    image.paste((240, 220, 90), (0, 0, 6, 3))
    image.save(out, "PNG")
    return out.getvalue()


TILES = {"sand.png": picture((240, 220, 90)), "reef.png": picture((20, 60, 200))}
SAMPLE = {"src": "stripes.png", "model": {"type": "overlapping", "n": 2}, "width": 8, "height": 8}


def opened(name: str, data: bytes, files: dict[str, bytes]) -> Any:
    return msgspec.json.decode(work.open_file(schemas.Open(name=name, data=data, files=files)), type=schemas.Loaded)


def test_a_rule_set_comes_with_its_pictures() -> None:
    pictured = opened("coast.xml", RULES, TILES)
    assert pictured.domain == "valency"
    assert [each["name"] for each in json.loads(pictured.text)["rules"]["modules"]] == ["sand", "reef"]
    assert pictured.text.count("picture") == 2
    assert "picture" not in opened("coast.xml", RULES, {"unrelated.txt": b"-"}).text


def test_rules_come_with_their_sample() -> None:
    learned = opened("stripes.json", json.dumps(SAMPLE).encode(), {"stripes.png": stripes()})
    colours = {each["look"]["colour"] for each in json.loads(learned.text)["rules"]["modules"]}
    assert colours == {"#f0dc5a", "#143cc8"}


LIST = b"""<samples><overlapping name="stripes" N="2" size="8" heuristic="MRV"/><simpletiled name="coast" size="5"/>
<overlapping name="other" ground="True" periodic="True"/></samples>"""


def entries_of(text: bytes) -> list[Any]:
    found = work.find_entries(schemas.FindEntries(text=text.decode()))
    return list(msgspec.json.decode(found, type=schemas.EntriesGiven).entries)


def test_a_list_says_what_is_in_it_and_what_each_entry_needs() -> None:
    assert [(each.name, each.about, each.needs) for each in entries_of(LIST)] == [
        ("stripes", "patterns of 2 × 2, symmetry 8, 8 × 8", ["stripes.png"]),
        ("coast", "5 × 5", ["coast.xml"]),
        ("other", "patterns of 3 × 3, symmetry 8, 48 × 48, with ground, wraps around", ["other.png"]),
    ]
    assert entries_of(RULES) == []
    with pytest.raises(ParseError, match="the attribute name, but it is missing"):
        entries_of(b'<samples><overlapping N="3"/></samples>')


def entry(name: str, files: dict[str, bytes], data: bytes = LIST) -> Any:
    request = schemas.Open(name="samples.xml", data=data, files=files, entry=name)
    return msgspec.json.decode(work.open_file(request), type=schemas.Loaded)


def test_an_entry_of_a_list_is_opened_with_its_files() -> None:
    learned = entry("stripes", {"stripes.png": stripes()})
    assert json.loads(learned.text)["cluster"] == {"lattice": {"size": [8, 8]}}
    assert any("heuristic MRV" in line for line in learned.remarks)
    pictured = entry("coast", {"coast.xml": RULES, **TILES})
    assert pictured.text.count("picture") == 2
    assert "picture" not in entry("coast", {"coast.xml": RULES}).text


def test_an_entry_that_cannot_be_opened_says_why() -> None:
    with pytest.raises(ParseError, match=r"there is no such file, found 'stripes.png'"):
        entry("stripes", {"coast.xml": RULES})
    with pytest.raises(BadOption, match="found 'none'"):
        entry("none", {})
    with pytest.raises(ParseError, match="a file that lists several instances"):
        entry("sand", {}, RULES)
    with pytest.raises(ParseError, match="UTF-8"):
        entry("sand", {}, stripes())


@pytest.mark.parametrize("reference", ["/{secret}", "../../..{secret}", "{secret}"])
def test_no_other_file_is_opened(tmp_path: Path, reference: str) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(stripes())
    rules = {**SAMPLE, "src": reference.format(secret=secret)}
    with pytest.raises(ParseError) as refused:
        opened("rules.json", json.dumps(rules).encode(), {"other.png": stripes()})
    assert "solvent-sent-" not in str(refused.value)


@pytest.mark.parametrize("name", ["..", ".", "", ".hidden", "a\0b", "x" * 90, "a/.."])
def test_names_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(BadOption):
        opened("coast.xml", RULES, {name: b""})
    with pytest.raises(BadOption):
        opened(name, RULES, TILES)


def drop(page: Any, files: dict[str, bytes], onto: str = "main") -> None:
    page.evaluate(
        """([files, onto]) => {
             const given = new DataTransfer();
             for (const [name, bytes] of files) given.items.add(new File([new Uint8Array(bytes)], name));
             const how = { bubbles: true, cancelable: true, dataTransfer: given };
             const place = document.querySelector(onto);
             for (const kind of ["dragenter", "dragover", "drop"]) place.dispatchEvent(new DragEvent(kind, how)); }""",
        [[[name, list(data)] for name, data in files.items()], onto],
    )


@needs_browser
@pytest.mark.slow
def test_an_entry_is_chosen_from_a_list_that_is_dropped_with_its_files(screen: Any) -> None:
    screen.goto("")
    screen.wait_for_selector(".example")
    drop(screen, {"coast.xml": RULES, "samples.xml": LIST, **TILES})
    expect(screen.locator("h1")).to_have_text("Choose an entry")
    expect(screen.get_by_role("status").filter(has_text="entries")).to_contain_text("3 entries; 1 can be opened now")
    screen.locator(".entry", has_text="stripes").click()
    expect(screen.get_by_role("alert")).to_contain_text("stripes needs stripes.png")
    assert screen.evaluate("document.documentElement.scrollWidth") <= screen.viewport_size["width"]
    drop(screen, {"stripes.png": stripes()}, ".entry-list")
    expect(screen.locator("h1")).to_have_text("Stripes")  # what was chosen, now that its picture is there
    expect(screen.locator(".stage .found")).to_contain_text("64 filled, checked")
    screen.go_back()
    screen.locator(".entry", has_text="coast").click()
    expect(screen.locator(".stage .found")).to_contain_text("25 filled, checked")


@needs_browser
@pytest.mark.slow
def test_rules_and_pictures_are_dropped_together_anywhere_on_the_page(page: Any) -> None:
    page.goto("#/example/starbattle/first_stars")
    page.locator(".battle .square[aria-label]").first.wait_for()
    drop(page, {**TILES, "my_coast.xml": RULES})
    expect(page.locator("h1")).to_have_text("My coast")
    expect(page.locator(".stage .found")).to_contain_text("filled, checked")
    assert page.title() == "My coast · Solvent"
