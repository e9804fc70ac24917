"""What people do in a dungeon on the page, as JSON values; each gives the dungeon after it.

| `do` | with | means |
| --- | --- | --- |
| `step` | `directions` | walk, and through a doorway where one leads that way; as far as it goes |
| `walk` | `moves` | make moves, all of them; `u3` pulls the lever number 3, `r` returns to the start |
| `go` | `to` | walk to a tile, or to where its lever can be pulled, without changing anything on the way |
| `back` | `to` | go back to after so many moves |
| `rules` | `rules` | play by other rules |
| `fix` | `text` | go on in a dungeon that was changed, such as by a fix, as far as the moves can be made there |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.events import parse_run
from solvent.dungeon.explaining.changes import same_move
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import NOTHING, WALL, Dungeon
from solvent.dungeon.notation.ruling import with_rules
from solvent.dungeon.page.pathfinding import find_route, way_towards
from solvent.dungeon.page.refusals import why_not
from solvent.dungeon.rules import Game

MAX_MOVES = 100_000


class Action(Struct, tag_field="do", forbid_unknown_fields=True):
    """What all actions have in common."""


class StepAction(Action, tag="step"):
    """Walk as the arrow keys do."""

    directions: Annotated[list[Literal["N", "E", "S", "W"]], Meta(min_length=1, max_length=200)]


class Walk(Action, tag="walk"):
    """Make moves."""

    moves: Annotated[list[Annotated[str, Meta(max_length=10)]], Meta(min_length=1, max_length=MAX_MOVES)]


class Go(Action, tag="go"):
    """Walk to a tile."""

    to: tuple[int, int, int]


class Back(Action, tag="back"):
    """Take moves back."""

    to: Annotated[int, Meta(ge=0)]


class ChangeRules(Action, tag="rules"):
    """Play by other rules."""

    rules: dict[str, str | int | bool | None]


class UseFix(Action, tag="fix"):
    """Go on in a changed dungeon."""

    text: str


def play(dungeon: Dungeon, action: Mapping[str, Any]) -> Dungeon:
    """Return the dungeon after an action; raises BadOption, in a player's words, if it cannot be done."""
    try:
        wanted = msgspec.convert(action, StepAction | Walk | Go | Back | ChangeRules | UseFix)
    except msgspec.ValidationError as error:
        raise BadOption(f"There is no such action in a dungeon: {error}") from None
    if isinstance(wanted, Back):
        return replace(dungeon, played=dungeon.played[: wanted.to])
    if isinstance(wanted, ChangeRules):
        return with_rules(dungeon, wanted.rules)
    if isinstance(wanted, UseFix):
        return _use_fix(dungeon, wanted.text)
    if len(dungeon.played) > MAX_MOVES:
        raise BadOption(f"{len(dungeon.played):,} moves are the most that can be played here. Start again to play on.")
    if isinstance(wanted, Go):
        return _go(dungeon, wanted.to)
    return _step(dungeon, wanted.directions) if isinstance(wanted, StepAction) else _walk(dungeon, wanted.moves)


def _step(dungeon: Dungeon, directions: list[Literal["N", "E", "S", "W"]]) -> Dungeon:
    game = Game(dungeon)
    state = game.present_state()
    made: list[str] = []
    for direction in directions:
        move: str = direction
        if game.step(state, move) is None and game.landing(state.place, direction) is None:
            move = way_towards(game, state.place, direction) or move
        after = game.step(state, move)
        if after is None:
            if made:
                break
            raise BadOption(why_not(game, state, move))
        state = after
        made.append(move)
    return replace(dungeon, played=(*dungeon.played, *made))


def _walk(dungeon: Dungeon, moves: list[str]) -> Dungeon:
    game = Game(dungeon)
    state = game.present_state()
    made: list[str] = []
    for move in moves:
        after = game.step(state, move)
        if after is None:
            raise BadOption(why_not(game, state, move))
        state = after
        made.extend(parse_run(move))  # numbers without leading zeros
    return replace(dungeon, played=(*dungeon.played, *made))


def _go(dungeon: Dungeon, to: tuple[int, int, int]) -> Dungeon:
    game = Game(dungeon)
    state = game.present_state()
    if game.is_won(state):
        raise BadOption(why_not(game, state, "N"))
    if not 0 <= to[0] < len(dungeon.floors):
        raise BadOption("There is no floor there.")
    targets = {to}
    if game.terrain(to) in (WALL, NOTHING):
        targets = {place for switch in dungeon.switches if switch.place == to for place in switch.reach}
    if not targets:
        raise BadOption("There is no floor there.")
    if state.place in targets and to not in targets:
        raise BadOption("You can pull that lever from where you are.")
    route = find_route(game, state, targets)
    if route is None:
        raise BadOption("There is no way there without opening, pushing or switching something first.")
    return replace(dungeon, played=(*dungeon.played, *route))


def _use_fix(dungeon: Dungeon, text: str) -> Dungeon:
    try:
        changed = replace(FORMATS.parse(text), played=())
    except ParseError as error:
        raise BadOption(f"The changed dungeon cannot be read: {error}") from None
    moves = [same_move(move, dungeon, changed) for move in dungeon.played]
    known = moves[: moves.index(None)] if None in moves else moves
    game = Game(changed)
    made = sum(1 for _ in game.walk(game.start_state(), (move for move in known if move is not None)))
    return replace(changed, played=tuple(move for move in known[:made] if move is not None))
