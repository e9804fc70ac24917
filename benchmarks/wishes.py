"""Compare learning from what fails with plain rejection: levels that must be solvable and never lost.

Run `python -m benchmarks wishes`. Plain rejection makes a level from one seed after another until one keeps the wishes;
`learned` excludes what an answer blames and makes the level again. Both prove every level with the same certificates.

`rubble` shows what exclusion is worth: start and treasure lie in opposite corners of a field whose cells are a stone or
not with even odds. Hardly ever is there a way between them, and the closed set of the first level names what bars it.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from solvent import asking
from solvent.core.answer import Verdict
from solvent.core.errors import GenerationFailed
from solvent.wishes import Proven, make_proven, read_wishes

WISHES = read_wishes("dungeon:solvable", "dungeon:losable")
LEARNED, PLAIN = "learned", "plain"
GRID = "40x30"
MAX_PLAIN = 2_000
"""How many levels plain rejection may look at."""


@dataclass(frozen=True, slots=True)
class LevelSet:
    """Hold rules that levels are made by."""

    name: str
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Try:
    """Hold one level that was made, or given up."""

    rules: str
    way: str
    seed: int
    tried: int
    """How many levels were looked at."""
    made: bool
    seconds: float
    """Of processor time, all proofs included."""


def rubble(width: int, height: int) -> dict[str, Any]:
    """Return a task in JSON: a field of rubble to be crossed from corner to corner."""

    def module(name: str, weight: float, **counts: int) -> dict[str, Any]:
        return {"name": name, "weight": weight, "sockets": {"*": "any"}, **counts}

    rare = 0.001
    modules = [
        module("floor", 1),
        module("wall", 1),
        module("start", rare, least=1, most=1),
        module("goal", rare, least=1, most=1),
        module("key", rare, least=2, most=4),
        module("lock", rare, least=1, most=3),
    ]
    corners = [{"node": [1, 1], "module": "start"}, {"node": [width - 2, height - 2], "module": "goal"}]
    return {
        "valency": 1,
        "rules": {"name": "rubble", "orbitals": "square", "modules": modules},
        "cluster": {"lattice": {"size": [width, height]}},
        "picks": {"at": corners},
    }


def level_sets(folder: Path) -> Iterator[LevelSet]:
    """Yield our three rule sets, and the one that plain rejection fails at."""
    for name in ("vaults", "island", "cavern"):
        yield LevelSet(name, {"rules": name, "grid": GRID})
    width, height = 24, 16
    path = folder / "rubble.json"
    path.write_text(json.dumps(rubble(width, height)))
    yield LevelSet(f"rubble {width}x{height}", {"rules": str(path)})


def measure(one: LevelSet, seed: int, way: str, most: int = MAX_PLAIN) -> Try:
    """Make a level, and have the checkers accept its certificates about the file that was written."""
    began = time.process_time()
    learn = way == LEARNED
    more: dict[str, Any] = {} if learn else {"tries": most}
    try:
        made = make_proven("valency", WISHES, options=one.options, seed=seed, learn=learn, **more)
    except GenerationFailed:
        return Try(one.name, way, seed, most, False, time.process_time() - began)
    _require_proved(made)
    return Try(one.name, way, seed, made.tried, True, time.process_time() - began)


def _require_proved(made: Proven) -> None:
    from solvent.reading import decode_problem

    level = decode_problem(made.data, source="the level", domain=WISHES[0].domain)
    for wish, answer in zip(WISHES, made.proofs, strict=True):
        assert answer.verdict is wish.verdict is not Verdict.UNKNOWN
        assert answer.certificate is not None
        asking.check(level, answer.certificate)


def run(seeds: int, tell: Callable[[str], None], plain: int = MAX_PLAIN) -> list[Try]:
    """Make a level of each set from each seed, both ways in turn."""
    tries = []
    with tempfile.TemporaryDirectory() as folder:
        sets = list(level_sets(Path(folder)))
        measure(sets[0], 0, LEARNED)  # so that nothing is imported while the clock runs
        for one in sets:
            for seed in range(seeds):
                tell(f"{one.name}, seed {seed}")
                tries += [measure(one, seed, way, plain) for way in (LEARNED, PLAIN)]
    return tries


def report(tries: Sequence[Try]) -> dict[str, Any]:
    """Return what to write: every level, and a row for each set and way."""
    names = list(dict.fromkeys(one.rules for one in tries))
    return {
        "summary": [_row(name, way, tries) for name in names for way in (LEARNED, PLAIN)],
        "levels": [asdict(one) for one in tries],
    }


def _row(name: str, way: str, tries: Sequence[Try]) -> dict[str, Any]:
    own = [one for one in tries if (one.rules, one.way) == (name, way)]
    return {
        "rules": name,
        "way": way,
        "made": sum(one.made for one in own),
        "of": len(own),
        "median_tries": statistics.median(one.tried for one in own),
        "mean_tries": statistics.mean(one.tried for one in own),
        "max_tries": max(one.tried for one in own),
        "median_seconds": statistics.median(one.seconds for one in own),
        "max_seconds": max(one.seconds for one in own),
    }


HEADER = (
    f"{'rules':14} {'way':8} {'made':>9} {'tries: median':>14} {'mean':>8} {'max':>6} {'CPU s: median':>14} {'max':>7}"
)


def describe(row: dict[str, Any]) -> str:
    """Return a line of the table. Levels that were given up count with the tries they had: `>` marks such figures."""
    bound = "" if row["made"] == row["of"] else ">"
    made = f"{row['made']} of {row['of']}"
    return (
        f"{row['rules']:14} {row['way']:8} {made:>9} {row['median_tries']:>14,.0f} "
        f"{bound + format(row['mean_tries'], ',.1f'):>8} {bound + format(row['max_tries'], ','):>6} "
        f"{row['median_seconds']:>14.2f} {row['max_seconds']:>7.2f}"
    )
