"""The parts that kernels are made of, and dungeons that make each of them work; run in every mode."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.core.examples import Example
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver import flags, mechanics
from solvent.dungeon.solver.state_kernel import PackedState, StateTable
from solvent.dungeon.solver.tiles_kernel import Tiles

pytestmark = pytest.mark.modes

EXAMPLES = solvent.examples("dungeon")
DOORS = 36
HUB = """dungeon: A hub with more locks than keys

map:
#############
#.#.#.#.#.#.#
#L#L#L#L#L#L#
#@kkkkk.....#
#L#L#L#L#L#L#
#.#.#.#.#.#G#
#############
"""


def corridor(doors: int) -> Dungeon:
    """Return a corridor of keys and doors in turn: more bits than one word has."""
    return solvent.parse(f"dungeon: Door after door\n\nmap:\n@{'kL' * doors}G\n")


class TestTiles:
    @pytest.mark.parametrize(
        "place", [(0, 2, 0), (0, 0, 3), (0, -1, 1), (0, 1, -1), (1, 0, 0), (-1, 0, 0), (0, 10**6, 0)]
    )
    def test_a_place_outside_is_refused(self, place: tuple[int, int, int]):
        floors = [["...", "..."]]
        with pytest.raises(ValueError, match=r"expected a place inside the dungeon, found \("):
            Tiles(floors, False, []).cell(place)
        with pytest.raises(ValueError, match="expected a place inside"):
            Tiles(floors, False, [place])

    @pytest.mark.parametrize("rows", [["...", ".."], ["..", "..."]])
    def test_rows_of_different_lengths_are_refused(self, rows: list[str]):
        with pytest.raises(ValueError, match=r"expected rows of one length on floor 1, found \[2, 3\]"):
            Tiles([["."], rows], False, [])


def test_kinds_are_the_same_in_c():
    declared = dict(
        re.findall(r"^    (\w+) = (-?\d+)$", Path(mechanics.__file__).with_suffix(".pxd").read_text(), re.M)
    )
    assert len(declared) > 20
    assert {name: getattr(mechanics, name) for name in declared} == {name: int(declared[name]) for name in declared}


class TestStates:
    @pytest.mark.parametrize("count", [1, 3])
    def test_a_table_agrees_with_a_dict(self, count: int):
        draw = Random(count)
        table, known = StateTable(count, 4), dict[tuple[tuple[int, ...], int], int]()
        for _ in range(600):
            words = tuple(draw.choice([0, 1, 1 << 59, (1 << 64) - 1, draw.getrandbits(6)]) for _ in range(count))
            place = draw.randrange(3)
            state = PackedState(words)
            assert table.find(state, place) == known.get((words, place), -1)
            number = table.find_or_add(state, place)
            if number < 0:
                assert table.size == table.capacity == len(known)
                table.grow()
                number = table.find_or_add(state, place)
            assert number == known.setdefault((words, place), len(known))
        assert table.size == len(known) > 16
        assert [(table.words_of(entry), table.place_of(entry)) for entry in range(table.size)] == list(known)

    def test_a_copy_is_its_own(self):
        state = PackedState([3, (1 << 64) - 1])
        other = state.copy()
        assert other.equals(state)
        other.become(PackedState([1, 2]))
        assert (state.as_tuple(), other.as_tuple()) == ((3, (1 << 64) - 1), (1, 2))
        assert not other.equals(state)


class TestFlags:
    def test_they_are_sets(self):
        draw = Random(1)
        for _ in range(50):
            one, other = ({draw.randrange(20) for _ in range(draw.randrange(20))} for _ in range(2))
            left, right = flags.flags_of(one, 20), flags.flags_of(other, 20)
            assert flags.chosen(left) == sorted(one)
            assert set(flags.chosen(flags.both(left, right))) == one & other
            assert set(flags.chosen(flags.either(left, right))) == one | other
            assert set(flags.chosen(flags.only_in(left, right))) == one - other
            assert set(flags.chosen(flags.opposite(left))) == set(range(20)) - one
            assert flags.is_within(left, right) == (one <= other)


class TestWholeDungeons:
    def test_states_of_several_words(self):
        dungeon = corridor(DOORS)
        assert solvent.ask(dungeon, "solvable").stats["plan_length"] == 2 * DOORS + 1
        assert solvent.ask(dungeon, "losable").verdict is Verdict.NO
        missing = solvent.parse(f"dungeon: One short\n\nmap:\n@{'kL' * DOORS}.LG\n")
        assert solvent.ask(missing, "solvable").verdict is Verdict.NO

    def test_tables_that_grow(self):
        hub = solvent.parse(HUB)
        counts = []
        for question in ("solvable", "losable"):
            answer = solvent.ask(hub, question, macros=False, dominance=False, plan_heuristic=False)
            assert answer.verdict is Verdict.YES
            counts.append(answer.stats["expanded"])
        assert min(counts) > 600, "more than there is room for at first"

    @pytest.mark.parametrize("example", EXAMPLES[::3], ids=[example.name for example in EXAMPLES[::3]])
    @pytest.mark.parametrize("option", ["shortest", "macros", "areas"])
    def test_every_part_switched_off(self, example: Example, option: str):
        dungeon = solvent.parse(example.text)
        for question, verdict in example.expected.items():
            assert solvent.ask(dungeon, question, **{option: False}).verdict is verdict

    @pytest.mark.parametrize("example", EXAMPLES[::4], ids=[example.name for example in EXAMPLES[::4]])
    def test_explanations(self, example: Example):
        explanation = solvent.explain(solvent.parse(example.text), nodes=2_000)
        assert explanation.data["spheres"]
