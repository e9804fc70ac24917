"""Put the page about one run together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvent.batch.report.answers import answers_section
from solvent.batch.report.asked import describe_run
from solvent.batch.report.document import Section, command, document, facts
from solvent.batch.report.domains import domain_section
from solvent.batch.report.drawings import Album
from solvent.batch.report.gathering import MAX_DOTS, Gathered, gather
from solvent.batch.report.markup import tag
from solvent.batch.report.overview import overview, sentence
from solvent.batch.report.phrases import count
from solvent.batch.report.reproducing import shell_words
from solvent.batch.report.thinning import fair_shares
from solvent.batch.report.troubles import troubles_section, unread_section
from solvent.version import __version__

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

DEFAULT_DRAWINGS = 120


@dataclass(frozen=True, slots=True)
class Report:
    """Hold a page and the figures it shows."""

    page: str
    found: Gathered
    drawings: int
    drawings_left_out: int


def make_report(store: Store, run: RunRow, *, drawings: int = DEFAULT_DRAWINGS) -> Report:
    """Make the page about a run: one HTML document that needs nothing beside it.

    Memory and size of the page are bounded, however many rows there are; the page says what it leaves out.
    """
    from solvent.batch.store.reading import rows

    found = gather(rows(store, run.id), began=run.began)
    name = str(store.path)
    album = Album(store, drawings)
    # Drawn first, so that what went wrong is seen where the page cannot hold all drawings.
    troubles = troubles_section(found, run.settings, name, album)
    seconds = run.settings.get("seconds")
    limit = float(seconds) if isinstance(seconds, int | float) else None
    _thin_dots(found)
    domains = [domain_section(domain, found, album, limit=limit) for domain in found.domains]
    sections: list[Section | None] = [
        overview(found, run.seconds),
        *domains,
        troubles,
        unread_section(found, run.settings, name),
        answers_section(found, shell_words(_whole_table(name, run))),
    ]
    head = [
        tag("h1", "Validation report"),
        tag("p", sentence(found), class_="lead"),
        facts(describe_run(run, found, name)),
    ]
    foot = [
        tag("p", _drawings_told(album)) if album.left_out else None,
        tag(
            "p",
            "Every YES and NO that counts as certified was accepted by a checker before it was stored. To have all"
            " certificates in the store checked again:",
        ),
        command(shell_words(["solvent", "check", "--store", name])),
        tag("p", f"Made by Solvent {__version__}."),
    ]
    title = f"Validation report: {store.path.name}, run {run.id}"
    page = document(title, head, [section for section in sections if section is not None], foot)
    return Report(page, found, album.drawn, album.left_out)


def _whole_table(store: str, run: RunRow) -> list[str]:
    return ["solvent", "report", store, "--run", str(run.id), "--csv", "table.csv"]


def _thin_dots(found: Gathered) -> None:
    """Share the dots that a page can show among its charts."""
    groups = list(found.groups.values())
    for group, most in zip(groups, fair_shares([len(group.sized.kept) for group in groups], MAX_DOTS), strict=True):
        group.sized.thin(most)


def _drawings_told(album: Album) -> str:
    return (
        f"{count(album.drawn, 'drawing is', 'drawings are')} on this page; {album.left_out:,} more would have made it"
        " too large, or cannot be drawn."
    )
