"""Measure Solvent on dungeons: beside a general planner, on both questions, as they grow, and part by part."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import solvent
from benchmarks.dungeon_joined import quest_classes
from benchmarks.dungeon_levels import (
    LevelClass,
    generate_class,
    hub_class,
    load_examples,
    load_public,
    only_expressible,
)
from benchmarks.dungeon_peers import AS_COMMAND, PEERS, Contender, Outcome, peer_versions
from benchmarks.measures import SectionRun, median_of, median_span, runs_of, span_between, summarise
from benchmarks.repeats import Repeats, sum_up, take_turns
from solvent.core.answer import Answer, Verdict
from solvent.core.errors import UnsoundAnswer
from solvent.dungeon.model import Dungeon

OURS, PROVED = "solvent", "with proof"
USUAL: Mapping[str, Any] = {}
ALL_PARTS = "all parts"
PARTS = ("macros", "plan_heuristic", "dominance", "reverse", "areas")

NAMES = ("peers", "questions", "scaling", "hub", "quest", "parts")
QUICK_PUBLIC = ("tloz1_1", "tloz4_1")
"""One that can be lost and one that cannot."""

REPEATS = Repeats()


@dataclass(frozen=True, slots=True)
class Section:
    """Hold who is measured on what."""

    name: str
    title: str
    contenders: tuple[Contender, ...]
    base: str | None
    """The contender that the others are compared with."""
    make_classes: Callable[[], Iterable[LevelClass]]
    """Generating takes time, so classes are made one by one, when their turn comes."""


@dataclass(frozen=True, slots=True)
class LevelRun(SectionRun):
    """Hold what one contender did on one dungeon; the seconds are the median of its repeats."""

    question: str = "solvable"
    length: int | None = None
    shortest: bool = False
    own_seconds: float | None = None
    situations: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the run as it stands in the JSON file."""
        return SectionRun.as_json(self) | {
            "question": self.question,
            "length": self.length,
            "shortest": self.shortest,
            "own_seconds": self.own_seconds,
            "situations": self.situations,
        }


def ask_solvent(
    name: str, question: str = "solvable", *, proof: bool = True, options: Mapping[str, Any] = USUAL
) -> Contender:
    """Return Solvent's public way to an answer; checking what it proves is part of it."""

    def attempt(dungeon: Dungeon, seconds: float) -> Answer | UnsoundAnswer:
        try:
            return solvent.ask(dungeon, question, seconds=seconds, proof=proof, **options)
        except UnsoundAnswer as error:  # a finding of its own, and no reason to lose all the others
            return error

    def read(_dungeon: Dungeon, answer: Answer | UnsoundAnswer) -> Outcome:
        if isinstance(answer, UnsoundAnswer):
            return Outcome(Verdict.UNKNOWN, reason="its own checker refused the answer", wrong=str(answer))
        return Outcome(
            answer.verdict,
            length=answer.stats.get("plan_length", answer.stats.get("walk_length")),
            shortest=bool(answer.stats.get("shortest", False)),
            reason=None if answer.reason is None else str(answer.reason),
            certified=answer.certified,
            stats=answer.stats,
        )

    return Contender(name, attempt, read, question)


def comparing(*, peers: bool) -> tuple[Contender, ...]:
    """Return Solvent without and with proof, and beside the planner's searches also as a process of its own."""
    return ask_solvent(OURS, proof=False), ask_solvent(PROVED), *((AS_COMMAND, *PEERS) if peers else ())


def asking() -> tuple[Contender, ...]:
    """Return Solvent on both questions, with and without proof."""
    return tuple(
        ask_solvent(question if proof else f"{question}, no proof", question, proof=proof)
        for question in ("solvable", "losable")
        for proof in (True, False)
    )


def losing() -> tuple[Contender, ...]:
    """Return Solvent on the harder question."""
    return tuple(one for one in asking() if one.question == "losable")


def taking_apart() -> tuple[Contender, ...]:
    """Return the search as it is, and with each of its parts off; all look for a shortest plan until the clock ends."""
    limits = {"shortest_nodes": 10**9}
    off = {f"no {part.replace('_', ' ')}": {part: False} for part in PARTS}
    off["none of them"] = dict.fromkeys(PARTS, False)
    return (
        ask_solvent(ALL_PARTS, options=limits),
        *(ask_solvent(name, options={**limits, **parts}) for name, parts in off.items()),
    )


def all_sections(folder: Path, *, quick: bool, peers: bool) -> tuple[list[Section], dict[str, str]]:
    """Return every section, and which public dungeons could not be read."""
    public, unread = load_public(folder, QUICK_PUBLIC if quick else None)
    generated = {10: 1} if quick else {10: 5, 40: 5, 160: 2}
    growing = {10: 1, 20: 1} if quick else {10: 5, 40: 5, 160: 5, 640: 3}
    hubs = ((3, 5), (4, 8)) if quick else ((6, 10), (9, 15), (12, 20), (10, 39), (30, 60))
    apart = {10: 1} if quick else {40: 5}

    def compared() -> Iterator[LevelClass]:
        yield from map(only_expressible, [*public, load_examples()])
        yield from map(only_expressible, _generate(generated))

    def asked() -> Iterator[LevelClass]:
        yield from [*public, load_examples()]

    def taken_apart() -> Iterator[LevelClass]:
        yield from public or [load_examples()]
        yield from _generate(apart)

    return [
        Section("peers", "Solvable, beside Fast Downward", comparing(peers=peers), OURS, compared),
        Section("questions", "Both questions", asking(), None, asked),
        Section("scaling", "As dungeons grow", asking(), None, lambda: _generate(growing)),
        Section("hub", "A hub with more locks than keys", losing(), None, lambda: (hub_class(*hub) for hub in hubs)),
        Section("quest", "Dungeons behind one hub", asking(), None, lambda: quest_classes(folder, 2 if quick else 9)),
        Section("parts", "Solvable, without parts of the search", taking_apart(), ALL_PARTS, taken_apart),
    ], unread


def _generate(counts: dict[int, int]) -> Iterator[LevelClass]:
    return (generate_class(rooms, range(count)) for rooms, count in counts.items())


def warm_up(contenders: Sequence[Contender] = ()) -> None:
    """Let everybody import what they need before the clock starts."""
    levels = list(load_examples().levels.values())
    for contender in asking():
        for dungeon in levels:
            contender.attempt(dungeon, 60.0)
    for contender in contenders:
        contender.attempt(contender.prepare(levels[0]), 60.0)
    gc.collect()
    gc.freeze()  # what is loaded by now stays; collecting need not look at it again


def run_class(section: Section, group: LevelClass, seconds: float) -> Iterator[tuple[int, list[LevelRun]]]:
    """Let all contenders try each dungeon in turn; yields how many dungeons are done and the runs on the last one.

    Who goes first changes from dungeon to dungeon, so that what else the machine does hits them alike.
    """
    for index, (name, dungeon) in enumerate(group.levels.items()):
        turn = take_turns(section.contenders, index)
        yield index + 1, [run_one(section.name, group.name, name, dungeon, one, seconds) for one in turn]


def run_one(section: str, group: str, name: str, dungeon: Dungeon, contender: Contender, seconds: float) -> LevelRun:
    """Let one contender try one dungeon, several times if it is quick.

    An answer that comes after the limit is over the limit like no answer.
    """
    prepared = contender.prepare(dungeon)
    gc.collect()  # so that nobody pays for what the one before left behind
    times: list[float] = []
    outcomes: list[Outcome] = []
    while not REPEATS.are_enough(times):
        began = time.perf_counter()
        answer = contender.attempt(prepared, seconds)
        times.append(time.perf_counter() - began)
        outcomes.append(contender.read(dungeon, answer))
        del answer  # a certificate may be large
    shown, together = outcomes[0], sum_up(times, outcomes, seconds)
    return LevelRun(
        section=section,
        group=group,
        instance=name,
        contender=contender.name,
        question=contender.question,
        verdict=together.verdict,
        seconds=together.seconds,
        certified=together.certified,
        nodes=int(shown.stats.get("expanded", 0)),
        reason=together.reason,
        said=together.said,
        length=shown.length,
        shortest=shown.shortest,
        wrong=next((outcome.wrong for outcome in outcomes if outcome.wrong), None),
        own_seconds=shown.own_seconds,
        situations=int(shown.stats.get("situations", 0)),
        first_seconds=times[0],
        repeats=len(times),
    )


def report(
    measured: Sequence[tuple[Section, Sequence[LevelClass]]], runs: Sequence[LevelRun], seconds: float
) -> dict[str, Any]:
    """Gather everything the tables show and the JSON file holds, except machine and commit."""
    return {
        "limit_seconds": seconds,
        "peers": peer_versions(),
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "classes": [
                    {"name": group.name, "instances": len(group.levels), "left_out": group.left_out}
                    for group in classes
                ],
                "summary": [row for group in classes for row in _summary_rows(section, group.name, runs)],
                "comparison": [row for group in classes for row in compare(section, group.name, runs)],
            }
            for section, classes in measured
        ],
        "wrong": find_wrong(runs),
        "runs": [run.as_json() for run in runs],
    }


def _summary_rows(section: Section, group: str, runs: Sequence[LevelRun]) -> Iterator[dict[str, Any]]:
    base = runs_of(runs, section.name, group, section.base)
    for contender in section.contenders:
        own = runs_of(runs, section.name, group, contender.name)
        if own:
            searched = [run.own_seconds for run in own if run.own_seconds is not None]
            yield summarise(own, base) | {
                "question": contender.question,
                "median_own_seconds": median_of(searched),
                "most_nodes": max(run.nodes for run in own),
                "median_situations": median_of([run.situations for run in own]),
                "most_situations": max(run.situations for run in own),
                "not_shortest": sum(run.verdict is Verdict.YES and not run.shortest for run in own),
            }


def compare(section: Section, group: str, runs: Sequence[LevelRun]) -> Iterator[dict[str, Any]]:
    """Yield, for each peer, how many times longer it takes than Solvent on the same dungeon.

    A run over the limit took at least the limit, so that a ratio may have only a lower bound, or only an upper one if
    the run was ours. `least` is the dungeon where the peer does best.
    """
    ours, proved, commands = (
        {run.instance: run for run in runs_of(runs, section.name, group, name)}
        for name in (OURS, PROVED, AS_COMMAND.name)
    )
    for peer in PEERS:
        own = [run for run in runs_of(runs, section.name, group, peer.name) if run.instance in proved]
        if not own:
            continue
        plain = [span_between(run.measure, ours[run.instance].measure) for run in own]
        checked = [span_between(run.measure, proved[run.instance].measure) for run in own]
        started = [span_between(run.measure, commands[run.instance].measure) for run in own if run.instance in commands]
        search = [
            run.own_seconds / ours[run.instance].seconds
            for run in own
            if run.own_seconds is not None and ours[run.instance].decided
        ]
        longer = [
            run.length / best.length
            for run in own
            if run.length and (best := proved[run.instance]).length and best.shortest
        ]
        yield {
            "class": group,
            "peer": peer.name,
            "instances": len(own),
            "typical": median_span(plain).as_json(),
            "typical_proved": median_span(checked).as_json(),
            "least_proved": min(checked, key=lambda span: span.low).as_json(),
            "typical_command": median_span(started).as_json(),
            "search_alone": median_of(search),
            "plan_length": median_of(longer),
        }


def find_wrong(runs: Iterable[LevelRun]) -> list[str]:
    """Return every answer that cannot be right, alone or beside another on the same dungeon: a bug if there is any."""
    together: dict[tuple[str, str, str], list[LevelRun]] = {}
    for run in runs:
        together.setdefault((run.group, run.instance, run.question), []).append(run)
    found = []
    for (group, name, question), here in together.items():
        place = f"{group}, {name}, {question}"
        found += [f"{place}: {run.contender}: {run.wrong}" for run in here if run.wrong]
        verdicts = {verdict for run in here for verdict in run.said} - {Verdict.UNKNOWN}
        lengths = [run.length for run in here if run.length is not None]
        claims = {run.length for run in here if run.length is not None and run.shortest}
        if len(verdicts) > 1 or len(claims) > 1 or (claims and min(lengths) < min(claims)):
            said = dict.fromkeys(f"{run.contender} {_words(run)}" for run in here)
            found.append(f"{place}: {', '.join(said)}")
    return found


def _words(run: LevelRun) -> str:
    verdicts = "/".join(sorted(verdict.value for verdict in run.said))
    if run.length is None:
        return verdicts
    return f"{verdicts} ({run.length}{', shortest' if run.shortest else ''})"
