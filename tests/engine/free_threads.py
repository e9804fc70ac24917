"""Find out whether a call lets other threads run while it works."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable


def turns_beside(call: Callable[[], object]) -> int:
    """Make the call in a thread, and return how often another thread got a turn before it ended.

    Python is told not to take the interpreter away from a thread by force. So the other thread gets more than a turn or
    two only if the call gives the interpreter up by itself for as long as it works.
    """
    began, turns = threading.Event(), 0

    def work() -> None:
        began.set()
        call()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        began.wait()
        while thread.is_alive():
            turns += 1
            time.sleep(0)
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    return turns
