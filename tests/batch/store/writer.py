"""A process that writes to a store until it is told to stop, killed, or has no room left.

    python -m batch.store.writer WAY PATH [ARGUMENTS]

It writes a line after each commit, so that whoever watches knows what must be there.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

from batch.store.making import add, begin, integrity
from solvent.batch.store import Store
from solvent.batch.store.reading import rows
from solvent.core.errors import StoreError


def tell(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def write_and_commit(path: str, token: str, commits: str, each: str) -> None:
    """Write so many commits of so many answers each; the answers are the same whoever writes them."""
    tell("ready")
    sys.stdin.readline()
    with Store.open(path) as store:
        run = begin(store, token)
        for commit in range(int(commits)):
            for number in range(commit * int(each), (commit + 1) * int(each)):
                add(store, run, number)
            store.commit()
            tell((commit + 1) * int(each))
        store.end_run(run, "finished", seconds=1)


def stop_in_the_middle(path: str) -> None:
    """Commit ten answers, write a thousand more, partly to the disk, and wait."""
    store = Store.open(path)
    store._connection.execute("PRAGMA cache_spill = ON")
    store._connection.execute("PRAGMA cache_size = 5")  # pages; what does not fit is written before the commit
    run = begin(store)
    for number in range(10):
        add(store, run, number)
    store.commit()
    for number in range(10, 1010):
        add(store, run, number)
    tell("waiting")
    sys.stdin.read()


def be_interrupted(path: str) -> None:
    """Wait for a store that somebody else keeps locked, and be interrupted by Ctrl-C soon after."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Store.open(path) as store:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            begin(store)
        except KeyboardInterrupt:
            tell("interrupted")


def fill(path: str, limit: str) -> None:
    """Write until there is no room, and tell what was said and what is left."""
    store = Store.open(path)
    run = begin(store)
    if limit == "pages":
        store._connection.execute("PRAGMA max_page_count = 200")
    elif limit == "file size":
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
    committed = 0
    message = ""
    while not message:
        try:
            for number in range(committed, committed + 7):
                add(store, run, number, because="x" * 1000)
            store.commit()
            committed += 7
        except StoreError as error:
            message = str(error)
    seen = [row.number for row in rows(store, run.id)]
    spare = Path(path).with_name("spare")
    if limit == "pages":
        store._connection.execute("PRAGMA max_page_count = 1000000")
    elif limit == "file size":
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    else:
        spare.unlink()
    for number in range(committed, committed + 7):  # the same store goes on once there is room
        add(store, run, number)
    store.commit()
    store.close()
    with Store.open(path, read_only=True) as again:
        last = [row.number for row in rows(again, run.id)]
    tell(json.dumps([message, committed, seen, last, integrity(Path(path))]))


if __name__ == "__main__":
    way, *arguments = sys.argv[1:]
    {"write": write_and_commit, "middle": stop_in_the_middle, "interrupted": be_interrupted, "fill": fill}[way](
        *arguments
    )
