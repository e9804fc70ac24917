"""Why a dungeon can be lost: the move after which the goal is out of reach, and what bars the way then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from solvent.core.answer import Certificate
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import capitalised
from solvent.dungeon.events import DIRECTION_NAMES, describe_ends, describe_gate, describe_place, lever_of, name_key
from solvent.dungeon.explaining.land import Land, look_at
from solvent.dungeon.explaining.reach import explore_reach
from solvent.dungeon.explaining.reasons import find_reasons
from solvent.dungeon.explaining.reasons.record import Reasons
from solvent.dungeon.hints.phrases import describe_action
from solvent.dungeon.model import RETURN, STEPS, Dungeon, Place
from solvent.dungeon.rules import Game, State, walk_between, walk_from
from solvent.dungeon.situations import delicate_pickups


@dataclass(frozen=True, slots=True)
class Loss:
    """Hold the move that loses, and what it does."""

    kind: str
    """`spent` a key or bomb, a soft door `fell shut`, a block was `pushed`, a plate or lever `switched`, or a player
    `took` what is better left lying, or `went` somewhere without a way back."""
    what: str
    """The colour of the key, `bomb`, the switch, or the direction of a push; empty otherwise."""
    where: Place
    """Where the player is after it."""
    gate: int | None
    """The gate that was opened, or fell shut."""
    words: str
    """The losing move as an order: `Spend the key on the left door`."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "kind": self.kind,
            "what": self.what,
            "where": list(self.where),
            "gate": self.gate,
            "words": f"{self.words} and you lose.",
        }


def explain_loss(
    land: Land, walk: Sequence[str], questions: SubQuestions[Dungeon]
) -> tuple[Loss, Reasons, list[tuple[Dungeon, Certificate]]]:
    """Say which move of a walk that loses is the last, and why the goal is out of reach after it."""
    game = land.ground.game
    before = after = land.state
    for state in land.meter.each(game.walk(land.state, walk), every=20):
        before, after = after, state
    loss = _loss(game, before, walk[-1], after)
    lost = replace(land.dungeon, played=(*land.dungeon.played, *walk))
    there = look_at(lost, questions.meter)
    reasons, certificates = find_reasons(there, explore_reach(there, questions), questions)
    return loss, reasons, certificates


def _loss(game: Game, before: State, move: str, after: State) -> Loss:
    """Say what the move does that cannot be undone."""
    dungeon, place = game.dungeon, after.place
    for number in sorted(after.opened - before.opened):
        gate, name = dungeon.gates[number], describe_gate(dungeon, number)
        if gate.kind == "cracked":
            bombs = "the bomb" if game.bombs(before) == 1 else "a bomb"
            return Loss("spent", "bomb", place, number, f"Spend {bombs} on {name}")
        key = name_key(dungeon, gate.needs[0])
        article = "the" if game.keys(before, gate.needs[0]) == 1 else "a"
        return Loss("spent", gate.needs[0], place, number, f"Spend {article} {key} on {name}")
    for number in sorted(after.fallen - before.fallen):
        name = describe_gate(dungeon, number)
        return Loss("fell shut", "", place, number, f"Go through {name} and let it fall shut")
    for block, (was, now) in zip(dungeon.blocks, zip(before.moved, after.moved, strict=True), strict=True):
        stood = walk_from(block.place, was)
        pushed = walk_between(stood, walk_from(block.place, now))
        if stood == place and len(pushed) == 1:
            where = describe_place(dungeon, stood)
            return Loss("pushed", pushed, place, None, f"Push the block at {where} to the {DIRECTION_NAMES[pushed]}")
    lever = lever_of(dungeon, move)
    if lever is not None:
        pull = describe_action(game, before, move, after, frozenset())
        return Loss("switched", lever.name, place, None, capitalised(pull))
    for name in sorted(after.on ^ before.on):
        turned = f"Turn {name} {'on' if name in after.on else 'off'} at {describe_place(dungeon, place)}"
        return Loss("switched", name, place, None, turned)
    for dial, was_at, is_at in zip(dungeon.dials, before.dials, after.dials, strict=True):
        if was_at != is_at:
            turned = f"Turn {dial.switch} to {dial.states[is_at]} at {describe_place(dungeon, place)}"
            return Loss("switched", dial.switch, place, None, turned)
    delicate = delicate_pickups(game) & (after.taken - before.taken)
    if delicate or after.stock != before.stock:
        action = describe_action(game, before, move, after, frozenset(after.taken - before.taken))
        return Loss("took", "", place, None, capitalised(action))
    if move == RETURN:
        return Loss("went", "return", place, None, "Return to the start")
    if move in STEPS:
        return Loss("went", "", place, None, f"Go {DIRECTION_NAMES[move]} to {describe_place(dungeon, place)}")
    way = dungeon.ways[int(move)]
    return Loss("went", way.kind, place, None, f"Take the {way.kind} {describe_ends(dungeon, way.source, way.target)}")
