"""Turn requirements into what kernels look at: bits that must be set where that is all, a program otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Place, Requirement, SwitchAt
from solvent.dungeon.rules import Game, resource_of, walk_from
from solvent.dungeon.solver.layout import Field, Layout, is_counted, pairs_of
from solvent.dungeon.solver.mechanics import NEED, NEVER, RULE, GateRow
from solvent.dungeon.solver.requirements_kernel import (
    ADD,
    AT_LEAST,
    BOTH,
    CONSTANT,
    EITHER,
    ENOUGH,
    EQUALS,
    INVERT,
)

Step = tuple[int, int, int, int, int]
"""What a step of a program does, the word, the mask, the shift and the value: see `requirements_kernel`."""

_TRUE: list[Step] = [(CONSTANT, 0, 0, 0, 1)]
_FALSE: list[Step] = [(CONSTANT, 0, 0, 0, 0)]


class Requirements(Struct, frozen=True, eq=False):
    """Write requirements as programs, each once."""

    game: Game
    layout: Layout
    programs: list[list[Step]]
    numbers: dict[tuple[Requirement, frozenset[str]], int]

    @classmethod
    def of(cls, game: Game, layout: Layout) -> Requirements:
        """Begin without any."""
        return cls(game, layout, [], {})

    def pressed_at(self, place: Place) -> frozenset[str]:
        """Return the switches that a player turns on by standing on a place."""
        return frozenset(name for name, plates in self.game.held_plates.items() if place in plates)

    def number(self, rule: Requirement, place: Place) -> int:
        """Return the number of the program for a player who stands on a place."""
        known = rule, self.pressed_at(place)
        if known not in self.numbers:
            self.numbers[known] = len(self.programs)
            self.programs.append(self._steps(rule, known[1]))
        return self.numbers[known]

    def gate(self, rule: Requirement, place: Place) -> GateRow | None:
        """Return what a gate with this requirement asks for, seen from a place; None if it never bars anyone."""
        fields = self._plain_needs(rule)
        if fields is None:
            steps = self._steps(rule, self.pressed_at(place))
            if steps is _TRUE:
                return None
            return GateRow(NEVER) if steps is _FALSE else GateRow(RULE, rule=self.number(rule, place))
        return GateRow(NEED, needs=pairs_of(fields)) if fields else None

    def _plain_needs(self, rule: Requirement) -> list[Field] | None:
        """Return the bits that must all be set, and nothing else; None if there is more to it."""
        layout, dungeon = self.layout, self.game.dungeon
        match rule:
            case Have("item", name, 1):
                if name in dungeon.rules.items:
                    return []
                return [layout.items[name]] if name in layout.items else None
            case Have("item", name, count):
                found = [
                    (number, pickup.count)
                    for number, pickup in enumerate(dungeon.pickups)
                    if pickup.kind == "item" and pickup.name == name
                ]
                lacking = count - (name in dungeon.rules.items)
                total = sum(each for _, each in found)
                if total < lacking or any(total - each >= lacking for _, each in found):
                    return None  # some can be left out, or all are too few
                return [layout.pickups[number] for number, _ in found]
            case Cleared(room):
                return [layout.pickups[number] for number in self.game.monsters_of(room)]
            case AllOf(parts):
                needs: list[Field] = []
                for part in parts:
                    fields = self._plain_needs(part)
                    if fields is None:
                        return None
                    needs += fields
                return needs
        return None

    def _steps(self, rule: Requirement, pressed: frozenset[str]) -> list[Step]:
        match rule:
            case Have("item", name, count):
                return self._count_items(name, count)
            case Have(what, name, count):
                resource = resource_of(what, name)
                if not is_counted(self.game.dungeon, resource):
                    return _TRUE
                at = self.layout.resources[resource]
                return [(AT_LEAST, at.word, at.mask, at.shift, count)]
            case SwitchAt(switch, state):
                return self._switch(switch, state, pressed)
            case Cleared(room):
                return _join((_is_set(self.layout.pickups[n]) for n in self.game.monsters_of(room)), BOTH)
            case Not(part):
                return _invert(self._steps(part, pressed))
            case AllOf(parts):
                return _join((self._steps(part, pressed) for part in parts), BOTH)
            case AnyOf(parts):
                return _join((self._steps(part, pressed) for part in parts), EITHER)
        raise AssertionError(f"{rule!r} is no requirement")

    def _count_items(self, name: str, count: int) -> list[Step]:
        dungeon, layout = self.game.dungeon, self.layout
        lacking = count - (name in dungeon.rules.items)
        if lacking <= 0:
            return _TRUE
        if count == 1:
            return _is_set(layout.items[name]) if name in layout.items else _FALSE
        steps: list[Step] = []
        total = 0
        for number, pickup in enumerate(dungeon.pickups):
            if pickup.kind == "item" and pickup.name == name:
                at = layout.pickups[number]
                steps.append((ADD, at.word, at.mask, 0, pickup.count))
                total += pickup.count
        return [*steps, (ENOUGH, 0, 0, 0, lacking)] if total >= lacking else _FALSE

    def _switch(self, switch: str, state: str, pressed: frozenset[str]) -> list[Step]:
        game, layout = self.game, self.layout
        number = game.dial_number.get(switch)
        if number is not None:
            at = layout.dials[number]
            return _equals(at, game.dungeon.dials[number].states.index(state))
        if switch in game.held_plates:
            steps = _TRUE if switch in pressed else self._held_by_blocks(switch)
            return steps if state == "on" else _invert(steps)
        at = layout.switches[switch]
        return _equals(at, int(state == "on"))

    def _held_by_blocks(self, switch: str) -> list[Step]:
        game, layout = self.game, self.layout
        plates = game.held_plates[switch]
        parts: list[list[Step]] = []
        for number, block in enumerate(game.dungeon.blocks):
            if not layout.blocks:  # blocks are walls, and one may stand on a plate for good
                parts += [_TRUE] * (block.place in plates)
                continue
            at = layout.blocks[number]
            for value, walk in enumerate(("", *layout.block_walks[number])):
                if walk_from(block.place, walk) in plates:
                    parts.append(_equals(at, value))
        return _join(parts, EITHER)


def _invert(steps: list[Step]) -> list[Step]:
    if steps is _TRUE or steps is _FALSE:
        return _FALSE if steps is _TRUE else _TRUE
    return [*steps, (INVERT, 0, 0, 0, 0)]


def _is_set(at: Field) -> list[Step]:
    return [(EQUALS, at.word, at.mask, 0, at.mask)]


def _equals(at: Field, value: int) -> list[Step]:
    return [(EQUALS, at.word, at.mask, 0, value << at.shift)]


def _join(parts: Iterable[list[Step]], by: int) -> list[Step]:
    """Join parts by BOTH or EITHER, two at a time; what never matters is left out."""
    neutral, decisive = (_TRUE, _FALSE) if by == BOTH else (_FALSE, _TRUE)
    joined: list[Step] = []
    for part in parts:
        if part is decisive:
            return decisive
        if part is not neutral:
            joined += [*part, (by, 0, 0, 0, 0)] if joined else part
    return joined or neutral
