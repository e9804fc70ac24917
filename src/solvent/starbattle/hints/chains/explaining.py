"""Tell a chain: as a witness for the checker, and line by line for a person."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from solvent.starbattle.hints.application import Application, Highlights, pairs, unit_keys
from solvent.starbattle.hints.chains import Chain, Move, Shortage, apply, assume, scratch_of
from solvent.starbattle.hints.chains.rules import (
    Derived,
    Memory,
    Rule,
    Scratch,
    derive,
    shortage,
    technique_of,
    witness_of,
)
from solvent.starbattle.hints.phrases import capitalised, say_blocks, say_cells, say_count, say_units
from solvent.starbattle.hints.position import Cells, Position


class _Told(Struct, frozen=True):
    """Hold a chain as it is told."""

    witness: dict[str, Any]
    lines: list[str]
    """One for each step, and one for the contradiction."""
    marks: Cells
    """Every cell marked on the way."""
    blocks: tuple[int, ...]
    """Blocks that show how little room there is at the end."""


def explain(position: Position, chain: Chain, memory: Memory, *, technique: str) -> Application:
    """Turn a chain that closes on a position into an application of a hypothesis technique."""
    told = _tell(position, scratch_of(position), chain, memory)
    bit = 1 << chain.cell
    return Application(
        technique=technique,
        stars=0 if chain.star else bit,
        crosses=bit if chain.star else 0,
        witness=told.witness,
        because=f"{_would_leave(position, chain)}.",
        proof=(_suppose(position, chain, "Suppose"), *told.lines),
        highlights=Highlights(
            causes=told.marks | bit, units=tuple(sorted(chain.end.plus + chain.end.minus)), blocks=told.blocks
        ),
    )


def _tell(position: Position, base: Scratch, chain: Chain, memory: Memory) -> _Told:
    """Replay a chain and write down each step as it stands on the board at that moment."""
    size = position.size
    board = assume(base, chain.cell, star=chain.star)
    steps: list[dict[str, Any]] = []
    lines: list[str] = []
    marks = 0
    for move in chain.moves:
        if move.inner is None:
            derived = derive(board, move.rule, memory)
            assert derived is not None, "a trimmed chain can be replayed"
            technique, witness = technique_of(board, move.rule), witness_of(board, move.rule, derived, position)
            lines.append(f"{_say_reason(position, board, move.rule, derived)} {_say_marks(position, move)}")
        else:
            inside = _tell(position, board, move.inner, memory)
            technique, witness = "hypothesis", inside.witness
            lines += [_suppose(position, move.inner, "Suppose besides that"), *inside.lines, _say_marks(position, move)]
        steps.append(
            {
                "technique": technique,
                "stars": pairs(move.stars, size),
                "crosses": pairs(move.crosses, size),
                "witness": witness,
            }
        )
        apply(board, move.stars, move.crosses)
        marks |= move.stars | move.crosses
    blocks = shortage(board, chain.end.plus, chain.end.minus, memory)
    assert blocks is not None, "a trimmed chain closes"
    lines.append(_say_end(position, board, chain.end, len(blocks)))
    witness = {
        "cell": list(divmod(chain.cell, size)),
        "value": "star" if chain.star else "cross",
        "steps": steps,
        "contradiction": {
            "plus": unit_keys(position, chain.end.plus),
            "minus": unit_keys(position, chain.end.minus),
            "blocks": pairs(blocks, size),
        },
    }
    return _Told(witness, lines, marks, blocks)


def _suppose(position: Position, chain: Chain, opening: str) -> str:
    return f"{opening} {say_cells(position, 1 << chain.cell)} {'is a star' if chain.star else 'stays empty'}."


def _would_leave(position: Position, chain: Chain) -> str:
    cell = say_cells(position, 1 << chain.cell)
    mark = f"A star on {cell}" if chain.star else f"No star on {cell}"
    units = say_units(position, chain.end.plus)
    if not chain.end.minus:
        return f"{mark} would leave {units} without room"
    return f"{mark} would leave {units} without room outside {say_units(position, chain.end.minus)}"


def _say_reason(position: Position, board: Scratch, rule: Rule, derived: Derived) -> str:
    """Say why a step holds, in one sentence."""
    plus, minus = say_units(position, rule.plus), say_units(position, rule.minus)
    stars = say_count(board.surplus(rule.plus, ()), "star")
    one = len(rule.plus) == 1
    needs, fits, has, its = ("needs", "fits", "has", "its") if one else ("need", "fit", "have", "their")
    if rule.kind == "fill":
        return f"{capitalised(plus)} {has} just enough cells left for {its} {stars}."
    if rule.kind == "placements":
        ways = say_count(len(derived.placements), "way")
        return f"{capitalised(plus)} {has} {ways} left to place {its} {stars}."
    if rule.kind == "pair":
        return f"{capitalised(plus)} together can be filled in a few ways only, and these agree."
    if not rule.minus:
        each = ", one star in each" if len(derived.blocks) > 1 else ""
        return f"{capitalised(plus)} {needs} {stars} and {fits} in {say_blocks(position, derived.blocks)}{each}."
    if not derived.blocks:
        takes = "needs" if len(rule.minus) == 1 else "need"
        return f"{capitalised(plus)} {has} room for {its} {stars} only in {minus}, which {takes} no more."
    surplus = board.surplus(rule.plus, rule.minus)
    outside = say_count(surplus, "star")
    return (
        f"{capitalised(plus)} {needs} {outside} more than {minus}, and outside {has} room for no more than that, "
        f"in {say_blocks(position, derived.blocks)}."
    )


def _say_marks(position: Position, move: Move) -> str:
    stars, crosses = move.stars, move.crosses
    parts = []
    if stars:
        parts.append(f"{say_cells(position, stars)} {'is a star' if stars & (stars - 1) == 0 else 'are stars'}")
    if crosses:
        parts.append(f"{say_cells(position, crosses)} {'stays' if crosses & (crosses - 1) == 0 else 'stay'} empty")
    return f"So {', and '.join(parts)}."


def _say_end(position: Position, board: Scratch, end: Shortage, room: int) -> str:
    need = say_count(board.surplus(end.plus, end.minus), "star")
    units = say_units(position, end.plus)
    fits = "no room at all" if room == 0 else f"room for {say_count(room, 'star').split()[0]} only"
    one = len(end.plus) == 1
    if not end.minus:
        return f"Then {units} {'needs' if one else 'need'} {need} but {'has' if one else 'have'} {fits}."
    return (
        f"Then {units} {'needs' if one else 'need'} {need} more than {say_units(position, end.minus)}, "
        f"but outside {'has' if one else 'have'} {fits}."
    )
