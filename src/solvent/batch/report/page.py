"""What pages are made of: the frame around their sections, tables with their cells, cards, commands."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from solvent.batch.report.charts.marks import badge, definitions
from solvent.batch.report.phrases import duration, shorten
from solvent.drawing.markup import Child, Markup, join, tag
from solvent.drawing.phrases import counted
from solvent.version import __version__

Item = TypeVar("Item")

LONGEST_NAME = 120
LONGEST_WHOLE_NAME = 400
WORD_BREAK = Markup("<wbr>")
SIGNS = {"PASS": "✓", "FAIL": "✗", "UNKNOWN": "?", "ERROR": "!"}


@dataclass(frozen=True, slots=True)
class Section:
    """Hold one part of a page that the contents name."""

    id: str
    title: str
    content: Markup
    short: str = ""
    """What the contents call it; empty for the title."""

    def draw(self) -> Markup:
        """Return the part with its heading."""
        heading = f"{self.id}-title"
        return tag("section", tag("h2", self.title, id=heading), self.content, id=self.id, aria_labelledby=heading)


def document(title: str, head: Child, parts: Iterable[Section | None], foot: Child = None) -> str:
    """Put a whole page together. Nothing in it comes from elsewhere, and nothing else may run in it."""
    sections = [part for part in parts if part is not None]
    style, script = _own("page.css"), _own("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src data:",
            f"style-src '{_fingerprint(style)}'",
            f"script-src '{_fingerprint(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    contents = [tag("a", section.short or section.title, href=f"#{section.id}") for section in sections]
    page = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            # Early, so that a search for instances soon sees that this is none.
            tag("meta", name="generator", content=f"Solvent {__version__}"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", title),
            tag("style", Markup(style)),
        ),
        tag(
            "body",
            tag("a", "Skip to the results", href=f"#{sections[0].id}", class_="skip"),
            definitions(),
            tag("header", head, id="top"),
            tag("nav", contents, class_="contents", aria_label="Contents"),
            tag("main", join((section.draw() for section in sections), "\n")),
            tag("footer", foot, tag("p", f"Made by Solvent {__version__}.")),
            _dialog(),
            tag("script", Markup(script)),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"


def _dialog() -> Markup:
    # Named by what stands in it when it opens.
    caption = tag("p", tag("span", id="shown"), tag("button", "Close", type="button", autofocus=True))
    return tag("dialog", caption, tag("img", alt="", src="data:,"), aria_labelledby="shown")


def _own(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _fingerprint(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def facts(pairs: Sequence[tuple[str, Child]]) -> Markup:
    """List facts by name."""
    return tag("dl", [(tag("dt", name), tag("dd", value)) for name, value in pairs], class_="facts")


ROOM_IN_A_CARD = 8
"""Letters that fit in large print."""


@dataclass(frozen=True, slots=True)
class Card:
    """Hold one number that stands out."""

    value: str
    what: str
    more: str = ""
    bad: bool = False
    link: str | None = None


def cards(listed: Sequence[Card]) -> Markup:
    """Show numbers that stand out."""
    return tag(
        "ul",
        [
            tag(
                "li",
                tag("span", card.value, class_="value" if len(card.value) <= ROOM_IN_A_CARD else "value long"),
                tag("span", card.what if card.link is None else tag("a", card.what, href=card.link), class_="what"),
                tag("span", card.more, class_="more") if card.more else None,
                class_="bad" if card.bad else None,
            )
            for card in listed
        ],
        class_="cards",
    )


def command(text: str) -> Markup:
    """Show a command to be run in a shell."""
    return tag("div", tag("pre", tag("code", text)), class_="command")


def more(number: int, where: str) -> Markup | None:
    """Say how many more there are than are shown, and where; None if there are none."""
    return tag("p", f"{counted(number, 'more is', 'more are')} {where}.", class_="note") if number else None


class Column(NamedTuple):
    """Describe one column of a table."""

    heading: str
    cell: Callable[..., Markup | str]
    """Draws a cell; a text becomes one."""
    kind: str | None = None
    """`number` or `bar`."""


def table(
    items: Iterable[Item],
    columns: Sequence[Column],
    *,
    label: str,
    id: str | None = None,
    sortable: bool = False,
    tall: bool = False,
    attributes: Callable[[Item], Mapping[str, object]] = lambda _: {},
) -> Markup:
    """Show a row for each item; the table scrolls by itself where it is too wide."""
    head = tag("tr", [tag("th", column.heading, scope="col", class_=column.kind) for column in columns])
    rows = [tag("tr", [_cell(column, item) for column in columns], **attributes(item)) for item in items]
    drawn = tag("table", tag("thead", head), tag("tbody", rows), id=id, class_="sortable" if sortable else None)
    return tag("div", drawn, class_="scroll tall" if tall else "scroll", tabindex=0, role="region", aria_label=label)


def _cell(column: Column, item: Item) -> Markup:
    drawn = column.cell(item)
    if isinstance(drawn, Markup) and drawn.startswith(("<td", "<th")):
        return drawn
    return tag("td", drawn, class_=column.kind)


def status_pill(status: str | None) -> Markup:
    """Show a status by a sign and a word."""
    if status is None:
        return tag("span", "–")
    return tag("span", f"{SIGNS[status]} {status}", class_=f"pill {status}")


def verdict_mark(kind: str) -> Markup:
    """Show a verdict with its mark."""
    return join([badge(kind), " ", kind])


def number_cell(value: float | None, written: str | None = None) -> Markup:
    """Show a number; tables sort by its value, however it is written."""
    if value is None:
        return tag("td", class_="number", data_value="")
    text = f"{value:,}" if written is None else written
    return tag("td", text, class_="number", data_value=f"{value:.9g}")


def seconds_cell(seconds: float | None) -> Markup:
    """Show a time."""
    return number_cell(seconds, None if seconds is None else duration(seconds))


def name_cell(name: str) -> Markup:
    """Show the name of an instance."""
    return tag("td", shorten(name, LONGEST_NAME), class_="name")


def name_text(name: str, whole_name: str) -> Markup:
    """Show the name of an instance or a file, the whole of it as a tooltip."""
    shown = shorten(name, LONGEST_NAME)
    whole = None if shown == whole_name else shorten(whole_name, LONGEST_WHOLE_NAME)
    # A long path may be broken after a slash, which reads better than anywhere.
    parts = shown.replace("/", "/\0").split("\0")
    return tag("span", join(parts, WORD_BREAK), class_="name", title=whole)
