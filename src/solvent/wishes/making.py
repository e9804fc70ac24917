"""Fill, read, ask; and where a wish does not hold, exclude what the answer blames and make the level again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from solvent import asking
from solvent.core.answer import Answer, Cause, Verdict
from solvent.core.budget import Budget, Meter
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, GenerationFailed, LimitReached, ParseError
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.core.judging import Blame, Remaker, Tile
from solvent.reading import decode_problem, format_problem
from solvent.registry import get_domain
from solvent.wishes.learning import Dictionary
from solvent.wishes.parsing import Wish, require_keepable, require_readable

MAX_TRIES = 1000
"""How many levels are looked at before giving up, if no limit does that sooner."""
FEW_EXCLUSIONS = 8
"""How many causes are excluded from most levels before another is begun with, by a seed of its own. Measured over three
rule sets: levels that hold after all mostly do so by then, and the others may take a hundred."""
NEXT_SEED = 1 << 32
"""How far apart the seeds are that are tried where nothing can be learned from a failure."""


@dataclass(frozen=True, slots=True)
class Proven:
    """Hold a level that keeps every wish, with all that proves it."""

    problem: Any
    """What the generator made."""
    answers: Sequence[Answer]
    """What was proved about it by its own domain."""
    level: Any
    """The level, read from its file as the wishes' domain reads it."""
    proofs: Sequence[Answer]
    """One answer to each wish, about the level."""
    data: bytes
    """The file that the level was read from."""
    kind: str
    """The ending of its name; "" where it is the instance in its own format."""
    tried: int
    """How many levels were looked at, this one included."""
    excluded: int
    """How many causes of failure were ruled out on the way."""
    seeds: int = 1
    """How many seeds were begun with."""

    def save(self, path: str | PathLike[str]) -> list[Path]:
        """Write the level and all certificates beside it, and return the files: first the level."""
        from solvent.wishes.saving import save_proven

        return save_proven(self, path)

    def __str__(self) -> str:
        held = ", ".join(f"{answer.domain}:{answer.question} {answer.verdict}" for answer in self.proofs)
        attempt = "the first attempt" if self.tried == 1 else f"attempt {self.tried}"
        causes = (
            "" if not self.excluded else f", with {self.excluded} cause{'s' * (self.excluded > 1)} of failure ruled out"
        )
        return f"{held}: proved and checked at {attempt}{causes}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Hold what is asked of a generator."""

    domain: Domain[Any]
    wishes: Sequence[Wish]
    options: Mapping[str, Any]
    seed: int = 0
    kind: str = ""
    """The ending of the file that is written and read; "" for an instance in its own format."""
    format: str | None = None
    path: Path | None = None
    """Where the file will be, so that what lies beside it is found."""
    mapping: str | PathLike[str] | None = None
    learn: bool = True
    """False tries one seed after another, which is what everybody does."""
    tries: int = MAX_TRIES


def make_proven(
    name: str,
    wishes: Sequence[Wish],
    *,
    budget: Budget | None = None,
    listen: Listener | None = None,
    kind: str | None = None,
    options: Mapping[str, Any] | None = None,
    **order: Any,
) -> Proven:
    """Make an instance of a domain that keeps every wish, or raise GenerationFailed.

    The keywords of `order` are the fields of `Order`. The same seed gives the same level.
    """
    domain = get_domain(name)
    kind = require_readable(domain, wishes, kind)
    require_keepable(domain, wishes, options or {}, kind)
    mapping = order.get("mapping")
    if mapping is not None and not Path(mapping).is_file():
        raise BadOption(f"mapping: there is no file {mapping}")
    asked = Order(domain=domain, wishes=wishes, options=options or {}, kind=kind, **order)
    return _Making(asked, (budget or asking.NO_LIMIT).start(), listen or ignore).run()


def doubling(number: int) -> int:
    """Return the number-th of 1, 1, 2, 1, 1, 2, 4, …: most turns are short, and each length comes again and again."""
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) >> 1


@dataclass(slots=True)
class _Making:
    order: Order
    meter: Meter
    listen: Listener
    tried: int = 0
    excluded: int = 0
    seeds: int = 0
    blamed: list[tuple[Blame, Mapping[Tile, str]]] = field(default_factory=list)
    dictionary: Dictionary = field(default_factory=Dictionary)

    def run(self) -> Proven:
        """Begin with one seed after another, as long as nothing more can be learned from a failure."""
        order = self.order
        while True:
            seed = order.seed + self.seeds * NEXT_SEED
            self.seeds += 1
            self.blamed.clear()
            problem, answers = asking.generate(
                order.domain.name, seed=seed, budget=self.meter.left(), listen=self.listen, **order.options
            )
            self._spend(answers)
            found = self._from(problem, answers, seed)
            if found is not None:
                return found

    def _from(self, problem: Any, answers: list[Answer], seed: int) -> Proven | None:
        """Make one instance again until all wishes hold; None if that leads nowhere."""
        remaker: Remaker | None = None
        while True:
            data, level = self._read(problem, answers)
            self.tried += 1
            proofs = []
            for wish in self.order.wishes:
                proofs.append(asking.ask(level, wish.question, budget=self.meter.left(), listen=self.listen))
                self._spend(proofs[-1:])
                if proofs[-1].verdict is not wish.verdict:
                    break
            else:
                kind, counts = self.order.kind, (self.tried, self.excluded, self.seeds)
                return Proven(problem, answers, level, proofs, data, kind, *counts)
            failed = proofs[-1]
            self._go_on(failed)
            remaining = self._excluding(problem, answers, level, failed, remaker, seed)
            if remaining is None:
                return None
            answers, remaker = remaining

    def _go_on(self, failed: Answer) -> None:
        """Raise GenerationFailed if there is nothing left to spend."""
        limit = self.meter.stop_reason()
        if limit is None and failed.reason is not None and failed.reason.cause is not Cause.INCOMPLETE:
            limit = failed.reason
        name, tried = self.order.domain.name, f"{self.tried} level{'s' * (self.tried != 1)} tried"
        if limit is not None or self.tried >= self.order.tries:
            why = f"{failed.domain}:{failed.question} is {failed.verdict} in the last"
            raise GenerationFailed(f"{name}, seed {self.order.seed}: {tried}, and {why}; {limit or 'giving up'}")
        self.listen(Event(Kind.PROGRESS, f"{tried}: {failed.because or failed.question}", self.meter.nodes))

    def _excluding(
        self, problem: Any, answers: list[Answer], level: Any, failed: Answer, remaker: Remaker | None, seed: int
    ) -> tuple[list[Answer], Remaker] | None:
        """Make the level again without what a failure blames; None if nothing can be learned from it."""
        generator, judge = self.order.domain.generator, get_domain(failed.domain).judge
        remaking = None if generator is None else generator.remaking
        if remaking is None or judge is None or judge.blame is None or not self.order.learn:
            return None
        if len(self.blamed) >= FEW_EXCLUSIONS * doubling(self.seeds):
            return None
        certificate = answers[-1].certificate
        blame = judge.blame(level, failed) if failed.certificate is not None else None
        if blame is None or certificate is None:
            return None
        pieces = remaking.pieces(problem, certificate)
        changed = self.dictionary.learn(pieces, blame.meanings)
        self.blamed.append((blame, pieces))
        try:
            if remaker is None or changed:  # what was ruled out before rested on what pieces were taken to mean
                remaker = remaking.begin(problem, certificate, seed, self.meter)
                for earlier in self.blamed[:-1]:
                    remaker.exclude(self.dictionary.exclude(*earlier))
            exclusion = self.dictionary.exclude(blame, pieces)
            if not exclusion.parts:
                return None
            remaker.exclude(exclusion)
            self.excluded += 1
            finding = remaker.remake(self.meter)
        except (BadOption, LimitReached):
            return None
        if finding.verdict is Verdict.NO and all(each.proved for each, _ in self.blamed):
            wishes = " and ".join(map(str, self.order.wishes))
            raise GenerationFailed(
                f"{self.order.domain.name}, seed {self.order.seed}: no level that can be made is {wishes}; "
                f"every one fails as one of the {self.tried} that were tried"
            )
        if finding.verdict is not Verdict.YES:
            return None
        question = answers[-1].question
        again = asking.accept(problem, question, finding, budget=self.meter.left())
        return [*answers[:-1], again], remaker

    def _read(self, problem: Any, answers: Sequence[Answer]) -> tuple[bytes, Any]:
        """Write the level as its file, and read it as the wishes' domain does."""
        order, name = self.order, self.order.wishes[0].domain
        if order.kind:
            exported = [answer for answer in answers if answer.verdict is Verdict.YES][-1]
            data = asking.export(
                problem, exported, order.kind, folder=None if order.path is None else order.path.parent
            )
        else:
            data = format_problem(problem, order.format).encode()
        source = "the level" if order.path is None else str(order.path)
        try:
            return data, decode_problem(data, source=source, domain=name, path=order.path, mapping=order.mapping)
        except ParseError as error:
            why = f"{name} cannot read what {order.domain.name} made: {error}"
            raise BadOption(f"{why} Make the level without wishes to have a look at it.") from None

    def _spend(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self.meter.spend(int(answer.stats.get("nodes", 0)))
