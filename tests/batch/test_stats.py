"""What a solver counted travels as JSON, and reads like any mapping."""

import pickle

from solvent.batch.columns import from_json, to_json
from solvent.batch.records import Stats

COUNTS = {"nodes": 12, "inner": {"seconds": 1.5e-06}, "words": ["é", None]}


def test_it_reads_like_what_was_counted_also_after_travelling() -> None:
    stats = pickle.loads(pickle.dumps(Stats(to_json(COUNTS).encode())))
    assert stats == COUNTS
    assert (stats["nodes"], list(stats), len(stats), stats.get("none")) == (12, list(COUNTS), 3, None)


def test_it_is_kept_as_it_came() -> None:
    written = to_json(COUNTS)
    assert to_json(Stats(written.encode())) == written
    assert from_json(written) == COUNTS
