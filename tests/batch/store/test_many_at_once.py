"""Many results written in one go come to the same as each by itself."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.batch.store.making import add, begin, find, make_outcome, make_reading, make_task

from solvent.batch.records import Source
from solvent.batch.store import Store
from solvent.batch.store.reading import rows


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


def test_instances_are_added_once_among_others_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    with Store.open(path) as store:
        run = begin(store)
        add(store, run, 2)
        store.commit()
    with Store.open(path) as store:  # which remembers none of them
        run = begin(store, "another")
        readings = [make_reading(number, content=content) for number, content in enumerate((3, 2, 3, 5, 2))]
        store.add_readings(run, readings)
        store.add_readings(run, [make_reading(5, content=7)])
        store.commit()
        sizes = "SELECT size FROM item JOIN instance ON instance.id = instance WHERE run = ? ORDER BY number"
        assert [size for (size,) in store.query(sizes, run.id)] == [3, 2, 3, 5, 2, 7]
        assert sorted(size for (size,) in store.query("SELECT size FROM instance")) == [2, 3, 5, 7]
        assert store.require_intact()


def test_rows_that_are_usual_and_those_that_are_not_are_read_alike(tmp_path: Path) -> None:
    odd = {"size": 2**70, "name": "\udcff.txt", "line": 4, "path": None}
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        for number in range(4):
            add(store, run, number, ("YES", "UNKNOWN")[number % 2], cause=(None, "TIME")[number % 2])
        reading = make_reading(4)
        assert reading.instance is not None
        source = replace(reading.source, name=odd["name"], path=odd["path"], line=odd["line"])
        instance = replace(reading.instance, size=odd["size"])
        store.add_reading(run, replace(reading, source=source, instance=instance, remarks=("half",)))
        usual, unusual = [*rows(store, run.id)][:4], [*rows(store, run.id)][4]
        assert [(row.number, row.verdict, row.cause, row.path, row.size) for row in usual] == [
            (number, ("YES", "UNKNOWN")[number % 2], (None, "TIME")[number % 2], f"folder/{number}.txt", number)
            for number in range(4)
        ]
        assert (unusual.name, unusual.path, unusual.line, unusual.remarks) == ("\udcff.txt", None, 4, ("half",))
        assert (unusual.size, unusual.answer, unusual.verdict, unusual.stats) == (2**70, None, None, {})


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
