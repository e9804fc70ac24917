"""XML elements: what they hold, and that hostile texts are refused with a place."""

from __future__ import annotations

import pytest

from solvent.core import safe_xml
from solvent.core.errors import ParseError
from solvent.core.safe_xml import read_elements

TEXT = """<?xml version="1.0" encoding="latin-1"?>
<set size="4">
  <tile name="wäll" weight="0.5"/>
  <tile name="way">one<note/>two</tile>
</set>"""


def test_elements_know_their_lines_and_texts():
    root = read_elements("\ufeff" + TEXT, "set", "a rule set")
    assert (root.tag, root.integer("size"), root.integer("width", 7)) == ("set", 4, 7)
    wall, way = root.all("tile")
    assert (wall.word("name"), wall.number("weight"), wall.line) == ("wäll", 0.5, 3)
    assert wall.where == {"line": 3, "path": "<tile>"}
    assert "".join(way.text) == "onetwo"
    assert [inner.tag for inner in way.children] == ["note"]
    assert root.first("tile") is wall
    assert root.first("subset") is None


def test_one_of_several_roots():
    assert read_elements("<b/>", ("a", "b"), "this").tag == "b"
    with pytest.raises(ParseError, match="this, which begins with <a> or <b>, found '<c>'"):
        read_elements("<c/>", ("a", "b"), "this")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "as XML"),
        ("<set", "line 1, column 1: expected a rule set as XML"),
        ("<set>\n<tile></set>", "line 2.*a rule set as XML"),
        ("<set/><set/>", "as XML"),
        ("<!DOCTYPE s [<!ENTITY a 'aaa'><!ENTITY b '&a;&a;'>]><set>&b;</set>", "without entities"),
        ("<!DOCTYPE s [<!ENTITY a SYSTEM 'file:///etc/hostname'>]><set>&a;</set>", "without entities"),
        ("<!DOCTYPE s [<!ENTITY % a SYSTEM 'file:///etc/hostname'> %a;]><set/>", "without entities"),
        ("<!DOCTYPE s [<!ELEMENT set ANY>]><set/>", "line 1: expected a rule set without a document type of its own"),
        ("<!DOCTYPE s []><set/>", "without a document type of its own"),
        ("<!DOCTYPE s SYSTEM 'file:///etc/hostname'><set>&a;</set>", "without entities"),
        ("<!DOCTYPE s SYSTEM 'file:///etc/hostname'><set a='&b;'/>", "without entities"),
        ("<!DOCTYPE s SYSTEM 'file:///etc/hostname'><set>&#x;</set>", "without entities"),
        ("<set>&a;</set>", "as XML"),
        ("<set>\ud800</set>", "UTF-8"),
        ("<a>" * 100, "line 1, at <a>: expected elements at most 60 deep"),
        ("<map/>", "begins with <set>, found '<map>'"),
    ],
)
def test_texts_that_are_refused(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read_elements(text, "set", "a rule set")


@pytest.mark.parametrize(
    "line",
    [
        "<!DOCTYPE set>",
        '<!DOCTYPE set SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">',
        "<!DOCTYPE s SYSTEM 'file:///etc/hostname'>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD" "x.dtd">',
    ],
)
def test_a_line_that_only_names_a_document_type_is_harmless(line: str):
    root = read_elements(
        f'<?xml version="1.0"?>\n{line}\n<set a="1 &amp; 2">&lt;&#65;&#x42;</set>', "set", "a rule set"
    )
    assert (root.attributes, "".join(root.text), root.line) == ({"a": "1 & 2"}, "<AB", 3)


def test_texts_that_are_too_large(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(safe_xml, "MAX_ELEMENTS", 3)
    assert len(read_elements("<set><a/><a/></set>", "set", "a rule set").children) == 2
    with pytest.raises(ParseError, match=r"line 2.*at most 3 elements"):
        read_elements("<set><a/><a/>\n<a/></set>", "set", "a rule set")
    monkeypatch.setattr(safe_xml, "LARGEST_TEXT", 10)
    with pytest.raises(ParseError, match="a rule set of at most"):
        read_elements("<set>        </set>", "set", "a rule set")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a/>", "the attribute n, but it is missing"),
        ("<a n='x'/>", "n: a number, found 'x'"),
        ("<a n='1.5'/>", "n: a whole number, found '1.5'"),
        ("<a n='nan'/>", "not so large"),
        ("<a n='1e99'/>", "not so large"),
    ],
)
def test_attributes_that_are_no_whole_numbers(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read_elements(text, "a", "this").integer("n")
