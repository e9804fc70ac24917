"""Explain a chain: as a witness for the checker, and line by line for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from solvent.drawing.phrases import capitalised, listed
from solvent.starbattle.hints.application import Application, Highlights, pairs, unit_keys
from solvent.starbattle.hints.chains import Chain, Contradiction, Move, apply, assume, scratch_of
from solvent.starbattle.hints.chains.rules import Derived, Memory, derive, shortage, technique_of, witness_of
from solvent.starbattle.hints.phrases import (
    count_of,
    describe_marks,
    describe_room,
    name_blocks,
    name_cells,
    name_units,
)
from solvent.starbattle.hints.position import Cells, Position, Scratch

COUNTED = "Exclusion by counting"
"""What a supposition is called where no step follows: then it is a count, and nothing to suppose for long."""
MAX_LISTED = 4
"""Ways that are listed one by one."""


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
        proof=(_suppose(scratch_of(position), chain, "Suppose that"), *found.lines),
        highlights=Highlights(
            causes=found.marks | bit, units=tuple(sorted(chain.end.plus + chain.end.minus)), blocks=found.blocks
        ),
        title=COUNTED if chain.star and not chain.moves else "",
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
            lines.append(f"{_describe_reason(board, move, derived)} {_describe_marks(board, move)}")
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
    lines.append(_describe_end(board, chain.end, blocks))
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


def chain_lines(base: Scratch, chain: Chain, memory: Memory) -> list[str]:
    """Return the steps of a chain that closes on a board, and where it closes, line by line."""
    return _explain(base, chain, memory).lines


def _suppose(board: Scratch, chain: Chain, opening: str) -> str:
    """Say what is put on trial, and which cells a star rules out at once."""
    cell = name_cells(board, 1 << chain.cell)
    if not chain.star:
        return f"{opening} {cell} stays empty."
    geometry = board.geometry
    around = board.open & geometry.touching[chain.cell]
    full = [unit for unit in geometry.units_at[chain.cell] if board.needs[unit] == 1]
    beyond = [unit for unit in full if board.open & geometry.masks[unit] & ~around & ~(1 << chain.cell)]
    removed = [name_cells(board, around)] if around else []
    removed += [f"the rest of {name_units(board, beyond)}"] if beyond else []
    ruled = f", which rules out {listed(removed)}" if removed else ""
    return f"{opening} {cell} is a star{ruled}."


def _would_leave(position: Position, chain: Chain) -> str:
    cell, units = name_cells(position, 1 << chain.cell), name_units(position, chain.end.plus)
    later = " in the end" if chain.moves else ""
    outside = f" outside {name_units(position, chain.end.minus)}" if chain.end.minus else ""
    if chain.star:
        return f"A star on {cell} would{later} leave {units} too little room{outside}"
    return f"Without a star on {cell}, {units} would{later} have too little room{outside}"


def _describe_reason(board: Scratch, move: Move, derived: Derived) -> str:
    """Return why a step holds, in one sentence."""
    rule = move.rule
    plus, minus = capitalised(name_units(board, rule.plus)), name_units(board, rule.minus)
    stars = _stars(board.surplus(rule.plus, ()))
    one = len(rule.plus) == 1
    needs, fits, has, its = ("needs", "fits", "has", "its") if one else ("need", "fit", "have", "their")
    if rule.kind == "fill":
        return f"{plus} {has} only {name_cells(board, board.area(rule.plus))} left for {its} {stars}."
    if rule.kind == "placements":
        if len(derived.placements) <= MAX_LISTED:
            ways = "; ".join(name_cells(board, way) for way in derived.placements)
            return f"{plus} {has} {count_of(len(derived.placements), 'way')} left to place {its} {stars}: {ways}."
        return _without(board, move, f"too little room for {its} {stars}")
    if rule.kind == "pair":
        return _without(board, move, f"no way to place {its} {stars}")
    if not rule.minus:
        each = ", one star in each" if len(derived.blocks) > 1 else ""
        count = count_of(board.surplus(rule.plus, ()), "star")
        return f"{plus} {needs} {count} and {fits} in {name_blocks(board, derived.blocks)}{each}."
    if not derived.blocks:
        takes = "needs" if len(rule.minus) == 1 else "need"
        return f"{plus} {has} room for {its} {stars} only in {minus}, which {takes} no more."
    outside = count_of(board.surplus(rule.plus, rule.minus), "star")
    return (
        f"{plus} {needs} {outside} more than {minus}, and outside {has} room for no more than that, "
        f"in {name_blocks(board, derived.blocks)}."
    )


def _stars(count: int) -> str:
    """Name the stars of a unit, as they stand after `its`."""
    return "star" if count == 1 else count_of(count, "star")


def _without(board: Scratch, move: Move, lack: str) -> str:
    """Say what the units of a step would lack if it were not made."""
    units = name_units(board, move.rule.plus)
    missing = f"without a star on {name_cells(board, move.stars, 'or')}"
    if not move.crosses:
        return f"{capitalised(missing)}, {units} would have {lack}."
    extra = f" or {missing}" if move.stars else ""
    return f"With a star on {name_cells(board, move.crosses, 'or')}{extra}, {units} would have {lack}."


def _describe_marks(board: Scratch, move: Move) -> str:
    return f"So {describe_marks(board, move.stars, move.crosses)}."


def _describe_end(board: Scratch, end: Contradiction, blocks: Sequence[int]) -> str:
    units, need = name_units(board, end.plus), board.surplus(end.plus, end.minus)
    needs, has = ("needs", "has") if len(end.plus) == 1 else ("need", "have")
    area = board.area(end.plus, end.minus)
    if not end.minus:
        more = count_of(need, "more star")
        if not area:
            return f"Then {units} {needs} {more}, and no cell is left."
        return f"Then {units} {needs} {more} and {has} {describe_room(board, area, blocks)}."
    others = name_units(board, end.minus)
    left = describe_room(board, area, blocks)
    return f"Then {units} {needs} {count_of(need, 'star')} more than {others}, and outside {others} {has} {left}."
