"""Fills are made again without what was ruled out, and only if there is none is that said."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import solvent
from solvent import asking
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.core.judging import Exclusion, Part
from solvent.valency.authoring import RuleBook, connected, count
from solvent.valency.model import Staging
from solvent.valency.remaking import Remaker, pieces


def small(seed: int) -> Staging:
    """Return a strip of six cells: two colours and a joint, with between one and two joints."""
    rules = RuleBook("square", pairs=[("a", "a"), ("b", "b"), ("a", "j"), ("b", "j")])
    rules.module("red", sockets={"*": "a"}).module("blue", sockets={"*": "b"}).module("joint", sockets={"*": "j"})
    return rules.on_grid(3, 2, seed=seed, constraints=[count("joint", least=1, most=2)])


def all_fills(staging: Staging) -> set[tuple[int, ...]]:
    """Return every fill, by trying all there are and asking the checker."""
    certificate = solvent.ask(staging).certificate
    assert certificate is not None
    found = set()
    for modules in product(range(3), repeat=6):
        if not asking.find_violations(asking.domain_of(staging), staging, {**certificate, "modules": list(modules)}):
            found.add(modules)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_fill_is_found_by_ruling_out_one_after_the_other(seed):
    staging = small(seed)
    fills = all_fills(staging)
    certificate = solvent.ask(staging).certificate
    assert certificate is not None
    remaker = Remaker(staging, certificate, seed, UNLIMITED)
    found = {tuple(certificate["modules"])}
    while True:
        held = pieces(staging, certificate)
        remaker.exclude(Exclusion([[Part(tile, frozenset({piece})) for tile, piece in held.items()]]))
        finding = remaker.remake(UNLIMITED)
        if finding.verdict is Verdict.NO:
            break
        certificate = finding.certificate
        assert certificate is not None
        solvent.check(staging, certificate)
        assert tuple(certificate["modules"]) not in found, "it was ruled out"
        found.add(tuple(certificate["modules"]))
    assert found == fills


def test_little_changes_and_all_rules_still_hold():
    rules = RuleBook("square")
    rules.module("grass", sockets={"*": "grass"}, weight=4)
    rules.module("road", sockets={"left": "road", "right": "road", "*": "grass"}, rotations=2)
    rules.module("turn", sockets={"down": "road", "right": "road", "*": "grass"}, rotations=4)
    staging = rules.on_grid(16, 12, seed=3, constraints=[connected(sockets="road"), count("turn", least=6)])
    before = solvent.ask(staging).certificate
    assert before is not None
    held = pieces(staging, before)
    tile = next(tile for tile, piece in held.items() if piece.startswith("turn"))
    remaker = Remaker(staging, before, 1, UNLIMITED)
    remaker.exclude(Exclusion([[Part(tile, frozenset({held[tile]}))]]))
    after = remaker.remake(UNLIMITED).certificate
    assert after is not None
    solvent.check(staging, after)
    assert pieces(staging, after)[tile] != held[tile]
    assert np.count_nonzero(np.array(after["modules"]) != np.array(before["modules"])) < 40


def test_what_is_no_flat_grid_has_no_tiles():
    staging = RuleBook("cubic").module("air", sockets={"*": "air"}).on_grid(2, 2, 2)
    certificate = solvent.ask(staging).certificate
    assert certificate is not None
    assert pieces(staging, certificate) == {}
    with pytest.raises(ValueError, match="only a flat grid of squares"):
        Remaker(staging, certificate, 0, UNLIMITED)
