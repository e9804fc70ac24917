"""Where mutation begins: bundled examples and small random instances in every format, rule files, and public files."""

from __future__ import annotations

import io
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import solvent
from solvent.core.errors import SolventError
from torture.instances.dungeon import make_dungeon, make_tree
from torture.instances.harmony import make_board
from torture.instances.rich_dungeon import make_rich_dungeon
from torture.instances.starbattle import random_puzzle
from torture.instances.valency import make_staging

MAX_BYTES = 30_000
"""Larger public files take too long to be worth it."""
MAX_WRITTEN = 110_000
"""The same for what is written here; LDtk's definitions alone take 74 kB."""
MAX_PUBLIC = 12
"""Files of each kind taken from the public instances, where they are there."""
RULE_ENDINGS = (".xml", ".tsx", ".tmx", ".png")
"""Of files that hold rules for Valency, from which tasks are made."""


@dataclass(frozen=True)
class Seed:
    """Hold one input before it is mutated."""

    domain: str
    format: str
    """The name of its format; the ending of a rule file."""
    data: bytes
    name: str = ""
    """What its file is called, if that matters."""
    beside: tuple[str, bytes] | None = None
    """The file that has to stand beside it, and its name."""


def collect_seeds(dice: Random) -> dict[str, list[Seed]]:
    """Return inputs by domain and format."""
    found: dict[str, list[Seed]] = defaultdict(list)
    for seed in (*_instances(dice), *_rule_files(), *_public_files(dice)):
        found[f"{seed.domain}/{seed.format}"].append(seed)
    return dict(found)


def make_instance(dice: Random, domain: str) -> Any:
    """Make a small random instance."""
    if domain == "dungeon":
        return dice.choice((make_dungeon, make_dungeon, make_tree, make_rich_dungeon, make_rich_dungeon))(dice)
    if domain == "starbattle":
        size, stars = dice.choice(((5, 1), (6, 1), (8, 2), (9, 2), (11, 2)))
        return random_puzzle(dice, size, stars, connected=dice.random() < 0.7, marks=dice.choice((0, 0, 4)))
    return make_board(dice) if domain == "harmony" else make_staging(dice)


def _instances(dice: Random) -> list[Seed]:
    problems: list[Any] = [
        solvent.parse(example.text, domain=name) for name in solvent.domains() for example in solvent.examples(name)
    ]
    problems += [make_instance(dice, name) for name in solvent.domains() for _ in range(15)]
    found = []
    for problem in problems:
        for name in solvent.registry.get_domain(problem.domain).formats:
            try:
                text = solvent.format(problem, name)
            except SolventError:
                continue  # not everything can be said in every format
            if len(text) <= MAX_WRITTEN:
                found.append(Seed(problem.domain, name, text.encode()))
    return found


TILESET = """<set><tiles>
<tile name="a" symmetry="X" weight="1.0"/><tile name="b" symmetry="L" weight="0.5"/><tile name="c" symmetry="T"/>
</tiles><neighbors>
<neighbor left="a 0" right="a 0"/><neighbor left="a" right="b 1"/><neighbor left="b" right="c 2"/>
<neighbor left="c" right="c 3"/>
</neighbors><subsets><subset name="some"><tile name="a"/><tile name="b"/></subset></subsets></set>
"""
TERRAIN = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="terrain" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <wangsets><wangset name="ground" type="corner" tile="-1">
  <wangcolor name="grass" color="#00ff00" tile="-1" probability="1"/>
  <wangcolor name="sand" color="#ffff00" tile="-1" probability="2"/>
  <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/><wangtile tileid="1" wangid="0,2,0,2,0,2,0,2"/>
  <wangtile tileid="2" wangid="0,1,0,2,0,2,0,1"/><wangtile tileid="3" wangid="0,2,0,1,0,1,0,2"/>
 </wangset></wangsets>
</tileset>
"""
GRAPHML = """<?xml version="1.0"?><graphml><key id="x" for="node" attr.name="x" attr.type="double"/>
<key id="y" for="node" attr.name="y" attr.type="double"/><graph edgedefault="undirected">
<node id="n0"><data key="x">0</data><data key="y">0</data></node>
<node id="n1"><data key="x">1</data><data key="y">0</data></node>
<node id="n2"><data key="x">1</data><data key="y">1</data></node>
<edge source="n0" target="n1"/><edge source="n1" target="n2"/></graph></graphml>
"""
CSV_GRAPH = "source,target,source_orbital,target_orbital\na,b,right,left\nb,c,down,up\nc,d,left,right\nd,a,up,down\n"
JSON_GRAPH = """{"nodes": [{"id": "a", "x": 0, "y": 0}, {"id": "b", "x": 1, "y": 0}, {"id": "c", "x": 1, "y": 1}],
 "links": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}]}"""
SAMPLE = "..##..\n.####.\n..##..\n~~..~~\n"


def _rule_files() -> list[Seed]:
    texts = (
        (".xml", TILESET),
        (".tsx", TERRAIN),
        (".txt", SAMPLE),
        (".graphml", GRAPHML),
        (".csv", CSV_GRAPH),
        (".json", JSON_GRAPH),
    )
    return [*(Seed("valency", ending, text.encode()) for ending, text in texts), Seed("valency", ".png", _picture())]


def _picture() -> bytes:
    from PIL import Image

    picture = Image.new("RGB", (5, 5), "#336699")
    for number in range(5):
        picture.putpixel((number, (2 * number) % 5), (200, 40 * number, 0))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _public_files(dice: Random) -> list[Seed]:
    """Return a few files of the public instances, if they are there; they are no part of the project."""
    folder = Path(os.environ.get("SOLVENT_CORPORA") or Path(__file__).resolve().parents[2].parent / "shared" / "data")
    kinds = {
        "harmony/*.txt": ("harmony", "public"),
        "starbattle/*/*.txt": ("starbattle", "public"),
        "ldtk/*.ldtk": ("dungeon", "ldtk"),
        "tiled/**/*.tmx": ("dungeon", "tmx"),
        "tilesets/**/*.xml": ("valency", ".xml"),
        "tiled/**/*.tsx": ("valency", ".tsx"),
        "wfc-samples/**/*.png": ("valency", ".png"),
        "vglc-zelda/**/*.dot": ("dungeon", "dot"),
    }
    found = []
    for pattern, (domain, name) in kinds.items():
        files = sorted(path for path in folder.glob(pattern) if path.stat().st_size <= MAX_BYTES)
        for path in dice.sample(files, min(MAX_PUBLIC, len(files))):
            found.append(Seed(domain, name, path.read_bytes()))
    return [*found, *_zelda_maps(folder / "vglc-zelda")]


def _zelda_maps(folder: Path) -> list[Seed]:
    """Return tile maps, each with the graph that belongs to it."""
    found = []
    for path in sorted(folder.glob("Processed/tloz*_*.txt")):
        dungeon, quest = path.stem.removeprefix("tloz").split("_")
        graph = folder / "Graph Processed" / f"LoZ{'' if quest == '1' else quest}_{dungeon}.dot"
        if graph.is_file():
            beside = (f"{graph.parent.name}/{graph.name}", graph.read_bytes())
            found.append(Seed("dungeon", "vglc", path.read_bytes(), f"Processed/{path.name}", beside))
    return found
