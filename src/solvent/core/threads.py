"""Start threads, and say plainly when there is no memory for one."""

from __future__ import annotations

import threading


def start_thread(thread: threading.Thread) -> None:
    """Start a thread; raises MemoryError where there is no room for its stack, which Python calls a RuntimeError."""
    try:
        thread.start()
    except RuntimeError as error:
        raise MemoryError(f"no room for a thread ({error})") from None
