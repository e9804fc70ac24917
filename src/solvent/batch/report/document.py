"""The page around its sections: head, content policy, contents, footer."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from solvent.batch.report.charts.marks import definitions
from solvent.batch.report.markup import Child, Markup, join, tag
from solvent.batch.report.phrases import count
from solvent.version import __version__


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


def document(title: str, head: Child, sections: Sequence[Section], foot: Child) -> str:
    """Put a whole page together. Nothing in it comes from elsewhere, and nothing else may run in it."""
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
            # Early, so that whoever looks for instances in a folder soon sees that this is none.
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
            tag("footer", foot),
            _dialog(),
            tag("script", Markup(script)),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"


def _dialog() -> Markup:
    # Named by what stands in it when it opens.
    told = tag("p", tag("span", id="shown"), tag("button", "Close", type="button", autofocus=True))
    return tag("dialog", told, tag("img", alt="", src="data:,"), aria_labelledby="shown")


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
    return tag("p", f"{count(number, 'more is', 'more are')} {where}.", class_="note") if number else None


def table(
    headings: Sequence[tuple[str, str | None]],
    rows: Sequence[Markup],
    *,
    label: str,
    id: str | None = None,
    sortable: bool = False,
    tall: bool = False,
) -> Markup:
    """Show a table that scrolls by itself where it is too wide; each heading comes with the class of its column."""
    head = tag("tr", [tag("th", text, scope="col", class_=kind) for text, kind in headings])
    drawn = tag("table", tag("thead", head), tag("tbody", rows), id=id, class_="sortable" if sortable else None)
    return tag("div", drawn, class_="scroll tall" if tall else "scroll", tabindex=0, role="region", aria_label=label)
