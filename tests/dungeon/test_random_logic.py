"""Random logic of randomizers: what Solvent's dungeon allows is what the logic allows, worked out without it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import solvent
from dungeon.random_logic import World, play_everything, random_world, spheres_of
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.randomizer.reading import parse_logic
from solvent.dungeon.rules import Game


def explore(dungeon: Dungeon) -> tuple[set[str], bool]:
    """Return the names of all places that any play reaches, and whether one wins."""
    game = Game(dungeon)
    first = game.start_state()
    seen, waiting, won = {first}, [first], game.is_won(first)
    while waiting:
        for _, after in game.moves(waiting.pop()):
            won = won or game.is_won(after)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return {dungeon.floors[state.place[0]].name for state in seen}, won


@pytest.mark.parametrize("locks", [False, True], ids=["monotone", "locks"])
@pytest.mark.parametrize("first", range(0, up_to(80, deep=160), 20))
def test_reaches_what_the_logic_reaches(first: int, locks: bool) -> None:
    for seed in range(first, first + 20):
        world = random_world(seed, locks=locks)
        dungeon = parse_logic(json.dumps(world.json))
        expected = play_everything(world)
        places, won = explore(dungeon)
        assert {name for name in world.locations if name in places} == expected.locations, f"seed {seed}"
        assert won == expected.is_solvable, f"seed {seed}"


@pytest.mark.parametrize("locks", [False, True], ids=["monotone", "locks"])
def test_is_answered_as_the_logic_says(locks: bool) -> None:
    for seed in range(up_to(70, deep=150)):
        world = random_world(seed, locks=locks)
        dungeon = parse_logic(json.dumps(world.json))
        expected = play_everything(world)
        solvable, losable = (solvent.ask(dungeon, question) for question in ("solvable", "losable"))
        assert (solvable.verdict is Verdict.YES) == expected.is_solvable, f"seed {seed}: {solvable}"
        assert (losable.verdict is Verdict.YES) == expected.is_losable, f"seed {seed}: {losable}"
        assert Verdict.UNKNOWN not in (solvable.verdict, losable.verdict), f"seed {seed}"


def test_random_logic_is_of_all_sorts() -> None:
    outcomes = [play_everything(random_world(seed, locks=locks)) for seed in range(160) for locks in (False, True)]
    solvable = sum(outcome.is_solvable for outcome in outcomes)
    losable = sum(outcome.is_losable and outcome.is_solvable for outcome in outcomes)
    assert 60 < solvable < 260
    assert losable > 5


def with_playthrough(world: World, moved: str | None = None) -> str:
    spheres = spheres_of(world)
    if moved is not None:
        spheres[moved] += 1
    listed: list[dict[str, str]] = [{} for _ in range(max(spheres.values(), default=0))]
    for name, number in spheres.items():
        listed[number - 1][name] = world.locations[name][1]
    return json.dumps({**world.json, "playthrough": listed})


def test_playthroughs_of_random_logic_agree() -> None:
    for seed in range(200):
        world = random_world(seed, locks=False)
        expected = play_everything(world)
        remarks = parse_logic(with_playthrough(world)).remarks
        remark = next(remark for remark in remarks if remark.startswith("the playthrough"))
        if expected.is_solvable:
            assert remark.startswith("the playthrough agrees"), f"seed {seed}: {remark}"
        else:
            assert remark == "the playthrough differs from the logic in 1 place", f"seed {seed}: {remark}"


def test_locations_moved_to_another_sphere_are_named() -> None:
    named = 0
    for seed in range(200):
        world = random_world(seed, locks=False)
        spheres = spheres_of(world)
        if not spheres:
            continue
        moved = min(spheres)
        remarks = parse_logic(with_playthrough(world, moved)).remarks
        line = f"playthrough: {moved!r} is in sphere {spheres[moved] + 1}, but can be reached earlier, in sphere "
        # Where the whole sphere moves on together, a number is skipped; the location is named all the same.
        assert any(remark.startswith(line) for remark in remarks), f"seed {seed}: {remarks}"
        named += 1
    assert named > 100


def test_random_logic_is_written_and_read_again() -> None:
    for seed in range(up_to(70, deep=150)):
        dungeon = parse_logic(json.dumps(random_world(seed, locks=seed % 2 == 0).json))
        text = FORMATS.format(dungeon, "logic")
        again = FORMATS.parse(text)
        assert again == dungeon
        assert FORMATS.format(again, "logic") == text


def mangle_text(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(letters))
        match rng.randrange(4):
            case 0:
                letters[at] = rng.choice('{}[]",:0aR&|!-. é\x00')
            case 1:
                del letters[at : at + rng.randint(1, 9)]
            case 2:
                letters[at:at] = letters[at : at + rng.randint(1, 30)]
            case _:
                letters[at : at + 1] = rng.choice(("null", "true", "{}", "[]", "1e9", '"x"', "-1"))
    return "".join(letters)


ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 10**30, 1.5, "", "R0", "L1", "Bow", "bow >= 2", "(", "x" * 200, "\ud800"),
    *([], {}, ["R0"], {"rule": "Has"}, {"rule": "Nope"}, {"has": "Bow"}, {"all": [{"any": []}]}, {"item": "Bow"}),
)


def mangle_value(value: Any, rng: random.Random) -> Any:
    """Return JSON with something in it changed, renamed, left out or doubled."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return rng.choice(ODD_VALUES)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    chosen = rng.choice(keys)
    changed = dict(value) if isinstance(value, dict) else dict(enumerate(value))
    match rng.randrange(6):
        case 0:
            del changed[chosen]
        case 1 if isinstance(value, dict):
            changed[rng.choice(("rule", "item", "to", "from", "count", "consumes", "needs", "notes", "R0"))] = (
                changed.pop(chosen)
            )
        case 2:
            changed[chosen] = changed[rng.choice(keys)]
        case _:
            changed[chosen] = mangle_value(changed[chosen], rng)
    return changed if isinstance(value, dict) else list(changed.values())


def check_mangled(seed: int) -> bool:
    """Read something mangled; tell whether it could be read."""
    rng = random.Random(seed)
    world = random_world(seed % 500, locks=seed % 3 == 0)
    text = json.dumps(world.json) if seed % 3 == 0 else with_playthrough(world)
    if seed % 2:
        text = mangle_text(text, rng)
    else:
        value = json.loads(text)
        for _ in range(rng.randint(1, 3)):
            value = mangle_value(value, rng)
        text = json.dumps(value)
    try:
        dungeon = parse_logic(text)
    except ParseError:
        return False
    try:
        written = FORMATS.format(dungeon, "logic")
    except BadOption:
        return True
    assert parse_logic(written) == dungeon
    return True


def test_mangled_logic_is_refused_or_read() -> None:
    assert sum(check_mangled(seed) for seed in range(400)) > 25
