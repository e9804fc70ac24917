"""One domain of a run: time against size, how its figures are distributed, the hardest, and a sample of the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solvent.batch.names import CommonFolder
from solvent.batch.report.charts.bars import Ranked, draw_ranking
from solvent.batch.report.charts.frame import Axis, Dot, draw_scatter
from solvent.batch.report.charts.histogram import draw_histogram, draw_words
from solvent.batch.report.charts.marks import legend
from solvent.batch.report.charts.scales import SMALLEST_SECONDS, logarithmic, tight_logarithmic
from solvent.batch.report.describe import figure_title, meaning_of, size_title, title_of
from solvent.batch.report.drawings import Album
from solvent.batch.report.page import (
    Column,
    Section,
    name_text,
    number_cell,
    seconds_cell,
    status_pill,
    table,
    verdict_mark,
)
from solvent.batch.report.phrases import duration, figure, short, size_in_bytes, tick_bytes, tick_duration
from solvent.batch.report.run_statistics import FIGURES, Entry, Group, RunStatistics, SizedAnswer
from solvent.batch.report.sampling import Distribution, Sample
from solvent.batch.rows import report_columns_by_name
from solvent.drawing.markup import Markup, join, tag
from solvent.drawing.phrases import capitalised, counted

WIDEST_SHIFT = 9.0
"""Points by which dots of one size stand apart, where there are many."""
MANY_OF_ONE_SIZE = 5
FEWEST_TO_DRAW = 8
"""Of fewer numbers a chart shows no more than a sentence."""
WRITERS: dict[str, tuple[Callable[[float], str], Callable[[float], str]]] = {
    "seconds": (duration, tick_duration),
    "certificate_bytes": (size_in_bytes, tick_bytes),
}
"""How figures are written in a text and on an axis, where not as plain numbers."""


def domain_section(domain: str, found: RunStatistics, album: Album, *, limit: float | None) -> Section:
    """Show everything about the answers of one domain. `limit` is the soft limit in seconds, None without one."""
    groups = [group for (owner, _), group in found.groups.items() if owner == domain]
    hardest = found.hardest[domain].kept
    several = len(groups) > 1
    charts = [_scatter(group, found, limit=limit, several=several) for group in groups]
    charts.append(_ranking(hardest, several=several))
    parts: list[Markup | None] = [tag("div", charts, class_="charts") if any(charts) else None]
    for group in groups:
        meaning = meaning_of(domain, group.question)
        parts.append(tag("h3", f"{group.question}{f': {meaning}' if meaning else ''}"))
        parts.append(_distributions(group))
    parts += [_hardest(hardest, album, several=several), _sample(found.samples[domain], album)]
    return Section(f"domain-{domain}", title_of(domain), join(parts))


def _distributions(group: Group) -> Markup:
    """Draw how each figure is distributed; where there is little to draw, say it in a sentence."""
    drawn, same, few = [], [], []
    order = [*FIGURES, *report_columns_by_name(group.domain).diagnostics]
    for name, found in sorted(group.distributions.items(), key=lambda pair: order.index(pair[0])):
        write, _ = WRITERS.get(name, (figure, short))
        if len(found.numbers) + len(found.words) == 1:
            value = next(iter(found.words), None) or write(found.largest)
            same.append(f"{figure_title(name)} {value}")
        elif found.total >= FEWEST_TO_DRAW:
            drawn.append(_distribution(name, found))
        elif found.numbers:
            few.append(f"{figure_title(name)} {write(found.smallest)} to {write(found.largest)}")
    return join(
        [
            tag("div", drawn, class_="small-charts") if drawn else None,
            tag("p", f"{capitalised('; '.join(few))}.", class_="note") if few else None,
            tag("p", f"The same for all: {'; '.join(same)}.", class_="note") if same else None,
        ]
    )


def _distribution(name: str, found: Distribution) -> Markup:
    title = capitalised(figure_title(name))
    write, write_tick = WRITERS.get(name, (figure, short))
    if len(found.words) >= len(found.numbers):
        notes = [f"of {found.words.total():,}"]
        label = f"{title}: " + ", ".join(f"{word} {times:,}" for word, times in found.words.most_common(8))
        drawn = draw_words(found, label=label)
    else:
        median, most = write(found.quantile(0.5)), write(found.quantile(0.9))
        notes = [f"median {median}", f"90 % ≤ {most}", f"max {write(found.largest)}"]
        drawn = draw_histogram(found, title="", write=write_tick, label=f"{title}: {', '.join(notes)}.")
    return tag("figure", tag("figcaption", tag("b", title), [(" ", tag("span", note)) for note in notes]), drawn)


def _scatter(group: Group, found: RunStatistics, *, limit: float | None, several: bool) -> Markup | None:
    answers = group.sized.kept
    if not answers:
        return None
    unit = size_title(group.domain)
    title = f"{group.question}: time against {unit}." if several else f"Time against {unit}."
    apart = " Those of one size stand a little apart." if _is_crowded(answers) else ""
    caption = tag("figcaption", tag("b", title), f" Each dot leads to its row.{apart}{evenly_chosen(group.sized)}")
    drawn = draw_times(answers, unit=unit, limit=limit, names=found.names)
    return tag("figure", caption, legend(answer.kind for answer in answers), drawn)


def evenly_chosen(sample: Sample[Any]) -> str:
    """Say how many answers of how many a chart shows; empty if it shows all."""
    shown = len(sample.kept)
    return f" {shown:,} of {sample.seen:,} answers, evenly chosen." if shown < sample.seen else ""


def draw_times(answers: Sequence[SizedAnswer], *, unit: str, limit: float | None, names: CommonFolder) -> Markup:
    """Draw time against size; `unit` is what the size counts."""
    crowded = _is_crowded(answers)
    heights = [answer.seconds for answer in answers]
    # The limit is worth seeing where something came near it.
    near = limit is not None and max(heights) > limit / 5
    up = logarithmic([*heights, limit] if near and limit is not None else heights, smallest=SMALLEST_SECONDS)
    across = tight_logarithmic([answer.size for answer in answers], smallest=1)
    dots = [
        Dot(
            answer.size,
            answer.seconds,
            answer.kind,
            f"{names.shorten(answer.name)}\n{answer.kind}, {duration(answer.seconds)}, {answer.size:,} {unit}",
            answer.anchor,
            # Steps of the golden ratio fall evenly, and the same way every time.
            WIDEST_SHIFT * (place * 0.618034 % 1 - 0.5) if crowded else 0.0,
        )
        for place, answer in enumerate(answers)
    ]
    return draw_scatter(
        dots,
        Axis(across, f"{unit} (logarithmic)", short),
        Axis(up, "time (logarithmic)", tick_duration),
        label=f"Time against {unit}, one dot for each of {counted(len(dots), 'answer')}.",
        limit=limit,
    )


def _is_crowded(answers: Sequence[SizedAnswer]) -> bool:
    return len(answers) > MANY_OF_ONE_SIZE * len({answer.size for answer in answers})


def hardest_title(number: int) -> str:
    """Return the title of a ranking of so many answers."""
    return "The hardest ten" if number == 10 else f"The hardest {number}"


def _ranking(entries: Sequence[Entry], *, several: bool) -> Markup | None:
    if len(entries) < 2:
        return None
    bars = []
    for entry in entries:
        text = duration(entry.row.seconds) + (f", {entry.row.question}" if several else "")
        bars.append(Ranked(entry.name, entry.row.seconds, text, entry.kind, entry.anchor))
    listed = "; ".join(f"{bar.name} {bar.text}" for bar in bars)
    caption = tag("figcaption", tag("b", f"{hardest_title(len(bars))} by time."), " Each bar leads to its row.")
    drawn = draw_ranking(bars, label=f"The answers that took longest: {listed}.")
    return tag("figure", caption, legend(bar.kind for bar in bars), drawn)


def _hardest(entries: Sequence[Entry], album: Album, *, several: bool) -> Markup | None:
    if len(entries) < 2:
        return None
    rows = [entry.row for entry in entries]
    columns = [
        Column("", lambda entry: album.show(entry) or ""),
        Column("Instance", lambda entry: tag("td", _link(entry), class_="name")),
        Column("Question", lambda entry: entry.row.question or "") if several else None,
        Column("Status", lambda entry: status_pill(entry.status)),
        Column("Verdict", lambda entry: verdict_mark(entry.kind)),
        Column("Time", lambda entry: seconds_cell(entry.row.seconds), "number"),
        *(
            Column(name.capitalize(), lambda entry, name=name: number_cell(getattr(entry.row, name)), "number")
            for name in ("expanded", "length")
            if any(getattr(row, name) is not None for row in rows)
        ),
    ]
    diagnostics = report_columns_by_name(rows[0].domain or "").diagnostics
    # At most two, so that the table stays readable.
    for name in [name for name in diagnostics if any(name in row.stats for row in rows)][:2]:
        heading = capitalised(figure_title(name))
        columns.append(Column(heading, lambda entry, name=name: _diagnostic_cell(entry.row.stats.get(name)), "number"))
    title = hardest_title(len(entries))
    return join([tag("h3", title), table(entries, [each for each in columns if each is not None], label=title)])


def _link(entry: Entry) -> Markup:
    return tag("a", name_text(entry.name, entry.row.name), href=entry.anchor)


def _diagnostic_cell(value: Any) -> Markup:
    if isinstance(value, bool) or not isinstance(value, int | float):
        shown = "" if value is None else {True: "yes", False: "no"}.get(value, str(value)[:60])
        return tag("td", shown, class_="number")
    return number_cell(value, figure(value))


def _sample(sample: Sample[Entry], album: Album) -> Markup | None:
    drawn = [picture for picture in map(album.show, sample.kept) if picture is not None]
    pictures = [picture for picture in drawn if picture.startswith("<div")]
    if not pictures:
        return None
    all_shown = len(sample.kept) == sample.seen
    title = "Others that passed" if all_shown else f"A sample of the {sample.seen:,} that passed"
    return join([tag("h3", title), tag("div", pictures, class_="gallery")])
