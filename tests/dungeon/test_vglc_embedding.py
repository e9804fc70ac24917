from __future__ import annotations

from itertools import permutations, product

import pytest

from dungeon.vglc_maps import STATUES, dot, lay, room
from solvent.core.errors import ParseError
from solvent.dungeon.notation.vglc import embedding
from solvent.dungeon.notation.vglc.embedding import embed
from solvent.dungeon.notation.vglc.embedding.clauses import Formula
from solvent.dungeon.notation.vglc.embedding.formula import MatchingFormula, find_basements
from solvent.dungeon.notation.vglc.graph import parse_dot
from solvent.dungeon.notation.vglc.tiles import parse_tiles

WATER = {(row, 5): "P" for row in range(2, 14)}

# 2 x 3 rooms in a ring, entered in the west, the goal in the east, and a wall to bomb in the middle
TILES = parse_tiles(
    lay([[room("WES", fill="-"), room("WE"), room("WS")], [room("NE"), room("WE", {(4, 4): "B"}), room("NW", STATUES)]])
)
NODES = {"0": "t", "1": "e", "2": "e,p", "3": "e", "4": "s", "5": "", "6": "k"}
EDGES = (
    ("4", "5", ""),
    ("5", "3", ""),
    ("3", "6", "k"),
    ("6", "0", "l", ""),
    ("5", "1", ""),
    ("1", "2", ""),
    ("2", "0", "k"),
    ("2", "3", "b"),
)
TRUTH = {"5": (0, 0), "3": (0, 1), "6": (0, 2), "1": (1, 0), "2": (1, 1), "0": (1, 2)}


def test_finds_the_only_matching_and_says_that_it_is():
    found = embed(TILES, parse_dot(dot(NODES, *EDGES)))
    assert found.rooms == TRUTH
    assert found.remarks == ("which node is which room was found from the texts: cost 0, and no other costs less",)
    assert not found.basements
    assert not found.parts


@pytest.mark.parametrize("order", list(permutations("0136"))[::5])
def test_names_and_order_of_the_nodes_do_not_matter(order):
    renamed = dict(zip("0136", order, strict=True)) | {node: node for node in "245"}
    nodes = {renamed[node]: label for node, label in NODES.items()}
    edges = [(renamed[one], renamed[other], *labels) for one, other, *labels in EDGES]
    graph = parse_dot(dot(dict(sorted(nodes.items())), *edges))
    assert embed(TILES, graph).rooms == {renamed[node]: at for node, at in TRUTH.items()}


def test_ties_are_told():
    grid = [[None, room("S"), None], [room("E"), room("NWES"), room("WE", fill="-")], [None, room("N", STATUES), None]]
    tiles = parse_tiles(lay(grid))
    nodes = {"0": "s", "1": "", "2": "e", "3": "e", "4": "e", "5": "t"}
    edges = (("0", "1", ""), ("1", "2", ""), ("2", "3", ""), ("2", "4", ""), ("2", "5", ""))
    found = embed(tiles, parse_dot(dot(nodes, *edges)))
    assert {found.rooms["3"], found.rooms["4"]} == {(0, 1), (1, 0)}
    assert found.remarks[1] == "another matching costs the same: in it, the rooms of 3, 4 differ"


def test_parts_of_a_divided_room_are_told_apart():
    tiles = parse_tiles(lay([[room("WE"), room("WE", WATER), room("W", STATUES)]]))
    nodes = {"0": "s", "1": "I", "2": "p", "3": "p", "4": "t"}
    edges = (("0", "1", ""), ("1", "2", ""), ("2", "3", "I"), ("3", "4", ""))
    found = embed(tiles, parse_dot(dot(nodes, *edges)))
    assert found.rooms == {"1": (0, 0), "2": (0, 1), "3": (0, 1), "4": (0, 2)}
    assert found.parts == {"2": 0, "3": 1}


def test_basements_have_no_room():
    nodes = {"0": "s", "1": "e", "2": "I", "3": "t", "4": "e,I", "5": "I"}
    edges = [("0", "1", ""), ("1", "2", "l"), ("1", "3", ""), ("1", "4", ""), ("4", "5", ""), ("5", "3", "")]
    graph = parse_dot(dot(nodes, *edges))
    assert find_basements(graph) == {"2"}
    tiles = parse_tiles(lay([[room("WE", {(4, 4): "S"}), room("W", STATUES)]]))
    small = parse_dot(dot({"0": "s", "1": "e", "2": "I", "3": "t"}, ("0", "1", ""), ("1", "2", "l"), ("1", "3", "")))
    found = embed(tiles, small)
    assert found.basements == {"2"}
    assert found.rooms == {"1": (0, 0), "3": (0, 1)}


def test_plain_walls_are_walked_through_where_nothing_else_fits():
    tiles = parse_tiles(lay([[room("W"), room()], [room(), room("", STATUES)]]))
    nodes = {"0": "s", "1": "", "2": "e", "3": "e", "4": "t"}
    ring = (("0", "1", ""), ("1", "2", ""), ("2", "4", ""), ("1", "3", ""), ("3", "4", ""))
    found = embed(tiles, parse_dot(dot(nodes, *ring)))
    assert (found.rooms["1"], found.rooms["4"]) == ((0, 0), (1, 1))


def test_several_doors_may_lead_nowhere_where_nothing_else_fits():
    tiles = parse_tiles(lay([[room("WES"), room("WS")], [room("NE"), room("NW", STATUES)]]))
    nodes = {"0": "s", "1": "", "2": "e", "3": "e", "4": "t"}
    star = (("0", "1", ""), ("1", "2", ""), ("1", "3", "k"), ("1", "4", ""))
    found = embed(tiles, parse_dot(dot(nodes, *star)))
    assert found.rooms["4"] == (1, 1)
    assert "cost 18" in found.remarks[0]  # two doors without an edge, and stairs


def test_what_cannot_be_matched_is_refused():
    nodes = {"0": "s", "1": "", "2": "t"}
    graph = parse_dot(dot(nodes, ("0", "1", ""), ("1", "2", "")))
    with pytest.raises(ParseError, match="no way to put its 3 nodes into the 6 rooms"):
        embed(TILES, graph)


def test_an_empty_budget_finds_nothing_and_says_so():
    graph = parse_dot(dot(NODES, *EDGES))
    with pytest.raises(ParseError, match="7 nodes and 6 rooms are too many to search for one"):
        embed(TILES, graph, work=100)
    clauses = len(MatchingFormula(TILES, graph, walls=False, strict=True, max_clauses=10**6).clauses)
    with pytest.raises(ParseError, match=r"none was found for .* with the work that is spent on it"):
        embed(TILES, graph, work=clauses)
    assert embed(TILES, graph, work=2 * clauses).rooms == TRUTH


def test_too_many_choices_are_refused_before_anything_is_written(monkeypatch):
    monkeypatch.setattr(embedding, "MAX_CHOICES", 10)
    with pytest.raises(ParseError, match="7 nodes and 6 rooms are too many"):
        embed(TILES, parse_dot(dot(NODES, *EDGES)))


@pytest.mark.parametrize("size", range(6))
def test_counting(size):
    formula = Formula(10**6)
    literals = [formula.new() for _ in range(size)]
    counted = formula.count(literals)
    for values in product((False, True), repeat=size):
        given = {literal if value else -literal for literal, value in zip(literals, values, strict=True)}
        forced = _propagate(formula.clauses, given)
        assert [literal in forced for literal in counted] == [number < sum(values) for number in range(size)]
        assert all(literal in forced or -literal in forced for literal in counted)


@pytest.mark.parametrize("size", [1, 6, 7, 13])
def test_at_most_one(size):
    formula = Formula(10**6)
    literals = [formula.new() for _ in range(size)]
    formula.at_most_one(literals)
    for literal in literals:
        assert not {each for each in literals if each != literal} & _propagate(formula.clauses, {literal})
        assert {-each for each in literals if each != literal} <= _propagate(formula.clauses, {literal})


def _propagate(clauses: list[list[int]], known: set[int]) -> set[int]:
    """Follow every clause with one literal left until nothing new comes."""
    known = set(known)
    while True:
        new = set()
        for clause in clauses:
            left = [literal for literal in clause if -literal not in known]
            assert left, "a contradiction"
            if len(left) == 1 and left[0] not in known:
                new.add(left[0])
        if not new:
            return known
        known |= new
