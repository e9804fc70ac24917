"""Try a dungeon with something lifted or changed, keep each answer with its proof, and keep within the budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from solvent.core.answer import Certificate, Reason, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.explaining.reasons.lifts import Lift, lift
from solvent.dungeon.model import Dungeon

MAX_TRIALS = 400
TILES_TRIED = 1_000_000
"""Large dungeons are tried fewer times: so many tiles in all."""
FEWEST_TRIALS = 60


class NotEstablished(Exception):
    """Say that a reason could not be found within the budget."""

    def __init__(self, reason: Reason | str) -> None:
        super().__init__(str(reason))


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Hold one dungeon that was asked about, and the answer."""

    dungeon: Dungeon
    solvable: bool
    certificate: Certificate

    @property
    def plan(self) -> list[str]:
        """Return the moves to the goal; there are some."""
        return list(self.certificate["plan"])


@dataclass(slots=True, eq=False)
class Trials:
    """Ask whether the goal can be reached in dungeons that differ a little from one."""

    land: Land
    questions: SubQuestions[Dungeon]
    made: int = 0
    _by_lifts: dict[frozenset[Lift], Trial | None] = field(default_factory=dict)
    claimed: list[tuple[Dungeon, Certificate]] = field(default_factory=list)
    """What the reasons given rest on."""

    def with_lifts(self, lifts: Iterable[Lift]) -> Trial | None:
        """Try the dungeon without what is lifted; None if the moves played cannot be made in it."""
        key = frozenset(lifts)
        if key not in self._by_lifts:
            changed = lift(self.land.dungeon, sorted(key, key=repr), self.land.meter)
            self._by_lifts[key] = None if changed is None else self.of(changed)
        return self._by_lifts[key]

    def helps(self, lifts: Iterable[Lift]) -> bool:
        """Tell whether the goal can be reached once these are lifted."""
        trial = self.with_lifts(lifts)
        return trial is not None and trial.solvable

    def of(self, dungeon: Dungeon) -> Trial:
        """Ask about a dungeon; raises NotEstablished if the budget is too small for that."""
        most = max(FEWEST_TRIALS, min(MAX_TRIALS, TILES_TRIED // max(1, self.land.ground.cells.nodes)))
        if self.made >= most:
            raise NotEstablished(f"{most} trials were not enough")
        self.made += 1
        self.questions.announce("looking for the reason", self.made)
        self.land.meter.checkpoint()
        finding = self.questions.ask(dungeon, "solvable")
        if finding.verdict is Verdict.UNKNOWN or finding.certificate is None:
            raise NotEstablished(finding.reason or "no certificate")
        return Trial(dungeon, finding.verdict is Verdict.YES, finding.certificate)

    def claim(self, trial: Trial) -> Trial:
        """Note that what is said rests on a trial."""
        pair = trial.dungeon, trial.certificate
        if not any(certificate is trial.certificate for _, certificate in self.claimed):
            self.claimed.append(pair)
        return trial
