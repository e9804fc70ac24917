"""Folders and stores for a server to show: a few real answers of several domains, or very many made by hand."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import solvent
from solvent.batch.store import Store
from web.calling import Reply, call

LEVELS = {
    "harmony/easy.txt": ("harmony", "first_swaps"),
    "harmony/hopeless.txt": ("harmony", "dead_tile"),
    "harmony/other.txt": ("harmony", "forced_pair"),
    "star/six.txt": ("starbattle", None),
    "dungeon/door.txt": ("dungeon", "first_door"),
}
TILE_MAP = '{"type": "map", "version": "1.10", "orientation": "orthogonal", "infinite": false, "width": 3, "height": 3, "tilewidth": 16, "tileheight": 16, "layers": [{"type": "tilelayer", "name": "map", "width": 3, "height": 3, "data": [1, 1, 1, 1, 2, 1, 1, 1, 1]}], "tilesets": [{"firstgid": 1, "source": "SOURCE"}]}'  # noqa: E501
"""A map of Tiled that names its tileset."""


@dataclass(frozen=True)
class ServedFolder:
    """What a server was given, and where it is."""

    folder: Path
    store: Path
    address: str

    def get(self, path: str) -> Reply:
        return call(self.address, "GET", f"/api/{path}")

    def files(self, **query: Any) -> Any:
        words = "&".join(f"{name}={quote(str(value))}" for name, value in query.items())
        return self.get(f"files?{words}").json

    def file_id(self, name: str) -> str:
        return next(file["id"] for file in self.files(count=200)["files"] if file["name"].endswith(name))

    @property
    def store_id(self) -> str:
        return next(store["id"] for store in self.get("runs").json if store["name"].endswith(self.store.name))


def write_levels(folder: Path) -> None:
    for name, (domain, example) in LEVELS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        found = {each.name: each.text for each in solvent.examples(domain)}
        path.write_text(found[example] if example else next(iter(found.values())))
    (folder / "notes.md").write_text("# Not a level\n")
    (folder / "broken.txt").write_text("4 1\nABCD\nAB\nABCD\nABCD\n")


def fill_store(store: Path, folder: Path) -> None:
    """Make two runs: one that had to give up early on, and one that had not."""
    for nodes in (1, 20_000):
        list(solvent.validate([folder], store=store, seconds=None, nodes=nodes, jobs=1))


def make_large_store(path: Path, answers: int) -> None:
    """Make a store with so many answers, by hand: nothing in it is true, and no seal fits."""
    Store.open(path).close()
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO machine VALUES (1, 'a machine')")
        database.execute(
            "INSERT INTO run (id, token, state, began, ended, seconds, command, settings, solver, machine, leader,"
            " sources, answers) VALUES (1, 't', 'finished', 1, 2, 1, 'solvent validate', '{}', '1', 1, '', ?, ?)",
            (answers, answers),
        )
        numbers = range(answers)
        database.executemany(
            "INSERT INTO instance (id, hash, domain, size, seal, packed) VALUES (?, ?, 'harmony', ?, x'', x'')",
            ((number + 1, f"{number:064x}", number % 50 + 4) for number in numbers),
        )
        database.executemany(
            "INSERT INTO item VALUES (1, ?, ?, NULL, NULL, 'instance', '', '', 0.0, ?)",
            ((number, f"levels/{number}.txt", number + 1) for number in numbers),
        )
        database.executemany(
            "INSERT INTO answer (id, key, instance, question, verdict, certified, seconds, cpu_seconds, attempts,"
            " finished, solver, machine, detail, because, budget, stats, error, seal)"
            " VALUES (?, ?, ?, 'solvable', ?, 0, ?, 0, 1, 1, '1', 1, '', '', '{}', '{}', '', x'')",
            (
                (
                    number + 1,
                    str(number),
                    number + 1,
                    "NO" if number % 10 == 0 else "YES",
                    number * 7919 % 100_003 / 1e4,
                )
                for number in numbers
            ),
        )
        database.executemany(
            "INSERT INTO run_answer VALUES (1, ?, 'solvable', ?)", ((number, number + 1) for number in numbers)
        )
