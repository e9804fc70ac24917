"""What changed between two runs, for the page: found as the report finds it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from solvent.batch.report.charts.marks import SHAPES
from solvent.batch.report.comparison import (
    CHANGES,
    Alone,
    Differences,
    Matching,
    Pair,
    Side,
    find_differences,
)
from solvent.batch.report.comparison_page import (
    HEADINGS,
    Run,
    draw_after_against_before,
    find_warnings,
    sentence,
    times_sentence,
)
from solvent.batch.store.reading import compared_rows
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs.charts import address
from solvent.web.runs.work import StoreOrder, find_run, opened, run_told


def compare(before: StoreOrder, before_run: int, after: StoreOrder, after_run: int) -> bytes:
    """Compare two runs, of one store or of two."""
    with contextlib.ExitStack() as stack:
        old, new = stack.enter_context(opened(before)), stack.enter_context(opened(after))
        runs = [
            Run(old, find_run(old, before, before_run)),
            Run(new, find_run(new, after, after_run)),
        ]
        with Matching(compared_rows(old, before_run), compared_rows(new, after_run)) as matching:
            found = find_differences(matching, one_store=before.path == after.path)
        warnings = [
            said.replace(before.path, before.name).replace(after.path, after.name)
            for said in find_warnings(runs[0], runs[1], matching)
        ]
        pairs = found.dots.kept
        chart = draw_after_against_before(
            pairs, lambda pair: address(after.id, after_run, pair.after.number, pair.question)
        )
        return msgspec.json.encode(
            run_schemas.Compared(
                before=run_told(old, before, runs[0].row),
                after=run_told(new, after, runs[1].row),
                sentence=sentence(found),
                times=times_sentence(found),
                warnings=warnings,
                matched=found.matched,
                same_verdict=found.same_verdict,
                shared=found.shared,
                changes=_changes(found),
                gone=_alone(found.gone.kept),
                gone_seen=found.gone.seen,
                new=_alone(found.new.kept),
                new_seen=found.new.seen,
                chart=str(chart) if pairs else None,
                marks=dict(SHAPES),
                parts=[
                    {
                        "domain": domain,
                        "question": question,
                        "matched": part.matched,
                        "changed": sum(part.changes[change] for change in CHANGES),
                        "before": part.times.before,
                        "after": part.times.after,
                    }
                    for (domain, question), part in found.parts.items()
                ],
            )
        )


def _changes(found: Differences) -> list[run_schemas.ChangedShown]:
    listed: list[tuple[str, str, int, Sequence[Pair]]] = [
        (change, HEADINGS[change], found.changed[change].seen, found.changed[change].kept) for change in CHANGES
    ]
    listed.append(("slower", "Slower, beyond chance", found.slower.seen, found.slower.kept))
    listed.append(("faster", "Faster, beyond chance", found.faster.seen, found.faster.kept))
    return [
        run_schemas.ChangedShown(change=change, heading=heading, seen=seen, pairs=[_pair(pair) for pair in pairs])  # type: ignore[arg-type]
        for change, heading, seen, pairs in listed
        if seen
    ]


def _pair(pair: Pair) -> run_schemas.PairShown:
    return run_schemas.PairShown(
        name=pair.after.name,
        domain=pair.after.domain,
        question=pair.question,
        before=_side(pair.before),
        after=_side(pair.after),
    )


def _side(side: Side) -> run_schemas.Side:
    return run_schemas.Side(number=side.number, kind=side.kind, certified=side.certified, seconds=side.seconds)


def _alone(listed: Sequence[Alone]) -> list[run_schemas.AloneShown]:
    return [
        run_schemas.AloneShown(
            name=each.side.name, question=each.question, number=each.side.number, kind=each.side.kind
        )
        for each in listed
    ]
