"""Bundled instances: files that name what they show in `# Title:` and the verdicts in `# Expected:` comments.

JSON has no comments: there, an object `example` holds both as `title` and `expected`. A few are stops of the short
tour: `# Tour: 1 solvable, losable` says which stop and what is asked there; in JSON, `tour` holds the same text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from solvent.core.answer import Verdict

_TITLE = re.compile(r"^# Title: (.*\S)\s*$", re.MULTILINE)
_EXPECTED = re.compile(r"^# Expected: (\w+) (YES|NO)\s*$", re.MULTILINE)
_GRADE = re.compile(r"^# Grade: (\d+) (.*\S)\s*$", re.MULTILINE)
_TOUR = re.compile(r"^# Tour: (.*\S)\s*$", re.MULTILINE)
_STOP = re.compile(r"(\d+) (\w+(?:, \w+)*)")
_COMMENT_LINE = re.compile(r"^#.*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TourStop:
    """Say where in the short tour an example is shown, and what is asked about it."""

    place: int
    """Stops come in this order, whichever domain they belong to."""
    questions: tuple[str, ...]
    make: Mapping[str, str] = field(default_factory=dict)
    """Options of the domain's generator, to show what it makes from this example instead; empty for the example."""
    seed: int = 0
    """What it is made from."""
    title: str = ""
    """What is seen there; empty for the title of the example."""


@dataclass(frozen=True, slots=True)
class ExampleGrade:
    """Say how hard an example is for a person, as the domain's own grading says it."""

    number: int
    """From 1, the easiest, to 100."""
    word: str
    """The same in a word."""


@dataclass(frozen=True, slots=True)
class Example:
    """Hold one bundled instance: gallery, test and documentation at once."""

    name: str
    """What `solvent examples DOMAIN` lists it by."""
    title: str
    """What it shows, in one line."""
    text: str
    """The instance as a file holds it."""
    expected: Mapping[str, Verdict]
    """The verdict of each question; tests compare."""
    tour: TourStop | None = None
    """Its place in the short tour, if it has one."""
    grade: ExampleGrade | None = None
    """From `# Grade: 35 medium`, where the domain grades; tests compare."""


def load_examples(package: str, *, keep_comments: bool = True) -> list[Example]:
    """Read the `.txt` and `.json` files of a package in the order of their names; a number in front is for that only.

    With `keep_comments=False` the texts lose their lines that begin with `#`, for formats that have no comments.
    """
    files = [file for file in resources.files(package).iterdir() if file.name.endswith((".txt", ".json"))]
    return [
        read_example(file.name, file.read_text(encoding="utf-8"), keep_comments=keep_comments)
        for file in sorted(files, key=lambda file: file.name)
    ]


def read_example(file_name: str, text: str, *, keep_comments: bool = True) -> Example:
    """Read one example; a missing title or verdict is a mistake in the bundle, so it raises ValueError."""
    if file_name.endswith(".json"):
        return _read_json_example(file_name, text)
    title = _TITLE.search(text)
    expected = {question: Verdict(verdict) for question, verdict in _EXPECTED.findall(text)}
    if title is None or not expected:
        raise ValueError(f"{file_name}: expected the comments '# Title: …' and '# Expected: solvable YES'")
    name = file_name.removesuffix(".txt").lstrip("0123456789_")
    tour = _TOUR.search(text)
    stop = None if tour is None else _read_stop(file_name, tour[1], expected)
    graded = _GRADE.search(text)
    grade = None if graded is None else ExampleGrade(int(graded[1]), graded[2])
    return Example(name, title[1], text if keep_comments else _COMMENT_LINE.sub("", text), expected, stop, grade)


def _read_stop(file_name: str, text: object, expected: Mapping[str, Verdict]) -> TourStop:
    found = _STOP.fullmatch(text) if isinstance(text, str) else None
    questions = () if found is None else tuple(found[2].split(", "))
    if found is None or not expected.keys() >= set(questions):
        raise ValueError(f"{file_name}: expected a stop of the tour such as '1 solvable, losable', found {text!r}")
    return TourStop(int(found[1]), questions)


def _read_json_example(file_name: str, text: str) -> Example:
    about = json.loads(text).get("example")
    if not isinstance(about, dict) or not about.get("title") or not about.get("expected"):
        raise ValueError(f"{file_name}: expected an object 'example' with 'title' and 'expected'")
    expected = {question: Verdict(verdict) for question, verdict in about["expected"].items()}
    stop = _read_stop(file_name, about["tour"], expected) if "tour" in about else None
    return Example(file_name.removesuffix(".json").lstrip("0123456789_"), about["title"], text, expected, stop)
