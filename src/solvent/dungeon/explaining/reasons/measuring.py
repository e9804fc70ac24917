"""Measure a cause: how many keys there are and how many it takes, which gates lie on every way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.core.answer import Verdict
from solvent.core.budget import Meter
from solvent.dungeon.events import way_of
from solvent.dungeon.explaining.land import Land, look_at
from solvent.dungeon.explaining.reach import Reach, explore_reach
from solvent.dungeon.explaining.reasons.lifts import Lift, lift, seal, supply, supply_only
from solvent.dungeon.explaining.reasons.record import Shortage
from solvent.dungeon.explaining.reasons.trials import NotEstablished, Trial, Trials
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rules import Game, State

MAX_SEALED = 6
"""Of how many gates it is found out whether every way goes through them."""


def spends(dungeon: Dungeon, number: int, each: Lift) -> bool:
    """Tell whether a gate takes one of these keys or bombs."""
    gate = dungeon.gates[number]
    return gate.kind == "cracked" if each.kind == "bombs" else gate.kind == "lock" and gate.needs[0] == each.name


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Hold a dungeon in which the other causes are lifted already, and what can be reached there.

    Gates and ways are numbered as in `own`, the dungeon itself; tiles are the same.
    """

    own: Land
    land: Land
    reach: Reach

    def is_reached(self, place: Place) -> bool:
        """Tell whether a player can ever stand on a place."""
        cell = self.land.ground.cell(place)
        return cell >= 0 and bool(self.reach.cells[cell])

    def is_leapt_over(self, place: Place) -> bool:
        """Tell whether no player ever stands on a place because it is leapt over."""
        return self.land.ground.cell(place) < 0


def with_others(trials: Trials, others: Sequence[Lift], reach: Reach) -> Setting:
    """Lift the other causes, and find out what can be reached then."""
    if not others:
        return Setting(trials.land, trials.land, reach)
    changed = lift(trials.land.dungeon, others, trials.land.meter)
    if changed is None:
        raise NotEstablished("the moves played lead elsewhere")
    land = look_at(changed, trials.questions.meter)
    found = explore_reach(land, trials.questions)
    if not found.exact:
        raise NotEstablished(trials.questions.reason or "too many situations")
    return Setting(trials.land, land, found)


def measure_shortage(trials: Trials, each: Lift, setting: Setting) -> tuple[Shortage, list[tuple[str, Trial]]]:
    """Count keys or bombs in a dungeon that can be finished with enough of them; with what proves the numbers."""
    land = setting.land
    game, state, dungeon = land.ground.game, land.state, land.dungeon
    in_hand = (game.bombs(state) or 0) if each.kind == "bombs" else game.keys(state, each.name)
    exist = within_reach = in_hand
    for number, pickup in enumerate(land.meter.each(dungeon.pickups)):
        is_meant = pickup.kind == "bombs" if each.kind == "bombs" else pickup.kind == "key" and pickup.name == each.name
        if is_meant and number not in state.taken:
            count = pickup.count or (dungeon.rules.bombs_per_pickup if each.kind == "bombs" else 0)
            exist += count
            within_reach += count if setting.is_reached(pickup.place) else 0
    spent = sum(spends(dungeon, number, each) for number in state.opened)
    most = sum(spends(dungeon, number, each) for number in range(len(dungeon.gates))) - spent
    enough = trials.of(supply(dungeon, each, most))
    if not enough.solvable:
        raise NotEstablished("there are too many situations")
    used = sum(spends(dungeon, number, each) for number in _end_of(enough, land.meter).opened) - spent
    asked: dict[str, Trial] = {}

    def with_more(number: int) -> Trial:
        return _once(asked, f"{number} more in hand", lambda: trials.of(supply(dungeon, each, number)))

    def with_only(number: int) -> Trial:
        words = f"{number} in hand and none to be found"
        return _once(asked, words, lambda: trials.of(supply_only(dungeon, each, number, spent)))

    missing = _least(1, max(1, used), lambda number: with_more(number).solvable)
    needed = _least(1, max(1, used), lambda number: with_only(number).solvable)
    kept = [(f"{missing} more in hand", with_more(missing))]
    if missing > 1:
        kept.append((f"{missing - 1} more in hand", with_more(missing - 1)))
    for number in (needed, needed - 1):
        kept.append((f"{number} in hand and none to be found", with_only(number)))
    if not kept[0][1].solvable or kept[-1][1].solvable:
        raise NotEstablished("there are too many situations")
    return Shortage(exist, within_reach, needed, missing), kept


def _once(asked: dict[str, Trial], words: str, ask: Callable[[], Trial]) -> Trial:
    if words not in asked:
        asked[words] = ask()
    return asked[words]


def _least(low: int, high: int, is_enough: Callable[[int], bool]) -> int:
    """Return the least number that is enough; `high` is, and more never is less. The lowest is tried first."""
    if low < high and is_enough(low):
        return low
    low += low < high
    while low < high:
        middle = (low + high) // 2
        if is_enough(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _end_of(trial: Trial, meter: Meter) -> State:
    game = Game(trial.dungeon, meter)
    state = game.present_state(meter)
    for after in meter.each(game.walk(state, trial.plan), every=20):
        state = after
    return state


def gates_on_every_way(
    trials: Trials, lifts: Sequence[Lift], is_meant: Callable[[int], bool]
) -> tuple[tuple[int, ...], list[tuple[str, Trial]]]:
    """Return which gates every way passes once the causes are lifted, as numbers of the dungeon; and what proves it."""
    dungeon, meter = trials.land.dungeon, trials.land.meter
    trial = trials.with_lifts(lifts)
    assert trial is not None
    assert trial.solvable, "the lifts are those that help"
    gone = {each.number for each in lifts if each.kind == "gate"}
    numbers = [number for number in range(len(dungeon.gates)) if number not in gone]
    passed = [number for number in (numbers[new] for new in _passed(trial, meter)) if is_meant(number)]
    found, proofs = [], []
    for number in passed[:MAX_SEALED]:
        sealed = seal(dungeon, number, meter)
        changed = None if sealed is None else lift(sealed, lifts, meter)
        if changed is None:
            continue
        shut = trials.of(changed)
        if shut.verdict is Verdict.NO:
            found.append(number)
            proofs.append((f"gate {number} never opens", shut))
    return tuple(found), proofs


def _passed(trial: Trial, meter: Meter) -> list[int]:
    """Return the gates that a plan passes, each once, in their order."""
    game = Game(trial.dungeon, meter)
    states = game.walk(game.present_state(meter), trial.plan)
    passed: dict[int, None] = {}
    for move, after in zip(trial.plan, meter.each(states, every=20), strict=True):
        way = way_of(trial.dungeon, move)
        on_way = None if way is None else trial.dungeon.ways[way].gate
        for number in (on_way, game.gate_at.get(after.place)):
            if number is not None:
                passed[number] = None
    return list(passed)
