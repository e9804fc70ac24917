"""What would help: changes after which the whole task can be filled. Each is proved on the changed task.

Gentle changes are tried first: a pick, a bound or a constraint less. Where none is enough by itself, what clashes is
given up one after the other until nothing clashes any more. Changes of the rules and the cluster come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import listed
from solvent.valency.explaining.changes import Change, gentle_changes, harder_changes, resolve_bound
from solvent.valency.model import Staging
from solvent.valency.phrases import Element, Phrases, read_element
from solvent.valency.validation import find_faults

MAX_SHOWN = 6
MAX_ALIKE = {"pick": 4, "least": 4, "most": 4, "constraint": 4, "edge": 3, "node": 2, "allow": 3, "fit": 3}
"""How many changes of a kind are shown."""
MAX_TRIES = 24
MAX_TOGETHER = 12
"""How many things are given up together before the search for a fix ends."""
NODES_A_TRY = 100_000
NODES_A_TRY_AND_NODE = 50
"""What one try may cost, beside the budget: a fixed part, and so much for each node of the cluster."""


@dataclass(frozen=True, slots=True, eq=False)
class Fix:
    """Hold changes that help together, the task after them, and the proof."""

    changes: tuple[Change, ...]
    staging: Staging
    certificate: Certificate

    @property
    def text(self) -> str:
        """Say what to do, as a sentence."""
        text = listed([change.text for change in self.changes], MAX_TOGETHER)
        return text[0].upper() + text[1:] + "."


@dataclass(slots=True)
class Suggestions:
    """Hold what would help, and what was tried in vain."""

    fixes: list[Fix] = field(default_factory=list)
    in_vain: list[Change] = field(default_factory=list)
    """Changes that are not enough by themselves, as is proved."""
    refutations: list[tuple[Staging, Certificate]] = field(default_factory=list)
    """The proofs of that."""
    complete: bool = True
    """Whether every change was tried, and every try came to an end."""


def suggest(phrases: Phrases, elements: Sequence[Element], questions: SubQuestions[Staging]) -> Suggestions:
    """Find changes that help."""
    search = _Search(phrases, questions)
    search.try_singles(gentle_changes(phrases, elements))
    if not search.found.fixes:
        search.try_together(elements)
    search.try_singles(harder_changes(phrases, elements))
    return search.found


class _Search:
    def __init__(self, phrases: Phrases, questions: SubQuestions[Staging]) -> None:
        self.phrases = phrases
        self.questions = questions
        self.found = Suggestions()
        self.tries = 0

    def try_singles(self, changes: Iterator[Change]) -> None:
        """Try every change by itself, until there are enough that help, or enough of one kind."""
        helped: set[Element] = set()
        alike: Counter[str] = Counter()
        for change in changes:
            if change.part in helped or alike[change.kind] >= MAX_ALIKE[change.kind]:
                continue
            if len(self.found.fixes) >= MAX_SHOWN or self._must_stop():
                return
            verdict, certificate = self._solve(change.staging)
            if verdict is Verdict.YES and certificate is not None:
                helped.add(change.part)
                alike[change.kind] += 1
                settled = resolve_bound(change, certificate["modules"])
                self.found.fixes.append(Fix((settled,), settled.staging, certificate))
            elif verdict is Verdict.NO and certificate is not None:
                self.found.in_vain.append(change)
                self.found.refutations.append((change.staging, certificate))

    def try_together(self, elements: Sequence[Element]) -> None:
        """Give up one part of each clash in turn, until nothing clashes any more."""
        phrases = self.phrases
        made: list[Change] = []
        while len(made) < MAX_TOGETHER and not self._must_stop():
            change = next((one for one in gentle_changes(phrases, elements) if self._gives_up(one)), None)
            if change is None:
                return
            made.append(change)
            verdict, certificate = self._solve(change.staging, minimal=True)
            if certificate is None:
                return
            if verdict is Verdict.YES:
                self.found.fixes.append(Fix(tuple(made), change.staging, certificate))
                return
            phrases = Phrases.of(change.staging, self.questions.meter)
            elements = [read_element(element) for element in certificate["elements"]]
        self.found.complete = False

    def _gives_up(self, change: Change) -> bool:
        """Tell whether a change takes its part away for good; a bound that is only milder may clash again and again."""
        return change.kind in ("pick", "constraint") or change.bound is not None

    def _must_stop(self) -> bool:
        if self.tries >= MAX_TRIES or self.questions.is_spent():
            self.found.complete = False
            return True
        return False

    def _solve(self, staging: Staging, *, minimal: bool = False) -> tuple[Verdict, Certificate | None]:
        if find_faults(staging, self.questions.meter):  # such as a path to a node that lost its last edge
            return Verdict.UNKNOWN, None
        self.tries += 1
        self.questions.announce("trying what would help", self.tries)
        nodes = NODES_A_TRY + NODES_A_TRY_AND_NODE * self.phrases.cache.nodes
        finding = self.questions.ask(staging, "solvable", nodes=nodes, minimal=minimal)
        if finding.verdict is Verdict.UNKNOWN:
            self.found.complete = False
        return finding.verdict, finding.certificate


def describe_suggestions(found: Suggestions, meter: Meter = UNLIMITED) -> tuple[list[str], list[dict[str, Any]]]:
    """Return what would help as lines for people and as JSON values."""
    from solvent.valency.notation.task_json.writing import format_json

    lines: list[str] = []
    if found.fixes:
        lines.append("Any one of these is enough:" if len(found.fixes) > 1 else "This is enough:")
    for number, fix in enumerate(found.fixes, 1):
        lines.append(f"{number}. {fix.text}" if len(found.fixes) > 1 else fix.text)
    if found.in_vain:
        in_vain = [change.text for change in found.in_vain[:MAX_SHOWN]]
        in_vain += [f"{len(found.in_vain) - MAX_SHOWN} more"] if len(found.in_vain) > MAX_SHOWN else []
        lines.append(f"Not enough: {'; '.join(in_vain)}.")
    if not found.fixes and not found.in_vain:
        lines.append("No change to one part of the clash is known to help.")
    if not found.complete:
        lines.append("Not everything was tried to the end: more may help.")
    data = [
        {
            "kinds": [change.kind for change in fix.changes],
            "parts": [list(change.part) for change in fix.changes],
            "words": fix.text,
            "verdict": "YES",
            "task": format_json(fix.staging),
        }
        for fix in meter.each(found.fixes, every=1)
    ]
    return lines, data
