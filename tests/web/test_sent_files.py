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


@needs_browser
@pytest.mark.slow
def test_rules_and_pictures_are_dropped_together_anywhere_on_the_page(page: Any) -> None:
    page.goto("#/example/starbattle/first_stars")
    page.locator(".battle .square[aria-label]").first.wait_for()
    page.evaluate(
        """(files) => {
             const given = new DataTransfer();
             for (const [name, bytes] of files) given.items.add(new File([new Uint8Array(bytes)], name));
             const how = { bubbles: true, cancelable: true, dataTransfer: given };
             const main = document.querySelector("main");
             for (const kind of ["dragenter", "dragover", "drop"]) main.dispatchEvent(new DragEvent(kind, how)); }""",
        [[name, list(data)] for name, data in {**TILES, "my_coast.xml": RULES}.items()],
    )
    expect(page.locator("h1")).to_have_text("My coast")
    expect(page.locator(".stage .found")).to_contain_text("filled, checked")
    assert page.title() == "My coast · Solvent"
