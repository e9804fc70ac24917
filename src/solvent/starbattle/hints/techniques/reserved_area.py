"""Reserved area: a unit has too little room outside another, so some of its stars must lie where the two cross.

The cells of v outside U fit in m blocks of 2×2, which hold m stars at most, so at least need(v) - m stars of v lie in
the part it shares with U. If that part has no more open cells than that, they are stars. A cell that touches the
whole part would leave it no star. If such parts of units that share no cell use up all that U needs, the rest of U
is empty. A line is looked at through the regions it crosses, a region through its rows and through its columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, Why, Work, pairs, unit_keys
from solvent.starbattle.hints.blocks import apart, cover
from solvent.starbattle.hints.phrases import count_of, name_blocks, name_cells, name_number, name_units
from solvent.starbattle.hints.position import Cells, Position

NAME = "reserved area"
TITLE = "Reserved area"
DIFFICULTY = 4.0

MAX_NAMED = 4
"""Cells that are named one by one."""


class _Share(Struct, frozen=True):
    """Hold what one unit must place inside another."""

    unit: int
    blocks: tuple[int, ...]
    """They cover its open cells outside."""
    part: Cells
    """Its open cells inside."""
    least: int
    """How many stars it has there at least."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield what single units reserve, those with the fewest blocks outside first; then what several do together."""
    geometry = position.geometry
    families = [(into, geometry.regions) for into in (*geometry.rows, *geometry.columns)]
    for into in geometry.regions:
        families += [(into, geometry.rows), (into, geometry.columns)]
    gathered = [(into, _shares(position, into, family, work)) for into, family in families if position.needs[into] > 0]
    singles = [(into, share) for into, shares in gathered for share in shares]
    singles.sort(key=lambda single: (len(single[1].blocks), single[0], single[1].unit))
    seen: set[tuple[Cells, Cells]] = set()
    for into, share in singles:
        yield from _applications(position, into, [share], seen)
    # each unit reserves a star or more, so only all of them together can use up exactly what is needed
    for into, shares in sorted(gathered, key=lambda several: (len(several[1]), several[0])):
        if len(shares) > 1 and sum(share.least for share in shares) == position.needs[into]:
            yield from _applications(position, into, shares, seen)


def _shares(position: Position, into: int, family: range, work: Work) -> list[_Share]:
    found = []
    inside = position.geometry.masks[into]
    for unit in family:
        part = position.open_in(unit) & inside
        need = position.needs[unit]
        if not part or need <= 0:
            continue
        work.spend()
        outside = position.open_in(unit) & ~inside
        if apart(position.geometry, outside).bit_count() >= need:
            continue
        work.spend(5)
        blocks = cover(position.geometry, outside, most=need - 1)
        if blocks is not None:
            found.append(_Share(unit, blocks, part, need - len(blocks)))
    return found


def _applications(
    position: Position, into: int, shares: list[_Share], seen: set[tuple[Cells, Cells]]
) -> Iterator[Application]:
    total = sum(share.least for share in shares)
    if total > position.needs[into]:  # more than fit: the marks are wrong, and nothing can be said
        return
    stars = crosses = mine = 0
    for share in shares:
        mine |= position.geometry.masks[share.unit]
        if share.part.bit_count() == share.least:
            stars |= share.part
        crosses |= position.geometry.beside_all(share.part) & position.open & ~share.part
    cleared = position.open_in(into) & ~mine if total == position.needs[into] else 0
    conclusions = stars, crosses | cleared
    if conclusions == (0, 0) or conclusions in seen:
        return
    seen.add(conclusions)
    name = name_units(position, [into])
    if len(shares) == 1:
        because = _because(position, name, shares[0], alone=bool(cleared))
    else:
        others = capitalised(name_units(position, [share.unit for share in shares]))
        because = f"{others} together need all the stars that {name} has left."
    yield Application(
        technique=NAME,
        stars=stars,
        crosses=conclusions[1],
        witness={
            "into": unit_keys(position, [into])[0],
            "from": [
                {"unit": unit_keys(position, [share.unit])[0], "blocks": pairs(share.blocks, position.size)}
                for share in shares
            ],
        },
        because=because,
        proof=_proof(position, into, shares),
        reasons=_reasons(position, into, shares, cleared),
        highlights=Highlights(
            causes=sum(share.part for share in shares),
            units=(into, *(share.unit for share in shares)),
            blocks=tuple(sorted({corner for share in shares for corner in share.blocks})),
        ),
    )


def _because(position: Position, name: str, share: _Share, *, alone: bool) -> str:
    """Say what one unit reserves; `alone` if that is all the other needs."""
    if share.blocks:
        return f"{_named(position, share)} needs at least {count_of(share.least, 'star')} in {name}."
    stars = "star" if share.least == 1 else count_of(share.least, "star")
    rest = ", which needs no more than that" if alone else ""
    return f"{_named(position, share)} has room for its {stars} only in {name}{rest}."


def _named(position: Position, share: _Share) -> str:
    return capitalised(name_units(position, [share.unit]))


def _reasons(position: Position, into: int, shares: list[_Share], cleared: Cells) -> tuple[Why, ...]:
    """Say of each cell why it is a star or empty."""
    name = name_units(position, [into])
    whys = []
    told = 0
    for share in shares:
        part, here = name_cells(position, share.part), name_units(position, [share.unit])
        if share.part.bit_count() == share.least:
            only = f"{{cells}} is all that {here} has open there."
            whys.append(Why(share.part, only, only.replace(" is ", " are ")))
        beside = position.geometry.beside_all(share.part) & position.open & ~share.part & ~cleared & ~told
        told |= beside
        where = f"all open cells of {here} in {name}"
        if share.part.bit_count() <= MAX_NAMED:
            where = part if share.part.bit_count() == share.least else f"{where}: {part}"
        whys.append(Why(beside, f"{{cells}} touches {where}.", f"{{cells}} touch {where}."))
    whys.append(Why(cleared, f"That is all {name} needs, so none is left for {{cells}}."))
    return tuple(whys)


def _proof(position: Position, into: int, shares: list[_Share]) -> tuple[str, ...]:
    name = name_units(position, [into])
    lines = []
    for share in shares:
        need = position.needs[share.unit]
        if not share.blocks:
            lines.append(
                f"{_named(position, share)} needs {count_of(need, 'more star')}, and all its open cells lie in {name}."
            )
            continue
        room = count_of(len(share.blocks), "star")
        lines.append(
            f"{_named(position, share)} needs {count_of(need, 'more star')}; outside {name} it fits in "
            f"{name_blocks(position, share.blocks)}, with room for {room}."
        )
    if len(shares) > 1:
        together = sum(share.least for share in shares)
        if together == len(shares):
            lines.append(f"So {'both' if together == 2 else 'all of them'} have a star in {name}.")
        else:
            lines.append(f"So together they have at least {count_of(together, 'star')} in {name}.")
    elif shares[0].blocks:
        lines.append(f"So at least {name_number(shares[0].least)} of its stars must lie in {name}.")
    return tuple(lines)
