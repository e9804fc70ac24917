"""One colour and one shape for each kind of answer, the same in every chart."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.drawing.markup import Child, Markup, tag

KINDS = ("YES", "NO", "UNKNOWN", "ERROR")
"""The verdicts, and ERROR for an answer that a bug prevented."""

SHAPES = {
    "YES": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "NO": "M0-4.8L4.8 3.8H-4.8z",
    "UNKNOWN": "M0-5L5 0L0 5L-5 0z",
    "ERROR": "M-4.2-2.6L-2.6-4.2L0-1.6L2.6-4.2L4.2-2.6L1.6 0L4.2 2.6L2.6 4.2L0 1.6L-2.6 4.2L-4.2 2.6L-1.6 0z",
}
"""A disc, a triangle, a diamond and a cross, around the origin."""


def chart(
    width: float, height: float, /, *content: Child, label: str, look: str = "chart", has_links: bool = False
) -> Markup:
    """Put a chart of this size around its content; the label is for those who cannot see it."""
    role = "group" if has_links else "img"  # what is within an image, nobody can follow by ear
    return tag("svg", content, viewBox=f"0 0 {width:g} {height:g}", role=role, aria_label=label, class_=look)


def definitions() -> Markup:
    """Return the shapes, to be put once into a page; charts refer to them."""
    shapes = [tag("path", id=f"mark-{kind}", d=path) for kind, path in SHAPES.items()]
    return tag("svg", tag("defs", shapes), width=0, height=0, aria_hidden="true", class_="definitions")


def mark(kind: str, x: float, y: float) -> Markup:
    """Draw the shape of a kind of answer at a place of a chart."""
    return tag("use", href=f"#mark-{kind}", x=x, y=y, class_=f"fill-{kind}")


def badge(kind: str) -> Markup:
    """Draw the shape of a kind of answer within a line of text."""
    return tag(
        "svg",
        tag("use", href=f"#mark-{kind}", class_=f"fill-{kind}"),
        viewBox="-6 -6 12 12",
        class_="badge",
        aria_hidden="true",
    )


def legend(kinds: Iterable[str]) -> Markup:
    """Name the shapes that a chart uses."""
    present = set(kinds)
    items = [tag("li", badge(kind), " ", kind) for kind in KINDS if kind in present]
    return tag("ul", items, class_="legend")
