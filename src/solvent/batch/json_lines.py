"""Results as lines of JSON, one for each answer, written as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.batch.names import valid_text
from solvent.batch.summary import facts_of, reason_of, status_of, traceback_of

if TYPE_CHECKING:
    from solvent.batch.run import Validated

BEGINNING = b'{"validated":"'
"""How every line begins; no instance does."""


def json_line(validated: Validated) -> bytes:
    """Return one result as a line of JSON. Certificates stay in the store; they may be large."""
    import msgspec

    return msgspec.json.encode(as_json(validated)) + b"\n"


def as_json(validated: Validated) -> dict[str, Any]:
    """Return one result as JSON values. Every key is always there, with null where there is nothing to say."""
    source, reading, outcome = validated.source, validated.reading, validated.outcome
    instance, facts = reading.instance, facts_of(validated)
    return {
        "validated": valid_text(source.name),
        "domain": facts.domain,
        "question": facts.question,
        "status": status_of(facts),
        "verdict": facts.verdict,
        "certified": outcome is not None and outcome.certified,
        "form": outcome and outcome.form,
        "reason": reason_of(facts) or None,
        "because": outcome and (valid_text(outcome.because) or None),
        "expanded": outcome and outcome.expanded,
        "length": outcome and outcome.length,
        "seconds": outcome and round(outcome.seconds, 6),
        "cpu_seconds": outcome and round(outcome.cpu_seconds, 6),
        "peak_megabytes": outcome and outcome.peak_megabytes,
        "attempts": outcome and outcome.attempts,
        "known": validated.known,
        "read_as": facts.read_as,
        "remarks": [valid_text(remark) for remark in reading.remarks],
        "path": source.path and valid_text(source.path),
        "line": source.line,
        "size": instance and instance.size,
        "hash": instance and instance.hash,
        "stats": outcome and dict(outcome.stats),
        "error": valid_text(facts.error or traceback_of(facts)) or None,
    }
