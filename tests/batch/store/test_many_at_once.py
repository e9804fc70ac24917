"""Many results written in one go come to the same as each by itself."""

from pathlib import Path

import pytest
from tests.batch.store.making import add, begin, find, make_outcome, make_reading, make_task

from solvent.batch.records import Source
from solvent.batch.store import Store


def make_tasks(count: int):
    readings = [make_reading(number) for number in range(count)]
    return readings, [make_task(reading.instance) for reading in readings if reading.instance is not None]


def test_of_answers_that_come_together_each_gives_way_or_stays_by_itself(tmp_path: Path) -> None:
    readings, tasks = make_tasks(5)
    with Store.open(tmp_path / "validation.db") as store:
        before = begin(store, "before")
        add(store, before, 1, "UNKNOWN", cause="TIME")
        add(store, before, 2, "NO")
        add(store, before, 3, "YES")
        store.commit()
        run = begin(store, "now")
        verdicts = ("YES", "YES", "YES", "UNKNOWN", "NO")
        store.add_readings(run, readings)
        store.add_outcomes(
            run, [(task, make_outcome(task, verdict)) for task, verdict in zip(tasks, verdicts, strict=True)]
        )
        store.link_all(run, [(reading.source, task.key) for reading, task in zip(readings, tasks, strict=True)])
        store.commit()
        found = [find(store, task) for task in tasks]
        assert [each and each.verdict for each in found] == ["YES", "YES", "NO", "YES", "NO"]
        linked = store.query("SELECT verdict FROM run_answer JOIN answer ON answer.id = answer WHERE run = ?", run.id)
        assert [verdict for (verdict,) in linked] == ["YES", "YES", "NO", "YES", "NO"]
        assert store.require_intact()


def test_an_answer_that_is_replaced_gives_way_whatever_it_says(tmp_path: Path) -> None:
    _, tasks = make_tasks(2)
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        add(store, run, 0, "NO")
        store.add_outcomes(run, [(task, make_outcome(task, "YES")) for task in tasks], replacing=[tasks[0].key])
        assert [getattr(find(store, task), "verdict", None) for task in tasks] == ["YES", "YES"]


def test_readings_of_sources_that_are_there_take_their_place(tmp_path: Path) -> None:
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        add(store, run, 0)
        add(store, run, 1)
        store.add_readings(run, [make_reading(0), make_reading(1, content=7), make_reading(2)])
        assert list(
            store.query("SELECT number, size FROM item JOIN instance ON instance.id = instance ORDER BY 1")
        ) == [*((0, 0), (1, 7), (2, 2))]
        assert list(store.query("SELECT number FROM run_answer")) == [(0,)], "the other is about another instance"


def test_a_link_to_nothing_is_a_bug_also_among_others(tmp_path: Path) -> None:
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        add(store, run, 0)
        (task,) = make_tasks(1)[1]
        with pytest.raises(LookupError, match=r"no answer about the instance of 'lost'"):
            store.link_all(run, [(make_reading(0).source, task.key), (Source(9, "lost"), task.key)])


def test_keys_are_known_however_many_are_asked_for(tmp_path: Path) -> None:
    _, tasks = make_tasks(250)
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        for number in (0, 120, 249):
            add(store, run, number)
        assert store.known_keys([task.key for task in tasks]) == {tasks[number].key for number in (0, 120, 249)}
        assert store.known_keys([]) == set()
