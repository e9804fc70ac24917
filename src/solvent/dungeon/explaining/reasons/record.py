"""What a reason is: a typed record, in words and as JSON values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from solvent.dungeon.explaining.reasons.lifts import Lift
from solvent.dungeon.model import Place


@dataclass(frozen=True, slots=True)
class Shortage:
    """Count keys of a colour, or bombs, from the present position on. Each number is proved."""

    exist: int
    """In hand, or lying anywhere."""
    within_reach: int
    """In hand, or lying where a player can get to: no player ever has more."""
    needed: int
    """How many every way to the goal spends at least, if there were no end of them."""
    missing: int
    """The fewest more in hand now with which the goal can be reached."""

    def as_json(self) -> dict[str, int]:
        """Return the numbers by name."""
        return {
            "exist": self.exist,
            "within_reach": self.within_reach,
            "needed": self.needed,
            "missing": self.missing,
        }


@dataclass(frozen=True, slots=True)
class Cause:
    """Hold one thing that bars the way to the goal."""

    kind: str
    """`keys`, `bombs`, `item`, `one-way`, `switch`, `monsters`, `falls shut`, `item gate`, `rule`, `goal`, `block`,
    `water` or `walls`."""
    lift: Lift | None
    """What to do away with; None for walls."""
    what: str
    """The colour, the item, the switch, or the kind of way; empty where the kind says it all."""
    where: tuple[Place, ...]
    """The tiles it is about: gates, blocks, one-way tiles, both ends of a way, where an item lies."""
    gates: tuple[int, ...] = ()
    """Gates that every way to the goal passes on account of it, by number."""
    shortage: Shortage | None = None
    bars_alone: bool = False
    """Whether it bars every way even if everything else is lifted."""
    rank: int = field(default=0, compare=False)
    """Where several causes are each enough to explain it, the one with the lowest rank tells most."""
    words: str = field(default="", compare=False)
    """A sentence on what bars the way."""
    remedy: str = field(default="", compare=False)
    """What would help, as it stands after `with` or `without`."""
    proof: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """What was asked about, in words, and the verdict of each."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        data: dict[str, Any] = {
            "kind": self.kind,
            "what": self.what,
            "where": [list(place) for place in self.where],
            "gates": list(self.gates),
            "numbers": {} if self.shortage is None else self.shortage.as_json(),
            "bars_alone": self.bars_alone,
            "words": self.words,
            "remedy": self.remedy,
            "proof": [{"if": change, "solvable": verdict} for change, verdict in self.proof],
        }
        if self.lift is not None and self.lift.number >= 0:
            data["way" if self.kind == "one-way" else "block" if self.kind == "block" else "gate"] = self.lift.number
        return data


@dataclass(frozen=True, slots=True)
class Reasons:
    """Hold why the goal cannot be reached."""

    causes: tuple[Cause, ...] = ()
    """With `together`, all of them bar the way; otherwise doing away with any one is enough, the first tells most."""
    together: bool = False
    not_established: str = ""
    """Why there is no reason to give; empty if there is one."""

    @property
    def established(self) -> bool:
        """Tell whether a reason was found and proved."""
        return not self.not_established
