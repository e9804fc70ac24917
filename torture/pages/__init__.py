"""Scripts in every name that reaches a page or a picture, opened in a real browser: none of them runs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from random import Random

from helpers.browser import BROWSER, NO_BROWSER
from solvent.web.guards import HEADERS
from torture.campaign import Campaign, Trial
from torture.pages import places
from torture.pages.hostile_folder import make_hostile_folder
from torture.pages.places import Surroundings
from torture.pages.reader import Reader, reading
from web.calling import call, serving_with

Opening = Callable[[Surroundings, Random], None]
OPENINGS: Mapping[str, tuple[int, Opening]] = {
    "pictures": (6, places.open_pictures),
    "notebook": (2, places.open_notebook),
    "reports": (1, places.open_reports),
    "workbench": (6, places.open_workbench),
    "errors": (2, places.open_errors),
    "files": (2, places.open_files),
    "runs": (2, places.open_runs),
}
"""What is opened, with how often it is chosen."""


def run(trial: Trial) -> None:
    """Open pages until time is up; nothing where there is no browser, which is said."""
    if BROWSER is None:
        print(f"pages: skipped: {NO_BROWSER}", file=sys.stderr)
        trial.tally.count(f"skipped: {NO_BROWSER}", 0)
        return
    folder = trial.folder / "work"
    shutil.rmtree(folder, ignore_errors=True)
    hostile = make_hostile_folder(folder / "shown", Random(f"folder {trial.seed}"))
    paths = [str(hostile.levels), *map(str, hostile.stores)]
    with reading(trial.tally) as reader, serving_with(jobs=2, quick_jobs=1, paths=paths) as (_, address):
        require_headers(reader, address)
        open_pages(trial, Surroundings(reader, address, hostile, folder))
    shutil.rmtree(folder, ignore_errors=True)


def open_pages(trial: Trial, around: Surroundings, openings: Mapping[str, tuple[int, Opening]] = OPENINGS) -> None:
    """Open one thing after the other."""
    from playwright.sync_api import Error

    names = list(openings)
    weights = [weight for weight, _ in openings.values()]
    for number, dice in enumerate(trial.rounds(), trial.first_round):
        name = names[number] if number < len(names) else dice.choices(names, weights)[0]
        again = f"python -m torture --campaign pages --process-seed {trial.seed} --round {number}"
        try:
            openings[name][1](around, dice)
        except Error as error:
            around.reader.fault("hung", f"{name}: {error}")
        for kind, what in around.reader.take_faults():
            trial.tally.fail(kind, what, again)


def require_headers(reader: Reader, address: str) -> None:
    """Make sure that everything the server sends tells the browser to be careful."""
    for path in ("/", "/static/app.js", "/api/about", "/api/nothing", "/nothing", "/api/examples"):
        found = call(address, "GET", path).headers
        for name, value in HEADERS.items():
            if found.get(name) != value:
                reader.fault("wrong", f"{path}: expected {name}: {value}, found {found.get(name)}")


CAMPAIGN = Campaign("pages", "pages and pictures in a browser, with a script in every name", 2, run, processes=1)
