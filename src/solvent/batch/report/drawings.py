"""Drawings of instances, with their solutions, as many as a page can hold."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from solvent.batch.report.phrases import ending, shorten
from solvent.batch.report.run_statistics import Entry
from solvent.core.domain import Drawing
from solvent.core.errors import SolventError
from solvent.drawing.markup import Markup, tag
from solvent.registry import get_domain

if TYPE_CHECKING:
    from solvent.batch.store import Store

MAX_BYTES = 5_000_000
"""Of all drawings of a page together, as they stand in it."""
MAX_BYTES_EACH = 600_000
MAX_SECONDS = 60.0
"""After so long no further drawing is begun."""


class Album:
    """Draw instances and keep account of what a page can still hold. Each is drawn once, however often it is named."""

    def __init__(self, store: Store, most: int) -> None:
        self.drawn = 0
        self.left_out = 0
        """Drawings that were wanted and are not there."""
        self._store = store
        self._most = most
        self._bytes = 0
        self._numbers: dict[tuple[str, int | None], int | None] = {}
        self._began = time.monotonic()

    def show(self, entry: Entry) -> Markup | None:
        """Return the drawing of an entry as a figure, or a link to where it stands; None if it cannot be shown."""
        row = entry.row
        if row.instance is None or row.domain is None:
            return None
        key = (row.instance, row.answer)
        if key in self._numbers:
            number = self._numbers[key]
            return None if number is None else tag("a", "Drawing", href=f"#drawing-{number}", class_="to-drawing")
        picture = self._picture(entry)
        self._numbers[key] = self.drawn if picture is not None else None
        if picture is None:
            self.left_out += 1
            return None
        self._bytes += len(picture)
        self.drawn += 1
        return _figure(picture, self.drawn - 1, entry)

    def _picture(self, entry: Entry) -> str | None:
        if self.drawn >= self._most or time.monotonic() - self._began > MAX_SECONDS:
            return None
        for svg in draw(self._store, entry):
            picture = "data:image/svg+xml;base64," + base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")
            if len(picture) <= MAX_BYTES_EACH and self._bytes + len(picture) <= MAX_BYTES:
                return picture
        return None


def draw(store: Store, entry: Entry) -> Iterator[str]:
    """Draw an instance with what its certificate holds, then without; nothing of what cannot be drawn."""
    from solvent.batch.store.reading import certificate, instance_text

    row = entry.row
    assert row.instance is not None
    assert row.domain is not None
    try:
        domain = get_domain(row.domain)
        problem = domain.parse(instance_text(store, row.instance))
        proof = None if row.answer is None or not row.certified else certificate(store, row.answer)
    except SolventError:  # a domain that is not installed, or a damaged store: the table has its row all the same
        return
    for shown in (proof, None) if proof is not None else (None,):
        try:
            yield domain.draw_svg(problem, Drawing(certificate=shown))
        except Exception:  # noqa: S112  # an edited certificate may fail to draw; the page is worth more
            continue


def _figure(picture: str, number: int, entry: Entry) -> Markup:
    row = entry.row
    solution = " with its solution" if row.certified and row.verdict == "YES" else ""
    image = tag(
        "img", src=picture, alt=f"Drawing of {shorten(entry.name, 80)}{solution}", loading="lazy", decoding="async"
    )
    caption = f"{ending(entry.name, 40)} · {row.question}: {entry.kind}"
    figure = tag(
        "figure",
        tag("a", image, href=f"#drawing-{number}", class_="open", title=f"Show large: {caption}"),
        tag("figcaption", caption),
        tag("a", "Close", href=f"#home-{number}", class_="close"),
        id=f"drawing-{number}",
        class_="drawing",
    )
    # Without scripts the figure itself grows when it is the target of the address; this box keeps its place meanwhile.
    return tag("div", figure, id=f"home-{number}", class_="home")
