"""What the database finds about two runs is what going over their rows one by one finds."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from batch.report.stores import Told, fill
from helpers.marks import slow
from solvent.batch.records import ReadAs
from solvent.batch.report import comparison
from solvent.batch.report.comparison import CHANGES, NOISE_RATIO, NOISE_SECONDS, change_of, find_differences
from solvent.batch.report.comparison_page import Run, make_comparison
from solvent.batch.report.matching import Matching, Pair, Side
from solvent.batch.report.sampling import Distribution, Largest, Sample
from solvent.batch.rows import UNREADABLE, Row
from solvent.batch.store import Store
from solvent.batch.store.reading import rows, run_row
from solvent.core.errors import StoreError

MAX_DOTS = 7


def random_run(dice: random.Random, count: int, *, contents: int) -> list[Told]:
    """Return sources of every kind: some instances come twice, some answers are those of another run too."""
    told = []
    for number in range(count):
        verdict = dice.choice(["YES", "YES", "NO", "UNKNOWN", None])
        told.append(
            Told(
                f"folder/{dice.randrange(count)}.txt",
                verdict,
                content=dice.randrange(contents),
                seconds=dice.choice([0.0, 0.01, 0.02, 1.0, 1.6, 2.5]),
                certified=dice.random() < 0.8,
                error="" if verdict else "Traceback (most recent call last):\nKeyError",
                solver=dice.choice(["0.1.0+aaaa", "0.1.0+bbbb"]),
                machine=dice.choice(["a machine", "another"]),
                read_as=dice.choice([ReadAs.INSTANCE] * 7 + [ReadAs.UNREADABLE, ReadAs.BUG, ReadAs.UNRECOGNISED]),
                message="why",
                detail=f"{number}",
            )
        )
    return told


def naive(before: list[Row], after: list[Row], *, one_store: bool) -> dict[str, Any]:
    """Compare two runs row by row, in plain Python."""
    sides: list[dict[tuple[str, str], Side]] = []
    for several in (before, after):
        first: dict[tuple[str, str], Side] = {}
        for row in several:
            if row.instance is None or row.domain is None or row.question is None or row.answer is None:
                continue
            kind = "ERROR" if row.error or row.verdict is None else row.verdict
            side = Side(row.number, row.name, row.domain, kind, row.certified, row.seconds, row.answer)
            first.setdefault((row.instance, row.question), side)
        sides.append(first)
    pairs = [Pair(key[1], sides[0][key], side) for key, side in sides[1].items() if key in sides[0]]
    solved = [pair for pair in pairs if not (one_store and pair.before.answer == pair.after.answer)]
    alike = [pair for pair in solved if pair.before.decided and pair.before.kind == pair.after.kind]
    ratios = Distribution()
    changed: dict[bool, Largest[Pair]] = {
        slower: Largest(comparison.MAX_LISTED, _difference) for slower in (False, True)
    }
    for pair in alike:
        quick, slow_one = sorted((pair.before.seconds, pair.after.seconds))
        if quick > 0:
            ratios.add(pair.before.seconds / pair.after.seconds)
        if slow_one - quick >= NOISE_SECONDS and slow_one >= NOISE_RATIO * quick:
            changed[pair.after.seconds > pair.before.seconds].add(pair)
    dots: Sample[Pair] = Sample(MAX_DOTS)
    for pair in solved:
        dots.add(pair)
    names = [{row.name for row in several} for several in (before, after)]
    alone = [
        [
            (key[1], side, side.name in names[1 - place])
            for key, side in sides[place].items()
            if key not in sides[1 - place]
        ]
        for place in (0, 1)
    ]
    return {
        "matched": Counter((pair.after.domain, pair.question) for pair in pairs),
        "changes": {change: [pair for pair in pairs if change_of(pair) == change] for change in CHANGES},
        "shared": len(pairs) - len(solved),
        "times": (len(alike), sum(pair.before.seconds for pair in alike), sum(pair.after.seconds for pair in alike)),
        "ratios": (ratios.numbers, ratios.smallest, ratios.largest),
        "faster": (changed[False].seen, changed[False].kept),
        "slower": (changed[True].seen, changed[True].kept),
        "dots": (dots.seen, dots.kept),
        "gone": alone[0],
        "new": alone[1],
        "unread": [sum(row.read_as in UNREADABLE for row in several) for several in (before, after)],
        "machines": [Counter(row.machine for row in several if row.answer) for several in (before, after)],
        "solvers": [Counter((row.domain, row.solver) for row in several if row.answer) for several in (before, after)],
    }


def _difference(pair: Pair) -> float:
    return abs(pair.before.seconds - pair.after.seconds)


@pytest.mark.parametrize("one_store", [False, True])
@pytest.mark.parametrize("seed", [*range(3), *slow(range(3, 40))])
def test_the_database_finds_what_a_loop_finds(
    seed: int, one_store: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "MAX_LISTED", 5)
    monkeypatch.setattr(comparison, "MAX_DOTS", MAX_DOTS)
    dice = random.Random(seed)
    first, second = tmp_path / "a.db", tmp_path / ("a.db" if one_store else "b.db")
    fill(first, random_run(dice, 20, contents=9))  # a third run, which is none of our business
    before = fill(first, random_run(dice, 60, contents=40))
    after = fill(second, random_run(dice, 60, contents=40))
    with Store.open(first, read_only=True) as old, Store.open(second, read_only=True) as new:
        wanted = naive(list(rows(old, before)), list(rows(new, after)), one_store=one_store)
        with Matching((old, before), (new, after)) as matching:
            found = find_differences(matching)
            times, ratios = found.times, found.times.ratios
            assert {key: part.matched for key, part in found.parts.items()} == wanted["matched"]
            for change, pairs in wanted["changes"].items():
                assert (found.changed[change].seen, found.changed[change].kept) == (len(pairs), pairs[:5])
                assert sum(part.changes[change] for part in found.parts.values()) == len(pairs)
            assert found.shared == wanted["shared"]
            assert (times.answers, times.before, times.after) == pytest.approx(wanted["times"])
            assert (ratios.numbers, ratios.smallest, ratios.largest) == wanted["ratios"]
            assert (found.faster.seen, found.faster.kept) == wanted["faster"]
            assert (found.slower.seen, found.slower.kept) == wanted["slower"]
            assert (found.dots.seen, found.dots.kept) == wanted["dots"]
            for listed, alone in ((found.gone, wanted["gone"]), (found.new, wanted["new"])):
                assert listed.seen == len(alone)
                assert [(each.question, each.side, each.renewed) for each in listed.kept] == alone[:5]
            assert found.renewed == sum(renewed for *_, renewed in wanted["new"])
            assert list(matching.unread.values()) == wanted["unread"]
            assert list(matching.machines.values()) == wanted["machines"]
            flat = [
                Counter({(domain, solver): count for domain, by in side.items() for solver, count in by.items()})
                for side in matching.solvers.values()
            ]
            assert flat == wanted["solvers"]


def test_an_answer_without_its_numbers_is_damage(tmp_path: Path) -> None:
    before = fill(tmp_path / "a.db", [Told("one", content=1), Told("two", content=2)])
    after = fill(tmp_path / "a.db", [Told("one", content=1, seconds=2.0)])
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("UPDATE answer SET seconds = 'soon' WHERE id = 2")
    with (
        Store.open(tmp_path / "a.db", read_only=True) as store,
        pytest.raises(StoreError, match="the answer about source 1 of run 1 lacks its numbers"),
    ):
        Matching((store, before), (store, after))


def test_an_edited_answer_is_not_listed_whatever_its_age(tmp_path: Path) -> None:
    before = fill(tmp_path / "a.db", [Told(f"{number}", content=number) for number in range(3)])
    after = fill(tmp_path / "a.db", [Told(f"{number}", content=number, seconds=2.0) for number in range(3)])
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("UPDATE answer SET verdict = 'NO' WHERE id = 2")
    with (
        Store.open(tmp_path / "a.db", read_only=True) as store,
        pytest.raises(StoreError, match="the seal of answer 2 does not fit"),
    ):
        make_comparison(Run(store, run_row(store, before)), Run(store, run_row(store, after)))


@pytest.mark.parametrize("count", [3_000, *slow([100_000])])
def test_python_sees_no_more_rows_than_are_shown(count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fill(tmp_path / "a.db", [Told("one", content=1)])
    second = fill(tmp_path / "a.db", [Told("one", content=1, seconds=2.0)])
    multiply(tmp_path / "a.db", count)
    read, made = Counter[str](), Counter[str]()
    query, make = Store.query, Matching._pair

    def counting(store: Store, statement: str, *values: Any, **more: Any) -> Iterator[tuple[Any, ...]]:
        for row in query(store, statement, *values, **more):
            read["rows"] += 1
            yield row

    def making(matching: Matching, row: Sequence[Any]) -> Pair:
        made["pairs"] += 1
        return make(matching, row)

    monkeypatch.setattr(Store, "query", counting)
    monkeypatch.setattr(Matching, "_pair", making)
    with Store.open(tmp_path / "a.db", read_only=True) as store, Matching((store, first), (store, second)) as matching:
        found = find_differences(matching)
    assert (found.matched, found.times.answers, found.slower.seen) == (count, count, count)
    shown = len(found.slower.kept) + len(found.dots.kept)
    assert made["pairs"] == shown <= comparison.MAX_LISTED + 2_000
    assert read["rows"] <= 2 * shown + 20, "names of those shown, and a few sums"


def multiply(path: Path, count: int) -> None:
    """Give each run of a store so many sources like its only one, each with an instance and an answer of its own."""
    with sqlite3.connect(path) as connection:
        numbers = f"WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < {count - 1})"
        kept = {
            "instance": ("id, hash", f"id + n * {count}, hash || n"),
            "answer": ("id, key, instance", f"id + n * {count}, key || n, instance + n * {count}"),
            "item": ("run, number, instance", f"run, n, instance + n * {count}"),
            "run_answer": ("run, number, answer", f"run, n, answer + n * {count}"),
        }
        for table, (changed, values) in kept.items():
            columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            same = ", ".join(name for name in columns if name not in changed.split(", "))
            connection.execute(
                f"{numbers} INSERT INTO {table} ({changed}, {same}) SELECT {values}, {same} FROM {table}, more"
            )
