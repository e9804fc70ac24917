"""What can truly be reached, and how it can be lost: by going through every situation, without a proof."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.core.events import ignore
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.explaining.passages import Passages
from solvent.dungeon.explaining.spheres import cells_of, find_spheres
from solvent.dungeon.model import Dungeon
from solvent.dungeon.requirements import goes_beyond_locks
from solvent.dungeon.rules import State
from solvent.dungeon.solver.exploring import EXPLORED, GIVES_UP, Exploration, begin, mark_reached, reached_cells, run
from solvent.dungeon.solver.flags import Flags, flags_of, is_within
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.mechanics import NOBODY
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.ranks_kernel import AlwaysSet
from solvent.dungeon.solver.situations import explore_from
from solvent.dungeon.solver.state_kernel import PackedState
from solvent.dungeon.solver.walking import walk_out

MAX_SITUATIONS = 400_000


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """Hold which cells can be reached."""

    areas: Flags
    cells: Flags
    at_most: Flags
    """Cells that could be reached if nothing were used up; no other ever is."""
    exact: bool
    """False if the search had to end before everything was looked at: more may be within reach."""
    never_missed: frozenset[int]
    """Locks and cracked walls that can be opened sooner or later, whatever else is opened before, by who takes all that
    is within reach; none if that is not known."""
    home: frozenset[int]
    """The areas one can walk about in from the beginning without changing anything."""


def explore_reach(land: Land, questions: SubQuestions[Dungeon]) -> Reach:
    """Find every cell that can be reached from the present state."""
    bound = frozenset[int]().union(*(sphere.areas for sphere in find_spheres(Passages(land))))
    trusted = not goes_beyond_locks(land.dungeon)  # else what could be reached at most is not known beforehand
    exploration = _begin(land, land.state)
    home = frozenset(exploration.region(0))
    areas = bytearray(land.analysis.areas().graph.nodes)
    wanted = flags_of(bound, len(areas))
    marked = 0

    def enough(each: Exploration) -> bool:
        nonlocal marked
        marked = mark_reached(each, areas, marked, questions.meter)
        return each.count > MAX_SITUATIONS or (trusted and is_within(wanted, areas))

    ended, reason = run(exploration, questions.meter, ignore, enough=enough)
    mark_reached(exploration, areas, marked, questions.meter)
    everything = ended == EXPLORED and reason is None
    exact = everything or (trusted and is_within(wanted, areas))
    if not exact:
        questions.reason = questions.reason or reason
    cells = land.analysis.areas().cells_of(areas)
    never_missed = _never_missed(land, exploration, questions) if everything else frozenset[int]()
    at_most = cells_of(land, bound) if trusted else cells if exact else bytearray(b"\1") * land.ground.cells.nodes
    return Reach(areas, cells, at_most, exact, never_missed, home)


def cells_after(land: Land, state: State, questions: SubQuestions[Dungeon]) -> Flags:
    """Return the cells that can be reached from a state that is lost; fewer if the budget ends."""
    exploration = _begin(land, state)
    _, reason = run(exploration, questions.meter, ignore, enough=lambda each: each.count > MAX_SITUATIONS)
    questions.reason = questions.reason or reason
    return reached_cells(exploration, questions.meter)


def _begin(land: Land, state: State) -> Exploration:
    cell, words = land.analysis.locate(state)
    return begin(land.ground, land.analysis.areas(), cell, words, saturated=True, meter=land.meter)


def _never_missed(land: Land, exploration: Exploration, questions: SubQuestions[Dungeon]) -> frozenset[int]:
    """Return the gates that in each situation are open, or are so in one that can follow."""
    layout = land.ground.layout
    opening = {number: at for number, at in layout.gates.items() if land.dungeon.gates[number].kind != "soft"}
    bits = PackedState(bits_of(layout, list(opening.values())))
    questions.meter.require_memory(8 * bits.count * exploration.count / 1e6, "what is opened in every situation")
    following = AlwaysSet(exploration.situations, bits)
    in_pieces(following.run, questions.meter)
    always = following.found()
    return frozenset(number for number, at in opening.items() if always[at.word] & at.mask)


@dataclass(frozen=True, slots=True)
class Loss:
    """Hold a walk that loses, if there is one. With neither a walk nor safety, nothing is known."""

    walk: list[str] | None = None
    is_safe: bool = False


def find_loss(land: Land, questions: SubQuestions[Dungeon]) -> Loss:
    """Explore every situation and look for one that is lost; without proof, since most changes are thrown away."""
    game, analysis = land.ground.game, land.analysis
    if game.is_won(land.state):
        return Loss(is_safe=True)
    watch = land.dungeon.rules.player != "thorough"
    cell, words = analysis.locate(land.state)
    meter = questions.meter
    saturated = not watch or land.ground.layout.asked.only_grows
    areas = analysis.areas(apart=not saturated)
    watch = watch and saturated
    exploration = begin(land.ground, areas, cell, words, saturated=saturated, watch_loss=watch, meter=meter)
    ended, reason = run(exploration, questions.meter, ignore)
    if ended == GIVES_UP:
        exploration = begin(land.ground, analysis.areas(apart=True), cell, words, saturated=False, meter=meter)
        ended, reason = run(exploration, questions.meter, ignore)
    if ended != EXPLORED or reason is not None:
        questions.reason = questions.reason or reason
        return Loss()
    ranks = exploration.ranks(questions.meter).row().tolist()
    for first, rank in enumerate(meter.each(ranks)):
        parent = exploration.situations.parent_of(first)[0]
        # The first on its way that is lost: the one before it, if there is one, is not.
        if rank < 0 and (parent == NOBODY or ranks[parent] >= 0):
            return Loss(walk_out(exploration, cell, words, exploration.path_to(first), meter))
    return Loss(is_safe=True)


def is_winnable(land: Land, state: State, questions: SubQuestions[Dungeon]) -> bool:
    """Tell whether the goal can be reached from a state, or might be, if the budget ends before that is known."""
    exploration, reason = explore_from(land.analysis, state, questions.meter, ignore, stop_at_win=True)
    return reason is not None or exploration.first_win >= 0
