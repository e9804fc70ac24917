"""Hints: following them wins, warnings are true, and what is lost is called so, each with its proof."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from torture.judges.dungeon import dead_states, first_state, play

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from helpers.depth import up_to
from helpers.examples import load_example
from solvent.cli.start import main
from solvent.core.answer import Cause, Verdict
from solvent.core.domain import Drawing
from solvent.core.hints import Hint
from solvent.drawing.phrases import capitalised
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.events import parse_run
from solvent.dungeon.model import Dungeon, Rules

EXAMPLES = {example.name: example for example in DOMAIN.examples()}
SOLVABLE = [name for name, example in EXAMPLES.items() if example.expected["solvable"] is Verdict.YES]


example = partial(load_example, "dungeon")


def hints(dungeon: Dungeon, **options) -> list[Hint]:
    """Return all hints; whoever asks for them has had their certificates checked."""
    return list(solvent.hints(dungeon, **options))


@cache
def solvable_seeds(count: int) -> tuple[int, ...]:
    """Return seeds of random dungeons that can be finished in at least two moves."""
    found: list[int] = []
    seed = 0
    while len(found) < count:
        if (random_truth(seed).plan or 0) > 1:
            found.append(seed)
        seed += 1
    return tuple(found)


def follow(dungeon: Dungeon) -> int:
    """Ask again after each step; return the steps it took to the goal, none of which was a mistake."""
    dead = dead_states(dungeon)
    here, steps = dungeon, 0
    while True:
        hint = next(iter(solvent.hints(here)))
        assert not hint.lost
        assert hint.reason is None
        if hint.move is None:
            assert first_state(here).place in dungeon.goals
            return steps
        moves = parse_run(hint.move)
        assert moves
        assert list(hint.data["moves"]) == moves
        for move in moves:
            here = replace(here, played=(*here.played, move))
            assert first_state(here) not in dead
        steps += 1
        assert steps < 100


def assert_warnings_are_true(dungeon: Dungeon, told: list[Hint]) -> int:
    """Play each walk that a hint warns of, from where the steps before it lead; return how many there were."""
    dead = dead_states(dungeon)
    made: list[str] = []
    warnings = 0
    for hint in told:
        for danger in hint.data.get("dangers", ()):
            walk = [*made, *danger["walk"]]
            after = play(dungeon, walk)
            assert after in dead
            assert play(dungeon, walk[:-1]) not in dead
            assert list(after.place) == danger["place"]
            assert danger["place"] in hint.data["highlights"]["danger"]
            event = danger["event"]
            assert event in hint.narrative or f"Careful! {capitalised(event)}" in hint.narrative
            warnings += 1
        assert len(hint.also) == len(hint.data.get("dangers", ()))
        assert hint.also == () or hint.certificate is not None, "without a certificate, nothing is checked"
        made += hint.data.get("moves", ())
    return warnings


class TestFollowing:
    @pytest.mark.parametrize("name", SOLVABLE)
    def test_the_hints_lead_through_every_example(self, name: str):
        assert follow(example(name)) >= 1

    def test_the_hints_lead_through_random_dungeons(self):
        steps = [follow(random_dungeon(seed)) for seed in solvable_seeds(60)]
        assert max(steps) >= 5

    @pytest.mark.parametrize("name", SOLVABLE)
    def test_all_steps_together_are_the_plan(self, name: str):
        dungeon = example(name)
        told = hints(dungeon)
        plan = [move for hint in told for move in hint.data["moves"]]
        assert told[0].certificate is not None
        assert told[0].certificate["plan"] == plan
        assert [hint.data["step"] for hint in told] == list(range(1, told[0].data["steps"] + 1))
        assert len(plan) == solvent.ask(dungeon).stats["plan_length"]

    @pytest.mark.parametrize("name", SOLVABLE)
    def test_a_step_can_be_drawn(self, name: str):
        dungeon = example(name)
        for hint in hints(dungeon, path=True):
            drawing = Drawing.of_hint(hint)
            assert "<svg" in DOMAIN.draw_svg(dungeon, drawing)
            assert DOMAIN.draw_text(dungeon, drawing)
            assert hint.data["highlights"]["path"][-1] == hint.data["highlights"]["target"]


class TestWords:
    def test_a_step_says_what_to_do_and_what_for(self):
        first, second, *_ = hints(example("red_and_blue"))
        assert first.caption == "Take the red key at row 3, column 4: EEESS"
        assert first.narrative.startswith(
            "It opens the red lock at row 1, column 6 later on. Next: open the red lock at row 1, column 6."
        )
        assert first.where == "Look to the south-east."
        assert second.caption == "Open the red lock at row 1, column 6: NNEE"

    def test_an_item_is_for_the_water(self):
        ladder = hints(example("across_the_moat"))[0]
        assert ladder.caption.startswith("Take the ladder")
        assert "over the water" in ladder.narrative

    def test_a_plate_opens_a_barrier_and_shuts_it(self):
        told = [hint.narrative for hint in hints(example("two_plates"))]
        assert told[0].startswith("That opens the barrier of portcullis")
        assert told[1].startswith("That closes the barrier of portcullis")

    def test_a_monster_keeps_a_door_shut(self):
        assert "you cannot leave den" in hints(example("the_den"))[0].narrative

    def test_ways_are_named_by_the_rooms_they_join(self):
        told = hints(example("rooms_on_paper"))
        assert told[1].caption == "Open a lock from Courtyard to Chapel: 2"
        assert told[1].where == "Look in Chapel."

    def test_another_floor_is_named(self):
        assert hints(example("up_and_down"))[0].where == "Look on another floor: attic."

    def test_things_that_make_no_difference_are_no_steps(self):
        dungeon = dungeon_of("@mkLG")  # no room has soft doors, so the monster bars nobody
        assert [hint.data["event"] for hint in hints(dungeon)] == [
            "take a key at row 0, column 2",
            "open a lock at row 0, column 3",
            "reach the goal at row 0, column 4",
        ]

    def test_two_keys_are_for_two_locks(self):
        narrative = hints(dungeon_of("@KLLG"))[0].narrative
        assert narrative.startswith("They open the lock at row 0, column 2 and the lock at row 0, column 3 later on.")

    @pytest.mark.parametrize("name", EXAMPLES)
    def test_the_command_stays_within_80_columns(
        self, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ):
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.chdir(tmp_path)
        file = Path("it.txt")
        file.write_text(EXAMPLES[name].text, encoding="utf-8")
        code = main(["hint", str(file), "--path"])
        said = capsys.readouterr().out
        assert code == (0 if name in SOLVABLE else 10)
        assert max(map(len, said.splitlines())) <= 80
        told = hints(example(name))[0].caption
        assert told.split(":")[0] in " ".join(said.split())


class TestWarnings:
    def test_the_wrong_door_is_named_before_the_key_is_taken(self):
        first, second, third = hints(example("the_wrong_door"), path=True)
        assert (
            "Careful! If you take a key at row 3, column 8 and then open a lock at row 2, column 6, you lose. "
            in first.narrative
        )
        assert "Careful! Open a lock at row 2, column 6 and you lose." in second.narrative
        assert "Careful" not in third.narrative
        assert first.data["highlights"]["danger"] == [[0, 2, 6]]

    def test_without_the_path_only_the_first_step_warns(self):
        first, *later = hints(example("the_wrong_door"))
        assert first.also
        assert not any(hint.also for hint in later)

    def test_two_drops_from_a_ledge_are_one_warning(self):
        first = hints(example("the_ledge"))[0]
        assert len(first.also) == 2
        assert first.narrative.count("Careful") == 1
        assert "Go to row 4, column 4 or go to row 4, column 5 and you lose." in first.narrative

    @pytest.mark.parametrize("name", SOLVABLE)
    def test_they_are_true_in_every_example(self, name: str):
        dungeon = example(name)
        warnings = assert_warnings_are_true(dungeon, hints(dungeon, path=True))
        if EXAMPLES[name].expected["losable"] is Verdict.YES:
            assert warnings
        elif dungeon.rules.player == "any":
            assert not warnings

    def test_they_are_true_in_random_dungeons(self):
        warnings = {"any": 0, "thorough": 0}
        for seed in solvable_seeds(80):
            dungeon = random_dungeon(seed)
            warnings[dungeon.rules.player] += assert_warnings_are_true(dungeon, hints(dungeon, path=True))
        assert min(warnings.values()) > 10

    @pytest.mark.parametrize("player", ["any", "thorough"])
    def test_a_loss_one_move_away_is_never_left_out(self, player: str):
        warned = 0
        for seed in solvable_seeds(80):
            dungeon = replace(random_dungeon(seed), rules=replace(random_dungeon(seed).rules, player=player))
            dead = dead_states(dungeon)
            near = [move for move in "NESW" if play(dungeon, [move]) in dead]
            if near:
                warned += 1
                assert next(iter(solvent.hints(dungeon))).data["dangers"]
        assert warned > 3

    def test_what_proves_them_is_about_the_dungeon_as_it_stands(self):
        dungeon = example("the_ledge")
        ((instance, certificate), *_) = hints(dungeon)[0].also
        assert instance == dungeon
        assert (certificate["question"], certificate["verdict"]) == ("losable", "YES")

    def test_a_thorough_player_is_warned_by_what_follows_the_walk(self):
        dungeon = example("the_careful_climber")
        first = hints(dungeon)[0]
        for (instance, certificate), danger in zip(first.also, first.data["dangers"], strict=True):
            assert instance.played == tuple(danger["walk"])
            assert (certificate["question"], certificate["verdict"]) == ("solvable", "NO")


class TestNews:
    def test_a_goal_that_is_reached(self):
        (hint,) = hints(KNOWN["standing on the goal"].dungeon)
        assert hint.caption == "The goal is reached."
        assert hint.move is None
        assert hint.certificate is not None
        assert hint.certificate["plan"] == []

    def test_a_dungeon_that_is_lost_says_by_which_move(self):
        (hint,) = hints(example("too_late"))
        assert hint.lost
        assert hint.caption == "This is lost: the goal cannot be reached from here."
        assert hint.narrative.startswith(
            "Every way to the goal opens the lock at row 4, column 6, and there is no key left."
        )
        assert "Move 5 of 5 lost it, E: open a lock at row 2, column 6. Take back that move" in hint.narrative
        assert hint.data["lost_by"] == 5
        assert hint.certificate is not None
        assert hint.certificate["form"] == "closed set"

    def test_several_reasons_are_a_list(self):
        (hint,) = hints(dungeon_of("@LT~G", strict=False))
        lines = hint.narrative.splitlines()
        assert [line[:2] for line in lines[1:4]] == ["1.", "2.", "3."]
        assert lines[4:] == ["It was lost from the start."]

    def test_a_dungeon_that_nobody_can_finish(self):
        dungeon = replace(example("one_bomb_short"), played=("E", "E"))
        (hint,) = hints(dungeon)
        assert hint.lost
        assert "lost from the start" in hint.narrative
        assert hint.also[0][0].played == ()

    def test_random_dungeons_are_called_lost_when_they_are(self):
        lost = 0
        for seed in range(up_to(80, deep=150)):
            first = next(iter(solvent.hints(random_dungeon(seed))))
            assert first.lost == (random_truth(seed).plan is None)
            lost += first.lost
        assert lost > 15

    def test_the_right_move_is_blamed_however_long_one_went_on(self):
        blamed = 0
        for seed in solvable_seeds(up_to(30, deep=60)):
            dungeon = random_dungeon(seed)
            walk = solvent.ask(dungeon, "losable").certificate.get("walk")
            if walk is None:
                continue
            played = [*dungeon.played, *walk]
            for further in range(3):
                (hint,) = hints(replace(dungeon, played=tuple(played)))
                assert hint.data["lost_by"] == len(dungeon.played) + len(walk)
                assert hint.data["take_back"] == further + 1
                blamed += 1
                move = next((move for move in "NESW" if play(replace(dungeon, played=()), [*played, move])), None)
                if move is None:
                    break
                played.append(move)
        assert blamed > 30

    def test_without_a_budget_nothing_is_claimed(self):
        (hint,) = hints(example("first_door"), nodes=0)
        assert hint.reason is not None
        assert hint.reason.cause is Cause.NODES
        assert not hint.lost
        assert hint.move is None

    def test_a_small_budget_gives_true_hints_or_none(self):
        for seed in solvable_seeds(20):
            for nodes in (1, 5, 20, 80):
                dungeon = random_dungeon(seed)
                told = hints(dungeon, nodes=nodes)
                assert told[0].reason is not None or not told[0].lost
                assert_warnings_are_true(dungeon, told)

    def test_any_plan_will_do_where_the_shortest_is_not_asked_for(self):
        told = hints(dungeon_of("k@LG/.L##", rules=Rules(keys=(("", 1),))), shortest=False)
        assert told[-1].data["event"].endswith("reach the goal at row 0, column 3")
