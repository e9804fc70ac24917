"""What got faster or slower between two runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solvent.batch.report.cells import number_cell, seconds_cell
from solvent.batch.report.charts.frame import Axis
from solvent.batch.report.charts.marks import KINDS, legend
from solvent.batch.report.charts.scales import SMALLEST_SECONDS, logarithmic
from solvent.batch.report.charts.scatter import Dot, draw_scatter
from solvent.batch.report.differences import CHANGES, NOISE_RATIO, NOISE_SECONDS, Differences, Most, Part, Times
from solvent.batch.report.document import Section, table
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.matching import Pair
from solvent.batch.report.naming import title_of
from solvent.batch.report.phrases import count, duration, shorten, tick_duration


def ratio_told(ratio: float) -> str:
    """Write how many times as fast something is: `1.8× as fast`, `2.1× as slow`, `as fast as before`."""
    if 0.95 < ratio < 1.05:
        return "as fast as before"
    return f"{ratio:.3g}× as fast" if ratio > 1 else f"{1 / ratio:.3g}× as slow"


def times_sentence(found: Differences) -> str:
    """Say how the times changed over all; empty if nothing was solved twice."""
    times = found.times
    if not times.answers:
        return ""
    told = (
        f"{count(times.answers, 'answer')} that both runs decided alike took {duration(times.before)}"
        f" before and {duration(times.after)} after"
    )
    return told + (f"; half of them are at least {_median(times)}." if times.ratios.numbers else ".")


def _median(times: Times) -> str:
    return ratio_told(times.ratios.quantile(0.5))


def times_section(found: Differences) -> Section | None:
    """Show the times of both runs against one another; None if nothing was solved twice."""
    if not found.dots.seen:
        return None
    least = f"{NOISE_RATIO:g} times and {NOISE_SECONDS * 1000:.0f} ms"
    told = f"Faster or slower counts only from {least} on; less may be chance."
    parts = [
        tag("p", told, class_="note"),
        tag("div", _scatter(found), class_="charts"),
        _by_question(found),
        _changes("Slower", "slower", found.slower),
        _changes("Faster", "faster", found.faster),
    ]
    return Section("times", "Faster and slower", join(parts))


def _scatter(found: Differences) -> Markup:
    pairs: Sequence[Pair] = found.dots.kept
    thinned = f" {len(pairs):,} of {found.dots.seen:,} answers, evenly chosen." if len(pairs) < found.dots.seen else ""
    caption = tag(
        "figcaption",
        tag("b", "After against before."),
        f" Below the line is faster; marks show the later verdict.{thinned}",
    )
    return tag("figure", caption, legend(_kind(pair) for pair in pairs), draw_after_against_before(pairs))


def draw_after_against_before(pairs: Sequence[Pair], link: Callable[[Pair], str | None] = lambda _: None) -> Markup:
    """Draw the times of two runs against one another; `link` says where a dot leads."""
    scale = logarithmic(
        [side.seconds for pair in pairs for side in (pair.before, pair.after)], smallest=SMALLEST_SECONDS
    )
    dots = [
        Dot(
            pair.before.seconds,
            pair.after.seconds,
            _kind(pair),
            f"{pair.after.name}\n{pair.question}: {pair.before.kind} in {duration(pair.before.seconds)},"
            f" then {pair.after.kind} in {duration(pair.after.seconds)}",
            link(pair),
        )
        for pair in pairs
    ]
    return draw_scatter(
        dots,
        Axis(scale, "time before (logarithmic)", tick_duration),
        Axis(scale, "time after (logarithmic)", tick_duration),
        label=f"Time after against time before, one dot for each of {count(len(dots), 'answer')}.",
        diagonal=True,
    )


def _kind(pair: Pair) -> str:
    return pair.after.kind if pair.after.kind in KINDS else "ERROR"


def _by_question(found: Differences) -> Markup:
    headings: list[tuple[str, str | None]] = [("Domain", None), ("Question", None), ("In both", "number")]
    headings += [("Changed", "number"), ("Before", "number"), ("After", "number"), ("Median", None)]
    drawn = [_part(domain, question, part) for (domain, question), part in found.parts.items()]
    return table(headings, drawn, label="Times by domain and question")


def _part(domain: str, question: str, part: Part) -> Markup:
    return tag(
        "tr",
        tag("th", title_of(domain), scope="row"),
        tag("td", question),
        number_cell(part.matched),
        number_cell(sum(part.changes[change] for change in CHANGES)),
        seconds_cell(part.times.before if part.times.answers else None),
        seconds_cell(part.times.after if part.times.answers else None),
        tag("td", _median(part.times) if part.times.ratios.numbers else "–"),
    )


def _changes(heading: str, id: str, changed: Most) -> Markup | None:
    if not changed.seen:
        return None
    headings: list[tuple[str, str | None]] = [("Instance", None), ("Question", None), ("Verdict", None)]
    headings += [("Before", "number"), ("After", "number"), ("Ratio", "number")]
    rows = [
        tag(
            "tr",
            tag("td", shorten(pair.after.name, 120), class_="name"),
            tag("td", pair.question),
            tag("td", pair.after.kind),
            seconds_cell(pair.before.seconds),
            seconds_cell(pair.after.seconds),
            number_cell(pair.before.seconds / max(1e-9, pair.after.seconds), _ratio_of(pair)),
        )
        for pair in changed.kept
    ]
    more = f", the {len(changed.kept)} that changed most" if changed.seen > len(changed.kept) else ""
    return join(
        [
            tag("h3", f"{heading}: {changed.seen:,}{more}", id=id),
            table(headings, rows, label=heading, sortable=True),
        ]
    )


def _ratio_of(pair: Pair) -> str:
    return ratio_told(pair.before.seconds / max(1e-9, pair.after.seconds))
