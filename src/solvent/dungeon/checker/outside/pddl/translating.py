"""A state of play as facts in PDDL, and moves as the actions that make them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from solvent.dungeon.checker.board import Board, State, follow_walk, name_resource
from solvent.dungeon.checker.outside.pddl.actions import Variant, action_of, is_plain, steps_from, take_action
from solvent.dungeon.checker.outside.pddl.vocabulary import Vocabulary, tile
from solvent.dungeon.checker.play import follow, take_thing
from solvent.dungeon.checker.requirements import block_on, count_in_hand, meets, switch_state
from solvent.dungeon.model import RETURN, STEPS


def facts_of(words: Vocabulary, state: State) -> Iterator[str]:
    """Yield all facts that hold in a state, and how many of everything are in hand."""
    board = words.board
    yield f"(player-on {tile(state.place)})"
    yield from (f"(taken pickup-{number})" for number in sorted(state.taken))
    yield from (f"(opened gate-{number})" for number in sorted(state.opened))
    yield from (f"(fallen gate-{number})" for number in sorted(state.fallen))
    for switch, name in words.switches.items():
        yield f"(is-set {name} {words.settings[switch_state(board, state, switch)]})"
    moved = dict(state.moved)
    for number, block in enumerate(board.dungeon.blocks):
        place = tile(follow_walk(block.place, moved.get(number, "")))
        yield f"(lies block-{number} {place})"
        yield f"(blocked {place})"
    for (what, name), resource in words.resources.items():
        yield f"(= (in-hand {resource}) {count_in_hand(board, state, what, name)})"


def translate(words: Vocabulary, state: State, moves: Iterable[str]) -> Iterator[str]:
    """Yield the steps of a plan in PDDL for legal moves, each followed by the taking of what is found."""
    for move, after in zip(moves, follow(words.board, state, moves), strict=True):
        assert isinstance(after, State), after  # the certificate was accepted
        step = next(step for step in steps_from(words, state.place) if step.move == move)
        block = block_on(words.board, state, step.target) if move in STEPS else None
        opened = after.opened - state.opened
        variant = next(one for one in step.variants if set(one.opens) == opened and one.pushes == block)
        if not is_plain(words, step, variant):
            yield f"({action_of(words, step, variant).name})"
        elif move == RETURN:
            yield f"(return {tile(step.source)})"
        else:
            yield f"(walk {tile(step.source)} {tile(step.target)})"
        for number in _taken(words.board, state, after, variant):
            if take_action(words, number) is not None:
                yield f"(take-pickup-{number})"
        state = after


def _taken(board: Board, before: State, after: State, variant: Variant) -> list[int]:
    """Return what was taken after a move, in order."""
    spent = [name_resource(what, name) for what, name in variant.spends]
    stock = tuple((one, left - spent.count(one)) for one, left in before.stock)
    state, taken = replace(after, taken=before.taken, stock=stock), list[int]()
    while state != after:
        for number in board.pickups[after.place]:
            if number not in state.taken and meets(board, state, board.dungeon.pickups[number].rule):
                reached = take_thing(board, state, number)
                taken += [] if reached is state else [number]
                state = reached
    return taken
