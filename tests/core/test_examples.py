"""Bundled examples: their comments say what they show, and a bundler's mistake is told at once."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from solvent.core.answer import Verdict
from solvent.core.examples import TourStop, load_examples, read_example

TEXT = "# Title: a thing to see \n# Expected: solvable YES\n# Expected: unique NO\n# More about it.\n\n3 4\n"


def test_comments_say_title_and_verdicts():
    example = read_example("07_a_thing.txt", TEXT)
    assert (example.name, example.title, example.text) == ("a_thing", "a thing to see", TEXT)
    assert example.expected == {"solvable": Verdict.YES, "unique": Verdict.NO}


def test_an_example_may_be_a_stop_of_the_tour():
    assert read_example("a.txt", TEXT).tour is None
    text = TEXT.replace("# More", "# Tour: 2 solvable, unique\n# More")
    assert read_example("a.txt", text).tour == TourStop(2, ("solvable", "unique"))
    about = {"title": "a thing", "expected": {"solvable": "YES"}, "tour": "3 solvable"}
    assert read_example("a.json", json.dumps({"example": about})).tour == TourStop(3, ("solvable",))


@pytest.mark.parametrize("stop", ["solvable", "2", "2 graded", "two solvable", "2 solvable unique"])
def test_a_stop_that_cannot_be_shown_names_the_file(stop: str):
    text = TEXT.replace("# More", f"# Tour: {stop}\n# More")
    with pytest.raises(ValueError, match=r"^07_a\.txt: expected a stop of the tour such as '1 solvable, losable'"):
        read_example("07_a.txt", text)


def test_comments_can_be_left_out_for_formats_that_have_none():
    assert read_example("a.txt", TEXT, keep_comments=False).text == "\n3 4\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Title: a thing\n3 4\n",
        "# Expected: solvable YES\n3 4\n",
        "# Title:\n# Expected: solvable YES\n",
        "# Title: a thing\n# Expected: solvable UNKNOWN\n",
        "# Title: a thing\n# Expected: solvable\n",
    ],
)
def test_a_missing_comment_names_the_file(text: str):
    with pytest.raises(ValueError, match=r"^07_a\.txt: expected the comments"):
        read_example("07_a.txt", text)


def test_files_come_in_the_order_of_their_names_and_others_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package = tmp_path / "bundled_for_a_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name in ("10_last", "02_second", "01_first"):
        (package / f"{name}.txt").write_text(TEXT)
    (package / "notes.md").write_text("no example")
    monkeypatch.syspath_prepend(tmp_path)
    assert [example.name for example in load_examples("bundled_for_a_test")] == ["first", "second", "last"]
    sys.modules.pop("bundled_for_a_test", None)


def test_json_says_what_it_shows_in_an_object():
    text = '{"example": {"title": "a thing", "expected": {"solvable": "YES"}}, "rest": 3}'
    example = read_example("07_a_thing.json", text)
    assert (example.name, example.title, example.text) == ("a_thing", "a thing", text)
    assert example.expected == {"solvable": Verdict.YES}
    with pytest.raises(ValueError, match=r"^07_a\.json: expected an object 'example'"):
        read_example("07_a.json", '{"rest": 3}')
