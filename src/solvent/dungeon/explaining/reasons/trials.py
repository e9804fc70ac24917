"""Try a dungeon with something lifted or changed, keep each answer with its proof, and keep within the budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from solvent.core.answer import Certificate, Finding, Reason, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.explaining.reasons.lifts import Lift, lift
from solvent.dungeon.model import Dungeon

MAX_TRIALS = 400
TILES_TRIED = 1_000_000
"""Large dungeons are tried fewer times: so many tiles in all."""
FEWEST_TRIALS = 60
MAX_NODES = 30_000
"""Situations of one trial. A proof of more would take longer to check than anybody waits for it."""
CHECKED_A_SECOND = 2_000_000
"""How many situations times tiles the checker goes over in a second, at least."""
MAX_SECONDS_TO_CHECK = 15
"""How long it may take to check all that the reasons rest on, unless the budget says less."""
SHARE_FOR_CHECKING = 0.3
"""How much of the seconds in the budget that may take."""


class NotEstablished(Exception):
    """Say that a reason could not be found and proved within the budget."""

    def __init__(self, reason: Reason | str) -> None:
        super().__init__(str(reason))


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Hold one dungeon that was asked about, and the answer."""

    dungeon: Dungeon
    verdict: Verdict
    """UNKNOWN if there are too many situations."""
    plan: list[str]
    """Moves to the goal, if it can be reached."""

    @property
    def solvable(self) -> bool:
        """Tell whether the goal can be reached; also False if that is not known."""
        return self.verdict is Verdict.YES


@dataclass(slots=True, eq=False)
class Trials:
    """Ask whether the goal can be reached in dungeons that differ a little from one."""

    land: Land
    questions: SubQuestions[Dungeon]
    made: int = 0
    _by_lifts: dict[frozenset[Lift], Trial | None] = field(default_factory=dict)
    claimed: list[tuple[Dungeon, Certificate]] = field(default_factory=list)
    """What the reasons given rest on."""
    _claims: list[Trial] = field(default_factory=list)
    _work: float = 0.0
    """How many situations times tiles have to be checked."""

    def with_lifts(self, lifts: Iterable[Lift]) -> Trial | None:
        """Try the dungeon without what is lifted; None if the moves played cannot be made in it."""
        key = frozenset(lifts)
        if key not in self._by_lifts:
            changed = lift(self.land.dungeon, sorted(key, key=repr), self.land.meter)
            self._by_lifts[key] = None if changed is None else self.of(changed)
        return self._by_lifts[key]

    def helps(self, lifts: Iterable[Lift]) -> bool:
        """Tell whether the goal can be reached once these are lifted, as far as that is known."""
        trial = self.with_lifts(lifts)
        return trial is not None and trial.solvable

    def of(self, dungeon: Dungeon) -> Trial:
        """Ask about a dungeon; raises NotEstablished if the budget ends."""
        most = max(FEWEST_TRIALS, min(MAX_TRIALS, TILES_TRIED // max(1, self.land.ground.cells.nodes)))
        if self.made >= most:
            raise NotEstablished(f"{most} trials were not enough")
        self.made += 1
        self.questions.announce("looking for the reason", self.made)
        finding = self._ask(dungeon, proof=False)
        plan = [] if finding.certificate is None else finding.certificate["plan"]
        return Trial(dungeon, finding.verdict, list(plan))

    def _ask(self, dungeon: Dungeon, *, proof: bool) -> Finding:
        self.land.meter.checkpoint()
        finding = self.questions.ask(dungeon, "solvable", nodes=MAX_NODES, proof=proof)
        if self.questions.is_spent():
            raise NotEstablished(self.questions.reason or "the budget ended")
        return finding

    def claim(self, trial: Trial) -> None:
        """Prove what a trial found: what is said rests on it. Raises NotEstablished if that takes too long."""
        if trial in self._claims:
            return
        if trial.verdict is Verdict.UNKNOWN:
            raise NotEstablished("there are too many situations")
        self._claims.append(trial)
        certificate = self._ask(trial.dungeon, proof=True).certificate
        if certificate is None:
            raise NotEstablished("there are too many situations")
        self._work += (1 + len(certificate.get("states", ()))) * self.land.ground.cells.nodes
        limit = self.questions.request.budget.seconds
        seconds = MAX_SECONDS_TO_CHECK if limit is None else min(MAX_SECONDS_TO_CHECK, limit * SHARE_FOR_CHECKING)
        if self._work > CHECKED_A_SECOND * seconds:
            raise NotEstablished("the proof would take too long to check")
        self.claimed.append((trial.dungeon, certificate))
