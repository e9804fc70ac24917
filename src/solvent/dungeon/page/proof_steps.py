"""Take accepted certificates of dungeons apart: one step at a time, each with what to light on the map.

A walk is told from event to event. A closed set is told area by area, then gate by gate at its edge: why each stays
shut. The marks of a step are JSON values, all of them optional:

| mark | holds |
| --- | --- |
| `frame` | how everything stands then, as the first change of a track has it, and `place` |
| `path` | the `places` and `moves` of the walk it tells; `lost` if its last move loses |
| `reach` | runs of tiles: floor, row, first column, how many |
| `rims` | numbers of the gates it is about |
| `rings` | places it is about |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import capitalised, counted, listed
from solvent.dungeon.checker.waiving import waive
from solvent.dungeon.derived import about
from solvent.dungeon.describe_certificate import describe_certificate
from solvent.dungeon.drawing.overlay import find_reach
from solvent.dungeon.events import (
    DIRECTION_NAMES,
    count_resource,
    describe_gate,
    describe_place,
    name_all,
    name_key,
    replay,
)
from solvent.dungeon.model import ONE_WAYS, STEPS, WATER, Dungeon, Place
from solvent.dungeon.page.refusals import why_shut
from solvent.dungeon.page.track import show_state
from solvent.dungeon.rooms import as_runs
from solvent.dungeon.rules import Game, State, beside, resource_of
from solvent.dungeon.situations import Strolls, state_of_situation

MAX_SITUATIONS = 200
"""Situations that have a step of their own; the others are only counted."""


def proof_steps(dungeon: Dungeon, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Return the steps of an accepted certificate; one that has no parts to look at is told in one."""
    form = certificate["form"]
    game = Game(dungeon)
    here = game.present_state()
    if form == "plan" and certificate["plan"]:
        return _plan(game, here, certificate["plan"])
    if form == "plan from home" and certificate["plan"]:
        return _plan(game, game.start_state(), certificate["plan"])
    if form == "walks" and any(certificate["walks"]):
        return (step for walk in certificate["walks"] if walk for step in _plan(game, here, walk))
    if form == "lost walk":
        return _lost_walk(game, here, certificate, meter)
    if form == "closed set":
        return _closed_set(dungeon, certificate, meter)
    if form == "closed sets" and certificate["sets"]:
        end = "No move from any of these situations reaches a goal with everything in hand."
        return (step for each in certificate["sets"] for step in _closed_set(dungeon, each, meter, end))
    if form == "out of reach":
        return (step for proof in certificate["proofs"] for step in _out_of_reach(dungeon, proof, meter))
    if form == "taken away":
        return _taken_away(game, here, certificate)
    if form in ("safe", "safe, step by step") and certificate["states"]:
        return _safe(game, certificate, meter)
    if form == "surplus":
        return _surplus(game, certificate)
    return iter([ProofStep(text=" ".join(line.strip() for line in describe_certificate(dungeon, certificate)))])


# Walks


def _plan(game: Game, begin: State, moves: Sequence[str]) -> Iterator[ProofStep]:
    yield from _walk(game, begin, moves)
    yield ProofStep(
        text=f"That gets there, after {counted(len(moves), 'move')}. The checker has played each of them.",
        marks={"frame": show_state(game, replay(game, begin, moves, "plan").end)},
    )


def _walk(game: Game, begin: State, moves: Sequence[str], *, lost: bool = False) -> Iterator[ProofStep]:
    """Yield a walk from event to event, with what each uses."""
    walk = replay(game, begin, moves, "walk")
    stops = [(event.move, event.words) for event in walk.events]
    if not stops or stops[-1][0] < len(moves):
        stops.append((len(moves), ""))
    states = [begin, *game.walk(begin, moves)]
    done = 0
    for end, words in stops:
        before, after = states[end - 1], states[end]
        is_last = lost and end == len(moves)
        place = describe_place(game.dungeon, walk.places[end])
        which = f"Move {end}" if end - done == 1 else f"Moves {done + 1} to {end}"
        text = f"{which}: walk to {place}" + (f". {capitalised(words)}." if words else ".")
        used = _used(game, before, after)
        text += f" That uses {used}." if used else ""
        held = _held(game, after)
        text += f" In hand then: {held}." if words and held else ""
        text += " This is the moment of no return." if is_last else ""
        opened = sorted((after.opened - before.opened) | (after.fallen - before.fallen))
        taken = [game.dungeon.pickups[number].place for number in sorted(after.taken - before.taken)]
        path = {
            "places": [list(place) for place in walk.places[done : end + 1]],
            "moves": list(moves[done:end]),
            "lost": is_last,
        }
        yield ProofStep(
            text=text,
            marks={
                "frame": show_state(game, after),
                "path": path,
                "rims": opened,
                "rings": [list(place) for place in taken],
            },
        )
        done = end


def _used(game: Game, before: State, after: State) -> str:
    """Say what opening a gate costs."""
    gates = [game.dungeon.gates[number] for number in sorted(after.opened - before.opened)]
    spent = [
        f"a {name_key(game.dungeon, gate.needs[0])}" if gate.kind == "lock" else "a bomb"
        for gate in gates
        if (game.rules.keys_counted if gate.kind == "lock" else game.bombs(before) is not None)
    ]
    return listed(spent)


def _held(game: Game, state: State) -> str:
    """Say what is in hand; empty for nothing."""
    held = show_state(game, state)["have"]
    keys = [count_resource(resource_of("key", colour), number) for colour, number in held["keys"]]
    bombs = [] if not held["bombs"] else [count_resource("bombs", held["bombs"])]
    counts = held["counts"]
    items = [f"the {item}" if item not in counts else counted(counts[item], item) for item in held["items"]]
    return listed([*keys, *bombs, *items])


def _lost_walk(game: Game, here: State, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    walk, rescue = certificate["walk"], certificate["rescue"]
    if walk:
        yield from _walk(game, here, walk, lost=True)
        before = replay(game, here, walk[:-1], "walk").end
        saved = replay(game, before, rescue, "rescue")
        yield ProofStep(
            text=f"Just before that move, {counted(len(rescue), 'move')} still led to the goal: so it was that move.",
            marks={
                "frame": show_state(game, before),
                "path": {"places": [list(place) for place in saved.places], "moves": rescue, "lost": False},
            },
        )
    yield from _closed_set(game.dungeon, certificate, meter)


def _taken_away(game: Game, here: State, certificate: Certificate) -> Iterator[ProofStep]:
    """Yield a walk that takes the wrong thing, and how it would go without."""
    yield from _walk(game, here, certificate["walk"])
    lines = " ".join(line.strip() for line in describe_certificate(game.dungeon, certificate))
    yield ProofStep(text=lines[lines.rindex("After taking") :])


# Closed sets


OUT_OF_REACH = "No move leads out of these situations, and none of them has a goal in it. The goal is out of reach."


def _closed_set(
    dungeon: Dungeon, certificate: Certificate, meter: Meter, end: str = OUT_OF_REACH
) -> Iterator[ProofStep]:
    """Yield the situations of a closed set, then what bars the way out of them."""
    waived = list(certificate.get("waived", ()))
    game = Game(waive(dungeon, waived) if waived else dungeon)
    states = [state_of_situation(game, each, "states") for each in certificate["states"]]
    reach = find_reach(game, certificate["states"])
    if waived:
        gates = listed([describe_gate(dungeon, number) for number in waived], 4)
        yield ProofStep(text=f"Make it easier: let {gates} stand open from the start.", marks={"rims": waived})
    possible = "only one situation is" if len(states) == 1 else f"{len(states):,} situations are"
    yield ProofStep(
        text=f"From here on {possible} possible: this is all that can be reached, whatever you do.",
        marks={"reach": as_runs(reach), "frame": show_state(game, states[0])},
    )
    yield from _situations(game, states, meter)
    yield from _edges(game, states, reach, meter)
    goals = [list(place) for place in sorted(game.goals)]
    yield ProofStep(text=end, marks={"reach": as_runs(reach), "rings": goals})


def _out_of_reach(dungeon: Dungeon, proof: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield why some things, or the goal, cannot be reached."""
    numbers = proof["locations"]
    what = name_all(dungeon, numbers, last="or") if numbers else "the goal"
    rings = [list(dungeon.pickups[number].place) for number in numbers]
    yield ProofStep(text=f"To prove: no play reaches {what}.", marks={"rings": rings})
    if not proof["states"]:
        yield ProofStep(text="The game is over: nothing more can be taken.")
        return
    asked = about(dungeon, numbers)
    waived = list(proof.get("waived", ()))
    game = Game(waive(asked, waived) if waived else asked)
    reach = frozenset(place for place in find_reach(game, proof["states"]) if place[0] < len(dungeon.floors))
    easier = f"Even with {counted(len(waived), 'gate')} open from the start, this" if waived else "This"
    yield ProofStep(text=f"{easier} is all that can be reached.", marks={"reach": as_runs(reach), "rings": rings})
    states = [state_of_situation(game, each, "states") for each in proof["states"][:MAX_SITUATIONS]]
    yield from _edges(game, states, reach, meter, gates=len(dungeon.gates))
    yield ProofStep(text=f"So {what} cannot be reached.", marks={"reach": as_runs(reach), "rings": rings})


def _situations(game: Game, states: Sequence[State], meter: Meter) -> Iterator[ProofStep]:
    strolls = Strolls(game)
    for number, state in enumerate(states[:MAX_SITUATIONS], 1):
        if len(states) == 1:
            return
        meter.checkpoint()
        region = _region(game, state, strolls)
        held = _held(game, state) or "nothing in hand"
        opened = [describe_gate(game.dungeon, gate) for gate in sorted(state.opened)]
        text = f"Situation {number}: around {describe_place(game.dungeon, state.place)}, with {held}"
        text += f"; open: {listed(opened, 3)}." if opened else "."
        yield ProofStep(
            text=f"{text} {counted(len(region), 'tile')} can be walked without changing anything.",
            marks={"reach": as_runs(region), "rims": sorted(state.opened), "frame": show_state(game, state)},
        )
    if len(states) > MAX_SITUATIONS:
        yield ProofStep(text=f"And {len(states) - MAX_SITUATIONS:,} more situations, of the same kind.")


def _region(game: Game, state: State, strolls: Strolls) -> set[Place]:
    """Return where the player can get without opening or switching anything."""
    seen = {state.place}
    waiting = [state.place]
    while waiting:
        here = state._replace(place=waiting.pop())
        for _, after in game.moves(here):
            if after.place not in seen and strolls.is_calm(here, after):
                seen.add(after.place)
                waiting.append(after.place)
    return seen


def _edges(
    game: Game, states: Sequence[State], reach: frozenset[Place], meter: Meter, *, gates: int | None = None
) -> Iterator[ProofStep]:
    """Yield what bars the way out of all that can be reached, and why; of the gates only the first so many."""
    dungeon = game.dungeon
    tiles = as_runs(reach)
    for number, gate in enumerate(dungeon.gates[:gates]):
        meter.checkpoint()
        stands = any(cell not in reach and _touches(cell, reach) for cell in gate.cells)
        ways = any(way.gate == number and way.source in reach and way.target not in reach for way in dungeon.ways)
        if not stands and not ways:
            continue
        reasons = dict.fromkeys(why_shut(game, state, number) for state in states[:MAX_SITUATIONS])
        why = " ".join(reason for reason in reasons if reason)
        has = "You never get there with one in hand." if gate.kind in ("lock", "cracked") else ""
        yield ProofStep(
            text=f"{capitalised(describe_gate(dungeon, number))} stays shut. {why} {has}".rstrip(),
            marks={"reach": tiles, "rims": [number]},
        )
    water = sorted({to for to, _ in _steps_out(reach) if game.terrain(to) == WATER})
    if water:
        yield ProofStep(
            text=f"The water at {describe_place(dungeon, water[0])} bars the way: it takes the {dungeon.rules.water}.",
            marks={"reach": tiles, "rings": [list(place) for place in water]},
        )
    arrows = sorted({to for to, way in _steps_out(reach) if ONE_WAYS.get(game.terrain(to), way) != way})
    if arrows:
        leads = DIRECTION_NAMES[ONE_WAYS[game.terrain(arrows[0])]]
        yield ProofStep(
            text=f"The arrows at {describe_place(dungeon, arrows[0])} can only be walked {leads}: no way out there.",
            marks={"reach": tiles, "rings": [list(place) for place in arrows]},
        )


def _steps_out(reach: frozenset[Place]) -> Iterator[tuple[Place, str]]:
    return ((to, way) for place in reach for way in STEPS if (to := beside(place, way)) not in reach)


def _touches(cell: Place, reach: frozenset[Place]) -> bool:
    return any(beside(cell, direction) in reach for direction in STEPS)


# Proofs that nothing can be lost


def _safe(game: Game, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield the situations there are, those nearest to a goal first."""
    pairs = sorted(zip(certificate["ranks"], range(len(certificate["states"])), strict=True))
    strolls = Strolls(game)
    yield ProofStep(
        text=f"{counted(len(pairs), 'situation')} are all that a player can get into. "
        "Each has a number: at most so many others lie between it and the goal."
    )
    for rank, number in pairs[:MAX_SITUATIONS]:
        meter.checkpoint()
        state = state_of_situation(game, certificate["states"][number], "states")
        leads = "a move from here reaches the goal" if rank == 0 else f"a move leads to one with less than {rank}"
        held = _held(game, state) or "nothing in hand"
        yield ProofStep(
            text=f"Number {rank}, around {describe_place(game.dungeon, state.place)} with {held}: {leads}.",
            marks={"reach": as_runs(_region(game, state, strolls)), "frame": show_state(game, state)},
        )
    if len(pairs) > MAX_SITUATIONS:
        yield ProofStep(text=f"And {len(pairs) - MAX_SITUATIONS:,} more situations, each with its own number.")
    yield ProofStep(text="The numbers go down all the way, so from everywhere the goal can still be reached.")


def _surplus(game: Game, certificate: Certificate) -> Iterator[ProofStep]:
    """Yield what the way to the goal needs, and how much there always is to spend."""
    dungeon = game.dungeon
    floor, row, column = certificate["goal"]
    goal = describe_place(dungeon, (floor, row, column))
    yield ProofStep(
        text=f"Every move can be undone, so only what is used up matters on the way to the goal at {goal}.",
        marks={"rings": [list(certificate["goal"])]},
    )
    for item, number in certificate["items"]:
        place = dungeon.pickups[number].place
        yield ProofStep(
            text=f"The way needs the {item}, which lies at {describe_place(dungeon, place)}.",
            marks={"rings": [list(place)]},
        )
    for number, least in certificate["least"]:
        gate = dungeon.gates[number]
        noun = name_key(dungeon, gate.needs[0]) if gate.kind == "lock" else "bomb"
        yield ProofStep(
            text=f"Before {describe_gate(dungeon, number)}, {counted(least, noun)} or more are in hand, "
            "even if every other door was opened first.",
            marks={"rims": [number]},
        )
    yield ProofStep(text="There is always enough to go on, so nothing can be lost.")
