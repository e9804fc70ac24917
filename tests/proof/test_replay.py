from __future__ import annotations

from solvent.proof.replay import replay_violations


def take(state: int, move: int) -> int | str:
    return state + move if 1 <= move <= 3 else f"expected a move of 1 to 3, found {move}"


def goal(state: int) -> list[str]:
    return [] if state == 10 else [f"expected to stand on 10, found {state}"]


def test_a_plan_that_ends_at_the_goal_has_no_violations():
    assert replay_violations(0, [3, 3, 3, 1], take=take, goal_violations=goal) == []
    assert replay_violations(10, [], take=take, goal_violations=goal) == []


def test_a_broken_rule_is_reported_with_its_step_and_ends_the_replay():
    found = replay_violations(0, [3, 9, 77], take=take, goal_violations=goal)
    assert found == ["step 2: expected a move of 1 to 3, found 9"]


def test_a_plan_that_ends_elsewhere_lists_what_is_missing():
    assert replay_violations(0, [3, 3], take=take, goal_violations=goal) == ["expected to stand on 10, found 6"]
    assert replay_violations(0, [], take=take, goal_violations=lambda state: ["a", "b"]) == ["a", "b"]


def test_every_single_mutation_of_a_plan_is_caught():
    plan = [3, 3, 3, 1]
    for place in range(len(plan)):
        for move in range(-1, 6):
            changed = [*plan[:place], move, *plan[place + 1 :]]
            assert (replay_violations(0, changed, take=take, goal_violations=goal) == []) == (changed == plan)
        assert replay_violations(0, plan[:place] + plan[place + 1 :], take=take, goal_violations=goal) != []
