"""Sockets on any orbital, with a table of what fits and with poles."""

from __future__ import annotations

import pytest

import solvent
from solvent.core.errors import BadOption
from solvent.valency.authoring import RuleBook
from solvent.valency.model import Rules, numbers_in


def beside(rules: Rules, key: str, orbital: str) -> set[str]:
    [layer] = rules.layers
    number = [one.name for one in layer.orbital_set.orbitals].index(orbital)
    module = next(module for module in rules.modules if module.key == key)
    if module.bonds[0].boundary_mask >> number & 1:
        return set()
    mask = module.bonds[0].neighbours[number]
    return {rules.modules[other].key for other in (range(len(rules.modules)) if mask is None else numbers_in(mask))}


def test_a_plug_fits_a_socket_and_no_plug():
    book = RuleBook("square").module("plug", sockets={"right": "pipe+", "left": "pipe+"})
    rules = book.module("jack", sockets={"left": "pipe-", "right": "pipe-"}).build()
    assert beside(rules, "plug", "right") == {"jack"}
    assert beside(rules, "jack", "right") == {"plug"}
    assert beside(rules, "jack", "left") == {"plug"}
    alone = RuleBook("square").module("plug", sockets={"*": "pipe+"}).build()
    assert beside(alone, "plug", "right") == set()


def test_a_table_says_what_fits_and_comes_before_poles():
    table = {"road": ["road", "gate"], "hook+": ["hook+"], "wall": []}
    book = RuleBook("square", pairs=table)
    for name in ("road", "gate", "hook+", "wall"):
        book.module(name, sockets={"left": name, "right": name})
    rules = book.build()
    assert beside(rules, "road", "right") == {"road", "gate"}
    assert beside(rules, "gate", "right") == {"road"}  # what fits one way fits the other way
    assert beside(rules, "hook+", "right") == {"hook+"}
    assert beside(rules, "wall", "right") == set()


def test_sockets_stand_on_orbitals_without_an_opposite():
    """Three arms of a molecule: which of them an edge joins to which is said by the edge."""
    book = RuleBook(["a", "b", "c"])
    book.module("donor", sockets={"*": "h+"}).module("acceptor", sockets={"*": "h-"})
    edges = [(0, 1, "a", "b"), (1, 2, "a", "c"), (2, 0, "a", "b")]
    path = book.on_graph(4, [*edges[:2], (2, 3, "b", "a")])
    answer = solvent.ask(path, seconds=60)
    assert answer.verdict is solvent.Verdict.YES
    modules = answer.certificate["modules"]
    assert all(modules[at] != modules[at + 1] for at in range(3))
    assert solvent.ask(book.on_graph(3, edges), seconds=60).verdict is solvent.Verdict.NO  # an odd ring


def test_opposites_can_be_named_and_labels_then_fit_only_across():
    book = RuleBook(["head", "tail"], opposites=[("head", "tail")])
    book.module("start", sockets={"head": "x"}, bonds={"tail": "boundary"})
    book.module("end", sockets={"tail": "x"}, bonds={"head": "boundary"})
    rules = book.build()
    assert beside(rules, "start", "head") == {"end"}
    assert solvent.ask(book.on_graph(2, [(0, 1, "head", "tail")]), seconds=60).verdict is solvent.Verdict.YES
    allowed = RuleBook(["head", "tail"], opposites=[("head", "tail")]).module("m").module("n").allow("m", "head", "n")
    assert beside(allowed.build(), "n", "tail") == {"m"}


def test_an_edge_that_lists_cannot_tell_apart_is_refused():
    """Both have water and fire; an edge from the water of one to the fire of the other must not be let pass."""
    book = RuleBook(["wet", "hot"]).module("m", sockets={"wet": "water", "hot": "fire"})
    book.on_graph(2, [(0, 1, "wet", "wet")])
    with pytest.raises(BadOption, match=r"edges join wet to hot, where 'water' does not fit 'fire'"):
        book.on_graph(2, [(0, 1, "wet", "hot")])
    exact = RuleBook(["wet", "hot"], opposites=[("wet", "wet"), ("hot", "hot")])
    exact.module("m", sockets={"wet": "water", "hot": "fire"})
    assert solvent.ask(exact.on_graph(2, [(0, 1, "wet", "wet")]), seconds=60).verdict is solvent.Verdict.YES


def test_one_of_several_layers_may_name_its_opposites():
    book = RuleBook({"roads": "square", "pipes": ["in", "out"]}, opposites=[("in", "out", "pipes")])
    book.module("m", sockets={"pipes": {"in": "w", "out": "w"}})
    rules = book.build()
    assert rules.modules[0].bonds[1].neighbours == (1, 1)
    with pytest.raises(BadOption, match="the layer if there are several"):
        RuleBook({"roads": "square", "pipes": ["in", "out"]}, opposites=[("in", "out")]).module("m").build()
