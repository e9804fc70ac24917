"""Write what a run finds into a store, in transactions that are all there or not at all."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NoReturn

from solvent.batch.records import Instance, Outcome, Reading, Source, Task
from solvent.batch.store import leader
from solvent.batch.store.columns import bindable, from_json, text, to_json, whole
from solvent.batch.store.failing import explain, explained
from solvent.batch.store.opening import begin, connect
from solvent.core.errors import StoreError

LARGEST_BLOB_BYTES = 1_000_000_000
"""What SQLite takes in one piece."""
_INSTANCES_REMEMBERED = 10_000

_ADD_MACHINE = "INSERT INTO machine (description) VALUES (?) ON CONFLICT (description) DO NOTHING"
_ADD_RUN = (
    "INSERT INTO run (token, state, began, command, settings, solver, machine, leader)"
    " VALUES (?, 'running', ?, ?, ?, ?, ?, ?)"
)
_CONTINUE_RUN = (
    "UPDATE run SET state = 'running', ended = NULL, command = ?, settings = ?, solver = ?, machine = ?, leader = ?"
    " WHERE id = ?"
)
_ADD_INSTANCE = "INSERT INTO instance (hash, domain, size, packed) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING"
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
    "INSERT INTO answer (key, instance, question, verdict, cause, certified, form, expanded, length, seconds,"
    " cpu_seconds, peak_megabytes, attempts, finished, solver, machine, reason, because, budget, stats, error,"
    " certificate) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (key) WHERE superseded = 0 DO NOTHING"
)
_SUPERSEDE = "UPDATE answer SET superseded = 1 WHERE key = ? AND superseded = 0"
_LINK = (
    "INSERT OR REPLACE INTO run_answer (run, number, question, answer)"
    " SELECT ?, ?, question, id FROM answer WHERE key = ? AND superseded = 0"
)
_DROP_FORGOTTEN = (
    "DELETE FROM answer WHERE superseded = 1"
    " AND NOT EXISTS (SELECT 1 FROM run_answer WHERE run_answer.answer = answer.id)"
)
_OUTCOME = (
    "SELECT key, question, verdict, cause, reason, because, form, certificate, stats, expanded, length, seconds,"
    " cpu_seconds, peak_megabytes, error, attempts, machine.description, finished"
    " FROM answer LEFT JOIN machine ON machine.id = answer.machine WHERE key = ? AND superseded = 0"
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
        self._budgets: dict[tuple[int, str], str | bytes] = {}
        """What answers of a run were allowed, as JSON, by run and domain."""
        self._machines: dict[str, int] = {}
        """Rows of machines by description; as the instances below, they are forgotten if the transaction fails."""
        self._instances: dict[str, int] = {}
        """Rows of instances by hash, of those that were needed lately."""
        self._place = path.absolute()
        self._identity = _identity_of(self._place)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True, read_only: bool = False) -> Store:
        """Open a store, making it and its folder where there is none; raises StoreError if it cannot be used."""
        place = Path(path)
        return cls(place, connect(place, create=create, read_only=read_only))

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin_run(self, settings: Mapping[str, Any], *, token: str, command: str, solver: str, machine: str) -> Run:
        """Continue the newest run with this token if it did not finish and nobody leads it, or begin a new one.

        Commits.
        """
        on = self._machine(machine)
        found = self.query("SELECT id, state, seconds, leader FROM run WHERE token = ? ORDER BY id DESC LIMIT 1", token)
        for number, state, seconds, led_by in found:
            if state != "finished" and not (state == "running" and leader.is_at_work(led_by)):
                run = Run(number, token, True, settings, seconds)
                # By now it may be another version, on another machine.
                values = (command, to_json(settings), solver, on, leader.this_process(), number)
                self._write(_CONTINUE_RUN, values)
                break
        else:
            added = self._write(
                _ADD_RUN, (token, time.time(), command, to_json(settings), solver, on, leader.this_process())
            )
            run = Run(added.lastrowid or 0, token, False, settings)
        self._runs[run.id] = run
        self.commit()
        return run

    def known_answer(self, key: str) -> int | None:
        """Return the row of the answer under a key, or None."""
        for (number,) in self.query("SELECT id FROM answer WHERE key = ? AND superseded = 0", key):
            return int(number)
        return None

    def outcome(self, key: str) -> Outcome | None:
        """Return the answer under a key as it was stored, or None."""
        for row in self.query(_OUTCOME, key):
            return Outcome(
                key=row[0],
                question=text(row[1]),
                verdict=row[2],
                cause=row[3],
                reason=text(row[4]),
                because=text(row[5]),
                form=text(row[6]),
                certificate=row[7],
                stats=from_json(row[8]),
                expanded=whole(row[9]),
                length=whole(row[10]),
                seconds=row[11],
                cpu_seconds=row[12],
                peak_megabytes=row[13],
                error=text(row[14]),
                attempts=row[15],
                machine=text(row[16]),
                finished=row[17],
            )
        return None

    def is_linked(self, run: Run, number: int, question: str) -> bool:
        """Tell whether a run has an answer to a question about its source of this number."""
        found = self.query(
            "SELECT 1 FROM run_answer WHERE run = ? AND number = ? AND question = ?", run.id, number, question
        )
        return next(found, None) is not None

    def add_reading(self, run: Run, reading: Reading) -> None:
        """Keep what reading a source came to, and its instance if that is new.

        The same number again takes the place of what was there; its answers stay if the instance is the same.
        """
        source = reading.source
        instance = None if reading.instance is None else self._instance(reading.instance)
        values = (
            run.id,
            source.number,
            source.name,
            source.path,
            source.line,
            reading.read_as.value,
            reading.message,
            to_json(reading.remarks) if reading.remarks else "",
            reading.seconds,
            instance,
        )
        if not self._write(_ADD_ITEM, values).rowcount:
            self._write(_DROP_LINKS_TO_OTHERS, (run.id, source.number, instance))
            self._write(_DROP_ITEM, (run.id, source.number))
            self._write(_ADD_ITEM, values)

    def add_outcome(self, run: Run, task: Task, outcome: Outcome) -> None:
        """Keep an answer, unless there is one under its key already."""
        if outcome.certificate is not None and len(outcome.certificate) > LARGEST_BLOB_BYTES:
            raise StoreError(
                f"{self.path} cannot hold the certificate of {task.name}: expected at most"
                f" {LARGEST_BLOB_BYTES:,} bytes, found {len(outcome.certificate):,}"
            )
        self._write(
            _ADD_ANSWER,
            (
                outcome.key,
                self._instance(task.instance),
                outcome.question,
                outcome.verdict,
                outcome.cause,
                outcome.certified,
                outcome.form,
                outcome.expanded,
                outcome.length,
                outcome.seconds,
                outcome.cpu_seconds,
                outcome.peak_megabytes,
                outcome.attempts,
                outcome.finished,
                task.solver,
                self._machine(outcome.machine),
                outcome.reason,
                outcome.because,
                self._budget(run, task.instance.domain),
                to_json(outcome.stats),
                outcome.error,
                outcome.certificate,
            ),
        )

    def replace_outcome(self, run: Run, task: Task, outcome: Outcome) -> None:
        """Keep an answer in place of the one under its key. Runs that were linked to the older one still are."""
        self._write(_SUPERSEDE, (outcome.key,))
        self.add_outcome(run, task, outcome)

    def link(self, run: Run, source: Source, key: str) -> None:
        """Note that the answer under a key is this run's answer about a source."""
        if self._write(_LINK, (run.id, source.number, key)).rowcount != 1:
            raise LookupError(f"there is no answer under the key {key!r}")

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
        """
        self._runs.pop(run.id, None)
        if sources is not None:
            for table in ("run_answer", "item"):
                self._write(f"DELETE FROM {table} WHERE run = ? AND number >= ?", (run.id, sources))
        self._write(_DROP_FORGOTTEN, ())
        self._write(
            "UPDATE run SET state = ?, ended = ?, seconds = ? WHERE id = ?",
            (state, time.time(), run.seconds_before + seconds, run.id),
        )
        self.commit()

    def close(self) -> None:
        """Let go of the file; what was not committed is dropped."""
        with explained(self.path):
            self._connection.close()

    def query(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a SELECT one by one; for `reading`, whose functions say what the rows mean."""
        with explained(self.path):
            try:
                cursor = self._connection.execute(statement, values)
            except (UnicodeEncodeError, OverflowError):
                cursor = self._connection.execute(statement, bindable(values))
        while True:
            with explained(self.path):  # not around the yield: what others do meanwhile is theirs to explain
                row = cursor.fetchone()
            if row is None:
                return
            yield row

    def _instance(self, instance: Instance) -> int:
        """Return the row of an instance, adding it if it is new."""
        row = self._instances.get(instance.hash)
        if row is None:
            values = (instance.hash, instance.domain, instance.size, instance.packed)
            row = self._row_of(_ADD_INSTANCE, values, "SELECT id FROM instance WHERE hash = ?", instance.hash)
            self._instances[instance.hash] = row
        return row

    def _machine(self, description: str) -> int:
        """Return the row of a machine, adding it if it is new."""
        row = self._machines.get(description)
        if row is None:
            find = "SELECT id FROM machine WHERE description = ?"
            row = self._machines[description] = self._row_of(_ADD_MACHINE, (description,), find, description)
        return row

    def _row_of(self, add: str, values: Sequence[Any], find: str, name: str) -> int:
        added = self._write(add, values)
        return int(added.lastrowid or 0) if added.rowcount else int(next(self.query(find, name))[0])

    def _budget(self, run: Run, domain: str) -> str | bytes:
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
            try:
                return self._connection.execute(statement, values)
            except (UnicodeEncodeError, OverflowError):
                return self._connection.execute(statement, bindable(values))
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: sqlite3.Error) -> NoReturn:
        """Drop what was not committed, and tell why."""
        self._roll_back()
        raise StoreError(explain(self.path, error)) from error

    def _roll_back(self) -> None:
        self._machines.clear()
        self._instances.clear()
        with contextlib.suppress(sqlite3.Error):  # what is wrong is told by whoever gives up
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def _identity_of(place: Path) -> tuple[int, int] | None:
    """Return what tells one file from another, whatever its name; None if there is no file."""
    try:
        found = place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
