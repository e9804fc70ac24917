"""Jobs that talk, for the tests of what a job and its leader say to each other."""

from __future__ import annotations

import os
import threading
import time

from solvent.batch.workers import messages


def count_aloud(most: int) -> str:
    for number in range(most):
        messages.send(number)
    return f"counted to {most}"


def all_talk_at_once(speakers: int, times: int) -> None:
    def talk(speaker: int) -> None:
        for _ in range(times):
            messages.send((speaker, "x" * 5000))

    threads = [threading.Thread(target=talk, args=(speaker,)) for speaker in range(speakers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def tell_the_unspeakable() -> None:
    messages.send(lambda: None)


def go_on_until_asked_to_stop() -> str:
    stopping = messages.Stopping()
    messages.send("begun")
    while not stopping.requested:
        time.sleep(0.005)
    return "stopped in good order"


def go_on_whatever_is_asked() -> None:
    messages.send("begun")
    while True:
        time.sleep(0.005)


def is_asked_to_stop() -> bool:
    time.sleep(0.2)  # long enough for a wish that was meant for the last job
    return messages.Stopping().requested


def process_number() -> int:
    return os.getpid()
