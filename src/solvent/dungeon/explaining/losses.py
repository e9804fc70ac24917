"""Whether a dungeon can be lost, and by which walk; without proof, since most that are looked at are thrown away."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.core.events import ignore
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import State
from solvent.dungeon.solver.exploring import EXPLORED, GIVES_UP, begin, run
from solvent.dungeon.solver.mechanics import NOBODY
from solvent.dungeon.solver.situations import explore_from
from solvent.dungeon.solver.walking import walk_out


@dataclass(frozen=True, slots=True)
class Loss:
    """Hold a walk that loses, if there is one. With neither a walk nor safety, nothing is known."""

    walk: list[str] | None = None
    is_safe: bool = False


def find_loss(land: Land, questions: SubQuestions[Dungeon]) -> Loss:
    """Explore every situation and look for one that is lost."""
    game, analysis = land.ground.game, land.analysis
    if game.is_won(land.state):
        return Loss(is_safe=True)
    watch = land.dungeon.rules.player != "thorough"
    cell, words = analysis.locate(land.state)
    exploration = begin(land.ground, analysis.areas(), cell, words, saturated=True, watch_loss=watch)
    ended, reason = run(exploration, questions.meter, ignore)
    if ended == GIVES_UP:
        exploration = begin(land.ground, analysis.areas(apart=True), cell, words, saturated=False)
        ended, reason = run(exploration, questions.meter, ignore)
    if ended != EXPLORED or reason is not None:
        questions.reason = questions.reason or reason
        return Loss()
    ranks = exploration.ranks().tolist()
    for first, rank in enumerate(ranks):
        parent = exploration.situations.parent_of(first)[0]
        # The first on its way that is lost: the one before it, if there is one, is not.
        if rank < 0 and (parent == NOBODY or ranks[parent] >= 0):
            return Loss(walk_out(exploration, cell, words, exploration.path_to(first)))
    return Loss(is_safe=True)


def is_winnable(land: Land, state: State, questions: SubQuestions[Dungeon]) -> bool:
    """Tell whether the goal can be reached from a state, or might be, if the budget ends before that is known."""
    exploration, reason = explore_from(land.analysis, state, questions.meter, ignore, stop_at_win=True)
    return reason is not None or exploration.first_win >= 0
