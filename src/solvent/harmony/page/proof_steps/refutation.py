"""Refutations as steps: what is learnt about where tiles stand and who swaps with whom, until nothing is left.

Each step of the proof is a clause about the statements of the checker, and every one of those can be said in words. A
step shows the tiles it speaks of, the cells, and the tiles of the statements and earlier steps that it follows from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import capitalised, counted, listed
from solvent.engine.clauses import ClauseList
from solvent.harmony.checker.refutation import Body, Statements
from solvent.harmony.checker.statements_kernel import StatementWriter
from solvent.harmony.checker.tiles import Tiles, tiles_of
from solvent.harmony.model import Board
from solvent.harmony.page.proof_steps.swaps import colour_name, forced_steps
from solvent.harmony.positions import format_cell, parse_cell
from solvent.proof.lrat import Step, find_hints

MAX_SHOWN = 300
"""Steps that are shown; of a longer proof, first only those that say one thing, then its beginning and its end."""
MAX_LITERALS = 6
"""A clause with more is counted, not said."""

REASONS = {
    "one_place_at_a_time": "a tile is on one cell at a time",
    "along_lines": "a swap goes along a row or column",
    "own_order": "a tile's swaps come one after the other",
    "swaps": "tiles that swap take each other's cell",
    "has_partner": "each swap has a partner",
    "one_tile_to_a_cell": "no two tiles are on one cell at once",
    "transitive_order": "what comes before something comes before all that follows it",
}
"""What each kind of statement says, by the name of what writes it."""


def refutation_steps(board: Board, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield what the proof learns, and the contradiction at its end."""
    body = msgspec.convert(dict(certificate), Body)
    tiles = list(tiles_of(board))
    yield from forced_steps(board, body.forced, tiles, meter)
    component = sorted(parse_cell(cell, board.rows, board.cols) for cell in meter.each(body.component))
    statements = _Located(tiles, component, body.most_moves, board.cols, meter)
    formula = statements.formula(meter)
    proof = find_hints(formula, body.proof, meter).steps
    shown, left_out = _choose(proof)
    followed = statements.followed
    names = {cell: f"{colour_name(board, tiles[cell])} {format_cell(cell, board.cols)}" for cell in followed}
    example = names[followed[0]]
    text = (
        f"Suppose there is a solution, and follow {_followed(statements, body.most_moves)}. Here {example} is the "
        f"tile that is on {format_cell(followed[0], board.cols)} now, and each tile's swaps are numbered from 1."
    )
    yield ProofStep(text=text, marks={"cells": followed})
    if left_out:
        text = f"The proof has {counted(len(proof), 'step')}, all of them checked. Shown here are {len(shown)} of them."
        yield ProofStep(text=text, marks={"uses": followed})
    words = _Words(statements, names, board.cols)
    telling = _Telling(words, formula)
    for number, step in enumerate(meter.each(proof, every=100)):
        told = telling.take(step)
        if number in shown:
            yield told()


def _followed(statements: Statements, most_moves: int) -> str:
    if statements.all_followed:
        return "its tiles to where they must go"
    return f"the tiles with at most {counted(most_moves, 'move')} to where they must go"


def _choose(proof: list[Step]) -> tuple[set[int], bool]:
    """Return which steps to show, by their place, and whether any are left out."""
    places = list(range(len(proof)))
    if len(places) <= MAX_SHOWN:
        return set(places), False
    single = [place for place in places if len(proof[place].literals) <= 1]
    if len(single) > MAX_SHOWN:
        single = single[: MAX_SHOWN // 2] + single[-(MAX_SHOWN - MAX_SHOWN // 2) :]
    return set(single), True


class _Located(Statements):
    """Write down the very clauses of the checker, and note which statement each belongs to."""

    firsts: list[int]
    """The number of the first clause of each statement about one instant or event, from 1."""
    kinds: list[tuple[str, int]]
    """What writes these, and the instant or event."""

    def __init__(self, tiles: Tiles, component: list[int], most_moves: int, cols: int, meter: Meter) -> None:
        super().__init__(tiles, component, most_moves, cols, meter)
        self.owner = {instant: tile for tile, *instants in self.events for instant in instants}
        """The tile of each instant."""

    def statements(self, writer: StatementWriter) -> list[tuple[Callable[[int], None], range]]:
        """Return what writes down each kind of statement, and notes where its clauses begin."""
        self.firsts, self.kinds = [], []

        def noting(write: Callable[[int], None], kind: str) -> Callable[[int], None]:
            def note(number: int) -> None:
                self.firsts.append(writer.clause_count + 1)
                self.kinds.append((kind, number))
                write(number)

            return note

        kinds = super().statements(writer)
        return [(noting(write, name), numbers) for name, (write, numbers) in zip(REASONS, kinds, strict=True)]

    def statement_of(self, clause: int) -> tuple[str, int]:
        """Return what a clause of the formula belongs to."""
        return self.kinds[bisect_right(self.firsts, clause) - 1]

    def tile_of(self, kind: str, number: int) -> int:
        """Return the tile of the instant or event that a statement is about."""
        if kind in ("one_place_at_a_time", "one_tile_to_a_cell"):
            return self.owner[number]
        return self.events[number][0]


class _Words:
    """Say a variable of the statements, and its opposite, in words."""

    def __init__(self, statements: _Located, names: dict[int, str], cols: int) -> None:
        self.names = names
        self.cols = cols
        self.events = statements.events
        self.cells = statements.cells
        self.owner = statements.owner
        self.statements = statements
        self.order = statements.before(0, 0)
        """The first variable about order; those before it are about places."""
        self.pairs = self.order + len(self.events) ** 2
        self.alone = self.pairs + len(self.events) ** 2
        self.number = [0] * len(self.events)
        """Which of its tile's swaps an event is, from 1."""
        for event, (tile, *_) in enumerate(self.events):
            continues = event > 0 and self.events[event - 1][0] == tile
            self.number[event] = self.number[event - 1] + 1 if continues else 1

    def subjects(self, literal: int) -> tuple[set[int], set[int]]:
        """Return the tiles and the cells that a variable is about."""
        variable = abs(literal)
        if variable < self.order:
            instant, cell = divmod(variable - 1, self.cells)
            return {self.owner[instant]}, {cell}
        if variable >= self.alone:
            return {self.events[variable - self.alone][0]}, set()
        e, f = self._two(variable)
        return {self.events[e][0], self.events[f][0]}, set()

    def say(self, literal: int) -> str:
        """Say what a literal claims."""
        variable = abs(literal)
        not_ = "" if literal > 0 else "not "
        if variable < self.order:
            instant, cell = divmod(variable - 1, self.cells)
            return f"{self.names[self.owner[instant]]} is {not_}on {format_cell(cell, self.cols)} {self._when(instant)}"
        if variable >= self.alone:
            return f"{self.swap(variable - self.alone)} is {not_}with a tile that is not followed"
        e, f = self._two(variable)
        if variable >= self.pairs:
            return f"{self.swap(e)} is {not_}with {self.names[self.events[f][0]]} as its swap {self.number[f]}"
        return (
            f"{self.swap(e)} is no later than {self.swap(f)}"
            if literal > 0
            else f"{self.swap(f)} is before {self.swap(e)}"
        )

    def say_any(self, literals: list[int]) -> Iterator[str]:
        """Say what positive literals claim; places of one tile at one time are said together."""
        places: dict[int, list[str]] = {}
        for literal in literals:
            if literal < self.order:
                instant, cell = divmod(literal - 1, self.cells)
                places.setdefault(instant, []).append(format_cell(cell, self.cols))
        for instant, cells in places.items():
            yield f"{self.names[self.owner[instant]]} is on {listed(cells, last='or')} {self._when(instant)}"
        yield from (self.say(literal) for literal in literals if literal >= self.order)

    def _two(self, variable: int) -> tuple[int, int]:
        return divmod((variable - self.order) % (len(self.events) ** 2), len(self.events))

    def swap(self, event: int) -> str:
        """Name an event."""
        return f"swap {self.number[event]} of {self.names[self.events[event][0]]}"

    def _when(self, instant: int) -> str:
        for event, (_, earlier, later) in enumerate(self.events):
            if later == instant:
                return f"after its swap {self.number[event]}"
            if earlier == instant and self.number[event] == 1:
                return "at the start"
        raise ValueError(f"no such instant: {instant}")


class _Telling:
    """Go through a proof, and say what each step claims and what it follows from."""

    def __init__(self, words: _Words, formula: ClauseList) -> None:
        self.words = words
        self.statements = words.statements
        self.formula = formula
        self.earlier: dict[int, set[int]] = {}
        """The tiles that each earlier step was about."""

    def take(self, step: Step) -> Callable[[], ProofStep]:
        """Remember a step; what is returned says it."""
        self.earlier[step.number] = {tile for literal in step.literals for tile in self.words.subjects(literal)[0]}
        return lambda: self._shown(step)

    def _shown(self, step: Step) -> ProofStep:
        claimed, places = set[int](), set[int]()
        for literal in step.literals:
            tiles, cells = self.words.subjects(literal)
            claimed |= tiles
            places |= cells
        used, kinds = set[int](), set[str]()
        for hint in step.hints:
            if hint in self.earlier:
                used |= self.earlier[hint]
                continue
            kind, number = self.statements.statement_of(hint)
            kinds.add(kind)
            used.add(self.statements.tile_of(kind, number))
            used |= {tile for literal in self._literals(hint) for tile in self.words.subjects(literal)[0]}
        marks = {"cells": sorted(claimed), "uses": sorted(used - claimed), "places": sorted(places)}
        return ProofStep(text=self._text(step, kinds, used - claimed), marks=marks)

    def _literals(self, clause: int) -> list[int]:
        begin, end = self.formula.starts[clause - 1], self.formula.starts[clause]
        return self.formula.literals[begin:end].tolist()

    def _text(self, step: Step, kinds: set[str], used: set[int]) -> str:
        reasons = listed([REASONS[kind] for kind in REASONS if kind in kinds and kind != "own_order"])
        because = f"since {reasons}" if reasons else "by what is known by now"
        if step.literals:
            return f"{self._clause(step.literals)}, {because}."
        known = any(hint in self.earlier for hint in step.hints)
        if not known and len(step.hints) == 1:
            return f"{self._plain_end(*self.statements.statement_of(step.hints[0]))}: there is no solution."
        tiles = listed([self.words.names[tile] for tile in sorted(used)], MAX_LITERALS)
        about = f" for {tiles}" if tiles else ""
        begin = "With what is known by now, no way is left" if known else "There is no way"
        return f"{begin}{about}, {because}: there is no solution."

    def _plain_end(self, kind: str, number: int) -> str:
        """Say what a statement lacks that holds in no way at all."""
        if kind == "has_partner":
            return f"{capitalised(self.words.swap(number))} finds no partner on any way home"
        tile = self.words.names[self.statements.tile_of(kind, number)]
        return f"{capitalised(tile)} has no way home with its moves"

    def _clause(self, literals: list[int]) -> str:
        """Say a clause: a fact, or what follows if something else holds."""
        if len(literals) == 1:
            return capitalised(self.words.say(literals[0]))
        conditions = [self.words.say(-literal) for literal in literals if literal < 0]
        conclusions = list(self.words.say_any([literal for literal in literals if literal > 0]))
        if len(conditions) + len(conclusions) > MAX_LITERALS:
            return f"At least one of {len(literals)} things about these tiles holds"
        if not conditions:
            return capitalised(listed(conclusions, last="or"))
        if not conclusions:
            return f"It cannot be that {listed(conditions)}"
        return f"If {listed(conditions)}, then {listed(conclusions, last='or')}"
