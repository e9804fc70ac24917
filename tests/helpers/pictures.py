"""Look into pictures."""

from __future__ import annotations

from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    """Return the elements of a kind, in order."""
    return list(ElementTree.fromstring(svg).iter(SVG + tag))
