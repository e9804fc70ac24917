"""One graph written in many styles of DOT reads the same, and mangled graphs are read or refused, never more."""

from __future__ import annotations

import random

import pytest

from solvent.core.errors import ParseError
from solvent.dungeon.formats import sniff_graph
from solvent.dungeon.notation.vglc.graph import parse_dot
from solvent.dungeon.notation.vglc.rooms_only import format_graph, parse_graph

NODES = {"0": "s", "1": "e,k", "2": "I,S1", "3": "", "4": "m,K", "5": "t"}
EDGES = [
    ("0", "1", ""),
    ("1", "0", ""),
    ("1", "2", "k"),
    ("2", "1", "k"),
    ("2", "3", "I,S1"),
    ("3", "4", "b"),
    ("4", "3", "l"),
    ("4", "5", "K"),
    ("1", "4", "s"),
]


def write_plainly() -> str:
    lines = [f'{name} [label="{label}"]' for name, label in NODES.items()]
    lines += [f'{one} -> {other} [label="{label}"]' for one, other, label in EDGES]
    return "digraph {\n" + "\n".join(lines) + "\n}\n"


class Writer:
    """Write the graph in a style of its own for each seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def gap(self) -> str:
        return self.pick(" ", " ", "\n", "\t ", " /* a [b] -> */ ", " // c }\n", "\n# d {\n", "\r\n")

    def name(self, node: str) -> str:
        return self.pick(node, f'"{node}"', f"<{node}>", f'"" + "{node}"')

    def end(self, node: str) -> str:
        return self.pick(self.name(node), self.name(node), f"{node}:n", f"{node}:port:se", f"{{{self.name(node)}}}")

    def labels(self, label: str) -> str:
        letters = label.split(",")
        self.random.shuffle(letters)
        return self.pick(",", ", ", ";", " ", "\n", "/", ",,", "\\n").join(letters) + self.pick("", ",", "\n")

    def attributes(self, label: str) -> str:
        written = self.labels(label)
        value = self.pick(f'"{written}"', f'"{written}"', f"<<b>{label}</b>>", f'"{label[:1]}" + "{label[1:]}"')
        said = [f"{self.pick('label', 'Label')}{self.pick('=', ' = ')}{value}", *self.drawing()]
        self.random.shuffle(said)
        if self.random.random() < 0.2:
            return "".join(f"[{each}]" for each in said)
        return f"[{self.pick(',', ', ', ';', ' ').join(said)}]"

    def drawing(self) -> list[str]:
        return self.random.sample(["color=red", 'shape="box"', "weight=2.5", "pos=<1,2!>", "penwidth=.5"], 2)

    def edge(self, one: str, other: str, label: str) -> str:
        if not label and self.random.random() < 0.5:
            return f"{self.end(one)} -> {self.end(other)}"
        return f"{self.end(one)}{self.pick('->', ' -> ')}{self.end(other)}{self.gap()}{self.attributes(label)}"

    def write(self) -> str:
        statements = [f"{self.name(name)}{self.gap()}{self.attributes(label)}" for name, label in NODES.items()]
        statements.append(self.pick("rankdir=LR", "graph [bgcolor=white]", "node [shape=circle]", "edge [color=blue]"))
        statements += [self.edge(*each) for each in EDGES]
        for at in self.random.sample(range(len(statements)), 3):
            opening = self.pick("{", "subgraph {", "subgraph cluster_a {", 'Subgraph "b c" {')
            statements[at] = f"{opening} {statements[at]} }}"
        body = "".join(f"{each}{self.pick(';', ' ;', '')}{self.gap()}" for each in statements)
        opening = self.pick("digraph", "DiGraph", "strict digraph", "digraph Cave", 'digraph "The {cave}"')
        return f"{self.pick('', '// by hand', '/* 1 */')}{self.pick(' ', chr(10))}\n{opening} {{{self.gap()}{body}}}\n"


@pytest.mark.parametrize("seed", range(150))
def test_one_graph_in_many_styles_is_one_dungeon(seed: int):
    text = Writer(seed).write()
    assert sniff_graph(text)
    plain, styled = parse_dot(write_plainly()), parse_dot(text)
    assert {name: sorted(labels) for name, labels in styled.nodes.items()} == {
        name: sorted(labels) for name, labels in plain.nodes.items()
    }
    assert styled.edges == plain.edges
    assert styled.remarks == plain.remarks


def mangled(text: str, chance: random.Random) -> str:
    pieces = [
        "{",
        "}",
        "[",
        "]",
        '"',
        "<",
        ">",
        "->",
        "--",
        ";",
        ":",
        "+",
        "\\",
        "/*",
        "label=",
        "node",
        "edge",
        "\0",
        "é",
    ]
    pieces += ["subgraph", "S1", "O", "k", "s", "t", "=", "strict ", "dir=both", "style=invis", "0 -> 1", "\ufeff"]
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.choice((0, 1, 3, 20)))
        text = text[:at] + chance.choice(["", chance.choice(pieces), text[at:to] * 2]) + text[to:]
    return text


def try_mangled(seeds: range) -> tuple[int, int]:
    """Return how many graphs were read and how many refused."""
    read = refused = 0
    for seed in seeds:
        chance = random.Random(seed)
        base = write_plainly() if seed % 3 == 0 else Writer(seed % 200).write()
        text = mangled(base, chance)
        try:
            dungeon = parse_graph(text)
        except ParseError:
            refused += 1
        else:
            assert parse_graph(format_graph(dungeon)) == dungeon
            read += 1
    return read, refused


def test_mangled_graphs_are_read_or_refused():
    read, refused = try_mangled(range(600))
    assert min(read, refused) > 80


@pytest.mark.slow
def test_many_mangled_graphs_are_read_or_refused():
    read, refused = try_mangled(range(600, 12_000))
    assert min(read, refused) > 1_500


@pytest.mark.parametrize(
    "text",
    [
        "digraph {" + "{" * 1_000_000,
        "digraph {" + '"' * 1_000_001,
        "digraph {" + "<" * 1_000_000,
        "digraph {" + "a [b=c] " * 100_000,
        "digraph {" + "".join(f"node [a{number}=1] " for number in range(50_000)),
        "strict digraph {" + "".join(f"a -> b [a{number}=1] " for number in range(50_000)),
        "digraph {" + "a:" * 500_000,
        "digraph {" + "{a b c d e f g h} -> " * 20_000,
        "digraph {" + "{" + "".join(f"n{number} " for number in range(300)) + "} -> " * 3,
        "digraph {" + '"a" + ' * 300_000,
        "digraph {" + "/*" * 500_000,
        'digraph { a [label="' + "k" * 1_000_000 + '"] }',
    ],
)
def test_hostile_graphs_are_refused(text: str):
    with pytest.raises(ParseError):
        parse_dot(text)
