"""Say why a move cannot be made, in a player's words. What can be made is decided by the rules alone."""

from __future__ import annotations

from solvent.drawing.phrases import capitalised
from solvent.dungeon.events import DIRECTION_NAMES
from solvent.dungeon.model import NOTHING, ONE_WAYS, RETURN, STEPS, USE, WALL, WATER, Place
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rules import Game, State, beside


def why_not(game: Game, state: State, move: str) -> str:
    """Say why a move that the rules refuse cannot be made."""
    if game.is_won(state):
        return "The goal is reached and the game is over. Undo a move or start again to play on."
    if move in STEPS:
        return _why_no_step(game, state, move)
    if move == RETURN:
        return _why_no_return(game, state)
    if move.startswith(USE) and move.removeprefix(USE).isdecimal():
        return _why_no_pull(game, state, int(move.removeprefix(USE)))
    if not (move.isascii() and move.isdigit()) or int(move) >= len(game.dungeon.ways):
        return f"There is no move called {move[:20]!r}."
    way = game.dungeon.ways[int(move)]
    if way.source != state.place:
        return f"The {way.kind} number {int(move)} does not begin here."
    why = _why_not_onto(game, state, way.target, way.gate)
    return why or "A block stands in the way at the other end."


def _why_no_return(game: Game, state: State) -> str:
    if game.rules.home != "always":
        return "There is no returning to the start here."
    start = game.dungeon.start
    if state.place == start:
        return "You are at the start."
    return _why_not_onto(game, state, start, None) or "A block stands on the start."


def _why_no_pull(game: Game, state: State, number: int) -> str:
    switches = game.dungeon.switches
    if number >= len(switches) or switches[number].kind != "lever":
        return f"There is no lever number {number}."
    lever = switches[number]
    if state.place not in lever.reach:
        return f"The lever of {lever.name} is out of reach."
    assert lever.rule is not None, "a lever within reach is refused only for its rule"
    return f"That lever needs {describe_requirement(lever.rule)}."


def _why_not_onto(game: Game, state: State, target: Place, gate: int | None) -> str:
    """Say what bars the way onto a tile, with the gate of a way first; nothing if no gate does."""
    rule = game.dungeon.goal_rule
    if rule is not None and target in game.goals and not game.meets(state, rule):
        return f"The goal needs {describe_requirement(rule)}."
    if target in game.closed:
        return "That place is closed."
    numbers = (number for number in (gate, game.gate_at.get(target)) if number is not None)
    return next((why for number in numbers if (why := why_shut(game, state, number))), "")


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
    if why := _why_not_onto(game, state, target, None):
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


def why_shut(game: Game, state: State, number: int) -> str:
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
        is_on = game.is_on(state, switch)
        if is_on != gate.open_at_first:
            return ""
        if switch in game.held_plates and not is_on:
            return f"That barrier is shut unless the plate of {switch} is held down."
        return f"That barrier is shut while the switch {switch} is {'on' if is_on else 'off'}."
    if gate.kind == "rule":
        if game.meets(state, gate.rule) or gate.rule is None:
            return ""
        name = capitalised(gate.name) if gate.name else "That door"
        return f"{name} needs {describe_requirement(gate.rule)}."
    if rules.soft == "shut" and number in state.fallen:
        return "That door has fallen shut for good."
    if rules.soft == "clear" and not state.taken.issuperset(game.monsters_of(gate.needs[0])):
        return f"That door stays shut while there is a monster in {gate.needs[0]}."
    return ""


def _why_no_push(game: Game, state: State, target: Place, direction: str, *, leap: bool) -> str:
    block = game.block_on(state, target)
    if block is not None and state.moved[block] and game.rules.push == "once":
        return "That block was pushed already: it rests for good."
    if game.rules.push == "never":
        return "Blocks cannot be pushed here."
    if leap:
        return "A block cannot be pushed from across the water."
    behind = beside(target, direction)
    if game.terrain(behind) in (WALL, NOTHING):
        return "The block does not move: there is a wall behind it."
    if game.block_on(state, behind) is not None:
        return "The block does not move: there is another one behind it."
    return "The block does not move: it needs bare floor behind it."


def _listed(items: list[str]) -> str:
    return " and ".join(f"the {item}" for item in items)
