"""What bars the way: what can be reached against the twin, and the sentences that name obstacles."""

from __future__ import annotations

import pytest
from torture.judges.dungeon import all_states

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from helpers.depth import up_to
from solvent.core.budget import Budget
from solvent.core.events import ignore
from solvent.dungeon.model import Dungeon, Gate, Place, Rules, Way
from solvent.dungeon.solver.exploring import Exploration, mark_reached, reached_cells
from solvent.dungeon.solver.flags import chosen
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.obstacles import find_obstacles
from solvent.dungeon.solver.situations import Analysis, explore_from


def explored(dungeon: Dungeon) -> Exploration:
    """Explore everything that can follow the present state."""
    found = Analysis.of(ground_level(dungeon))
    state = found.ground.game.present_state()
    exploration, reason = explore_from(found, state, Budget().start(), ignore, stop_at_win=False)
    assert reason is None
    return exploration


def reached_places(dungeon: Dungeon) -> set[Place]:
    exploration = explored(dungeon)
    return {exploration.ground.place(cell) for cell in chosen(reached_cells(exploration))}


class TestWhatCanBeReached:
    @pytest.mark.parametrize("name", [name for name in KNOWN if name != "standing on the goal"])
    def test_known_dungeons(self, name: str):
        dungeon = KNOWN[name].dungeon
        assert reached_places(dungeon) == {state.place for state in all_states(dungeon)}

    def test_random_dungeons(self):
        unreached = 0
        for seed in range(up_to(80, deep=200)):
            dungeon = random_dungeon(seed)
            if random_truth(seed).plan == 0:
                continue
            places = {state.place for state in all_states(dungeon)}
            assert reached_places(dungeon) == places, seed
            ground = explored(dungeon).ground
            unreached += len({ground.place(cell) for cell in range(ground.cells.nodes)} - places)
        assert unreached > 80

    def test_bit_by_bit_it_is_the_same(self):
        exploration = explored(KNOWN["through the door without the key"].dungeon)
        cells = reached_cells(exploration)
        areas = bytearray(cells[first] for first in exploration.areas.first_cell)
        again = bytearray(len(areas))
        done = mark_reached(exploration, again, exploration.count // 2)
        assert done == exploration.count
        assert mark_reached(exploration, again, done) == done
        mark_reached(exploration, again, 0)
        assert again == areas


class TestObstacles:
    def test_none_where_the_goal_can_be_reached(self):
        for seed in range(60):
            if random_truth(seed).plan:
                exploration = explored(random_dungeon(seed))
                goals = [exploration.ground.cell(goal) for goal in exploration.ground.dungeon.goals]
                reached = reached_cells(exploration)
                if all(reached[goal] for goal in goals):
                    assert all(obstacle.place != obstacle.beyond for obstacle in find_obstacles(exploration))

    def test_some_where_gates_alone_are_in_the_way(self):
        found = 0
        for seed in range(up_to(80, deep=200)):
            if random_truth(seed).plan is None:
                because = solvent.ask(random_dungeon(seed), "solvable").because
                obstacles = find_obstacles(explored(random_dungeon(seed)))
                assert bool(obstacles) == because.startswith("First in the way: ")
                found += len(obstacles)
        assert found > 8

    def test_each_gate_is_named_once(self):
        gates = (Gate("lock", ("",), ((0, 0, 2), (0, 1, 2))),)
        (obstacle,) = find_obstacles(explored(dungeon_of("@..G/....", gates=gates)))
        assert (obstacle.kind, obstacle.gate, obstacle.place, obstacle.beyond) == ("lock", 0, (0, 0, 1), (0, 0, 2))


SENTENCES = [
    (dungeon_of("@.#G"), "No way leads to the goal: walls are in the way."),
    (
        dungeon_of("l@~~G", rules=Rules(crossing="one")),
        "No way leads to the goal: water too wide to leap is in the way.",
    ),
    (dungeon_of("@LG"), "First in the way: a lock at row 0, column 1, and no key within reach."),
    (
        dungeon_of("r@RRG"),
        "First in the way: the red lock at row 0, column 3, with 1 red key for 2 red locks within reach.",
    ),
    (
        dungeon_of("#r.L@kL.RG#"),
        "First in the way: the red lock at row 0, column 8. Within reach: 1 plain key for 2 plain locks.",
    ),
    (
        dungeon_of("@", ".", "G", ways=(Way((0, 0, 0), (1, 0, 0), "door"), Way((2, 0, 0), (1, 0, 0), "door"))),
        "No way leads to the goal: the door from floor 2 to floor 1 leads only the other way.",
    ),
    (
        dungeon_of("@.<.G"),
        "No way leads to the goal: the one-way tile at row 0, column 2 leads only the other way.",
    ),
    (dungeon_of("@BG"), "First in the way: a cracked wall at row 0, column 1, and no bomb within reach."),
    (dungeon_of("@TtG"), "First in the way: the gate for torch at row 0, column 1, and no torch within reach."),
    (
        dungeon_of("@TG", strict=False),
        "First in the way: the gate for torch at row 0, column 1, and no torch within reach.",
    ),
    (dungeon_of("@~G"), "First in the way: water before row 0, column 0, and no ladder within reach."),
    (dungeon_of("@oG"), "First in the way: a block at row 0, column 1."),
    (dungeon_of("@o.G/##.#"), "First in the way: a block at row 0, column 1."),
    (dungeon_of("#@o.G#"), "First in the way: a block at row 0, column 2."),
    (dungeon_of("@L.#G"), "Even with every gate open, no way leads to the goal: walls are in the way."),
    (dungeon_of("#@ G#"), "No way leads to the goal: gaps are in the way."),
    (dungeon_of("@ #G"), "No way leads to the goal: walls or gaps are in the way."),
    (dungeon_of("#@.#", "#.G#"), "No way leads from floor 0 to floor 1, where the goal is."),
    (
        dungeon_of("@", ".", "G", ways=(Way((0, 0, 0), (1, 0, 0), "door"),)),
        "No way leads to floor 2, where the goal is.",
    ),
    (
        dungeon_of("@.#.", ".G", ways=(Way((0, 0, 3), (1, 0, 0), "stairs"),)),
        "No way leads to the goal: walls are in the way.",
    ),
    (
        dungeon_of("@.", "G.", ways=(Way((1, 0, 1), (0, 0, 1), "stairs"),)),
        "No way leads to the goal: the stairs from floor 1, row 0, column 1 to floor 0, row 0, column 1 "
        "lead only the other way.",
    ),
    (dungeon_of("@dGs"), ""),
    (
        dungeon_of("@D..G/##.s#", rooms={"den": ((0, 0, 0), 1, 2)}),
        "First in the way: the barrier of lever at row 0, column 1 (den).",
    ),
    (
        dungeon_of("@.", ".G", ways=(Way((0, 0, 1), (1, 0, 0), "door", 0),), gates=(Gate("lock", ("",)),)),
        "First in the way: a lock from floor 0, row 0, column 1 to floor 1, row 0, column 0, and no key within reach.",
    ),
    (
        dungeon_of("@L.G/L###/..##", rules=Rules(keys=())),
        "First in the way: a lock at row 0, column 1, and no key within reach.",
    ),
]


@pytest.mark.parametrize(("dungeon", "words"), SENTENCES, ids=[words[:60] or "none" for _, words in SENTENCES])
def test_sentences(dungeon: Dungeon, words: str):
    assert solvent.ask(dungeon, "solvable").because == words


def test_a_pushed_block_is_named():
    dungeon = dungeon_of("@o.G/.#.#", played="E", strict=False)
    assert solvent.ask(dungeon, "solvable").because == "First in the way: a block at row 0, column 2."
