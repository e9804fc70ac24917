"""Who may take part in a run on a cluster, without any cluster."""

from __future__ import annotations

from solvent.batch.cluster.workers import ClusterWorkers, Report, describe, difference

OURS = {"chess": "1.0+aaaa", "go": "1.0+bbbb"}


def workers_with(**reports: Report) -> ClusterWorkers:
    workers = ClusterWorkers(OURS)
    workers.update(dict.fromkeys(reports, 2))
    for address, report in reports.items():
        workers.note(address, report)
    return workers


def test_the_same_versions_are_no_difference_whatever_else_is_installed():
    assert difference(OURS, OURS) is None
    assert difference(OURS, {**OURS, "shogi": "7"}) is None


def test_a_difference_names_both_versions_and_where_only_some_differ():
    theirs = {"chess": "0.9+cccc", "go": "0.9+dddd"}
    assert difference(OURS, theirs) == "it has Solvent 0.9+cccc, here it is 1.0+aaaa"
    assert difference(OURS, {**OURS, "go": "1.0+eeee"}) == "it has Solvent 1.0+eeee, here it is 1.0+bbbb for go"
    assert difference(OURS, {"chess": "1.0+aaaa"}) == "it has no domain go, which is installed here"


def test_only_those_who_fit_count():
    workers = workers_with(
        a=Report(OURS), b=Report({**OURS, "go": "2"}), c=Report(None, "Solvent is not installed there")
    )
    workers.update({"a": 2, "b": 2, "c": 2, "d": 2})
    assert (workers.good, workers.refused, workers.unheard, workers.width) == (["a"], ["b", "c"], ["d"], 2)


def test_what_is_required_later_may_refuse_who_was_good():
    workers = workers_with(a=Report({**OURS, "shogi": "7"}), b=Report(OURS))
    assert workers.good == ["a", "b"]
    assert workers.require({"shogi": "7"})
    assert not workers.require({"shogi": "7"})
    assert workers.good == ["a"]
    assert workers.objections() == ["worker b refused: it has no domain shogi, which is installed here"]


def test_each_refusal_is_told_once_and_those_for_one_reason_together():
    other = Report({**OURS, "go": "2"})
    workers = workers_with(a=other, b=other, c=Report(None, "Solvent is not installed there"))
    workers.call("c", "night-shift")
    assert workers.nameless == ["a", "b"]
    assert workers.objections() == [
        "workers a, b refused: it has Solvent 2, here it is 1.0+bbbb for go",
        "worker night-shift (c) refused: Solvent is not installed there",
    ]
    assert workers.objections() == []


def test_who_left_is_forgotten_and_told_about():
    workers = workers_with(a=Report(OURS), b=Report({}))
    workers.call("b", "loud")
    workers.objections()
    assert workers.update({"a": 2}) == ["loud (b)"]
    assert workers.refused == []
    workers.update({"a": 2, "b": 2})
    assert workers.unheard == ["b"]
    workers.note("b", Report({}))
    assert len(workers.objections()) == 1


def test_a_report_that_comes_too_late_is_not_kept():
    workers = workers_with(a=Report(OURS))
    workers.update({})
    workers.note("a", Report(OURS))
    assert workers.good == []


def test_of_many_names_the_first_few_are_shown():
    assert describe(["a"]) == "worker a"
    assert describe(["a", "b"]) == "workers a, b"
    assert describe([str(number) for number in range(8)]) == "workers 0, 1, 2, 3, 4 and 3 more"


def test_somebody_is_here_as_long_as_one_has_not_left():
    workers = workers_with(a=Report(OURS), b=Report(OURS))
    assert workers.is_anyone_here(["a", "z"])
    workers.update({"b": 2})
    assert not workers.is_anyone_here(["a", "z"])
    assert workers.width == 2
