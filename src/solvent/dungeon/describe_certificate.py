"""Describe what a certificate holds, in lines of at most 78 characters.

Events have the numbers that drawings give them. Moves are written as the text format's `moves:` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from solvent.core.answer import Certificate
from solvent.drawing.phrases import capitalised, counted
from solvent.dungeon.derived import GOAL, about
from solvent.dungeon.events import (
    Walk,
    describe_ends,
    describe_place,
    describe_rooms,
    describe_shut_gate,
    name_all,
    name_pickup,
    replay,
    room_name,
)
from solvent.dungeon.model import STEPS, Dungeon, Place
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.notation.requirements.form import NEVER
from solvent.dungeon.rules import Game, State, beside
from solvent.dungeon.situations import Strolls, state_of_situation

WIDTH = 78
LONGEST_WORD = 30
"""Letters of a run that are written without a blank; broken where the direction changes, if it does."""
MAX_STEPS_TRIED = 200_000
"""How much work is worth a line about what stays shut."""
MAX_NAMED = 4
"""Gates that are named before the rest is only counted."""
MAX_WALKS = 3
"""Walks that are written out before the rest is only counted."""


def describe_certificate(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    """Return lines for people about an accepted certificate."""
    form = certificate["form"]
    question = certificate["question"]
    if question == "accessible":
        return _describe_accessible(dungeon, certificate)
    if question == "monotone":
        return _describe_monotone(dungeon, certificate)
    if form == "plan":
        return _describe_plan(dungeon, certificate)
    if form == "closed sets":
        return _describe_closed_sets(certificate)
    if form == "lost walk":
        return _describe_lost_walk(dungeon, certificate)
    if form == "closed set":
        return _describe_closed_set(dungeon, certificate)
    if form == "surplus":
        return _wrapped("Every move can be undone, and keys and bombs never run short on the way to the goal.")
    if form == "plan from home":
        return _wrapped(
            "Nothing is ever used up, and from the start, where a player can always return, a plan leads to the goal. "
            f"It takes {counted(len(certificate['plan']), 'move')}."
        )
    if form == "within reach":
        return _describe_within_reach(certificate)
    return _describe_safe(dungeon, certificate)


def format_run(moves: Sequence[str]) -> str:
    """Write moves as one line: letters together in words that can be read, ways, levers and returns apart."""
    words: list[str] = []
    run = ""
    for move in moves:
        if move not in STEPS:
            words += [*_break(run), move]
            run = ""
        else:
            run += move
    return " ".join([*words, *_break(run)])


def _break(run: str) -> Iterator[str]:
    """Yield the parts of a run of letters, each short enough to read."""
    while len(run) > LONGEST_WORD:
        turns = [at for at in range(LONGEST_WORD // 2, LONGEST_WORD + 1) if run[at] != run[at - 1]]
        cut = turns[-1] if turns else LONGEST_WORD
        yield run[:cut]
        run = run[cut:]
    if run:
        yield run


def _describe_plan(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    game = Game(dungeon)
    walk = replay(game, game.present_state(), certificate["plan"], "plan")
    if not walk.moves:
        return ["The goal is reached already."]
    return [f"The plan, {counted(len(walk.moves), 'move')}:", *_events(dungeon, walk, rest="")]


def _describe_lost_walk(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    game = Game(dungeon)
    walk = replay(game, game.present_state(), certificate["walk"], "walk")
    if not walk.moves:
        return _wrapped("It is lost already: the goal cannot be reached from here.") + _shut(game, certificate)
    lines = [f"A walk that loses, {counted(len(walk.moves), 'move')}:", *_events(dungeon, walk, rest="no way back")]
    rescue = certificate["rescue"]
    last = f"{walk.moves[-1]} from {describe_place(dungeon, walk.places[-2])}"
    rooms = ""
    if describe_rooms(dungeon, walk.places[-2:]):
        last = describe_ends(dungeon, *walk.places[-2:])
        before = replay(game, game.present_state(), walk.moves[:-1], "walk")
        rooms = describe_rooms(dungeon, replay(game, before.end, rescue, "rescue").places)
    lines += _wrapped(
        f"The last move, {last}, is the moment of no return. "
        f"Before it, {counted(len(rescue), 'move')} would still lead to the goal:"
    )
    lines += _hang("  ", rooms or format_run(rescue))
    waived = _waived(certificate)
    after = f", {waived[0].lower()}{waived[1:]}" if waived else ""
    lines += _wrapped(f"After it, the goal is out of reach whatever you do{after}.")
    return lines + _shut(game, certificate)


def _describe_closed_set(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    number = len(certificate["states"])
    if number == 1:
        text = "only one situation is possible, and no move from it reaches a goal."
    else:
        text = f"{number:,} situations are possible, and no move from any of them reaches a goal."
    waived = _waived(certificate)
    text = f"{waived}, {text}" if waived else text[0].upper() + text[1:]
    return _wrapped(text) + _shut(Game(dungeon), certificate)


def _describe_closed_sets(certificate: Certificate) -> list[str]:
    if not certificate["sets"]:
        return ["The game is over, and not everything was taken."]
    return [
        line for each in certificate["sets"] for line in _describe_set(each, "reaches a goal with everything in hand")
    ]


def _describe_set(proof: Certificate, never: str) -> list[str]:
    """Say that no move from any situation does something."""
    number = len(proof["states"])
    possible = "only one situation is" if number == 1 else f"{number:,} situations are"
    text = f"{possible} possible, and no move from {'it' if number == 1 else 'any of them'} {never}."
    waived = _waived(proof)
    return _wrapped(f"{waived}, {text}" if waived else text[0].upper() + text[1:])


def _describe_accessible(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    if certificate["form"] == "walks":
        game, lines = Game(dungeon), []
        walks = [replay(game, game.present_state(), walk, "walks") for walk in certificate["walks"]]
        if not any(walk.moves for walk in walks):
            return ["All that is asked for is had, and the goal is reached already."]
        for number, walk in enumerate(walks[:MAX_WALKS], start=1):
            title = "The walk" if len(walks) == 1 else f"Walk {number} of {len(walks)}"
            lines += [f"{title}, {counted(len(walk.moves), 'move')}:", *_events(dungeon, walk, rest="")]
        more = len(walks) - MAX_WALKS
        return [*lines, *([f"And {counted(more, 'more walk')}."] if more > 0 else [])]
    lines = []
    for proof in certificate["proofs"]:
        numbers, states = proof["locations"], proof["states"]
        what = name_all(dungeon, numbers, last="or") if numbers else "the goal"
        if not states:
            lines += _wrapped(f"The game is over, and nothing more can be taken: not {what}.")
            continue
        lines += _describe_set(proof, f"gets to {what}")
        asked = about(dungeon, numbers)
        reach = find_reach(Game(asked), proof)
        # Gates that only the question added are nothing to people.
        lines += _describe_edge(replace(asked, gates=asked.gates[: len(dungeon.gates)]), reach)
        lines += _describe_absent(dungeon, numbers, reach)
    return lines


def _describe_monotone(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    form = certificate["form"]
    if form == "nothing delicate":
        return _wrapped("No rule forbids having something, so having more never takes anything away.")
    if form == "all states":
        return _wrapped(f"Taking something never costs anything ({counted(certificate['count'], 'state')} compared).")
    game, lost = Game(dungeon), certificate["lost"]
    walk = replay(game, game.present_state(), certificate["walk"], "walk")
    before = replay(game, game.present_state(), certificate["walk"][:-1], "walk").end
    title = f"A walk that takes the wrong thing, {counted(len(walk.moves), 'move')}:"
    things = walk.end.taken - before.taken
    what, again = "the goal cannot be reached", "reach the goal"
    if lost != GOAL:
        what = f"{name_all(dungeon, [lost])} cannot be had"
        name = name_pickup(dungeon.pickups[lost], dungeon.rules.bombs_per_pickup)
        again = f"get {f'the {name[2:]}' if name.startswith('a ') else name}"
    return [
        title,
        *_events(dungeon, walk, rest=""),
        *_wrapped(
            f"After taking {name_all(dungeon, things)}, {what} any more. "
            f"Leave {'it' if len(things) == 1 else 'them'}, and you can still {again} "
            f"in {counted(len(certificate['plan']), 'move')}."
        ),
    ]


def _waived(certificate: Certificate) -> str:
    """Return which gates stand open in the easier dungeon that a proof is about, in words; empty for none."""
    number = len(certificate.get("waived", ()))
    return f"Even with {counted(number, 'gate')} open from the start" if number else ""


def _describe_within_reach(certificate: Certificate) -> list[str]:
    lines = []
    for stage in certificate["stages"]:
        what = "a goal" if stage.get("item") is None else f"the item {stage['item']}"
        forgotten = len(stage.get("forgotten", ()))
        how = f", whether {counted(forgotten, 'other gate')} {'is' if forgotten == 1 else 'are'} open or not"
        homes = counted(len(stage["states"]), "situation")
        lines += _wrapped(
            f"From wherever a player can get, moves lead to {what}{how if forgotten else ''}: "
            f"{homes} to come back to {'was' if len(stage['states']) == 1 else 'were'} looked at."
        )
    return lines


def _describe_safe(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    number = len(certificate["states"])
    if not number:
        return ["The goal is reached already: there is nothing to lose."]
    ranks = certificate["ranks"]
    farthest = max(ranks)
    if number == 1:
        return ["Only one situation is possible, and a move from it reaches the goal."]
    player = "a player who takes everything within reach" if dungeon.rules.player == "thorough" else "a player"
    how = "Taking something counts as a move of its own." if certificate["form"] != "safe" else ""
    return _wrapped(
        f"From each of the {number:,} situations {player} can get into, a way leads to the goal. "
        f"It passes through at most {counted(farthest, 'other')}. {how}".rstrip()
    )


def _events(dungeon: Dungeon, walk: Walk, rest: str) -> Iterator[str]:
    """Yield the walk from event to event, numbered; `rest` says what the moves after the last event do."""
    done = 0
    entries = []
    for event in walk.events:
        entries.append((done, event.move, event.words))
        done = event.move
    if done < len(walk.moves):
        entries.append((done, len(walk.moves), rest))
    digits = len(str(len(entries)))
    for number, (begin, end, words) in enumerate(entries, start=1):
        run = format_run(walk.moves[begin:end])
        rooms = describe_rooms(dungeon, walk.places[begin : end + 1])
        if rooms:
            # The rooms say where it happens already.
            run, words = f"{rooms} ({run})", words.removesuffix(f" ({room_name(dungeon, walk.places[end])})")
        yield from _hang(f"  {number:>{digits}}. ", f"{run}: {words}".removesuffix(": "))


def _hang(first: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first))


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH)


def _shut(game: Game, certificate: Certificate) -> list[str]:
    """Return a line on the gates at the edge of what can be reached; none if that is too much to find out."""
    return _describe_edge(game.dungeon, find_reach(game, certificate))


def find_reach(game: Game, certificate: Certificate) -> set[Place]:
    """Return what can be reached in the situations of a certificate; nothing if that is too much to find out.

    With gates waived, more can be reached in the situations than in the dungeon, so nothing is told either.
    """
    tiles = sum(len(row) for floor in game.dungeon.floors for row in floor.terrain)
    states = certificate["states"]
    if certificate.get("waived") or tiles * len(states) * len(STEPS) > MAX_STEPS_TRIED:
        return set()
    reach: set[Place] = set()
    strolls = Strolls(game)
    for index, situation in enumerate(states):
        reach |= _calmly_reached(game, state_of_situation(game, situation, f"states[{index}]"), strolls)
    return reach


def _describe_edge(dungeon: Dungeon, reach: set[Place]) -> list[str]:
    gates = list(_describe_gates_at_edge(dungeon, reach))
    if not gates:
        return []
    more = "" if len(gates) <= MAX_NAMED else f", and {len(gates) - MAX_NAMED} more"
    return _wrapped(f"Still closed: {', '.join(gates[:MAX_NAMED])}{more}.")


def _describe_absent(dungeon: Dungeon, numbers: Sequence[int], reach: set[Place]) -> list[str]:
    """Return a line on each of some pickups that cannot be taken although the player gets where it lies."""
    lines = []
    for number in [number for number in numbers if dungeon.pickups[number].place in reach][:MAX_NAMED]:
        rule, name = dungeon.pickups[number].rule, capitalised(name_all(dungeon, [number]))
        several = name[0].isdigit()
        if rule == NEVER:
            lines += _wrapped(f"{name} never {'appear' if several else 'appears'}.")
        elif rule is not None:
            absent, needs = ("are", "they need") if several else ("is", "it needs")
            lines += _wrapped(f"{name} {absent} never there when you are: {needs} {describe_requirement(rule)}.")
    return lines


def gates_at_edge(dungeon: Dungeon, reach: set[Place]) -> Iterator[tuple[int, Place | int]]:
    """Yield the gates between what can be reached and what cannot, by number, each with one tile or way it bars."""
    for number, gate in enumerate(dungeon.gates):
        before = [cell for cell in gate.cells if cell not in reach and _is_beside(dungeon, cell, reach)]
        ways = [
            at
            for at, way in enumerate(dungeon.ways)
            if way.gate == number and way.source in reach and way.target not in reach
        ]
        if before:
            yield number, before[0]
        elif ways:
            yield number, ways[0]


def _describe_gates_at_edge(dungeon: Dungeon, reach: set[Place]) -> Iterator[str]:
    for number, where in gates_at_edge(dungeon, reach):
        if isinstance(where, int):
            way = dungeon.ways[where]
            yield describe_shut_gate(dungeon.gates[number], describe_ends(dungeon, way.source, way.target))
        else:
            yield describe_shut_gate(dungeon.gates[number], f"at {describe_place(dungeon, where)}")
    if dungeon.goal_rule is not None and any(_is_beside(dungeon, goal, reach) for goal in dungeon.goals):
        yield f"the goal, which needs {describe_requirement(dungeon.goal_rule)}"


def _is_beside(dungeon: Dungeon, cell: Place, reach: set[Place]) -> bool:
    """Tell whether one move leads from what can be reached to a cell, as far as the map goes."""
    near = any(beside(cell, direction) in reach for direction in STEPS)
    return near or any(way.target == cell and way.source in reach for way in dungeon.ways)


def _calmly_reached(game: Game, state: State, strolls: Strolls) -> set[Place]:
    found, waiting = {state.place}, [state.place]
    while waiting:
        here = state._replace(place=waiting.pop())
        for _, after in game.moves(here):
            if after.place not in found and strolls.is_calm(here, after):
                found.add(after.place)
                waiting.append(after.place)
    return found
