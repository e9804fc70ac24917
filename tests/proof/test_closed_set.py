from __future__ import annotations

from solvent.proof.closed_set import MAX_VIOLATIONS_LISTED, closed_set_violations

EVENS = range(0, 20, 2)


def violations(states, start=0, goal=7):
    """Walk in steps of two around a ring of twenty; an odd goal can never be met from an even start."""
    return closed_set_violations(
        states,
        start,
        successors=lambda state: [(state + 2) % 20, (state - 2) % 20],
        is_goal=lambda state: state == goal,
    )


def test_a_closed_set_without_a_goal_is_accepted():
    assert violations(EVENS) == []
    assert violations(list(EVENS) * 2) == []


def test_larger_closed_sets_are_accepted_too():
    assert closed_set_violations("ab", "a", successors=lambda state: [state], is_goal=lambda state: False) == []


def test_the_start_must_be_inside():
    assert violations(EVENS, start=1) == ["the set does not contain the start 1"]
    assert violations([], start=0) == ["the set does not contain the start 0"]


def test_a_goal_inside_is_a_violation():
    assert violations(EVENS, goal=4) == ["the set contains a goal, 4"]
    assert violations(EVENS, goal=0) == ["the set contains a goal, 0"]


def test_leaving_out_any_state_is_noticed():
    for missing in EVENS:
        found = violations([state for state in EVENS if state != missing])
        assert found
        if missing != 0:
            assert all(f"out of the set to {missing}" in line for line in found)


def test_a_long_list_is_cut():
    states = range(100)
    found = closed_set_violations(states, 0, successors=lambda state: [state + 1000], is_goal=lambda state: False)
    assert len(found) == MAX_VIOLATIONS_LISTED + 1
    assert found[-1] == "and more"


def test_states_are_shown_as_asked():
    found = closed_set_violations(
        [], 3, successors=lambda state: [], is_goal=lambda state: False, show=lambda s: "three"
    )
    assert found == ["the set does not contain the start three"]
