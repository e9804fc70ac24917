"""Surplus where doors lie in circles: held against brute force, in what is shown and in each number behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from random import Random
from typing import Any

import pytest
from benchmarks.dungeon_circles import FAMILIES
from torture.judges.dungeon import TooLarge, truth

import solvent
from dungeon.dungeons import dungeon_of
from dungeon.strategies import random_circles
from dungeon.test_checker import changes, found
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.dungeon.checker.attainable import imply_more
from solvent.dungeon.checker.dominance import Groups, find_groups
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.play import lay_out
from solvent.dungeon.checker.shortage import add_inside, begin_inside, find_least, look_for_shortages
from solvent.dungeon.checker.zones import Zones, find_zones
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver.areas import contract
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.surplus import find_surplus

FORM = "surplus"
MAX_STATES = 20_000
RINGS = [name for name in FAMILIES if name != "generated"]


def body_of(dungeon: Dungeon) -> dict[str, Any] | None:
    ground = ground_level(dungeon)
    if ground.game.is_won(ground.game.present_state()):
        return None
    return find_surplus(ground, contract(ground, apart=False))


@pytest.mark.parametrize("first", [0, *slow(range(125, up_to(500, deep=1750), 125))])
def test_whatever_is_shown_is_accepted_and_true(first: int):
    safe = shown = by_detours = fetching = 0
    for seed in range(first, first + 125):
        dungeon = random_circles(seed)
        body = body_of(dungeon)
        try:
            is_safe = truth(dungeon, MAX_STATES).lost is None
        except TooLarge:
            continue
        safe += is_safe
        if body is not None:
            assert is_safe, seed
            assert found(dungeon, FORM, **body) == [], seed
            shown += 1
            by_detours += "detours" in body
            fetching += bool(body["items"])
    assert shown > safe // 2
    assert by_detours > 2
    assert fetching > 1


@pytest.mark.parametrize("name", RINGS)
@pytest.mark.parametrize("rooms", [4, 9])
def test_each_family_is_safe_by_brute_force(name: str, rooms: int):
    dungeon = FAMILIES[name](rooms if "grid" not in name else 4)
    assert truth(dungeon).lost is None


@pytest.mark.parametrize("name", RINGS)
@pytest.mark.parametrize("rooms", [20, 60])
def test_each_family_is_shown_without_looking_at_situations(name: str, rooms: int):
    answer = solvent.ask(FAMILIES[name](rooms), "losable", nodes=1)
    assert answer.verdict is Verdict.NO
    assert answer.certificate is not None
    assert answer.certificate["form"] == FORM


def test_with_a_key_too_few_nothing_is_shown():
    for name in RINGS:
        dungeon = FAMILIES[name](4)
        for number, pickup in enumerate(dungeon.pickups):
            pickups = [*dungeon.pickups]
            pickups[number] = replace(pickup, place=dungeon.goals[0])
            less = replace(dungeon, pickups=tuple(pickups))
            if body_of(less) is not None:
                assert truth(less).lost is None


# Certificates that are changed, or of other dungeons


def shown_circles(seeds: range) -> Iterator[tuple[Dungeon, dict[str, Any]]]:
    for seed in seeds:
        dungeon = random_circles(seed)
        body = body_of(dungeon)
        if body is not None:
            yield dungeon, body


def test_hardly_any_small_change_is_accepted():
    """Some are as good: another door of two, another place in a zone, a smaller number."""
    tried = accepted = 0
    for dungeon, body in shown_circles(range(up_to(60, deep=120))):
        for changed in changes(body):
            if changed != body:
                tried += 1
                accepted += found(dungeon, FORM, **changed) == []
    assert tried > 500
    assert accepted < tried // 25


def test_a_proof_does_not_pass_for_a_dungeon_that_can_be_lost():
    refused = 0
    for dungeon, body in shown_circles(range(up_to(100, deep=200))):
        dice = Random(str(dungeon.pickups))
        for number, pickup in enumerate(dungeon.pickups):
            pickups = [*dungeon.pickups]
            room = dice.randrange(len(dungeon.floors))
            pickups[number] = replace(pickup, place=(room, 0, len(dungeon.floors[room].terrain[0]) - 1))
            other = replace(dungeon, pickups=tuple(pickups))
            try:
                if truth(other, MAX_STATES).lost is None:
                    continue
            except TooLarge:
                continue
            assert found(other, FORM, **body) != [], (other, body)
            refused += 1
    assert refused > 10


# Each number by itself


def all_sets(zones: Zones, most: int = 3000) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return all that can be reached and opened, zones and gates: after each gate, everything is collected."""
    ledger, dungeon = zones.maze.ledger, zones.maze.board.dungeon
    lying: dict[int, list[int]] = {}
    for number, pickup in enumerate(dungeon.pickups):
        zone = zones.zone_at(pickup.place)
        if zone is not None:
            lying.setdefault(zone, []).append(number)

    def settle(opened: frozenset[int]) -> frozenset[int]:
        reached, held = {0}, 0
        while True:
            names = {dungeon.pickups[n].name for zone in reached for n in lying.get(zone, ())}
            held = sum(bit for name, bit in ledger.items.items() if name in names)
            more = {
                there
                for (here, there), doors in zones.doors.items()
                if here in reached and any(opened >= set(door.gates) and not door.needs & ~held for door in doors)
            }
            if more <= reached:
                return frozenset(reached)
            reached |= more

    def in_hand(reached: frozenset[int], opened: frozenset[int], gate: int) -> int:
        purse = ledger.purses[gate]
        lies = sum(purse.pickups.get(n, 0) for zone in reached for n in lying.get(zone, ()))
        return purse.carried + lies - len(opened.intersection(purse.gates))

    seen = {frozenset[int](): settle(frozenset())}
    waiting = deque(seen)
    while waiting and len(seen) < most:
        opened = waiting.popleft()
        reached = seen[opened]
        names = {dungeon.pickups[n].name for zone in reached for n in lying.get(zone, ())}
        held = sum(bit for name, bit in ledger.items.items() if name in names)
        for (here, _), doors in zones.doors.items():
            for door in doors if here in reached else ():
                after = opened
                for gate in door.gates:
                    if gate not in after and in_hand(settle(after), after, gate) > 0:
                        after = after | {gate}
                if not door.needs & ~held and after >= set(door.gates) and after not in seen:
                    seen[after] = settle(after)
                    waiting.append(after)
    return [(reached, opened) for opened, reached in seen.items()]


def least_by_looking(
    zones: Zones, sets: list[tuple[frozenset[int], frozenset[int]]], inside: set[int], gate: int, near: int, far: int
) -> float:
    """Return the least there is in hand before a gate, over all sets."""
    purse, dungeon = zones.maze.ledger.purses[gate], zones.maze.board.dungeon
    won = {zone for entries in zones.onto_goals.values() for zone, door in entries if door.is_free}
    least: float = inf
    for reached, opened in sets:
        if near in reached and far not in reached and gate not in opened and inside <= reached and not won & reached:
            lies = sum(each for n, each in purse.pickups.items() if zones.zone_at(dungeon.pickups[n].place) in reached)
            least = min(least, purse.carried + lies - len(opened.intersection(purse.gates)))
    return least


@pytest.mark.parametrize("first", [0, *slow(range(100, up_to(300, deep=600), 100))])
def test_no_number_is_too_large(first: int):
    tight = looked = more = 0
    for seed in range(first, first + 100):
        zones = find_zones(build_maze(lay_out(random_circles(seed))))
        if isinstance(zones, str):
            continue
        sets = all_sets(zones)
        dice = Random(seed)
        groups = find_groups(zones)
        for known in (groups, imply_more(zones, groups)):
            assert_sets_are_closed(zones, known, sets)
            shortages = look_for_shortages(zones, known)
            inside, fetched = begin_inside(known), {0}
            for _ in range(3):
                for (near, far), doors in zones.doors.items():
                    for gate in {gate for door in doors for gate in door.gates} if near != far else ():
                        stated = find_least(shortages, inside, gate, near, (far,))
                        true = least_by_looking(zones, sets, fetched, gate, near, far)
                        assert stated <= true, (seed, gate, near, far)
                        looked += 1
                        tight += stated == true
                zone = dice.randrange(zones.count)
                fetched.add(zone)
                add_inside(known, inside, zone)
            more += len(known.nodes.arcs) > len(groups.nodes.arcs)
    assert looked > 1000
    assert tight > looked // 2
    assert more > 3


def assert_sets_are_closed(zones: Zones, groups: Groups, sets: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    for reached, opened in sets:
        there = {*reached, *(groups.nodes.of_gate[gate] for gate in opened if gate in groups.nodes.of_gate)}
        for node, other in groups.nodes.arcs:
            assert node not in there or other in there


def test_what_must_be_open_before_is_found():
    # The second plain lock needs the key behind the red one.
    zones = find_zones(build_maze(lay_out(dungeon_of("kr@L.L.G/##R#####/##k#####"))))
    assert isinstance(zones, Zones)
    groups = find_groups(zones)
    more = imply_more(zones, groups)
    red = next(n for n, gate in enumerate(zones.maze.board.dungeon.gates) if gate.needs == ("red",))
    second = max(n for n, gate in enumerate(zones.maze.board.dungeon.gates) if gate.needs == ("",))
    assert (more.nodes.of_gate[second], more.nodes.of_gate[red]) in more.nodes.arcs
    assert (more.nodes.of_gate[second], more.nodes.of_gate[red]) not in groups.nodes.arcs
