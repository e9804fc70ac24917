"""Write what a run finds to its store in bursts, so that the store is locked for moments only and nothing gets lost.

Every write may be repeated: after an interruption in the middle of a burst, all of it is written again.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from solvent.batch.lost_workers import HardLimits, limit_was_raised
from solvent.batch.records import Outcome, Reading, Source, Task
from solvent.batch.settings import Again
from solvent.core.answer import Verdict
from solvent.core.errors import StoreError
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.store import Run, Store

SECONDS_BETWEEN_COMMITS = 0.5
"""What a kill at the worst moment costs at most, beside what is being solved."""
OUTCOMES_BETWEEN_COMMITS = 500
"""Each commit writes most pages of the indexes once more, since keys come in no order."""


class RunWriter:
    """Keep the results of one run."""

    def __init__(self, store: Store, run: Run, *, again: Again, proof: bool, limits: HardLimits) -> None:
        self.run = run
        self._store = store
        self._again = again
        self._proof = proof
        self._limits = limits
        self._began = time.time()
        self._fresh: dict[str, Outcome] = {}
        """Answers that are not committed yet, by key."""
        self._outdated: set[str] = set()
        """Keys under which the store has an answer that is about to be replaced."""
        self._readings: list[Reading] = []
        """What is to be written with the next commit: these, then answers, then which answer is whose."""
        self._answers: list[tuple[Task, Outcome]] = []
        self._replaced: list[str] = []
        """Keys of those answers that take the place of others."""
        self._links: list[tuple[Source, str]] = []
        self._committed = time.monotonic()

    def known_among(self, keys: Collection[str]) -> set[str]:
        """Return those keys under which `find` may find an answer: far quicker than to look for each."""
        return self._store.known_keys(keys) | (self._fresh.keys() & set(keys))

    def find(self, key: str, instance: str, question: str) -> Outcome | None:
        """Return the answer that there is already and that will do, or None if it is to be asked for."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return fresh
        outcome = self._store.outcome(key, instance=instance, question=question, proof=self._proof)
        if outcome is not None and not self._will_do(outcome):
            self._outdated.add(key)
            return None
        return outcome

    def _will_do(self, outcome: Outcome) -> bool:
        if outcome.finished >= self.run.started:  # by this run itself, perhaps before it was interrupted
            return True
        if limit_was_raised(outcome, self._limits):
            return False
        if self._again == "unknown":
            return outcome.verdict in (Verdict.YES.value, Verdict.NO.value)
        return self._again == "none"

    def knew(self, outcome: Outcome) -> bool:
        """Tell whether an answer was there before this process began."""
        return outcome.finished < self._began

    def add_reading(self, reading: Reading) -> None:
        """Keep what reading a source came to."""
        self._readings.append(reading)

    def add_outcome(self, task: Task, outcome: Outcome) -> None:
        """Keep an answer."""
        self._fresh[task.key] = outcome
        self._answers.append((task, outcome))
        if task.key in self._outdated:
            self._outdated.remove(task.key)
            self._replaced.append(task.key)

    def link(self, source: Source, key: str) -> None:
        """Keep which answer is a source's."""
        self._links.append((source, key))

    def commit_if_due(self) -> None:
        """Commit if the last time is long ago, or if there is much to write."""
        late = time.monotonic() - self._committed > SECONDS_BETWEEN_COMMITS
        if late or len(self._fresh) >= OUTCOMES_BETWEEN_COMMITS:
            self.commit()

    def commit(self) -> None:
        """Write everything that was not written yet; raises StoreError, which says what is lost."""
        if self._readings or self._answers or self._links:
            try:
                self._store.add_readings(self.run, self._readings)
                self._store.add_outcomes(self.run, self._answers, replacing=self._replaced)
                self._store.link_all(self.run, self._links)
                self._store.commit()
            except StoreError as error:
                if self._fresh:
                    raise StoreError(f"{error}; {_not_stored(len(self._fresh))}") from error
                raise
            for written in (self._readings, self._answers, self._replaced, self._links, self._fresh):
                written.clear()
        self._committed = time.monotonic()

    def end(self, state: Literal["finished", "interrupted"], *, seconds: float, sources: int | None) -> None:
        """Write the rest, and how the run ended; `sources` is how many there were, once that is known."""
        self.commit()
        self._store.end_run(self.run, state, seconds=seconds, sources=sources)


def _not_stored(answers: int) -> str:
    return f"{counted(answers, 'answer')} found last {'is' if answers == 1 else 'are'} not stored"
