"""Explain a chain: as a witness for the checker, and line by line for a person."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, pairs, unit_keys
from solvent.starbattle.hints.chains import Chain, Contradiction, Move, apply, assume, scratch_of
from solvent.starbattle.hints.chains.rules import Derived, Memory, Rule, derive, shortage, technique_of, witness_of
from solvent.starbattle.hints.phrases import count_of, describe_marks, name_blocks, name_cells, name_number, name_units
from solvent.starbattle.hints.position import Cells, Position, Scratch


class _Explanation(Struct, frozen=True):
    """Hold the witness and the lines of a chain."""

    witness: dict[str, Any]
    lines: list[str]
    """One for each step, and one for the contradiction."""
    marks: Cells
    """Every cell marked on the way."""
    blocks: tuple[int, ...]
    """Blocks that show how little room there is at the end."""


def explain(position: Position, chain: Chain, memory: Memory, *, technique: str) -> Application:
    """Turn a chain that closes on a position into an application of a hypothesis technique."""
    found = _explain(scratch_of(position), chain, memory)
    bit = 1 << chain.cell
    return Application(
        technique=technique,
        stars=0 if chain.star else bit,
        crosses=bit if chain.star else 0,
        witness=found.witness,
        because=f"{_would_leave(position, chain)}.",
        proof=(_suppose(position, chain, "Suppose that"), *found.lines),
        highlights=Highlights(
            causes=found.marks | bit, units=tuple(sorted(chain.end.plus + chain.end.minus)), blocks=found.blocks
        ),
    )


def _explain(base: Scratch, chain: Chain, memory: Memory) -> _Explanation:
    """Replay a chain and write down each step as it stands on the board at that moment."""
    size = base.geometry.size
    board = assume(base, chain.cell, star=chain.star)
    steps: list[dict[str, Any]] = []
    lines: list[str] = []
    marks = 0
    for move in chain.moves:
        if move.inner is None:
            derived = derive(board, move.rule, memory)
            assert derived is not None, "a trimmed chain can be replayed"
            technique, witness = technique_of(board, move.rule), witness_of(board, move.rule, derived)
            lines.append(f"{_describe_reason(board, move.rule, derived)} {_describe_marks(board, move)}")
        else:
            inside = _explain(board, move.inner, memory)
            technique, witness = "hypothesis", inside.witness
            lines += [_suppose(board, move.inner, "Suppose also that"), *inside.lines, _describe_marks(board, move)]
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
    lines.append(_describe_end(board, chain.end, len(blocks)))
    witness = {
        "cell": list(divmod(chain.cell, size)),
        "value": "star" if chain.star else "cross",
        "steps": steps,
        "contradiction": {
            "plus": unit_keys(board, chain.end.plus),
            "minus": unit_keys(board, chain.end.minus),
            "blocks": pairs(blocks, size),
        },
    }
    return _Explanation(witness, lines, marks, blocks)


def _suppose(board: Position | Scratch, chain: Chain, opening: str) -> str:
    return f"{opening} {name_cells(board, 1 << chain.cell)} {'is a star' if chain.star else 'stays empty'}."


def _would_leave(position: Position, chain: Chain) -> str:
    cell = name_cells(position, 1 << chain.cell)
    mark = f"A star on {cell}" if chain.star else f"No star on {cell}"
    units = name_units(position, chain.end.plus)
    if not chain.end.minus:
        return f"{mark} would leave {units} without room"
    return f"{mark} would leave {units} without room outside {name_units(position, chain.end.minus)}"


def _describe_reason(board: Scratch, rule: Rule, derived: Derived) -> str:
    """Return why a step holds, in one sentence."""
    plus, minus = capitalised(name_units(board, rule.plus)), name_units(board, rule.minus)
    stars = count_of(board.surplus(rule.plus, ()), "star")
    one = len(rule.plus) == 1
    needs, fits, has, its = ("needs", "fits", "has", "its") if one else ("need", "fit", "have", "their")
    if rule.kind == "fill":
        return f"{plus} {has} just enough cells left for {its} {stars}."
    if rule.kind == "placements":
        return f"{plus} {has} {count_of(len(derived.placements), 'way')} left to place {its} {stars}."
    if rule.kind == "pair":
        return f"{plus} together can be filled in only a few ways, and these agree."
    if not rule.minus:
        each = ", one star in each" if len(derived.blocks) > 1 else ""
        return f"{plus} {needs} {stars} and {fits} in {name_blocks(board, derived.blocks)}{each}."
    if not derived.blocks:
        takes = "needs" if len(rule.minus) == 1 else "need"
        return f"{plus} {has} room for {its} {stars} only in {minus}, which {takes} no more."
    outside = count_of(board.surplus(rule.plus, rule.minus), "star")
    return (
        f"{plus} {needs} {outside} more than {minus}, and outside {has} room for no more than that, "
        f"in {name_blocks(board, derived.blocks)}."
    )


def _describe_marks(board: Scratch, move: Move) -> str:
    return f"So {describe_marks(board, move.stars, move.crosses)}."


def _describe_end(board: Scratch, end: Contradiction, room: int) -> str:
    units, need = name_units(board, end.plus), count_of(board.surplus(end.plus, end.minus), "star")
    needs, has = ("needs", "has") if len(end.plus) == 1 else ("need", "have")
    fits = "no room at all" if room == 0 else f"room for only {name_number(room)}"
    if not end.minus:
        return f"Then {units} {needs} {need} but {has} {fits}."
    return f"Then {units} {needs} {need} more than {name_units(board, end.minus)}, but outside {has} {fits}."
