"""Write what a run finds into a store, in transactions that are all there or not at all."""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn

from solvent.batch.columns import (
    Column,
    bindable,
    decode,
    decoded,
    encoder_of,
    integer,
    number_or_zero,
    selected,
    text,
    text_or_empty,
    to_json,
    words,
)
from solvent.batch.damage import damaged
from solvent.batch.records import Instance, Outcome, Reading, Source, Task
from solvent.batch.store import leader
from solvent.batch.store.opening import ERRORS, SECONDS_TO_WAIT, begin, connect, explain, explained
from solvent.batch.store.seals import (
    ANSWERS,
    SEALED,
    SEALED_ANSWER,
    SEALED_INSTANCE,
    is_sealed,
    seal_of,
    seal_of_run,
    sealed_values,
)
from solvent.core.answer import Verdict
from solvent.core.errors import StoreError

LARGEST_BLOB_BYTES = 1_000_000_000
"""What SQLite takes in one piece."""
_INSTANCES_REMEMBERED = 10_000
_ROWS_IN_A_BLOCK = 1_000
_KEYS_IN_A_QUERY = 100

_ADD_MACHINE = "INSERT INTO machine (description) VALUES (?) ON CONFLICT (description) DO NOTHING"
_ADD_RUN = (
    "INSERT INTO run (token, state, began, command, settings, solver, machine, leader)"
    " VALUES (?, 'running', ?, ?, ?, ?, ?, ?)"
)
_FOUND_RUN = (
    Column("id", "run.id", number_or_zero),
    Column("state", "run.state", text_or_empty),
    Column("seconds", "run.seconds", number_or_zero),
    Column("leader", "run.leader", words),
    Column("began", "run.began", number_or_zero),
)
_FIND_RUN = f"SELECT {selected(_FOUND_RUN)} FROM run WHERE token = ?"
_CONTINUE_RUN = (
    "UPDATE run SET state = 'running', ended = NULL, seal = NULL, command = ?, settings = ?, solver = ?, machine = ?,"
    " leader = ? WHERE id = ?"
)
_ADD_INSTANCE = (
    "INSERT INTO instance (hash, domain, size, packed, seal) VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING"
)
_LAST_INSTANCE = "SELECT coalesce(max(id), 0) FROM instance"
_ADD_NUMBERED_INSTANCE = (
    "INSERT INTO instance (id, hash, domain, size, packed, seal) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (hash) DO NOTHING"
)
_FIND_INSTANCE = f"SELECT id, {SEALED_INSTANCE} FROM instance WHERE hash = ?"
_MEND_INSTANCE = "UPDATE instance SET domain = ?, size = ?, packed = ?, seal = ? WHERE id = ?"
_ADD_ITEM = (
    "INSERT INTO item (run, number, name, path, line, read_as, message, remarks, seconds, instance)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, number) DO NOTHING"
)
_DROP_ITEM = "DELETE FROM item WHERE run = ? AND number = ?"
_DROP_LINKS_TO_OTHERS = (
    "DELETE FROM run_answer WHERE run = ? AND number = ?"
    " AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.id = run_answer.answer AND answer.instance = ?)"
)
_ADD_ANSWER = (
    f"INSERT INTO answer (instance, machine, {', '.join(SEALED)}, certificate, seal)"
    f" VALUES ({', '.join('?' * (len(SEALED) + 4))}) ON CONFLICT (key) WHERE superseded = 0 DO NOTHING"
)
_SUPERSEDE = "UPDATE answer SET superseded = 1 WHERE key = ? AND superseded = 0"
_SUPERSEDE_WITHOUT_VERDICT = f"{_SUPERSEDE} AND (verdict IS NULL OR verdict = 'UNKNOWN')"
_SUPERSEDE_ROW = "UPDATE answer SET superseded = 1 WHERE id = ?"
_LINK = (
    "INSERT OR REPLACE INTO run_answer (run, number, question, answer)"
    " SELECT item.run, item.number, question, answer.id FROM item JOIN answer ON answer.instance = item.instance"
    " WHERE item.run = ? AND item.number = ? AND key = ? AND superseded = 0"
)
_DROP_FORGOTTEN = (
    "DELETE FROM answer WHERE superseded = 1"
    " AND NOT EXISTS (SELECT 1 FROM run_answer WHERE run_answer.answer = answer.id)"
)
_WRITTEN = tuple((name, encoder_of(name)) for name in SEALED)
_KEY, _CERTIFIED = (2 + SEALED.index(name) for name in ("key", "certified"))
"""Where these stand among the values of `_ADD_ANSWER`."""
_OUTCOME = f"SELECT answer.id, {SEALED_ANSWER} FROM {ANSWERS} WHERE key = ? AND superseded = 0"
_KNOWN = "SELECT key FROM answer WHERE superseded = 0 AND key IN ({})"
_COUNT_TABLE = (
    "UPDATE run SET sources = coalesce(?, (SELECT max(number) + 1 FROM item WHERE item.run = run.id), 0),"
    " answers = (SELECT count(*) FROM run_answer WHERE run_answer.run = run.id) WHERE id = ?"
)


@dataclass(frozen=True, slots=True)
class Run:
    """Stand for one run in the store it was begun in."""

    id: int
    token: str
    """Stands for the command that was given; the same command again continues a run that did not finish."""
    continued: bool
    """Whether an earlier process began it."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    seconds_before: float = 0.0
    """How long earlier processes were at work on it."""
    began: float = field(default_factory=time.monotonic)
    """When this process took it up, on the clock of `time.monotonic`."""
    started: float = field(default_factory=time.time)
    """When the run first began, by whatever process, in seconds since 1970."""


class Store:
    """Hold a file of results open. One at a time may use it; other processes may use the same file.

    What is added is seen at once by this object, and by everybody else from the next `commit` on. What was not
    committed is gone once the store is closed or the process is killed.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `open` instead."""
        self.path = path
        self._connection = connection
        self._runs: dict[int, Run] = {}
        """Those this object leads."""
        self._budgets: dict[tuple[int, str], str] = {}
        """What answers of a run were allowed, as JSON, by run and domain."""
        self._machines: dict[str, int] = {}
        """Rows of machines by description; as the instances below, they are forgotten if the transaction fails."""
        self._instances: dict[str, int] = {}
        """Rows of instances by hash, of those that were needed lately."""
        self._refused: dict[str, int] = {}
        """Rows of answers that are not to be believed, by the key they stand under."""
        self._place = path.absolute()
        self._identity = _identity_of(self._place)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        read_only: bool = False,
        wait: float = SECONDS_TO_WAIT,
    ) -> Store:
        """Open a store, making it and its folder where there is none; raises StoreError if it cannot be used.

        One that is only read waits at most `wait` seconds for a process that keeps it locked.
        """
        place = Path(path)
        return cls(place, connect(place, create=create, read_only=read_only, wait=wait))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin_run(self, settings: Mapping[str, Any], *, token: str, command: str, solver: str, machine: str) -> Run:
        """Continue the newest run with this token if it did not finish and no process leads it, or begin a new one.

        Commits.
        """
        on = self._machine(machine)
        for row in self.query(f"{_FIND_RUN} ORDER BY id DESC LIMIT 1", token, as_bytes=True):
            found = decoded(_FOUND_RUN, row, self.path, functools.partial("run {}".format, row[0]))
            state, led_by = found["state"], found["leader"]
            if state != "finished" and not (state == "running" and leader.is_at_work(led_by)):
                run = Run(found["id"], token, True, settings, found["seconds"], started=found["began"])
                # By now it may be another version, on another machine.
                values = (command, to_json(settings), solver, on, leader.this_process(), run.id)
                self._write(_CONTINUE_RUN, values)
                break
        else:
            started = time.time()
            added = self._write(
                _ADD_RUN, (token, started, command, to_json(settings), solver, on, leader.this_process())
            )
            run = Run(added.lastrowid or 0, token, False, settings, started=started)
        self._runs[run.id] = run
        self.commit()
        return run

    def outcome(self, key: str, *, instance: str, question: str, proof: bool = True) -> Outcome | None:
        """Return the answer under a key if it can be relied upon, or None.

        Its seal has to fit, it has to be about this question and the instance with this hash, and, where proof is asked
        for, a verdict needs a certificate. One that fails gives way to whatever is added under the key next.
        """
        for number, *row in self.query(_OUTCOME, key, as_bytes=True):
            if is_sealed(row):
                found, outcome = _outcome(row)
                decided = outcome.verdict in (Verdict.YES.value, Verdict.NO.value)
                if (found, outcome.question) == (instance, question) and (outcome.certified or not (decided and proof)):
                    return outcome
            self._refused[key] = number
        return None

    def known_keys(self, keys: Collection[str]) -> set[str]:
        """Return those under which there is an answer, whether or not it can be relied upon."""
        found: set[str] = set()
        wanted = list(keys)
        for first in range(0, len(wanted), _KEYS_IN_A_QUERY):
            some = wanted[first : first + _KEYS_IN_A_QUERY]
            found.update(key for (key,) in self.query(_KNOWN.format(", ".join("?" * len(some))), *some))
        return found

    def add_reading(self, run: Run, reading: Reading) -> None:
        """Keep what reading a source came to, and its instance if that is new.

        The same number again takes the place of what was there; its answers stay if the instance is the same.
        """
        self.add_readings(run, [reading])

    def add_readings(self, run: Run, readings: Iterable[Reading]) -> None:
        """Do as `add_reading` for sources of different numbers, in one go."""
        readings = list(readings)
        self._add_instances([reading.instance for reading in readings if reading.instance is not None])
        items = [self._item(run, reading) for reading in readings]
        if self._write_all(_ADD_ITEM, items) == len(items):
            return
        for values in items:  # what was added just now is only written once more
            number, instance = values[1], values[-1]
            self._write(_DROP_LINKS_TO_OTHERS, (run.id, number, instance))
            self._write(_DROP_ITEM, (run.id, number))
            self._write(_ADD_ITEM, values)

    def _item(self, run: Run, reading: Reading) -> tuple[Any, ...]:
        """Return the values of `_ADD_ITEM`, having added the instance."""
        source = reading.source
        return (
            run.id,
            source.number,
            source.name,
            source.path,
            source.line,
            reading.read_as.value,
            reading.message,
            to_json(reading.remarks) if reading.remarks else "",
            reading.seconds,
            None if reading.instance is None else self._instance(reading.instance),
        )

    def add_outcome(self, run: Run, task: Task, outcome: Outcome) -> None:
        """Keep an answer, unless there is one under its key already that says as much."""
        self.add_outcomes(run, [(task, outcome)])

    def add_outcomes(self, run: Run, found: Iterable[tuple[Task, Outcome]], *, replacing: Iterable[str] = ()) -> None:
        """Do as `add_outcome` for several answers, in one go, and as `replace_outcome` for those under some keys."""
        for key in replacing:
            self._write(_SUPERSEDE, (key,))
        answers = [self._answer(run, task, outcome) for task, outcome in found]
        if self._write_all(_ADD_ANSWER, answers) == len(answers):
            return
        for values in answers:
            if values[_CERTIFIED]:  # of two runs at once, the one that found out counts, whichever was first to write
                self._write(_SUPERSEDE_WITHOUT_VERDICT, (values[_KEY],))
                self._write(_ADD_ANSWER, values)

    def _answer(self, run: Run, task: Task, outcome: Outcome) -> tuple[Any, ...]:
        """Return the values of `_ADD_ANSWER`, having made room where what is there is not to be believed."""
        if outcome.certificate is not None and len(outcome.certificate) > LARGEST_BLOB_BYTES:
            raise StoreError(
                f"{self.path} cannot hold the certificate of {task.name}: expected at most"
                f" {LARGEST_BLOB_BYTES:,} bytes, found {len(outcome.certificate):,}"
            )
        refused = self._refused.get(outcome.key)
        if refused is not None:
            self._write(_SUPERSEDE_ROW, (refused,))
        given = {"solver": task.solver, "budget": self._budget(run, task.instance.domain)}
        facts = [
            given[name] if name in given else getattr(outcome, name) if write is None else write(getattr(outcome, name))
            for name, write in _WRITTEN
        ]
        seal = seal_of((task.instance.hash, outcome.machine, *facts), outcome.certificate)
        rows = (self._instance(task.instance), self._machine(outcome.machine))
        return (*rows, *facts, outcome.certificate, seal)

    def replace_outcome(self, run: Run, task: Task, outcome: Outcome) -> None:
        """Keep an answer in place of the one under its key. Runs that were linked to the older one still are."""
        self.add_outcomes(run, [(task, outcome)], replacing=[outcome.key])

    def link(self, run: Run, source: Source, key: str) -> None:
        """Note that the answer under a key is this run's answer about a source, whose reading was added before."""
        self.link_all(run, [(source, key)])

    def link_all(self, run: Run, links: Collection[tuple[Source, str]]) -> None:
        """Do as `link` for several answers, in one go."""
        if self._write_all(_LINK, [(run.id, source.number, key) for source, key in links]) == len(links):
            return
        for source, key in links:  # now look which it is
            if self._write(_LINK, (run.id, source.number, key)).rowcount != 1:
                self._miss(f"there is no answer about the instance of {source.name!r} under the key {key!r}")

    def commit(self) -> None:
        """Make everything since the last commit last, all of it at once."""
        if not self._connection.in_transaction:
            return
        for run in self._runs.values():
            seconds = run.seconds_before + time.monotonic() - run.began
            self._write("UPDATE run SET seconds = ? WHERE id = ?", (seconds, run.id))
        if _identity_of(self._place) != self._identity:  # SQLite would write into a file that has no name any more
            self._roll_back()
            raise StoreError(
                f"{self.path} was removed or replaced while it was written to; what was found since is not stored"
            )
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)
        if len(self._instances) > _INSTANCES_REMEMBERED:
            self._instances.clear()

    def end_run(
        self, run: Run, state: Literal["finished", "interrupted"], *, seconds: float, sources: int | None = None
    ) -> None:
        """Note that a run is over, after so many seconds of this process, and commit.

        With `sources`, how many there were, leftovers of an earlier process that found more of them are dropped.
        For a run that finished it is also noted how large its table is, so that what goes missing later is missed.
        The table is sealed: what changes in it later is found.
        """
        self._runs.pop(run.id, None)
        if sources is not None:
            for table in ("run_answer", "item"):
                self._write(f"DELETE FROM {table} WHERE run = ? AND number >= ?", (run.id, sources))
        self._write(_DROP_FORGOTTEN, ())
        if state == "finished":
            self._write(_COUNT_TABLE, (sources, run.id))
        self._write(
            "UPDATE run SET state = ?, ended = ?, seconds = ? WHERE id = ?",
            (state, time.time(), run.seconds_before + seconds, run.id),
        )
        self._write("UPDATE run SET seal = ? WHERE id = ?", (self.seal_of_run(run.id), run.id))
        self.commit()

    def require_intact(self, *, seconds: float | None = None) -> bool:
        """Raise StoreError if anything in the store is damaged; return whether there was time to look at all of it."""
        from solvent.batch.store.integrity import SECONDS_TO_LOOK, look_through

        with explained(self.path):
            return look_through(self._connection, self.path, seconds=SECONDS_TO_LOOK if seconds is None else seconds)

    def require_fit_to_show(self) -> bool:
        """Do as `require_intact`, but for a moment only: the tables, which are what is shown, and the newest rows."""
        from solvent.batch.store.integrity import SECONDS_BEFORE_SHOWING, look_through

        with explained(self.path):
            return look_through(self._connection, self.path, seconds=SECONDS_BEFORE_SHOWING, indexes=False)

    def require_sealed(self, answers: Iterable[int]) -> None:
        """Raise StoreError if any of these answers is not as it was when it was stored."""
        for number in answers:
            for row in self.query(f"SELECT {SEALED_ANSWER} FROM {ANSWERS} WHERE answer.id = ?", number, as_bytes=True):
                if not is_sealed(row):
                    raise damaged(self.path, f"the seal of answer {number} does not fit")

    def seal_of_run(self, run_id: int) -> bytes | None:
        """Return what the seal of a run would be, as its table stands; None if something there is no text."""
        with explained(self.path):
            return seal_of_run(self._connection, run_id)

    def close(self) -> None:
        """Let go of the file; what was not committed is dropped."""
        with explained(self.path):
            self._connection.close()

    def query(self, statement: str, *values: Any, as_bytes: bool = False) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a SELECT one by one; for `reading`, whose functions say what the rows mean.

        With `as_bytes`, text comes as the bytes that are stored: also those that damage made no text at all.
        """
        with explained(self.path):
            cursor = self._execute(statement, values)
        while True:
            with explained(self.path):  # not around the yield: what others do meanwhile is theirs to explain
                self._connection.text_factory = bytes if as_bytes else str
                row = cursor.fetchone()
            if row is None:
                return
            yield row

    def blocks(self, statement: str, *values: Any) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a SELECT, many at a time, with text as bytes: for small rows, and very many."""
        with explained(self.path):
            cursor = self._execute(statement, values)
        while True:
            with explained(self.path):
                self._connection.text_factory = bytes
                block = cursor.fetchmany(_ROWS_IN_A_BLOCK)
            if not block:
                return
            yield block

    def _add_instances(self, instances: Iterable[Instance]) -> None:
        """Add those that are new, many at once; what is there already, or damaged, is left to `_instance`."""
        new = {instance.hash: instance for instance in instances if instance.hash not in self._instances}
        if not new:
            return
        ((last,),) = self._write(_LAST_INSTANCE, ()).fetchall()  # and nobody else adds any before we commit
        rows = [(number, *_values_of(instance)) for number, instance in enumerate(new.values(), last + 1)]
        if self._write_all(_ADD_NUMBERED_INSTANCE, rows) == len(rows):
            self._instances.update((hash, number) for number, hash, *_ in rows)

    def _instance(self, instance: Instance) -> int:
        """Return the row of an instance, adding it if it is new, and mending it if it was damaged."""
        row = self._instances.get(instance.hash)
        if row is None:
            values = _values_of(instance)
            added = self._write(_ADD_INSTANCE, values)
            if added.rowcount:
                row = int(added.lastrowid or 0)
            else:
                row, *found = self._find_one(_FIND_INSTANCE, instance.hash)
                if not is_sealed(found):
                    self._write(_MEND_INSTANCE, (*values[1:], row))
            self._instances[instance.hash] = row
        return row

    def _machine(self, description: str) -> int:
        """Return the row of a machine, adding it if it is new."""
        row = self._machines.get(description)
        if row is None:
            added = self._write(_ADD_MACHINE, (description,))
            if added.rowcount:
                row = int(added.lastrowid or 0)
            else:
                (row,) = self._find_one("SELECT id FROM machine WHERE description = ?", description)
            self._machines[description] = row
        return row

    def _find_one(self, statement: str, value: str) -> tuple[Any, ...]:
        """Return the row that is there, since it was in the way of another like it."""
        found = next(self.query(statement, value, as_bytes=True), None)
        if found is None:
            self._miss(f"what is in the way of {value!r} cannot be found")
        return found

    def _miss(self, what: str) -> NoReturn:
        """Say that the store is damaged, if it is, since something that must be there is not; else that is a bug."""
        try:
            self.require_intact()
        except StoreError:
            self._roll_back()
            raise
        raise LookupError(what)

    def _budget(self, run: Run, domain: str) -> str:
        known = self._budgets.get((run.id, domain))
        if known is None:
            budget = {name: run.settings.get(name) for name in ("seconds", "nodes", "megabytes")}
            budget["proof"] = run.settings.get("proof", True)
            budget["options"] = run.settings.get("options", {}).get(domain, {})
            known = self._budgets[run.id, domain] = to_json(budget)
        return known

    def _write(self, statement: str, values: Sequence[Any]) -> sqlite3.Cursor:
        """Run a statement in the transaction that is open, or a new one. If it fails, nothing of that is kept."""
        try:
            begin(self._connection)
            return self._execute(statement, values)
        except ERRORS as error:
            self._give_up(error)

    def _write_all(self, statement: str, rows: Sequence[Sequence[Any]]) -> int:
        """Run a statement for each of these values, as `_write` does, and return how many rows it wrote in all.

        Where values had to be made bindable, those written before count as not written.
        """
        if not rows:
            return 0
        try:
            begin(self._connection)
            try:
                return self._connection.executemany(statement, rows).rowcount
            except (UnicodeEncodeError, OverflowError):
                return self._connection.executemany(statement, [bindable(values) for values in rows]).rowcount
        except ERRORS as error:
            self._give_up(error)

    def _execute(self, statement: str, values: Sequence[Any]) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except (UnicodeEncodeError, OverflowError):
            return self._connection.execute(statement, bindable(values))

    def _give_up(self, error: sqlite3.Error | UnicodeDecodeError) -> NoReturn:
        """Drop what was not committed, and tell why."""
        self._roll_back()
        raise StoreError(explain(self.path, error)) from error

    def _roll_back(self) -> None:
        self._machines.clear()
        self._instances.clear()
        with contextlib.suppress(sqlite3.Error):  # the caller reports what is wrong
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def _values_of(instance: Instance) -> tuple[Any, ...]:
    """Return the values of `_ADD_INSTANCE`."""
    size = integer(instance.size)
    seal = seal_of((instance.hash, instance.domain, size), instance.packed)
    return instance.hash, instance.domain, size, instance.packed, seal


def _outcome(row: Sequence[Any]) -> tuple[str, Outcome]:
    """Return the hash of the instance, and what was found out about it; the row is sealed."""
    values = sealed_values(row)
    fields = {name: decode(name, values[name]) for name in Outcome.__struct_fields__ if name != "certificate"}
    return text(values["instance"]), Outcome(**fields, certificate=values["certificate"])


def _identity_of(place: Path) -> tuple[int, int] | None:
    """Return what tells one file from another, whatever its name; None if there is no file."""
    try:
        found = place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
