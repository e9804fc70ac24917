"""The charts of a run: those of its report, drawn again with links that lead to results on the page."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import msgspec

from solvent.batch.names import CommonFolder, valid_text
from solvent.batch.report.charts.bars import Ranked, draw_ranking
from solvent.batch.report.charts.histogram import draw_histogram
from solvent.batch.report.charts.marks import SHAPES
from solvent.batch.report.describe import size_title, title_of
from solvent.batch.report.domain_section import FEWEST_TO_DRAW, draw_times, evenly_chosen, hardest_title
from solvent.batch.report.phrases import duration, tick_duration
from solvent.batch.report.run_statistics import HARDEST, SizedAnswer
from solvent.batch.report.sampling import Distribution, Largest, Sample
from solvent.batch.rows import outcome_of
from solvent.batch.store.reading import CountedRow, counted_rows
from solvent.drawing.phrases import counted
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs.work import find_run, opened
from solvent.web.served_files import ServedFile

MARKS = {"PASS": SHAPES["YES"], "FAIL": SHAPES["NO"], "UNKNOWN": SHAPES["UNKNOWN"], "ERROR": SHAPES["ERROR"]}
"""The shape of each outcome."""
MAX_DOTS = 1_500
"""Of one chart; more would be slow to draw and no clearer."""


@dataclass(slots=True)
class _Group:
    """Hold what the charts show of one question about one domain."""

    seconds: Distribution = field(default_factory=Distribution)
    sized: Sample[SizedAnswer] = field(default_factory=lambda: Sample(MAX_DOTS))


def draw_charts(file: ServedFile, run_id: int) -> bytes:
    """Draw the charts of a run, by domain."""
    groups: dict[str, dict[str, _Group]] = {}
    hardest: dict[str, Largest[CountedRow]] = {}
    names = CommonFolder()
    answers = 0
    with opened(file) as store:
        run = find_run(store, file, run_id)
        limit = run.settings.get("seconds")
        for answer in counted_rows(store, run_id, stats=False):
            domain, question = answer.domain, answer.question
            if answer.answer is None or domain is None or question is None:
                continue
            answers += 1
            name = valid_text(answer.name)
            names.add(name)
            if domain not in groups:
                groups[domain], hardest[domain] = {}, Largest(HARDEST, lambda each: each.seconds)
            if question not in groups[domain]:  # making one costs more than counting
                groups[domain][question] = _Group()
            group = groups[domain][question]
            group.seconds.add(answer.seconds)
            if answer.size is not None and answer.size > 0:
                if group.sized.wants_next:
                    anchor = address(file.id, run_id, answer.number, question)
                    group.sized.add(SizedAnswer(answer.size, answer.seconds, _outcome(answer), name, anchor))
                else:
                    group.sized.skip()
            hardest[domain].add(answer)
    at_most = float(limit) if isinstance(limit, int | float) else None
    drawn = [
        run_schemas.ChartGroup(
            domain=domain,
            title=title_of(domain),
            charts=[
                *_times(domain, questions, names, at_most),
                *_distributions(questions),
                *_hardest(file.id, run_id, hardest[domain].kept, names),
            ],
        )
        for domain, questions in groups.items()
    ]
    return msgspec.json.encode(run_schemas.Charts(groups=drawn, answers=answers, marks=dict(MARKS)))


def address(store: str, run: int, number: int, question: str | None) -> str:
    """Return where the page shows a result."""
    return f"#/result/{store}/{run}/{number}{_asked(question)}"


@functools.lru_cache(maxsize=256)
def _asked(question: str | None) -> str:
    return "" if question is None else f"/{quote(question, safe='')}"


def _outcome(answer: CountedRow) -> str:
    return outcome_of(answer.verdict or "ERROR", answer.domain, answer.question)


def _times(
    domain: str, questions: dict[str, _Group], names: CommonFolder, limit: float | None
) -> Iterator[run_schemas.Chart]:
    unit = size_title(domain)
    for question, group in questions.items():
        if group.sized.kept:
            yield run_schemas.Chart(
                title=f"{_of(question, questions)}Time against {unit}",
                caption=f"Each mark leads to its answer.{evenly_chosen(group.sized)}",
                svg=str(draw_times(group.sized.kept, unit=unit, limit=limit, names=names)),
            )


def _distributions(questions: dict[str, _Group]) -> Iterator[run_schemas.Chart]:
    for question, group in questions.items():
        times = group.seconds
        if times.total < FEWEST_TO_DRAW or len(times.numbers) < 2:
            continue
        caption = (
            f"Half took {duration(times.quantile(0.5))} at most (the dashed line), 90 % up to"
            f" {duration(times.quantile(0.9))}, the longest {duration(times.largest)}."
        )
        yield run_schemas.Chart(
            title=f"{_of(question, questions)}How times are spread",
            caption=caption,
            svg=str(draw_histogram(times, title="", write=tick_duration, label=caption)),
            small=True,
        )


def _hardest(store: str, run: int, answers: Sequence[CountedRow], names: CommonFolder) -> Iterator[run_schemas.Chart]:
    if len(answers) < 2:
        return
    several = len({each.question for each in answers}) > 1
    bars = [
        Ranked(
            names.shorten(valid_text(each.name)),
            each.seconds,
            duration(each.seconds) + (f", {each.question}" if several else ""),
            _outcome(each),
            address(store, run, each.number, each.question),
        )
        for each in answers
    ]
    yield run_schemas.Chart(
        title=hardest_title(len(bars)),
        caption="By time; each bar leads to its answer.",
        svg=str(draw_ranking(bars, label=f"The {counted(len(bars), 'answer')} that took longest.")),
    )


def _of(question: str, questions: dict[str, Any]) -> str:
    return f"{question}: " if len(questions) > 1 else ""
