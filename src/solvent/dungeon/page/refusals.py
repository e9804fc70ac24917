"""Say why a move cannot be made, in a player's words. What can be made is decided by the rules alone."""

from __future__ import annotations

from solvent.dungeon.events import DIRECTION_NAMES
from solvent.dungeon.model import NOTHING, ONE_WAYS, STEPS, WALL, WATER, Place
from solvent.dungeon.rules import Game, State, beside


def why_not(game: Game, state: State, move: str) -> str:
    """Say why a move that the rules refuse cannot be made."""
    if game.is_won(state):
        return "The goal is reached and the game is over. Undo a move or start again to play on."
    if move in STEPS:
        return _why_no_step(game, state, move)
    if not (move.isascii() and move.isdigit()) or int(move) >= len(game.dungeon.ways):
        return f"There is no move called {move[:20]!r}."
    way = game.dungeon.ways[int(move)]
    if way.source != state.place:
        return f"The {way.kind} number {int(move)} does not begin here."
    for number in (way.gate, game.gate_at.get(way.target)):
        if number is not None and (why := _why_shut(game, state, number)):
            return why
    return "A block stands in the way at the other end."


def _why_no_step(game: Game, state: State, direction: str) -> str:
    here = game.terrain(state.place)
    if here in ONE_WAYS and ONE_WAYS[here] != direction:
        return f"From here you can only go {DIRECTION_NAMES[ONE_WAYS[here]]}."
    target = beside(state.place, direction)
    wet = game.terrain(target) == WATER
    if wet and not game.holds(state, game.rules.water):
        return f"Crossing water needs the {game.rules.water}."
    if wet and game.rules.crossing == "one":
        target = beside(target, direction)
        if game.terrain(target) == WATER:
            return f"The water is too wide: the {game.rules.water} crosses a single tile."
    if (why := _why_no_ground(game, target, direction, beyond=wet)) is not None:
        return why
    gate = game.gate_at.get(target)
    if gate is not None and (why := _why_shut(game, state, gate)):
        return why
    return _why_no_push(game, state, target, direction, leap=wet and game.rules.crossing == "one")


def _why_no_ground(game: Game, target: Place, direction: str, *, beyond: bool) -> str | None:
    there = game.terrain(target)
    if there in (WALL, NOTHING):
        if beyond:
            return "There is nowhere to land beyond the water."
        return "There is a wall." if there == WALL else "The map ends here."
    if there in ONE_WAYS and ONE_WAYS[there] != direction:
        return f"Those arrows can only be walked {DIRECTION_NAMES[ONE_WAYS[there]]}."
    return None


def _why_shut(game: Game, state: State, number: int) -> str:
    """Say why a gate bars the way; nothing if it does not."""
    gate, rules = game.dungeon.gates[number], game.rules
    if number in state.opened:
        return ""
    if gate.kind == "lock":
        colour = gate.needs[0]
        if not rules.keys_counted or game.keys(state, colour) > 0:
            return ""
        return f"That lock needs a {colour} key." if colour else "That lock needs a key."
    if gate.kind == "cracked":
        return "" if game.bombs(state) != 0 else "That cracked wall needs a bomb."
    if gate.kind == "item":
        missing = [item for item in gate.needs if not game.holds(state, item)]
        return f"That gate needs {_listed(missing)}." if missing else ""
    if gate.kind == "barrier":
        switch = gate.needs[0]
        if (switch in state.on) != gate.open_at_first:
            return ""
        return f"That barrier is shut while the switch {switch} is {'on' if switch in state.on else 'off'}."
    if rules.soft == "shut" and number in state.fallen:
        return "That door has fallen shut for good."
    if rules.soft == "clear" and not state.taken.issuperset(game.monsters_of(gate.needs[0])):
        return f"That door stays shut while there is a monster in {gate.needs[0]}."
    return ""


def _why_no_push(game: Game, state: State, target: Place, direction: str, *, leap: bool) -> str:
    block = game.block_at.get(target)
    if block is None or state.moved[block]:
        return "That block was pushed already: it rests for good."
    if game.rules.push == "never":
        return "Blocks cannot be pushed here."
    if leap:
        return "A block cannot be pushed from across the water."
    behind = beside(target, direction)
    if game.terrain(behind) in (WALL, NOTHING):
        return "The block does not move: there is a wall behind it."
    return "The block does not move: it needs bare floor behind it."


def _listed(items: list[str]) -> str:
    return " and ".join(f"the {item}" for item in items)
