"""One domain of a run: time against size, how its figures are spread, the hardest, and a sample of the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solvent.batch.report.cells import name_text, number_cell, seconds_cell, status_pill, verdict_cell
from solvent.batch.report.charts.bars import Ranked, draw_ranking
from solvent.batch.report.charts.frame import Axis
from solvent.batch.report.charts.histogram import draw_histogram, draw_words
from solvent.batch.report.charts.marks import legend
from solvent.batch.report.charts.scales import SMALLEST_SECONDS, logarithmic, tight_logarithmic
from solvent.batch.report.charts.scatter import Dot, draw_scatter
from solvent.batch.report.document import Section, table
from solvent.batch.report.drawings import Album
from solvent.batch.report.gathering import FIGURES, Entry, Gathered, Group, Names, Speck
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.naming import figure_title, meaning_of, size_title, title_of
from solvent.batch.report.phrases import (
    capitalised,
    count,
    duration,
    figure,
    short,
    size_in_bytes,
    tick_bytes,
    tick_duration,
)
from solvent.batch.report.spread import Spread
from solvent.batch.rows import report_columns_by_name

WIDEST_SHIFT = 9.0
"""Points by which dots of one size stand apart, where there are many."""
MANY_OF_ONE_SIZE = 5
FEWEST_TO_DRAW = 8
"""Of fewer numbers a chart shows no more than a sentence."""


def domain_section(domain: str, found: Gathered, album: Album, *, limit: float | None) -> Section:
    """Show everything about the answers of one domain. `limit` is the soft limit in seconds, None without one."""
    groups = [group for (owner, _), group in found.groups.items() if owner == domain]
    hardest = found.hardest.get(domain, [])
    several = len(groups) > 1
    charts = [_scatter(group, found, limit=limit, several=several) for group in groups]
    charts.append(_ranking(hardest, several=several))
    parts: list[Markup | None] = [tag("div", charts, class_="charts") if any(charts) else None]
    for group in groups:
        meaning = meaning_of(domain, group.question)
        parts.append(tag("h3", f"{group.question}{f': {meaning}' if meaning else ''}"))
        parts.append(_spreads(group))
    parts.append(_hardest(hardest, album, several=several))
    if domain in found.samples:
        parts.append(_sample(found.samples[domain].kept, found, domain, album))
    return Section(f"domain-{domain}", title_of(domain), join(parts))


def _spreads(group: Group) -> Markup:
    """Draw how each figure is spread; where there is little to draw, say it in words."""
    drawn, same, few = [], [], []
    order = [*FIGURES, *report_columns_by_name(group.domain).diagnostics]
    for name, spread in sorted(group.spreads.items(), key=lambda pair: order.index(pair[0])):
        write = _writer(name)
        if len(spread.numbers) + len(spread.words) == 1:
            value = next(iter(spread.words), None) or write(spread.largest)
            same.append(f"{figure_title(name)} {value}")
        elif spread.total >= FEWEST_TO_DRAW:
            drawn.append(_spread_figure(name, spread))
        elif spread.numbers:
            few.append(f"{figure_title(name)} {write(spread.smallest)} to {write(spread.largest)}")
    return join(
        [
            tag("div", drawn, class_="small-charts") if drawn else None,
            tag("p", f"{capitalised('; '.join(few))}.", class_="note") if few else None,
            tag("p", f"The same for all: {'; '.join(same)}.", class_="note") if same else None,
        ]
    )


def _scatter(group: Group, found: Gathered, *, limit: float | None, several: bool) -> Markup | None:
    specks = group.sized.kept
    if not specks:
        return None
    unit = size_title(group.domain)
    thinned = (
        f" {len(specks):,} of {group.sized.seen:,} answers, evenly chosen." if len(specks) < group.sized.seen else ""
    )
    title = f"{group.question}: time against {unit}." if several else f"Time against {unit}."
    spread = " Those of one size stand a little apart." if _is_crowded(specks) else ""
    caption = tag("figcaption", tag("b", title), f" Each dot leads to its row.{spread}{thinned}")
    drawn = draw_times(specks, unit=unit, limit=limit, names=found.names)
    return tag("figure", caption, legend(speck.kind for speck in specks), drawn)


def draw_times(specks: Sequence[Speck], *, unit: str, limit: float | None, names: Names) -> Markup:
    """Draw time against size; `unit` is what the size counts."""
    crowded = _is_crowded(specks)
    heights = [speck.seconds for speck in specks]
    # The limit is worth seeing where something came near it.
    near = limit is not None and max(heights) > limit / 5
    up = logarithmic([*heights, limit] if near and limit is not None else heights, smallest=SMALLEST_SECONDS)
    across = tight_logarithmic([speck.size for speck in specks], smallest=1)
    dots = [
        Dot(
            speck.size,
            speck.seconds,
            speck.kind,
            f"{names.short(speck.name)}\n{speck.kind}, {duration(speck.seconds)}, {speck.size:,} {unit}",
            speck.anchor,
            # Steps of the golden ratio fall evenly, and the same way every time.
            WIDEST_SHIFT * (place * 0.618034 % 1 - 0.5) if crowded else 0.0,
        )
        for place, speck in enumerate(specks)
    ]
    return draw_scatter(
        dots,
        Axis(across, f"{unit} (logarithmic)", short),
        Axis(up, "time (logarithmic)", tick_duration),
        label=f"Time against {unit}, one dot for each of {count(len(dots), 'answer')}.",
        limit=limit,
    )


def _is_crowded(specks: Sequence[Speck]) -> bool:
    return len(specks) > MANY_OF_ONE_SIZE * len({speck.size for speck in specks})


def _writer(name: str) -> Callable[[float], str]:
    return {"seconds": duration, "certificate_bytes": size_in_bytes}.get(name, figure)


def _axis_writer(name: str) -> Callable[[float], str]:
    return {"seconds": tick_duration, "certificate_bytes": tick_bytes}.get(name, short)


def _spread_figure(name: str, spread: Spread) -> Markup:
    title, write = capitalised(figure_title(name)), _writer(name)
    if len(spread.words) >= len(spread.numbers):
        total = spread.words.total()
        label = f"{title}: " + ", ".join(f"{word} {times:,}" for word, times in spread.words.most_common(8))
        return tag(
            "figure",
            tag("figcaption", tag("b", title), " ", tag("span", f"of {total:,}")),
            draw_words(spread, label=label),
        )
    told = [
        f"median {write(spread.quantile(0.5))}",
        f"90 % ≤ {write(spread.quantile(0.9))}",
        f"max {write(spread.largest)}",
    ]
    drawn = draw_histogram(spread, title="", write=_axis_writer(name), label=f"{title}: {', '.join(told)}.")
    return tag("figure", tag("figcaption", tag("b", title), [(" ", tag("span", fact)) for fact in told]), drawn)


def _ranking(entries: Sequence[Entry], *, several: bool) -> Markup | None:
    if len(entries) < 2:
        return None
    bars = [Ranked(entry.name, entry.row.seconds, _told(entry, several), entry.kind, entry.anchor) for entry in entries]
    told = "; ".join(f"{bar.name} {bar.text}" for bar in bars)
    caption = tag("figcaption", tag("b", f"{_hardest_title(entries)} by time."), " Each bar leads to its row.")
    drawn = draw_ranking(bars, label=f"The answers that took longest: {told}.")
    return tag("figure", caption, legend(bar.kind for bar in bars), drawn)


def _hardest_title(entries: Sequence[Entry]) -> str:
    return "The hardest ten" if len(entries) == 10 else f"The hardest {len(entries)}"


def _link(entry: Entry) -> Markup:
    return tag("a", name_text(entry), href=entry.anchor)


def _counts(values: Sequence[int | None]) -> list[Markup]:
    """Return the cells of a column; none if nobody has such a count."""
    return [number_cell(value) for value in values] if any(value is not None for value in values) else []


def _hardest(entries: Sequence[Entry], album: Album, *, several: bool) -> Markup | None:
    if len(entries) < 2:
        return None
    columns: list[tuple[str, str | None, list[Markup]]] = [
        ("", None, [tag("td", album.show(entry)) for entry in entries]),
        ("Instance", None, [tag("td", _link(entry), class_="name") for entry in entries]),
        ("Question", None, [tag("td", entry.row.question or "") for entry in entries] if several else []),
        ("Status", None, [tag("td", status_pill(entry.status)) for entry in entries]),
        ("Verdict", None, [verdict_cell(entry) for entry in entries]),
        ("Time", "number", [seconds_cell(entry.row.seconds) for entry in entries]),
        ("Expanded", "number", _counts([entry.row.expanded for entry in entries])),
        ("Length", "number", _counts([entry.row.length for entry in entries])),
    ]
    for name in _telling_diagnostics(entries):
        cells = [_diagnostic_cell(entry.row.stats.get(name)) for entry in entries]
        columns.append((capitalised(figure_title(name)), "number", cells))
    shown = [column for column in columns if column[2]]
    rows = [tag("tr", cells) for cells in zip(*(column[2] for column in shown), strict=True)]
    headings = [(heading, kind) for heading, kind, _ in shown]
    title = _hardest_title(entries)
    return join([tag("h3", title), table(headings, rows, label=title)])


def _told(entry: Entry, several: bool) -> str:
    told = duration(entry.row.seconds)
    return f"{told}, {entry.row.question}" if several else told


def _telling_diagnostics(entries: Sequence[Entry]) -> list[str]:
    """Return which diagnostics of the domain these answers have, at most two so that a table stays readable."""
    domain = entries[0].row.domain
    if domain is None:
        return []
    given = report_columns_by_name(domain).diagnostics
    return [name for name in given if any(name in entry.row.stats for entry in entries)][:2]


def _diagnostic_cell(value: Any) -> Markup:
    if isinstance(value, bool) or not isinstance(value, int | float):
        shown = "" if value is None else {True: "yes", False: "no"}.get(value, str(value)[:60])
        return tag("td", shown, class_="number")
    return number_cell(value, figure(value))


def _sample(entries: Sequence[Entry], found: Gathered, domain: str, album: Album) -> Markup | None:
    drawn = [picture for picture in (album.show(entry) for entry in entries) if picture is not None]
    pictures = [picture for picture in drawn if picture.startswith("<div")]
    if not pictures:
        return None
    passed = found.samples[domain].seen
    told = "Others that passed" if len(entries) == passed else f"A sample of the {passed:,} that passed"
    return join([tag("h3", told), tag("div", pictures, class_="gallery")])
