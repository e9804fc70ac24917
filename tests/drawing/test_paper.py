"""Paper and legends: everything fits on the sheet, and those who cannot see it are told what it shows."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from solvent.drawing.legend import LINE, LONGEST_LINE, Entry, arrange_legend
from solvent.drawing.paper import Lettering, draw_paper, frame
from solvent.drawing.shapes import circle

SVG = "{http://www.w3.org/2000/svg}"
SIGN = circle(0, 0, 5)


def texts_in(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_frame_has_a_name_and_a_description():
    root = ElementTree.fromstring(frame(100, 50, [SIGN], title="A <board>", description="Row 1 & 2."))
    assert root.get("viewBox") == "0 0 100 50"
    assert root.get("aria-label") == root.findtext(f"{SVG}title") == "A <board>"
    assert root.findtext(f"{SVG}desc") == "Row 1 & 2."
    assert root.find(f"{SVG}defs") is None


def test_all_that_is_written_stands_around_the_drawing():
    lettering = Lettering(
        name="Cave",
        title="The cave",
        captions=["Lost."],
        sentences=["One. " * 30],
        description="It is dark.",
        legend=[Entry("Signs"), Entry("start", SIGN)],
    )
    svg = draw_paper((300, 120), [SIGN], lettering, definitions=SIGN)
    texts = texts_in(svg)
    assert texts[:2] == ["The cave", "Lost."]
    assert texts[-2:] == ["Signs", "start"]
    assert " ".join(texts[2:-2]) == ("One. " * 30).strip()
    assert ElementTree.fromstring(svg).find(f"{SVG}defs") is not None


def test_bare_paper_keeps_its_name_only():
    lettering = Lettering(
        name="Cave", title="The cave", captions=["Lost."], description="Dark.", legend=[Entry("a", SIGN)]
    )
    svg = draw_paper((300, 120), [SIGN], lettering, bare=True)
    assert texts_in(svg) == []
    root = ElementTree.fromstring(svg)
    assert (root.get("aria-label"), root.findtext(f"{SVG}desc")) == ("The cave", "Dark.")
    assert (root.get("width"), root.get("height")) == ("340", "160")


@pytest.mark.parametrize("size", [(900, 200), (400, 400), (200, 900)])
@pytest.mark.parametrize("count", [1, 5, 40])
def test_legends_keep_their_order_and_fit_on_the_paper(size: tuple[float, float], count: int):
    entries = [Entry(f"sign {number}", SIGN) for number in range(count)]
    legend = arrange_legend(entries, size)
    assert [entry for column in legend.columns for entry in column] == entries
    assert legend.beside == (size[1] >= size[0] and (size[1] > size[0] or count * LINE <= size[1] + 60))
    svg = draw_paper(size, [], Lettering(name="Cave", description="", legend=entries))
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for text in root.iter(f"{SVG}text"):
        assert float(text.get("x", "")) < width - 20
        assert float(text.get("y", "")) < height


def test_no_heading_stands_at_the_foot_of_a_column():
    entries = [*(Entry(f"sign {number}", SIGN) for number in range(9)), Entry("More"), Entry("last", SIGN)]
    legend = arrange_legend(entries, (100, 240))
    assert [column[-1].text for column in legend.columns] == ["sign 8", "last"]


def test_long_lines_end_in_an_ellipsis_and_have_a_tooltip():
    svg = "".join(arrange_legend([Entry("x" * 80, SIGN)], (100, 400)).draw(0, 0))
    assert f"<title>{'x' * 80}</title>{'x' * (LONGEST_LINE - 1)}…" in svg
