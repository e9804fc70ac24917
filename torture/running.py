"""Run campaigns in processes of their own, so that one that dies or hangs is a finding and not the end of the run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from torture.campaign import ROUND_FILE, Campaign, Tally, Trial

GRACE_SECONDS = 120.0
"""How long a process may go on after its time: a round may have begun just before."""
RESULT_FILE = "tally.json"


def run_campaign(campaign: Campaign, *, seconds: float, seed: int, folder: Path) -> Tally:
    """Run all processes of a campaign side by side and add up what they counted."""
    began = time.monotonic()
    running = [
        (number, _start(campaign, seconds, seed * 1000 + number, folder / f"{campaign.name}-{number}"))
        for number in range(campaign.processes)
    ]
    whole = Tally()
    for number, process in running:
        place = folder / f"{campaign.name}-{number}"
        try:
            code = process.wait(max(1.0, began + seconds + GRACE_SECONDS - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            whole.fail("hung", f"{campaign.name}: no end in sight at round {_round(place)}", _again(campaign, place))
            continue
        finally:
            _add_result(whole, place)
        if code:
            said = (place / "stderr").read_text(encoding="utf-8", errors="replace")[-2000:]
            what = f"{campaign.name}: the process ended with {code} in round {_round(place)}: {said}"
            whole.fail("crashed", what, _again(campaign, place))
    return whole


def _start(campaign: Campaign, seconds: float, seed: int, place: Path) -> subprocess.Popen[bytes]:
    place.mkdir(parents=True, exist_ok=True)
    for stale in (ROUND_FILE, RESULT_FILE):
        (place / stale).unlink(missing_ok=True)
    (place / "seed").write_text(str(seed), encoding="ascii")
    words = [sys.executable, "-m", "torture.running", campaign.name, str(seconds), str(seed), str(place)]
    with open(place / "stderr", "wb") as errors:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)


def _add_result(whole: Tally, place: Path) -> None:
    """Add what a process wrote down last; one that died has written down what it had by then."""
    try:
        found = json.loads((place / RESULT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    whole.add(Tally.from_json(found))


def _round(place: Path) -> str:
    try:
        return (place / ROUND_FILE).read_text(encoding="ascii").strip()
    except OSError:
        return "0"


def _again(campaign: Campaign, place: Path) -> str:
    seed = (place / "seed").read_text(encoding="ascii")
    return f"python -m torture --campaign {campaign.name} --process-seed {seed} --round {_round(place)}"


def work(campaign: Campaign, trial: Trial) -> None:
    """Run one process's part, writing down its account now and then and at the end."""
    import threading

    ended = threading.Event()

    def write() -> None:
        part = trial.folder / f"{RESULT_FILE}.part"
        part.write_text(json.dumps(trial.tally.as_json()), encoding="utf-8")
        part.replace(trial.folder / RESULT_FILE)

    def keep_writing() -> None:
        while not ended.wait(5.0):
            try:
                write()
            except RuntimeError:  # something was counted while it was being written; the next time will do
                continue

    trial.folder.mkdir(parents=True, exist_ok=True)
    writer = threading.Thread(target=keep_writing, daemon=True)
    writer.start()
    try:
        campaign.run(trial)
    finally:
        ended.set()
        writer.join()
        write()


def main(words: Sequence[str]) -> None:
    """Be one process of a campaign."""
    from torture.campaigns import CAMPAIGNS

    name, seconds, seed, place = words
    work(CAMPAIGNS[name], Trial(int(seed), time.monotonic() + float(seconds), Path(place)))


if __name__ == "__main__":
    main(sys.argv[1:])
