"""Rows by PASS and FAIL: which verdict passes is a matter of its question."""

from __future__ import annotations

from pathlib import Path

import solvent
from solvent.batch.rows import outcome_of
from solvent.batch.store import Store
from solvent.batch.store.paging import count_rows
from solvent.batch.store.reading import Filter, rows


def test_a_softlock_fails_and_a_solvable_level_passes(tmp_path: Path) -> None:
    for name in ("first_door", "the_wrong_door"):
        text = next(each.text for each in solvent.examples("dungeon") if each.name == name)
        (tmp_path / f"{name}.txt").write_text(text)
    store = tmp_path / "store.db"
    list(solvent.validate([tmp_path], store=store, ask=["solvable", "losable"], nodes=20_000, seconds=None, jobs=1))
    with Store.open(store, read_only=True) as opened:
        found = {
            outcome: {
                (Path(row.name).stem, row.question, row.verdict) for row in rows(opened, 1, Filter(outcome=outcome))
            }
            for outcome in ("PASS", "FAIL")
        }
        assert found["FAIL"] == {("the_wrong_door", "losable", "YES")}
        assert ("first_door", "losable", "NO") in found["PASS"]
        assert ("first_door", "solvable", "YES") in found["PASS"]
        assert count_rows(opened, 1, Filter(outcome="PASS")) == 3
        assert count_rows(opened, 1, Filter(outcome="PASS", question="losable")) == 1
        assert {outcome_of(row.kind, row.domain, row.question) for row in rows(opened, 1, Filter())} == {"PASS", "FAIL"}


def test_what_is_no_verdict_stays_what_it_is() -> None:
    assert outcome_of("UNKNOWN", "dungeon", "losable") == "UNKNOWN"
    assert outcome_of("UNREAD", None, None) == "UNREAD"
    assert outcome_of("nonsense", None, None) == "ERROR"
