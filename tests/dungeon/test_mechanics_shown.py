"""What people see of rule gates, levers, dials, held plates, returns and things that appear: it is there, and true."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from torture.instances.rich_dungeon import make_rich_dungeon

import solvent
from dungeon.mechanic_levels import keep, two_ways, warps
from helpers.examples import load_example
from helpers.pictures import elements
from solvent.core.answer import Cause, Reason
from solvent.core.errors import BadOption, NotChecked, ParseError
from solvent.drawing.terminal import WIDTH
from solvent.dungeon import Environment, Game, State
from solvent.dungeon.describe_certificate import describe_certificate, format_run
from solvent.dungeon.drawing import draw_svg, draw_text
from solvent.dungeon.drawing.signs import gate_is_open
from solvent.dungeon.events import parse_run, replay
from solvent.dungeon.model import (
    RETURN,
    USE,
    Dial,
    Dungeon,
    Floor,
    Gate,
    Have,
    Not,
    Pickup,
    Rules,
    Switch,
    SwitchAt,
)
from solvent.dungeon.page import page_data, play
from solvent.dungeon.page.refusals import why_not
from solvent.dungeon.rules import Game as RulesGame
from solvent.dungeon.situations import Strolls, delicate_pickups, state_of_situation

PLAN = parse_run("EEENWSSSWWEESSEEEWWWW u2 SSSWW r SEEEEEEESEEEEENNSSWSSSSSE")
SEEDS = range(24)


@cache
def rich(seed: int) -> Dungeon:
    """Return a small random dungeon with many mechanics, at its beginning."""
    return replace(make_rich_dungeon(Random(seed)), played=())


def played(run: str, dungeon: Dungeon | None = None) -> Dungeon:
    return replace(dungeon or keep(), played=tuple(parse_run(run)))


def two_doors(*items: str, barred: bool = False) -> Dungeon:
    """Return a corridor with two gates, for these items or against them."""
    rules = [Not(Have("item", item)) if barred else Have("item", item) for item in (items[0], items[-1])]
    return Dungeon(
        floors=(Floor("", ("....",)),),
        start=(0, 0, 0),
        goals=((0, 0, 3),),
        gates=tuple(
            Gate("rule", cells=((0, 0, column),), rule=rule, name=name)
            for column, rule, name in zip((1, 2), rules, ("north", "south"), strict=True)
        ),
    )


def random_walk(dungeon: Dungeon, dice: Random, length: int = 30) -> list[str]:
    game = RulesGame(dungeon)
    state, moves = game.start_state(), []
    for _ in range(length):
        choices = list(game.moves(state))
        if not choices:
            break
        move, state = dice.choice(choices)
        moves.append(move)
    return moves


class TestWords:
    def test_a_walk_says_everything_that_happens(self) -> None:
        game = RulesGame(keep())
        walk = replay(game, game.start_state(), PLAN, "plan")
        assert [event.words for event in walk.events] == [
            "push a block east (west)",
            "push a block east, hold stone down (west)",
            "take 3 bombs (west)",
            "turn crystal on (west)",
            "a block is back in its place, stone comes up again",
            "take the lamp (pool)",
            "pull the lever that turns tide to low (pool)",
            "take the medallion (pool)",
            "return to the start (west)",
            "beat a monster (east)",
            "take the red key (east)",
            "take the medallion (east)",
            "open the red lock",
            "reach the goal (shrine)",
        ]

    def test_runs_are_read_as_they_are_written(self) -> None:
        assert parse_run(format_run(PLAN)) == PLAN
        assert parse_run("u007 r 003 NE") == ["u7", "r", "3", "N", "E"]
        for bad in ("u", "ux", "rr", "R", "u-1"):
            with pytest.raises(ParseError):
                parse_run(bad)

    def test_hints_are_orders(self) -> None:
        steps = [hint.data["event"] for hint in solvent.hints(keep(), path=True) if "event" in hint.data]
        assert "return to the start" in steps
        assert "pull the lever that turns tide to low at row 6, column 2 (pool)" in steps
        assert not any("is back" in step or "comes up" in step for step in steps)

    def test_hints_say_what_is_counted(self) -> None:
        found = [hint.narrative for hint in solvent.hints(keep())]
        assert any("The goal needs 2 of them." in narrative for narrative in found)
        assert any("It helps to open east door." in narrative for narrative in found)

    def test_certificates_say_what_a_closed_gate_needs(self) -> None:
        shut = replace(keep(), rules=replace(keep().rules, push="never"))
        answer = solvent.ask(shut, "solvable")
        assert answer.verdict is solvent.Verdict.NO
        assert answer.certificate is not None
        said = " ".join(describe_certificate(shut, answer.certificate))
        assert "east door at row 3, column 8 (needs the bow, or 2 bombs and the lamp)" in said


class TestDrawings:
    @pytest.mark.parametrize("view", ["map", "graph", "points"])
    def test_rules_stand_in_the_key_in_full(self, view: str) -> None:
        svg = draw_svg(keep(), view=view)
        words = " ".join(element.text or "" for element in elements(svg, "text"))
        assert "goal: needs 2 medallions" in words
        assert "east door: needs the bow, or 2 bombs and the lamp" in words
        assert "gate: needs the switch tide at high and the switch crystal on" in words
        assert "you can return to the start from anywhere" in words

    def test_things_that_are_not_there_yet_are_faint(self) -> None:
        def dashed(dungeon: Dungeon) -> int:
            return sum(each.get("r") == "14.5" for each in elements(draw_svg(dungeon, bare=True), "circle"))

        assert dashed(keep()) == 2
        assert dashed(played("EEENWSSSWWEESSEEEWWWW u2")) == 1

    def test_a_switch_shows_its_state(self) -> None:
        def notes(dungeon: Dungeon) -> list[str]:
            return [each.text or "" for each in elements(draw_svg(dungeon, bare=True), "text")]

        assert "high" in notes(keep())
        assert "low" in notes(played("EEENWSSSWWEESSEEEWWWW u2"))
        assert "→on" in notes(keep())

    def test_a_return_is_a_jump(self) -> None:
        def dashes(run: str) -> int:
            paths = elements(draw_svg(keep(), move=run, bare=True), "path")
            return sum("Q" in path.get("d", "") and path.get("stroke-dasharray") is not None for path in paths)

        assert dashes("SSE r") == dashes("SSE") + 1
        assert "return to the start" in draw_text(keep(), move="SSE r")
        assert "return to the start, number 2" in draw_svg(keep(), move=" ".join(PLAN), view="graph")

    def test_ways_between_the_same_places_are_drawn_apart(self) -> None:
        lines = {path.get("d") for path in elements(draw_svg(warps(), bare=True), "path") if "Q" in path.get("d", "")}
        assert len(lines) == 3
        graph = draw_svg(two_ways(), bare=True)
        assert len([path for path in elements(graph, "path") if path.get("stroke-width") == "2.6"]) >= 3

    def test_a_terminal_has_it_all_in_80_columns(self) -> None:
        for dungeon in (keep(), two_ways(), warps(), played(" ".join(PLAN))):
            text = draw_text(dungeon)
            assert all(len(line) <= WIDTH for line in text.splitlines())
        text = draw_text(keep())
        assert "G goal (needs 2 medallions)" in text
        assert "row 9, column 1 (pool): the medallion (there while tide is low)" in text
        assert "switch tide: high, low; now high" in text
        assert "r returns to the start, from anywhere." in text
        assert re.search(r"lever u2 of tide", text)

    def test_gates_that_share_a_sign_share_its_names(self) -> None:
        text, svg = draw_text(two_doors("bow")), draw_svg(two_doors("bow"))
        assert "N north and south (needs the bow)" in text
        assert "north and south: needs the bow" in " ".join(each.text or "" for each in elements(svg, "text"))

    def test_an_open_gate_keeps_its_rule(self) -> None:
        assert "/ north and south (needs no bow), open now" in draw_text(two_doors("bow", barred=True))
        text = draw_text(two_doors("bow", "lamp", barred=True))
        assert "/ open gate" in text
        assert "row 0, column 1: north (needs no bow), open now" in text
        assert "row 0, column 2: south (needs no lamp), open now" in text

    @pytest.mark.parametrize("seed", SEEDS)
    def test_any_dungeon_can_be_drawn_after_any_walk(self, seed: int) -> None:
        dungeon = rich(seed)
        moves = random_walk(dungeon, Random(seed))
        for shown in (dungeon, replace(dungeon, played=tuple(moves))):
            for view in ("map", "graph", "points"):
                elements(draw_svg(shown, view=view), "svg")
            assert all(len(line) <= WIDTH for line in draw_text(shown).splitlines())
        elements(draw_svg(dungeon, move=format_run(moves)), "svg")
        draw_text(dungeon, move=format_run(moves), brief=True)


class TestGame:
    def test_states_go_there_and_back(self) -> None:
        for seed in SEEDS:
            dungeon = rich(seed)
            game, inner = Game(dungeon), RulesGame(dungeon)
            state = game.start
            for move in random_walk(dungeon, Random(seed)):
                assert set(game.moves(state)) == {each for each, _ in inner.moves(game._inner(state))}
                state = game.after(state, move)
                assert eval(repr(state), {"State": State, "Environment": Environment}) == state
                assert game.state(state.p, state.I, state.B) == state
            assert game._inner(state) == deep_state(inner, dungeon, seed)

    def test_what_can_be_asked(self) -> None:
        game = Game(keep())
        state = game.play(game.start, PLAN[:28])
        assert game.switch(state, "tide") == "low"
        assert game.switch(state, "stone") == "off"
        assert game.count(state, "medallion") == 1
        assert not game.meets(state, keep().goal_rule)
        assert state.B.dials == (("tide", "low"),)
        assert state.B.stock == (("bombs", 3),)
        with pytest.raises(BadOption):
            game.switch(state, "tied")

    def test_states_that_cannot_be_are_refused(self) -> None:
        game = Game(keep())
        for environment in (
            Environment(dials=(("tide", "dry"),)),
            Environment(dials=(("crystal", "on"),)),
            Environment(stock=(("key", 1),)),
            Environment(stock=(("bombs", -1),)),
            Environment(on=("stone",)),
            Environment(on=("tide",)),
            Environment(moved=((0, "ES"),)),
        ):
            with pytest.raises(BadOption):
                game.state((0, 2, 2), (), environment)


def deep_state(game: RulesGame, dungeon: Dungeon, seed: int) -> Any:
    state = game.start_state()
    for after in game.walk(state, random_walk(dungeon, Random(seed))):
        state = after
    return state


class TestSituations:
    def test_taking_what_bars_a_way_is_no_stroll(self) -> None:
        dungeon = Dungeon(
            floors=(Floor("", ("....",)),),
            start=(0, 0, 0),
            goals=((0, 0, 3),),
            pickups=(Pickup((0, 0, 1), "item", "curse"),),
            gates=(Gate("rule", cells=((0, 0, 2),), rule=Not(Have("item", "curse"))),),
        )
        game = RulesGame(dungeon)
        before = game.start_state()
        after = game.step(before, "E")
        assert after is not None
        assert not Strolls(game).is_calm(before, after)

    def test_what_makes_it_appear_is_delicate_too(self) -> None:
        dungeon = Dungeon(
            floors=(Floor("", ("......",)),),
            start=(0, 0, 0),
            goals=((0, 0, 5),),
            pickups=(
                Pickup((0, 0, 1), "item", "lamp"),
                Pickup((0, 0, 2), "item", "curse", rule=Have("item", "lamp")),
                Pickup((0, 0, 3), "item", "bow"),
            ),
            gates=(Gate("rule", cells=((0, 0, 4),), rule=Not(Have("item", "curse"))),),
        )
        assert delicate_pickups(RulesGame(dungeon)) == {0, 1}

    def test_filling_up_what_nothing_asks_for_is_a_stroll(self) -> None:
        dungeon = Dungeon(
            floors=(Floor("", (".....",)),),
            start=(0, 0, 0),
            goals=((0, 0, 4),),
            pickups=(Pickup((0, 0, 1), "bombs", count=2, renews=True),),
            gates=(Gate("lock", ("",), cells=((0, 0, 3),)),),
            rules=Rules(bombs=0),
        )
        text = draw_text(dungeon, certificate=solvent.ask(dungeon).certificate)
        assert "@ b∞+ L!G" in text
        for bombs, is_calm in ((0, False), (None, True)):
            cracked = replace(dungeon, gates=(Gate("cracked", cells=((0, 0, 3),)),), rules=Rules(bombs=bombs))
            game = RulesGame(cracked)
            before = game.start_state()
            after = game.step(before, "E")
            assert after is not None
            assert Strolls(game).is_calm(before, after) is is_calm

    def test_counted_items_are_those_listed(self) -> None:
        game = RulesGame(keep())
        situation = {"at": [0, 2, 2], "items": ["lamp", "medallion"], "taken": [1], "dials": [["tide", "low"]]}
        state = state_of_situation(game, situation | {"stock": [["bombs", 2]], "moved": [[0, "SE"]]}, "states[0]")
        assert state.taken == {1, 4}
        assert (state.dials, state.stock, state.moved) == ((1,), (2,), ("SE",))

    @pytest.mark.parametrize(
        "more", [{"dials": [["tide", "dry"]]}, {"stock": [["key", 1]]}, {"moved": [[0, "ES"]]}, {"moved": [[0, "NS"]]}]
    )
    def test_what_does_not_fit_is_named(self, more: dict[str, Any]) -> None:
        with pytest.raises(ParseError, match=next(iter(more))):
            state_of_situation(RulesGame(keep()), {"at": [0, 2, 2], **more}, "states[0]")


class TestPage:
    def test_levers_and_returns_are_played(self) -> None:
        dungeon = play(keep(), {"do": "walk", "moves": PLAN})
        assert list(dungeon.played) == PLAN
        shown = json.loads(msgspec.json.encode(page_data(dungeon)))
        assert shown["track"]["won"]
        assert shown["picture"]["returns"]
        assert [lever["move"] for lever in shown["picture"]["levers"]] == ["u2", "u3"]

    def test_a_lever_in_a_wall_is_walked_to(self) -> None:
        inside = play(keep(), {"do": "walk", "moves": PLAN[:14]})
        near = play(inside, {"do": "go", "to": [0, 10, 5]})
        place = RulesGame(near).present_state().place
        assert place in keep().switches[3].reach
        with pytest.raises(BadOption, match="from where you are"):
            play(near, {"do": "go", "to": [0, 10, 5]})
        with pytest.raises(BadOption, match="That lever needs the lamp"):
            play(near, {"do": "walk", "moves": ["u3"]})

    @pytest.mark.parametrize(
        ("run", "move", "said"),
        [
            ("SEEEEE", "E", "East door needs the bow, or 2 bombs and the lamp."),
            ("SSEE", "S", "That barrier is shut unless the plate of stone is held down."),
            ("", "r", "You are at the start."),
            ("", "u2", "The lever of tide is out of reach."),
            ("", "u0", "There is no lever number 0."),
            ("", "u9", "There is no lever number 9."),
            ("EEEE", "E", "The block does not move: there is a wall behind it."),
        ],
    )
    def test_refusals_say_what_is_needed(self, run: str, move: str, said: str) -> None:
        dungeon = played(run)
        with pytest.raises(BadOption) as refused:
            play(dungeon, {"do": "walk", "moves": [move]})
        assert str(refused.value) == said

    def test_a_goal_with_a_rule_says_so(self) -> None:
        dungeon = Dungeon(
            floors=(Floor("", ("...",)),),
            start=(0, 0, 1),
            goals=((0, 0, 2),),
            pickups=(Pickup((0, 0, 0), "item", "crown"),),
            goal_rule=Have("item", "crown"),
        )
        with pytest.raises(BadOption, match="The goal needs the crown"):
            play(dungeon, {"do": "walk", "moves": ["E"]})
        with pytest.raises(BadOption, match="no returning to the start"):
            play(dungeon, {"do": "walk", "moves": [RETURN]})

    @pytest.mark.parametrize("seed", SEEDS)
    def test_looks_folded_over_the_track_are_those_of_the_end(self, seed: int) -> None:
        dungeon = replace(rich(seed), played=tuple(random_walk(rich(seed), Random(seed), 60)))
        game = RulesGame(dungeon)
        end = game.present_state()
        looks: dict[int, bool] = {}
        switches: dict[str, str] = {}
        there: dict[int, bool] = {}
        goal: list[bool] = []
        blocks = {number: list(block.place) for number, block in enumerate(dungeon.blocks)}
        data = page_data(dungeon)
        for change in data["track"]["changes"]:
            looks.update(dict(change.get("gates", ())))
            switches.update(dict(change.get("switches", ())))
            there.update(dict(change.get("there", ())))
            blocks.update(dict(change.get("blocks", ())))
            goal += [change["goal"]] if "goal" in change else []
        assert looks == {number: gate_is_open(game, number, end) for number in range(len(dungeon.gates))}
        assert switches == {switch.name: game.switch_state(end, switch.name) for switch in dungeon.switches}
        assert there == {n: game.meets(end, p.rule) for n, p in enumerate(dungeon.pickups) if p.rule is not None}
        assert goal[-1] == game.meets(end, dungeon.goal_rule)
        assert list(blocks.values()) == [list(place) for place in game.block_places(end)]

    @pytest.mark.parametrize("seed", SEEDS)
    def test_whatever_is_refused_has_a_reason(self, seed: int) -> None:
        dungeon = rich(seed)
        game = RulesGame(dungeon)
        state = game.start_state()
        names = [*"NESW", RETURN, *(str(n) for n in range(len(dungeon.ways)))]
        names += [f"{USE}{number}" for number in range(len(dungeon.switches) + 1)]
        for after in [state, *game.walk(state, random_walk(dungeon, Random(seed)))]:
            for move in names:
                if game.step(after, move) is None:
                    assert why_not(game, after, move)


class TestExplaining:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_what_is_said_to_be_out_of_reach_is(self, seed: int) -> None:
        dungeon = rich(seed)
        game = RulesGame(dungeon)
        found = reached(game)
        explanation = solvent.explain(dungeon, nodes=20_000)
        never = tiles(part["where"] for part in explanation.data["never_reachable"])
        assert not never & found
        if explanation.data["exact"]:
            spheres = tiles(sphere["where"] for sphere in explanation.data["spheres"])
            assert spheres == found

    @pytest.mark.parametrize("seed", SEEDS)
    def test_what_is_said_to_be_found_can_be(self, seed: int) -> None:
        dungeon = rich(seed)
        explanation = solvent.explain(dungeon, nodes=20_000)
        counts = Counter(pickup.place for pickup in dungeon.pickups)
        alone = {p.place for p in dungeon.pickups if p.kind != "monster" and not p.renews and counts[p.place] == 1}
        had = taken(RulesGame(dungeon))
        assert not alone & had & places_of_pickups(explanation.data["never_reachable"])
        if explanation.data["exact"] and NOT_ESTABLISHED not in dict(explanation.sections)["Spheres"]:
            assert alone & places_of_pickups(explanation.data["spheres"]) == alone & had

    def test_a_state_that_nothing_sets_is_never_reached(self) -> None:
        explanation = solvent.explain(gem_at_high_tide("mid"))
        sections = dict(explanation.sections)
        assert "gem" not in " ".join(sections["Spheres"])
        assert sections["Never reachable"] == (
            "The gem at row 1, column 4: never there for you to take (needs the switch tide at high).",
        )
        assert [thing["at"] for part in explanation.data["never_reachable"] for thing in part["things"]] == [[0, 1, 4]]

    @pytest.mark.parametrize("sets", ["high", ""])
    def test_what_a_lever_makes_appear_comes_in_the_sphere_after_it(self, sets: str) -> None:
        sections = dict(solvent.explain(gem_at_high_tide(sets)).sections)
        first, second = sections["Spheres"]
        assert "gem" not in first
        assert second == "Sphere 1 (with tide): no new room; finds the gem at row 1, column 4."
        assert sections["Never reachable"] == ("Nothing: every place and thing can be reached.",)

    def test_what_is_not_known_to_appear_is_not_said_to(self) -> None:
        dungeon = gem_at_high_tide("high")
        unasked = replace(dungeon, rules=replace(dungeon.rules, accessibility="minimal"))
        sections = dict(solvent.explain(unasked).sections)
        assert sections["Never reachable"] == (NOT_ESTABLISHED,)
        assert NOT_ESTABLISHED in sections["Spheres"]

    @pytest.mark.parametrize(
        ("name", "number", "means"),
        [("the_boss_key_stays", 2, "with boss key"), ("the_held_plate", 1, "with plate held down")],
    )
    def test_spheres_say_what_leads_on(self, name: str, number: int, means: str) -> None:
        explanation = solvent.explain(load_example("dungeon", name))
        assert explanation.data["spheres"][number]["means"] == means

    def test_a_far_lever_is_where_it_stands(self) -> None:
        spheres = " ".join(dict(solvent.explain(load_example("dungeon", "the_far_eye")).sections)["Spheres"])
        assert "a lever of eye at row 2, column 14" in spheres

    def test_a_plate_is_held_down_where_it_is(self) -> None:
        steps = [hint.data["event"] for hint in solvent.hints(load_example("dungeon", "the_held_plate"), path=True)]
        assert any(step.endswith("hold plate down at row 3, column 5") for step in steps)

    @pytest.mark.parametrize("checked", range(3))
    def test_no_time_to_check_is_said(self, monkeypatch: pytest.MonkeyPatch, checked: int) -> None:
        left: list[list[str]] = [[] for _ in range(checked)]

        def run_out(*_: object) -> list[str]:
            if left:
                return left.pop()
            raise NotChecked(Reason(Cause.TIME, "limit 20 s"))

        monkeypatch.setattr("solvent.asking.find_violations", run_out)
        explanation = solvent.explain(gem_at_high_tide("mid"))
        sections = dict(explanation.sections)
        assert len(explanation.certificates) == checked
        assert explanation.data["solvable"] == ("YES" if checked > 0 else "UNKNOWN")
        assert explanation.data["losable"] == ("NO" if checked > 1 else "UNKNOWN")
        unknown = "Whether it can be finished is not known: out of time (the proofs were not checked)."
        assert sections["In short"][0] == ("It can be finished." if checked else unknown)
        assert sections["Never reachable"] == ("Not established: out of time (the proofs were not checked).",)
        assert sections["Spheres"][0].startswith("Sphere 0 (at once)")

    def test_what_is_not_established_is_said(self) -> None:
        dungeon = Dungeon(
            floors=(Floor("", ("....",)),),
            start=(0, 0, 0),
            goals=((0, 0, 3),),
            pickups=(Pickup((0, 0, 1), "item", "curse"),),
            gates=(Gate("rule", cells=((0, 0, 2),), rule=Not(Have("item", "curse"))),),
        )
        explanation = solvent.explain(dungeon)
        assert not explanation.data["reasons"]["established"]
        assert "not established" in explanation.data["reasons"]["not_established"] or explanation.data["reasons"]

    def test_a_rule_gate_can_be_the_reason(self) -> None:
        dungeon = Dungeon(
            floors=(Floor("", ("...",)),),
            start=(0, 0, 0),
            goals=((0, 0, 2),),
            pickups=(Pickup((0, 0, 0), "item", "star"),),
            gates=(Gate("rule", cells=((0, 0, 1),), rule=Have("item", "star", 3), name="star door"),),
            rules=Rules(home="always"),
        )
        explanation = solvent.explain(dungeon)
        why = " ".join(dict(explanation.sections)["Why"])
        assert "Star door needs 3 stars" in why


NOT_ESTABLISHED = "Whether everything that appears can be had was not established."


def gem_at_high_tide(sets: str) -> Dungeon:
    return Dungeon(
        floors=(Floor("", ("......", "......")),),
        start=(0, 0, 0),
        goals=((0, 0, 5),),
        pickups=(Pickup((0, 1, 4), "item", "gem", rule=SwitchAt("tide", "high")),),
        switches=(Switch((0, 0, 2), "tide", "lever", sets, reach=((0, 0, 1), (0, 0, 3))),),
        dials=(Dial("tide", ("low", "mid", "high")),),
    )


def places_of_pickups(parts: list[dict[str, Any]]) -> set[tuple[int, ...]]:
    things = [thing for part in parts for thing in part["things"]]
    return {tuple(thing["at"]) for thing in things if thing["kind"] not in ("switch", "goal")}


def taken(game: RulesGame) -> set[tuple[int, int, int]]:
    """Return the places of all that some play takes."""
    seen = {game.start_state()}
    waiting = list(seen)
    found: set[int] = set()
    while waiting:
        state = waiting.pop()
        found |= state.taken
        new = {after for _, after in game.moves(state)} - seen
        seen |= new
        waiting.extend(new)
    return {game.dungeon.pickups[number].place for number in found}


def reached(game: RulesGame) -> set[tuple[int, int, int]]:
    seen = {game.start_state()}
    waiting = list(seen)
    while waiting:
        for _, after in game.moves(waiting.pop()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return {state.place for state in seen}


def tiles(runs: Any) -> set[tuple[int, int, int]]:
    return {
        (floor, row, column + step) for some in runs for floor, row, column, length in some for step in range(length)
    }
