"""What changed between two runs, for the page: found as the report finds it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec

from solvent.batch.report.comparison import CHANGES, Differences, find_differences
from solvent.batch.report.comparison_page import (
    HEADINGS,
    Run,
    draw_after_against_before,
    find_warnings,
    sentence,
    times_sentence,
)
from solvent.batch.report.matching import Matching, Pair
from solvent.batch.rows import outcome_of
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs.charts import MARKS, address
from solvent.web.runs.work import describe_run, find_run, opened
from solvent.web.schemas import from_record
from solvent.web.served_files import ServedFile


def compare(before: ServedFile, before_run: int, after: ServedFile, after_run: int) -> bytes:
    """Compare two runs, of one store or of two."""
    with contextlib.ExitStack() as stack:
        old, new = stack.enter_context(opened(before)), stack.enter_context(opened(after))
        runs = [
            Run(old, find_run(old, before, before_run)),
            Run(new, find_run(new, after, after_run)),
        ]
        with Matching((old, before_run), (new, after_run)) as matching:
            found = find_differences(matching)
        warnings = [
            warning.replace(str(before.path), before.name).replace(str(after.path), after.name)
            for warning in find_warnings(runs[0], runs[1], matching)
        ]
        pairs = found.dots.kept
        chart = draw_after_against_before(
            pairs,
            link=lambda pair: address(after.id, after_run, pair.after.number, pair.question),
            kind=lambda pair: outcome_of(pair.after.kind, pair.after.domain, pair.question),
        )
        return msgspec.json.encode(
            from_record(
                run_schemas.Compared,
                found,
                before=describe_run(old, before, runs[0].row),
                after=describe_run(new, after, runs[1].row),
                sentence=sentence(found),
                times=times_sentence(found),
                warnings=warnings,
                changes=_changes(found),
                gone=found.gone.kept,
                gone_seen=found.gone.seen,
                new=found.new.kept,
                new_seen=found.new.seen,
                chart=str(chart) if pairs else None,
                marks=dict(MARKS),
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
        run_schemas.ChangedShown(change=change, heading=heading, seen=seen, pairs=pairs)  # type: ignore[arg-type]
        for change, heading, seen, pairs in listed
        if seen
    ]
