"""The smallest changes after which a dungeon can be finished, or cannot be lost. Each is proved on the changed dungeon.

Single changes are tried first, the mildest before the others; pairs only where no single one does. Which are tried is
worked out by `helping`, so that what is left out could not have helped. A pair begins with a change that could help,
and its second one is looked for in the dungeon after the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.errors import LimitReached
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import plural
from solvent.dungeon.explaining.changes import Change, change_dungeon
from solvent.dungeon.explaining.helping import Sieve, changes_to_finish
from solvent.dungeon.explaining.land import Land, look_at
from solvent.dungeon.explaining.reach import Reach, explore_reach, find_loss
from solvent.dungeon.model import Dungeon
from solvent.dungeon.requirements import goes_beyond_locks

MAX_SHOWN = 5
MAX_ALIKE = 2
"""How many fixes may put down the same thing, in different places."""
MAX_TRIES = 500
TILES_TRIED = 200_000
"""Large dungeons are tried fewer times: so many tiles in all."""
FEWEST_TRIES = 60
TRIES_WITHIN_A_BUDGET = 10_000
"""Who says how long it may take need not be spared."""


@dataclass(frozen=True, slots=True, eq=False)
class Fix:
    """Hold changes that help, the dungeon after them, and the proof."""

    changes: tuple[Change, ...]
    dungeon: Dungeon
    question: str
    certificate: Certificate
    losable: Verdict = Verdict.UNKNOWN
    """Whether the dungeon can be lost after them."""
    losable_certificate: Certificate | None = None

    @property
    def text(self) -> str:
        """Say what to change."""
        counts = Counter(change.text for change in self.changes)
        return " and ".join(text if count == 1 else f"{text}, twice" for text, count in counts.items())


@dataclass(slots=True)
class Fixing:
    """Hold what was found, and what was tried."""

    question: str
    """The question whose answer the fixes change."""
    fixes: list[Fix] = field(default_factory=list)
    tried: int = 0
    complete: bool = True
    """Whether everything was tried that had to be: False if the budget or the number of tries ran out."""
    selective: bool = False
    """Whether other changes might help that are not known here: to rules, levers and what appears."""


def fix(land: Land, reach: Reach, questions: SubQuestions[Dungeon], walk: list[str] | None) -> Fixing:
    """Find fixes: so that it can be finished, or with a walk that loses, so that it cannot be lost."""
    search = _Search(land, questions, "solvable" if walk is None else "losable")
    found = search.found
    try:
        search.run(land, reach, walk)
    except LimitReached as limit:
        questions.stop(limit)
        found.complete = False
    found.fixes.sort(key=lambda each: sorted((change.mildness for change in each.changes), reverse=True))
    if found.question == "solvable":
        found.fixes = [_with_losable(each, questions) for each in found.fixes]
    return found


def _with_losable(each: Fix, questions: SubQuestions[Dungeon]) -> Fix:
    if questions.is_spent():
        return each
    finding = questions.ask(each.dungeon, "losable")
    return replace(each, losable=finding.verdict, losable_certificate=finding.certificate)


class _Search:
    """Try changes one after the other, and remember what was tried."""

    def __init__(self, land: Land, questions: SubQuestions[Dungeon], question: str) -> None:
        self.questions = questions
        self.found = Fixing(question, selective=goes_beyond_locks(land.dungeon))
        limits = questions.request.budget
        self.most_tries = max(FEWEST_TRIES, min(MAX_TRIES, TILES_TRIED // max(1, land.ground.cells.nodes)))
        if limits.seconds is not None or limits.nodes is not None:
            self.most_tries = TRIES_WITHIN_A_BUDGET
        self._seen: set[Dungeon] = {land.dungeon}

    def run(self, land: Land, reach: Reach, walk: list[str] | None) -> None:
        """Try single changes, then pairs."""
        self._try_singles_and_pairs(land, reach, walk)
        if self.questions.is_spent():  # perhaps within the last of them, which then says nothing
            self.found.complete = False

    def _try_singles_and_pairs(self, land: Land, reach: Reach, walk: list[str] | None) -> None:
        singles = self._try_all(land, reach, walk, ())
        if self.found.fixes:
            return
        for first in _in_turn(singles):
            if self._is_enough() or self._must_stop():
                return
            changed = change_dungeon(land.dungeon, first)
            if changed is None:
                continue
            there = look_at(changed, self.questions.meter)
            lost = None
            if walk is not None:
                lost = find_loss(there, self.questions).walk
                if lost is None:  # the budget ended
                    continue
            self._try_all(there, explore_reach(there, self.questions), lost, (first,))

    def _try_all(self, land: Land, reach: Reach, walk: list[str] | None, before: tuple[Change, ...]) -> list[Change]:
        """Try every change that could help, beside those made before. Return them all, whether they did or not."""
        if walk is None:
            changes = changes_to_finish(land, reach)
            for change in self._worth_trying(changes):
                self._try(land, change, before)
            return changes
        sieve = Sieve(land, reach, walk, self.questions)
        for change in self._worth_trying(sieve):
            self._try(land, change, before, sieve)
        if not self.found.fixes and not before:
            for change in self._worth_trying(islice(sieve.on_every_tile(), self.most_tries // 4)):
                self._try(land, change, before, sieve)
        return sieve.fewest

    def _worth_trying(self, changes: Iterable[Change]) -> Iterator[Change]:
        """Yield changes until enough fixes are found or nothing more may be tried."""
        for change in changes:
            if self._is_enough() or self._must_stop():
                return
            last = [each.changes[-1] for each in self.found.fixes]
            alike = sum((each.kind, each.name) == (change.kind, change.name) for each in last)
            if alike < MAX_ALIKE or change.kind not in ("key", "bombs", "item", "floor"):
                yield change

    def _is_enough(self) -> bool:
        return len(self.found.fixes) >= MAX_SHOWN

    def _must_stop(self) -> bool:
        if self.found.tried >= self.most_tries or self.questions.is_spent():
            self.found.complete = False
        return not self.found.complete

    def _try(self, land: Land, change: Change, before: tuple[Change, ...], sieve: Sieve | None = None) -> None:
        """Make a change and see whether it helps."""
        changed = change_dungeon(land.dungeon, change)
        if changed is None or changed in self._seen:
            return
        self._seen.add(changed)
        self.found.tried += 1
        self.questions.announce("trying fixes", self.found.tried)
        if sieve is not None:
            loss = find_loss(look_at(changed, self.questions.meter), self.questions)
            if loss.walk is not None:
                sieve.add(changed, loss.walk)
            if not loss.is_safe:
                return
        finding = self.questions.ask(changed, self.found.question, proof=sieve is not None)
        promised = Verdict.YES if sieve is None else Verdict.NO
        if finding.verdict is promised and finding.certificate is not None:
            self.found.fixes.append(Fix((*before, change), changed, self.found.question, finding.certificate))


def _in_turn(changes: list[Change]) -> Iterator[Change]:
    """Yield changes of each kind in turn, so that each has been looked at before the tries run out."""
    kinds: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        kinds.setdefault((change.kind, change.name), []).append(change)
    for row in zip_longest(*kinds.values()):
        yield from (change for change in row if change is not None)


def describe_fixes(found: Fixing, questions: SubQuestions[Dungeon]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the fixes as lines for people and as JSON values."""
    from solvent.dungeon.notation.text import format_text

    aim = "it can be finished" if found.question == "solvable" else "it cannot be lost"
    promised = "YES" if found.question == "solvable" else "NO"
    lines, data = [], []
    if found.fixes:
        size = max(len(each.changes) for each in found.fixes)
        lines.append(f"{'One change is' if size == 1 else 'Two changes are'} enough so that {aim}. Any of these:")
    for number, each in enumerate(found.fixes, 1):
        afterwards = ""
        if each.losable is not Verdict.UNKNOWN:
            afterwards = "; then it can be lost" if each.losable is Verdict.YES else "; then it cannot be lost"
        lines.append(f"{number}. {each.text[0].upper()}{each.text[1:]}{afterwards}.")
        data.append(
            {
                "kind": [change.kind for change in each.changes],
                "where": [[list(place) for place in change.places] for change in each.changes],
                "words": each.text,
                "question": found.question,
                "verdict": promised,
                "losable": each.losable.value if found.question == "solvable" else promised,
                "text": format_text(each.dungeon),
            }
        )
    if not found.complete:
        why = f", {questions.reason}" if questions.reason is not None else ""
        lines.append(f"Stopped after {found.tried} tries{why}; there may be others.")
    elif not found.fixes:
        none = "No change that is known here can be made to it, so none was tried."
        tried = f"No one or two changes are enough: {found.tried:,} {plural(found.tried, 'was', 'were')} tried."
        if found.selective:
            tried = f"None of {found.tried:,} changes that were tried is enough; there may be others."
        lines.append(tried if found.tried else none)
    return lines, data
