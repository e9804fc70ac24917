"""Find what bars every way: each thing that is enough to lift alone, or else a smallest set to lift together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from solvent.dungeon.explaining.reasons.lifts import Lift, list_lifts
from solvent.dungeon.explaining.reasons.trials import Trials

MAX_SINGLES = 8
"""How many single causes are looked for; more would not be read."""
MAX_FOR_PAIRS = 14
"""Among so many things all pairs are tried before a larger set is taken for the smallest."""


@dataclass(frozen=True, slots=True)
class Blame:
    """Hold what to lift so that the goal can be reached."""

    singles: tuple[Lift, ...] = ()
    """Each of them is enough alone."""
    together: tuple[Lift, ...] = ()
    """Where no single one is: enough together, and not if one is left out."""
    everything: tuple[Lift, ...] = ()
    """All that can be lifted; if neither singles nor a set are given, that is not enough."""


def find_blame(trials: Trials) -> Blame:
    """Find what is to blame that the goal is out of reach; raises NotEstablished."""
    lifts = _usable(trials, list_lifts(trials.land))
    if not trials.helps(lifts):
        return Blame(everything=tuple(lifts))
    classes: dict[tuple[str, str], list[Lift]] = {}
    for each in lifts:
        is_stock = each.kind in ("keys", "bombs", "item", "water")
        classes.setdefault((each.kind, each.name if is_stock or each.kind == "gate" else ""), []).append(each)
    singles: list[Lift] = []
    ruled_out: list[list[Lift]] = []
    for alike in classes.values():
        singles += islice(_enough_alone(trials, alike, ruled_out), MAX_SINGLES - len(singles))
    if singles:
        return Blame(singles=tuple(singles), everything=tuple(lifts))
    for group in ruled_out:
        claimed = trials.with_lifts(group)
        if claimed is not None:
            trials.claim(claimed)
    return Blame(together=tuple(_smallest(trials, lifts)), everything=tuple(lifts))


def _usable(trials: Trials, lifts: list[Lift]) -> list[Lift]:
    """Leave out what cannot be lifted: wide water, once it was leapt over, and where lifting it takes ways away."""
    wet = [each for each in lifts if each.kind == "water"]
    if not wet:
        return lifts
    dry = [each for each in lifts if each.kind != "water"]
    return dry if trials.with_lifts(wet) is None or (trials.helps(dry) and not trials.helps(lifts)) else lifts


def _enough_alone(trials: Trials, lifts: Sequence[Lift], ruled_out: list[list[Lift]]) -> Iterator[Lift]:
    """Yield those that are enough alone: what does not help all at once holds none of them."""
    if not trials.helps(lifts):
        ruled_out.append(list(lifts))
    elif len(lifts) == 1:
        yield lifts[0]
    else:
        half = len(lifts) // 2
        yield from _enough_alone(trials, lifts[:half], ruled_out)
        yield from _enough_alone(trials, lifts[half:], ruled_out)


def _smallest(trials: Trials, lifts: list[Lift]) -> list[Lift]:
    """Return a set of lifts that helps and of which none can be left out; of two, if two are enough."""
    found = irreducible(lifts, trials.helps)
    if len(found) <= 2:
        return found
    # What no set without it can do is in every set; otherwise try the pairs, if they are few.
    if len(lifts) <= MAX_FOR_PAIRS:
        for pair in combinations(lifts, 2):
            if trials.helps(pair):
                return list(pair)
    return found


def irreducible(things: Sequence[Lift], is_enough: Callable[[Sequence[Lift]], bool]) -> list[Lift]:
    """Return a part of things that is enough and of which none can be left out; earlier things are kept rather.

    All of them are enough, and more never is less: the divide and conquer known as QuickXplain.
    """

    def shrink(kept: list[Lift], has_grown: bool, rest: Sequence[Lift]) -> list[Lift]:
        if has_grown and is_enough(kept):
            return []
        if len(rest) == 1:
            return list(rest)
        half = len(rest) // 2
        first, second = list(rest[:half]), list(rest[half:])
        of_second = shrink([*kept, *first], True, second)
        of_first = shrink([*kept, *of_second], bool(of_second), first)
        return [*of_first, *of_second]

    return [] if not things or is_enough(()) else shrink([], False, things)
