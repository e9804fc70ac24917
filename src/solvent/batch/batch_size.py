"""How many sources and tasks travel together: enough that sending them costs little, few enough that none waits long.

Nothing is assumed about an instance before it is solved, except that it takes about as long as others of its domain,
question and size did. A kind of task that was not measured yet travels alone. Sources are of one kind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from solvent.batch.records import Task

SHARE_OF_OVERHEAD = 0.02
"""How much of a worker's time may go into sending."""
LEAST_SECONDS = 0.1
"""Work for a worker, below which the leader would be kept busy for nothing."""
MAX_TASKS = 500
MEMORY_OF_MEAN = 20
"""The mean follows about this many of the latest tasks."""
FIRST_SOURCES = 20
"""How many are read together before it is known how long that takes."""
MAX_SOURCES = 100
SECONDS_OF_READING = 0.02
"""Reading for a worker: what was read can be asked about only when all of it is there."""

Kind = tuple[str, str, int]


class ReadSizer:
    """Keep how many sources are to be read together, by how long reading took lately."""

    def __init__(self) -> None:
        self.sources = FIRST_SOURCES
        """How many."""
        self._mean: float | None = None

    def learn(self, seconds: Sequence[float]) -> None:
        """Remember how long each of some sources took that were read together."""
        mean = sum(seconds) / max(1, len(seconds))
        self._mean = mean if self._mean is None else (self._mean + mean) / 2
        self.sources = max(1, min(MAX_SOURCES, int(SECONDS_OF_READING / max(1e-9, self._mean))))


class BatchSizer:
    """Keep the measured times, and cut batches by them."""

    def __init__(self, overhead_seconds: float) -> None:
        self.target_seconds = max(LEAST_SECONDS, overhead_seconds / SHARE_OF_OVERHEAD)
        """How much work a batch should hold."""
        self._means: dict[Kind, float] = {}

    def learn(self, task: Task, seconds: float) -> None:
        """Remember how long a task took."""
        kind = _kind(task)
        mean = self._means.get(kind)
        self._means[kind] = seconds if mean is None else mean + (seconds - mean) / MEMORY_OF_MEAN

    def expected_seconds(self, task: Task) -> float:
        """Return how long a task will take, going by others of its kind; a full batch if there were none."""
        return self._means.get(_kind(task), self.target_seconds)

    def take_batch(self, waiting: deque[Task], *, share: int = 1) -> tuple[Task, ...]:
        """Take the next batch off the queue; at least one task, at most this share (one `share`-th) of them."""
        most = min(MAX_TASKS, max(1, len(waiting) // max(1, share)))
        batch = [waiting.popleft()]
        seconds = self.expected_seconds(batch[0])
        while waiting and len(batch) < most:
            seconds += self.expected_seconds(waiting[0])
            if seconds > self.target_seconds:
                break
            batch.append(waiting.popleft())
        return tuple(batch)


def _kind(task: Task) -> Kind:
    """Tasks whose sizes have the same number of binary digits are of one kind."""
    return task.instance.domain, task.question, (task.instance.size or 0).bit_length()
