"""Which areas and tiles a player can ever stand on, read off the situations of an exploration."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.exploring_kernel import NODE, complete
from solvent.dungeon.solver.ground import TARGET
from solvent.dungeon.solver.stepping import ILLEGAL, take
from solvent.engine.jit.kernel import kernel

Flags = npt.NDArray[np.bool_]

SITUATIONS_A_CALL = 20_000


def mark_reached(exploration: Exploration, areas: Flags, first: int) -> int:
    """Mark the areas that situations from number `first` on can get to, goals included; return how many there are.

    Pass what was returned as `first` to go on once more were found.
    """
    each, graph, ground = exploration, exploration.areas.graph, exploration.ground
    words = np.empty((2, ground.layout.words), dtype=np.int64)
    while first < each.count:
        last = min(each.count, first + SITUATIONS_A_CALL)
        _mark(
            graph.arcs, graph.starts, each.areas.incoming, each.areas.incoming_starts, ground.gates, ground.blocks,
            ground.stocks, graph.effects, graph.effect_starts, graph.rests, graph.rest_starts, graph.is_goal,
            each.memory, first, last, words[0], words[1], each.marks, each.lists, each.control, areas,
        )  # fmt: skip
        first = last
    return first


def reached_cells(exploration: Exploration) -> Flags:
    """Return which cells a player can ever stand on, as far as the exploration went."""
    areas = np.zeros(exploration.areas.graph.nodes, dtype=np.bool_)
    mark_reached(exploration, areas, 0)
    cells: Flags = areas[exploration.areas.area_of]
    return cells


@kernel
def _mark(
    arcs: Any,
    starts: Any,
    incoming: Any,
    incoming_starts: Any,
    gates: Any,
    blocks: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    rests: Any,
    rest_starts: Any,
    is_goal: Any,
    memory: Any,
    first: Any,
    last: Any,
    words: Any,
    out: Any,
    marks: Any,
    lists: Any,
    control: Any,
    reached: Any,
) -> None:
    """Set `reached` (bool, one for each area) for the regions of situations, and for the goals next to them.

    The situations are those from `first` up to `last`. `memory`, `marks`, `lists` and `control` are those of the
    exploration; `words` and `out` are int64, one for each word of a state.
    """
    count = len(words)
    for situation in range(first, last):
        for word in range(count):
            words[word] = memory[situation, word]
        size, _ = complete(
            arcs, starts, incoming, incoming_starts, gates, blocks, stocks, effects, effect_starts, rests,
            rest_starts, is_goal, memory[situation, count + NODE], words, out, marks, lists, control,
        )  # fmt: skip
        for index in range(size):
            here = lists[1, index]
            reached[here] = True
            for arc in range(starts[here], starts[here + 1]):
                there = arcs[arc, TARGET]
                if is_goal[there] and not reached[there]:
                    effect = take(
                        arcs, arc, gates, blocks, stocks, effects, effect_starts, rests, rest_starts, words, out
                    )
                    if effect != ILLEGAL:
                        reached[there] = True
