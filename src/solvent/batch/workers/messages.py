"""Messages between a job and its leader while the job goes on: updates one way, the request to stop the other.

Works in a worker process, whichever function it carries out. Anywhere else messages go nowhere.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Callable, Iterator

from solvent.batch.workers.shared_page import Page
from solvent.core.budget import Cancellation

_send: Callable[[bytes], None] | None = None
"""How to reach the leader; None in a process that has none."""
_page: Page | None = None
_speaking = threading.Lock()
"""Between the threads of a job: what they say must not get mixed up."""
_at_work = False
"""Whether there is a job. A thread that outlives its job has nothing to say any more."""


def begin(send: Callable[[bytes], None], page: Page | None) -> None:
    """Say how the leader is reached and where it asks to stop. Called once in a worker, before the first job."""
    global _send, _page
    _send, _page = send, page


@contextlib.contextmanager
def job() -> Iterator[None]:
    """Let jobs speak while inside."""
    global _at_work
    with _speaking:
        _at_work = True
    try:
        yield
    finally:
        with _speaking:
            _at_work = False


def send(news: object) -> None:
    """Send the leader something that can be pickled; it waits for no reply. A leader that is gone gets nothing."""
    packed = pickle.dumps(news, protocol=pickle.HIGHEST_PROTOCOL)
    with _speaking:
        if _send is not None and _at_work:
            with contextlib.suppress(OSError):
                _send(packed)


class Stopping(Cancellation):
    """Be cancelled when the leader asks for it."""

    __slots__ = ()

    @property
    def requested(self) -> bool:
        """Tell whether the leader, or this process, asked to stop."""
        return super().requested or (_page is not None and _page.stop_wanted)
