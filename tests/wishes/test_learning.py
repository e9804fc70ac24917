"""Blame about meanings becomes exclusions about pieces, which never rule out more."""

from __future__ import annotations

from solvent.core.judging import Blame, BlamedTile, Suggestion
from solvent.wishes.learning import Dictionary

PIECES = {(0, 0): "brick", (1, 0): "ivy", (2, 0): "moss", (3, 0): "door"}
MEANINGS = {(0, 0): "wall", (1, 0): "wall", (2, 0): "floor", (3, 0): "lock"}


def known() -> Dictionary:
    dictionary = Dictionary()
    assert not dictionary.learn(PIECES, MEANINGS)
    return dictionary


def blame(*tiles: BlamedTile, suggestions: tuple[Suggestion, ...] = ()) -> Blame:
    return Blame(tiles, True, suggestions)


def test_all_pieces_that_keep_the_meaning_are_ruled_out():
    [[part]] = known().exclude(blame(BlamedTile((0, 0), frozenset({"wall"}))), PIECES).groups
    assert (part.tile, part.pieces, part.excluded) == ((0, 0), {"brick", "ivy"}, True)


def test_a_piece_that_means_two_things_stands_for_itself_alone():
    dictionary = known()
    assert dictionary.learn({(0, 0): "ivy"}, {(0, 0): "floor"})
    assert not dictionary.learn({(0, 0): "ivy"}, {(0, 0): "floor"})
    [[part]] = dictionary.exclude(blame(BlamedTile((0, 0), frozenset({"wall"}))), PIECES).groups
    assert part.pieces == {"brick"}
    [[part]] = dictionary.exclude(blame(BlamedTile((1, 0), frozenset({"wall"}))), PIECES).groups
    assert part.pieces == {"brick", "ivy"}  # what stands there now always counts


def test_tiles_without_a_piece_are_left_out_and_groups_are_in_order():
    tiles = [BlamedTile((3, 0), frozenset({"lock"}), group=2), BlamedTile((2, 0), frozenset({"floor"}), group=0)]
    exclusion = known().exclude(blame(*tiles, BlamedTile((9, 9), frozenset({"wall"}))), PIECES)
    assert [[part.tile for part in group] for group in exclusion.groups] == [[(2, 0)], [(3, 0)]]


def test_a_suggestion_asks_for_a_piece_that_is_known_to_mean_it():
    wanted = Suggestion([[BlamedTile((2, 0), frozenset(), wants=frozenset({"lock"}))]], [(3, 0), (8, 8)])
    never = Suggestion([[BlamedTile((2, 0), frozenset(), wants=frozenset({"bridge"}))]])
    exclusion = known().exclude(blame(suggestions=(wanted, never)), PIECES)
    [change] = exclusion.changes
    [[part]] = change.asks
    assert (part.pieces, part.excluded, change.near) == ({"door"}, False, [(3, 0)])
