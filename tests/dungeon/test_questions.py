"""Collectable, accessible and monotone: against brute force, with forged and changed certificates, and with budgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from torture.instances.rich_dungeon import make_rich_dungeon
from torture.judges.dungeon import truths

import solvent
from dungeon.dungeons import KNOWN, PICKUPS, dungeon_of
from dungeon.strategies import random_dungeon
from helpers.depth import up_to
from solvent import asking
from solvent.core.answer import Answer, Cause, Verdict
from solvent.dungeon import derived
from solvent.dungeon.checker import FORMS
from solvent.dungeon.checker import derived as checker_derived
from solvent.dungeon.checker.monotone import delicate_pickups as checker_delicate
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.drawing import draw_svg, draw_text
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dungeon, Gate, Have, Not, Pickup, Place, Rules, SwitchAt
from solvent.dungeon.rules import Game, State
from solvent.dungeon.solver import monotone
from solvent.dungeon.solver.certificates import certify
from solvent.dungeon.solver.monotone import delicate_pickups

QUESTIONS = ("collectable", "accessible", "monotone")
RENEWING_ABOVE = """dungeon: A key that grows again, above a step down

map:
####
#@.#
#e##
#v.#
#.G#
####

legend:
  e = key renewing

moves: SS
"""


@pytest.fixture(autouse=True)
def _gems(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PICKUPS, "g", ("item", "gem", 1))
    monkeypatch.setitem(PICKUPS, "h", ("item", "heart", 1))


def ruled(dungeon: Dungeon, rule: Any, *cells: Place) -> Dungeon:
    """Put a gate with a rule on some cells."""
    return replace(dungeon, gates=(*dungeon.gates, Gate("rule", cells=cells, rule=rule)))


def violations(dungeon: Dungeon, certificate: Any) -> list[str]:
    return asking.find_violations(DOMAIN, dungeon, certificate)


def verdicts(dungeon: Dungeon) -> dict[str, str]:
    return {question: solvent.ask(dungeon, question).verdict.value for question in QUESTIONS}


def two_gems() -> Dungeon:
    """One key, two locks, and a gem behind each."""
    return dungeon_of("g.L@L.g/###k###/###G###")


class TestCollectable:
    def test_all_on_the_way(self):
        answer = solvent.ask(dungeon_of("@g.hG"), "collectable")
        assert answer.verdict is Verdict.YES
        assert answer.certificate is not None
        assert answer.certificate["plan"] == list("EEEE")

    def test_the_plan_is_a_shortest_one(self):
        answer = solvent.ask(dungeon_of("g@.h/##G#"), "collectable")
        assert answer.stats["plan_length"] == 6
        assert answer.stats["shortest"]

    def test_one_key_for_two_gems(self):
        answer = solvent.ask(two_gems(), "collectable")
        assert answer.verdict is Verdict.NO
        assert answer.because == (
            "No play has both the gem at row 0, column 0 and the gem at row 0, column 6; each alone can be had. "
            "Keys do not suffice: 1 key for 2 locks."
        )

    def test_only_what_is_asked_for(self):
        dungeon = dungeon_of("g.L@L.h/###k###/###G###", rules=Rules(collect=("gem",)))
        assert solvent.ask(dungeon, "collectable").verdict is Verdict.YES
        assert solvent.ask(replace(dungeon, rules=Rules()), "collectable").verdict is Verdict.NO

    def test_nothing_to_collect(self):
        answer = solvent.ask(dungeon_of("@.G"), "collectable")
        assert answer.verdict is Verdict.YES
        assert "There is nothing to collect." in answer.because

    def test_the_goal_itself(self):
        answer = solvent.ask(dungeon_of("g@#G"), "collectable")
        assert answer.because == "The goal cannot be reached at all."

    def test_one_thing_alone(self):
        answer = solvent.ask(dungeon_of("h@.G/##L#/##g#"), "collectable")
        assert "Cannot be had" in answer.because
        assert "gem" in answer.because
        assert "heart" not in answer.because

    def test_three_that_clash(self):
        dungeon = dungeon_of("K@....G/#L#L#L#/#g#g#g#")
        answer = solvent.ask(dungeon, "collectable")
        assert answer.because.startswith("No play has all of the gem at row 2, column 1, the gem at row 2, column 3")
        assert answer.because.endswith("Keys do not suffice: 2 keys for 3 locks.")

    def test_what_lies_on_the_goal_is_taken_with_the_last_move(self):
        dungeon = dungeon_of("g@G")
        on_goal = replace(dungeon, pickups=(*dungeon.pickups, Pickup((0, 0, 2), "item", "heart")))
        assert solvent.ask(on_goal, "collectable").verdict is Verdict.YES

    def test_what_lies_on_two_goals(self):
        dungeon = dungeon_of("G@G")
        pickups = (Pickup((0, 0, 0), "item", "gem"), Pickup((0, 0, 2), "item", "gem"))
        answer = solvent.ask(replace(dungeon, pickups=pickups), "collectable")
        assert answer.verdict is Verdict.NO
        assert answer.certificate is not None
        assert len(answer.certificate["sets"]) == 2

    def test_a_game_that_is_over(self):
        assert solvent.ask(dungeon_of("g@G", played="E"), "collectable").verdict is Verdict.NO
        assert solvent.ask(dungeon_of("g@G", played="WEE"), "collectable").verdict is Verdict.YES


class TestAccessible:
    def test_each_on_its_own(self):
        answer = solvent.ask(two_gems(), "accessible")
        assert answer.verdict is Verdict.YES
        assert answer.certificate is not None
        assert len(answer.certificate["walks"]) >= 2

    def test_one_walk_where_keys_suffice(self):
        answer = solvent.ask(dungeon_of("K@....G/#L#L###/#g#g###"), "accessible")
        assert answer.stats["walks"] == 1
        assert answer.stats["asked"] == 1

    def test_all_that_is_out_of_reach_is_named(self):
        answer = solvent.ask(dungeon_of("h@.G/##L#/##g#/##k#"), "accessible")
        assert answer.verdict is Verdict.NO
        assert answer.because.startswith("No play gets to the gem at row 2, column 2 or a key at row 3, column 2.")

    def test_the_goal_belongs_to_it(self):
        answer = solvent.ask(dungeon_of("g@LG", rules=Rules(accessibility="minimal")), "accessible")
        assert answer.verdict is Verdict.NO
        assert "No play gets to the goal." in answer.because

    @pytest.mark.parametrize(("accessibility", "verdict"), [("full", "NO"), ("items", "YES"), ("minimal", "YES")])
    def test_what_must_be_within_reach(self, accessibility: str, verdict: str):
        dungeon = dungeon_of("t@TG#/###L#/###g#", rules=Rules(accessibility=accessibility))
        assert solvent.ask(dungeon, "accessible").verdict.value == verdict

    def test_an_item_that_matters(self):
        dungeon = dungeon_of("G@LTg", rules=Rules(accessibility="items"), strict=False)
        with_torch = replace(dungeon, pickups=(Pickup((0, 0, 4), "item", "torch"),))
        assert solvent.ask(dungeon, "accessible").verdict is Verdict.YES
        assert solvent.ask(with_torch, "accessible").verdict is Verdict.NO

    def test_no_play_goes_on_past_a_goal(self):
        assert solvent.ask(dungeon_of("@Gg"), "accessible").verdict is Verdict.NO

    def test_what_lies_on_a_goal(self):
        dungeon = replace(dungeon_of("G@G"), pickups=(Pickup((0, 0, 0), "key"), Pickup((0, 0, 2), "key")))
        assert solvent.ask(dungeon, "accessible").verdict is Verdict.YES

    def test_what_appears_for_those_who_have_not_got_it(self):
        # It is there as long as it is not had: having it is no reason to think that it was never there.
        dungeon = dungeon_of("g@.G")
        shy = replace(dungeon, pickups=(replace(dungeon.pickups[0], rule=Not(Have("item", "gem"))),))
        assert solvent.ask(shy, "accessible").verdict is Verdict.YES

    def test_a_rule_that_never_holds(self):
        dungeon = dungeon_of("g@.G")
        never = replace(dungeon, pickups=(replace(dungeon.pickups[0], rule=AnyOf(())),))
        assert verdicts(never) == {"collectable": "NO", "accessible": "NO", "monotone": "YES"}

    def test_what_renews_is_had_by_standing_there(self):
        dungeon = dungeon_of("k@.G")
        assert (
            solvent.ask(replace(dungeon, pickups=(replace(dungeon.pickups[0], renews=True),)), "accessible").verdict
            is Verdict.YES
        )

    def test_what_renews_and_was_taken_before_was_within_reach(self):
        """No way leads back to it any more; a player has had it all the same."""
        dungeon = solvent.parse(RENEWING_ABOVE)
        assert truths.taken_before(dungeon) == {0}
        assert not truths.inaccessible(dungeon)
        assert solvent.ask(dungeon, "accessible").verdict is Verdict.YES

    def test_many_doors_and_one_key(self):
        doors = 40
        rows = ["k@" + ".." * doors + "G", "##" + "L#" * doors + "#", "##" + "g#" * doors + "#"]
        answer = solvent.ask(dungeon_of("/".join(rows)), "accessible", nodes=20_000)
        assert answer.verdict is Verdict.YES
        assert answer.stats["asked"] <= 2 * doors + 4


class TestMonotone:
    def test_without_rules_that_say_not(self):
        for name, known in KNOWN.items():
            answer = solvent.ask(known.dungeon, "monotone")
            assert (answer.verdict, answer.certificate["form"]) == (Verdict.YES, "nothing delicate"), name

    def test_a_gem_that_shuts_the_way(self):
        dungeon = ruled(dungeon_of("@g..G"), Not(Have("item", "gem")), (0, 0, 3))
        answer = solvent.ask(dungeon, "monotone")
        assert answer.verdict is Verdict.NO
        assert answer.because.startswith("After taking the gem at row 0, column 1, the goal cannot be reached any more")

    def test_a_gem_that_shuts_off_a_heart(self):
        dungeon = ruled(dungeon_of("h.@gG"), Not(Have("item", "gem")), (0, 0, 1))
        answer = solvent.ask(dungeon, "monotone")
        assert answer.certificate is not None
        assert answer.certificate["lost"] == 0

    def test_a_way_around(self):
        dungeon = ruled(dungeon_of("@g..G/#...."), Not(Have("item", "gem")), (0, 0, 3))
        answer = solvent.ask(dungeon, "monotone")
        assert (answer.verdict, answer.certificate["form"]) == (Verdict.YES, "all states")

    def test_a_room_that_must_not_be_cleared(self):
        dungeon = dungeon_of("@m..G", rooms={"den": ((0, 0, 1), 1, 1)})
        assert solvent.ask(ruled(dungeon, Not(Cleared("den")), (0, 0, 3)), "monotone").verdict is Verdict.NO
        assert solvent.ask(ruled(dungeon, Cleared("den"), (0, 0, 3)), "monotone").verdict is Verdict.YES

    def test_a_key_that_is_better_taken_later(self):
        # Filling up to two and then one more is three; one more first, and filling up leaves it at two.
        dungeon = dungeon_of("k@k>LLLG")
        once, filling = dungeon.pickups
        answer = solvent.ask(replace(dungeon, pickups=(once, replace(filling, count=2, renews=True))), "monotone")
        assert answer.verdict is Verdict.NO
        assert answer.because.startswith("After taking a key at row 0, column 0, the goal cannot be reached any more")

    def test_a_key_that_can_be_had_again(self):
        dungeon = dungeon_of("k@kLLLG")
        once, filling = dungeon.pickups
        answer = solvent.ask(replace(dungeon, pickups=(once, replace(filling, count=2, renews=True))), "monotone")
        assert (answer.verdict, answer.certificate["form"]) == (Verdict.YES, "all states")

    def test_what_lies_on_a_goal_only_at_times(self):
        # Whether the key is there is not known before the last move, but that the goal is lost is proved all the same.
        dungeon = ruled(dungeon_of("@g.G"), Not(Have("item", "gem")), (0, 0, 2))
        rule = Not(Have("key", ""))
        shy = replace(dungeon, pickups=(*dungeon.pickups, Pickup((0, 0, 3), "key", rule=rule)), goals=((0, 0, 3),))
        assert solvent.ask(shy, "monotone").verdict is not Verdict.YES

    def test_moves_that_cannot_have_been_played(self):
        dungeon = replace(dungeon_of("@.G"), played=("N",))
        assert violations(dungeon, certify(dungeon, "monotone", Verdict.YES, "nothing delicate")) != []

    def test_too_many_states(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(monotone, "MAX_STATES", 3)
        lost = ruled(dungeon_of("@g..G"), Not(Have("item", "gem")), (0, 0, 3))
        assert solvent.ask(lost, "monotone").verdict is Verdict.NO  # found by trying
        around = ruled(dungeon_of("@g..G/#...."), Not(Have("item", "gem")), (0, 0, 3))
        answer = solvent.ask(around, "monotone")
        assert answer.verdict is Verdict.UNKNOWN
        assert answer.reason is not None
        assert answer.reason.cause is Cause.INCOMPLETE


# derived dungeons


def can_reach_goal(dungeon: Dungeon) -> bool:
    """Tell whether a goal can be reached, by the forward model."""
    game = Game(dungeon)
    first = game.present_state()
    seen: set[State] = {first}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if game.is_won(state):
            return True
        new = [after for _, after in game.moves(state) if after not in seen]
        seen.update(new)
        waiting += new
    return False


@cache
def rich_dungeon(seed: int) -> Dungeon:
    return make_rich_dungeon(Random(f"questions {seed}"))


class TestDerived:
    def test_marks_have_names_of_their_own(self):
        dungeon = replace(dungeon_of("g@.G"), pickups=(Pickup((0, 0, 0), "item", "*0"),))
        marked, asks = derived.with_marks(dungeon, [0])
        assert asks == {0: Have("item", "**0")}
        assert checker_derived.with_marks(dungeon, [0]) == (marked, {0: "**0"})

    def test_names_that_only_rules_have(self):
        dungeon = ruled(dungeon_of("g@.G"), Have("item", "**1"), (0, 0, 2))
        assert derived.with_marks(dungeon, [0])[1] == {0: Have("item", "***0")}

    def test_solver_and_checker_derive_the_same(self):
        for seed in range(up_to(15, deep=60)):
            dungeon = rich_dungeon(seed)
            goals = set(dungeon.goals)
            apart = [number for number, pickup in enumerate(dungeon.pickups) if pickup.place not in goals]
            assert derived.to_any(dungeon, apart) == checker_derived.one_of(dungeon, apart)
            assert delicate_pickups(dungeon) == checker_delicate(dungeon)

    def test_each_location_is_derived_exactly(self):
        looked_at: Counter[bool] = Counter()
        for seed in range(up_to(50, deep=120)):
            dungeon = rich_dungeon(seed)
            game = Game(dungeon)
            if game.is_won(game.present_state()) or dungeon.played:
                continue
            within_reach = truths.within_reach(dungeon, truths.all_states(dungeon))
            for number, pickup in enumerate(dungeon.pickups):
                if pickup.place not in dungeon.goals:
                    found = can_reach_goal(derived.to_any(dungeon, [number]))
                    assert found == (number in within_reach), (seed, number)
                    looked_at[found] += 1
        assert min(looked_at.values()) > up_to(8, deep=20)

    def test_still_rules(self):
        dungeon = dungeon_of("g@sG")
        for rule, still in (
            (Have("item", "heart"), True),
            (Have("item", "gem"), False),
            (Have("key", "red"), False),
            (AllOf((Have("item", "heart"), Not(SwitchAt("lever")))), True),
        ):
            pickup = Pickup((0, 0, 0), "item", "gem", rule=rule)
            changed = replace(dungeon, pickups=(pickup,))
            assert checker_derived.is_still(changed, pickup) == still
            assert (derived.rule_on_arrival(changed, 0) is not None) == still
        on_plate = Pickup((0, 0, 2), "item", "gem", rule=SwitchAt("lever"))
        assert not checker_derived.is_still(dungeon, on_plate)


# brute force


def assert_right(dungeon: Dungeon, seen: Counter[Any]) -> None:
    for question in QUESTIONS:
        truth = truths.verdict(dungeon, question)
        answer = solvent.ask(dungeon, question)
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None
            assert answer.reason.cause is Cause.INCOMPLETE
            assert any(p.rule is not None and p.place in dungeon.goals for p in dungeon.pickups)
            continue
        assert (answer.verdict is Verdict.YES) == truth, (dungeon, question)
        assert answer.certificate is not None
        seen[question, answer.certificate["form"]] += 1


def test_old_mechanics_against_brute_force():
    seen: Counter[Any] = Counter()
    for seed in range(60):
        assert_right(random_dungeon(seed), seen)
    assert min(seen[form] for form in FORMS if form[0] in ("collectable", "accessible")) > 10


def test_all_mechanics_against_brute_force():
    seen: Counter[Any] = Counter()
    for seed in range(60):
        assert_right(rich_dungeon(seed), seen)
    assert all(seen[form] for form in FORMS if form[0] in QUESTIONS)


@pytest.mark.slow
def test_many_dungeons_against_brute_force():
    seen: Counter[Any] = Counter()
    for seed in range(60, up_to(260, deep=600)):
        assert_right(rich_dungeon(seed), seen)
    assert min(seen[form] for form in FORMS if form[0] in QUESTIONS) > up_to(5, deep=20)


# certificates


def certified(dungeon: Dungeon) -> Iterator[Answer]:
    for question in QUESTIONS:
        answer = solvent.ask(dungeon, question)
        if answer.certificate is not None:
            yield answer


def changed(value: Any, dice: Random) -> Any:
    """Return a certificate with one thing left out, repeated, swapped or changed."""
    if isinstance(value, dict) and value:
        key = dice.choice(sorted(value))
        if dice.random() < 0.1:
            return {other: kept for other, kept in value.items() if other != key}
        return {**value, key: changed(value[key], dice)}
    if isinstance(value, list) and value:
        index = dice.randrange(len(value))
        how = dice.random()
        if how < 0.25:
            return value[:index] + value[index + 1 :]
        if how < 0.4:
            return [*value[: index + 1], *value[index:]]
        return [*value[:index], changed(value[index], dice), *value[index + 1 :]]
    if isinstance(value, str):
        return dice.choice(["N", "E", "S", "W", "0", "99", "r", "u0", "", "gem", "*0"])
    if isinstance(value, int):
        return dice.choice([value + 1, value - 1, -1, 0, 1 << 70, None, "0", True])
    return dice.choice([[], {}, [0], None])


BODY = ("plan", "sets", "walks", "proofs", "count", "walk", "lost", "states")


def altered(dungeon: Dungeon, dice: Random) -> Dungeon:
    """Return a dungeon with a small change, in which other things may be true."""
    choice = dice.randrange(4)
    if choice == 0 and dungeon.pickups:
        gone = dice.randrange(len(dungeon.pickups))
        return replace(dungeon, pickups=dungeon.pickups[:gone] + dungeon.pickups[gone + 1 :])
    if choice == 1 and any(gate.kind == "rule" for gate in dungeon.gates):
        flipped = [replace(g, rule=Not(g.rule)) if g.rule is not None else g for g in dungeon.gates]
        return replace(dungeon, gates=tuple(flipped))
    if choice == 2 and dungeon.gates:
        number = dice.randrange(len(dungeon.gates))
        shut = replace(dungeon.gates[number], kind="rule", needs=(), rule=AnyOf(()))
        return replace(dungeon, gates=(*dungeon.gates[:number], shut, *dungeon.gates[number + 1 :]))
    return replace(dungeon, rules=replace(dungeon.rules, keys=(("", 1),)))


class TestCertificates:
    def test_a_changed_certificate_never_proves_what_is_wrong(self):
        """Changed certificates are held against changed dungeons, where the other verdict may be true."""
        tried: Counter[str] = Counter()
        for seed in range(up_to(15, deep=40)):
            dungeon, dice = rich_dungeon(seed), Random(f"changes {seed}")
            if dungeon.played:
                continue
            others = [dungeon, *(altered(dungeon, dice) for _ in range(4))]
            known: dict[tuple[int, str], bool] = {}
            for answer in certified(dungeon):
                certificate = dict(answer.certificate or {})
                body = [key for key in BODY if key in certificate]
                for number, other in enumerate(others):
                    for attempt in range(12):
                        forged = {**certificate, "rules": certify(other, "solvable", Verdict.YES, "plan")["rules"]}
                        if attempt and body:
                            key = dice.choice(body)
                            forged[key] = changed(forged[key], dice)
                        accepted = not violations(other, forged)
                        tried["accepted" if accepted else "rejected"] += 1
                        if accepted:
                            if (number, answer.question) not in known:
                                known[number, answer.question] = truths.verdict(other, answer.question)
                            assert (answer.verdict is Verdict.YES) == known[number, answer.question], (seed, number)
        assert tried["rejected"] > 1_500
        assert tried["accepted"] > 300

    def test_what_is_asked_and_answered_must_fit(self):
        certificate = solvent.ask(two_gems(), "accessible").certificate
        assert certificate is not None
        assert violations(two_gems(), {**certificate, "question": "collectable"}) == [
            "the form 'walks' can only answer accessible, not 'collectable'"
        ]
        assert violations(two_gems(), {**certificate, "verdict": "NO"}) == [
            "the form 'walks' can only prove YES, not 'NO'"
        ]
        plan = solvent.ask(dungeon_of("@G"), "solvable").certificate
        assert plan is not None
        assert violations(dungeon_of("@G"), {**plan, "question": "collectable"}) == []
        assert violations(dungeon_of("g@G"), {**plan, "question": "collectable"}) == [
            "gem at row 0, column 0 is left behind"
        ]

    @pytest.mark.parametrize(
        ("question", "verdict", "form", "body", "expected"),
        [
            ("accessible", Verdict.YES, "walks", {"walks": []}, "no walk ends on a goal"),
            ("accessible", Verdict.YES, "walks", {"walks": [["S", "S"]]}, "no walk takes pickup 0, gem at row 0"),
            ("accessible", Verdict.NO, "out of reach", {"proofs": []}, "expected a proof"),
            (
                "accessible",
                Verdict.NO,
                "out of reach",
                {"proofs": [{"locations": [7], "states": []}]},
                "proof 0: it names something that is no location",
            ),
            ("collectable", Verdict.NO, "closed sets", {"sets": []}, "nothing is said of the goal at row 2"),
            ("collectable", Verdict.YES, "plan", {"plan": ["S", "S"]}, "gem at row 0, column 0 is left behind"),
            ("monotone", Verdict.YES, "all states", {"count": 3}, "expected 3 states, found more than 3"),
            (
                "monotone",
                Verdict.NO,
                "taken away",
                {"walk": ["S"], "lost": -1, "states": [], "plan": []},
                "the last move of the walk takes nothing delicate",
            ),
            (
                "monotone",
                Verdict.NO,
                "taken away",
                {"walk": [], "lost": -1, "states": [], "plan": []},
                "expected a walk, of which the last move takes something",
            ),
        ],
    )
    def test_why_not(self, question: str, verdict: Verdict, form: str, body: dict[str, Any], expected: str):
        found = violations(two_gems(), certify(two_gems(), question, verdict, form, **body))
        assert found
        assert found[0].startswith(expected)

    def test_a_rule_that_says_not_is_delicate(self):
        dungeon = ruled(dungeon_of("@g..G"), Not(Have("item", "gem")), (0, 0, 3))
        assert violations(dungeon, certify(dungeon, "monotone", Verdict.YES, "nothing delicate")) == [
            "taking pickup 0 can make a rule fail"
        ]

    def test_every_certificate_is_described_and_drawn(self):
        seen: set[tuple[str, str]] = set()
        for seed in range(60):
            dungeon = rich_dungeon(seed)
            for answer in certified(dungeon):
                assert answer.certificate is not None
                form = answer.question, answer.certificate["form"]
                if form in seen:
                    continue
                seen.add(form)
                assert DOMAIN.describe is not None
                lines = DOMAIN.describe(dungeon, answer.certificate)
                assert lines
                assert max(map(len, lines)) <= 78
                assert draw_text(dungeon, certificate=answer.certificate, colour=False)
                assert draw_svg(dungeon, certificate=answer.certificate).startswith("<svg")
        assert seen == {form for form in FORMS if form[0] in QUESTIONS}


# budgets


@pytest.mark.parametrize("question", QUESTIONS)
def test_budgets_never_make_a_verdict_wrong(question: str):
    seen: Counter[Verdict] = Counter()
    for seed in range(12):
        dungeon = rich_dungeon(seed)
        truth = truths.verdict(dungeon, question)
        for nodes in (0, 1, 3, 10, 40):
            answer = solvent.ask(dungeon, question, nodes=nodes)
            seen[answer.verdict] += 1
            if answer.verdict is Verdict.UNKNOWN:
                assert answer.reason is not None
            else:
                assert (answer.verdict is Verdict.YES) == truth
    assert seen[Verdict.UNKNOWN]


def test_the_reason_names_the_limit_that_was_given():
    answer = solvent.ask(two_gems(), "accessible", nodes=0)
    assert str(answer.reason) == "out of nodes (limit 0)"


# explanations


class TestExplained:
    def test_one_key_and_two_gems(self):
        explanation = solvent.explain(two_gems())
        sections = dict(explanation.sections)
        assert "Sphere 1 (opening a lock (2 of them), as you choose)" in sections["Spheres"][2]
        assert sections["What can be had"] == (
            "Each of the 3 things there are can be taken by some play: 3 plays take them all between them.",
            "Not all items can be had by one play that reaches the goal. No play has both the gem at row 0, column 0 "
            "and the gem at row 0, column 6; each alone can be had. Keys do not suffice: 1 key for 2 locks.",
        )
        assert {question: said["verdict"] for question, said in explanation.data["had"].items()} == {
            "accessible": "YES",
            "collectable": "NO",
        }

    def test_taking_that_costs_something(self):
        dungeon = ruled(dungeon_of("@g..G"), Not(Have("item", "gem")), (0, 0, 3))
        lines = dict(solvent.explain(dungeon).sections)["What can be had"]
        assert any(line.startswith("Taking something can put other things out of reach.") for line in lines)

    def test_nothing_to_have(self):
        lines = dict(solvent.explain(dungeon_of("@.G")).sections)["What can be had"]
        assert lines == ("There is nothing to collect.",)
