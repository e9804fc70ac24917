"""One state to start from, and what exploring from it tells: whether it can be won, or is lost."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.events import Listener
from solvent.dungeon.rules import State
from solvent.dungeon.solver.areas import contract
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.exploring import EXPLORED, Exploration, begin, run
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import pack
from solvent.dungeon.solver.state_kernel import PackedState
from solvent.dungeon.solver.walking import walk_out


class Analysis(Struct):
    """Hold a dungeon as a graph, with its areas as far as they were asked for."""

    ground: Ground
    meter: Meter
    """What finding the areas may cost."""
    _areas: dict[bool, Areas]

    @classmethod
    def of(cls, ground: Ground, meter: Meter = UNLIMITED) -> Analysis:
        """Begin with the graph alone."""
        return cls(ground, meter, {})

    def areas(self, *, apart: bool = False) -> Areas:
        """Return the areas; with `apart`, each thing that matters on its own."""
        if apart not in self._areas:
            self._areas[apart] = contract(self.ground, apart=apart, meter=self.meter)
        return self._areas[apart]

    def locate(self, state: State) -> tuple[int, PackedState]:
        """Return the cell of a state, and the state packed."""
        return self.ground.cell(state.place), pack(self.ground.layout, self.ground.game, state)


def explore_from(
    analysis: Analysis, state: State, meter: Meter, listen: Listener, *, stop_at_win: bool
) -> tuple[Exploration, Reason | None]:
    """Explore what can follow a state, taking everything on the way; up to the first win, if so wished.

    Without a reason and without a win, the state is lost and the exploration is the proof.
    """
    exploration = begin_from(analysis, state, meter, stop_at_win=stop_at_win)
    return exploration, explore_on(exploration, meter, listen)


def begin_from(analysis: Analysis, state: State, meter: Meter, *, stop_at_win: bool) -> Exploration:
    """Prepare what `explore_from` does."""
    cell, words = analysis.locate(state)
    return begin(analysis.ground, analysis.areas(), cell, words, saturated=True, stop_at_win=stop_at_win, meter=meter)


def explore_on(exploration: Exploration, meter: Meter, listen: Listener) -> Reason | None:
    """Go on with what `begin_from` began; returns why it stopped early, if it did. It may be called again then."""
    ended, reason = run(exploration, meter, listen)
    assert reason is not None or ended == EXPLORED or exploration.first_win >= 0
    return reason


def state_after(analysis: Analysis, state: State, moves: Sequence[str], meter: Meter = UNLIMITED) -> State:
    """Return the state after some moves, which are legal."""
    # All states at once could be too much to keep: each holds all that was taken.
    reached = state
    for after in meter.each(analysis.ground.game.walk(state, moves), every=20):
        reached = after
    return reached


def any_plan(analysis: Analysis, state: State, exploration: Exploration, meter: Meter = UNLIMITED) -> list[str]:
    """Return moves to a goal, not the fewest, from an exploration from this state that found a win."""
    cell, words = analysis.locate(state)
    last = exploration.first_win
    arc = exploration.situations.winning_arc_of(last)
    return walk_out(exploration, cell, words, [*exploration.path_to(last), (last, arc)], meter)
