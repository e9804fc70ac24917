"""Two runs compared, from two stores or from one."""

from __future__ import annotations

from pathlib import Path

import pytest

from batch.report.pages import Page
from batch.report.stores import Told, fill
from solvent.batch.records import ReadAs
from solvent.batch.report import comparison
from solvent.batch.report.comparison import CONTRADICTED, GAINED, LOST, OTHERWISE, UNPROVED, change_of
from solvent.batch.report.comparison_page import (
    Comparison,
    Run,
    describe_contradiction,
    describe_ratio,
    make_comparison,
)
from solvent.batch.report.matching import Pair, Side
from solvent.batch.settings import Limits, Settings
from solvent.batch.store import Store
from solvent.batch.store.reading import run_row


def compare(
    folder: Path, before: list[Told], after: list[Told], *, one_store: bool = False, settings: Settings | None = None
) -> Comparison:
    first, second = folder / "a.db", folder / ("a.db" if one_store else "b.db")
    numbers = fill(first, before), fill(second, after, settings=settings)
    with (
        Store.open(first, create=False, read_only=True) as one,
        Store.open(second, create=False, read_only=True) as two,
    ):
        made = make_comparison(Run(one, run_row(one, numbers[0])), Run(two, run_row(two, numbers[1])))
    Page(made.page).require()
    return made


def words(made: Comparison) -> str:
    return Page(made.page).words


def side(kind: str, *, certified: bool = True, seconds: float = 1.0) -> Side:
    return Side(0, "a", "harmony", kind, certified and kind in ("YES", "NO"), seconds, 1)


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("YES", "YES", None),
        ("UNKNOWN", "UNKNOWN", None),
        ("YES", "NO", CONTRADICTED),
        ("NO", "YES", CONTRADICTED),
        ("YES", "UNKNOWN", LOST),
        ("NO", "ERROR", LOST),
        ("UNKNOWN", "NO", GAINED),
        ("ERROR", "YES", GAINED),
        ("UNKNOWN", "ERROR", OTHERWISE),
    ],
)
def test_what_becomes_of_an_answer(before: str, after: str, change: str | None) -> None:
    assert change_of(Pair("solvable", side(before), side(after))) == change


def test_a_certificate_can_be_lost_too() -> None:
    assert change_of(Pair("solvable", side("NO"), side("NO", certified=False))) == UNPROVED
    assert change_of(Pair("solvable", side("NO", certified=False), side("NO"))) is None


def test_what_a_contradiction_means_depends_on_the_proofs() -> None:
    def told(before: bool, after: bool) -> str:
        return describe_contradiction(Pair("solvable", side("YES", certified=before), side("NO", certified=after)))

    assert told(True, True) == "Both are certified, so one of the two solvers is wrong and its checker with it."
    assert told(False, True).startswith("Only NO is certified")
    assert told(True, False).startswith("Only YES is certified")
    assert told(False, False).startswith("Neither is certified")


def test_answers_are_matched_by_what_the_instance_holds(tmp_path: Path) -> None:
    made = compare(
        tmp_path,
        [
            Told("1", "YES", content=1),
            Told("2", "YES", content=2),
            Told("3", "UNKNOWN", content=3),
            Told("4", "YES", content=4),
            Told("5", None, content=5, error="Traceback\nOops"),
            Told("edited", "YES", content=6),
            Told("removed", "YES", content=7),
        ],
        [
            Told("one", "NO", content=1, because="It was proved."),
            Told("two", "UNKNOWN", content=2, detail="limit 1 s"),
            Told("three", "YES", content=3),
            Told("four", "YES", content=4),
            Told("five", "UNKNOWN", content=5),
            Told("edited", "YES", content=8),
            Told("added", "YES", content=9),
            Told("unreadable", read_as=ReadAs.UNREADABLE, message="broken"),
        ],
    )
    found = made.found
    assert found.matched == 5
    assert {change: listed.seen for change, listed in found.changed.items()} == {
        CONTRADICTED: 1,
        LOST: 1,
        GAINED: 1,
        UNPROVED: 0,
        OTHERWISE: 1,
    }
    assert found.same_verdict == 1
    assert found.lost
    assert [(alone.side.name, alone.renewed) for alone in found.new.kept] == [("edited", True), ("added", False)]
    assert [(alone.side.name, alone.renewed) for alone in found.gone.kept] == [("edited", True), ("removed", False)]
    page = words(made)
    assert "Of 5 answers that both runs have, 1 contradicted, 1 lost, 1 gained, 1 changed otherwise; 1 with" in page
    assert "Both are certified, so one of the two solvers is wrong" in page
    assert "After: out of time (limit 1 s)" in page
    assert "Before: out of time" in page
    assert "a file of this name was there before with other content" in page
    assert "0 sources could not be read before, 1 after." in page
    assert "solvent solve two --as harmony --ask solvable --seconds 60" in page
    assert "solvent check --store" in page


def test_bugs_of_a_reader_are_told_apart_from_broken_files(tmp_path: Path) -> None:
    broken = Told("broken", read_as=ReadAs.UNREADABLE, message="line 1")
    bug = Told("odd", read_as=ReadAs.BUG, message="Traceback (most recent call last):\nKeyError: 1")
    page = words(compare(tmp_path, [Told("one", content=1), broken, bug], [Told("one", content=1), broken]))
    assert "1 source met a bug while being read before, 0 after." in page
    assert "could not be read" not in page


def test_a_small_difference_of_limits_is_one(tmp_path: Path) -> None:
    made = compare(
        tmp_path, [Told("one")], [Told("one")], settings=Settings(limits=Limits(seconds=60.00001, kill_after=130))
    )
    assert "The limits differ, so an UNKNOWN in one of them may be due to that." in made.warnings


def test_nothing_changed(tmp_path: Path) -> None:
    told = [Told("a", content=1), Told("b", "NO", content=2)]
    made = compare(tmp_path, told, told)
    assert "No verdict changed among the 2 answers that both runs have." in words(made)
    assert not made.found.lost


def test_nothing_in_common(tmp_path: Path) -> None:
    made = compare(tmp_path, [Told("a", content=1)], [Told("b", content=2)])
    assert "The two runs have no answer in common." in words(made)


def test_times_count_only_beyond_chance(tmp_path: Path) -> None:
    before = {1: 1.0, 2: 1.0, 3: 0.010, 4: 1.0, 5: 10.0, 6: 5.0}
    after = {1: 0.5, 2: 1.4, 3: 0.050, 4: 1.6, 5: 9.0, 6: 60.0}
    made = compare(
        tmp_path,
        [Told(f"{number}", content=number, seconds=seconds) for number, seconds in before.items()],
        [
            Told(f"{number}", "UNKNOWN" if number == 6 else "YES", content=number, seconds=seconds)
            for number, seconds in after.items()
        ],
    )
    found = made.found
    assert [pair.after.name for pair in found.faster.kept] == ["1"]
    assert [pair.after.name for pair in found.slower.kept] == ["4"], "40 ms are chance, and so is 1.4 times"
    assert found.times.answers == 5, "what was not decided twice is not compared"
    assert (round(found.times.before, 3), round(found.times.after, 3)) == (13.01, 12.55)
    assert found.times.ratios.quantile(0.5) == pytest.approx(0.714, abs=0.001)
    assert "5 answers that both runs decided alike took 13.0 s before and 12.6 s after" in words(made)


def test_those_that_changed_most_are_shown_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MAX_LISTED", 2)
    numbers = [3, 9, 1, 7, 5, 8]
    made = compare(
        tmp_path,
        [Told(f"{number}", content=number, seconds=0.001) for number in numbers],
        [Told(f"{number}", content=number, seconds=float(number)) for number in numbers],
    )
    assert [pair.after.name for pair in made.found.slower.kept] == ["9", "8"]
    assert made.found.slower.seen == 6
    assert "Slower: 6, the 2 that changed most" in words(made)


def test_an_answer_that_was_only_found_again_is_no_measurement(tmp_path: Path) -> None:
    known = Told("a", content=1, seconds=2.0)
    made = compare(
        tmp_path, [known, Told("b", content=2, seconds=2.0)], [known, Told("b", content=2, seconds=0.5)], one_store=True
    )
    assert made.found.shared == 1
    assert made.found.times.answers == 1
    assert "1 answer is one and the same in both runs" in words(made)


def test_of_the_same_instance_twice_in_a_run_the_first_counts(tmp_path: Path) -> None:
    made = compare(
        tmp_path,
        [Told("a", content=1, seconds=1.0)],
        [Told("a", content=1, seconds=9.0), Told("copy", content=1, seconds=9.0)],
    )
    assert (made.found.matched, made.found.new.seen) == (1, 0)
    assert [pair.after.name for pair in made.found.slower.kept] == ["a"]


def test_what_else_differs_is_pointed_out(tmp_path: Path) -> None:
    made = compare(
        tmp_path,
        [Told("a", content=1)],
        [Told("a", content=1, machine="another machine", solver="0.2.0+bbbb")],
        settings=Settings(limits=Limits(seconds=5), rules={"walls": "soft"}),
    )
    assert made.warnings == (
        "The machines differ, so times say little about the solver.",
        "The limits differ, so an UNKNOWN in one of them may be due to that.",
        "The options or rules differ.",
    )
    rows = [attributes.get("class") for attributes in Page(made.page).all("tr")]
    assert rows.count("differs") == 4, "limits, options, solver and machine"


def test_a_run_that_goes_on_and_one_solver_are_pointed_out(tmp_path: Path) -> None:
    first = fill(tmp_path / "a.db", [Told("a", content=1)])
    second = fill(tmp_path / "a.db", [Told("a", content=1, seconds=3.0)], state="interrupted")
    with Store.open(tmp_path / "a.db", create=False, read_only=True) as store:
        made = make_comparison(Run(store, run_row(store, first)), Run(store, run_row(store, second)))
    assert made.warnings == (
        f"Run 2 of {tmp_path / 'a.db'} is not finished.",
        "Both were made by the same solver, so times differ by chance or by the machine.",
    )


def test_one_solver_under_other_limits_may_take_another_way(tmp_path: Path) -> None:
    made = compare(tmp_path, [Told("a")], [Told("a")], settings=Settings(limits=Limits(nodes=5)))
    assert made.warnings == (
        "The limits differ, so an UNKNOWN in one of them may be due to that.",
        "Both were made by the same solver.",
    )


def test_names_from_files_stay_text(tmp_path: Path) -> None:
    name = "<script>alert('x')</script>"
    made = compare(
        tmp_path,
        [Told(name, "YES", content=1, seconds=0.1), Told(name, content=2), Told(name, "NO", content=4, because=name)],
        [
            Told(name, "NO", content=1, seconds=5.0),
            Told(name, content=3),
            Told(name, "UNKNOWN", content=4, detail=name),
        ],
    )
    assert "<script>alert" not in made.page
    assert words(made).count(name) >= 5


@pytest.mark.parametrize(("ratio", "told"), [(1.0, "as fast as before"), (2.0, "2× as fast"), (0.25, "4× as slow")])
def test_ratios_in_words(ratio: float, told: str) -> None:
    assert describe_ratio(ratio) == told
