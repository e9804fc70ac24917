"""The charts of a run: those of its report, drawn again with links that lead to results on the page."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import msgspec

from solvent.batch.names import valid_text
from solvent.batch.report.charts.bars import Ranked, draw_ranking
from solvent.batch.report.charts.histogram import draw_histogram
from solvent.batch.report.charts.marks import KINDS, SHAPES
from solvent.batch.report.domains import FEWEST_TO_DRAW, draw_times
from solvent.batch.report.gathering import HARDEST, Names, Speck
from solvent.batch.report.naming import size_title, title_of
from solvent.batch.report.phrases import count, duration, tick_duration
from solvent.batch.report.spread import Spread
from solvent.batch.report.thinning import Thinned
from solvent.batch.store import Store
from solvent.batch.store.columns import text
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs.work import find_run, opened
from solvent.web.served_files import ServedFile

MAX_DOTS = 1_500
"""Of one chart; more would be slow to draw and no clearer."""
_ANSWERS = (
    "SELECT item.number, item.name, instance.domain, instance.size, run_answer.question, answer.verdict,"
    " answer.seconds FROM run_answer JOIN item ON item.run = run_answer.run AND item.number = run_answer.number"
    " JOIN answer ON answer.id = run_answer.answer JOIN instance ON instance.id = item.instance"
    " WHERE run_answer.run = ? ORDER BY run_answer.number, run_answer.question"
)


@dataclass(slots=True)
class _Group:
    """Hold what the charts show of one question about one domain."""

    seconds: Spread = field(default_factory=Spread)
    sized: Thinned[Speck] = field(default_factory=lambda: Thinned(MAX_DOTS))


@dataclass(frozen=True, slots=True)
class _Answer:
    """Hold as much of an answer as a chart needs."""

    number: int
    name: str
    domain: str
    size: int | None
    question: str
    kind: str
    seconds: float


def draw_charts(file: ServedFile, run_id: int) -> bytes:
    """Draw the charts of a run, by domain."""
    groups: dict[str, dict[str, _Group]] = {}
    hardest: dict[str, list[tuple[float, int, _Answer]]] = {}
    names = Names()
    answers = 0
    with opened(file) as store:
        run = find_run(store, file, run_id)
        limit = run.settings.get("seconds")
        for answer in _answers(store, run_id):
            answers += 1
            names.see(answer.name)
            group = groups.get(answer.domain, {}).get(answer.question)
            if group is None:
                group = groups.setdefault(answer.domain, {})[answer.question] = _Group()
            group.seconds.add(answer.seconds)
            if answer.size is not None and answer.size > 0:
                anchor = address(file.id, run_id, answer.number, answer.question)
                group.sized.add(Speck(answer.size, answer.seconds, answer.kind, answer.name, anchor))
            heap = hardest.setdefault(answer.domain, [])
            if len(heap) < HARDEST:
                heapq.heappush(heap, (answer.seconds, -answers, answer))
            elif answer.seconds > heap[0][0]:
                heapq.heappushpop(heap, (answer.seconds, -answers, answer))
    at_most = float(limit) if isinstance(limit, int | float) else None
    drawn = [
        run_schemas.ChartGroup(
            domain=domain,
            title=title_of(domain),
            charts=[
                *_times(domain, questions, names, at_most),
                *_spreads(questions),
                *_hardest(file.id, run_id, [answer for *_, answer in sorted(hardest[domain], reverse=True)], names),
            ],
        )
        for domain, questions in groups.items()
    ]
    return msgspec.json.encode(run_schemas.Charts(groups=drawn, answers=answers, marks=dict(SHAPES)))


def address(store: str, run: int, number: int, question: str | None) -> str:
    """Return where the page shows a result."""
    return f"#/result/{store}/{run}/{number}{_asked(question)}"


@functools.lru_cache(maxsize=256)
def _asked(question: str | None) -> str:
    return "" if question is None else f"/{quote(question, safe='')}"


def _answers(store: Store, run_id: int) -> Iterator[_Answer]:
    for number, name, domain, size, question, verdict, seconds in store.query(_ANSWERS, run_id, as_bytes=True):
        kind = text(verdict)
        yield _Answer(
            number,
            valid_text(str(text(name))),
            str(text(domain)),
            None if size is None else int(size),
            str(text(question)),
            kind if kind in KINDS else "ERROR",
            float(seconds or 0.0),
        )


def _times(domain: str, questions: dict[str, _Group], names: Names, limit: float | None) -> Iterator[run_schemas.Chart]:
    unit = size_title(domain)
    for question, group in questions.items():
        specks = group.sized.kept
        if not specks:
            continue
        seen = group.sized.seen
        thinned = f" {len(specks):,} of {seen:,} answers, evenly chosen." if len(specks) < seen else ""
        yield run_schemas.Chart(
            title=f"{_of(question, questions)}Time against {unit}",
            caption=f"Each mark leads to its answer.{thinned}",
            svg=str(draw_times(specks, unit=unit, limit=limit, names=names)),
        )


def _spreads(questions: dict[str, _Group]) -> Iterator[run_schemas.Chart]:
    for question, group in questions.items():
        spread = group.seconds
        if spread.total < FEWEST_TO_DRAW or len(spread.numbers) < 2:
            continue
        caption = (
            f"Half took {duration(spread.quantile(0.5))} at most (the dashed line), 90 % up to"
            f" {duration(spread.quantile(0.9))}, the longest {duration(spread.largest)}."
        )
        yield run_schemas.Chart(
            title=f"{_of(question, questions)}How times are spread",
            caption=caption,
            svg=str(draw_histogram(spread, title="", write=tick_duration, label=caption)),
            small=True,
        )


def _hardest(store: str, run: int, hardest: list[_Answer], names: Names) -> Iterator[run_schemas.Chart]:
    if len(hardest) < 2:
        return
    several = len({each.question for each in hardest}) > 1
    bars = [
        Ranked(
            names.short(each.name),
            each.seconds,
            duration(each.seconds) + (f", {each.question}" if several else ""),
            each.kind,
            address(store, run, each.number, each.question),
        )
        for each in hardest
    ]
    yield run_schemas.Chart(
        title=f"The hardest {'ten' if len(bars) == 10 else len(bars)}",
        caption="By time; each bar leads to its answer.",
        svg=str(draw_ranking(bars, label=f"The {count(len(bars), 'answer')} that took longest.")),
    )


def _of(question: str, questions: dict[str, Any]) -> str:
    return f"{question}: " if len(questions) > 1 else ""
