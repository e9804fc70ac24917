"""Compare Solvent with general solvers on Star Battle, asking whether there is exactly one solution."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import solvent
from benchmarks.harmony_contenders import wait_for_quiet
from benchmarks.measures import Run, median_of, median_span, quantile, span_between, summarise
from benchmarks.repeats import Repeats, sum_up, take_turns
from benchmarks.starbattle_peers import PEERS, Contender, Outcome, peer_versions
from benchmarks.starbattle_puzzles import PuzzleClass
from solvent.core.answer import Answer, Verdict
from solvent.starbattle.cells import parse_cell
from solvent.starbattle.model import UNKNOWN, Puzzle

OURS, PROVED = "solvent", "with proof"

REPEATS = Repeats(enough_seconds=0.005, short_seconds=0.05, most=None)

WARM_UP = (
    Puzzle(4, 1, (0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3), UNKNOWN * 16),  # two solutions
    Puzzle(4, 1, (0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 3, 0), UNKNOWN * 16),  # one solution
)
WARM_UP_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class PuzzleRun(Run):
    """Hold what one contender did on one puzzle; the seconds are the median of its repeats."""

    said: frozenset[Verdict] = frozenset()
    """Every verdict it gave, also those that came after the limit."""
    solutions: int | None = None
    stars: frozenset[int] | None = None
    proof_lines: int | None = None
    first_seconds: float = 0.0
    """What the first call took: nothing it could remember, nothing of it in the processor's caches."""
    repeats: int = 1

    def as_json(self) -> dict[str, Any]:
        """Return the run as it stands in the JSON file."""
        return Run.as_json(self) | {
            "over": not self.decided,
            "solutions": self.solutions,
            "proof_lines": self.proof_lines,
            "first_seconds": round(self.first_seconds, 6),
            "repeats": self.repeats,
        }


def ask_solvent(*, proof: bool) -> Contender:
    """Return Solvent's public way to an answer, with or without proof; checking the proof is part of it."""

    def attempt(puzzle: Puzzle, seconds: float) -> Answer:
        return solvent.ask(puzzle, "unique", seconds=seconds, proof=proof)

    def read(puzzle: Puzzle, answer: Answer) -> Outcome:
        return Outcome(
            answer.verdict,
            stars=_shown_stars(puzzle, answer) if answer.verdict is Verdict.YES else None,
            reason=None if answer.reason is None else str(answer.reason),
            certified=answer.certified,
            proof_lines=count_proof_lines(answer),
            stats=answer.stats,
        )

    return Contender(PROVED if proof else OURS, attempt, read)


def count_proof_lines(answer: Answer) -> int | None:
    """Return how many lines the refutation in the certificate has, or None if there is no certificate."""
    if answer.certificate is None:
        return None
    proof = answer.certificate.get("proof", "")
    return sum(1 for line in proof.splitlines() if line.strip()) if isinstance(proof, str) else len(proof)


def _shown_stars(puzzle: Puzzle, answer: Answer) -> frozenset[int] | None:
    """Return the stars of a YES: from the certificate, or without one from the stats."""
    if answer.certificate is not None:
        return frozenset(row * puzzle.size + col for row, col in answer.certificate["stars"])
    return frozenset(parse_cell(name, puzzle.size) for name in answer.stats["stars"].split())


def all_contenders() -> list[Contender]:
    """Return Solvent without and with proof, and the peers that are installed."""
    return [
        ask_solvent(proof=False),
        ask_solvent(proof=True),
        *(peer.contender for peer in PEERS if peer.installed),
    ]


def warm_up(contenders: Sequence[Contender]) -> None:
    """Let everybody import what they need before the clock starts."""
    for contender in contenders:
        for puzzle in WARM_UP:
            contender.read(puzzle, contender.attempt(puzzle, WARM_UP_SECONDS))
    wait_for_quiet()
    gc.collect()
    gc.freeze()  # what is loaded by now stays; collecting need not look at it again


def run_class(
    puzzles: PuzzleClass, seconds: float, contenders: Sequence[Contender]
) -> Iterator[tuple[int, list[PuzzleRun]]]:
    """Let all contenders try each puzzle in turn; yields how many puzzles are done and the runs on the last one.

    Who goes first changes from puzzle to puzzle, so that what else the machine does hits them alike.
    """
    for index, (name, puzzle) in enumerate(puzzles.puzzles.items()):
        turn = take_turns(contenders, index)
        yield index + 1, [run_one(str(puzzles.kind), name, puzzle, contender, seconds) for contender in turn]


def run_one(group: str, name: str, puzzle: Puzzle, contender: Contender, seconds: float) -> PuzzleRun:
    """Let one contender try one puzzle, several times if it is quick.

    An answer that comes after the limit is over the limit like no answer.
    """
    wait_for_quiet()
    gc.collect()  # so that nobody pays for what the one before left behind
    times: list[float] = []
    answers: list[Any] = []
    while not REPEATS.are_enough(times):
        began = time.perf_counter()
        answer = contender.attempt(puzzle, seconds)
        times.append(time.perf_counter() - began)
        answers.append(answer)
    outcomes = [contender.read(puzzle, answer) for answer in answers]
    shown, together = outcomes[0], sum_up(times, outcomes, seconds)
    return PuzzleRun(
        group=group,
        instance=name,
        contender=contender.name,
        verdict=together.verdict,
        seconds=together.seconds,
        certified=together.certified,
        nodes=int(shown.stats.get("positions", 0)),
        answered_by=shown.stats.get("answered_by"),
        reason=together.reason,
        said=together.said,
        solutions=shown.solutions,
        stars=shown.stars,
        proof_lines=shown.proof_lines,
        first_seconds=times[0],
        repeats=len(times),
    )


def report(
    classes: Sequence[PuzzleClass], runs: Sequence[PuzzleRun], seconds: float, contenders: Sequence[Contender]
) -> dict[str, Any]:
    """Gather everything the tables show and the JSON file holds, except machine and commit."""
    names = [contender.name for contender in contenders]
    return {
        "limit_seconds": seconds,
        "peers": peer_versions(),
        "classes": [
            {"name": str(group.kind), "instances": len(group.puzzles), "available": group.available}
            for group in classes
        ],
        "summary": [row for group in classes for row in _summary_rows(str(group.kind), runs, names)],
        "comparison": [row for group in classes if (row := compare(str(group.kind), runs, names))],
        "disagreements": find_disagreements(runs),
        "runs": [run.as_json() for run in runs],
    }


def _summary_rows(group: str, runs: Sequence[PuzzleRun], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    base = _runs_of(runs, group, OURS)
    for name in names:
        own = _runs_of(runs, group, name)
        if own:
            lines = [run.proof_lines for run in own if run.proof_lines is not None]
            yield summarise(own, base) | {
                "over": sum(not run.decided for run in own),
                "median_first_seconds": median_of([run.first_seconds for run in own]),
                "median_proof_lines": median_of(lines),
                "most_proof_lines": max(lines, default=None),
                "reasons": dict(Counter(run.reason for run in own if run.reason)),
            }


def compare(group: str, runs: Sequence[PuzzleRun], names: Sequence[str]) -> dict[str, Any] | None:
    """Compare Solvent with the fastest peer of a class: the one with the smallest median.

    `medians` is its median over ours; `typical` the median, over the puzzles, of its time over ours; `best` the same
    with whoever was fastest on each puzzle, which is a peer nobody has. `first` is `medians` for first calls, each with
    the others' work before it, and the peer that is fastest then; `proved` and `proved_first` are the same over what we
    take with a proof and its check. A run over the limit took at least the limit, so that a ratio may have only a lower
    bound, or only an upper one if the run was ours.
    """
    ours = {run.instance: run for run in _runs_of(runs, group, OURS)}
    peers = {name: _runs_of(runs, group, name) for name in names if name not in (OURS, PROVED)}
    peers = {name: own for name, own in peers.items() if own}
    if not ours or not peers:
        return None
    medians = {name: quantile(own, 0.5) for name, own in peers.items()}
    fastest = min(medians, key=lambda name: (not medians[name].exact, medians[name].value))
    our_median = quantile(list(ours.values()), 0.5)
    proved = _runs_of(runs, group, PROVED)
    each = [span_between(run.measure, ours[run.instance].measure) for run in peers[fastest] if run.instance in ours]
    best = [
        span_between(min(rivals, key=lambda run: (not run.decided, run.seconds)).measure, run.measure)
        for run in ours.values()
        if (rivals := [rival for own in peers.values() for rival in own if rival.instance == run.instance])
    ]
    return {
        "class": group,
        "instances": len(ours),
        "fastest": fastest,
        "medians": span_between(medians[fastest], our_median).as_json(),
        "typical": median_span(each).as_json(),
        "best": median_span(best).as_json(),
        "won": sum(span.low > 1 for span in best),
        "first": _lead(_first_calls(peers), at_first(list(ours.values()))),
        "proved": _lead(peers, proved),
        "proved_first": _lead(_first_calls(peers), at_first(proved)),
    }


def _lead(peers: Mapping[str, Sequence[PuzzleRun]], own: Sequence[PuzzleRun]) -> dict[str, float | None] | None:
    """Return how many times our median the smallest median of a peer is; None without runs of our own."""
    if not own:
        return None
    fastest = min((quantile(runs, 0.5) for runs in peers.values()), key=lambda median: (not median.exact, median.value))
    return span_between(fastest, quantile(own, 0.5)).as_json()


def at_first(runs: Sequence[PuzzleRun]) -> list[PuzzleRun]:
    """Return runs with the seconds of their first calls."""
    return [replace(run, seconds=run.first_seconds) for run in runs]


def _first_calls(peers: Mapping[str, Sequence[PuzzleRun]]) -> dict[str, list[PuzzleRun]]:
    return {name: at_first(runs) for name, runs in peers.items()}


def _runs_of(runs: Iterable[PuzzleRun], group: str, contender: str) -> list[PuzzleRun]:
    return [run for run in runs if run.group == group and run.contender == contender]


def find_disagreements(runs: Iterable[PuzzleRun]) -> list[str]:
    """Return who said what on every puzzle where two answers exclude each other: a bug if there is any."""
    by_puzzle: dict[tuple[str, str], list[PuzzleRun]] = {}
    for run in runs:
        by_puzzle.setdefault((run.group, run.instance), []).append(run)
    found = []
    for (group, name), here in by_puzzle.items():
        verdicts = {verdict for run in here for verdict in run.said} - {Verdict.UNKNOWN}
        counts = {run.solutions for run in here} - {None}
        solutions = {run.stars for run in here} - {None}
        if max(len(verdicts), len(counts), len(solutions)) > 1:
            said = ", ".join(f"{run.contender} {_words(run)}" for run in here)
            other = ", and the solutions differ" if len(solutions) > 1 else ""
            found.append(f"{group}, {name}: {said}{other}")
    return found


def _words(run: PuzzleRun) -> str:
    verdicts = "/".join(sorted(verdict.value for verdict in run.said))
    return verdicts if run.solutions is None else f"{verdicts} ({run.solutions})"
