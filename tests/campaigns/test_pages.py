"""The campaign that opens pages with a script in every name: it finds nothing here, and what is planted it finds."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture import pages
from torture.campaign import Tally, Trial
from torture.pages import places
from torture.pages.hostile_folder import HostileFolder, make_hostile_folder, planted_instance
from torture.pages.payloads import CONFUSING, MARK, SCRIPTS, as_file_name, plant
from torture.pages.places import Surroundings
from torture.pages.reader import Reader

import solvent
from helpers.browser import needs_browser
from solvent.core import notebook
from web.calling import serving_with

NOWHERE = HostileFolder(Path(), ())
POLICY = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'\">"


def trial_of(folder: Path, rounds: int) -> Trial:
    return Trial(0, time.monotonic() + 3600, folder, max_rounds=rounds)


@pytest.fixture
def reader(chromium: Any) -> Reader:
    return Reader(chromium, Tally())


def faults_of(reader: Reader, html: str, folder: Path, *, policy: bool = False) -> list[str]:
    reader.open_html("a page", html, folder, policy=policy)
    return [kind for kind, _ in reader.take_faults()]


@needs_browser
@pytest.mark.parametrize("opening", ["pictures", "notebook"])
def test_pictures_and_notebooks_run_nothing(reader: Reader, tmp_path: Path, opening: str) -> None:
    trial = trial_of(tmp_path, 4)
    pages.open_pages(trial, Surroundings(reader, "", NOWHERE, tmp_path), {opening: pages.OPENINGS[opening]})
    assert trial.tally.as_json()["examples"] == []


@pytest.fixture
def around(reader: Reader, tmp_path: Path) -> Iterator[Surroundings]:
    hostile = make_hostile_folder(tmp_path / "shown", Random(5))
    paths = [str(hostile.levels), *map(str, hostile.stores)]
    with serving_with(jobs=2, quick_jobs=1, paths=paths) as (_, address):
        yield Surroundings(reader, address, hostile, tmp_path)


@needs_browser
@pytest.mark.deep  # `make torture` does the same
def test_no_page_runs_anything(around: Surroundings, tmp_path: Path) -> None:
    trial = trial_of(tmp_path, 2 * len(pages.OPENINGS))
    pages.require_headers(around.reader, around.address)
    pages.open_pages(trial, around)
    assert trial.tally.as_json()["examples"] == []


@needs_browser
def test_a_notebook_that_escapes_nothing_is_found(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "as_html", lambda heading, lines=(), *, picture="": "".join([heading, *lines]))
    monkeypatch.setattr(solvent.Answer, "__str__", lambda answer: str(answer.subject.problem))
    trial = trial_of(tmp_path, 24)
    openings = {"notebook": (1, places.open_notebook)}
    pages.open_pages(trial, Surroundings(reader, "", NOWHERE, tmp_path), openings)
    assert trial.tally.failures["wrong"] > 0


@needs_browser
@pytest.mark.parametrize("word", [word for word in SCRIPTS if re.match(rf"[\"'>\]-]*</?[a-z:]+[ >].*{MARK}", word)])
def test_markup_that_gets_in_is_found(reader: Reader, tmp_path: Path, word: str) -> None:
    page = f"<!doctype html><title>{word}</title><p title='{word}'>{word}</p><div>{word}</div>"
    assert "wrong" in faults_of(reader, page, tmp_path)


@needs_browser
@pytest.mark.parametrize(
    "inside",
    [
        f"<img src=x onerror=alert('{MARK}')>",
        f"<a href=\" javascript:alert('{MARK}')\">here</a>",
        "<iframe></iframe>",
        "<p style='background: url(http://planted.invalid/x.png)'>x</p>",
        f"<svg><a xlink:href=\"javascript:alert('{MARK}')\"><text>x</text></a></svg>",
    ],
)
def test_other_names_for_scripts_are_found(reader: Reader, tmp_path: Path, inside: str) -> None:
    assert "wrong" in faults_of(reader, f"<!doctype html>{inside}", tmp_path)


@needs_browser
def test_what_only_the_policy_stops_is_found(reader: Reader, tmp_path: Path) -> None:
    page = f"<!doctype html>{POLICY}<script>alert('{MARK}')</script>"
    assert faults_of(reader, page, tmp_path, policy=True) == ["wrong"]
    assert "wrong" in faults_of(reader, page, tmp_path, policy=False)


@needs_browser
def test_a_page_with_text_only_is_right(reader: Reader, tmp_path: Path) -> None:
    from html import escape

    words = "".join(f"<p title='{escape(word)}'>{escape(word)}</p>" for word in (*SCRIPTS, *CONFUSING))
    assert faults_of(reader, f"<!doctype html><meta charset=utf-8>{words}", tmp_path) == []


@needs_browser
@pytest.mark.parametrize(
    ("svg", "kind"),
    [
        ("<svg xmlns='http://www.w3.org/2000/svg' onload=\"alert('planted')\"/>", "wrong"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><script>alert('planted')</script></svg>", "wrong"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><title>\x0b</title></svg>", "crashed"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><title>a & b</title></svg>", "crashed"),
    ],
)
def test_a_picture_that_runs_or_is_no_xml_is_found(reader: Reader, tmp_path: Path, svg: str, kind: str) -> None:
    reader.open_picture("a picture", svg, tmp_path)
    assert kind in {found for found, _ in reader.take_faults()}


def test_payloads_reach_what_can_be_read() -> None:
    """A payload that no instance can hold tries nothing."""
    read = {}
    for number in range(400):
        text, domain = planted_instance(Random(number))
        try:
            problem = solvent.parse(text, domain=domain)
        except ValueError:
            continue
        if MARK in solvent.draw(problem):
            read[domain] = read.get(domain, 0) + 1
    assert read.keys() >= {"dungeon", "valency"}, "the domains whose pictures show names"


@pytest.mark.parametrize(
    "text", ['{"a": ["b", {"c": "d"}]}', '<map name="x"/>', 'digraph { "a" -> "b" }', "dungeon: The den\n", "[]"]
)
def test_a_payload_is_planted(text: str) -> None:
    planted = {plant(text, "payload", Random(seed)) for seed in range(10)}
    assert any("payload" in each for each in planted) or text == "[]"


def test_file_names_can_be_file_names(tmp_path: Path) -> None:
    for number, word in enumerate((*SCRIPTS, *CONFUSING)):
        (tmp_path / as_file_name(f"{number}{word}")).touch()


def test_without_a_browser_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "BROWSER", None)
    trial = trial_of(tmp_path, 1)
    pages.run(trial)
    assert trial.tally.tried == 0
    assert [group.partition(":")[0] for group in trial.tally.counts] == ["skipped"]
