"""Whatever a file name or a message holds, it stays text."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from solvent.drawing.markup import Markup, escape, join, number, tag


class Seen(HTMLParser):
    """Keep what a browser would see."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[str | None] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [value for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(st.text())
def test_any_text_stays_one_text(text: str) -> None:
    seen = Seen(tag("p", text, title=text))
    assert seen.tags == ["p"]
    assert len(seen.attributes) == 1
    unseen = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}
    kept = text.translate(unseen | dict.fromkeys((0xFFFE, 0xFFFF), 0xFFFD))
    assert "".join(seen.texts) == kept
    assert seen.attributes[0] == kept


def test_halves_of_characters_can_be_written_down() -> None:
    name = b"level\xff.txt".decode("utf-8", "surrogateescape")
    assert escape(name).encode("utf-8") == b"level?.txt"


def test_markup_is_not_escaped_again_but_joined_text_is() -> None:
    assert tag("p", tag("b", "x & y"), " < z") == "<p><b>x &amp; y</b> &lt; z</p>"
    assert join(["a<b", Markup("<br>"), None, ["c", ["d"]]], "&") == "a&lt;b&amp;<br>&amp;cd"


def test_attributes() -> None:
    assert tag("a", href="#x", data_value=1.254, class_="k", hidden=True, title=None, download=False) == (
        '<a href="#x" data-value="1.25" class="k" hidden></a>'
    )
    assert tag("input", name="n") == '<input name="n"/>'
    assert tag("rect", x=3.0) == '<rect x="3"/>'


@given(st.text())
def test_any_text_can_stand_in_xml(text: str) -> None:
    read = ElementTree.fromstring(f'<p title="{escape(text)}">{escape(text)}</p>')
    assert len(read.text or "") == len(text)


def test_markup_stays_markup_when_it_is_put_together() -> None:
    both = tag("b", "x") + "<" + tag("i", "y")
    assert isinstance(both, Markup)
    assert tag("p", both) == "<p><b>x</b>&lt;<i>y</i></p>"


def test_paints_and_lengths() -> None:
    assert tag("rect", fill=(255, 200, 40), width=1 / 3) == '<rect fill="#FFC828" width="0.33"/>'
    assert [number(value) for value in (0.0, -0.001, 10.0, 2.5, 1e6, -7.126)] == [
        "0",
        "0",
        "10",
        "2.5",
        "1000000",
        "-7.13",
    ]
