"""Nothing false is ever accepted: certificates true, spoilt and made up, on dungeons small enough to know everything.

The truth and the candidates come from `brute_force`, tile by tile and state by state; the checker is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import pytest
from torture.judges.dungeon import (
    State,
    TooLarge,
    Twin,
    all_states,
    can_win,
    depths_of,
    first_state,
    thorough_moves,
)

from dungeon.dungeons import KNOWN, dungeon_of
from helpers.depth import up_to
from helpers.marks import slow
from solvent.dungeon.checker import FORMS, play, violations
from solvent.dungeon.checker.fitness import unfit_parts
from solvent.dungeon.checker.moves import build_maze, make_move
from solvent.dungeon.checker.safe import find_sure_things
from solvent.dungeon.checker.situations import find_region, locate_state
from solvent.dungeon.model import (
    Block,
    Dungeon,
    Floor,
    Gate,
    Pickup,
    Place,
    Room,
    Rules,
    Switch,
    Way,
)
from solvent.proof.certificate import make_certificate

MAX_STATES = 1500
GATES = ("lock", "lock", "cracked", "item", "barrier", "soft", "soft")
PICKUPS = ("key", "key", "bombs", "item", "item", "monster")


def random_dungeon(seed: int) -> Dungeon:
    """Return a small dungeon with a bit of everything; mostly it makes no sense, and that is the point."""
    dice = Random(seed)
    height, width = dice.randrange(1, 5), dice.randrange(3, 6)
    letters = "...." + dice.choice(["", "#", "##", "~", "#~~", "#^>v<", "^>v<~#", ">", "v<#"])
    terrain = tuple("".join(dice.choice(letters) for _ in range(width)) for _ in range(height))
    floors = [Floor("ground", terrain)]
    if dice.random() < 0.25:
        floors.append(Floor("cellar", ("." * dice.randrange(1, 4),)))
    dry = [
        (floor, row, column)
        for floor, storey in enumerate(floors)
        for row, line in enumerate(storey.terrain)
        for column, letter in enumerate(line)
        if letter not in "#~ "
    ]
    wet = [(0, row, column) for row, line in enumerate(terrain) for column in range(width) if line[column] == "~"]
    if len(dry) < 4:
        return random_dungeon(seed + 1_000_000)
    dice.shuffle(dry)
    start, goal, *free = dry
    rooms = tuple(
        Room(name, (0, top, left), dice.randrange(1, height - top + 1), dice.randrange(1, width - left + 1))
        for name in ("den", "hall")
        for top, left in [(dice.randrange(height), dice.randrange(width))]
    )
    gates: list[Gate] = []
    for _ in range(dice.randrange(5)):
        kind = dice.choice(GATES)
        needs = {
            "lock": (dice.choice(["", "", "red"]),),
            "cracked": (),
            "item": dice.choice([("torch",), ("ladder",), ("ladder", "torch")]),
            "barrier": ("lever",),
            "soft": (dice.choice(["den", "hall"]),),
        }[kind]
        size = dice.choice([0, 1, 1, 1, 2])
        cells = tuple(sorted(free.pop() for _ in range(min(size, len(free)))))
        gates.append(Gate(kind, needs, cells, kind == "barrier" and dice.random() < 0.5))
    bare = [place for place in free if floors[place[0]].terrain[place[1]][place[2]] == "."]
    block_places = sorted(bare[: dice.choice([0, 0, 0, 1, 2])])
    plates = dice.choice([0, 1, 1, 2]) if any(gate.kind == "barrier" for gate in gates) else 0
    switches = sorted(dice.sample(dry, plates))
    pickups = []
    for _ in range(dice.randrange(5)):
        kind = dice.choice(PICKUPS)
        name = {"key": dice.choice(["", "", "red"]), "item": dice.choice(["torch", "ladder"])}.get(kind, "")
        count = {"key": dice.choice([1, 1, 2]), "bombs": dice.choice([0, 1])}.get(kind, 1)
        places = [place for place in dry + wet if place not in block_places]
        pickups.append(Pickup(dice.choice(places), kind, name, count))
    ways = []
    for _ in range(dice.choice([0, 0, 1, 2, 3])):
        source, target = dice.sample(dry, 2)
        gate = dice.randrange(len(gates)) if gates and dice.random() < 0.5 else None
        ways.append(Way(source, target, gate=gate))
        if dice.random() < 0.5:
            ways.append(Way(target, source, gate=dice.choice([gate, None])))
    rules = Rules(
        keys=dice.choice([(), (), (("", 1),)]),
        bombs=dice.choice([0, 0, 1, None]),
        items=dice.choice([(), (), (), ("torch",), ("ladder",)]),
        bombs_per_pickup=dice.choice([1, 2]),
        keys_counted=dice.random() < 0.9,
        crossing=dice.choice(["any", "one"]),
        soft=dice.choice(["open", "clear", "clear", "shut", "shut"]),
        push=dice.choice(["once", "once", "never"]),
        player=dice.choice(["any", "any", "thorough"]),
    )
    return Dungeon(
        floors=tuple(floors),
        start=start,
        goals=(goal,),
        pickups=tuple(sorted(pickups, key=lambda pickup: (pickup.place, pickup.kind, pickup.name))),
        gates=tuple(gates),
        switches=tuple(Switch(place, "lever") for place in switches),
        blocks=tuple(Block(place) for place in block_places if place not in switches),
        ways=tuple(ways),
        rooms=rooms,
        rules=rules,
    )


def dense_dungeon(seed: int) -> Dungeon:
    """Return a few tiles crammed with things, so that there is something to lose behind most steps."""
    dice = Random(seed)
    height, width = dice.choice([(1, 7), (2, 4), (2, 5), (3, 3), (3, 4)])
    glyphs = dice.choice(["kL", "kLsDd", "kLo", "kLS", "kLTt~l", "mSkL", "kLv^<>", "kLsDoS>v"])
    cells = [dice.choice("..#" + glyphs) for _ in range(height * width)]
    for place, glyph in zip(dice.sample(range(len(cells)), 4), "@GkL", strict=True):
        cells[place] = glyph
    if "s" not in cells:
        cells = ["." if cell in "Dd" else cell for cell in cells]
    dry = [number for number, cell in enumerate(cells) if cell not in "#~"]
    pairs = [dice.sample(dry, 2) for _ in range(dice.choice([0, 0, 0, 1, 2]))]
    top, left = dice.randrange(height), dice.randrange(width)
    return dungeon_of(
        "/".join("".join(cells[row * width : (row + 1) * width]) for row in range(height)),
        rules=Rules(
            crossing=dice.choice(["any", "one"]),
            soft=dice.choice(["clear", "shut"]),
            player=dice.choice(["any", "any", "any", "thorough"]),
        ),
        rooms={"den": ((0, top, left), dice.randrange(1, height - top + 1), dice.randrange(1, width - left + 1))},
        ways=[Way((0, *divmod(one, width)), (0, *divmod(other, width))) for one, other in pairs],
        strict=False,
    )


@dataclass(frozen=True)
class Truth:
    """Hold what there is to know about a dungeon."""

    twin: Twin
    states: dict[State, dict[str, State]]
    """Every state that can be reached, with its moves."""
    alive: set[State]
    allowed: dict[State, dict[str, State]]
    """The moves that the player who may lose makes."""
    depths: dict[State, int]
    """How soon that player gets to a state."""

    @property
    def first(self) -> State:
        return next(iter(self.states))

    @property
    def solvable(self) -> bool:
        return self.first in self.alive

    @property
    def losable(self) -> bool:
        return any(state not in self.alive for state in self.depths)


def find_truth(dungeon: Dungeon) -> Truth | None:
    """Look at every state, unless there are too many."""
    try:
        states = all_states(dungeon, MAX_STATES)
    except TooLarge:
        return None
    twin = Twin(dungeon)
    alive = can_win(states, {state for state in states if twin.is_won(state)})
    allowed = thorough_moves(dungeon, states) if dungeon.rules.player == "thorough" else states
    return Truth(twin, states, alive, allowed, depths_of(allowed))


Known = list[tuple[Dungeon, Truth]]


@pytest.fixture(scope="module", params=[range(25), *slow([range(25, up_to(65, deep=200))])], ids=["some", "many"])
def known_dungeons(request: pytest.FixtureRequest) -> Known:
    """Return dungeons with all that is true of them: those written by hand, and random ones."""
    dungeons = [known.dungeon for known in KNOWN.values()]
    dungeons += [make(seed) for seed in request.param for make in (random_dungeon, dense_dungeon)]
    known = [(dungeon, truth) for dungeon in dungeons for truth in [find_truth(dungeon)] if truth]
    assert len(known) > len(dungeons) * 3 // 4
    return known


# Candidates, tile by tile

Key = tuple[Any, ...]


def holdings(twin: Twin, state: State) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the numbers of what matters and is taken, and the names of the items that matter and are held."""
    pickups = twin.dungeon.pickups
    by_number = {n for n, pickup in enumerate(pickups) if pickup.kind != "item" or pickup.name in twin.counted}
    taken = tuple(sorted(n for n in state.taken & by_number if twin.matters[n]))
    needed = {name for gate in twin.dungeon.gates if gate.kind == "item" for name in gate.needs}
    needed.update(atom.name for atom in twin.haves if atom.what == "item")
    if any("~" in row for floor in twin.dungeon.floors for row in floor.terrain):
        needed.add(twin.rules.water)
    return taken, tuple(sorted(name for name in needed if twin.has_item(state, name)))


def complete(twin: Twin, state: State) -> State:
    while True:
        lying = {
            n
            for place in twin.region(state)
            for n in twin.pickups_at.get(place, ())
            if twin.matters[n] and n not in twin.delicate
            if twin.holds(state._replace(place=place), twin.dungeon.pickups[n].rule)
        }
        if lying <= state.taken:
            return state
        state = state._replace(taken=state.taken | lying)


def still_region(twin: Twin, state: State) -> frozenset[Place]:
    """Return the region in which nothing is left to take."""

    def calm(here: State) -> set[Place]:
        after = {twin.step(here, move) for move in twin.moves}
        return {
            there.place
            for there in after
            if there is not None
            and not twin.is_won(there)
            and twin.surroundings(there) == twin.surroundings(here)
            and holdings(twin, there) == holdings(twin, here)
        }

    leads = {state.place: calm(state)}
    waiting = [state.place]
    while waiting:
        for place in leads[waiting.pop()]:
            if place not in leads:
                leads[place] = calm(state._replace(place=place))
                waiting.append(place)
    back = {state.place}
    while more := {place for place, targets in leads.items() if place not in back and targets & back}:
        back |= more
    return frozenset(back)


@dataclass
class Candidate:
    """Hold one situation as the brute force sees it."""

    state: State
    region: frozenset[Place]
    leads_to: set[Key]
    wins: bool = False


def explore(twin: Twin, firsts: Iterable[State], *, saturate: bool) -> dict[Key, Candidate]:
    """Return every situation that these states lead to, theirs first."""

    def settle(state: State) -> tuple[Key, State, frozenset[Place]]:
        if saturate:
            state = complete(twin, state)
        region = twin.region(state) if saturate else still_region(twin, state)
        return (min(region), holdings(twin, state), twin.surroundings(state)), state, region

    found: dict[Key, Candidate] = {}
    for first in firsts:
        key, state, region = settle(first)
        found.setdefault(key, Candidate(state, region, set()))
    waiting = list(found)
    while waiting:
        candidate = found[waiting.pop()]
        for place in candidate.region:
            here = candidate.state._replace(place=place)
            for move in twin.moves:
                after = twin.step(here, move)
                if after is None:
                    continue
                if twin.is_won(after):
                    candidate.wins = True
                    continue
                key, state, region = settle(after)
                candidate.leads_to.add(key)
                if key not in found:
                    found[key] = Candidate(state, region, set())
                    waiting.append(key)
    return found


def find_ranks(found: dict[Key, Candidate]) -> dict[Key, int]:
    """Return how far from a goal each situation is, in situations; a wrong but hopeful number where there is no way."""
    ranks = {key: 0 for key, candidate in found.items() if candidate.wins}
    while more := {
        key: 1 + min(ranks[other] for other in candidate.leads_to if other in ranks)
        for key, candidate in found.items()
        if key not in ranks and candidate.leads_to & ranks.keys()
    }:
        ranks.update(more)
    return {key: ranks.get(key, len(found)) for key in found}


def body_of(twin: Twin, candidate: Candidate, dice: Random) -> dict[str, Any]:
    taken, items = holdings(twin, candidate.state)
    state = candidate.state
    return {
        "at": list(dice.choice(sorted(candidate.region))),
        "taken": list(taken),
        "items": list(items),
        "opened": sorted(state.opened),
        "fallen": sorted(state.fallen),
        "on": sorted(state.on),
        "moved": sorted([block, way] for block, way in state.moved),
        "dials": sorted([switch, now] for switch, now in state.dials),
        "stock": [
            [name, number]
            for name, had in state.stock
            for number in [min(had, twin.most_useful(state, name))]
            if number
        ],
    }


def rules_of(dungeon: Dungeon) -> dict[str, Any]:
    rules = asdict(dungeon.rules)
    return {
        **rules,
        "keys": [list(key) for key in rules["keys"]],
        "items": list(rules["items"]),
        "collect": list(rules["collect"]),
    }


def certificate(dungeon: Dungeon, form: str, **body: Any) -> dict[str, Any]:
    older = ("solvable", "losable")  # the others are held against brute force in test_questions.py
    [(question, verdict)] = [(q, v) for (q, known), (v, _) in FORMS.items() if known == form and q in older]
    return make_certificate("dungeon", question, verdict, form, rules=rules_of(dungeon), **body)


def accepts(dungeon: Dungeon, form: str, **body: Any) -> bool:
    return violations(dungeon, certificate(dungeon, form, **body)) == []


def listed(
    twin: Twin, first: State, dice: Random, *, saturate: bool, also: Iterable[State] = ()
) -> tuple[list[dict[str, Any]], list[int]]:
    if twin.is_won(first):
        return [], []
    found = explore(twin, [first, *(state for state in also if not twin.is_won(state))], saturate=saturate)
    ranks = find_ranks(found)
    return [body_of(twin, candidate, dice) for candidate in found.values()], [ranks[key] for key in found]


def moves_to(states: dict[State, dict[str, State]], first: State, goals: set[State]) -> list[str] | None:
    """Return the fewest moves from a state to one of some others."""
    came: dict[State, tuple[State, str] | None] = {first: None}
    waiting = [first]
    for state in waiting:
        if state in goals:
            walk: list[str] = []
            link = came[state]
            while link is not None:
                walk.append(link[1])
                link = came[link[0]]
            return walk[::-1]
        for move, after in states[state].items():
            if after not in came:
                came[after] = (state, move)
                waiting.append(after)
    return None


def spoilt_lists(situations: list[dict[str, Any]], dice: Random) -> Iterator[list[dict[str, Any]]]:
    """Yield lists that differ a little from the one given."""
    for index in range(len(situations)):
        yield situations[:index] + situations[index + 1 :]
    for _ in range(3):
        yield dice.sample(situations, dice.randrange(len(situations) + 1))
    for index in range(min(len(situations), 4)):
        changed = dict(dice.choice(situations))
        part = dice.choice(["taken", "items", "opened", "fallen", "on", "moved", "dials", "stock"])
        if changed[part]:
            changed[part] = changed[part][1:]
        else:
            changed["at"] = dice.choice(situations)["at"]
        yield [*situations[:index], changed, *situations[index + 1 :]]


# The rules of play


def test_the_generator_makes_dungeons_with_everything(known_dungeons: Known):
    assert not any(unfit_parts(dungeon) for dungeon, _ in known_dungeons)
    truths = [truth for _, truth in known_dungeons]
    assert sum(truth.solvable and truth.losable for truth in truths) > 10
    assert sum(truth.solvable and not truth.losable for truth in truths) > 10
    assert sum(bool(state.moved) for truth in truths for state in truth.states) > 10
    assert sum(bool(state.on) for truth in truths for state in truth.states) > 10
    assert sum(bool(state.fallen) for truth in truths for state in truth.states) > 10


def as_played(state: State) -> play.State:
    return play.State(*state)


def test_each_move_does_what_the_brute_force_says(known_dungeons: Known):
    compared = 0
    for dungeon, truth in known_dungeons:
        board = play.lay_out(dungeon)
        for state, moves in truth.states.items():
            for move in truth.twin.moves:
                reached = play.take(board, as_played(state), move)
                expected = moves.get(move)
                assert isinstance(reached, str) if expected is None else reached == as_played(expected)
                compared += 1
    assert compared > 10_000 * len(known_dungeons) // 400


@pytest.mark.parametrize("step_by_step", [False, True])
def test_moves_between_areas_are_the_moves_of_play(known_dungeons: Known, step_by_step: bool):
    for dungeon, truth in known_dungeons:
        maze = build_maze(play.lay_out(dungeon), step_by_step=step_by_step)
        expected: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for state, moves in truth.states.items():
            here = locate_state(maze, as_played(state))
            assert here is not None
            results = {locate_state(maze, as_played(after)) for after in moves.values()}
            expected.setdefault(here, set()).update(results - {here, None})
        for (area, bits), results in expected.items():
            made = {(move.target, make_move(maze, move, bits)) for move in maze.moves[area]}
            assert {(target, after) for target, after in made if after is not None} - {(area, bits)} == results


def test_regions_of_areas_are_regions_of_tiles(known_dungeons: Known):
    for dungeon, truth in known_dungeons:
        for step_by_step in (False, True):
            maze = build_maze(play.lay_out(dungeon), step_by_step=step_by_step)
            for state in list(truth.states)[:60]:
                if truth.twin.is_won(state):
                    continue
                tiles = still_region(truth.twin, state) if step_by_step else truth.twin.region(state)
                located = [locate_state(maze, as_played(state._replace(place=place))) for place in tiles]
                here = locate_state(maze, as_played(state))
                assert here is not None
                assert find_region(maze, *here) == {there[0] for there in located if there}


def test_what_is_said_to_be_held_for_sure_is_held(known_dungeons: Known):
    counted = 0
    for dungeon, truth in known_dungeons:
        maze = build_maze(play.lay_out(dungeon))
        sure = find_sure_things(maze)
        for state in truth.states:
            here = locate_state(maze, as_played(state))
            assert here is not None
            area, bits = here
            assert sure[area] & ~bits == 0
            counted += sure[area] & ~maze.ledger.carried != 0
    assert counted > 1000 * len(known_dungeons) // 400


# The forms


def test_plans_are_accepted_exactly_where_there_is_one(known_dungeons: Known):
    for number, (dungeon, truth) in enumerate(known_dungeons):
        won = {state for state in truth.states if truth.twin.is_won(state)}
        plan = moves_to(truth.states, truth.first, won)
        assert (plan is not None) == truth.solvable
        if plan is None:
            continue
        assert accepts(dungeon, "plan", plan=plan)
        assert not accepts(dungeon, "plan", plan=[*plan, "N"])
        assert not plan or not accepts(dungeon, "plan", plan=plan[:-1])
        dice = Random(number)
        for _ in range(5):
            other = [dice.choice(truth.twin.moves) for _ in plan]
            state: State | None = truth.first
            for move in other:
                state = None if state is None else truth.states[state].get(move)
            assert accepts(dungeon, "plan", plan=other) == (state in won)


def test_closed_sets_are_accepted_only_where_no_goal_can_be_reached(known_dungeons: Known):
    accepted = 0
    for number, (dungeon, truth) in enumerate(known_dungeons):
        dice = Random(number)
        states, _ = listed(truth.twin, truth.first, dice, saturate=True)
        assert accepts(dungeon, "closed set", states=states) == (not truth.solvable)
        accepted += not truth.solvable
        for spoilt in spoilt_lists(states, dice):
            # Each of them can be reached, so there is no closed set with one less.
            if len(spoilt) < len(states) or truth.solvable:
                assert not accepts(dungeon, "closed set", states=spoilt)
    assert accepted > 20 * len(known_dungeons) // 400


def test_lost_walks_are_accepted_only_where_one_can_lose(known_dungeons: Known):
    accepted = 0
    for number, (dungeon, truth) in enumerate(known_dungeons):
        dice = Random(number)
        dead = {state for state in truth.depths if state not in truth.alive}
        won = {state for state in truth.states if truth.twin.is_won(state)}
        for candidate in random_walks(truth, dice):
            *_, before, end = (truth.first, *(state for _, state in candidate))
            walk = [move for move, _ in candidate]
            states, _ = listed(truth.twin, end, dice, saturate=True)
            rescue = moves_to(truth.states, before, won) or []
            if accepts(dungeon, "lost walk", walk=walk, states=states, rescue=rescue):
                assert end in dead
                assert before in truth.alive
        walk_to_dead = moves_to(truth.allowed, truth.first, dead)
        assert (walk_to_dead is not None) == truth.losable
        if walk_to_dead is None:
            continue
        trail = [truth.first]
        for move in walk_to_dead:
            trail.append(truth.states[trail[-1]][move])
        states, _ = listed(truth.twin, trail[-1], dice, saturate=True)
        rescue = (moves_to(truth.states, trail[-2], won) or []) if walk_to_dead else []
        body = {"walk": walk_to_dead, "states": states, "rescue": rescue}
        assert accepts(dungeon, "lost walk", **body)
        accepted += 1
        for spoilt in spoilt_lists(states, dice):
            if len(spoilt) < len(states):
                assert not accepts(dungeon, "lost walk", **{**body, "states": spoilt})
        assert not accepts(dungeon, "lost walk", **{**body, "rescue": [*rescue, "N"]})
        assert not rescue or not accepts(dungeon, "lost walk", **{**body, "rescue": []})
        assert not rescue or not accepts(dungeon, "lost walk", **{**body, "walk": walk_to_dead[:-1]})
    assert accepted > 30 * len(known_dungeons) // 400


def random_walks(truth: Truth, dice: Random) -> Iterator[list[tuple[str, State]]]:
    """Yield walks by any player, thorough or not."""
    for _ in range(6):
        walk: list[tuple[str, State]] = []
        state = truth.first
        for _ in range(dice.randrange(1, 12)):
            if not truth.states[state]:
                break
            move, state = dice.choice(list(truth.states[state].items()))
            walk.append((move, state))
        if walk:
            yield walk


@pytest.mark.parametrize("completed", ["what one gets to with everything", "all there is", "nothing"])
def test_safe_is_accepted_only_where_nobody_can_lose(known_dungeons: Known, completed: str):
    form = "safe, step by step" if completed == "nothing" else "safe"
    accepted = refused = 0
    for number, (dungeon, truth) in enumerate(known_dungeons):
        dice = Random(number)
        also = truth.depths if completed == "all there is" else ()
        states, ranks = listed(truth.twin, truth.first, dice, saturate=form == "safe", also=also)
        first_accepted = accepts(dungeon, form, states=states, ranks=ranks)
        accepted += first_accepted
        if first_accepted:
            assert not truth.losable
        elif form == "safe":
            assert truth.losable or dungeon.rules.player == "any"
            refused += not truth.losable
        else:
            # Step by step proves that nobody can lose, which may be false where only the thorough never do.
            assert len(truth.alive) < len(truth.states)
        for spoilt_states, spoilt_ranks in spoilt_safe(states, ranks, dice):
            if accepts(dungeon, form, states=spoilt_states, ranks=spoilt_ranks):
                assert not truth.losable
                assert len(spoilt_states) == len(states) or completed == "all there is"
    assert accepted > 50 * len(known_dungeons) // 400
    assert refused < accepted // 5


def spoilt_safe(
    states: list[dict[str, Any]], ranks: list[int], dice: Random
) -> Iterable[tuple[list[dict[str, Any]], list[int]]]:
    if not states:
        return
    for index in range(len(states)):
        yield states[:index] + states[index + 1 :], ranks[:index] + ranks[index + 1 :]
    yield states, dice.sample(ranks, len(ranks))
    yield states, [rank - 1 for rank in ranks]
    yield states, [0] * len(ranks)
    for spoilt in spoilt_lists(states, dice):
        yield spoilt, ranks[: len(spoilt)]


def test_ranks_must_go_down(known_dungeons: Known):
    tried = 0
    for number, (dungeon, truth) in enumerate(known_dungeons):
        states, ranks = listed(truth.twin, truth.first, Random(number), saturate=False)
        if not accepts(dungeon, "safe, step by step", states=states, ranks=ranks):
            continue
        for index, rank in enumerate(ranks):
            lower = [*ranks[:index], rank - 1, *ranks[index + 1 :]]
            assert not accepts(dungeon, "safe, step by step", states=states, ranks=lower)
            tried += 1
    assert tried > 50 * len(known_dungeons) // 400


def test_the_first_state_is_where_the_moves_played_lead(known_dungeons: Known):
    for dungeon, truth in known_dungeons:
        assert as_played(first_state(dungeon)) == play.position(play.lay_out(dungeon))
        assert truth.first == first_state(dungeon)
