"""What a new task can be begun from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from solvent.core.domain import Template
from solvent.valency.formats import FORMATS
from solvent.valency.generator import learn, make_lattice
from solvent.valency.model import Module, Staging
from solvent.valency.notation.samples import parse_sample

BLANK = {
    "valency": 1,
    "rules": {
        "name": "two modules",
        "orbitals": "square",
        "modules": [
            {"name": "grass", "weight": 3, "look": {"sprite": "terrain/grass", "glyph": "g", "colour": "#86b957"}},
            {"name": "sea", "look": {"sprite": "terrain/sea", "glyph": "~", "colour": "#28609f"}},
        ],
    },
    "cluster": {"lattice": {"size": [12, 8]}},
}
SEA, LAND, EBB, TIDE = "sea", "land", "land to sea", "sea to land"
"""What a side of a tile is, read clockwise."""
COAST = {
    "valency": 1,
    "rules": {
        "name": "coast",
        "orbitals": "square",
        "pairs": [[SEA, SEA], [LAND, LAND], [EBB, TIDE]],
        "modules": [
            {"name": "sea", "weight": 10, "sockets": {"*": SEA}, "look": {"sprite": "terrain/sea"}},
            {"name": "reef", "weight": 0.3, "sockets": {"*": SEA}, "look": {"sprite": "terrain/reef"}},
            {"name": "meadow", "weight": 6, "sockets": {"*": LAND}, "look": {"sprite": "terrain/meadow"}},
            {"name": "flowers", "weight": 2, "sockets": {"*": LAND}, "look": {"sprite": "terrain/grass"}},
            {"name": "castle", "weight": 0.15, "sockets": {"*": LAND}, "look": {"sprite": "terrain/castle"}},
            {
                "name": "shore",
                "rotations": 4,
                "sockets": {"up": LAND, "right": EBB, "down": SEA, "left": TIDE},
                "look": {"sprite": "coast/shore"},
            },
            {
                "name": "cape",
                "rotations": 4,
                "weight": 0.6,
                "sockets": {"up": EBB, "right": SEA, "down": SEA, "left": TIDE},
                "look": {"sprite": "coast/cape"},
            },
            {
                "name": "bay",
                "rotations": 4,
                "weight": 0.6,
                "sockets": {"up": TIDE, "right": LAND, "down": LAND, "left": EBB},
                "look": {"sprite": "coast/bay"},
            },
        ],
    },
    "cluster": {"lattice": {"size": [24, 14]}},
    "seed": 4,
}
LETTERS = {"~": ("sea", "terrain/sea"), ".": ("beach", "terrain/sand"), "#": ("forest", "terrain/forest")}
SAMPLE = "~~~~~~~~\n~~~...~~\n~~.##..~\n~..##.~~\n~~....~~\n~~~..~~~\n~~~~~~~~\n"
FROM_EXAMPLES = {
    "terrain": "Terrain",
    "rooms": "Rooms and corridors",
    "pipes": "Pipes",
    "hexes": "Hexagons",
    "tower": "Four floors",
}


def templates() -> Sequence[Template]:
    """Return what to begin from, the plainest first."""
    from solvent.valency.examples import load_examples

    texts = {example.name: example.text for example in load_examples()}
    rules = learn(parse_sample(SAMPLE), "island", {"sample": "tiled", "symmetry": 8})
    rules = replace(rules, modules=tuple(_with_sprite(module) for module in rules.modules))
    learned = Staging(rules, make_lattice(rules, "16x10", "none"), seed=3)
    found = [
        Template(name="blank", title="Two modules, 12×8", text=json.dumps(BLANK, indent=2) + "\n"),
        Template(name="coast", title="A coast", text=FORMATS.format(FORMATS.parse(json.dumps(COAST)), "json")),
    ]
    for name, title in FROM_EXAMPLES.items():
        task = replace(FORMATS.parse(texts[name]), picks=())
        found.append(Template(name=name, title=title, text=FORMATS.format(task, "json")))
    found.append(Template(name="sample", title="Learned from a map in letters", text=FORMATS.format(learned, "json")))
    return found


def _with_sprite(module: Module) -> Module:
    """Return a module that was learned from a letter, with the name and picture of what the letter stands for."""
    name, sprite = LETTERS[module.name]
    return replace(module, key=name, name=name, look=replace(module.look, sprite=sprite))
