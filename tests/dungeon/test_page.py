"""What a page shows of a dungeon, and what can be done there: the same rules, in a player's words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvent
from dungeon.strategies import dungeons
from helpers.examples import load_example
from solvent.core.errors import BadOption
from solvent.dungeon import DOMAIN
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import Dungeon
from solvent.dungeon.page import marks, page_data, play
from solvent.dungeon.page.refusals import why_not
from solvent.dungeon.rules import Game

EXAMPLES = {example.name: FORMATS.parse(example.text) for example in DOMAIN.examples()}


def walked(dungeon: Dungeon, *runs: str) -> Dungeon:
    for run in runs:
        dungeon = play(dungeon, {"do": "step", "directions": list(run)})
    return dungeon


def refusal(dungeon: Dungeon, action: dict[str, Any]) -> str:
    with pytest.raises(BadOption) as refused:
        play(dungeon, action)
    return str(refused.value)


def step(direction: str) -> dict[str, Any]:
    return {"do": "step", "directions": [direction]}


class TestScene:
    def test_the_domain_can_be_played_and_marked(self) -> None:
        assert DOMAIN.page is not None
        assert DOMAIN.page is not None

    @pytest.mark.parametrize("name", EXAMPLES)
    def test_it_is_json_with_everything_in_it(self, name: str) -> None:
        dungeon = EXAMPLES[name]
        shown = json.loads(msgspec.json.encode(page_data(dungeon)))
        picture = shown["picture"]
        assert len(picture["gates"]) == len(dungeon.gates)
        assert all("<g" in gate[look] for gate in picture["gates"] for look in ("shut", "open"))
        assert {thing["pickup"] for thing in picture["things"] if "pickup" in thing} == set(range(len(dungeon.pickups)))
        assert len(picture["ways"]) == len(dungeon.ways)
        assert shown["track"]["moves"] == list(dungeon.played)

    def test_the_picture_stays_while_one_plays(self) -> None:
        dungeon = EXAMPLES["first_door"]
        after = walked(dungeon, "EE")
        assert page_data(dungeon)["picture"]["id"] == page_data(after)["picture"]["id"]
        assert page_data(dungeon)["picture"]["id"] != page_data(EXAMPLES["the_ledge"])["picture"]["id"]

    def test_the_track_says_what_changes_and_when(self) -> None:
        dungeon = EXAMPLES["the_wrong_door"]
        track = page_data(walked(dungeon, "SNW", "W"))["track"]
        assert track["places"][0] == list(dungeon.start)
        first, taken, opened = track["changes"]
        assert (first["move"], taken["move"], opened["move"]) == (0, 1, 4)
        assert taken["have"] == {"keys": [["", 1]], "bombs": 0, "items": [], "counts": {}}
        assert opened["have"]["keys"] == []
        assert opened["gates"] == [[0, True]]
        assert [event["words"] for event in track["events"]] == ["take a key", "open a lock"]

    @pytest.mark.parametrize("name", EXAMPLES)
    def test_looks_folded_over_the_track_are_those_of_the_end(self, name: str) -> None:
        from solvent.dungeon.drawing.signs import gate_is_open

        answer = solvent.ask(EXAMPLES[name], "solvable")
        if answer.certificate is None or not answer.certificate.get("plan"):
            return
        dungeon = play(EXAMPLES[name], {"do": "walk", "moves": answer.certificate["plan"]})
        game = Game(dungeon)
        end = game.present_state()
        looks: dict[int, bool] = {}
        taken: set[int] = set()
        switches: dict[str, str] = {}
        for change in page_data(dungeon)["track"]["changes"]:
            looks.update(dict(change.get("gates", ())))
            taken.update(change.get("taken", ()))
            switches.update(dict(change.get("switches", ())))
        assert looks == {number: gate_is_open(game, number, end) for number in range(len(dungeon.gates))}
        assert taken == end.taken
        assert switches == {switch.name: game.switch_state(end, switch.name) for switch in dungeon.switches}
        assert page_data(dungeon)["track"]["won"]

    @given(dungeons())
    def test_any_dungeon_has_a_scene(self, dungeon: Dungeon) -> None:
        msgspec.json.encode(page_data(dungeon))


class TestActions:
    def test_walk_there_and_back(self) -> None:
        dungeon = EXAMPLES["first_door"]
        after = walked(dungeon, "ESE")
        assert after.played == ("E", "S", "E")
        assert play(after, {"do": "back", "to": 1}).played == ("E",)
        assert play(after, {"do": "back", "to": 99}) == after

    def test_steps_go_as_far_as_they_go(self) -> None:
        after = play(EXAMPLES["first_door"], {"do": "step", "directions": ["E"] * 30})
        assert 0 < len(after.played) < 30

    def test_an_arrow_leads_through_a_doorway(self) -> None:
        text = "dungeon:\n\nmap:\n#####\n#@#G#\n#####\n\nways:\n  1,1 <-> 1,3: door\n"
        assert walked(FORMATS.parse(text), "E").played == ("0",)

    def test_a_tile_that_is_pointed_at_is_walked_to_without_spending(self) -> None:
        dungeon = walked(EXAMPLES["the_wrong_door"], "S")
        near = play(dungeon, {"do": "go", "to": [0, 2, 7]})
        assert Game(near).present_state().opened == frozenset()
        assert "without opening" in refusal(dungeon, {"do": "go", "to": [0, 2, 2]})
        door = play(dungeon, {"do": "go", "to": [0, 2, 10]})
        assert len(Game(door).present_state().opened) == 1
        assert refusal(dungeon, {"do": "go", "to": [0, 0, 0]}) == "There is no floor there."

    def test_ways_are_walked_as_well(self) -> None:
        dungeon = EXAMPLES["rooms_on_paper"]
        crypt = next(way.target for way in dungeon.ways if way.source == dungeon.start)
        assert len(play(dungeon, {"do": "go", "to": list(crypt)}).played) == 1

    def test_rules_are_kept_in_the_dungeon(self) -> None:
        after = play(EXAMPLES["first_door"], {"do": "rules", "rules": {"keys": "2", "push": "never"}})
        assert dict(after.rules.keys) == {"": 2}
        assert page_data(after)["rules"]["push"] == "never"
        assert "always" in refusal(after, {"do": "rules", "rules": {"push": "always"}})

    def test_a_fix_keeps_the_moves(self) -> None:
        dungeon = walked(EXAMPLES["the_wrong_door"], "S")
        explanation = solvent.explain(EXAMPLES["the_wrong_door"])
        fix = explanation.data["fixes"][0]
        after = play(dungeon, {"do": "fix", "text": fix["text"]})
        assert after.played == dungeon.played
        assert solvent.ask(after, "losable").verdict is solvent.Verdict.NO
        assert "cannot be read" in refusal(dungeon, {"do": "fix", "text": "nothing"})

    def test_a_fix_that_makes_moves_impossible_keeps_those_before(self) -> None:
        dungeon = walked(EXAMPLES["first_door"], "EEE")
        other = walked(EXAMPLES["the_crate"])
        after = play(dungeon, {"do": "fix", "text": DOMAIN.format(other, "text")})
        assert len(after.played) <= 3
        assert after.floors == other.floors

    @pytest.mark.parametrize("name", ["the_wrong_door", "the_walled_up_harp", "up_and_down"])
    def test_spheres_say_which_tiles_they_are(self, name: str) -> None:
        dungeon = EXAMPLES[name]
        data = solvent.explain(dungeon).data
        parts = [part["where"] for part in (*data["spheres"], *data["never_reachable"])]
        tiles = [
            (floor, row, column + more) for runs in parts for floor, row, column, count in runs for more in range(count)
        ]
        assert len(tiles) == len(set(tiles)) == DOMAIN.size(dungeon)

    def test_marks_say_what_is_within_reach(self) -> None:
        dungeon = EXAMPLES["too_late"]
        answer = solvent.ask(dungeon, "solvable")
        assert answer.certificate is not None
        found = marks(dungeon, answer.certificate)
        assert found["reach"]
        assert found["shut"]
        assert marks(dungeon, {"form": "plan", "plan": []}) == {}


class TestRefusals:
    def test_in_a_players_words(self) -> None:
        assert refusal(EXAMPLES["first_door"], step("N")) == "There is a wall."
        down = walked(EXAMPLES["the_ledge"], "EEESSS")
        assert refusal(down, step("N")) == "From here you can only go south."
        assert "needs a key" in refusal(walked(EXAMPLES["the_wrong_door"], "E"), step("E"))
        red = FORMATS.parse("dungeon:\n\nmap:\n#####\n#@RG#\n#r###\n#####\n\nlegend:\n  r = key red\n  R = lock red\n")
        assert refusal(red, step("E")) == "That lock needs a red key."
        assert refusal(walked(red, "SN", "EE"), step("E")).startswith("The goal is reached")

    @pytest.mark.parametrize(
        ("row", "more", "said"),
        [
            ("#@BG#", "", "That cracked wall needs a bomb."),
            ("#@~G#", "", "Crossing water needs the ladder."),
            ("#@H.hG#", "legend:\n  H = gate harp\n  h = item harp\n", "That gate needs the harp."),
            (
                "#@P.pG#",
                "legend:\n  P = barrier x\n  p = switch x\n",
                "That barrier is shut while the switch x is off.",
            ),
            ("#@oG.#", "", "The block does not move: it needs bare floor behind it."),
            ("#@o#G#", "", "The block does not move: there is a wall behind it."),
            ("#@<.G#", "", "Those arrows can only be walked west."),
            (
                "#@~~.G#",
                "rules: items=ladder, crossing=one\n",
                "The water is too wide: the ladder crosses a single tile.",
            ),
            ("#@o..G#", "rules: push=never\n", "Blocks cannot be pushed here."),
            (
                "#@DmG#",
                "legend:\n  D = soft Den\n  @ = start + monster\n\nrooms:\n  Den = 1,1 1x3\n",
                "That door stays shut while there is a monster in Den.",
            ),
        ],
    )
    def test_every_bar_says_what_it_needs(self, row: str, more: str, said: str) -> None:
        wall = "#" * len(row)
        if more.startswith("rules"):
            text = f"dungeon:\n{more}\nmap:\n{wall}\n{row}\n{wall}\n"
        else:
            text = f"dungeon:\n\nmap:\n{wall}\n{row}\n{wall}\n\n{more}"
        assert refusal(FORMATS.parse(text), step("E")) == said

    @given(dungeons())
    def test_whatever_is_refused_has_a_reason(self, dungeon: Dungeon) -> None:
        game = Game(dungeon)
        state = game.present_state()
        for move in ("N", "E", "S", "W", *map(str, range(len(dungeon.ways))), "99999", "x"):
            if game.step(state, move) is None:
                assert why_not(game, state, move)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["directions", "moves", "to", "rules", "text", "more"])


@given(
    st.sampled_from(["step", "walk", "go", "back", "rules", "fix", "fly", "", None, 3]),
    st.dictionaries(
        FIELDS, JSON | st.sampled_from([["N"], ["9" * 10], [0, -1, 10**30], [10**9, 0, 0], {"soft": "shut"}])
    ),
    st.sampled_from(sorted(EXAMPLES)),
)
def test_hostile_actions_are_refused_or_done(do: Any, fields: dict[str, Any], name: str) -> None:
    try:
        after = play(EXAMPLES[name], {"do": do, **fields})
    except BadOption:
        return
    assert DOMAIN.parse(DOMAIN.format(after, "text")) == after


class TestTheLastMove:
    @pytest.mark.parametrize(
        ("name", "moves", "words"),
        [
            ("the_wrong_door", "S", "you took a key"),
            ("the_wrong_door", "SNWW", "you opened the lock at row 2, column 6 with your only key"),
            ("the_wrong_door", "E", "you walked east from row 2, column 8"),
            ("the_wrong_door", "", ""),
        ],
    )
    def test_it_is_told_to_the_one_who_made_it(self, name: str, moves: str, words: str) -> None:
        dungeon = replace(load_example("dungeon", name), played=tuple(moves))
        assert page_data(dungeon)["track"]["did"] == words

    def test_equal_positions_are_one_situation_however_they_came_about(self) -> None:
        level = load_example("dungeon", "the_wrong_door")

        def situation(moves: str, **rules: Any) -> str:
            return str(page_data(replace(level, played=tuple(moves), rules=replace(level.rules, **rules)))["situation"])

        assert situation("") == situation("EW")
        assert situation("SN") == situation("SNEW") != situation("")
        assert situation("", bombs=1) != situation("")

    def test_dark_signs_can_be_read(self) -> None:
        from solvent.drawing.palette import relative_luminance

        def light(colour: str) -> float:
            digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
            red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
            return relative_luminance((red, green, blue)) + 0.05

        for name in ("the_tide", "red_and_blue", "the_carousel"):
            picture = page_data(load_example("dungeon", name))["picture"]
            for colour, dark in picture["dark"].items():
                if colour not in picture["paints"]["heat"] and 1.05 / light(colour) >= 4.5:
                    assert light(dark) / light("#1b1b1b") >= 4.5, (name, colour, dark)
